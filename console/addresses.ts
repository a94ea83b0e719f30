// Where pages lead.

export const signInPath = '/console/sign-in';

export function toSignIn(isFresh: boolean): void {
  const query = new URLSearchParams(isFresh ? { fresh: '1' } : {});
  if (location.pathname !== signInPath && (isFresh || location.pathname !== '/console'))
    query.set('return', location.pathname + location.search);
  location.assign(signInPath + (query.size === 0 ? '' : `?${query}`));
}

export interface LinkCode {
  readonly code: string;
  /** The account that an operator enters by it: `#CODE@4001`. */
  readonly account: string | null;
}

/** The code of a one-time link. It leaves the address, and with it the history, before anything else happens. */
export function takeCode(): LinkCode | null {
  // Other fragments name a place within the page.
  const [, code, account = null] = /^#(\d+\.[^@]+)(?:@(\d+))?$/.exec(location.hash) ?? [];
  if (code === undefined) return null;
  history.replaceState(null, '', location.pathname + location.search);
  return { code, account };
}
