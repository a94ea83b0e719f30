// One scan: the rows of a range, newest days first, through a filter, added up by days or by groups. It is done in steps, on a
// thread of its own (scan-worker.ts), or where there can be none beside everything else.

import type { DateRange } from '../../domain/dates.ts';
import type { SourceName } from '../../domain/feedback/catalogue-change.ts';
import type { PreparedSurvey } from '../../domain/feedback/survey.ts';
import {
  type GroupBy,
  type GroupedVersion,
  GroupFold,
  type RankedGroups,
} from '../../domain/insight/breakdown.ts';
import { type DayFigures, DayFold, layoutFor } from '../../domain/insight/day-figures.ts';
import { type Filter, filterOf } from '../../domain/insight/filter.ts';
import { RowText } from '../../domain/insight/row-text.ts';
import type { Db } from '../engine/db.ts';
import type { PreparedSource, Sources } from '../feedback/sources.ts';
import type { KeptGroups } from './kept-groups.ts';
import { LogSweep, type SweptRow } from './log-sweep.ts';

/** As data that can be handed to another thread. */
export interface ScanRequest {
  readonly source: SourceName;
  readonly range: DateRange;
  readonly filter: Filter | null;
  /** Null for the figures of days. */
  readonly by: GroupBy | null;
  /** No row behind this one is looked at; null for the end of the log. */
  readonly untilSeq: number | null;
}

/** The figures of days in few pieces, because many small ones take long to hand over. */
interface PackedDays {
  readonly days: Int32Array;
  readonly surveyNumbers: Int32Array;
  readonly lengths: Int32Array;
  readonly figures: Float64Array;
}

export interface ScanResult {
  readonly result: { readonly days: PackedDays } | { readonly groups: RankedGroups };
  readonly isComplete: boolean;
  readonly covered: DateRange | null;
  readonly scanned: number;
  readonly lastSeq: number;
  readonly revision: number;
}

/** How long a step may look at rows. */
const sliceMs = 10;
const rowsBetweenLooks = 16;
/** So many figures of days are kept; a scan that would need more ends there. */
const figuresMax = 2_000_000;
/** So many rows are added to what was found before; more are looked through with all others. */
const tailMax = 1_024;

/** Adds rows up. */
export interface RowFold {
  add(surveyNumber: number, survey: PreparedSurvey, row: RowText): void;
  /** All rows of the days behind this one have been added; false where it can no longer tell them apart. */
  settle(lastOpenDay: number): boolean;
  readonly isFull: boolean;
  /** So many numbers it has, when all is settled; null where more rows cannot be added as if they had come with the others. */
  size(): number | null;
  result(covered: DateRange | null, isComplete: boolean): ScanResult['result'];
}

interface ScannedVersion {
  readonly survey: PreparedSurvey;
  readonly holds: (row: RowText) => boolean;
}

export class ScanJob {
  readonly #sweep: LogSweep;
  readonly #request: ScanRequest;
  readonly #ready: PreparedSource;
  readonly #kept: { readonly groups: KeptGroups; readonly key: string } | null;
  #fold: RowFold;
  /** Of the response at the end, where the groups are to be kept. */
  #lastId: string | null = null;
  readonly #versions = new Map<number, ScannedVersion>();
  readonly #row = new RowText();
  #lastOpenDay: number;
  #isComplete = false;
  /** Of the slice that was read: those before this place have been looked at. */
  #rows: readonly SweptRow[] = [];
  #at = 0;

  static async begin(
    db: Db,
    sources: Sources,
    request: ScanRequest,
    kept: KeptGroups | null = null,
  ): Promise<ScanJob> {
    const found = await sources.byName(request.source);
    if (found === null) throw new Error('The measure or project of a scan is gone.');
    const kinds = request.filter?.conditions.map(({ property }) => property.kind) ?? [];
    const withExternal = kinds.includes('epp') || request.by?.property.kind === 'epp';
    const { range, untilSeq } = request;
    const sweep = new LogSweep(db, { source: found.source, range, withExternal, untilSeq });
    await sweep.begin();
    const job = new ScanJob(sweep, request, await sources.atLeast(found, sweep.revision), kept);
    await job.#goOn();
    return job;
  }

  private constructor(
    sweep: LogSweep,
    request: ScanRequest,
    ready: PreparedSource,
    groups: KeptGroups | null,
  ) {
    const { range, filter, by } = request;
    const { accountId, sourceId } = ready.source;
    this.#kept =
      groups === null || by === null
        ? null
        : { groups, key: JSON.stringify([accountId, sourceId, range, filter, by]) };
    this.#sweep = sweep;
    this.#request = request;
    this.#ready = ready;
    this.#fold = request.by === null ? daysFold() : groupsFold(request.by);
    this.#lastOpenDay = request.range.lastDay;
  }

  /** Where the same was asked before and nothing but some rows has come since, these are added to what was found then (D-632). */
  async #goOn(): Promise<void> {
    const known = this.#kept?.groups.take(this.#kept.key) ?? null;
    if (known === null) return;
    const { lastSeq, changeNo, revision } = this.#sweep;
    const isSame =
      known.changeNo === changeNo &&
      known.revision === revision &&
      known.lastSeq <= lastSeq &&
      lastSeq - known.lastSeq <= tailMax &&
      (await this.#sweep.idAt(known.lastSeq)) === known.lastId;
    if (!isSame) return;
    this.#fold = known.fold;
    for (const row of await this.#sweep.behind(known.lastSeq))
      this.#look(row, row.values ?? (await this.#sweep.large(row)));
    await this.#complete();
  }

  async #complete(): Promise<void> {
    this.#isComplete = true;
    if (this.#kept !== null) this.#lastId = await this.#sweep.idAt(this.#sweep.lastSeq);
  }

  get scanned(): number {
    return this.#sweep.scanned;
  }

  /**
   * Some thousand rows, or as many as a slice of time is enough for: a filter may have to look through long texts. False when
   * there are no more, or no room for more.
   */
  async step(): Promise<boolean> {
    if (this.#isComplete) return false;
    if (this.#at === this.#rows.length) {
      const rows = await this.#sweep.next();
      this.#rows = rows ?? [];
      this.#at = 0;
      if (rows === null) {
        await this.#complete();
        return false;
      }
    }
    const endsAtMs = performance.now() + sliceMs;
    for (; this.#at < this.#rows.length; this.#at += 1) {
      if (this.#at % rowsBetweenLooks === 0 && performance.now() > endsAtMs) return true;
      const row = this.#rows[this.#at]!;
      this.#look(row, row.values ?? (await this.#sweep.large(row)));
    }
    if (this.#fold.settle(this.#sweep.lastOpenDay)) this.#lastOpenDay = this.#sweep.lastOpenDay;
    return !this.#fold.isFull;
  }

  #look({ surveyNumber, day, external }: SweptRow, values: string): void {
    const { survey, holds } = this.#versions.get(surveyNumber) ?? this.#version(surveyNumber);
    const row = this.#row;
    row.take(survey, day, values, external);
    if (holds(row)) this.#fold.add(surveyNumber, survey, row);
  }

  /** What it has: of whole days, and of which. */
  result(): ScanResult {
    const { range } = this.#request;
    const firstDay = this.#isComplete ? range.firstDay : Math.max(range.firstDay, this.#lastOpenDay + 1);
    const covered = firstDay > range.lastDay ? null : { firstDay, lastDay: range.lastDay };
    const result = this.#fold.result(covered, this.#isComplete);
    if (this.#kept !== null && this.#lastId !== null) {
      const { lastSeq, changeNo, revision } = this.#sweep;
      const found = { fold: this.#fold, lastId: this.#lastId, lastSeq, changeNo, revision };
      this.#kept.groups.keep(this.#kept.key, found);
    }
    return {
      result,
      isComplete: this.#isComplete,
      covered,
      scanned: this.#sweep.scanned,
      lastSeq: this.#sweep.lastSeq,
      revision: this.#sweep.revision,
    };
  }

  #version(surveyNumber: number): ScannedVersion {
    const survey = this.#ready.version(surveyNumber);
    const version = { survey, holds: filterOf(this.#request.filter, survey) };
    this.#versions.set(surveyNumber, version);
    return version;
  }
}

function daysFold(): RowFold {
  const surveys = new Map<number, PreparedSurvey>();
  const fold = new DayFold((number) => surveys.get(number)!);
  const seen = new Set<string>();
  let lastDay = Number.NaN;
  let lastNumber = Number.NaN;
  let figures = 0;
  return {
    add(surveyNumber, survey, { day, values }) {
      if (day !== lastDay || surveyNumber !== lastNumber) {
        lastDay = day;
        lastNumber = surveyNumber;
        surveys.set(surveyNumber, survey);
        const key = `${day} ${surveyNumber}`;
        if (!seen.has(key)) {
          seen.add(key);
          figures += layoutFor(survey).length;
        }
      }
      fold.add(day, surveyNumber, values);
    },
    settle: () => true,
    size: () => null,
    get isFull() {
      return figures > figuresMax;
    },
    result: (covered) => ({
      days: packDays(fold.days().filter(({ day }) => covered !== null && day >= covered.firstDay)),
    }),
  };
}

function groupsFold(by: GroupBy): RowFold {
  const fold = new GroupFold(by);
  const versions = new Map<number, GroupedVersion>();
  return {
    add(surveyNumber, survey, row) {
      let version = versions.get(surveyNumber);
      if (version === undefined) {
        version = fold.version(surveyNumber, survey);
        versions.set(surveyNumber, version);
      }
      fold.add(version, row);
    },
    settle: (lastOpenDay) => fold.settle(lastOpenDay),
    size: () => fold.size,
    isFull: false,
    result: (_covered, isComplete) => ({ groups: fold.ranked(isComplete) }),
  };
}

function packDays(days: readonly DayFigures[]): PackedDays {
  const figures = new Float64Array(days.reduce((sum, one) => sum + one.figures.length, 0));
  let at = 0;
  for (const one of days) {
    figures.set(one.figures, at);
    at += one.figures.length;
  }
  return {
    days: Int32Array.from(days, ({ day }) => day),
    surveyNumbers: Int32Array.from(days, ({ surveyNumber }) => surveyNumber),
    lengths: Int32Array.from(days, ({ figures: { length } }) => length),
    figures,
  };
}

export function unpackDays({ days, surveyNumbers, lengths, figures }: PackedDays): readonly DayFigures[] {
  let at = 0;
  return Array.from(days, (day, index) => {
    const begin = at;
    at += lengths[index]!;
    return { day, surveyNumber: surveyNumbers[index]!, figures: figures.subarray(begin, at) };
  });
}
