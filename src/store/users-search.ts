// Finding users: by filter, in an order, a window of them, with the true total.
//
// A filter becomes conditions on the folded keys. One of them drives the search through its index: the beginning
// of a key, or of its reverse, as a range; a part of a key by its groups of three characters. The others are
// checked on what the driver finds. Where nothing can drive (a part of fewer than three characters, or a server
// without pg_trgm) the account's users are read in slices: slower, exact, and nobody waits behind it.

import { setImmediate as nextTurn } from 'node:timers/promises';
import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { fold } from '../domain/fold.ts';
import type { User } from '../domain/user.ts';
import type { Window } from '../domain/window.ts';
import type { Attribute } from '../scim/attributes.ts';
import { compareSortKeys, matches, sortKeyOf } from '../scim/evaluate.ts';
import type { Filter } from '../scim/filter.ts';
import { type DialectTerm, termsOf } from '../scim/filter-rules.ts';
import { resourceOf } from '../scim/resource.ts';
import { type Db, limitOf } from './db.ts';
import {
  blockSize,
  findUserByNameKey,
  firstUserId,
  isAmong,
  reversed,
  type UserRow,
  userColumns,
  userOf,
} from './users.ts';

export interface UserSort {
  readonly attribute: Attribute;
  readonly descending: boolean;
}

export interface UserQuery {
  readonly filter: Filter | null;
  /** Null: by internal id, which is the order of creation (D-54). */
  readonly sort: UserSort | null;
  readonly window: Window;
}

export interface UserPage {
  readonly total: number;
  readonly users: readonly User[];
}

export async function searchUsers(db: Db, accountId: number, query: UserQuery): Promise<UserPage> {
  const { filter, sort, window } = query;
  if (filter === null) {
    return sort === null ? listPage(db, accountId, window) : sortedList(db, accountId, sort, window);
  }
  const terms = termsOf(filter);
  const named = terms.find((term) => term.attribute.path === 'userName');
  if (named !== undefined) return namedPage(db, accountId, named.value, filter, window);
  const search = searchOf(terms, db.engine, await hasGrams(db));
  if (search.isDriven) return foundPage(db, accountId, search.where, sort, window);
  if (sort !== null) return gatheredPage(db, accountId, search.where, sort, window);
  return walkedPage(db, accountId, search.where, window);
}

/** A name leads to one user at most; the rest of the filter is asked of that user. */
async function namedPage(
  db: Db,
  accountId: number,
  userName: string,
  filter: Filter,
  { skip, take }: Window,
): Promise<UserPage> {
  const user = await findUserByNameKey(db, accountId, fold(userName));
  const found = user !== null && matches(filter, resourceOf(user)) ? [user] : [];
  return { total: found.length, users: found.slice(skip, skip + take) };
}

// ---- Filters as conditions

interface Search {
  readonly where: Sql;
  /** Whether an index leads to the users, or all of them must be looked at. */
  readonly isDriven: boolean;
}

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

function searchOf(terms: readonly DialectTerm[], engine: Db['engine'], grams: boolean): Search {
  const conditions = terms.map(conditionOf);
  const driver = conditions
    .filter((condition) => mayDrive(condition, grams))
    .reduce<Condition | null>((best, one) => (best === null || worth(one) > worth(best) ? one : best), null);
  const checks = conditions.map((condition) =>
    condition === driver ? driving(condition, engine) : checking(condition),
  );
  return { where: join(checks, ' and '), isDriven: driver !== null };
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

function driving(condition: Condition, engine: Db['engine']): Sql {
  const { operator, column, needle } = condition;
  if (operator === 'sw') return prefixRange(raw(`account_user.${column}_key`), needle);
  if (operator === 'ew') return prefixRange(raw(`account_user.${column}_reversed`), reversed(needle));
  // PostgreSQL's index answers the comparison itself; SQLite's is a table of its own, asked first.
  if (engine === 'postgres') return checking(condition);
  const phrase = [...needle].slice(0, phraseCharactersMax).join('').replaceAll('"', '""');
  return sql`account_user.id in (select rowid from user_gram where user_gram match ${`${column} : "${phrase}"`})
    and ${checking(condition)}`;
}

/** Folded text has no capitals, so that SQLite's LIKE, which ignores the case of ASCII, compares exactly. */
function checking({ operator, column, needle }: Condition): Sql {
  const key = raw(`account_user.${column}_key`);
  if (needle === '') return sql`${key} is not null`;
  const text = needle.replaceAll(/[\\%_]/g, '\\$&');
  const pattern = operator === 'co' ? `%${text}%` : operator === 'sw' ? `${text}%` : `%${text}`;
  return sql`${key} like ${pattern} escape '\\'`;
}

/** All texts that begin so, as a range of the index: up to the first text that no longer does. */
function prefixRange(key: Sql, prefix: string): Sql {
  const end = afterPrefix(prefix);
  return end === null ? sql`${key} >= ${prefix}` : sql`${key} >= ${prefix} and ${key} < ${end}`;
}

/** The smallest text beyond all that begin with the prefix, by the order of bytes; null when there is none. */
export function afterPrefix(prefix: string): string | null {
  const characters = [...prefix];
  while (characters.length > 0) {
    const last = characters.pop()!.codePointAt(0)!;
    if (last === 0x10ffff) continue;
    // Between these two lie the surrogates, which are no characters.
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    return characters.join('') + String.fromCodePoint(next);
  }
  return null;
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

// ---- Pages

type FoundRow = { readonly total: number } & { readonly [K in keyof UserRow]: UserRow[K] | null };

/** Total and page in one statement: what is found is found once. */
async function foundPage(
  db: Db,
  accountId: number,
  where: Sql,
  sort: UserSort | null,
  { skip, take }: Window,
): Promise<UserPage> {
  const column = sort === null ? 'id' : sortColumns.get(sort.attribute.path);
  if (sort !== null && column === undefined)
    return gatheredPage(db, accountId, where, sort, { skip, take }, true);
  const direction = raw(sort?.descending ? 'desc' : 'asc');
  const key = raw(`${column}`);
  const rows = await db.read<FoundRow>(sql`
    with found as materialized (
      select id, ${key} as key
      from account_user
      where account_id = ${accountId} and ${where}
    )
    select counted.total, ${userColumns}
    from (select count(*) as total from found) counted
    left join (
      select id, key
      from found
      order by key is null, key ${direction}, id ${direction}
      limit ${limitOf(take)}
      offset ${limitOf(skip)}
    ) page on true
    left join account_user on account_user.account_id = ${accountId} and account_user.id = page.id
    order by page.key is null, page.key ${direction}, page.id ${direction}`);
  return { total: rows[0]?.total ?? 0, users: usersOf(rows) };
}

function usersOf(rows: readonly FoundRow[]): readonly User[] {
  return rows.filter((row) => row.id !== null).map((row) => userOf(row as UserRow));
}

/** Counts of blocks are added up to the place where the page begins; only its own block is then counted through. */
async function listPage(db: Db, accountId: number, { skip, take }: Window): Promise<UserPage> {
  const total = await totalOf(db, accountId);
  if (take === 0 || skip >= total) return { total, users: [] };
  const start = skip === 0 ? { block: 0, before: 0 } : await blockAt(db, accountId, skip);
  const rows = await db.read<UserRow>(sql`
    select ${userColumns}
    from account_user
    where account_id = ${accountId} and id >= ${firstUserId + start.block * blockSize}
    order by id
    limit ${limitOf(take)}
    offset ${limitOf(skip - start.before)}`);
  // A user that was created between the two questions belongs to a later total.
  return { total, users: rows.slice(0, Math.max(0, total - skip)).map(userOf) };
}

async function totalOf(db: Db, accountId: number): Promise<number> {
  const [row] = await db.read<{ total: number }>(sql`
    select total
    from user_counter
    where account_id = ${accountId}`);
  return row?.total ?? 0;
}

async function blockAt(db: Db, accountId: number, skip: number): Promise<{ block: number; before: number }> {
  const [row] = await db.read<{ block: number; before: number }>(sql`
    select block, cast(before as bigint) as before
    from (
      select block, sum(users) over (order by block) - users as before
      from user_block
      where account_id = ${accountId}
    ) blocks
    where before <= ${skip}
    order by block desc
    limit 1`);
  return row ?? { block: 0, before: 0 };
}

// ---- Orders

/** The attributes whose sort key a column holds as it is. */
const sortColumns = new Map([
  ['id', 'id'],
  ['userName', 'user_name_key'],
  ['name.givenName', 'given_name_key'],
  ['name.familyName', 'family_name_key'],
]);

/** All users in the order of an indexed column: first those who have it, then those who do not (D-54). */
async function sortedList(db: Db, accountId: number, sort: UserSort, window: Window): Promise<UserPage> {
  const column = sortColumns.get(sort.attribute.path);
  if (column === undefined) return gatheredPage(db, accountId, empty, sort, window);
  const { skip, take } = window;
  const total = await totalOf(db, accountId);
  if (take === 0 || skip >= total) return { total, users: [] };
  const key = raw(column);
  const direction = raw(sort.descending ? 'desc' : 'asc');
  const having = await db.read<UserRow>(sql`
    select ${userColumns}
    from account_user
    where account_id = ${accountId} and ${key} is not null
    order by ${key} ${direction}, id ${direction}
    limit ${limitOf(take)}
    offset ${limitOf(skip)}`);
  if (having.length === take) return { total, users: having.map(userOf) };
  const [count] = await db.read<{ found: number }>(sql`
    select count(*) as found
    from account_user
    where account_id = ${accountId} and ${key} is not null`);
  const lacking = await db.read<UserRow>(sql`
    select ${userColumns}
    from account_user
    where account_id = ${accountId} and ${key} is null
    order by id ${direction}
    limit ${limitOf(take - having.length)}
    offset ${limitOf(Math.max(0, skip - (count?.found ?? 0)))}`);
  return { total, users: [...having, ...lacking].map(userOf) };
}

// ---- Reading the account's users in slices

/** On SQLite a slice stops the event loop while it is read; on PostgreSQL each costs a journey. */
const sliceUsers: Record<Db['engine'], number> = { sqlite: 4_096, postgres: 65_536 };

interface Slice {
  readonly from: number;
  /** The first id that no longer belongs to it. */
  readonly to: number;
}

async function slicesOf(db: Db, accountId: number): Promise<readonly Slice[]> {
  const blocks = await db.read<{ block: number; users: number }>(sql`
    select block, users
    from user_block
    where account_id = ${accountId}
    order by block`);
  const slices: Slice[] = [];
  let from: number | null = null;
  let users = 0;
  for (const { block, users: more } of blocks) {
    from ??= firstUserId + block * blockSize;
    users += more;
    if (users < sliceUsers[db.engine]) continue;
    slices.push({ from, to: firstUserId + (block + 1) * blockSize });
    from = null;
    users = 0;
  }
  const last = blocks.at(-1);
  if (from !== null && last !== undefined)
    slices.push({ from, to: firstUserId + (last.block + 1) * blockSize });
  return slices;
}

const inSlice = (accountId: number, { from, to }: Slice, where: Sql): Sql => {
  const range = sql`account_user.account_id = ${accountId} and account_user.id >= ${from} and account_user.id < ${to}`;
  return where === empty ? range : sql`${range} and ${where}`;
};

/** Without an index: every slice is counted, and those that the window touches are read. */
async function walkedPage(db: Db, accountId: number, where: Sql, { skip, take }: Window): Promise<UserPage> {
  const users: User[] = [];
  let total = 0;
  for (const slice of await slicesOf(db, accountId)) {
    const condition = inSlice(accountId, slice, where);
    const [count] = await db.read<{ found: number }>(
      sql`select count(*) as found from account_user where ${condition}`,
    );
    const found = count?.found ?? 0;
    if (users.length < take && total + found > skip) {
      const rows = await db.read<UserRow>(sql`
        select ${userColumns}
        from account_user
        where ${condition}
        order by id
        limit ${limitOf(take - users.length)}
        offset ${limitOf(Math.max(0, skip - total))}`);
      users.push(...rows.map(userOf));
    }
    total += found;
    await nextTurn();
  }
  return { total, users };
}

/** Sorted by what no index holds: the sort keys of all are gathered, in slices, and put in order here. */
async function gatheredPage(
  db: Db,
  accountId: number,
  where: Sql,
  { attribute, descending }: UserSort,
  { skip, take }: Window,
  isDriven = false,
): Promise<UserPage> {
  const keys: { key: string | number | null; id: number }[] = [];
  const gather = (rows: readonly UserRow[]): void => {
    for (const row of rows) keys.push({ key: sortKeyOf(resourceOf(userOf(row)), attribute), id: row.id });
  };
  if (isDriven) {
    const found = await db.read<{ id: number }>(
      sql`select id from account_user where account_id = ${accountId} and ${where} order by id`,
    );
    for (let at = 0; at < found.length; at += gatherAtOnce) {
      gather(await usersById(db, accountId, found.slice(at, at + gatherAtOnce)));
      await nextTurn();
    }
  } else {
    for (const slice of await slicesOf(db, accountId)) {
      const condition = inSlice(accountId, slice, where);
      gather(await db.read<UserRow>(sql`select ${userColumns} from account_user where ${condition}`));
      await nextTurn();
    }
  }
  const turn = descending ? -1 : 1;
  keys.sort((a, b) => {
    if (a.key === null || b.key === null) return compareSortKeys(a.key, b.key) || turn * (a.id - b.id);
    return turn * (compareSortKeys(a.key, b.key) || a.id - b.id);
  });
  const page = keys.slice(skip, skip + take);
  const rows = new Map((await usersById(db, accountId, page)).map((row) => [row.id, row]));
  const users = page.flatMap(({ id }) => rows.get(id) ?? []).map(userOf);
  return { total: keys.length, users };
}

const gatherAtOnce = 2_000;

async function usersById(
  db: Db,
  accountId: number,
  ids: readonly { readonly id: number }[],
): Promise<readonly UserRow[]> {
  if (ids.length === 0) return [];
  const among = isAmong(
    db.engine,
    'id',
    ids.map(({ id }) => id),
  );
  return db.read<UserRow>(sql`
    select ${userColumns}
    from account_user
    where account_id = ${accountId} and ${among}`);
}
