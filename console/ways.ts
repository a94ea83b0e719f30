// By what people may sign in: of an account, or without one of the operators.

import { readAccountId } from '../src/domain/access/account.ts';
import { call } from './call.ts';

export interface Ways {
  readonly passwords: boolean;
  readonly passkeys: boolean;
  readonly connections: readonly { readonly id: string; readonly name: string }[];
  /** The account is entered through these connections alone. */
  readonly only: boolean;
}

const everyWay: Ways = { passwords: true, passkeys: true, connections: [], only: false };

/** Where they cannot be asked for, every way is shown: the service judges each anyway. */
export function waysInto(account: string): Promise<Ways> {
  return call<Ways>('GET', `/sign-in/ways${isAccount(account) ? `?account=${account}` : ''}`).catch(
    () => everyWay,
  );
}

export function isAccount(text: string): boolean {
  return readAccountId(text) !== null;
}
