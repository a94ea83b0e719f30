// Users as people look for them: by parts of what they are called, by state and by role. Parts of names and addresses are
// looked for in the folded columns of every user, in slices within the budget of the request; roles by the grants (D-591).

import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { searchedRoles, userOrders, userStates } from '../../domain/access/people-search.ts';
import type { Role } from '../../domain/access/role.ts';
import { fold } from '../../domain/fold.ts';
import { readResourceId } from '../../domain/provisioning/resource.ts';
import type { User } from '../../domain/provisioning/user.ts';
import type { Window } from '../../domain/window.ts';
import { resourceOf } from '../../scim/resource.ts';
import { standardFaceSchemaView } from '../../scim/schema-view.ts';
import type { Db } from '../engine/db.ts';
import type { SearchWork } from '../engine/work/scan-slots.ts';
import { containsSql } from '../provisioning/filter-sql.ts';
import type { SearchSort } from '../provisioning/search-order.ts';
import { candidatesPage } from '../provisioning/user-candidates.ts';
import { refreshKeys } from '../provisioning/user-keys.ts';
import { listPage } from '../provisioning/user-list.ts';
import { sortedList } from '../provisioning/user-order.ts';
import type { Search, UserPage } from '../provisioning/user-page.ts';
import { scannedPage } from '../provisioning/user-scan.ts';
import { rolesOfUsers } from './role-grants.ts';
import { roleValuesOf } from './role-values.ts';

export interface PeopleQuery {
  /** Words, each of which must be a part of a name, an address of mail, or an id. */
  readonly search?: string | undefined;
  readonly state?: (typeof userStates)[number] | undefined;
  readonly role?: (typeof searchedRoles)[number] | undefined;
  readonly order: (typeof userOrders)[number];
  readonly window: Window;
}

/** What was typed is cut into so many words at most; further ones are not looked at. */
const searchWordsMax = 8;

export async function searchPeople(
  db: Db,
  accountId: number,
  { search = '', state, role, order, window }: PeopleQuery,
  { budget, scans }: SearchWork,
): Promise<UserPage> {
  const words = search.trim().split(/\s+/u).filter(Boolean).slice(0, searchWordsMax);
  const sort = sorts[order];
  if (words.length === 0 && state === undefined && role === undefined)
    return sort === null
      ? listPage(db, accountId, window, budget)
      : sortedList(db, accountId, sort, window, budget);
  // State, display name and mail stand in columns that came later than the users (D-93).
  await refreshKeys(db, accountId, budget);
  const held = role === undefined ? everybody : await holdersOf(db, accountId, role);
  const checks = [
    held.check,
    ...words.map((word) => hasPart(db, accountId, word)),
    ...(state === undefined
      ? []
      : [sql`${db.dialect.withoutIndex('account_user.active')} = ${state === 'active' ? 1 : 0}`]),
  ];
  const found: Search = { ...held, isQuick: false, check: join(checks, ' and '), residual: null };
  const request = { sort, window, groupsAt: null, view: (user: User) => resourceOf(user), budget };
  return (
    (await candidatesPage(db, accountId, found, request)) ??
    (await scans.run(accountId, budget, () => scannedPage(db, accountId, found, request)))
  );
}

const sortBy = (name: string, descending: boolean): SearchSort => {
  const attribute = standardFaceSchemaView.resolve(name);
  if (attribute === null) throw new Error(`No user has ${name}.`);
  return { attribute, descending };
};

const sorts: Readonly<Record<PeopleQuery['order'], SearchSort | null>> = {
  oldest: null,
  newest: sortBy('id', true),
  name: sortBy('userName', false),
};

const partedColumns = ['user_name_key', 'given_name_key', 'family_name_key', 'display_name_key'];

/** Of very long display names and addresses the columns hold the beginning, and only that is looked through. */
function hasPart({ dialect }: Db, accountId: number, word: string): Sql {
  const part = fold(word);
  const id = readResourceId(word);
  return sql`(${join(
    [
      ...partedColumns.map((name) => containsSql(dialect.withoutIndex(`account_user.${name}`), part)),
      sql`${dialect.withoutIndex('account_user.external_id')} = ${word}`,
      ...(id === null ? [] : [sql`account_user.id = ${id}`]),
      sql`exists (
        select 1
        from user_email
        where user_email.account_id = ${accountId} and user_email.user_id = account_user.id
          and ${containsSql(raw('user_email.value_key'), part)}
      )`,
    ],
    ' or ',
  )})`;
}

// ---- Who holds a role

type Holders = Pick<Search, 'candidates' | 'check' | 'narrow'>;

const everybody: Holders = { candidates: null, check: sql`1 = 1` };

async function holdersOf(
  db: Db,
  accountId: number,
  role: NonNullable<PeopleQuery['role']>,
): Promise<Holders> {
  const table = await roleValuesOf(db, accountId);
  const isWanted = (own: readonly Role[]): boolean =>
    role === 'none' ? own.length === 0 : own.includes(role);
  // What the provider's own roles give stands in the profile alone, and is asked of those who have any.
  const narrow = async (users: readonly User[]): Promise<readonly User[]> => {
    const held = await rolesOfUsers(db, accountId, users);
    return users.filter(({ id }) => isWanted(held.get(id) ?? []));
  };
  const anyValue = sql`account_user.profile like '%"roles"%'`;
  if (role === 'none') {
    const check = sql`not ${isGranted(accountId, null)}`;
    return { candidates: null, check, ...(table.length > 0 && { narrow }) };
  }
  if (!table.some((one) => one.role === role))
    return { candidates: grantedIds(accountId, role), check: isGranted(accountId, role) };
  return { candidates: null, check: sql`(${isGranted(accountId, role)} or ${anyValue})`, narrow };
}

const ofRole = (role: Role | null): Sql => (role === null ? sql`1 = 1` : sql`role_grant.role = ${role}`);

function isGranted(accountId: number, role: Role | null): Sql {
  return sql`(
    exists (
      select 1
      from role_grant
      where role_grant.account_id = ${accountId} and role_grant.holder_kind = 'user'
        and role_grant.holder_id = account_user.id and ${ofRole(role)})
    or exists (
      select 1
      from group_member
      join role_grant on role_grant.account_id = ${accountId} and role_grant.holder_kind = 'group'
        and role_grant.holder_id = group_member.group_id and ${ofRole(role)}
      where group_member.account_id = ${accountId} and group_member.member_id = account_user.id))`;
}

function grantedIds(accountId: number, role: Role): Sql {
  return sql`
    select holder_id as id
    from role_grant
    where account_id = ${accountId} and holder_kind = 'user' and role = ${role}
    union
    select group_member.member_id
    from role_grant
    join group_member on group_member.account_id = ${accountId} and group_member.group_id = role_grant.holder_id
    where role_grant.account_id = ${accountId} and role_grant.holder_kind = 'group' and role_grant.role = ${role}`;
}
