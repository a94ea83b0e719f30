// Accounts, the API clients that call for them, and what a caller may do (D-10, D-11).

export interface Account {
  readonly id: number;
  readonly name: string;
}

/** The greatest number of an account: the greatest whole number that JSON and browsers keep exactly (D-868). */
export const accountIdMax = Number.MAX_SAFE_INTEGER;

/** How people type one, for fields and addresses; of 16 digits not every number is one. */
export const accountIdPattern = '[1-9][0-9]{0,15}';
export const accountIdLength = String(accountIdMax).length;
const accountIdText = new RegExp(`^${accountIdPattern}$`);

/** Null for what is no number of an account. */
export function readAccountId(text: string): number | null {
  const id = Number(text);
  return accountIdText.test(text) && id <= accountIdMax ? id : null;
}

/** The limits of an account, and the most that each can be. */
export const limitMaxima = {
  requestsPerSecond: 1_000_000,
  requestsAtOnce: 1_000_000,
  clientRequestsPerSecond: 1_000_000,
  clientRequestsAtOnce: 1_000_000,
  deprovisionedPercentPerHour: 100,
} as const;

type LimitName = keyof typeof limitMaxima;

export const limitNames = Object.keys(limitMaxima) as readonly LimitName[];

/**
 * What an account may ask for: all its API clients together, and each of them; and how many of a hundred of its users
 * providers may suspend or delete within an hour. What is absent is as the settings say.
 */
export type AccountLimits = { readonly [Name in LimitName]?: number };

export const grants = [
  'r_cx_measures',
  'r_cx_projects',
  'r_cx_users',
  'w_cx_users',
  'w_cx_responses',
] as const;
export type Grant = (typeof grants)[number];

/** The scope of the interface: it opens whatever the client was granted. */
export const basicScope = 'r_cx_basic';
type Scope = Grant | typeof basicScope;

export const scopes: readonly Scope[] = [basicScope, ...grants];

export interface ApiClient {
  readonly id: string;
  readonly accountId: number;
  readonly name: string;
  readonly grants: readonly Grant[];
  readonly disabled: boolean;
  /** Whether it may change users who are admin, and groups that carry admin (D-812). */
  readonly mayChangeAdmins: boolean;
  /** Of its account; null where the account has none of its own. */
  readonly accountLimits: AccountLimits | null;
}

/** Who is calling now: an API client, for its account, with what its token opens. */
export interface Caller {
  readonly apiClientId: string;
  readonly accountId: number;
  readonly grants: ReadonlySet<Grant>;
  readonly mayChangeAdmins: boolean;
  /** A provisioning token that was made to read only. */
  readonly isReadOnly?: boolean;
  /** The connection that users belong to who are made by a provisioning token. */
  readonly connectionId?: string;
  readonly accountLimits: AccountLimits | null;
}

export function isGrant(text: string): text is Grant {
  return (grants as readonly string[]).includes(text);
}

/** The names in a scope text, each once, in the order they were asked for. */
export function scopeNames(text: string): readonly string[] {
  return [...new Set(text.split(' ').filter((name) => name !== ''))];
}

export function unknownScopes(names: readonly string[]): readonly string[] {
  return names.filter((name) => !(scopes as readonly string[]).includes(name));
}

export function scopesNotGranted(names: readonly string[], client: ApiClient): readonly string[] {
  return names.filter((name) => isGrant(name) && !client.grants.includes(name));
}

/**
 * What a token opens: all that the client has now, or the narrow names among it. Asked at every request and
 * not kept in the token, so that a grant taken away is gone at once.
 */
export function callerOf(client: ApiClient, tokenScopes: readonly string[]): Caller {
  const opened = tokenScopes.includes(basicScope)
    ? client.grants
    : client.grants.filter((grant) => tokenScopes.includes(grant));
  const { id: apiClientId, accountId, accountLimits, mayChangeAdmins } = client;
  return { apiClientId, accountId, grants: new Set(opened), mayChangeAdmins, accountLimits };
}
