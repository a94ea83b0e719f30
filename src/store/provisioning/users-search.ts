// Finding users: by filter, in an order, a window of them, with the true total. One planner for both faces.
//
// A filter becomes conditions on the folded keys. One of them leads the search through its index: a value, the beginning
// of a key, or of its reverse, as a range; a part of a key by its groups of three characters. The others are checked
// on those it leads to. Where nothing leads (a part of fewer than three characters, an attribute without a column), or
// where it leads to very many, the account's users are walked through in slices: slower, exact, within the budget of
// the request, and others are served in between.

import sql, { join, raw, type Sql } from 'sql-template-tag';
import { fold } from '../../domain/fold.ts';
import type { User } from '../../domain/provisioning/user.ts';
import type { Values } from '../../domain/provisioning/value.ts';
import type { Window } from '../../domain/window.ts';
import { groupsAttribute } from '../../scim/attributes.ts';
import { matches } from '../../scim/evaluate.ts';
import type { Filter } from '../../scim/filter.ts';
import {
  isByValue,
  isLed,
  leaderOf,
  mentions,
  type PlanCondition,
  planFilter,
  plannedUserColumns,
} from '../../scim/filter-plan.ts';
import { resourceOf } from '../../scim/resource.ts';
import type { Db } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { WorkBudget } from '../engine/work-budget.ts';
import { conditionSql, type PlannedColumn, type PlannedColumns } from './filter-sql.ts';
import { withGroups } from './memberships.ts';
import { type PartedName, usersWithPart } from './name-parts.ts';
import type { SearchWork } from './scan-slots.ts';
import type { SearchSort } from './search-order.ts';
import { candidatesPage } from './user-candidates.ts';
import { refreshKeys, refreshParts } from './user-keys.ts';
import { listPage } from './user-list.ts';
import { findUserByNameKey } from './user-lookup.ts';
import { hasSortColumn, sortedList } from './user-order.ts';
import type { Search, UserPage } from './user-page.ts';
import { scannedPage } from './user-scan.ts';

export interface UserQuery {
  readonly filter: Filter | null;
  /** Null: by internal id, which is the order of creation (D-54). */
  readonly sort: SearchSort | null;
  readonly window: Window;
  /** A user as filters see it; the address of a user depends on who asks. */
  readonly view?: (user: User) => Values;
  /** The base address under which groups are shown, for filters and orders that are about them. */
  readonly groupsAt?: string;
}

export async function searchUsers(
  db: Db,
  accountId: number,
  query: UserQuery,
  { budget, scans }: SearchWork,
): Promise<UserPage> {
  const { filter, sort, window } = query;
  if (filter === null && sort === null) return listPage(db, accountId, window, budget);
  if (filter === null && sort !== null && hasSortColumn(sort))
    return sortedList(db, accountId, sort, window, budget);
  const named = filter === null ? null : nameIn(filter);
  if (filter !== null && named !== null) return namedPage(db, accountId, named, filter, query, budget);
  const search = filter === null ? everyone : await plan(db, accountId, filter, budget);
  const request = { sort, window, groupsAt: groupsNeeded(query), view: viewOf(query), budget };
  return (
    (await candidatesPage(db, accountId, search, request)) ??
    (await scans.run(accountId, budget, () => scannedPage(db, accountId, search, request)))
  );
}

const viewOf = ({ view }: UserQuery): ((user: User) => Values) => view ?? ((user) => resourceOf(user));

/** Groups are read only for what is about them. */
function groupsNeeded({ filter, sort, groupsAt = '' }: UserQuery): string | null {
  const isSortedBy = sort !== null && [sort.attribute, sort.attribute.parent].includes(groupsAttribute);
  return isSortedBy || (filter !== null && mentions(filter, groupsAttribute)) ? groupsAt : null;
}

/** The name that all who fulfil the filter must have; null where it demands none. */
function nameIn(filter: Filter): string | null {
  for (const term of filter.kind === 'and' ? filter.terms : [filter]) {
    if (term.kind !== 'compare' || term.operator !== 'eq' || term.attribute.path !== 'userName') continue;
    if (typeof term.value === 'string') return term.value;
  }
  return null;
}

/** A name leads to one user at most; the rest of the filter is asked of that user. */
async function namedPage(
  db: Db,
  accountId: number,
  userName: string,
  filter: Filter,
  query: UserQuery,
  budget: WorkBudget,
): Promise<UserPage> {
  const user = await findUserByNameKey(db, accountId, fold(userName));
  const groupsAt = groupsNeeded(query);
  const known = user === null ? [] : [user];
  const users = groupsAt === null ? known : await withGroups(db, accountId, known, groupsAt, budget);
  const found = users.filter((one) => matches(filter, viewOf(query)(one)));
  const { skip, take } = query.window;
  return { total: found.length, users: found.slice(skip, skip + take) };
}

// ---- From a filter to parts of a statement

const everyone: Search = { candidates: null, isQuick: false, check: sql`1 = 1`, residual: null };

async function plan(db: Db, accountId: number, filter: Filter, budget: WorkBudget): Promise<Search> {
  const { condition, residual } = planFilter(filter, plannedUserColumns);
  const isOfKeys = columnsIn(condition).some((name) => laterColumns.has(name));
  if (isOfKeys) await refreshKeys(db, accountId, budget);
  const led = isLed(condition) ? idsOf(condition, db.dialect, accountId) : null;
  if (led?.isByParts) await refreshParts(db, accountId, budget);
  const check = conditionSql(condition, checkedColumns(db.dialect, accountId));
  return { candidates: led === null ? null : led.query, isQuick: isByValue(condition), check, residual };
}

/** Columns that came later than the users, and may have to be brought up to date before they are asked (D-93). */
const laterColumns = new Set(['externalId', 'active', 'displayName', 'emails.value']);

function columnsIn(condition: PlanCondition): readonly string[] {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.conditions.flatMap(columnsIn);
    case 'is':
    case 'present':
      return [condition.column];
    default:
      return [];
  }
}

interface Led {
  /** The ids of all who may fulfil the condition. */
  readonly query: Sql;
  readonly isByParts: boolean;
}

function idsOf(condition: PlanCondition, dialect: Dialect, accountId: number): Led {
  const leader = leaderOf(condition);
  if (leader.kind === 'or') {
    // Of alternatives that each have an index, SQLite takes none unless every one is a question of its own.
    const each = leader.conditions.map((one) => idsOf(one, dialect, accountId));
    return {
      query: join(
        each.map(({ query }) => sql`select id from (${query}) as alternative`),
        ' union ',
      ),
      isByParts: each.some(({ isByParts }) => isByParts),
    };
  }
  if (leader.kind === 'is' && leader.operator === 'co') {
    const name = leader.column as PartedName;
    return { query: usersWithPart(dialect, accountId, name, String(leader.value)), isByParts: true };
  }
  const {
    column,
    table = 'account_user',
    id = 'id',
  } = leader.kind === 'is' ? ledBy(leader.column) : noColumn;
  const columns = new Map(leader.kind === 'is' ? [[leader.column, column]] : []);
  const query = sql`
    select ${raw(id)} as id
    from ${raw(table)}
    where account_id = ${accountId} and ${conditionSql(leader, columns)}`;
  return { query, isByParts: false };
}

// ---- What the columns of a plan are in the tables

interface Leading {
  readonly column: PlannedColumn;
  /** Where it stands, if not with the user, and what the user's id is called there. */
  readonly table?: string;
  readonly id?: string;
}

const noColumn: Leading = { column: { value: sql`null` } };

const leadingColumns = new Map<string, Leading>([
  ['id', { column: { value: raw('id') } }],
  ['userName', { column: { value: raw('user_name_key') } }],
  // The address is the externalId of whoever has one, and has the index (D-50).
  ['externalId', { column: { value: raw('address') } }],
  ['name.givenName', { column: { value: raw('given_name_key'), backwards: raw('given_name_reversed') } }],
  ['name.familyName', { column: { value: raw('family_name_key'), backwards: raw('family_name_reversed') } }],
  ['displayName', { column: { value: raw('display_name_key') } }],
  ['emails.value', { column: { value: raw('value_key') }, table: 'user_email', id: 'user_id' }],
  ['groups.value', { column: { value: raw('group_id') }, table: 'group_member', id: 'member_id' }],
]);

function ledBy(name: string): Leading {
  const leading = leadingColumns.get(name);
  if (leading === undefined) throw new Error(`No index leads by ${name}.`);
  return leading;
}

/** For what is asked of users who are at hand. */
function checkedColumns(dialect: Dialect, accountId: number): PlannedColumns {
  const own = (name: string): PlannedColumn => ({ value: dialect.withoutIndex(`account_user.${name}`) });
  const within = (table: string, id: string, key: string): PlannedColumn => ({
    value: raw(`${table}.${key}`),
    within: (test) => sql`exists (
      select 1
      from ${raw(table)}
      where ${raw(table)}.account_id = ${accountId} and ${raw(`${table}.${id}`)} = account_user.id and ${test}
    )`,
  });
  return new Map<string, PlannedColumn>([
    ['id', own('id')],
    ['userName', own('user_name_key')],
    ['externalId', own('external_id')],
    ['active', own('active')],
    ['name.givenName', own('given_name_key')],
    ['name.familyName', own('family_name_key')],
    ['displayName', own('display_name_key')],
    ['emails.value', within('user_email', 'user_id', 'value_key')],
    ['groups.value', within('group_member', 'member_id', 'group_id')],
    ['meta.created', own('created_at')],
    ['meta.lastModified', own('modified_at')],
  ]);
}
