// What the browser remembers of a session when it is there, and the ways out of it: of the account that an operator has entered, and of
// the console.

import { call } from '../call.ts';
import { keep } from '../kept.ts';
import { dropDrafts, dropDraftsOfOthers } from './drafts.ts';
import type { Session } from './session.ts';

export { dropDrafts };

/** Before the first page is drawn. */
export function noteSession({ person, account }: Session): void {
  // The sign-in fills it in next time.
  if (person.kind === 'user' && account !== null) keep('account', String(account.id));
  dropDraftsOfOthers(person, account);
}

export async function leaveAccount(): Promise<undefined> {
  await call('PUT /session/account', { body: { accountId: null } });
  location.assign('/console/accounts');
}

export async function signOut(): Promise<undefined> {
  await call('DELETE /session');
  dropDrafts();
  location.assign('/console/sign-in');
}
