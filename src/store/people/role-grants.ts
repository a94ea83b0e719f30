// Roles of users and groups. A grant hangs on the internal id of its holder and goes with it: a group that is made again
// under the same name has none.

import sql from 'sql-template-tag';
import { auditNote } from '../../domain/access/audit-note.ts';
import { type Role, roles } from '../../domain/access/role.ts';
import { adminsOnly, type ByActor, type RoleHolder, subjectOf } from '../../domain/access/role-rules.ts';
import { rolesByValue } from '../../domain/access/role-values.ts';
import type { GroupProfile } from '../../domain/provisioning/group.ts';
import type { User } from '../../domain/provisioning/user.ts';
import { carriesAdmin, demandAdmin, externalIdOf, verdictOn } from '../access/admin-rules.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import { type Db, limitOf, type Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import { holdGroups } from '../provisioning/group-lock.ts';
import { roleValuesOf } from './role-values.ts';

export { accountHasAdmin, accountHasConnection, holdsAdmin } from '../access/admin-rules.ts';

export interface ChangeRole extends ChangeStamp, ByActor {
  readonly accountId: number;
  readonly holder: RoleHolder;
  readonly role: Role;
}

export type RoleChange = 'done' | 'unchanged' | 'unknownHolder';

/** Granting what is there, or taking what is not, changes nothing. */
export function* grantRole(input: ChangeRole): Steps<RoleChange> {
  const { accountId, holder, role } = input;
  refuseAdmin(input);
  yield* holdGroups(accountId);
  const { rows } =
    holder.kind === 'user'
      ? yield sql`select id from account_user where account_id = ${accountId} and id = ${holder.id}`
      : yield sql`select id from user_group where account_id = ${accountId} and id = ${holder.id}`;
  if (rows.length === 0) return 'unknownHolder';
  // The direct grant of admin is for whoever the user is now (D-815).
  const remembered =
    role === 'admin' && holder.kind === 'user' ? sql`(${externalIdOf(accountId, holder.id)})` : sql`null`;
  const { changed } = yield sql`
    insert into role_grant (account_id, holder_kind, holder_id, role, granted_at, granted_by, external_id)
    values (${accountId}, ${holder.kind}, ${holder.id}, ${role}, ${input.nowMs}, ${input.actor}, ${remembered})
    on conflict (account_id, holder_kind, holder_id, role) do nothing`;
  if (changed === 0) return 'unchanged';
  yield note(input, 'role.grant');
  return 'done';
}

export function* takeRole(input: ChangeRole, dialect: Dialect): Steps<RoleChange> {
  const { accountId, holder, role } = input;
  refuseAdmin(input);
  yield* holdGroups(accountId);
  const { rows } = role === 'admin' ? yield carriesAdmin(accountId, holder) : { rows: [] };
  const verdict = yield* verdictOn(input, rows.length > 0, dialect);
  const { changed } = yield sql`
    delete from role_grant
    where account_id = ${accountId} and holder_kind = ${holder.kind} and holder_id = ${holder.id}
      and role = ${role}`;
  if (changed === 0) return 'unchanged';
  if (verdict === 'demandAdmin') yield* demandAdmin(accountId, dialect);
  yield note(input, 'role.take');
  return 'done';
}

function refuseAdmin({ role, rights }: ChangeRole): void {
  if (role === 'admin' && !rights.mayChangeAdmins) throw adminsOnly('To grant or take admin');
}

function note(input: ChangeRole, action: string) {
  const { accountId, holder, role } = input;
  return auditStatement(input, {
    accountId,
    action,
    subject: subjectOf(holder),
    details: auditNote('role', { role }),
  });
}

// ---- Who has which

export interface Grant {
  readonly role: Role;
  readonly grantedAtMs: number;
  readonly grantedBy: string;
}

/** What was granted to a user or a group itself. */
export async function grantsOf(db: Db, accountId: number, holder: RoleHolder): Promise<readonly Grant[]> {
  const grants = await db.read<Grant>(sql`
    select role, granted_at as "grantedAtMs", granted_by as "grantedBy"
    from role_grant
    where account_id = ${accountId} and holder_kind = ${holder.kind} and holder_id = ${holder.id}
    limit ${limitOf(roles.length)}`);
  return grants.toSorted((one, other) => roles.indexOf(one.role) - roles.indexOf(other.role));
}

/** The roles that each of these groups carries; a group without any is not in the answer. */
export async function rolesOfGroups(
  db: Db,
  accountId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly Role[]>> {
  if (ids.length === 0) return new Map();
  return byHolder(
    await db.read<HolderRow>(sql`
      select holder_id as id, role
      from role_grant
      where account_id = ${accountId} and holder_kind = 'group'
        and ${db.dialect.isAmong(sql`holder_id`, ids, 'integer')}`),
  );
}

/** The roles of each of these users, in whatever way they came by them. */
export async function rolesOfUsers(
  db: Db,
  accountId: number,
  users: readonly User[],
): Promise<ReadonlyMap<number, readonly Role[]>> {
  if (users.length === 0) return new Map();
  const ids = users.map(({ id }) => id);
  const rows = await db.read<HolderRow>(sql`
    select holder_id as id, role
    from role_grant
    where account_id = ${accountId} and holder_kind = 'user'
      and ${db.dialect.isAmong(sql`holder_id`, ids, 'integer')}
    union
    select group_member.member_id, role_grant.role
    from group_member
    join role_grant on role_grant.account_id = ${accountId} and role_grant.holder_kind = 'group'
      and role_grant.holder_id = group_member.group_id
    where group_member.account_id = ${accountId}
      and ${db.dialect.isAmong(sql`group_member.member_id`, ids, 'integer')}`);
  const table = await roleValuesOf(db, accountId);
  const byValue = users.flatMap(({ id, profile }) =>
    rolesByValue(profile, table).map(({ role }) => ({ id, role })),
  );
  return byHolder([...rows, ...byValue]);
}

interface HolderRow {
  readonly id: number;
  readonly role: Role;
}

function byHolder(rows: readonly HolderRow[]): ReadonlyMap<number, readonly Role[]> {
  const held = new Map<number, Set<Role>>();
  for (const { id, role } of rows) held.set(id, (held.get(id) ?? new Set()).add(role));
  return new Map([...held].map(([id, own]) => [id, roles.filter((role) => own.has(role))]));
}

/** Why somebody has a role. */
export type RoleReason =
  | { readonly through: 'grant'; readonly grantedAtMs: number; readonly grantedBy: string }
  | { readonly through: 'group'; readonly groupId: number; readonly displayName: string }
  | { readonly through: 'value'; readonly value: string };

export interface HeldRole {
  readonly role: Role;
  readonly reasons: readonly RoleReason[];
}

/** Of each role so many groups are named. */
export const reasonsMax = 20;

interface ReasonRow extends Grant {
  readonly group_id: number | null;
  readonly profile: string | null;
}

/** The roles of a user, each with the reasons for it. */
export async function rolesOfUser(db: Db, { accountId, id, profile }: User): Promise<readonly HeldRole[]> {
  const rows = await db.read<ReasonRow>(sql`
    select role, granted_at as "grantedAtMs", granted_by as "grantedBy", group_id, profile
    from (
      select held.*, row_number() over (partition by role order by group_id) as place
      from (
        select role_grant.role, role_grant.granted_at, role_grant.granted_by, user_group.id as group_id,
          user_group.profile
        from group_member
        join role_grant on role_grant.account_id = ${accountId} and role_grant.holder_kind = 'group'
          and role_grant.holder_id = group_member.group_id
        join user_group on user_group.account_id = ${accountId} and user_group.id = group_member.group_id
        where group_member.account_id = ${accountId} and group_member.member_id = ${id}
      ) as held
    ) as placed
    where place <= ${reasonsMax}
    union all
    select role, granted_at, granted_by, null, null
    from role_grant
    where account_id = ${accountId} and holder_kind = 'user' and holder_id = ${id}`);
  const byValue = rolesByValue(profile, await roleValuesOf(db, accountId));
  return roles.flatMap((role): HeldRole[] => {
    const reasons = [
      ...rows.filter((row) => row.role === role).map(reasonOf),
      ...byValue
        .filter((one) => one.role === role)
        .map(({ value }): RoleReason => ({ through: 'value', value })),
    ];
    const first = reasons.toSorted((one, other) => ranks[one.through] - ranks[other.through]);
    return first.length === 0 ? [] : [{ role, reasons: first.slice(0, reasonsMax) }];
  });
}

const ranks = { grant: 0, value: 1, group: 2 };

function reasonOf({ group_id: groupId, profile, grantedAtMs, grantedBy }: ReasonRow): RoleReason {
  if (groupId === null || profile === null) return { through: 'grant', grantedAtMs, grantedBy };
  return {
    through: 'group',
    groupId,
    displayName: (JSON.parse(profile) as GroupProfile).displayName,
  };
}

/** In words, as it is shown to people. */
export function reasonInWords(reason: RoleReason): string {
  if (reason.through === 'group') return `through group ${reason.displayName}`;
  return reason.through === 'value' ? `through the SCIM role "${reason.value}"` : 'granted directly';
}
