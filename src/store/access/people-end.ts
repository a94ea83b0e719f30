// What hangs on a user or a group and goes with it: whatever they sign in with, their sessions and their roles.

import sql, { type Sql } from 'sql-template-tag';
import type { Steps } from '../engine/db.ts';

/**
 * The sessions of a user who is suspended. They would open nothing while it lasts; that they are gone keeps one that
 * somebody else has got hold of from coming back with its owner (D-373).
 */
export function endedSessions(accountId: number, personId: number): Sql {
  return sql`delete from session where account_id = ${accountId} and person_id = ${personId}`;
}

/** Of a user who is deleted. */
export function* forgetPerson(accountId: number, personId: number): Steps<void> {
  yield endedSessions(accountId, personId);
  yield sql`delete from passkey where account_id = ${accountId} and person_id = ${personId}`;
  yield sql`delete from password where account_id = ${accountId} and person_id = ${personId}`;
  yield sql`delete from one_time_link where account_id = ${accountId} and person_id = ${personId}`;
  yield sql`delete from user_connection where account_id = ${accountId} and user_id = ${personId}`;
  yield sql`delete from admin_refusal where account_id = ${accountId} and user_id = ${personId}`;
  yield* forgetRoles(accountId, 'user', personId);
}

/** Of a user or a group that is deleted. */
export function* forgetRoles(accountId: number, holderKind: 'user' | 'group', holderId: number): Steps<void> {
  yield sql`
    delete from role_grant
    where account_id = ${accountId} and holder_kind = ${holderKind} and holder_id = ${holderId}`;
}
