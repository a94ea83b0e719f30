// Pages of users: by the counts of blocks, by an index, by walking, or by looking at each candidate. Which of them is
// needed is the business of users-search.ts; whichever it is, the total is exact and ties are settled by id.

import { setImmediate as nextTurn } from 'node:timers/promises';
import sql, { empty, raw, type Sql } from 'sql-template-tag';
import type { User, Values } from '../domain/user.ts';
import type { Window } from '../domain/window.ts';
import type { Attribute } from '../scim/attributes.ts';
import { compareSortKeys, matches, sortKeyOf } from '../scim/evaluate.ts';
import type { Filter } from '../scim/filter.ts';
import { type Db, limitOf } from './db.ts';
import { isAmong } from './lists.ts';
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

type FoundRow = { readonly total: number } & { readonly [K in keyof UserRow]: UserRow[K] | null };

/** Total and page in one statement: what is found is found once. */
/** Which users are in question, as parts of a statement: where they are read from, and what they must fulfil. */
export interface Where {
  /** Ends with `account_user`, behind whatever leads to it. */
  readonly from: Sql;
  readonly where: Sql;
}

export async function foundPage(
  db: Db,
  accountId: number,
  { from, where }: Where,
  sort: UserSort | null,
  { skip, take }: Window,
): Promise<UserPage> {
  const column = sort === null ? 'id' : sortColumns.get(sort.attribute.path);
  const direction = raw(sort?.descending ? 'desc' : 'asc');
  const key = raw(`account_user.${column}`);
  const rows = await db.read<FoundRow>(sql`
    with found as materialized (
      select account_user.id, ${key} as key
      from ${from}
      where account_user.account_id = ${accountId} and ${where}
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
export async function listPage(db: Db, accountId: number, { skip, take }: Window): Promise<UserPage> {
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

/** All users in the order of an indexed column: first those who have it, then those who do not (D-54). */
export async function sortedList(
  db: Db,
  accountId: number,
  sort: UserSort,
  window: Window,
): Promise<UserPage> {
  const column = sortColumns.get(sort.attribute.path) ?? 'id';
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
export async function walkedPage(
  db: Db,
  accountId: number,
  where: Sql,
  { skip, take }: Window,
): Promise<UserPage> {
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

/** What no index or no SQL answers: everything in question is looked at here, in slices, and put in order. */
export interface Sifting extends Where {
  readonly isDriven: boolean;
  /** What each candidate must fulfil beside `where`; null: nothing. */
  readonly residual: Filter | null;
  readonly sort: UserSort | null;
  /** Where groups must be known of the candidates: the base address under which they are shown. */
  readonly groupsAt: string | null;
  readonly view: (user: User) => Values;
}

interface Found {
  readonly key: string | number | null;
  readonly id: number;
}

export async function siftedPage(
  db: Db,
  accountId: number,
  { from, where, isDriven, residual, sort, groupsAt, view }: Sifting,
  { skip, take }: Window,
): Promise<UserPage> {
  const found: Found[] = [];
  /** Who was found, as long as they are few enough to be kept until the page is known. */
  const kept = new Map<number, User>();
  const sift = async (rows: readonly UserRow[]): Promise<void> => {
    const bare = rows.map(userOf);
    const users = groupsAt === null ? bare : await withGroups(db, accountId, bare, groupsAt);
    for (const user of users) {
      const resource = view(user);
      if (residual !== null && !matches(residual, resource)) continue;
      found.push({ key: sort === null ? null : sortKeyOf(resource, sort.attribute), id: user.id });
      if (found.length <= gatherAtOnce) kept.set(user.id, user);
    }
  };
  if (isDriven) {
    for (let after = 0; ; ) {
      const rows = await db.read<UserRow>(sql`
        select ${userColumns}
        from ${from}
        where account_user.account_id = ${accountId} and ${where} and account_user.id > ${after}
        order by account_user.id
        limit ${limitOf(gatherAtOnce)}`);
      await sift(rows);
      if (rows.length < gatherAtOnce) break;
      after = rows.at(-1)!.id;
      await nextTurn();
    }
  } else {
    for (const slice of await slicesOf(db, accountId)) {
      const condition = inSlice(accountId, slice, where);
      await sift(
        await db.read<UserRow>(sql`select ${userColumns} from account_user where ${condition} order by id`),
      );
      await nextTurn();
    }
  }
  const turn = sort?.descending ? -1 : 1;
  found.sort((a, b) => {
    if (a.key === null || b.key === null) return compareSortKeys(a.key, b.key) || turn * (a.id - b.id);
    return turn * (compareSortKeys(a.key, b.key) || a.id - b.id);
  });
  const page = found.slice(skip, skip + take);
  const missing = page.filter(({ id }) => !kept.has(id));
  for (const row of await usersById(db, accountId, missing)) kept.set(row.id, userOf(row));
  return { total: found.length, users: page.flatMap(({ id }) => kept.get(id) ?? []) };
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
    sql`id`,
    ids.map(({ id }) => id),
    'integer',
  );
  return db.read<UserRow>(sql`
    select ${userColumns}
    from account_user
    where account_id = ${accountId} and ${among}`);
}
