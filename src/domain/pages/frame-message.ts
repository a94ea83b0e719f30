// What a survey in a frame and the page around it tell each other. The frame says how high it is, that it was answered and that
// Escape was pressed, and nothing of the answers. The page around says what it knows in the name of the frame: a name stays when
// the frame goes on to the thank-you page, and stands in no address and no log (D-458).

export interface FrameMessage {
  readonly soundings: 'height' | 'answered' | 'close';
  readonly height?: number;
}

interface FrameName {
  /** Of the page around: browsers deliver a message only where it is the true one. */
  readonly origin: string;
  /** Further fields of the form, by their names. */
  readonly fields: Readonly<Record<string, string>>;
}

const prefix = 'soundings ';

export function writeFrameName({ origin, fields }: FrameName): string {
  return prefix + JSON.stringify([origin, fields]);
}

/** Null where the frame was named by somebody else. */
export function readFrameName(name: string): FrameName | null {
  if (!name.startsWith(prefix)) return null;
  try {
    const [origin, fields] = JSON.parse(name.slice(prefix.length)) as [string, FrameName['fields']];
    return { origin, fields };
  } catch {
    return null;
  }
}
