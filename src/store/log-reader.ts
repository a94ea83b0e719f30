// Reading the log: totals and scores of a range from the daily rows, and the rows of a window by position. A position
// is found through the blocks: full ones never change, so what a range contains of each is counted once and
// remembered.

import sql, { raw, type Sql } from 'sql-template-tag';
import { type Block, blockSize, countInRange, placesInRange } from '../domain/block.ts';
import type { DateRange } from '../domain/dates.ts';
import type { ShownRow } from '../domain/respondent.ts';
import type { LatentSum } from '../domain/score.ts';
import type { Window } from '../domain/window.ts';
import type { Source } from './catalogue.ts';
import { type Db, type Fields, type LargeAnswer, limitOf } from './db.ts';
import { besideResponse, isAmong } from './lists.ts';
import { TurnQuestions } from './turn-questions.ts';

type SourceId = Pick<Source, 'accountId' | 'sourceId'>;

/** A source, and what is known of its definition; nothing may be known of it. */
type ReadableSource = SourceId & Partial<Pick<Source, 'surveys' | 'revision'>>;

/** A row of the log as it is read, with the number of the version that explains it. */
export interface LogRow extends ShownRow {
  readonly seq: number;
  readonly surveyNumber: number;
}

export interface RangeFacts {
  readonly total: number;
  /** Of the source's definition: every row that is counted was judged by this revision or an older one. */
  readonly revision: number;
  readonly sums: ReadonlyMap<string, LatentSum>;
}

/** Whoever has shown the rows lets the page go. */
export interface Page extends LargeAnswer<LogRow> {
  readonly facts: RangeFacts;
}

interface RememberedRange {
  facts: RangeFacts;
  /** The counter of the source when the facts were read. */
  lastSeq: number;
  /** How many rows of the range lie before each full block, and behind the last one. */
  before: number[];
}

/** The days of the rows behind a full block, in their order. */
interface Tail {
  readonly days: number[];
  readonly readAtMs: number;
}

/** How far the logs have come: callers who walk one together ask together. */
const lastSeqs = new TurnQuestions<number, number>(async (db, accountId, sourceIds) => {
  const rows = await db.read<{ source_id: number; last_seq: number }>(sql`
    select source_id, last_seq
    from log_counter
    where account_id = ${accountId} and ${isAmong(db.engine, sql`source_id`, sourceIds, 'integer')}`);
  return new Map(rows.map(({ source_id: sourceId, last_seq: lastSeq }) => [sourceId, lastSeq]));
});

const rangesMax = 64;
const tailsMax = 64;
// A store that lost its last rows, because a standby took over without them, gives their numbers to others.
const tailAgeMaxMs = 4_000;
const blocksAtOnce = 2_000;

export class LogReader {
  readonly #db: Db;
  readonly #ranges = new Map<string, RememberedRange>();
  readonly #tails = new Map<string, Tail>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** The facts are read first: whatever comes in after that only joins at the end, so the page agrees with them. */
  async page(source: ReadableSource, range: DateRange, window: Window): Promise<Page> {
    const remembered = await this.#remember(source, range);
    const { facts } = remembered;
    const take = Math.min(window.take, facts.total - window.skip);
    if (take <= 0) return { ...noRows, facts };
    const seqs = await this.#locate(source, range, remembered, window.skip, take);
    return { ...(await this.#rows(source, seqs, mayHaveExternal(source, facts))), facts };
  }

  async #remember(source: SourceId, range: DateRange): Promise<RememberedRange> {
    const { accountId, sourceId } = source;
    const key = `${accountId} ${sourceId} ${range.firstDay} ${range.lastDay}`;
    const lastSeq = (await lastSeqs.find(this.#db, accountId, sourceId)) ?? 0;
    const known = this.#ranges.get(key);
    if (known !== undefined && known.lastSeq === lastSeq) return known;
    const facts = await this.#facts(source, range);
    const remembered = known ?? { facts, lastSeq, before: [0] };
    remembered.facts = facts;
    remembered.lastSeq = lastSeq;
    keepLatest(this.#ranges, key, remembered, rangesMax);
    return remembered;
  }

  async #facts({ accountId, sourceId }: SourceId, { firstDay, lastDay }: DateRange): Promise<RangeFacts> {
    // One statement, so that the total, the scores and the revision are of one moment.
    const rows = await this.#db.read<FactRow>(sql`
      select null as latent_id, 0 as micros_high, 0 as micros_low, ${sumInParts('responses', 'counted')}
      from log_day
      where account_id = ${accountId} and source_id = ${sourceId} and day between ${firstDay} and ${lastDay}
      union all
      select latent_id, ${sumInParts('micros', 'micros')}, ${sumInParts('scored', 'counted')}
      from log_day_latent
      where account_id = ${accountId} and source_id = ${sourceId} and day between ${firstDay} and ${lastDay}
      group by latent_id
      union all
      select '', 0, 0, 0, revision
      from log_counter
      where account_id = ${accountId} and source_id = ${sourceId}`);
    const sums = new Map<string, LatentSum>();
    let total = 0;
    let revision = 0;
    for (const row of rows) {
      const { latent_id: latentId } = row;
      const counted = wholeSum(row.counted_high, row.counted_low);
      if (latentId === null) total = counted;
      // No latent has an empty id.
      else if (latentId === '') revision = counted;
      else sums.set(latentId, { micros: wholeSum(row.micros_high, row.micros_low), count: counted });
    }
    return { total, revision, sums };
  }

  /** The numbers of the rows at positions `skip` to `skip + take` of a range. */
  async #locate(
    source: SourceId,
    range: DateRange,
    remembered: RememberedRange,
    skip: number,
    take: number,
  ): Promise<number[]> {
    await this.#countBlocks(source, range, remembered);
    const { before } = remembered;
    const fullBlocks = before.length - 1;
    const inBlocks = before[fullBlocks]!;
    const seqs: number[] = [];
    if (skip < inBlocks) seqs.push(...(await this.#locateInBlocks(source, range, before, skip, take)));
    const missing = take - seqs.length;
    if (missing > 0) {
      const firstPlace = Math.max(0, skip - inBlocks);
      const tail = await this.#tail(source, range, fullBlocks * blockSize, firstPlace + missing);
      seqs.push(...tail.slice(firstPlace, firstPlace + missing));
    }
    return seqs;
  }

  async #countBlocks(
    { accountId, sourceId }: SourceId,
    range: DateRange,
    { before, lastSeq }: RememberedRange,
  ): Promise<void> {
    const full = Math.floor(lastSeq / blockSize);
    while (before.length - 1 < full) {
      const firstBlock = before.length - 1;
      const blocks = await this.#db.read<Block>(sql`
        select day_min as "dayMin", day_max as "dayMax", days
        from log_block
        where account_id = ${accountId} and source_id = ${sourceId}
          and block >= ${firstBlock} and block < ${Math.min(full, firstBlock + blocksAtOnce)}
        order by block
        limit ${limitOf(blocksAtOnce)}`);
      // Another request may have counted the same blocks meanwhile.
      if (before.length - 1 !== firstBlock) continue;
      if (blocks.length === 0) throw new Error('The log has rows without their block.');
      for (const block of blocks) before.push(before.at(-1)! + countInRange(block, range));
    }
  }

  async #locateInBlocks(
    source: SourceId,
    range: DateRange,
    before: readonly number[],
    skip: number,
    take: number,
  ): Promise<number[]> {
    const first = lastAtMost(before, skip);
    const last = Math.min(before.length - 2, lastAtMost(before, skip + take - 1));
    const wanted: number[] = [];
    const partial: number[] = [];
    for (let block = first; block <= last; block += 1) {
      const count = before[block + 1]! - before[block]!;
      if (count > 0) wanted.push(block);
      if (count > 0 && count < blockSize) partial.push(block);
    }
    const places = await this.#placesOf(source, range, partial);
    const seqs: number[] = [];
    let position = before[first]!;
    for (const block of wanted) {
      const inBlock = places.get(block) ?? allPlaces;
      for (const place of inBlock) {
        if (position >= skip && seqs.length < take) seqs.push(block * blockSize + place + 1);
        position += 1;
      }
    }
    return seqs;
  }

  async #placesOf(
    { accountId, sourceId }: SourceId,
    range: DateRange,
    blocks: readonly number[],
  ): Promise<Map<number, readonly number[]>> {
    if (blocks.length === 0) return new Map();
    const rows = await this.#db.read<Block & { block: number }>(sql`
      select block, day_min as "dayMin", day_max as "dayMax", days
      from log_block
      where account_id = ${accountId} and source_id = ${sourceId}
        and ${isAmong(this.#db.engine, sql`block`, blocks, 'integer')}`);
    return new Map(rows.map((block) => [block.block, placesInRange(block, range)]));
  }

  /**
   * The numbers of the first rows of a range behind a full block, at least so many if there are. Rows are numbered
   * without a gap and keep their days, so what was read is remembered for a while, and only later ones are asked for.
   */
  async #tail(
    { accountId, sourceId }: SourceId,
    { firstDay, lastDay }: DateRange,
    afterSeq: number,
    count: number,
  ): Promise<number[]> {
    const key = `${accountId} ${sourceId} ${afterSeq}`;
    const days = this.#recentTail(key);
    for (;;) {
      const known = days.length;
      const seqs: number[] = [];
      for (const [place, day] of days.entries())
        if (day >= firstDay && day <= lastDay) seqs.push(afterSeq + place + 1);
      if (seqs.length >= count) return seqs;
      using later = await this.#db.readLarge(
        sql`
          select day
          from response
          where account_id = ${accountId} and source_id = ${sourceId} and seq > ${afterSeq + known}
          order by seq
          limit ${limitOf(4 * blockSize)}`,
        (fields) => fields.integer(),
      );
      if (later.rows.length === 0) return seqs;
      // Another request may have read the same rows meanwhile.
      if (days.length === known) days.push(...later.rows);
    }
  }

  #recentTail(key: string): number[] {
    const nowMs = performance.now();
    const known = this.#tails.get(key);
    const isRecent = known !== undefined && nowMs - known.readAtMs < tailAgeMaxMs;
    const tail = isRecent ? known : { days: [], readAtMs: nowMs };
    keepLatest(this.#tails, key, tail, tailsMax);
    return tail.days;
  }

  async #rows(
    { accountId, sourceId }: SourceId,
    seqs: readonly number[],
    hasExternal: boolean,
  ): Promise<LargeAnswer<LogRow>> {
    const first = seqs[0];
    const last = seqs.at(-1);
    if (first === undefined || last === undefined) return noRows;
    const isRun = last - first === seqs.length - 1;
    const these = isRun
      ? sql`response.seq between ${first} and ${last}`
      : isAmong(this.#db.engine, sql`response.seq`, seqs, 'integer');
    const query = sql`
      select response.seq, survey_no, response_id, submitted_at, row_values,
        ${hasExternal ? besideResponse('response_external', 'external') : sql`null`}
      from response
      where response.account_id = ${accountId} and response.source_id = ${sourceId} and ${these}
      order by response.seq
      limit ${limitOf(seqs.length)}`;
    return this.#db.readLarge(query, rowOf);
  }
}

interface FactRow {
  readonly latent_id: string | null;
  readonly micros_high: number;
  readonly micros_low: number;
  readonly counted_high: number;
  readonly counted_low: number;
}

/**
 * A sum as two columns: of the upper halves and of the lower 32 bits. The sum of some ninety million scores in
 * millionths is beyond what a double can tell apart, and SQLite's driver then fails rather than round; of halves, any
 * range of days stays far below that.
 */
function sumInParts(column: string, name: string): Sql {
  return sql`
    cast(coalesce(sum(${raw(column)} >> 32), 0) as bigint) as ${raw(`${name}_high`)},
    cast(coalesce(sum(${raw(column)} & 4294967295), 0) as bigint) as ${raw(`${name}_low`)}`;
}

/** Rounded to a double where it is larger than one can tell apart. */
function wholeSum(high: number, low: number): number {
  return high * 2 ** 32 + low;
}

const noRows: LargeAnswer<LogRow> = { rows: [], [Symbol.dispose]: () => {} };

/** Looking beside every row takes as long as reading it, and few definitions have external parameters. */
function mayHaveExternal({ surveys, revision = 0 }: ReadableSource, facts: RangeFacts): boolean {
  if (surveys === undefined || revision < facts.revision) return true;
  return surveys.some(({ definition }) => definition.parameters.external.length > 0);
}

function rowOf(fields: Fields): LogRow {
  return {
    seq: fields.integer(),
    surveyNumber: fields.integer(),
    responseId: fields.text(),
    submittedAtMs: fields.integer(),
    values: fields.textOrBytes(),
    external: fields.textOrNull(),
  };
}

/** What was kept last stays longest. */
function keepLatest<T>(map: Map<string, T>, key: string, value: T, sizeMax: number): void {
  map.delete(key);
  map.set(key, value);
  const oldest = map.size > sizeMax ? map.keys().next().value : undefined;
  if (oldest !== undefined) map.delete(oldest);
}

const allPlaces = Array.from({ length: blockSize }, (_, place) => place);

/** The last index whose entry is at most the value, in a list that never falls: behind blocks that count nothing. */
function lastAtMost(list: readonly number[], value: number): number {
  let low = 0;
  let high = list.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (list[middle]! <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
