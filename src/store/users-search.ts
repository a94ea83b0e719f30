// Finding users: by filter, in an order, a window of them, with the true total.
//
// A filter becomes conditions on the folded keys. One of them drives the search through its index: the beginning
// of a key, or of its reverse, as a range; a part of a key by its groups of three characters. The others are
// checked on what the driver finds. Where nothing can drive (a part of fewer than three characters, or a server
// without pg_trgm) the account's users are read in slices: slower, exact, and nobody waits behind it.

import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { fold } from '../domain/fold.ts';
import type { User, Values } from '../domain/user.ts';
import type { Window } from '../domain/window.ts';
import { groupsAttribute } from '../scim/attributes.ts';
import { matches } from '../scim/evaluate.ts';
import type { Filter } from '../scim/filter.ts';
import {
  isLed,
  mentions,
  type Condition as PlanCondition,
  planFilter,
  userColumns as plannedColumns,
} from '../scim/filter-plan.ts';
import { type DialectTerm, termsOf } from '../scim/filter-rules.ts';
import { resourceOf } from '../scim/resource.ts';
import {
  conditionSql,
  escaped,
  likeSql,
  type PlannedColumn,
  type PlannedColumns,
  prefixRange,
} from './conditions.ts';
import type { Db } from './db.ts';
import { withGroups } from './memberships.ts';
import { refreshKeys } from './user-keys.ts';
import { findUserByNameKey } from './user-lookup.ts';
import {
  foundPage,
  hasSortColumn,
  listPage,
  siftedPage,
  sortedList,
  type UserPage,
  type UserSort,
  type Where,
  walkedPage,
} from './user-pages.ts';
import { reversed } from './user-record.ts';

export interface UserQuery {
  readonly filter: Filter | null;
  /** Null: by internal id, which is the order of creation (D-54). */
  readonly sort: UserSort | null;
  readonly window: Window;
  /** A user as filters see it; the address of a user depends on who asks. */
  readonly view?: (user: User) => Values;
  /** The base address under which groups are shown, for filters and orders that are about them. */
  readonly groupsAt?: string;
}

export async function searchUsers(db: Db, accountId: number, query: UserQuery): Promise<UserPage> {
  const { filter, sort, window } = query;
  if (filter === null && sort === null) return listPage(db, accountId, window);
  const named = filter === null ? null : nameIn(filter);
  if (filter !== null && named !== null) return namedPage(db, accountId, named, filter, query);
  const search =
    filter === null
      ? everyone
      : isOfNames(filter)
        ? await searchByNames(db, accountId, filter)
        : await plan(db, accountId, filter);
  const { from, where, isDriven, residual } = search;
  const isOrdered = sort === null || hasSortColumn(sort);
  if (residual === null && isOrdered) {
    if (isDriven) return foundPage(db, accountId, search, sort, window);
    if (sort === null) return walkedPage(db, accountId, where, window);
    if (where === empty) return sortedList(db, accountId, sort, window);
  }
  const sifting = {
    from,
    where,
    isDriven,
    residual,
    sort,
    groupsAt: groupsNeeded(query),
    view: viewOf(query),
  };
  return siftedPage(db, accountId, sifting, window);
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
): Promise<UserPage> {
  const user = await findUserByNameKey(db, accountId, fold(userName));
  const groupsAt = groupsNeeded(query);
  const known = user === null ? [] : [user];
  const users = groupsAt === null ? known : await withGroups(db, accountId, known, groupsAt);
  const found = users.filter((one) => matches(filter, viewOf(query)(one)));
  const { skip, take } = query.window;
  return { total: found.length, users: found.slice(skip, skip + take) };
}

// ---- Filters of the whole grammar

interface Search extends Where {
  /** Whether an index leads to the users, or all of them must be looked at. */
  readonly isDriven: boolean;
  /** What must still be asked of each user that is found. */
  readonly residual: Filter | null;
}

const users = sql`account_user`;
const everyone: Search = { from: users, where: empty, isDriven: false, residual: null };

async function plan(db: Db, accountId: number, filter: Filter): Promise<Search> {
  await refreshKeys(db, accountId);
  const { condition, residual } = planFilter(filter, plannedColumns);
  const isDriven = isLed(condition);
  const where = condition.kind === 'all' ? empty : whereOf(condition, isDriven, accountId);
  return { from: users, where, isDriven, residual };
}

/** Of alternatives that each have an index, SQLite takes none unless every one is a question of its own. */
function whereOf(condition: PlanCondition, isDriven: boolean, accountId: number): Sql {
  const columns = columnsOf(accountId);
  if (!isDriven || condition.kind !== 'or') return conditionSql(condition, columns);
  const questions = condition.conditions.map(
    (one) => sql`
      select account_user.id
      from account_user
      where account_user.account_id = ${accountId} and ${conditionSql(one, columns)}`,
  );
  return sql`account_user.id in (${join(questions, ' union all ')})`;
}

const column = (name: string): Sql => raw(`account_user.${name}`);

function columnsOf(accountId: number): PlannedColumns {
  const joined = (table: string, id: string, key: string): PlannedColumn => ({
    value: raw(`${table}.${key}`),
    within: (test) =>
      sql`account_user.id in (select ${raw(id)} from ${raw(table)} where account_id = ${accountId} and ${test})`,
  });
  return new Map<string, PlannedColumn>([
    ['id', { value: column('id') }],
    ['userName', { value: column('user_name_key') }],
    // The address is the externalId of whoever has one, and has the index (D-50).
    ['externalId', { value: column('external_id'), leader: column('address') }],
    ['active', { value: column('active') }],
    ['name.givenName', { value: column('given_name_key'), backwards: column('given_name_reversed') }],
    ['name.familyName', { value: column('family_name_key'), backwards: column('family_name_reversed') }],
    ['displayName', { value: column('display_name_key') }],
    ['emails.value', joined('user_email', 'user_id', 'value_key')],
    ['groups.value', joined('group_member', 'member_id', 'group_id')],
    ['meta.created', { value: column('created_at') }],
    ['meta.lastModified', { value: column('modified_at') }],
  ]);
}

// ---- Filters by parts of names

/** One comparison with the columns it concerns. */
interface Condition {
  readonly operator: 'co' | 'sw' | 'ew';
  readonly column: 'given_name' | 'family_name';
  readonly needle: string;
  readonly characters: number;
}

const gramCharacters = 3;
/** More of a needle narrows nothing further: what is found is compared whole in any case. */
const phraseCharactersMax = 32;

const columns = new Map<string, Condition['column']>([
  ['name.givenName', 'given_name'],
  ['name.familyName', 'family_name'],
]);

/** Whether the filter is nothing but parts of names, for which there are indexes of their own. */
function isOfNames(filter: Filter): boolean {
  return (filter.kind === 'and' ? filter.terms : [filter]).every(
    (term) =>
      term.kind === 'compare' &&
      columns.has(term.attribute.path) &&
      ['co', 'sw', 'ew'].includes(term.operator) &&
      typeof term.value === 'string',
  );
}

async function searchByNames(db: Db, accountId: number, filter: Filter): Promise<Search> {
  return searchOf(termsOf(filter), accountId, db.engine, await hasGrams(db));
}

function searchOf(
  terms: readonly DialectTerm[],
  accountId: number,
  engine: Db['engine'],
  grams: boolean,
): Search {
  const conditions = terms.map(conditionOf);
  const driver = conditions
    .filter((condition) => mayDrive(condition, grams))
    .reduce<Condition | null>((best, one) => (best === null || worth(one) > worth(best) ? one : best), null);
  const where = join(
    conditions.map((condition) => (condition === driver ? driving(condition) : checking(condition))),
    ' and ',
  );
  // PostgreSQL's index of parts answers the comparison itself; SQLite's is a table of its own, asked first.
  const from = engine === 'sqlite' && driver?.operator === 'co' ? fromGrams(accountId, driver) : users;
  return { from, where, isDriven: driver !== null, residual: null };
}

function conditionOf({ attribute, operator, value }: DialectTerm): Condition {
  const column = columns.get(attribute.path);
  if (column === undefined || (operator !== 'co' && operator !== 'sw' && operator !== 'ew')) {
    throw new Error(`No column answers ${attribute.path} ${operator}.`);
  }
  const needle = fold(value);
  return { operator, column, needle, characters: [...needle].length };
}

function mayDrive({ operator, characters }: Condition, grams: boolean): boolean {
  return operator === 'co' ? grams && characters >= gramCharacters : characters > 0;
}

/** Longer leads to fewer; at the same length a range is cheaper than a part. */
const worth = ({ operator, characters }: Condition): number => characters * 2 + (operator === 'co' ? 0 : 1);

function driving(condition: Condition): Sql {
  const { operator, column, needle } = condition;
  if (operator === 'sw') return prefixRange(raw(`account_user.${column}_key`), needle);
  if (operator === 'ew') return prefixRange(raw(`account_user.${column}_reversed`), reversed(needle));
  return checking(condition);
}

/** A cross join, because that is how SQLite is told which comes first; left to itself, it reads everybody (D-126). */
function fromGrams(accountId: number, { column, needle }: Condition): Sql {
  const phrase = [...needle].slice(0, phraseCharactersMax).join('').replaceAll('"', '""');
  return sql`
    (select rowid as id from user_gram where user_gram match ${`${column} : "${phrase}"`}) as named
    cross join account_user on account_user.account_id = ${accountId} and account_user.id = named.id`;
}

function checking({ operator, column: name, needle, characters }: Condition): Sql {
  const key = raw(`account_user.${name}_key`);
  if (needle === '') return sql`${key} is not null`;
  const text = escaped(needle);
  // Of so short a part PostgreSQL's index of parts knows nothing, and would be read through for every slice of users:
  // 20 s for a million of them. It does not offer itself for an expression.
  const isTooShort = operator === 'co' && characters < gramCharacters;
  const subject = isTooShort ? sql`(${key} || '')` : key;
  return likeSql(subject, operator === 'co' ? `%${text}%` : operator === 'sw' ? `${text}%` : `%${text}`);
}

const gramsKnown = new WeakMap<Db, boolean>();

/** Whether parts of names have an index: always on SQLite, on PostgreSQL where pg_trgm could be had. */
async function hasGrams(db: Db): Promise<boolean> {
  if (db.engine === 'sqlite') return true;
  const known = gramsKnown.get(db);
  if (known !== undefined) return known;
  const rows = await db.read(sql`select to_regclass('account_user_family_grams') as name`);
  const found = rows[0]?.name !== null;
  gramsKnown.set(db, found);
  return found;
}
