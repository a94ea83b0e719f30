// Reading a page of the log: how many responses a range of days has and what their scores add up to (the facts), and
// then the rows that the page shows, however deep they lie.
//
// Facts first, rows second. The log only grows at its end, so whatever comes in after the facts were read lies behind the
// rows that they count, and the page agrees with its own total without a transaction around both. The facts come from
// daily sums, which are kept for full blocks; the few rows behind the last full block are summed here (day-sums.ts).
//
// The rows of a page are found by position, not by passing those before them: log-places.ts turns "rows 900,000 to
// 900,050 of these days" into row numbers by adding up counts of blocks. It remembers them, and a store may lose its last
// rows when a standby takes over. So the rows that come back are held against the numbers that were asked for; where they
// differ, everything that is remembered of this log is forgotten and the page is read again (`LogChanged`).
//
// A server costs a way there and back for each question. Where nothing is known of a range, the end of its log, its facts and
// the days behind the last full block are one question, and the rows the second and last one (D-752).
//
// A window is bounded in rows but not in bytes, so a page is read in slices of bounded size, and the sender of the
// page asks for the next slice when its connection can take it. Nearly always all rows are small: then many are read at
// once, with a check in the statement that leaves out the values of a large row, and only where there is such a row is the
// rest read up to so many bytes (D-177).

import sql, { empty, raw, type Sql } from 'sql-template-tag';
import type { DateRange } from '../../domain/dates.ts';
import type { ShownRow } from '../../domain/feedback/respondent.ts';
import type { LatentSum } from '../../domain/feedback/score.ts';
import type { Window } from '../../domain/window.ts';
import { type Db, type Fields, type LargeAnswer, limitOf } from '../engine/db.ts';
import type { Standby } from '../engine/postgres/standby.ts';
import { Cache } from '../engine/work/cache.ts';
import type { WorkQueue } from '../engine/work/work-budget.ts';
import type { Source } from './catalogue.ts';
import {
  addScores,
  addTo,
  type LatentsOfVersions,
  latentsOf,
  latentsOfRows,
  type SummedRow,
  scoresOf,
  selectVersions,
  type VersionRow,
} from './day-sums.ts';
import {
  LogChanged,
  type LogEnd,
  LogPlaces,
  type LogSnapshot,
  type LogState,
  markOfLastBlock,
  rangeKey,
  type SourceId,
  sizeText,
} from './log-places.ts';
import { LogScan, type ScanBounds } from './log-scan.ts';
import { digestOf, lookupColumn } from './response-lookup.ts';
import { standbyWith } from './standby-rows.ts';

/** A source, and what is known of its definition; nothing may be known of it. */
export type ReadableSource = SourceId & Partial<Pick<Source, 'surveys' | 'revision'>>;

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

/** The facts, and the end of the log at the moment they were read. */
interface FactsAtEnd extends LogEnd {
  readonly facts: RangeFacts;
}

/** What one question tells of a log: how far it has come, the facts of a range, and maybe the days at its end. */
interface ReadFacts {
  readonly state: LogState;
  readonly facts: RangeFacts;
  /** Of the rows behind the last full block; empty where they were not asked for. */
  readonly tail: readonly number[];
}

/** A page whose facts are known. */
interface OpenedRange {
  readonly snapshot: LogSnapshot;
  readonly atEnd: FactsAtEnd;
}

const factsBytesMax = 8 * 1024 * 1024;
/** The rows of one slice have no more bytes than this, unless a single row has. An ordinary page has one slice. */
export const rowSliceBytes = 1024 * 1024;
/** So many rows are read at once, if none of them has more bytes than its share of a slice. */
export const rowsAtOnce = 128;
const rowBytesAtOnce = rowSliceBytes / rowsAtOnce;
/** The same for further slices: while the caller does not read on, the slice in hand stays in memory (D-169). */
export const furtherRowSliceBytes = 256 * 1024;
/** Of rows whose digests are made in one statement: a mebibyte of bodies takes some ten milliseconds (D-935). */
const digestedBytesAtOnce = 256 * 1024;
const attemptsMax = 3;

export class LogReader {
  readonly #db: Db;
  readonly #workQueue: WorkQueue | null;
  readonly #standby: Standby | null;
  readonly #places: LogPlaces;
  readonly #facts = new Cache<string, FactsAtEnd>({
    bytesMax: factsBytesMax,
    bytesOf: ({ facts }) => 200 + facts.sums.size * 200,
  });

  /** Ranges that a server is being asked about. */
  readonly #openings = new Map<string, Promise<OpenedRange>>();

  /** With a queue, what takes some milliseconds of the event loop on an engine within the process is done in its slices. */
  constructor(db: Db, workQueue: WorkQueue | null = null, standby: Standby | null = null) {
    this.#db = db;
    this.#workQueue = workQueue;
    this.#standby = standby;
    this.#places = new LogPlaces(db);
  }

  /** A page with its first slice of rows. */
  page(source: ReadableSource, range: DateRange, window: Window): Promise<LogPage> {
    return this.read(source, range, window, async (page) => {
      await page.next();
      return page;
    });
  }

  /**
   * Hands over a page of which no row is read yet. The facts are read first: whatever comes in after that only joins at
   * the end, so the page agrees with them. Exactly the rows that the window names are on the page; where they turn out
   * not to be there, everything is asked anew, and another page handed over.
   */
  async read<T>(
    source: ReadableSource,
    range: DateRange,
    window: Window,
    use: (page: LogPage) => Promise<T>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await use(await this.#page(source, range, window));
      } catch (error) {
        if (!(error instanceof LogChanged)) throw error;
        this.#places.forget(source);
        if (attempt === attemptsMax) throw error;
      }
    }
  }

  /** All rows of a range that are there now, to be read page by page; rows that come in later are not among them. */
  async scan(source: ReadableSource, range: DateRange, bounds: ScanBounds): Promise<LogScan> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const snapshot = await this.#places.snapshot(source);
        const { facts, lastSeq } = await this.#factsOf(source, snapshot, range, null);
        const log = { places: this.#places, source, range, snapshot, lastSeq };
        return await LogScan.begin(log, facts, bounds, async (seqs) => this.#pageOf(source, facts, seqs));
      } catch (error) {
        if (!(error instanceof LogChanged)) throw error;
        this.#places.forget(source);
        if (attempt === attemptsMax) throw error;
      }
    }
  }

  /** Hands over the page of one response, found by its id; null where the source has none with this id. */
  async readOne<T>(
    source: ReadableSource,
    responseId: string,
    use: (page: LogPage, seq: number) => Promise<T>,
  ): Promise<T | null> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const found = await this.#find(source, responseId);
        if (found === null) return null;
        const { seq, revision } = found;
        return await use(await this.#pageOf(source, { total: 1, revision, sums: new Map() }, [seq]), seq);
      } catch (error) {
        if (!(error instanceof LogChanged) || attempt === attemptsMax) throw error;
      }
    }
  }

  async #find(
    { accountId, sourceId }: ReadableSource,
    responseId: string,
  ): Promise<{ readonly seq: number; readonly revision: number } | null> {
    // The id is unique in the account; whose source it is of is looked at here, so that the index of ids is used.
    const [row] = await this.#db.read<{ source_id: number; seq: number; revision: number }>(sql`
      select source_id, seq, (
        select revision
        from log_counter
        where log_counter.account_id = ${accountId} and log_counter.source_id = response.source_id
      ) as revision
      from response
      where account_id = ${accountId} and response_id = ${responseId}`);
    return row === undefined || row.source_id !== sourceId ? null : row;
  }

  async #page(source: ReadableSource, range: DateRange, window: Window): Promise<LogPage> {
    const { skip, take } = window;
    const { snapshot, atEnd } = await this.#open(source, range, window);
    const { facts, lastSeq } = atEnd;
    const count = Math.max(0, Math.min(take, facts.total - skip));
    if (count === 0) return new LogPage(this.#db, source, facts, []);
    const seqs = await this.#places.locate(source, snapshot, lastSeq, range, skip, count);
    if (seqs.length !== count) throw new LogChanged();
    return this.#pageOf(source, facts, seqs);
  }

  async #pageOf(source: ReadableSource, facts: RangeFacts, seqs: readonly number[]): Promise<LogPage> {
    const standby = this.#standby && (await standbyWith(this.#standby, this.#db, source, seqs));
    return new LogPage(this.#db, source, facts, seqs, standby);
  }

  async #open(source: ReadableSource, range: DateRange, window: Window): Promise<OpenedRange> {
    const opened = this.#db.dialect.hasRoundTrips ? await this.#openAtOnce(source, range, window) : null;
    if (opened !== null) return opened;
    const snapshot = await this.#places.snapshot(source);
    return { snapshot, atEnd: await this.#factsOf(source, snapshot, range, window) };
  }

  /**
   * By one question; null where two are as good, because the first may show that what is remembered is still so. Behind a
   * coordinator each costs more than what it asks, so there the first page of a range is asked this way in any case.
   */
  async #openAtOnce(source: ReadableSource, range: DateRange, window: Window): Promise<OpenedRange | null> {
    const snapshot = this.#places.rememberedOf(source);
    const atEnd = snapshot && this.#rememberedFacts(snapshot, range);
    if (atEnd !== null && !(this.#db.dialect.isSpread && window.skip === 0)) return null;
    const key = `${source.accountId} ${source.sourceId} ${rangeKey(range)}`;
    const underWay = this.#openings.get(key);
    if (underWay !== undefined) {
      // It was asked before we came, so its answer may be too old for us; but it will be remembered.
      await underWay.catch(() => {});
      return null;
    }
    const known = snapshot !== null && atEnd !== null ? { snapshot, atEnd } : null;
    const opening = this.#askAtOnce(source, range, window, known);
    this.#openings.set(key, opening);
    try {
      return await opening;
    } finally {
      this.#openings.delete(key);
    }
  }

  async #askAtOnce(
    source: ReadableSource,
    range: DateRange,
    window: Window,
    known: OpenedRange | null,
  ): Promise<OpenedRange> {
    const { state, facts, tail } = await this.#readFacts(source, range, window, known?.snapshot ?? null);
    const snapshot = await this.#places.snapshotOf(source, state);
    const { lastSeq, mark } = state;
    if (known !== null && known.snapshot.lastSeq === lastSeq && known.snapshot.mark === mark) {
      // The facts were left out of the answer.
      const atEnd = snapshot === known.snapshot ? known.atEnd : null;
      return { snapshot, atEnd: atEnd ?? (await this.#factsOf(source, snapshot, range, window)) };
    }
    const atEnd = { facts, lastSeq, mark };
    this.#facts.set(factsKey(snapshot, range), atEnd);
    this.#places.rememberTail(snapshot, tail);
    return { snapshot, atEnd };
  }

  #rememberedFacts(snapshot: LogSnapshot, range: DateRange): FactsAtEnd | null {
    const known = this.#facts.get(factsKey(snapshot, range));
    // Rows may have come in between the snapshot and the facts. Such facts belong to another end of the log, and a store
    // that loses these rows makes them wrong, so they are read again.
    return known !== undefined && isEndOf(known, snapshot) ? known : null;
  }

  async #factsOf(
    source: ReadableSource,
    snapshot: LogSnapshot,
    range: DateRange,
    window: Window | null,
  ): Promise<FactsAtEnd> {
    const known = this.#rememberedFacts(snapshot, range);
    if (known !== null) return known;
    const read = async (): Promise<FactsAtEnd> => {
      const { state, facts, tail } = await this.#readFacts(source, range, window, null);
      if (isEndOf(state, snapshot)) this.#places.rememberTail(snapshot, tail);
      return { facts, lastSeq: state.lastSeq, mark: state.mark };
    };
    const key = factsKey(snapshot, range);
    const facts = await this.#facts.ask(key, () => this.#workQueue?.runShort(read) ?? read());
    if (facts === null || facts.lastSeq < snapshot.lastSeq) throw new LogChanged();
    return facts;
  }

  /**
   * From a server, the days at the end come along where the window may reach them. With `unless`, a log that still ends there
   * is told of by its end alone.
   */
  async #readFacts(
    source: ReadableSource,
    { firstDay, lastDay }: DateRange,
    window: Window | null,
    unless: LogEnd | null,
  ): Promise<ReadFacts> {
    const { accountId, sourceId } = source;
    const ofSource = sql`account_id = ${accountId} and source_id = ${sourceId}`;
    const isWanted =
      unless === null
        ? empty
        : sql`and exists (
            select 1
            from log_counter
            where ${ofSource} and (last_seq <> ${unless.lastSeq} or mark is distinct from ${unless.mark})
          )`;
    const tailRows =
      window === null || !this.#db.dialect.hasRoundTrips
        ? empty
        : sql`
          union all
          select 'tail', '', 0, 0, 0, day, seq, null
          from response
          where ${ofSource}
            and seq > (select last_seq / ${sizeText} * ${sizeText} from log_counter where ${ofSource})
            and seq <= (select last_seq from log_counter where ${ofSource})
            and ${window.skip + window.take} > (
              select coalesce(sum(responses), 0)
              from log_day
              where ${ofSource} and day between ${firstDay} and ${lastDay}
            ) ${isWanted}`;
    const blockMark = this.#db.dialect.hasRoundTrips ? markOfLastBlock(accountId) : sql`''`;
    // One statement, so that the total, the scores, the revision and the end of the log are of one moment. What no
    // daily sum has yet comes row by row (D-188).
    const rows = await this.#db.read<FactRow>(sql`
      select 'days' as kind, '' as text, 0 as micros_high, 0 as micros_low, ${sumInParts('responses', 'counted')},
        0 as last_seq, null as mark
      from log_day
      where ${ofSource} and day between ${firstDay} and ${lastDay} ${isWanted}
      union all
      select 'latent', latent_id, ${sumInParts('micros', 'micros')}, ${sumInParts('scored', 'counted')}, 0, null
      from log_day_latent
      where ${ofSource} and day between ${firstDay} and ${lastDay} ${isWanted}
      group by latent_id
      union all
      select 'end', ${blockMark}, 0, 0, 0, revision, last_seq, mark
      from log_counter
      where ${ofSource}
      union all
      select 'open', ${scoresOf(this.#db.dialect)}, 0, 0, 0, survey_no, 0, null
      from response
      where ${ofSource} and day between ${firstDay} and ${lastDay}
        and seq > (select summed_seq from log_counter where ${ofSource})
        and seq <= (select open_seq from log_counter where ${ofSource}) ${isWanted}
      ${tailRows}`);
    const sums = new Map<string, LatentSum>();
    const open: Pick<SummedRow, 'survey_no' | 'scores'>[] = [];
    const tail: FactRow[] = [];
    let total = 0;
    let revision = 0;
    let state: LogState = { lastSeq: 0, mark: null, blockMark: null };
    for (const row of rows) {
      const counted = wholeSum(row.counted_high, row.counted_low);
      if (row.kind === 'days') total += counted;
      else if (row.kind === 'open') open.push({ survey_no: counted, scores: row.text! });
      else if (row.kind === 'tail') tail.push(row);
      else if (row.kind === 'end') {
        revision = counted;
        state = { lastSeq: row.last_seq, mark: row.mark, blockMark: row.text };
      } else sums.set(row.text!, { micros: wholeSum(row.micros_high, row.micros_low), count: counted });
    }
    total += open.length;
    const latents = open.length === 0 ? new Map() : await this.#latentsOf(source, open);
    for (const row of open) addScores(row, latents, (id, micros) => addTo(sums, id, micros));
    tail.sort((one, other) => one.last_seq - other.last_seq);
    const days = tail.map((row) => row.counted_low);
    return { state, facts: { total, revision, sums }, tail: days };
  }

  /** What is known of the source may be older than a row. */
  async #latentsOf(
    source: ReadableSource,
    rows: readonly Pick<SummedRow, 'survey_no'>[],
  ): Promise<LatentsOfVersions> {
    const known = latentsOf(source.surveys ?? []);
    if (rows.every(({ survey_no: number }) => known.has(number))) return known;
    return latentsOfRows(await this.#db.read<VersionRow>(selectVersions(source)));
  }
}

/** The rows of a window, one slice at a time. The code that has shown them disposes of the page. */
export class LogPage implements Disposable {
  readonly facts: RangeFacts;
  /** How many rows the page has, all slices together. */
  readonly rowCount: number;
  readonly #db: Db;
  readonly #source: ReadableSource;
  readonly #mayHaveExternal: boolean;
  #seqs: readonly number[];
  #slice: LargeAnswer<unknown> = noRows;
  #rows: readonly LogRow[] = [];
  /** Whether a row of the page turned out to be too large for reading many at once. */
  #hasLargeRow = false;
  /** Has the rows of the page; null where they come from the writer. */
  #standby: Standby | null;

  constructor(
    db: Db,
    source: ReadableSource,
    facts: RangeFacts,
    seqs: readonly number[],
    standby: Standby | null = null,
  ) {
    this.#db = db;
    this.#standby = standby;
    this.#source = source;
    this.facts = facts;
    this.rowCount = seqs.length;
    this.#seqs = seqs;
    this.#mayHaveExternal = mayHaveExternal(source, facts);
  }

  /** The rows of the slice in hand. What is bytes in them must not be looked at after the next one was asked for. */
  get rows(): readonly LogRow[] {
    return this.#rows;
  }

  /** Whether the slice in hand is the last one. */
  get isLast(): boolean {
    return this.#seqs.length === 0;
  }

  /** Reads the next slice; false when there is none. Only a server is waited for. */
  next(): boolean | Promise<boolean> {
    this[Symbol.dispose]();
    if (this.isLast) return false;
    return this.#standby === null ? this.#readNext() : this.#readNextOfStandby(this.#standby);
  }

  /** It may go away, or be too slow, between two slices: the writer has the same rows. */
  async #readNextOfStandby(standby: Standby): Promise<boolean> {
    try {
      return await this.#readNext();
    } catch {
      standby.noteFailure();
      this.#standby = null;
      this[Symbol.dispose]();
      return this.#readNext();
    }
  }

  #readNext(): boolean | Promise<boolean> {
    const isRead = this.#isReadAtOnce() ? this.#readAtOnce() : false;
    return isRead instanceof Promise
      ? isRead.then((is) => is || this.#readWithinBytes())
      : isRead || this.#readWithinBytes();
  }

  /**
   * The digests of the rows of the slice in hand (D-250). They are made from bodies, which the rows themselves are read
   * without, and asked for behind the rows: before it is known how many of them a slice has, too many would be made. On the
   * embedded engine it is the event loop that makes them, those of large rows some at a time.
   */
  async digests(pause: () => Promise<void>): Promise<readonly string[]> {
    const digests: string[] = [];
    const groups = this.#db.dialect.hasRoundTrips ? [this.#rows] : [...groupsWithinBytes(this.#rows)];
    for (const rows of groups) {
      if (groups.length > 1) await pause();
      digests.push(...(await this.#digestsOf(rows.map(({ seq }) => seq))));
    }
    return digests;
  }

  async #digestsOf(seqs: readonly number[]): Promise<readonly string[]> {
    if (seqs.length === 0) return [];
    const { accountId, sourceId } = this.#source;
    const query = sql`
      select ${digestOf(this.#db.dialect, accountId)} as digest
      from response
      where response.account_id = ${accountId} and response.source_id = ${sourceId} and ${this.#among(seqs)}
      order by response.seq
      limit ${limitOf(seqs.length)}`;
    const read = (db: Db) => db.read<{ digest: string }>(query);
    const rows = await read(this.#rowsDb).catch((error: unknown) => {
      if (this.#standby === null) throw error;
      this.#standby.noteFailure();
      return read(this.#db);
    });
    if (rows.length !== seqs.length) throw new LogChanged();
    return rows.map(({ digest }) => digest);
  }

  /** Reads the first slice where it comes from a server; else the code that shows the rows reads it. */
  async readAhead(): Promise<void> {
    if (this.#db.dialect.hasRoundTrips) await this.next();
  }

  [Symbol.dispose](): void {
    this.#slice[Symbol.dispose]();
    this.#slice = noRows;
    this.#rows = [];
  }

  get #rowsDb(): Db {
    return this.#standby?.db ?? this.#db;
  }

  // Where a statement costs a round trip, a longer page takes fewer of them when it is read up to so many bytes.
  #isReadAtOnce(): boolean {
    if (this.#hasLargeRow || this.#mayHaveExternal) return false;
    return !this.#db.dialect.hasRoundTrips || this.#seqs.length <= rowsAtOnce;
  }

  /**
   * The engine hands over a list of rows sooner than one row after the other, and need not add up what they have. A row
   * that is too large comes without its values, and the slice ends before it: false when there is no row in it.
   */
  #readAtOnce(): boolean | Promise<boolean> {
    const seqs = this.#seqs.slice(0, rowsAtOnce);
    const values = sql`case when octet_length(row_values) <= ${rowBytesAtOnce} then row_values end`;
    const answer = this.#rowsDb.readLarge(this.#query(seqs, values), rowIfSmall);
    const take = (slice: LargeAnswer<RowIfSmall>): boolean => {
      this.#slice = slice;
      this.#check(slice.rows, seqs.length);
      const large = slice.rows.findIndex(({ values: ofRow }) => ofRow === null);
      this.#hasLargeRow = large >= 0;
      return this.#take((this.#hasLargeRow ? slice.rows.slice(0, large) : slice.rows) as readonly LogRow[]);
    };
    return answer instanceof Promise ? answer.then(take) : take(answer);
  }

  #readWithinBytes(): boolean | Promise<boolean> {
    this[Symbol.dispose]();
    const query = this.#query(this.#seqs, sql`row_values`);
    const bytesMax = this.#seqs.length === this.rowCount ? rowSliceBytes : furtherRowSliceBytes;
    const bounded = this.#db.dialect.withinBytes({ query, ...pageRows }, bytesMax);
    const answer = this.#rowsDb.readLarge(bounded, rowOf, bytesMax);
    const take = (slice: LargeAnswer<LogRow>): boolean => {
      this.#slice = slice;
      this.#check(slice.rows, 1);
      return this.#take(slice.rows);
    };
    return answer instanceof Promise ? answer.then(take) : take(answer);
  }

  #take(rows: readonly LogRow[]): boolean {
    this.#rows = rows;
    this.#seqs = this.#seqs.slice(rows.length);
    return rows.length > 0;
  }

  #check(rows: readonly Pick<LogRow, 'seq'>[], countMin: number): void {
    const isRight = rows.length >= countMin && rows.every(({ seq }, index) => seq === this.#seqs[index]);
    if (!isRight) throw new LogChanged();
  }

  #query(seqs: readonly number[], values: Sql): Sql {
    const { accountId, sourceId } = this.#source;
    const external = this.#mayHaveExternal
      ? lookupColumn(accountId, 'response_external', 'external')
      : sql`cast(null as text) as external`;
    return sql`
      select response.seq, survey_no, response_id, submitted_at, ${values} as row_values, ${external}
      from response
      where response.account_id = ${accountId} and response.source_id = ${sourceId} and ${this.#among(seqs)}
      order by response.seq
      limit ${limitOf(seqs.length)}`;
  }

  #among(seqs: readonly number[]): Sql {
    const first = seqs[0]!;
    const last = seqs.at(-1)!;
    const isRun = last - first === seqs.length - 1;
    return isRun
      ? sql`response.seq between ${first} and ${last}`
      : this.#db.dialect.isAmong(sql`response.seq`, seqs, 'integer');
  }
}

/** What the query of a page selects. */
const pageRows = {
  columns: ['seq', 'survey_no', 'response_id', 'submitted_at', 'row_values', 'external'],
  texts: ['row_values', 'external'],
  orderBy: 'seq',
};

interface FactRow {
  readonly kind: 'days' | 'latent' | 'end' | 'open' | 'tail';
  /** The id of the latent, the scores of an open row, or at the end the mark of the last full block. */
  readonly text: string | null;
  readonly micros_high: number;
  readonly micros_low: number;
  readonly counted_high: number;
  readonly counted_low: number;
  readonly last_seq: number;
  readonly mark: string | null;
}

function factsKey({ endKey }: LogSnapshot, range: DateRange): string {
  return `${endKey} ${rangeKey(range)}`;
}

function isEndOf(end: LogEnd, snapshot: LogSnapshot): boolean {
  return end.lastSeq === snapshot.lastSeq && end.mark === snapshot.mark;
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

export const noRows: LargeAnswer<unknown> = { rows: [], [Symbol.dispose]: () => {} };

/** Looking beside every row takes as long as reading it, and few definitions have external parameters. */
export function mayHaveExternal(
  { surveys, revision = 0 }: ReadableSource,
  facts: Pick<RangeFacts, 'revision'>,
): boolean {
  if (surveys === undefined || revision < facts.revision) return true;
  return surveys.some(({ definition }) => definition.parameters.external.length > 0);
}

/** A row that comes without its values when they are too large. */
export type RowIfSmall = Omit<LogRow, 'values'> & { readonly values: LogRow['values'] | null };

export function rowIfSmall(fields: Fields): RowIfSmall {
  return {
    seq: fields.integer(),
    surveyNumber: fields.integer(),
    responseId: fields.text(),
    submittedAtMs: fields.integer(),
    values: fields.textOrBytesOrNull(),
    external: fields.textOrNull(),
  };
}

export function rowOf(fields: Fields): LogRow {
  const row = rowIfSmall(fields);
  if (row.values === null) throw new Error('A row has no values.');
  return row as LogRow;
}

/** Rows that follow each other, as many as have so many bytes, and at least one. */
function* groupsWithinBytes(rows: readonly LogRow[]): Generator<readonly LogRow[]> {
  let group: LogRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    const { values } = row;
    const length = typeof values === 'string' ? values.length : values.end - values.begin;
    if (group.length > 0 && bytes + length > digestedBytesAtOnce) {
      yield group;
      group = [];
      bytes = 0;
    }
    group.push(row);
    bytes += length;
  }
  yield group;
}
