// What somebody can sign in by, so that the last of it is not taken away: nobody locks themselves out by a click (D-343).

import sql from 'sql-template-tag';
import { operatorsAccount, type PersonId } from '../../domain/access/visitor.ts';
import type { Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';

export interface WaysIn extends PersonId {
  /** Whether passwords open anything here. */
  readonly hasPasswordsOn: boolean;
  /** Providers name people by it. */
  readonly hasExternalId: boolean;
}

/** Whether there is a way in beside a passkey, or beside the password. What is counted stays so to the commit. */
export function* hasOtherWay(
  input: WaysIn,
  beside: { readonly passkeyId: string } | 'password',
  dialect: Dialect,
): Steps<boolean> {
  const { accountId, personId } = input;
  yield* holdPerson(input, dialect);
  const { rows: passkeys } = yield sql`
    select id
    from passkey
    where account_id = ${accountId} and person_id = ${personId}`;
  if (passkeys.some(({ id }) => beside === 'password' || id !== beside.passkeyId)) return true;
  if (beside !== 'password' && input.hasPasswordsOn) {
    const { rows: passwords } = yield sql`
      select person_id
      from password
      where account_id = ${accountId} and person_id = ${personId}`;
    if (passwords.length > 0) return true;
  }
  return input.hasExternalId && (yield* hasConnection(input));
}

/** Their own, or any one of the account while they belong to none: the first that they sign in by becomes it. */
function* hasConnection({ accountId, personId }: PersonId): Steps<boolean> {
  const { rows } = yield sql`
    select connection.id, user_connection.connection_id as own
    from connection
    left join user_connection on user_connection.account_id = ${accountId} and user_connection.user_id = ${personId}
    where connection.account_id = ${accountId}`;
  return rows.some(({ id, own }) => own === null || own === id);
}

/** To the commit. False where the person has been deleted. */
export function* holdPerson({ accountId, personId }: PersonId, dialect: Dialect): Steps<boolean> {
  const isOperator = accountId === operatorsAccount;
  const held = yield* dialect.holdRows({
    table: isOperator ? 'operator' : 'account_user',
    key: isOperator ? ['id'] : ['account_id', 'id'],
    keys: [isOperator ? [personId] : [accountId, personId]],
    columns: ['id'],
    mayWait: true,
  });
  return held.length > 0;
}
