// A page of users: what is asked for, and how its users are read. First their ids are found (by user-list.ts,
// user-order.ts, user-candidates.ts or user-scan.ts) with the sizes of their profiles, and then the profiles in portions
// of bounded size, between which others are served.

import sql, { type Sql } from 'sql-template-tag';
import type { User } from '../../domain/provisioning/user.ts';
import type { Values } from '../../domain/provisioning/value.ts';
import type { Window } from '../../domain/window.ts';
import type { Filter } from '../../scim/filter.ts';
import type { Db } from '../engine/db.ts';
import type { WorkBudget } from '../engine/work/work-budget.ts';
import type { SearchSort } from './search-order.ts';
import { type UserRow, userColumns, userOf } from './user-row.ts';

export interface UserPage {
  readonly total: number;
  readonly users: readonly User[];
}

/** Who is in question, as parts of a statement. */
export interface Search {
  /** A query for the ids that an index finds; null where no index helps. */
  readonly candidates: Sql | null;
  /** Whether the index finds one or a few by a value, so that the search need not wait for its slice of time. */
  readonly isQuick: boolean;
  /** What all of them must fulfil; asked of each candidate, and never by an index. */
  readonly check: Sql;
  /** What must still be asked of each user that is found. */
  readonly residual: Filter | null;
  /** What neither a column nor a filter answers: those of these users who are wanted, in their order. */
  readonly narrow?: (users: readonly User[]) => Promise<readonly User[]>;
}

/** How the users of a search are looked at and put in order. */
export interface PageRequest {
  readonly sort: SearchSort | null;
  readonly window: Window;
  /** Where groups must be known of the candidates: the base address under which they are shown. */
  readonly groupsAt: string | null;
  readonly view: (user: User) => Values;
  readonly budget: WorkBudget;
}

/** A user who is to be read, and the size of its profile. */
export interface UserSize {
  readonly id: number;
  readonly bytes: number;
}

export const sizeColumns = sql`account_user.id, octet_length(account_user.profile) as bytes`;

const portionBytes = 256 * 1024;
const portionUsers = 512;

/** Users to be read together: many small ones, or a single one that is larger than a portion. */
export function portionsOf<T extends UserSize>(users: readonly T[]): readonly (readonly T[])[] {
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

/** A page whose profiles would be more than this is shorter than was asked for; it has one user at least (D-97). */
export const pageBytesMax = 4 * 1024 * 1024;

/** The users of a page, in the order in which they are given; some of them at a time, and others are served between. */
export async function readUsers(
  db: Db,
  accountId: number,
  found: readonly UserSize[],
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

/** The sizes of users who are known by their ids, in the order of these. */
export async function sizesOf(
  db: Db,
  accountId: number,
  found: readonly { readonly id: number }[],
): Promise<readonly UserSize[]> {
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  const rows = await db.read<UserSize>(sql`
    select ${sizeColumns}
    from account_user
    where account_id = ${accountId} and ${db.dialect.isAmong(sql`id`, ids, 'integer')}`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** In the order of their ids. */
export async function usersById(
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
