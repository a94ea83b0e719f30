// The figures of the days of a measure or project, for whoever asks: those that are added up, and the rows behind them, which are added
// here. So they are exact at every moment. Where too many rows are behind, they are added up first, as far as the time of the
// request allows; what was done stays done, so that the next request goes on from there (D-479). Requests for one source that come at
// once share that work.

import sql, { type Sql } from 'sql-template-tag';
import type { DateRange } from '../../domain/dates.ts';
import type { SourceKey } from '../../domain/feedback/source-key.ts';
import { type DayFigures, DayFold } from '../../domain/insight/day-figures.ts';
import { buildStep, readableForms } from '../../domain/insight/layout.ts';
import { Problem } from '../../domain/problem.ts';
import type { Db } from '../engine/db.ts';
import { apartFromRequests } from '../engine/work/request-waits.ts';
import { Semaphore } from '../engine/work/semaphore.ts';
import type { WorkQueue } from '../engine/work/work-budget.ts';
import type { Pause } from '../feedback/day-digests.ts';
import type { DigestWork } from '../feedback/digest-reader.ts';
import { LogChanged } from '../feedback/log-places.ts';
import type { PreparedSource, Sources } from '../feedback/sources.ts';
import {
  answeringBuild,
  type FiguresReached,
  type KeptRow,
  largeValues,
  type RollStep,
  rollUpSome,
  unknownErasure,
} from './roll-up.ts';
import { versionsOf } from './roll-up-task.ts';

export type { FiguresReached } from './roll-up.ts';

export interface FiguresAtEnd {
  /** By day, then by the number of the version. */
  readonly days: readonly DayFigures[];
  /** The end of the log at which they are true. */
  readonly lastSeq: number;
  /** The source with a definition that explains all of them: it may be newer than the one that was handed in. */
  readonly ready: PreparedSource;
}

/** The figures, or how far they have come where the time was not enough. */
type FiguresOfOne = { readonly figures: FiguresAtEnd } | { readonly reached: FiguresReached };

/** The time that is left for one request. */
type FiguresWork = DigestWork;

interface ReadOptions {
  /** Days that are added up as one have the same number here; left out, each is by itself. */
  readonly dayOf?: (day: number) => number;
}

/** So many rows behind the figures are added by whoever asks; mostly there are some hundreds at most. */
const tailRowsMax = 2_048;
/** Of eight bytes each; more are not held for one request. */
const figuresMax = 8_000_000;
/** Of each source where many are read at once; one that has more behind its figures is read by itself. */
const tailRowsOfManyMax = 256;
const rowsBetweenPauses = 64;
const attemptsMax = 3;
/** A row behind the figures that has more bytes is read by itself; where more of them are so large, they are added up first (D-777). */
const tailRowBytes = 2_048;
const largeTailRowsMax = 64;
/** So many requests hold rows that they have read at once, of all accounts. */
const readersAtOnce = 16;

const tailValues: Sql = sql`case when octet_length(row_values) <= ${tailRowBytes} then row_values end`;

export class FiguresReader {
  readonly #db: Db;
  readonly #sources: Sources;
  readonly #workQueue: WorkQueue;
  readonly #now: () => number;
  readonly #forms: readonly number[];
  readonly #advancing = new Map<string, Promise<RollStep>>();
  readonly #places = new Semaphore(readersAtOnce, tooManyReaders);

  /** The forms that it reads; a test has others. */
  constructor(
    db: Db,
    sources: Sources,
    workQueue: WorkQueue,
    now: () => number,
    forms: readonly number[] = readableForms,
  ) {
    this.#forms = forms;
    this.#db = db;
    this.#sources = sources;
    this.#workQueue = workQueue;
    this.#now = now;
  }

  /** The figures, or how far they have come where the time was not enough. */
  async read(
    ready: PreparedSource,
    range: DateRange,
    work: FiguresWork,
    options: ReadOptions = {},
  ): Promise<FiguresOfOne> {
    // The other half is for what follows. By the clock, because it is others who add up, or whose work this one waits for.
    const endsAtMs = performance.now() + work.leftMs / 2;
    for (;;) {
      const figures = await this.#inPlace(work, () => this.#read(ready, range, () => work.pause(), options));
      if (figures !== null) return { figures };
      const { rolledSeq, lastSeq } = await this.#advance(ready.source);
      await work.pause();
      if (performance.now() >= endsAtMs) return { reached: { rolledSeq, lastSeq } };
    }
  }

  /**
   * The same for several sources of one account, in the order in which they are given. What is added up for most of them comes by one
   * statement; a source that is behind is read by itself.
   */
  async readMany(
    all: readonly PreparedSource[],
    range: DateRange,
    work: FiguresWork,
    options: ReadOptions = {},
  ): Promise<readonly (FiguresOfOne & { readonly lastAtMs: number | null })[]> {
    if (all.length === 0) return [];
    const found = await this.#inPlace(work, () => this.#readTogether(all, range, work, options));
    const outcomes: (FiguresOfOne & { readonly lastAtMs: number | null })[] = [];
    for (const [at, { figures, lastAtMs }] of found.entries())
      outcomes.push(
        figures === null
          ? { ...(await this.read(all[at]!, range, work, options)), lastAtMs }
          : { figures, lastAtMs },
      );
    return outcomes;
  }

  /** The figures of those that are not behind. */
  async #readTogether(
    all: readonly PreparedSource[],
    range: DateRange,
    work: FiguresWork,
    options: ReadOptions,
  ): Promise<readonly { readonly figures: FiguresAtEnd | null; readonly lastAtMs: number | null }[]> {
    const bySource = await this.#workQueue.runShort(() =>
      readManyFigures(
        this.#db,
        all.map(({ source }) => source),
        this.#forms,
        range,
      ),
    );
    const outcomes: { figures: FiguresAtEnd | null; lastAtMs: number | null }[] = [];
    for (const ready of all) {
      const { figures, lastAtMs } = bySource.get(ready.source.sourceId) ?? { figures: null, lastAtMs: null };
      if (figures === null) {
        outcomes.push({ figures, lastAtMs });
        continue;
      }
      const known = await this.#sources.atLeast(ready, figures.revision);
      const days = await addUp(this.#db, known, figures, () => work.pause(), options);
      outcomes.push({ figures: { days, lastSeq: figures.lastSeq, ready: known }, lastAtMs });
      await work.pause();
    }
    return outcomes;
  }

  /** Whoever reads rows waits until few enough others hold some. */
  async #inPlace<T>(work: FiguresWork, reading: () => Promise<T>): Promise<T> {
    const release = await this.#places.acquire(performance.now() + work.leftMs);
    try {
      return await reading();
    } finally {
      release();
    }
  }

  async #read(
    ready: PreparedSource,
    range: DateRange,
    pause: Pause,
    options: ReadOptions,
  ): Promise<FiguresAtEnd | null> {
    const found = await this.#readFound(ready.source, range);
    if (found === null) return null;
    const known = await this.#sources.atLeast(ready, found.revision);
    const days = await addUp(this.#db, known, found, pause, options);
    return { days, lastSeq: found.lastSeq, ready: known };
  }

  /** A standby that took over while the rows were read may lack some of them. */
  async #readFound(source: SourceKey, range: DateRange): Promise<Found | null> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#workQueue.runShort(() => readFigures(this.#db, source, this.#forms, range));
      } catch (error) {
        if (!(error instanceof LogChanged) || attempt === attemptsMax) throw error;
      }
    }
  }

  #advance({ accountId, sourceId }: SourceKey): Promise<RollStep> {
    const key = `${accountId} ${sourceId}`;
    const known = this.#advancing.get(key);
    if (known !== undefined) return known;
    const advancing = apartFromRequests(() =>
      rollUpSome(
        this.#db,
        { accountId, sourceId },
        { versions: versionsOf(this.#db), nowMs: this.#now(), pause: () => this.#workQueue.nextSlice() },
      ),
    ).finally(() => this.#advancing.delete(key));
    this.#advancing.set(key, advancing);
    return advancing;
  }
}

interface Found {
  readonly lastSeq: number;
  readonly revision: number;
  readonly days: readonly Pick<FoundRow, 'day' | 'number' | 'text'>[];
  readonly tail: readonly KeptRow[];
}

interface FoundRow {
  readonly kind: 'cursor' | 'end' | 'at' | 'unknown' | 'day' | 'row';
  readonly seq: number;
  readonly day: number;
  readonly number: number;
  readonly text: string | null;
}

/**
 * What the build that has come furthest has of a range, and the rows behind it; null where they are too many, or where it is of another
 * log.
 */
async function readFigures(
  db: Db,
  { accountId, sourceId }: SourceKey,
  forms: readonly number[],
  { firstDay, lastDay }: DateRange,
): Promise<Found | null> {
  const ofSource = sql`account_id = ${accountId} and source_id = ${sourceId}`;
  const build = answeringBuild({ accountId, sourceId }, forms);
  const ofForm = sql`${ofSource} and form = ${build}`;
  const rolledSeq = sql`coalesce((select rolled_seq from insight_cursor where ${ofForm}), 0)`;
  const changeNo = sql`(select change_no from insight_cursor where ${ofForm})`;
  const unknown = unknownErasure(
    { accountId, sourceId },
    sql`(${build} % ${buildStep})`,
    changeNo,
    rolledSeq,
  );
  // One statement, so that the figures, the rows behind them and the end of the log are of one moment.
  const rows = await db.read<FoundRow>(sql`
    select 'cursor' as kind, rolled_seq as seq, change_no as day, 0 as number, rolled_id as text
    from insight_cursor
    where ${ofForm}
    union all
    select 'end', last_seq, change_no, revision, ''
    from log_counter
    where ${ofSource}
    union all
    select 'at', seq, 0, 0, response_id
    from response
    where ${ofSource} and seq = ${rolledSeq}
    union all
    select 'unknown', seq, 0, 0, ''
    from (${unknown}) as erasure
    union all
    select 'day', 0, day, survey_no, figures
    from insight_day
    where ${ofForm} and day between ${firstDay} and ${lastDay}
    union all
    select 'row', seq, day, survey_no, ${tailValues}
    from response
    where ${ofSource} and seq > ${rolledSeq} and seq <= ${rolledSeq} + ${tailRowsMax}
      and day between ${firstDay} and ${lastDay}`);
  return foundIn(rows, tailRowsMax);
}

interface FoundOfSource extends Omit<FoundRow, 'kind'> {
  readonly kind: FoundRow['kind'] | 'last';
  readonly source: number;
}

interface FoundMany {
  readonly figures: Found | null;
  /** When the response that came last was sent; null where there is none. */
  readonly lastAtMs: number | null;
}

/** The same for several sources of one account, by their ids. */
async function readManyFigures(
  db: Db,
  keys: readonly SourceKey[],
  forms: readonly number[],
  { firstDay, lastDay }: DateRange,
): Promise<ReadonlyMap<number, FoundMany>> {
  const accountId = keys[0]!.accountId;
  const ids = keys.map(({ sourceId }) => sourceId);
  const among = (column: Sql): Sql => db.dialect.isAmong(column, ids, 'integer');
  const buildOf = (sourceId: Sql): Sql => answeringBuild({ accountId, sourceId }, forms);
  const cursors = sql`
    insight_cursor.account_id = ${accountId} and ${among(sql`insight_cursor.source_id`)}
      and insight_cursor.form = ${buildOf(sql`insight_cursor.source_id`)}`;
  const counters = sql`log_counter.account_id = ${accountId} and ${among(sql`log_counter.source_id`)}`;
  // `cross join` keeps the order: for each of few rows one is looked up, never the other way round.
  const rows = await db.read<FoundOfSource>(sql`
    select 'cursor' as kind, source_id as source, rolled_seq as seq, change_no as day, 0 as number, rolled_id as text
    from insight_cursor
    where ${cursors}
    union all
    select 'end', source_id, last_seq, change_no, revision, ''
    from log_counter
    where ${counters}
    union all
    select 'at', insight_cursor.source_id, response.seq, 0, 0, response_id
    from insight_cursor
    cross join response
    where ${cursors} and response.account_id = ${accountId} and response.source_id = insight_cursor.source_id
      and response.seq = rolled_seq
    union all
    select 'last', log_counter.source_id, response.submitted_at, 0, 0, ''
    from log_counter
    cross join response
    where ${counters} and response.account_id = ${accountId} and response.source_id = log_counter.source_id
      and response.seq = last_seq
    union all
    select 'unknown', insight_cursor.source_id, min(log_change.change_no), 0, 0, ''
    from insight_cursor
    cross join log_change
    where ${cursors} and log_change.account_id = ${accountId} and log_change.source_id = insight_cursor.source_id
      and log_change.change_no > insight_cursor.change_no and kind <> 'external'
      and insight_form <> insight_cursor.form % ${buildStep} and first_seq <= rolled_seq
    group by insight_cursor.source_id
    union all
    select 'day', insight_cursor.source_id, 0, day, survey_no, figures
    from insight_cursor
    cross join insight_day
    where ${cursors} and insight_day.account_id = ${accountId} and insight_day.source_id = insight_cursor.source_id
      and insight_day.form = insight_cursor.form and day between ${firstDay} and ${lastDay}
    union all
    select 'row', log_counter.source_id, response.seq, response.day, survey_no, ${tailValues}
    from log_counter
    left join insight_cursor on insight_cursor.account_id = ${accountId}
      and insight_cursor.source_id = log_counter.source_id
      and insight_cursor.form = ${buildOf(sql`log_counter.source_id`)}
    cross join response
    where ${counters} and response.account_id = ${accountId} and response.source_id = log_counter.source_id
      and response.seq > coalesce(rolled_seq, 0) and response.seq <= coalesce(rolled_seq, 0) + ${tailRowsOfManyMax}
      and response.day between ${firstDay} and ${lastDay}`);
  const bySource = Map.groupBy(rows, ({ source }) => source);
  return new Map(
    [...bySource].map(([source, its]) => {
      const last = its.find(({ kind }) => kind === 'last');
      return [source, { figures: foundIn(its, tailRowsOfManyMax), lastAtMs: last?.seq ?? null }] as const;
    }),
  );
}

function foundIn(rows: readonly (FoundRow | FoundOfSource)[], tailMax: number): Found | null {
  const byKind = Map.groupBy(rows, ({ kind }) => kind);
  const [end] = byKind.get('end') ?? [];
  if (end === undefined) return { lastSeq: 0, revision: 0, days: [], tail: [] };
  const [cursor] = byKind.get('cursor') ?? [];
  const rolled = cursor?.seq ?? 0;
  // Below 0 there are figures that count for nothing.
  if (rolled < 0 || end.seq - rolled > tailMax) return null;
  if (rolled > 0 && (rolled > end.seq || byKind.get('at')?.[0]?.text !== cursor?.text)) return null;
  if (byKind.has('unknown')) return null;
  const tail = byKind.get('row') ?? [];
  if (tail.filter(({ text }) => text === null).length > largeTailRowsMax) return null;
  return {
    lastSeq: end.seq,
    revision: end.number,
    days: byKind.get('day') ?? [],
    tail: tail.map(({ seq, day, number, text }) => ({
      seq,
      day,
      surveyNumber: number,
      id: '',
      values: text,
    })),
  };
}

async function addUp(
  db: Db,
  ready: PreparedSource,
  { days, tail }: Found,
  pause: Pause,
  { dayOf = (day) => day }: ReadOptions,
): Promise<readonly DayFigures[]> {
  const fold = new DayFold((number) => ready.version(number));
  let count = 0;
  const another = async (): Promise<void> => {
    if (fold.size > figuresMax) throw tooManyFigures();
    count += 1;
    if (count % rowsBetweenPauses === 0) await pause();
  };
  for (const { day, number, text } of days) {
    fold.addPacked(dayOf(day), number, text!);
    await another();
  }
  for (const { seq, day, surveyNumber, values } of tail) {
    fold.add(dayOf(day), surveyNumber, values ?? (await largeValues(db, ready.source, seq)));
    if (values === null) await pause();
    await another();
  }
  return fold.days();
}

function tooManyReaders(): Problem {
  return new Problem('THROTTLED', 'Too many requests for figures are under way. Please retry.', {
    headers: { 'retry-after': '1' },
  });
}

function tooManyFigures(): Problem {
  return new Problem(
    'TOO_MUCH_WORK',
    'The days of this range have more figures than one request may use. Please ask for fewer days.',
  );
}
