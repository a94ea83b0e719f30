// What holds for changes that people make in the console, judged within the transaction of the change: whoever carries
// admin is changed by admins and operators alone, and the last admin of an account without a connection to a provider
// stays. Provisioning and commands are not held up by it (D-370, D-372).

import sql, { type Sql } from 'sql-template-tag';
import { adminsOnly, lastAdmin, type RoleHolder } from '../../domain/access/role-rules.ts';
import type { Profile } from '../../domain/provisioning/user.ts';
import type { Db, Steps } from '../engine/db.ts';
import { limitOf } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';

/** What a change carries that somebody makes in the console; that of a provider or a command carries nothing. */
export interface OfConsole {
  readonly inConsole?: { readonly mayGrantAdmin: boolean };
}

interface ConsoleChange extends OfConsole {
  readonly accountId: number;
}

/**
 * To be run when the change holds the account's groups. True where the holder carries admin and the account has an
 * admin who is not suspended: then `demandAdmin` follows the change.
 */
export function* judgeHolder(
  { accountId, inConsole }: ConsoleChange,
  holder: RoleHolder,
  dialect: Dialect,
): Steps<boolean> {
  if (inConsole === undefined) return false;
  const { rows } = yield carriesAdmin(accountId, holder);
  if (rows.length === 0) return false;
  if (!inConsole.mayGrantAdmin)
    throw adminsOnly(
      holder.kind === 'user' ? 'To change a user who is admin' : 'To change a group that carries admin',
    );
  return yield* hasAdmin(accountId, dialect);
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

/** Whether the account has an admin who is not suspended. */
export async function accountHasAdmin(db: Db, accountId: number): Promise<boolean> {
  return (await db.read<ProfileRow>(adminsOf(accountId, db.dialect))).some(isActive);
}

/** Whether the account has a connection to an identity provider. */
export async function accountHasConnection(db: Db, accountId: number): Promise<boolean> {
  const rows = await db.read(sql`select id from connection where account_id = ${accountId} limit 1`);
  return rows.length > 0;
}

/** Whether a user is admin, by themselves or through a group. */
export async function holdsAdmin(db: Db, accountId: number, userId: number): Promise<boolean> {
  const rows = await db.read(carriesAdmin(accountId, { kind: 'user', id: userId }));
  return rows.length > 0;
}

function carriesAdmin(accountId: number, { kind, id }: RoleHolder): Sql {
  const own = sql`
    select role_grant.role
    from role_grant
    where role_grant.account_id = ${accountId} and role_grant.holder_kind = ${kind} and role_grant.holder_id = ${id}
      and role_grant.role = 'admin'`;
  if (kind === 'group') return own;
  return sql`${own}
    union all
    select role_grant.role
    from role_grant
    join group_member on group_member.account_id = ${accountId} and group_member.group_id = role_grant.holder_id
      and group_member.member_id = ${id}
    where role_grant.account_id = ${accountId} and role_grant.holder_kind = 'group' and role_grant.role = 'admin'
    limit 1`;
}

interface ProfileRow {
  readonly profile: string;
}

// The column tells the state of all but users who were kept before there was one; of these the profile tells it.
const adminsLookedAt = 200;

function adminsOf(accountId: number, dialect: Dialect): Sql {
  const ids = sql`
    select holder_id as id
    from role_grant
    where account_id = ${accountId} and holder_kind = 'user' and role = 'admin'
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
