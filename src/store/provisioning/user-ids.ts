// The ids of users and groups. The store has one counter from which accounts take ranges of ids, and an account has a
// counter of its own within its range. A transaction that creates holds the account's counter to the commit, so that ids
// appear in their order (D-50).

import sql from 'sql-template-tag';
import type { Steps } from '../engine/db.ts';
import type { Dialect, RowsToHold } from '../engine/dialect.ts';
import { heldUp } from '../engine/work/group-commit.ts';
import { takenAmong } from './user-clashes.ts';

/** How many ids a block of users has. An account takes whole blocks, and the count of a block lets a page skip it. */
export const userBlockSize = 1024;
export const firstUserId = 1_000_000_001;

export const blockOf = (id: number): number => Math.floor((id - firstUserId) / userBlockSize);

/** The first id of a block. */
export const firstIdOf = (block: number): number => firstUserId + block * userBlockSize;

export interface Counter {
  nextId: number;
  endId: number;
}

interface CounterRow {
  readonly account_id: number;
  readonly next_id: number;
  readonly end_id: number;
}

/**
 * The counters of accounts, held to the commit. Without waiting, counters that another transaction holds are left out,
 * and so are accounts that have no counter yet.
 */
export function* lockCounters(
  dialect: Dialect,
  accountIds: readonly number[],
  mayWait: boolean,
): Steps<Map<number, Counter>> {
  const counters = new Map<number, Counter>();
  if (mayWait) {
    for (const accountId of accountIds) counters.set(accountId, yield* lockCounter(accountId));
    return counters;
  }
  const rows = yield* dialect.holdRows({
    table: 'user_counter',
    key: ['account_id'],
    keys: accountIds.map((accountId) => [accountId]),
    columns: ['account_id', 'next_id', 'end_id'],
    mayWait,
  });
  for (const row of rows as unknown as readonly CounterRow[])
    counters.set(row.account_id, { nextId: row.next_id, endId: row.end_id });
  return counters;
}

export function* lockCounter(accountId: number): Steps<Counter> {
  const lock = sql`
    update user_counter
    set total = total
    where account_id = ${accountId}
    returning next_id as "nextId", end_id as "endId"`;
  const { rows } = yield lock;
  if (rows.length > 0) return { ...(rows[0] as unknown as Counter) };
  yield sql`
    insert into user_counter (account_id, next_id, end_id, total)
    values (${accountId}, 1, 0, 0)
    on conflict (account_id) do nothing`;
  const { rows: made } = yield lock;
  return { ...(made[0] as unknown as Counter) };
}

/** The next ids of the account's range, as far as it goes. */
export function nextIds({ nextId, endId }: Counter, count: number): number[] {
  const end = Math.min(endId, nextId + count - 1);
  return Array.from({ length: Math.max(0, end - nextId + 1) }, (_, at) => nextId + at);
}

/** Ids of which it has been asked already whether they are the address of a user, and the addresses that are. */
interface KnownIds {
  readonly ids: ReadonlySet<number>;
  readonly taken: ReadonlySet<string>;
}

/** The one row from which all accounts take their ranges. */
const storeRange: RowsToHold = {
  table: 'user_range',
  key: ['id'],
  keys: [[1]],
  columns: ['id'],
  mayWait: false,
};

interface TakingIds {
  readonly known: KnownIds;
  /** Whether to wait for the ranges of the store, which are one row for all accounts. */
  readonly mayWait: boolean;
}

/**
 * The next free ids of the account: from its range, then from ranges of the store; taken addresses are skipped. `heldUp`
 * when another transaction has the ranges and this one may not wait for it.
 */
export function* takeIds(
  dialect: Dialect,
  accountId: number,
  counter: Counter,
  count: number,
  reserved: ReadonlySet<string>,
  { known, mayWait }: TakingIds,
): Steps<readonly number[] | typeof heldUp> {
  const ids: number[] = [];
  while (ids.length < count) {
    if (counter.nextId > counter.endId) {
      if (!mayWait && (yield* dialect.holdRows(storeRange)).length === 0) return heldUp;
      const { rows } = yield sql`
        update user_range
        set next_id = next_id + ${userBlockSize}
        where id = 1
        returning next_id as "nextId"`;
      const { nextId } = rows[0] as { readonly nextId: number };
      counter.nextId = nextId - userBlockSize;
      counter.endId = nextId - 1;
    }
    const next = nextIds(counter, count - ids.length);
    const taken = next.every((id) => known.ids.has(id))
      ? known.taken
      : (yield* takenAmong(dialect, accountId, [], next.map(String))).addresses;
    ids.push(...next.filter((id) => !taken.has(String(id)) && !reserved.has(String(id))));
    counter.nextId += next.length;
  }
  return ids;
}

/** The next free id of the account, of which the counter is held. */
export function* takeId(dialect: Dialect, accountId: number, counter: Counter): Steps<number> {
  const known = { ids: new Set<number>(), taken: new Set<string>() };
  const ids = yield* takeIds(dialect, accountId, counter, 1, new Set(), { known, mayWait: true });
  if (ids === heldUp) throw new Error('A change that may wait was held up.');
  return ids[0]!;
}
