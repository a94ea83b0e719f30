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
import { preparedVersion } from './figures-reader.ts';
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
export interface PackedDays {
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

/** Adds rows up. */
interface RowFold {
  add(surveyNumber: number, survey: PreparedSurvey, row: RowText): void;
  /** All rows of the days behind this one have been added; false where it can no longer tell them apart. */
  settle(lastOpenDay: number): boolean;
  readonly isFull: boolean;
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
  readonly #fold: RowFold;
  readonly #versions = new Map<number, ScannedVersion>();
  readonly #row = new RowText();
  #lastOpenDay: number;
  #isComplete = false;
  /** Of the slice that was read: those before this place have been looked at. */
  #rows: readonly SweptRow[] = [];
  #at = 0;

  static async begin(db: Db, sources: Sources, request: ScanRequest): Promise<ScanJob> {
    const found = await sources.byName(request.source);
    if (found === null) throw new Error('The measure or project of a scan is gone.');
    const kinds = request.filter?.conditions.map(({ property }) => property.kind) ?? [];
    const withExternal = kinds.includes('epp') || request.by?.property.kind === 'epp';
    const { range, untilSeq } = request;
    const sweep = new LogSweep(db, { source: found.source, range, withExternal, untilSeq });
    await sweep.begin();
    return new ScanJob(sweep, request, await sources.atLeast(found, sweep.revision));
  }

  private constructor(sweep: LogSweep, request: ScanRequest, ready: PreparedSource) {
    this.#sweep = sweep;
    this.#request = request;
    this.#ready = ready;
    this.#fold = request.by === null ? daysFold() : groupsFold(request.by);
    this.#lastOpenDay = request.range.lastDay;
  }

  get scanned(): number {
    return this.#sweep.scanned;
  }

  /**
   * Some thousand rows, or as many as a slice of time is enough for: a filter may have to look through long texts. False when
   * there are no more, or no room for more.
   */
  async step(): Promise<boolean> {
    if (this.#at === this.#rows.length) {
      const rows = await this.#sweep.next();
      this.#rows = rows ?? [];
      this.#at = 0;
      if (rows === null) {
        this.#isComplete = true;
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
    return {
      result: this.#fold.result(covered, this.#isComplete),
      isComplete: this.#isComplete,
      covered,
      scanned: this.#sweep.scanned,
      lastSeq: this.#sweep.lastSeq,
      revision: this.#sweep.revision,
    };
  }

  #version(surveyNumber: number): ScannedVersion {
    const survey = preparedVersion(this.#ready, surveyNumber);
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
