// Finding users: by filter, in an order, a window of them, with the true total. One planner for both faces.
//
// A filter becomes conditions on the folded keys. The index of the most selective condition finds the candidates: by a
// value, by the beginning of a key or of its reverse, as a range, or by a part of a key through its groups of three
// characters. The other conditions are checked on the candidates. Where no index helps (a part of fewer than three
// characters, an attribute without a column), or where it finds very many, all users of the account are scanned in
// slices: slower, exact, within the budget of the request, and other requests are served in between.

import sql, { join, raw, type Sql } from 'sql-template-tag';
import { fold } from '../../domain/fold.ts';
import type { User } from '../../domain/provisioning/user.ts';
import type { Values } from '../../domain/provisioning/value.ts';
import type { Window } from '../../domain/window.ts';
import { groupsAttribute } from '../../scim/attributes.ts';
import { matches } from '../../scim/evaluate.ts';
import type { Filter } from '../../scim/filter.ts';
import {
  hasIndex,
  isByValue,
  mentions,
  mostSelective,
  type PlanCondition,
  planFilter,
  plannedUserColumns,
} from '../../scim/filter-plan.ts';
import { resourceOf } from '../../scim/resource.ts';
import type { Db } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { SearchWork } from '../engine/work/scan-slots.ts';
import type { WorkBudget } from '../engine/work/work-budget.ts';
import { conditionSql, type PlannedColumn, type PlannedColumns } from './filter-sql.ts';
import { withGroups } from './memberships.ts';
import { type PartedName, usersWithPart } from './name-parts.ts';
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

/** The name that every user who fulfils the filter must have; null where the filter demands none. */
function nameIn(filter: Filter): string | null {
  for (const term of filter.kind === 'and' ? filter.terms : [filter]) {
    if (term.kind !== 'compare' || term.operator !== 'eq' || term.attribute.path !== 'userName') continue;
    if (typeof term.value === 'string') return term.value;
  }
  return null;
}

/** At most one user has a name; the rest of the filter is checked on that user. */
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
  const candidates = hasIndex(condition) ? idsOf(condition, db.dialect, accountId) : null;
  if (candidates?.isByParts) await refreshParts(db, accountId, budget);
  const check = conditionSql(condition, checkedColumns(db.dialect, accountId));
  return { candidates: candidates?.query ?? null, isQuick: isByValue(condition), check, residual };
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

interface Candidates {
  /** The ids of all users who may fulfil the condition. */
  readonly query: Sql;
  readonly isByParts: boolean;
}

function idsOf(condition: PlanCondition, dialect: Dialect, accountId: number): Candidates {
  const best = mostSelective(condition);
  if (best.kind === 'or') {
    // Of alternatives that each have an index, SQLite takes none unless every one is a question of its own.
    const each = best.conditions.map((one) => idsOf(one, dialect, accountId));
    return {
      query: join(
        each.map(({ query }) => sql`select id from (${query}) as alternative`),
        ' union ',
      ),
      isByParts: each.some(({ isByParts }) => isByParts),
    };
  }
  if (best.kind === 'is' && best.operator === 'co') {
    const name = best.column as PartedName;
    return { query: usersWithPart(dialect, accountId, name, String(best.value)), isByParts: true };
  }
  const {
    column,
    table = 'account_user',
    id = 'id',
  } = best.kind === 'is' ? indexedColumn(best.column) : noColumn;
  const columns = new Map(best.kind === 'is' ? [[best.column, column]] : []);
  const query = sql`
    select ${raw(id)} as id
    from ${raw(table)}
    where account_id = ${accountId} and ${conditionSql(best, columns)}`;
  return { query, isByParts: false };
}

// ---- What the columns of a plan are in the tables

interface IndexedColumn {
  readonly column: PlannedColumn;
  /** The table of the column, if it is not that of users, and what the user's id is called there. */
  readonly table?: string;
  readonly id?: string;
}

const noColumn: IndexedColumn = { column: { value: sql`null` } };

const indexedColumns = new Map<string, IndexedColumn>([
  ['id', { column: { value: raw('id') } }],
  ['userName', { column: { value: raw('user_name_key') } }],
  // The address of a user is its externalId where it has one, and the address has the index (D-50).
  ['externalId', { column: { value: raw('address') } }],
  ['name.givenName', { column: { value: raw('given_name_key'), backwards: raw('given_name_reversed') } }],
  ['name.familyName', { column: { value: raw('family_name_key'), backwards: raw('family_name_reversed') } }],
  ['displayName', { column: { value: raw('display_name_key') } }],
  ['emails.value', { column: { value: raw('value_key') }, table: 'user_email', id: 'user_id' }],
  ['groups.value', { column: { value: raw('group_id') }, table: 'group_member', id: 'member_id' }],
]);

function indexedColumn(name: string): IndexedColumn {
  const indexed = indexedColumns.get(name);
  if (indexed === undefined) throw new Error(`No index has ${name}.`);
  return indexed;
}

/** For conditions that are checked on candidates, without an index. */
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
