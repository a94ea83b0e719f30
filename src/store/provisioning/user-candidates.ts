// The page of a search whose users an index finds. One statement finds the candidates by the index and asks the rest
// of the conditions of each; what no SQL answers is asked of the users themselves (page-collector.ts).

import sql from 'sql-template-tag';
import { type Db, limitOf } from '../engine/db.ts';
import { PageCollector } from './page-collector.ts';
import { inOrder, type SortKey } from './search-order.ts';
import { hasSortColumn, keyColumn } from './user-order.ts';
import {
  type PageRequest,
  portionsOf,
  readUsers,
  type Search,
  sizeColumns,
  type UserPage,
  type UserSize,
  usersById,
} from './user-page.ts';

/** One statement finds so many and no more, so that none stops the event loop for long. */
const candidatesMax = 2_000;

/** Null when no index finds the users, or finds so many that scanning all users of the account is quicker. */
export async function candidatesPage(
  db: Db,
  accountId: number,
  { candidates, isQuick, check, residual, narrow }: Search,
  request: PageRequest,
): Promise<UserPage | null> {
  if (candidates === null) return null;
  const { sort, budget } = request;
  if (!isQuick) await budget.nextSlice();
  const passing = db.dialect.rowsOfIds({
    ids: sql`select id from candidate where (select count(*) from candidate) <= ${candidatesMax}`,
    table: 'account_user',
    accountId,
    columns: sql`${sizeColumns}, ${keyColumn(sort)} as key`,
    check,
  });
  const rows = await db.read<{ candidates: number } & UserSize & { key: SortKey }>(sql`
    with candidate as materialized (
      select id
      from (${candidates}) as led_to
      limit ${limitOf(candidatesMax + 1)}
    )
    select counted.candidates, found.id, found.key, found.bytes
    from (select count(*) as candidates from candidate) as counted
    left join (${passing}) as found on true
    order by found.id`);
  const count = rows[0]?.candidates ?? 0;
  budget.spend(count);
  if (count > candidatesMax) return null;
  // Where nobody was found there is one row all the same, for the count.
  const found = rows.filter((row) => row.id !== null);
  if (residual === null && narrow === undefined && (sort === null || hasSortColumn(sort))) {
    const { skip, take } = request.window;
    const ordered = sort === null ? found : found.toSorted(inOrder(sort));
    return {
      total: found.length,
      users: await readUsers(db, accountId, ordered.slice(skip, skip + take), budget),
    };
  }
  const collector = new PageCollector(db, accountId, { residual, narrow }, request);
  for (const some of portionsOf(found)) await collector.offer(await usersById(db, accountId, some));
  return collector.page();
}
