// A response as it is shown to people who may not read comments: what was answered to open questions is not there (D-506).

interface ShownEntry {
  readonly type: string;
  readonly responseType: string;
}

/** As data shows it. */
export interface ShownResponse {
  /** Of the entry of a project. */
  readonly topic?: string | null;
  readonly responses?: readonly ShownEntry[];
}

/** `hasOpenTopic`: what the entry shows as its topic was written, and not chosen. */
export function withoutComments<T extends ShownResponse>(shown: T, hasOpenTopic: boolean): T {
  return {
    ...shown,
    ...(hasOpenTopic && shown.topic !== undefined && { topic: null }),
    ...(shown.responses !== undefined && { responses: shown.responses.filter((entry) => !isOpen(entry)) }),
  };
}

function isOpen({ type, responseType }: ShownEntry): boolean {
  return type === 'CQ' && (responseType === 'TEXT' || responseType === 'TEXT_AREA');
}
