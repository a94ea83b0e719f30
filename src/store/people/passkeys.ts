// Passkeys of people: public keys of their authenticators. A person may have several, each with a name of its own.

import sql, { type Sql } from 'sql-template-tag';
import { type AuditNote, auditNote } from '../../domain/access/audit-note.ts';
import { passkeysMax } from '../../domain/access/credential-bounds.ts';
import { operatorsAccount, type PersonId } from '../../domain/access/visitor.ts';
import { type ByOwner, refuseWithoutAdmin } from '../access/admin-rules.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import { type Db, limitOf, type Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import { rememberedUserOf } from '../provisioning/user-lookup.ts';
import { type UserRow, userColumns } from '../provisioning/user-row.ts';
import { hasOtherWay, holdPerson, type WaysIn } from './ways-in.ts';

export interface ListedPasskey {
  /** The id that the authenticator gave it, as base64url. */
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
  readonly usedAtMs: number | null;
  /** How browsers reach the authenticator, separated by blanks. */
  readonly transports: string;
}

/** The oldest first. */
export function listPasskeys(db: Db, { accountId, personId }: PersonId): Promise<readonly ListedPasskey[]> {
  return db.read<ListedPasskey>(sql`
    select id, name, created_at as "createdAtMs", used_at as "usedAtMs", transports
    from passkey
    where account_id = ${accountId} and person_id = ${personId}
    order by created_at, id
    limit ${limitOf(passkeysMax)}`);
}

/** A passkey of somebody who may sign in. */
export interface FoundPasskey extends PersonId {
  readonly publicKey: string;
  /** As the audit log names its owner. */
  readonly actor: string;
  /** Whether admin counts for whoever signs in by it. */
  readonly admitsAdmin: boolean;
}

/** Null where the person has no such passkey, or may not sign in: is suspended, disabled, or their account removed. */
export async function findPasskey(
  db: Db,
  { accountId, personId }: PersonId,
  id: string,
): Promise<FoundPasskey | null> {
  return accountId === operatorsAccount
    ? passkeyOfOperator(db, personId, id)
    : passkeyOfUser(db, { accountId, personId }, id);
}

async function passkeyOfOperator(db: Db, personId: number, id: string): Promise<FoundPasskey | null> {
  const [row] = await db.read<{ readonly publicKey: string; readonly name: string }>(sql`
    select passkey.public_key as "publicKey", operator.name
    from passkey
    join operator on operator.id = passkey.person_id and operator.disabled_at is null
    where passkey.account_id = ${operatorsAccount} and passkey.id = ${id} and passkey.person_id = ${personId}`);
  if (row === undefined) return null;
  return {
    accountId: operatorsAccount,
    personId,
    publicKey: row.publicKey,
    actor: `operator ${row.name}`,
    admitsAdmin: true,
  };
}

async function passkeyOfUser(
  db: Db,
  { accountId, personId }: PersonId,
  id: string,
): Promise<FoundPasskey | null> {
  const [row] = await db.read<UserRow & { readonly publicKey: string; readonly admits_admin: number }>(sql`
    select ${userColumns}, passkey.public_key as "publicKey", passkey.admits_admin
    from passkey
    join account_user on account_user.account_id = ${accountId} and account_user.id = passkey.person_id
    join account on account.id = ${accountId} and account.removed_at is null
    where passkey.account_id = ${accountId} and passkey.id = ${id} and passkey.person_id = ${personId}`);
  if (row === undefined || !rememberedUserOf(db, row).profile.active) return null;
  const { publicKey, admits_admin } = row;
  return { accountId, personId, publicKey, actor: `user ${personId}`, admitsAdmin: admits_admin === 1 };
}

export interface PasskeyChange extends ChangeStamp, PersonId {
  readonly id: string;
  /** As the audit log names the owner. */
  readonly subject: string;
}

interface AddPasskey extends PasskeyChange {
  readonly name: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: string;
  /** As of the session in which it is added (D-400). */
  readonly admitsAdmin: boolean;
}

/** One at a time for each person, so that none is one too many. */
export function* addPasskey(
  input: AddPasskey,
  dialect: Dialect,
): Steps<'added' | 'known' | 'tooMany' | 'personGone'> {
  const { accountId, personId, id, nowMs } = input;
  if (!(yield* holdPerson(input, dialect))) return 'personGone';
  const { rows } = yield sql`
    select count(*) as count
    from passkey
    where account_id = ${accountId} and person_id = ${personId}`;
  if (Number(rows[0]?.count) >= passkeysMax) return 'tooMany';
  const { changed } = yield sql`
    insert into passkey (account_id, id, person_id, name, public_key, counter, transports, created_at,
      admits_admin)
    values (${accountId}, ${id}, ${personId}, ${input.name}, ${input.publicKey}, ${input.counter},
      ${input.transports}, ${nowMs}, ${input.admitsAdmin ? 1 : 0})
    on conflict (account_id, id) do nothing`;
  if (changed === 0) return 'known';
  yield audited(input, 'passkey.add');
  return 'added';
}

interface UsePasskey extends PasskeyChange {
  /** How often the authenticator says that it has signed; 0 where it does not count. */
  readonly counter: number;
  readonly challengedAtMs: number;
}

/**
 * Somebody has signed with it. An authenticator that has counted less than before is perhaps a copy (D-342); a challenge
 * that is not younger than the last one was answered before, perhaps at another replica (D-341).
 */
export function* usePasskey(input: UsePasskey): Steps<'used' | 'counterBack' | 'replayed'> {
  const { accountId, personId, id, counter, challengedAtMs, nowMs } = input;
  const orCountsNothing = counter === 0 ? sql`or counter = 0` : sql``;
  const { changed } = yield sql`
    update passkey
    set counter = ${counter}, used_at = ${nowMs}, challenged_at = ${challengedAtMs}
    where account_id = ${accountId} and id = ${id} and person_id = ${personId}
      and (counter < ${counter} ${orCountsNothing})
      and coalesce(challenged_at, 0) < ${challengedAtMs}`;
  if (changed > 0) return 'used';
  const { rows } = yield sql`
    select counter, coalesce(challenged_at, 0) as challenged_at
    from passkey
    where account_id = ${accountId} and id = ${id} and person_id = ${personId}`;
  const [row] = rows;
  // Gone since it was found, or answered before: neither says anything of the authenticator.
  if (row === undefined || Number(row.challenged_at) >= challengedAtMs) return 'replayed';
  const passkey = shownId(input);
  const counted = { passkey, counter, before: Number(row.counter) };
  yield audited(input, 'passkey.counter', auditNote('passkeyCounter', counted));
  return 'counterBack';
}

/** False where the person has no such passkey. */
export function* renamePasskey(input: PasskeyChange & ByOwner & { readonly name: string }): Steps<boolean> {
  yield* refuseWithoutAdmin(input, ofAdmin(input));
  const { changed } = yield sql`
    update passkey
    set name = ${input.name}
    where account_id = ${input.accountId} and id = ${input.id} and person_id = ${input.personId}`;
  if (changed === 0) return false;
  yield audited(input, 'passkey.rename');
  return true;
}

/** The last way in stays (D-343). */
export function* removePasskey(
  input: PasskeyChange & WaysIn & ByOwner,
  dialect: Dialect,
): Steps<'removed' | 'unknown' | 'lastWay'> {
  const { accountId, personId, id } = input;
  yield* refuseWithoutAdmin(input, ofAdmin(input));
  const hasOther = yield* hasOtherWay(input, { passkeyId: id }, dialect);
  const { rows } = yield sql`
    select id
    from passkey
    where account_id = ${accountId} and id = ${id} and person_id = ${personId}`;
  if (rows.length === 0) return 'unknown';
  if (!hasOther) return 'lastWay';
  yield sql`delete from passkey where account_id = ${accountId} and id = ${id} and person_id = ${personId}`;
  yield audited(input, 'passkey.remove');
  return 'removed';
}

/** The passkey, where admin counts for whoever signs in by it. */
function ofAdmin({ accountId, personId, id }: PasskeyChange): Sql {
  return sql`
    select passkey.id
    from passkey
    where passkey.account_id = ${accountId} and passkey.person_id = ${personId} and passkey.id = ${id}
      and passkey.admits_admin = 1`;
}

// An id may have a thousand characters; so many tell passkeys apart.
const shownIdLength = 16;

function shownId({ id }: PasskeyChange): string {
  return id.slice(0, shownIdLength);
}

function audited(
  input: PasskeyChange,
  action: string,
  details: AuditNote = auditNote('passkey', { passkey: shownId(input) }),
): Sql {
  return auditStatement(input, {
    accountId: input.accountId === operatorsAccount ? null : input.accountId,
    action,
    subject: input.subject,
    details,
  });
}
