/** What stands in the log of requests beside names of attributes, filters and ids, which are the protocol's own. */
export interface RequestTexts {
  readonly operations: Readonly<Record<string, string>>;
  readonly ignored: string;
  readonly andMore: (count: string) => string;
  readonly more: (count: string) => string;
  readonly states: Readonly<Record<string, string>>;
  readonly bulk: (count: string, method: string, endpoint: string) => string;
  readonly unreadable: (count: string) => string;
}

/** The service says it in English. */
export const texts: RequestTexts | null = null as RequestTexts | null;
