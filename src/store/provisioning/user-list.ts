// All users of an account in the order of creation, which is that of their ids. The ids lie in blocks, and each block
// has a count of its users: a page deep in the list is found by adding up counts, not by passing users.

import sql, { type Sql } from 'sql-template-tag';
import type { Window } from '../../domain/window.ts';
import { type Db, limitOf } from '../engine/db.ts';
import type { WorkBudget } from '../engine/work/work-budget.ts';
import { firstIdOf, userBlockSize } from './user-ids.ts';
import { readUsers, sizeColumns, type UserPage, type UserSize } from './user-page.ts';

/** Counts of blocks are added up to the place where the page begins; only its own block is then counted through. */
export async function listPage(
  db: Db,
  accountId: number,
  window: Window,
  budget: WorkBudget,
): Promise<UserPage> {
  const total = await totalOf(db, accountId);
  const places = await listPlaces(db, accountId, total, window);
  return { total, users: await readUsers(db, accountId, places, budget) };
}

export async function listPlaces(
  db: Db,
  accountId: number,
  total: number,
  { skip, take }: Window,
): Promise<readonly UserSize[]> {
  if (take === 0 || skip >= total) return [];
  const start = skip === 0 ? { block: 0, before: 0 } : await blockAt(db, accountId, skip);
  const places = await db.read<UserSize>(sql`
    select ${sizeColumns}
    from account_user
    where account_id = ${accountId} and id >= ${firstIdOf(start.block)}
    order by id
    limit ${limitOf(take)}
    offset ${limitOf(skip - start.before)}`);
  // A user that was created between the two questions belongs to a later total.
  return places.slice(0, total - skip);
}

export async function totalOf(db: Db, accountId: number): Promise<number> {
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
    const unseen = Math.floor((skip - before) / userBlockSize);
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

export function nextBlocks(accountId: number, after: number, count: number): Sql {
  return sql`
    select block, users
    from user_block
    where account_id = ${accountId} and block > ${after}
    order by block
    limit ${limitOf(count)}`;
}
