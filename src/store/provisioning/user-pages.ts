// Pages of users: by the counts of blocks, by an index, by walking, or by looking at each candidate. Which of them is
// needed is the business of users-search.ts; whichever it is, the total is exact and ties are settled by id.

import sql, { raw, type Sql } from 'sql-template-tag';
import { FirstFew } from '../../domain/first-few.ts';
import { Problem } from '../../domain/problem.ts';
import type { User, Values } from '../../domain/provisioning/user.ts';
import type { Window } from '../../domain/window.ts';
import type { Attribute } from '../../scim/attributes.ts';
import { compareSortKeys, matches, rememberingFold, sortKeyOf } from '../../scim/evaluate.ts';
import type { Filter } from '../../scim/filter.ts';
import { type Db, limitOf } from '../engine/db.ts';
import type { WorkBudget } from '../engine/work-budget.ts';
import { withGroups } from './memberships.ts';
import { blockSize, firstUserId, type UserRow, userColumns, userOf } from './users.ts';

export interface UserSort {
  readonly attribute: Attribute;
  readonly descending: boolean;
}

export interface UserPage {
  readonly total: number;
  readonly users: readonly User[];
}

/** Counts of blocks are added up to the place where the page begins; only its own block is then counted through. */
export async function listPage(
  db: Db,
  accountId: number,
  window: Window,
  budget: WorkBudget,
): Promise<UserPage> {
  const total = await totalOf(db, accountId);
  const places = await listPlaces(db, accountId, total, window);
  return { total, users: await usersInOrder(db, accountId, places, budget) };
}

async function listPlaces(
  db: Db,
  accountId: number,
  total: number,
  { skip, take }: Window,
): Promise<readonly Weighed[]> {
  if (take === 0 || skip >= total) return [];
  const start = skip === 0 ? { block: 0, before: 0 } : await blockAt(db, accountId, skip);
  const places = await db.read<Weighed>(sql`
    select ${weighedColumns}
    from account_user
    where account_id = ${accountId} and id >= ${firstUserId + start.block * blockSize}
    order by id
    limit ${limitOf(take)}
    offset ${limitOf(skip - start.before)}`);
  // A user that was created between the two questions belongs to a later total.
  return places.slice(0, total - skip);
}

async function totalOf(db: Db, accountId: number): Promise<number> {
  const [row] = await db.read<{ total: number }>(sql`
    select total
    from user_counter
    where account_id = ${accountId}`);
  return row?.total ?? 0;
}

/** Blocks that are looked at one by one, once the place is near. */
const blocksAtOnce = 32;

/**
 * The block in which so many users are behind the caller. A block has a known number of users at most, so as many blocks
 * as that many users fill can be passed by their sum; with few gaps that is nearly all of the way.
 */
async function blockAt(db: Db, accountId: number, skip: number): Promise<{ block: number; before: number }> {
  let after = -1;
  let before = 0;
  for (;;) {
    const unseen = Math.floor((skip - before) / blockSize);
    if (unseen >= blocksAtOnce) {
      const [passed] = await db.read<{ last: number | null; users: number | null }>(sql`
        select max(block) as last, cast(sum(users) as bigint) as users
        from (${nextBlocks(accountId, after, unseen)}) passed`);
      after = passed?.last ?? after;
      before += passed?.users ?? 0;
      if (passed?.last !== null) continue;
    }
    const blocks = await db.read<{ block: number; users: number }>(
      nextBlocks(accountId, after, blocksAtOnce),
    );
    for (const { block, users } of blocks) {
      if (before + users > skip) return { block, before };
      before += users;
      after = block;
    }
    if (blocks.length < blocksAtOnce) return { block: after + 1, before };
  }
}

function nextBlocks(accountId: number, after: number, count: number): Sql {
  return sql`
    select block, users
    from user_block
    where account_id = ${accountId} and block > ${after}
    order by block
    limit ${limitOf(count)}`;
}

// ---- Orders

/** The attributes whose sort key a column holds as it is. */
const sortColumns = new Map([
  ['id', 'id'],
  ['userName', 'user_name_key'],
  ['name.givenName', 'given_name_key'],
  ['name.familyName', 'family_name_key'],
]);

export const hasSortColumn = ({ attribute }: UserSort): boolean => sortColumns.has(attribute.path);

/** So many places of an index are passed by one statement, so that none holds the event loop (D-190). */
const placesAtOnce = 2_000;

/**
 * All users in the order of an indexed column: first those who have it, then those who do not (D-54). However deep the
 * page lies, the places before it are passed in slices within the budget.
 */
export async function sortedList(
  db: Db,
  accountId: number,
  { attribute, descending }: UserSort,
  { skip, take }: Window,
  budget: WorkBudget,
): Promise<UserPage> {
  const column = sortColumns.get(attribute.path) ?? 'id';
  if (column === 'id' && !descending) return listPage(db, accountId, { skip, take }, budget);
  const total = await totalOf(db, accountId);
  if (take === 0 || skip >= total) return { total, users: [] };
  if (column === 'id') {
    const end = total - skip;
    const start = Math.max(0, end - take);
    const places = await listPlaces(db, accountId, total, { skip: start, take: end - start });
    return { total, users: await usersInOrder(db, accountId, places.toReversed(), budget) };
  }
  const key = raw(column);
  const isOneEach = column === 'user_name_key';
  const having = { accountId, key, isKeyed: true, isOneEach, descending };
  const first = await placesOf(db, having, { skip, take }, budget);
  const rest = { skip: first.left, take: take - first.found.length };
  const lacking = { ...having, isKeyed: false };
  const then = rest.take === 0 || isOneEach ? { found: [] } : await placesOf(db, lacking, rest, budget);
  return { total, users: await usersInOrder(db, accountId, [...first.found, ...then.found], budget) };
}

/** The users of an account who have a key, or those who have none, in their order. */
interface Ordered {
  readonly accountId: number;
  readonly key: Sql;
  readonly isKeyed: boolean;
  /** Everybody has a key and no two the same, so that nothing but the index of it need be read. */
  readonly isOneEach: boolean;
  readonly descending: boolean;
}

interface Places {
  readonly found: readonly Weighed[];
  /** How many were still to be passed when these users came to an end. */
  readonly left: number;
}

/** Every statement begins behind the place where the one before it ended. */
async function placesOf(
  db: Db,
  { accountId, key, isKeyed, isOneEach, descending }: Ordered,
  { skip, take }: Window,
  budget: WorkBudget,
): Promise<Places> {
  const direction = raw(descending ? 'desc' : 'asc');
  const beyond = raw(descending ? '<' : '>');
  const behind = (last: Found | null): Sql => {
    if (last === null) return sql`1 = 1`;
    if (isOneEach) return sql`${key} ${beyond} ${last.key}`;
    return isKeyed ? sql`(${key}, id) ${beyond} (${last.key}, ${last.id})` : sql`id ${beyond} ${last.id}`;
  };
  const byKey = sql`${key} ${direction}${isOneEach ? sql`` : sql`, id ${direction}`}`;
  const order = isKeyed ? byKey : sql`id ${direction}`;
  const next = (columns: Sql, last: Found | null, limit: number, offset: number): Sql => sql`
    select ${columns}
    from account_user
    where account_id = ${accountId} and ${key} is ${raw(isKeyed ? 'not null' : 'null')} and ${behind(last)}
    order by ${order}
    limit ${limitOf(limit)}
    offset ${limitOf(offset)}`;
  let left = skip;
  let last: Found | null = null;
  let isEnd = false;
  while (left >= placesAtOnce && !isEnd) {
    budget.spend(placesAtOnce);
    await budget.pause();
    const [place]: readonly Found[] = await db.read<Found>(
      next(sql`${key} as key, id`, last, 1, placesAtOnce - 1),
    );
    if (place === undefined) isEnd = true;
    else {
      last = place;
      left -= placesAtOnce;
    }
  }
  const found = isEnd ? [] : await db.read<Weighed>(next(weighedColumns, last, take, left));
  if (found.length > 0) return { found, left: 0 };
  const [count] = await db.read<{ passed: number }>(sql`
    select count(*) as passed
    from (${next(sql`id`, last, placesAtOnce, 0)}) as passed`);
  return { found, left: Math.max(0, left - (count?.passed ?? 0)) };
}

// ---- Those to whom an index leads

/** Who is in question, as parts of a statement. */
export interface Search {
  /** The ids of those to whom an index leads, as a query; null where none does. */
  readonly led: Sql | null;
  /** Whether it leads to one or a few by a value, so that nobody need wait for it. */
  readonly isQuick: boolean;
  /** What all of them must fulfil; asked of each candidate, and never by an index. */
  readonly check: Sql;
  /** What must still be asked of each user that is found. */
  readonly residual: Filter | null;
}

/** How the users of a search are looked at and put in order. */
export interface Looking {
  readonly sort: UserSort | null;
  readonly window: Window;
  /** Where groups must be known of the candidates: the base address under which they are shown. */
  readonly groupsAt: string | null;
  readonly view: (user: User) => Values;
  readonly budget: WorkBudget;
}

type SortKey = string | number | null;

interface Found {
  readonly key: SortKey;
  readonly id: number;
}

/** One statement finds so many and no more, so that none holds the event loop: see ledPage. */
const ledMax = 2_000;

/**
 * The page of a search to whose users an index leads; null when these are so many that the account is better walked
 * through, in slices between which others are served.
 */
export async function ledPage(
  db: Db,
  accountId: number,
  { led, isQuick, check, residual }: Search,
  looking: Looking,
): Promise<UserPage | null> {
  if (led === null) return null;
  const { sort, budget } = looking;
  if (!isQuick) await budget.nextSlice();
  const candidates = db.dialect.rowsOfIds({
    ids: sql`select id from led where (select count(*) from led) <= ${ledMax}`,
    table: 'account_user',
    accountId,
    columns: sql`account_user.id, ${keyColumn(sort)} as key, octet_length(account_user.profile) as bytes`,
    check,
  });
  const rows = await db.read<{ candidates: number } & Weighed & { key: SortKey }>(sql`
    with led as materialized (
      select id
      from (${led}) as candidates
      limit ${limitOf(ledMax + 1)}
    )
    select counted.candidates, found.id, found.key, found.bytes
    from (select count(*) as candidates from led) as counted
    left join (${candidates}) as found on true
    order by found.id`);
  const count = rows[0]?.candidates ?? 0;
  budget.spend(count);
  if (count > ledMax) return null;
  // Where nobody was found there is one row all the same, for the count.
  const found = rows.filter((row) => row.id !== null);
  if (residual === null && (sort === null || hasSortColumn(sort))) {
    const { skip, take } = looking.window;
    const ordered = sort === null ? found : found.toSorted(orderOf(sort));
    return {
      total: found.length,
      users: await usersInOrder(db, accountId, ordered.slice(skip, skip + take), budget),
    };
  }
  const sieve = new Sieve(db, accountId, residual, looking);
  for (const some of portionsOf(found)) await sieve.sift(await usersById(db, accountId, some));
  return sieve.page();
}

/** A user who is to be read, and how much that will be. */
interface Weighed {
  readonly id: number;
  readonly bytes: number;
}

const weighedColumns = sql`account_user.id, octet_length(account_user.profile) as bytes`;

const portionBytes = 256 * 1024;
const portionUsers = 512;

/** Users to be read together: many small ones, or a single one that is larger than all these may be. */
function portionsOf<T extends Weighed>(users: readonly T[]): readonly (readonly T[])[] {
  const portions: T[][] = [];
  let bytes = 0;
  for (const user of users) {
    const last = portions.at(-1);
    if (last === undefined || bytes + user.bytes > portionBytes || last.length >= portionUsers) {
      portions.push([user]);
      bytes = user.bytes;
    } else {
      last.push(user);
      bytes += user.bytes;
    }
  }
  return portions;
}

function keyColumn(sort: UserSort | null): Sql {
  const column = sort === null ? undefined : sortColumns.get(sort.attribute.path);
  return column === undefined ? sql`null` : raw(`account_user.${column}`);
}

/** What has no key comes last either way; ties are settled by id, in the direction of the order (D-87). */
function orderOf(sort: UserSort | null): (a: Found, b: Found) => number {
  const turn = sort?.descending ? -1 : 1;
  return (a, b) => {
    if (a.key === null || b.key === null) return compareSortKeys(a.key, b.key) || turn * (a.id - b.id);
    return turn * (compareSortKeys(a.key, b.key) || a.id - b.id);
  };
}

/**
 * What the profiles of a page may be in all. A page that would be more is shorter than was asked for, and has one user
 * at least (D-97).
 */
const pageBytesMax = 4 * 1024 * 1024;

/** The users of a page, in the order in which they are given; some of them at a time, and others are served between. */
async function usersInOrder(
  db: Db,
  accountId: number,
  found: readonly Weighed[],
  budget: WorkBudget,
): Promise<readonly User[]> {
  let bytes = 0;
  const beyond = found.findIndex((one, at) => {
    bytes += one.bytes;
    return at > 0 && bytes > pageBytesMax;
  });
  const users: User[] = [];
  for (const some of portionsOf(beyond === -1 ? found : found.slice(0, beyond))) {
    await budget.pause();
    const rows = await usersById(db, accountId, some);
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const { id } of some) {
      const row = byId.get(id);
      if (row !== undefined) users.push(userOf(row));
    }
  }
  return users;
}

/** How much there is to be read of users who are known by their ids, in the order of these. */
async function weigh(
  db: Db,
  accountId: number,
  found: readonly { readonly id: number }[],
): Promise<readonly Weighed[]> {
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  const rows = await db.read<Weighed>(sql`
    select ${weighedColumns}
    from account_user
    where account_id = ${accountId} and ${db.dialect.isAmong(sql`id`, ids, 'integer')}`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** In the order of their ids. */
async function usersById(
  db: Db,
  accountId: number,
  ids: readonly { readonly id: number }[],
): Promise<readonly UserRow[]> {
  if (ids.length === 0) return [];
  const among = db.dialect.isAmong(
    sql`id`,
    ids.map(({ id }) => id),
    'integer',
  );
  return db.read<UserRow>(sql`
    select ${userColumns}
    from account_user
    where account_id = ${accountId} and ${among}
    order by id`);
}

// ---- Walking through the account's users in slices

interface Slice {
  readonly from: number;
  /** The first id that no longer belongs to it. */
  readonly to: number;
  /** No more users than this are in it. */
  readonly users: number;
}

interface BlockRow {
  readonly block: number;
  readonly users: number;
}

/** On SQLite a slice stops the event loop while it is read; on PostgreSQL each costs a journey. */
const sliceIds = { min: 64, first: 256, max: 2 * blockSize } as const;
const blocksReadAtOnce = 256;

/** The account's ids in slices that are as large as can be read in a few milliseconds, whatever a user weighs. */
class Slices {
  readonly #db: Db;
  readonly #accountId: number;
  #blocks: BlockRow[] = [];
  #afterBlock = -1;
  #from = 0;
  #idsAtOnce: number = sliceIds.first;

  constructor(db: Db, accountId: number) {
    this.#db = db;
    this.#accountId = accountId;
  }

  async next(): Promise<Slice | null> {
    if (this.#blocks.length === 0) await this.#readBlocks();
    const [first] = this.#blocks;
    if (first === undefined) return null;
    const from = Math.max(this.#from, firstIdOf(first.block));
    let to = Math.min(from + this.#idsAtOnce, firstIdOf(first.block + 1));
    let users = Math.min(first.users, to - from);
    if (to === firstIdOf(first.block + 1)) this.#blocks.shift();
    // Further blocks are taken whole or not at all.
    for (let room = this.#idsAtOnce - (to - from); room >= blockSize; room -= blockSize) {
      const another = this.#blocks.shift();
      if (another === undefined) break;
      to = firstIdOf(another.block + 1);
      users += another.users;
    }
    this.#from = to;
    return { from, to, users };
  }

  /** How long the last one took to be read. */
  took(ms: number): void {
    const { atLeast, atMost } = this.#db.dialect.sliceMs;
    if (ms > atMost) this.#idsAtOnce = Math.max(sliceIds.min, this.#idsAtOnce >> 1);
    else if (ms < atLeast) this.#idsAtOnce = Math.min(sliceIds.max, this.#idsAtOnce << 1);
  }

  async #readBlocks(): Promise<void> {
    const rows = await this.#db.read<BlockRow>(
      nextBlocks(this.#accountId, this.#afterBlock, blocksReadAtOnce),
    );
    this.#blocks = rows.filter(({ users }) => users > 0);
    const last = rows.at(-1);
    if (last === undefined) return;
    this.#afterBlock = last.block;
    if (this.#blocks.length === 0) await this.#readBlocks();
  }
}

const firstIdOf = (block: number): number => firstUserId + block * blockSize;

/** Every slice in turn, as long as the budget allows it: what is asked of it, and what is done with the answer. */
async function eachSlice<R>(
  db: Db,
  accountId: number,
  budget: WorkBudget,
  question: (slice: Slice) => Sql,
  look: (rows: readonly R[], slice: Slice) => Promise<void> | void,
): Promise<void> {
  const slices = new Slices(db, accountId);
  await budget.nextSlice();
  for (;;) {
    await budget.pause();
    const slice = await slices.next();
    if (slice === null) return;
    budget.spend(slice.users);
    const startedMs = performance.now();
    const rows = await db.read<R>(question(slice));
    slices.took(performance.now() - startedMs);
    await look(rows, slice);
  }
}

const inSlice = (accountId: number, { from, to }: Slice, check: Sql): Sql =>
  sql`account_user.account_id = ${accountId} and account_user.id >= ${from} and account_user.id < ${to}
    and ${check}`;

/** Without an index that leads: all users of the account are looked at, in slices between which others are served. */
export async function walkedPage(
  db: Db,
  accountId: number,
  { check, residual }: Search,
  looking: Looking,
): Promise<UserPage> {
  const { sort, budget } = looking;
  if (residual === null && sort === null) return countedPage(db, accountId, check, looking);
  const sieve = new Sieve(db, accountId, residual, looking);
  const selecting =
    (columns: Sql) =>
    (slice: Slice): Sql =>
      sql`
      select ${columns}
      from account_user
      where ${inSlice(accountId, slice, check)}
      order by account_user.id`;
  // Where columns say everything, nobody's profile need be read for the order.
  if (residual === null && sort !== null && hasSortColumn(sort)) {
    const columns = sql`account_user.id, ${keyColumn(sort)} as key`;
    await eachSlice<Found>(db, accountId, budget, selecting(columns), (rows) => {
      for (const row of rows) sieve.keep(row);
    });
  } else {
    await eachSlice<Weighed>(db, accountId, budget, selecting(weighedColumns), async (rows) => {
      for (const some of portionsOf(rows)) await sieve.sift(await usersById(db, accountId, some));
    });
  }
  return sieve.page();
}

/** In the order of ids, and all said by columns: every slice is counted, and those that the window touches are read. */
async function countedPage(
  db: Db,
  accountId: number,
  check: Sql,
  { window: { skip, take }, budget }: Looking,
): Promise<UserPage> {
  const places: Weighed[] = [];
  let total = 0;
  const counting = (slice: Slice): Sql => sql`
    select count(*) as found
    from account_user
    where ${inSlice(accountId, slice, check)}`;
  await eachSlice<{ found: number }>(db, accountId, budget, counting, async ([count], slice) => {
    const found = count?.found ?? 0;
    if (places.length < take && total + found > skip) {
      const rows = await db.read<Weighed>(sql`
        select ${weighedColumns}
        from account_user
        where ${inSlice(accountId, slice, check)}
        order by id
        limit ${limitOf(take - places.length)}
        offset ${limitOf(Math.max(0, skip - total))}`);
      places.push(...rows);
    }
    total += found;
  });
  return { total, users: await usersInOrder(db, accountId, places, budget) };
}

// ---- What no SQL answers

/** What the keys of an order without an index may take in memory: some hundred thousand of them. */
const keysBytesMax = 16 * 1024 * 1024;
const foundBytes = 64;

/** Looks at users one by one: counts those who fulfil the rest of the filter, and keeps the page and no more. */
class Sieve {
  readonly #db: Db;
  readonly #accountId: number;
  readonly #residual: Filter | null;
  readonly #looking: Looking;
  readonly #fold = rememberingFold();
  /** In the order of ids the page is simply the ones whose turn it is; in another one it is known at the end. */
  readonly #inTurn: User[] = [];
  readonly #first: FirstFew<Found>;
  #total = 0;
  #bytes = 0;
  #inTurnBytes = 0;

  constructor(db: Db, accountId: number, residual: Filter | null, looking: Looking) {
    this.#db = db;
    this.#accountId = accountId;
    this.#residual = residual;
    this.#looking = looking;
    const { skip, take } = looking.window;
    this.#first = new FirstFew(take === 0 ? 0 : skip + take, orderOf(looking.sort));
  }

  /** Users in the order of their ids. */
  async sift(rows: readonly UserRow[]): Promise<void> {
    const { sort, window, view, groupsAt, budget } = this.#looking;
    const users = rows.map(userOf);
    const known =
      groupsAt === null ? users : await withGroups(this.#db, this.#accountId, users, groupsAt, budget);
    for (const [at, user] of known.entries()) {
      await budget.pause();
      const resource = view(user);
      if (this.#residual !== null && !matches(this.#residual, resource, this.#fold)) continue;
      if (sort !== null) {
        this.keep({ key: sortKeyOf(resource, sort.attribute, this.#fold), id: user.id });
        continue;
      }
      const place = this.#total - window.skip;
      if (place >= 0 && place < window.take) this.#showInTurn(user, rows[at]!);
      this.#total += 1;
    }
  }

  /** Behind the first who no longer fits, nobody is on the page. */
  #showInTurn(user: User, { profile }: UserRow): void {
    this.#inTurnBytes += Buffer.byteLength(profile);
    if (this.#inTurn.length === 0 || this.#inTurnBytes <= pageBytesMax) this.#inTurn.push(user);
  }

  /** One who is among those found, with the key of the order. */
  keep(found: Found): void {
    this.#total += 1;
    this.#bytes += bytesOf(found);
    const gone = this.#first.offer(found);
    if (gone !== null) this.#bytes -= bytesOf(gone);
    if (this.#bytes > keysBytesMax) {
      throw new Problem(
        'TOO_MUCH_WORK',
        'This page lies too deep in an order that no index has. Please sort by id, userName or a name, or narrow the search.',
      );
    }
  }

  async page(): Promise<UserPage> {
    const { sort, window, budget } = this.#looking;
    if (sort === null) return { total: this.#total, users: this.#inTurn };
    const found: Found[] = [];
    let left = Math.min(this.#total, window.skip + window.take) - window.skip;
    for (const one of this.#first.lastToFirst()) {
      if (left <= 0) break;
      left -= 1;
      found.push(one);
      await budget.pause();
    }
    const places = await weigh(this.#db, this.#accountId, found.reverse());
    return {
      total: this.#total,
      users: await usersInOrder(this.#db, this.#accountId, places, budget),
    };
  }
}

const bytesOf = ({ key }: Found): number => foundBytes + (typeof key === 'string' ? 2 * key.length : 0);
