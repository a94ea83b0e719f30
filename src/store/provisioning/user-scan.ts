// The page of a search that no index answers: all users of the account are looked at, in slices of ids that take a few
// milliseconds each, within the budget of the request, and others are served in between.

import sql, { type Sql } from 'sql-template-tag';
import { type Db, limitOf } from '../engine/db.ts';
import type { WorkBudget } from '../engine/work/work-budget.ts';
import { PageCollector } from './page-collector.ts';
import type { KeyedId } from './search-order.ts';
import { firstIdOf, userBlockSize } from './user-ids.ts';
import { nextBlocks } from './user-list.ts';
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
const sliceIds = { min: 64, first: 256, max: 2 * userBlockSize } as const;
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
    const end = firstIdOf(first.block + 1);
    // Few users are read at once however many ids there are: on a busy machine each journey takes long, and slices ever smaller.
    let to = first.users <= this.#idsAtOnce ? end : Math.min(from + this.#idsAtOnce, end);
    let users = Math.min(first.users, to - from);
    if (to === end) this.#blocks.shift();
    // Further blocks are taken whole or not at all.
    for (let room = this.#idsAtOnce - (to - from); room >= userBlockSize; room -= userBlockSize) {
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

/** Where no index helps: all users of the account are scanned, in slices between which other requests are served. */
export async function scannedPage(
  db: Db,
  accountId: number,
  { check, residual, narrow }: Search,
  request: PageRequest,
): Promise<UserPage> {
  const { sort, budget } = request;
  const isByColumns = residual === null && narrow === undefined;
  if (isByColumns && sort === null) return countedPage(db, accountId, check, request);
  const collector = new PageCollector(db, accountId, { residual, narrow }, request);
  const selecting =
    (columns: Sql) =>
    (slice: Slice): Sql =>
      sql`
      select ${columns}
      from account_user
      where ${inSlice(accountId, slice, check)}
      order by account_user.id`;
  // Where columns say everything, nobody's profile need be read for the order.
  if (isByColumns && sort !== null && hasSortColumn(sort)) {
    const columns = sql`account_user.id, ${keyColumn(sort)} as key`;
    await eachSlice<KeyedId>(db, accountId, budget, selecting(columns), (rows) => {
      for (const row of rows) collector.keep(row);
    });
  } else {
    await eachSlice<UserSize>(db, accountId, budget, selecting(sizeColumns), async (rows) => {
      for (const some of portionsOf(rows)) await collector.offer(await usersById(db, accountId, some));
    });
  }
  return collector.page();
}

/** In the order of ids, and all said by columns: every slice is counted, and those that the window touches are read. */
async function countedPage(
  db: Db,
  accountId: number,
  check: Sql,
  { window: { skip, take }, budget }: PageRequest,
): Promise<UserPage> {
  const places: UserSize[] = [];
  let total = 0;
  const counting = (slice: Slice): Sql => sql`
    select count(*) as found
    from account_user
    where ${inSlice(accountId, slice, check)}`;
  await eachSlice<{ found: number }>(db, accountId, budget, counting, async ([count], slice) => {
    const found = count?.found ?? 0;
    if (places.length < take && total + found > skip) {
      const rows = await db.read<UserSize>(sql`
        select ${sizeColumns}
        from account_user
        where ${inSlice(accountId, slice, check)}
        order by id
        limit ${limitOf(take - places.length)}
        offset ${limitOf(Math.max(0, skip - total))}`);
      places.push(...rows);
    }
    total += found;
  });
  return { total, users: await readUsers(db, accountId, places, budget) };
}
