// Passwords of people: slow hashes, at most one of a person. Whoever sets, changes or removes theirs ends their other
// sessions in the same transaction.

import sql, { type Sql } from 'sql-template-tag';
import { auditNote } from '../../domain/access/audit-note.ts';
import { passwordRefused } from '../../domain/access/password-refusal.ts';
import { operatorsAccount, type PersonId } from '../../domain/access/visitor.ts';
import { Problem } from '../../domain/problem.ts';
import { type ByOwner, refuseWithoutAdmin } from '../access/admin-rules.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import { type Db, limitOf, type Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import { rememberedUserOf } from '../provisioning/user-lookup.ts';
import { type UserRow, userColumns } from '../provisioning/user-row.ts';
import { hasOtherWay, type WaysIn } from './ways-in.ts';

/** Somebody who may sign in by a password, if they have one. */
export interface PasswordHolder extends PersonId {
  /** As the audit log names them. */
  readonly actor: string;
  readonly hash: string | null;
  /** Whether admin counts for whoever signs in by it. */
  readonly admitsAdmin: boolean;
}

/** Nobody for a user who is suspended, and where the account is entered through its provider alone. */
export async function userWithPassword(
  db: Db,
  accountId: number,
  nameKey: string,
): Promise<PasswordHolder | null> {
  const [row] = await db.read<
    UserRow & {
      readonly hash: string | null;
      readonly admits_admin: number | null;
      readonly only: number;
    }
  >(sql`
    select ${userColumns}, password.hash, password.admits_admin,
      (select count(*) from connection where connection.account_id = ${accountId} and is_only = 1) as only
    from account_user
    join account on account.id = ${accountId} and account.removed_at is null
    left join password on password.account_id = ${accountId} and password.person_id = account_user.id
    where account_user.account_id = ${accountId} and account_user.user_name_key = ${nameKey}`);
  if (row === undefined) return null;
  const user = rememberedUserOf(db, row);
  if (!user.profile.active || row.only > 0) return null;
  const { hash, admits_admin } = row;
  return { accountId, personId: user.id, actor: `user ${user.id}`, hash, admitsAdmin: admits_admin === 1 };
}

/** Nobody for an operator who is disabled. */
export async function operatorWithPassword(db: Db, name: string): Promise<PasswordHolder | null> {
  const [operator] = await db.read<{ readonly id: number }>(
    sql`select id from operator where name = ${name} and disabled_at is null`,
  );
  const personId = operator?.id ?? nobody;
  const hash = await passwordOf(db, { accountId: operatorsAccount, personId });
  if (operator === undefined) return null;
  return { accountId: operatorsAccount, personId, actor: `operator ${name}`, hash, admitsAdmin: true };
}

/** No person has this id; asked for where none was found, so that it takes as long. */
export const nobody = 0;

export async function passwordOf(db: Db, { accountId, personId }: PersonId): Promise<string | null> {
  const [row] = await db.read<{ readonly hash: string }>(
    sql`select hash from password where account_id = ${accountId} and person_id = ${personId}`,
  );
  return row?.hash ?? null;
}

/** The one account of the store; null where there are several, or none. */
export async function onlyAccount(db: Db): Promise<number | null> {
  const rows = await db.read<{ readonly id: number }>(sql`
    select id
    from account
    where removed_at is null
    order by id
    limit ${limitOf(2)}`);
  return rows.length === 1 ? rows[0]!.id : null;
}

/** Whether users of the account sign in through its identity provider alone. */
export async function isOnlyByProvider(db: Db, accountId: number): Promise<boolean> {
  const [row] = await db.read<{ readonly only: number }>(
    sql`select count(*) as only from connection where account_id = ${accountId} and is_only = 1`,
  );
  return row !== undefined && row.only > 0;
}

const originsMax = 50;

/** From where the person has signed in during the last days, by sessions that did not end. */
export async function signInOrigins(
  db: Db,
  { accountId, personId }: PersonId,
  nowMs: number,
): Promise<readonly string[]> {
  const rows = await db.read<{ readonly origin: string }>(sql`
    select origin
    from session
    where account_id = ${accountId} and person_id = ${personId} and ends_at > ${nowMs} and origin is not null
    order by id desc
    limit ${limitOf(originsMax)}`);
  return rows.map(({ origin }) => origin);
}

/** What a person has to sign in with. */
interface OwnCredentials {
  readonly passkeys: number;
  readonly passwordChangedAtMs: number | null;
}

export async function ownCredentials(db: Db, { accountId, personId }: PersonId): Promise<OwnCredentials> {
  const [row] = await db.read<{ readonly passkeys: number; readonly changed: number | null }>(sql`
    select count(*) as passkeys,
      (select max(changed_at) from password where account_id = ${accountId} and person_id = ${personId}) as changed
    from passkey
    where account_id = ${accountId} and person_id = ${personId}`);
  return { passkeys: row?.passkeys ?? 0, passwordChangedAtMs: row?.changed ?? null };
}

/** A password that was found to be right a moment ago, and what is kept of it from now on. */
export interface ProvenPassword {
  readonly personId: number;
  readonly hash: string;
  /** Another one where the parameters of the old one are outdated. */
  readonly newHash: string;
}

/** Within a sign-in: whoever changed the password, or deleted the person, while it was hashed comes first. */
export function* demandPassword(input: {
  readonly accountId: number;
  readonly password?: ProvenPassword;
}): Steps<void> {
  const { accountId, password } = input;
  if (password === undefined) return;
  const { changed } = yield sql`
    update password
    set hash = ${password.newHash}
    where account_id = ${accountId} and person_id = ${password.personId} and hash = ${password.hash}`;
  if (changed === 0) throw passwordRefused();
}

interface ChangeOwnPassword extends ChangeStamp, ByOwner {
  /** The session in which it is done; it goes on. */
  readonly sessionId: string;
}

interface SetPassword extends ChangeOwnPassword {
  readonly hash: string;
}

/** Admin counts for whoever signs in by it if it does in the session in which it is set (D-400). */
export function* setPassword(input: SetPassword): Steps<void> {
  const { accountId, personId, hash, nowMs } = input;
  yield* refuseWithoutAdmin(input, ofAdmin(input));
  yield sql`
    insert into password (account_id, person_id, hash, changed_at, admits_admin)
    values (${accountId}, ${personId}, ${hash}, ${nowMs}, ${input.admitsAdmin ? 1 : 0})
    on conflict (account_id, person_id) do update
      set hash = excluded.hash, changed_at = excluded.changed_at, admits_admin = excluded.admits_admin`;
  yield* endOtherSessions(input, 'password.set');
}

/** Refused where it is the last way in: a link would be needed to come back (D-343). */
export function* removePassword(input: ChangeOwnPassword & WaysIn, dialect: Dialect): Steps<void> {
  const { accountId, personId } = input;
  yield* refuseWithoutAdmin(input, ofAdmin(input));
  if (!(yield* hasOtherWay(input, 'password', dialect)))
    throw new Problem(
      'CONFLICT',
      'The password is your only way in. Add a passkey first, then the password can go.',
    );
  const { changed } = yield sql`
    delete from password
    where account_id = ${accountId} and person_id = ${personId}`;
  if (changed === 0) throw new Problem('CONFLICT', 'You have no password.');
  yield* endOtherSessions(input, 'password.remove');
}

/** The password and the other sessions of the person in which admin counts. */
function ofAdmin({ accountId, personId, sessionId }: ChangeOwnPassword): Sql {
  return sql`
    select password.person_id
    from password
    where password.account_id = ${accountId} and password.person_id = ${personId} and password.admits_admin = 1
    union all
    select session.person_id
    from session
    where session.account_id = ${accountId} and session.person_id = ${personId} and session.id <> ${sessionId}
      and session.admits_admin = 1`;
}

function* endOtherSessions(
  input: ChangeOwnPassword,
  action: 'password.set' | 'password.remove',
): Steps<void> {
  const { accountId, personId, sessionId, nowMs, actor } = input;
  // The session may have been ended, and the person deleted, while the password was hashed.
  const { changed: own } = yield sql`
    update session
    set used_at = ${nowMs}
    where account_id = ${accountId} and person_id = ${personId} and id = ${sessionId}`;
  if (own === 0) throw new Problem('SIGN_IN_REQUIRED', 'This session has ended. Sign in again.');
  const { changed } = yield sql`
    delete from session
    where account_id = ${accountId} and person_id = ${personId} and id <> ${sessionId}`;
  yield auditStatement(input, {
    accountId: accountId === operatorsAccount ? null : accountId,
    action,
    subject: actor,
    details: auditNote('otherSessionsEnded', { count: changed }),
  });
}
