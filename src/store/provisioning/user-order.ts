// All users of an account in the order of an indexed column.

import sql, { raw, type Sql } from 'sql-template-tag';
import type { Window } from '../../domain/window.ts';
import { type Db, limitOf } from '../engine/db.ts';
import type { WorkBudget } from '../engine/work/work-budget.ts';
import type { KeyedId, SearchSort } from './search-order.ts';
import { listPage, listPlaces, totalOf } from './user-list.ts';
import { readUsers, sizeColumns, type UserPage, type UserSize } from './user-page.ts';

/** The attributes whose sort key a column holds as it is. */
const sortColumns = new Map([
  ['id', 'id'],
  ['userName', 'user_name_key'],
  ['name.givenName', 'given_name_key'],
  ['name.familyName', 'family_name_key'],
]);

export const hasSortColumn = ({ attribute }: SearchSort): boolean => sortColumns.has(attribute.path);

export function keyColumn(sort: SearchSort | null): Sql {
  const column = sort === null ? undefined : sortColumns.get(sort.attribute.path);
  return column === undefined ? sql`null` : raw(`account_user.${column}`);
}

/** So many places of an index are passed by one statement, so that none holds the event loop (D-190). */
const placesAtOnce = 2_000;

/**
 * All users in the order of an indexed column: first those who have it, then those who do not (D-54). However deep the
 * page lies, the places before it are passed in slices within the budget.
 */
export async function sortedList(
  db: Db,
  accountId: number,
  { attribute, descending }: SearchSort,
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
    return { total, users: await readUsers(db, accountId, places.toReversed(), budget) };
  }
  const key = raw(column);
  const isOneEach = column === 'user_name_key';
  const having = { accountId, key, isKeyed: true, isOneEach, descending };
  const first = await placesOf(db, having, { skip, take }, budget);
  const rest = { skip: first.left, take: take - first.found.length };
  const lacking = { ...having, isKeyed: false };
  const then = rest.take === 0 || isOneEach ? { found: [] } : await placesOf(db, lacking, rest, budget);
  return { total, users: await readUsers(db, accountId, [...first.found, ...then.found], budget) };
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
  readonly found: readonly UserSize[];
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
  const behind = (last: KeyedId | null): Sql => {
    if (last === null) return sql`1 = 1`;
    if (isOneEach) return sql`${key} ${beyond} ${last.key}`;
    return isKeyed ? sql`(${key}, id) ${beyond} (${last.key}, ${last.id})` : sql`id ${beyond} ${last.id}`;
  };
  const byKey = sql`${key} ${direction}${isOneEach ? sql`` : sql`, id ${direction}`}`;
  const order = isKeyed ? byKey : sql`id ${direction}`;
  const next = (columns: Sql, last: KeyedId | null, limit: number, offset: number): Sql => sql`
    select ${columns}
    from account_user
    where account_id = ${accountId} and ${key} is ${raw(isKeyed ? 'not null' : 'null')} and ${behind(last)}
    order by ${order}
    limit ${limitOf(limit)}
    offset ${limitOf(offset)}`;
  let left = skip;
  let last: KeyedId | null = null;
  let isEnd = false;
  while (left >= placesAtOnce && !isEnd) {
    budget.spend(placesAtOnce);
    await budget.pause();
    const [place]: readonly KeyedId[] = await db.read<KeyedId>(
      next(sql`${key} as key, id`, last, 1, placesAtOnce - 1),
    );
    if (place === undefined) isEnd = true;
    else {
      last = place;
      left -= placesAtOnce;
    }
  }
  const found = isEnd ? [] : await db.read<UserSize>(next(sizeColumns, last, take, left));
  if (found.length > 0) return { found, left: 0 };
  const [count] = await db.read<{ passed: number }>(sql`
    select count(*) as passed
    from (${next(sql`id`, last, placesAtOnce, 0)}) as passed`);
  return { found, left: Math.max(0, left - (count?.passed ?? 0)) };
}
