// Scans: what the figures that are kept ahead cannot say, because it asks for a filter or for groups, is found by looking at the
// rows. A scan goes from the newest days to the oldest and ends when its time is over; what it has by then goes over whole days, and
// it says which.

import type { DateRange } from '../../domain/dates.ts';
import type { PreparedSurvey } from '../../domain/feedback/survey.ts';
import { type GroupBy, GroupFold, type RankedGroups } from '../../domain/insight/breakdown.ts';
import { type DayFigures, DayFold } from '../../domain/insight/day-figures.ts';
import { type Filter, filterOf } from '../../domain/insight/filter.ts';
import { RowText } from '../../domain/insight/row-text.ts';
import type { Db } from '../engine/db.ts';
import type { WorkBudget } from '../engine/work-budget.ts';
import type { PreparedSource, Sources } from '../feedback/sources.ts';
import { preparedVersion } from './figures-reader.ts';
import { LogSweep } from './log-sweep.ts';

export interface ScanOutcome<T> {
  readonly result: T;
  readonly isComplete: boolean;
  /** The days that the result goes over: of a complete one all that were asked for, otherwise the newest, or none. */
  readonly covered: DateRange | null;
  /** How many rows were looked at. */
  readonly scanned: number;
  /** The end of the log when it began. */
  readonly lastSeq: number;
  /** The source with a definition that explains every row: it may be newer than the one that was handed in. */
  readonly ready: PreparedSource;
}

/** The time of a scan. */
export interface ScanWork {
  readonly budget: WorkBudget;
  /** What the caller wants to wait at most; never more than the budget has. */
  readonly withinMs: number;
}

/** Of the time of a request so much is left for what follows the scan. */
const reservedShare = 0.1;

export class Scanner {
  readonly #db: Db;
  readonly #sources: Sources;

  constructor(db: Db, sources: Sources) {
    this.#db = db;
    this.#sources = sources;
  }

  /** The figures of days and versions, of the rows that meet a filter. */
  async days(
    ready: PreparedSource,
    range: DateRange,
    filter: Filter,
    work: ScanWork,
  ): Promise<ScanOutcome<readonly DayFigures[]>> {
    return this.#scan(ready, range, filter, null, work, (surveyOf) => {
      const fold = new DayFold(surveyOf);
      return {
        add: (number, row) => void fold.add(row.day, number, row.values),
        settle: () => true,
        result: (covered) =>
          fold
            .days()
            .filter(({ day }) => covered !== null && day >= covered.firstDay && day <= covered.lastDay),
      };
    });
  }

  async groups(
    ready: PreparedSource,
    range: DateRange,
    by: GroupBy,
    filter: Filter | null,
    work: ScanWork,
  ): Promise<ScanOutcome<RankedGroups>> {
    return this.#scan(ready, range, filter, by, work, (surveyOf) => {
      const fold = new GroupFold(by);
      const versions = new Map<number, ReturnType<GroupFold['version']>>();
      return {
        add: (number, row) => {
          let version = versions.get(number);
          if (version === undefined) {
            version = fold.version(number, surveyOf(number));
            versions.set(number, version);
          }
          fold.add(version, row);
        },
        settle: (lastOpenDay) => fold.settle(lastOpenDay),
        result: (_covered, isComplete) => fold.ranked(isComplete),
      };
    });
  }

  async #scan<T>(
    ready: PreparedSource,
    range: DateRange,
    filter: Filter | null,
    by: GroupBy | null,
    { budget, withinMs }: ScanWork,
    foldOf: (surveyOf: (number: number) => PreparedSurvey) => Fold<T>,
  ): Promise<ScanOutcome<T>> {
    const endsAtLeftMs = Math.max(budget.leftMs * reservedShare, budget.leftMs - withinMs);
    const properties = [
      ...(filter?.conditions ?? []).map(({ property }) => property),
      ...(by === null ? [] : [by.property]),
    ];
    const withExternal = properties.some(({ kind }) => kind === 'epp');
    const sweep = new LogSweep(this.#db, { source: ready.source, range, withExternal });
    await sweep.begin();
    const known = await this.#sources.atLeast(ready, sweep.revision);
    const versions = new Map<number, { survey: PreparedSurvey; holds: (row: RowText) => boolean }>();
    const fold = foldOf((number) => preparedVersion(known, number));
    const row = new RowText();
    let lastOpenDay = range.lastDay;
    let isComplete = false;
    while (budget.leftMs > endsAtLeftMs) {
      const rows = await sweep.next();
      if (rows === null) {
        isComplete = true;
        break;
      }
      for (const { surveyNumber, day, values, external } of rows) {
        let version = versions.get(surveyNumber);
        if (version === undefined) {
          const survey = preparedVersion(known, surveyNumber);
          version = { survey, holds: filterOf(filter, survey) };
          versions.set(surveyNumber, version);
        }
        row.take(version.survey, day, values, external);
        if (version.holds(row)) fold.add(surveyNumber, row);
      }
      if (fold.settle(sweep.lastOpenDay)) lastOpenDay = sweep.lastOpenDay;
      await budget.pause();
    }
    if (isComplete) lastOpenDay = range.firstDay - 1;
    const covered = lastOpenDay >= range.lastDay ? null : { ...range, firstDay: lastOpenDay + 1 };
    return {
      result: fold.result(covered, isComplete),
      isComplete,
      covered,
      scanned: sweep.scanned,
      lastSeq: sweep.lastSeq,
      ready: known,
    };
  }
}

/** Adds rows up. */
interface Fold<T> {
  add(surveyNumber: number, row: RowText): void;
  /** All rows of the days behind this one have been added; false where it can no longer tell them apart. */
  settle(lastOpenDay: number): boolean;
  result(covered: DateRange | null, isComplete: boolean): T;
}
