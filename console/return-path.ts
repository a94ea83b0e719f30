// Where the sign-in leads.

import { signInPath } from './addresses.ts';

/** Pages of the console alone: an address that somebody made up leads nowhere else. */
export function returnPath(): string {
  const wanted = new URLSearchParams(location.search).get('return') ?? '/console';
  const url = URL.canParse(wanted, location.origin) ? new URL(wanted, location.origin) : null;
  const isOurs = url?.origin === location.origin && /^\/console(\/|$)/.test(url.pathname);
  return isOurs && url.pathname !== signInPath ? url.pathname + url.search : '/console';
}
