// What holds for whoever carries admin, judged within the transaction of the change, below every face: by whom they sign in,
// whether they are active, whether they exist and who belongs to their group is changed by those alone who may change admins
// (D-810). In the console the last admin of an account without a connection to a provider stays as well (D-372).

import sql, { type Sql } from 'sql-template-tag';
import { auditNote } from '../../domain/access/audit-note.ts';
import { adminsOnly, type ByActor, lastAdmin, type RoleHolder } from '../../domain/access/role-rules.ts';
import type { PersonId } from '../../domain/access/visitor.ts';
import { Problem } from '../../domain/problem.ts';
import type { Profile } from '../../domain/provisioning/user.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import type { Db, Steps } from '../engine/db.ts';
import { limitOf } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';

interface AccountChange extends ByActor {
  readonly accountId: number;
}

/** What a change means for admins: it is refused, or `demandAdmin` follows it, or it is as any other. */
export type AdminVerdict = 'refused' | 'demandAdmin' | 'free';

/** Whether it must be known who carries admin; the changes of all others are not held up by the question. */
export function asksForAdmins({ rights }: ByActor): boolean {
  return rights.face === 'console' || !rights.mayChangeAdmins;
}

/**
 * Of a change of what is protected, to be asked before it. A user at another revision than the one that was read is not
 * judged: that change is made again.
 */
export function* judgeUser(
  change: AccountChange & { readonly id: number; readonly revisionBefore: number },
  dialect: Dialect,
): Steps<AdminVerdict> {
  if (!asksForAdmins(change)) return 'free';
  const { accountId, id, revisionBefore } = change;
  const { rows } = yield sql`
    select id
    from account_user
    where account_id = ${accountId} and id = ${id} and revision = ${revisionBefore}
      and exists (${carriesAdmin(accountId, { kind: 'user', id })})`;
  return yield* verdictOn(change, rows.length > 0, dialect);
}

/** Of the deletion of a group: also one that is itself a member of a group that carries admin. */
export function* judgeGroup(
  change: AccountChange & { readonly id: number },
  dialect: Dialect,
): Steps<AdminVerdict> {
  if (!asksForAdmins(change)) return 'free';
  const { accountId, id } = change;
  const { rows } = yield sql`
    ${carriesAdmin(accountId, { kind: 'group', id })}
    union all
    ${inAdminGroup(accountId, id)}`;
  return yield* verdictOn(change, rows.length > 0, dialect);
}

export function* verdictOn(
  { accountId, rights }: AccountChange,
  isAdmin: boolean,
  dialect: Dialect,
): Steps<AdminVerdict> {
  if (!isAdmin) return 'free';
  if (!rights.mayChangeAdmins) return 'refused';
  return rights.face === 'console' && (yield* hasAdmin(accountId, dialect)) ? 'demandAdmin' : 'free';
}

/** Refuses the whole change where it is for admins and operators, and this is about one of them. */
export function* refuseForAdmin(
  { accountId, rights }: AccountChange,
  userId: number,
  what: string,
): Steps<void> {
  if (rights.mayChangeAdmins) return;
  const { rows } = yield carriesAdmin(accountId, { kind: 'user', id: userId });
  if (rows.length > 0) throw adminsOnly(what);
}

/** Whoever changes what is theirs, and whether admin counts in the session in which they do (D-400). */
export interface ByOwner extends PersonId {
  readonly admitsAdmin: boolean;
}

/**
 * In a session in which admin does not count, what somebody who is admin has beside it stays: whoever made the link that it
 * goes back to could lock them out otherwise (D-819). `found` has rows where the change is about such a thing.
 */
export function* refuseWithoutAdmin({ accountId, personId, admitsAdmin }: ByOwner, found: Sql): Steps<void> {
  if (admitsAdmin) return;
  const { rows } = yield sql`
    select id
    from account_user
    where account_id = ${accountId} and id = ${personId}
      and exists (${carriesAdmin(accountId, { kind: 'user', id: personId })}) and exists (${found})`;
  if (rows.length > 0)
    throw new Problem(
      'ABILITY_MISSING',
      'You are admin, but not by what you signed in with: what opens admin, and your sessions as admin, stay as they are. Ask an admin or an operator for a new link.',
    );
}

/** Refuses the whole change where it has left an account without an admin and without a provider. */
export function* demandAdmin(accountId: number, dialect: Dialect): Steps<void> {
  if (yield* hasAdmin(accountId, dialect)) return;
  const { rows } = yield sql`select id from connection where account_id = ${accountId} limit 1`;
  if (rows.length === 0) throw lastAdmin();
}

function* hasAdmin(accountId: number, dialect: Dialect): Steps<boolean> {
  const { rows } = yield adminsOf(accountId, dialect);
  return (rows as unknown as readonly ProfileRow[]).some(isActive);
}

/** Whether the account has an admin who is not suspended and whose grant does not rest. */
export async function accountHasAdmin(db: Db, accountId: number): Promise<boolean> {
  return (await db.read<ProfileRow>(adminsOf(accountId, db.dialect))).some(isActive);
}

/** Whether the account has a connection to an identity provider. */
export async function accountHasConnection(db: Db, accountId: number): Promise<boolean> {
  const rows = await db.read(sql`select id from connection where account_id = ${accountId} limit 1`);
  return rows.length > 0;
}

/** Whether a user is admin, by themselves or through a group; also while the grant rests. */
export async function holdsAdmin(db: Db, accountId: number, userId: number): Promise<boolean> {
  const rows = await db.read(carriesAdmin(accountId, { kind: 'user', id: userId }));
  return rows.length > 0;
}

/** A question with rows where the holder carries admin; that of a grant that rests too. */
export function carriesAdmin(accountId: number, { kind, id }: RoleHolder): Sql {
  const own = sql`
    select role_grant.role
    from role_grant
    where role_grant.account_id = ${accountId} and role_grant.holder_kind = ${kind} and role_grant.holder_id = ${id}
      and role_grant.role = 'admin'`;
  return kind === 'group' ? own : sql`${own} union all ${inAdminGroup(accountId, id)}`;
}

function inAdminGroup(accountId: number, memberId: number): Sql {
  return sql`
    select role_grant.role
    from role_grant
    join group_member on group_member.account_id = ${accountId} and group_member.group_id = role_grant.holder_id
      and group_member.member_id = ${memberId}
    where role_grant.account_id = ${accountId} and role_grant.holder_kind = 'group' and role_grant.role = 'admin'`;
}

interface ProfileRow {
  readonly profile: string;
}

// The column tells the state of all but users who were kept before there was one; of these the profile tells it.
const adminsLookedAt = 200;

function adminsOf(accountId: number, dialect: Dialect): Sql {
  const ids = sql`
    select role_grant.holder_id as id
    from role_grant
    join account_user on account_user.account_id = ${accountId} and account_user.id = role_grant.holder_id
    where role_grant.account_id = ${accountId} and role_grant.holder_kind = 'user' and role_grant.role = 'admin'
      and not ${restsSql}
    union
    select group_member.member_id
    from role_grant
    join group_member on group_member.account_id = ${accountId} and group_member.group_id = role_grant.holder_id
    where role_grant.account_id = ${accountId} and role_grant.holder_kind = 'group' and role_grant.role = 'admin'`;
  return sql`
    ${dialect.rowsOfIds({
      ids,
      table: 'account_user',
      accountId,
      columns: sql`account_user.profile`,
      check: sql`coalesce(account_user.active, 1) = 1`,
    })}
    limit ${limitOf(adminsLookedAt)}`;
}

function isActive({ profile }: ProfileRow): boolean {
  return (JSON.parse(profile) as Profile).active;
}

// ---- Grants that rest

/**
 * Whether a direct grant rests, where the rows of role_grant and account_user are at hand: its externalId is not the one
 * that the user has. One without any was made for whoever the user is (D-815).
 */
export const restsSql = sql`(
  role_grant.external_id is not null and role_grant.external_id <> account_user.address)`;

function restingGrant(accountId: number, userId: number): Sql {
  return sql`
    select role_grant.role
    from role_grant
    join account_user on account_user.account_id = ${accountId} and account_user.id = role_grant.holder_id
    where role_grant.account_id = ${accountId} and role_grant.holder_kind = 'user'
      and role_grant.holder_id = ${userId} and role_grant.role = 'admin' and ${restsSql}`;
}

export async function restsAsAdmin(db: Db, accountId: number, userId: number): Promise<boolean> {
  return (await db.read(restingGrant(accountId, userId))).length > 0;
}

/** Of all accounts. */
export function restingAdmins(
  db: Db,
  take: number,
): Promise<readonly { readonly accountId: number; readonly userId: number }[]> {
  return db.read(sql`
    select role_grant.account_id as "accountId", role_grant.holder_id as "userId"
    from role_grant
    join account_user on account_user.account_id = role_grant.account_id and account_user.id = role_grant.holder_id
    where role_grant.holder_kind = 'user' and role_grant.role = 'admin' and ${restsSql}
    order by role_grant.account_id, role_grant.holder_id
    limit ${limitOf(take)}`);
}

/** Within a sign-in. */
export function* hasRestingGrant(accountId: number, userId: number): Steps<boolean> {
  const { rows } = yield restingGrant(accountId, userId);
  return rows.length > 0;
}

/** The externalId of a user, by the column that has it of every user. */
export function externalIdOf(accountId: number, userId: number): Sql {
  return sql`
    select nullif(account_user.address, cast(account_user.id as text))
    from account_user
    where account_user.account_id = ${accountId} and account_user.id = ${userId}`;
}

/** The direct grant of admin goes on with the externalId that the user has now. */
export function rememberedExternalId(accountId: number, userId: number, externalId: string | null): Sql {
  return sql`
    update role_grant
    set external_id = ${externalId}
    where account_id = ${accountId} and holder_kind = 'user' and holder_id = ${userId} and role = 'admin'`;
}

export interface ConfirmAdmin extends ChangeStamp, AccountChange {
  readonly userId: number;
}

/** An admin or an operator says that the user with this externalId is the one who was made admin. Whether it rested. */
export function* confirmAdmin(input: ConfirmAdmin): Steps<boolean> {
  const { accountId, userId, rights } = input;
  if (!rights.mayChangeAdmins) throw adminsOnly('To confirm an admin');
  const { rows } = yield sql`
    update role_grant
    set external_id = (${externalIdOf(accountId, userId)})
    where account_id = ${accountId} and holder_kind = 'user' and holder_id = ${userId} and role = 'admin'
      and exists (${restingGrant(accountId, userId)})
    returning role`;
  if (rows.length === 0) return false;
  yield auditStatement(input, {
    accountId,
    action: 'role.confirm',
    subject: `user ${userId}`,
    details: auditNote('role', { role: 'admin' }),
  });
  return true;
}
