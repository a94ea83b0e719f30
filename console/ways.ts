// By what people may sign in: of an account, or without one of the operators.

import { readAccountId } from '../src/domain/access/account.ts';
import { type AnswerTo, call } from './call.ts';

export type Ways = AnswerTo<'GET /sign-in/ways'>;

const everyWay: Ways = { passwords: true, passkeys: true, connections: [], only: false };

/** Where they cannot be asked for, every way is shown: the service judges each anyway. */
export function waysInto(account: string): Promise<Ways> {
  const query = { account: isAccount(account) ? account : undefined };
  return call('GET /sign-in/ways', { query }).catch(() => everyWay);
}

export function isAccount(text: string): boolean {
  return readAccountId(text) !== null;
}
