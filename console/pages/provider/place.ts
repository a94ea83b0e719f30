// Where the steps of a set-up are done, and what they work with.

import type { AnswerTo, CallInput } from '../../call.ts';

type ProviderAlone = AnswerTo<'GET /providers/:id'>;
export type Connection = ProviderAlone['connection'];
export type Token = ProviderAlone['tokens'][number];
export type SetupLink = ProviderAlone['setupLink'];
export type Finding = AnswerTo<'POST /connections/:id/test'>['findings'][number];
export type TestResult = NonNullable<AnswerTo<'POST /connections/:id/test-sign-in/result'>>;
export type LogPage = AnswerTo<'GET /provisioning-log'>;
export type LogEntry = LogPage['items'][number];
export type LogQuery = NonNullable<CallInput<'GET /setup/log'>['query']>;
export type NewToken = Pick<AnswerTo<'POST /provisioning-tokens'>, 'token' | 'expires'>;

export interface ConnectionFacts {
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly subjectClaim: string;
  readonly secret?: string;
}

/** Where the steps are done: in the console by whoever is signed in, or by whoever has a set-up link. */
export interface Place {
  readonly kind: ProviderAlone['kind'];
  readonly connection: Connection | null;
  readonly tokens: readonly Token[];
  readonly addresses: ProviderAlone['addresses'];
  /** Whether the connection may be entered or changed here. */
  readonly mayChange: boolean;
  readonly save: (facts: ConnectionFacts) => Promise<void>;
  readonly check: () => Promise<readonly Finding[]>;
  readonly beginTest: () => Promise<string>;
  /** Null where there is nothing to show. */
  readonly takeTest: () => Promise<TestResult | null>;
  /** Whether a token that may change admins can be made here. */
  readonly mayMarkToken: boolean;
  readonly makeToken: (mayChangeAdmins: boolean) => Promise<NewToken>;
  readonly readLog: (query: LogQuery) => Promise<LogPage>;
  readonly reload: () => Promise<void>;
}
