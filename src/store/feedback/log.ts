// The log of a source: append, and nothing else changes it. One append carries many responses of many sources.
//
// The order of its statements is what keeps the promises. First the counters of all sources in the batch are held, in
// one statement and in the order of their keys, so that two batches cannot hold each other up. An append of many
// accounts does not wait for a counter that another transaction holds: those responses leave it (group-commit.ts). Then,
// in a later statement, it is asked which response ids exist: a snapshot taken before the wait for the lock would miss
// what was committed during it. Only the new ones get numbers. The counters stay held until the commit, so a reader that
// sees n + 1 sees n.

import sql, { type Sql } from 'sql-template-tag';
import { blockGroupSize, blockSize, packBlock } from '../../domain/feedback/block.ts';
import { contentHash } from '../../domain/feedback/content-hash.ts';
import type { AppendItem } from '../../domain/feedback/judged-draft.ts';
import { withExactIntegers } from '../../domain/feedback/response-draft.ts';
import { parseJsonText } from '../../domain/json-text.ts';
import { type Db, insertInto, type ManyRows, type Steps, together } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import { heldUp } from '../engine/work/group-commit.ts';
import { digestsAfter, type RowsToSum, rowsToSum, type SeqRange, sumsOf } from './day-sums.ts';
import { closeBlockGroup } from './log-history.ts';
import { type QuickOutcome, quickAppend, quickOutcomes, quickSources } from './quick-append.ts';
import { lookupColumn, responsesWith } from './response-lookup.ts';

/**
 * `kept`: it is new and durable. `repeated`: the same response was kept before (D-41). `conflict`: another one has
 * this id. `stale`: the definition has changed since it was judged.
 */
export type AppendOutcome = 'kept' | 'repeated' | 'conflict' | 'stale';

interface AppendResponses {
  readonly items: readonly AppendItem[];
  /** Random, of this append alone: the counters and the blocks it fills keep it (`newMark`, log-history.ts). */
  readonly mark: string;
  /** Whether to wait for counters that another transaction holds; if not, their responses are `heldUp`. */
  readonly mayWait?: boolean;
  /** Whether it may be tried in one statement first, where the engine can do that, which fails when an id turns out to exist. */
  readonly isQuick?: boolean;
}

interface Counter {
  readonly accountId: number;
  readonly sourceId: number;
  readonly revision: number;
  readonly firstSeq: number;
  lastSeq: number;
  /** Rows after `summedSeq` and up to `openSeq` are in no daily sum yet (D-188). */
  readonly summedSeq: number;
  readonly openSeq: number;
  /** Up to here the rows are in the digests of their days (D-252). */
  readonly digestedSeq: number;
}

export type BatchOutcome = AppendOutcome | typeof heldUp;

export function* appendResponses(input: AppendResponses, dialect: Dialect): Steps<readonly BatchOutcome[]> {
  const { items, isQuick = false } = input;
  const sources = dialect.hasWholeWrites && isQuick ? quickSources(items) : null;
  if (sources === null) return yield* appendAll(input, dialect);
  const { rows } = yield { whole: quickAppend(dialect, sources, input.mark) };
  const quick = new Map<AppendItem, QuickOutcome>();
  for (const [index, outcome] of quickOutcomes(rows).entries())
    for (const item of sources[index]!.items) quick.set(item, outcome);
  const left = items.filter(
    (item) => quick.get(item) === 'left' || (quick.get(item) === 'held' && input.mayWait),
  );
  const outcomes = left.length === 0 ? [] : yield* appendAll({ ...input, items: left }, dialect);
  const ofLeft = new Map(left.map((item, index) => [item, outcomes[index]!]));
  return items.map((item) => (quick.get(item) === 'kept' ? 'kept' : (ofLeft.get(item) ?? heldUp)));
}

function* appendAll(
  { items, mark, mayWait = true }: AppendResponses,
  dialect: Dialect,
): Steps<readonly BatchOutcome[]> {
  const counters = yield* holdCounters(dialect, items, mayWait);
  const isFree = ({ accountId, sourceId }: AppendItem): boolean =>
    mayWait || counters.has(keyOf(accountId, sourceId));
  const free = items.every(isFree) ? items : items.filter(isFree);
  if (free.length === 0) return items.map(() => heldUp);
  const known = yield* knownContents(dialect, free);
  const kept: { item: AppendItem; seq: number }[] = [];
  const outcomes = items.map((item) => {
    if (!isFree(item)) return heldUp;
    const id = keyOf(item.accountId, item.responseId);
    const content = known.get(id);
    if (content !== undefined) return hashOf(content) === hashOfBody(item.body) ? 'repeated' : 'conflict';
    const counter = counters.get(keyOf(item.accountId, item.sourceId));
    if (counter === undefined || counter.revision !== item.revision) return 'stale';
    // The next one of this batch with the same id meets this one.
    known.set(id, { hash: null, body: item.body });
    counter.lastSeq += 1;
    kept.push({ item, seq: counter.lastSeq });
    return 'kept';
  });
  if (kept.length === 0) return outcomes;
  const grown = [...counters.values()].filter(({ firstSeq, lastSeq }) => lastSeq >= firstSeq);
  yield together(responseRows(kept), bodyRows(kept), usedRows(kept), counterRows(grown, mark));
  for (const counter of grown) yield* closeBlocks(dialect, counter, mark);
  return outcomes;
}

/**
 * The rows that are to be summed now. Usually these are the rows of full blocks that are not summed yet. A replica of an
 * older release sums its rows when it appends them and changes neither `summedSeq` nor `openSeq`. Where such a replica
 * has appended since, the open rows before its own are summed (`beforeOthers`), its own are passed over, and blocks are
 * summed from this append on.
 */
function rangesToSum(counter: Counter): readonly SeqRange[] {
  const { firstSeq, summedSeq, openSeq } = counter;
  const isContinued = openSeq === firstSeq - 1;
  const beforeOthers: SeqRange[] = isContinued ? [] : [[summedSeq, openSeq]];
  const ofBlocks: SeqRange = [isContinued ? summedSeq : firstSeq - 1, summedAfter(counter)];
  return [...beforeOthers, ofBlocks].filter(([afterSeq, lastSeq]) => lastSeq > afterSeq);
}

/** Up to where the rows are summed after this append. */
function summedAfter({ firstSeq, lastSeq, summedSeq, openSeq }: Counter): number {
  const before = openSeq === firstSeq - 1 ? summedSeq : firstSeq - 1;
  return Math.max(before, Math.floor(lastSeq / blockSize) * blockSize);
}

/**
 * More rows than this are not folded into the digests of days by an append: a log that was there before there were
 * digests is left to the background task. A replica of before leaves a few blocks at most before one of ours comes by.
 */
const foldedRowsMax = 8 * blockSize;

/** The rows that this append folds into the digests of their days; null where there are none, or too many. */
function rangeToFold({ digestedSeq, lastSeq }: Counter): SeqRange | null {
  const lastFull = Math.floor(lastSeq / blockSize) * blockSize;
  const count = lastFull - digestedSeq;
  return count > 0 && count <= foldedRowsMax ? [digestedSeq, lastFull] : null;
}

function keyOf(accountId: number, rest: number | string): string {
  return `${accountId} ${rest}`;
}

interface CounterRow {
  readonly account_id: number;
  readonly source_id: number;
  readonly last_seq: number;
  readonly revision: number;
  readonly summed_seq: number;
  readonly open_seq: number;
  readonly digested_seq: number;
}

function* holdCounters(
  dialect: Dialect,
  items: readonly AppendItem[],
  mayWait: boolean,
): Steps<Map<string, Counter>> {
  const sources = [...new Map(items.map((item) => [keyOf(item.accountId, item.sourceId), item])).values()];
  const counters = new Map<string, Counter>();
  const rows = yield* dialect.holdRows({
    table: 'log_counter',
    key: ['account_id', 'source_id'],
    keys: sources.map(({ accountId, sourceId }) => [accountId, sourceId]),
    columns: ['account_id', 'source_id', 'last_seq', 'revision', 'summed_seq', 'open_seq', 'digested_seq'],
    mayWait,
  });
  for (const row of rows as unknown as readonly CounterRow[]) {
    const counter = {
      accountId: row.account_id,
      sourceId: row.source_id,
      revision: row.revision,
      firstSeq: row.last_seq + 1,
      lastSeq: row.last_seq,
      summedSeq: row.summed_seq,
      openSeq: row.open_seq,
      digestedSeq: row.digested_seq,
    };
    counters.set(keyOf(counter.accountId, counter.sourceId), counter);
  }
  return counters;
}

/**
 * What tells a retry from another response under the same id (D-41). The body as sent is kept, so its hash is worked
 * out when somebody asks, which is rarely; an erased response has its hash in place of its body.
 */
interface KeptContent {
  readonly hash: string | null;
  readonly body: string | null;
}

function hashOf({ hash, body }: KeptContent): string {
  return hash ?? hashOfBody(body ?? '{}');
}

export function hashOfBody(body: string): string {
  return contentHash(withExactIntegers(parseJsonText(body), body) as Record<string, unknown>);
}

function* knownContents(dialect: Dialect, items: readonly AppendItem[]): Steps<Map<string, KeptContent>> {
  const known = new Map<string, KeptContent>();
  const asked = Map.groupBy(
    items.filter(({ isFreshId }) => !isFreshId),
    ({ accountId }) => accountId,
  );
  for (const [accountId, group] of asked) {
    const ids = group.map(({ responseId }) => responseId);
    const { rows } = yield selectContent(accountId, responsesWith(dialect, accountId, ids));
    for (const { response_id: id, hash, body } of rows as unknown as ContentRow[]) {
      known.set(keyOf(accountId, id), { hash, body });
    }
  }
  return known;
}

interface ContentRow extends KeptContent {
  readonly response_id: string;
}

function selectContent(accountId: number, responses: Sql): Sql {
  return sql`
    select response_id, hash, ${lookupColumn(accountId, 'response_body', 'body')}
    from ${responses}`;
}

/** The hash of the response that is kept under this id, or null when there is none. */
export async function findHash(db: Db, accountId: number, responseId: string): Promise<string | null> {
  const [row] = await db.read<ContentRow>(
    selectContent(accountId, responsesWith(db.dialect, accountId, [responseId])),
  );
  return row === undefined ? null : hashOf(row);
}

/** How many responses an account has, all sources together. */
export async function countResponses(db: Db, accountId: number): Promise<number> {
  const [row] = await db.read<{ counted: number }>(sql`
    select cast(coalesce(sum(last_seq), 0) as bigint) as counted
    from log_counter
    where account_id = ${accountId}`);
  return row?.counted ?? 0;
}

type Kept = readonly { item: AppendItem; seq: number }[];

function responseRows(kept: Kept): ManyRows {
  return insertInto('response', kept, {
    account_id: ['integer', ({ item }) => item.accountId],
    source_id: ['integer', ({ item }) => item.sourceId],
    seq: ['integer', ({ seq }) => seq],
    day: ['integer', ({ item }) => item.day],
    response_id: ['text', ({ item }) => item.responseId],
    survey_no: ['integer', ({ item }) => item.surveyNumber],
    submitted_at: ['integer', ({ item }) => item.submittedAtMs],
    row_values: ['text', ({ item }) => item.values],
  });
}

function bodyRows(kept: Kept): ManyRows {
  return insertInto('response_body', kept, {
    account_id: ['integer', ({ item }) => item.accountId],
    source_id: ['integer', ({ item }) => item.sourceId],
    seq: ['integer', ({ seq }) => seq],
    body: ['text', ({ item }) => item.body],
  });
}

function usedRows(kept: Kept): ManyRows {
  const used = new Map(kept.map(({ item }) => [item.surveyId, item]));
  return insertInto(
    'survey_used',
    [...used.values()],
    {
      account_id: ['integer', ({ accountId }) => accountId],
      survey_id: ['text', ({ surveyId }) => surveyId],
    },
    'on conflict (account_id, survey_id) do nothing',
  );
}

function counterRows(counters: readonly Counter[], mark: string): ManyRows {
  return insertInto(
    'log_counter',
    counters,
    {
      account_id: ['integer', (counter) => counter.accountId],
      source_id: ['integer', (counter) => counter.sourceId],
      last_seq: ['integer', (counter) => counter.lastSeq],
      revision: ['integer', (counter) => counter.revision],
      mark: ['text', () => mark],
      summed_seq: ['integer', (counter) => summedAfter(counter)],
      open_seq: ['integer', (counter) => counter.lastSeq],
      digested_seq: ['integer', (counter) => rangeToFold(counter)?.[1] ?? counter.digestedSeq],
    },
    `on conflict (account_id, source_id) do update
      set last_seq = excluded.last_seq, mark = excluded.mark, summed_seq = excluded.summed_seq,
        open_seq = excluded.open_seq, digested_seq = excluded.digested_seq`,
  );
}

/** Adds to the daily sums what is to be summed now, and writes down the days of every block that this batch has filled. */
function* closeBlocks(dialect: Dialect, counter: Counter, mark: string): Steps<void> {
  const { accountId, sourceId } = counter;
  const summed: RowsToSum[] = [];
  const toFold = rangeToFold(counter);
  let folded: RowsToSum | null = null;
  for (const range of rangesToSum(counter)) {
    const isToFold = toFold?.every((seq, at) => seq === range[at]) ?? false;
    const rows = yield* rowsToSum(dialect, counter, range, isToFold);
    summed.push(rows);
    if (isToFold) folded = rows;
  }
  // Nearly always the same rows; not so where a replica of before was at work.
  if (toFold !== null) folded ??= yield* rowsToSum(dialect, counter, toFold, true);
  const blocks = filledBlocks(counter);
  if (summed.length === 0 && blocks.length === 0 && folded === null) return;
  const dayOf = new Map(summed.flatMap(({ rows }) => rows.map(({ seq, day }) => [seq, day])));
  const packed: ({ readonly block: number } & ReturnType<typeof packBlock>)[] = [];
  for (const block of blocks) {
    packed.push({ block, ...packBlock(yield* daysOf(counter, block, dayOf)) });
  }
  yield together(
    ...sumsOf(counter, summed, folded === null ? [] : digestsAfter(folded)),
    insertInto('log_block', packed, {
      account_id: ['integer', () => accountId],
      source_id: ['integer', () => sourceId],
      block: ['integer', ({ block }) => block],
      day_min: ['integer', ({ dayMin }) => dayMin],
      day_max: ['integer', ({ dayMax }) => dayMax],
      days: ['text', ({ days }) => days],
      mark: ['text', () => mark],
      filled_mark: ['text', () => mark],
    }),
  );
  for (const block of blocks) {
    if ((block + 1) % blockGroupSize === 0)
      yield* closeBlockGroup({ accountId, sourceId, group: (block + 1) / blockGroupSize - 1 });
  }
}

/** The numbers of the blocks that are full after this append and were not before. */
function filledBlocks({ firstSeq, lastSeq }: Counter): readonly number[] {
  const firstBlock = Math.floor((firstSeq - 1) / blockSize);
  const openBlock = Math.floor(lastSeq / blockSize);
  return Array.from({ length: openBlock - firstBlock }, (_, index) => firstBlock + index);
}

/** The days of the rows of a block, in their order: those that were read to be summed, or else all of them once more. */
function* daysOf(
  { accountId, sourceId }: Counter,
  block: number,
  known: ReadonlyMap<number, number>,
): Steps<readonly number[]> {
  const seqs = Array.from({ length: blockSize }, (_, place) => block * blockSize + place + 1);
  if (seqs.every((seq) => known.has(seq))) return seqs.map((seq) => known.get(seq)!);
  const { rows } = yield sql`
    select day
    from response
    where account_id = ${accountId} and source_id = ${sourceId}
      and seq > ${block * blockSize} and seq <= ${(block + 1) * blockSize}
    order by seq`;
  return rows.map((row) => row.day as number);
}
