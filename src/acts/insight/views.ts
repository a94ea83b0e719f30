// Figures of a measure or project over a range, for whoever asks: which days, how much may be told, what is read for it, and what
// every answer says.

import { type DateRange, dayText, parseDay, readDateRange } from '../../domain/dates.ts';
import { readGroupProperty } from '../../domain/insight/breakdown-view.ts';
import { type Comparison, comparedRange } from '../../domain/insight/compared-range.ts';
import type { DayFigures } from '../../domain/insight/day-figures.ts';
import { type Filter, readFilter } from '../../domain/insight/filter.ts';
import { daysWithin, type ViewDays, type ViewSource } from '../../domain/insight/view-source.ts';
import { type Fault, invalidRequest, Problem } from '../../domain/problem.ts';
import type { WorkBudget } from '../../store/engine/work/work-budget.ts';
import type { PreparedSource } from '../../store/feedback/sources.ts';
import type { FiguresReader } from '../../store/insight/figures-reader.ts';
import type { Minimums } from '../../store/insight/minimum.ts';
import type { Scanner } from '../../store/insight/scanner.ts';

/** Ten years and some days. */
export const insightDaysMax = 3_700;

/** What figures are read with. */
export interface ViewReaders {
  readonly figuresReader: FiguresReader;
  readonly minimums: Minimums;
  readonly scanner: Scanner;
}

/** A request for a view, whoever sent it. */
export interface ViewRequest<Query> {
  readonly ready: PreparedSource;
  readonly query: Query;
  readonly work: WorkBudget;
  /** Open text is told to those alone who may read comments. */
  readonly mayReadComments: boolean;
}

export interface RangeQuery {
  readonly from: string;
  readonly to: string;
  readonly minimum?: number;
  readonly filter?: string;
  readonly within?: number;
}

export interface ComparedQuery extends RangeQuery {
  readonly compare?: Comparison;
}

/** How long a scan may take unless the caller says so. */
export const withinDefaultMs = 2_000;

/** The members that every answer over a range begins with. */
export interface CommonMembers {
  readonly from: string;
  readonly to: string;
  readonly minimum: number;
  readonly complete: boolean;
  readonly covered: { readonly from: string; readonly to: string } | null;
  readonly position: number;
}

export interface View {
  /** With a definition that explains all of its figures. */
  readonly ready: PreparedSource;
  readonly filter: Filter | null;
  readonly source: ViewSource;
  /** Where not all of the range was looked through, the days that were. */
  readonly now: ViewDays;
  /** Absent where nothing is compared; null where there was no time for it. */
  readonly compared?: ViewDays | null;
  readonly minimum: number;
  readonly members: CommonMembers & { readonly compared?: { readonly from: string; readonly to: string } };
}

/** The days of a request. */
export function insightRange(
  { from, to, compare }: ComparedQuery,
  faults: Fault[],
): { readonly range: DateRange; readonly compared: DateRange | null } {
  const before = faults.length;
  const range = readDateRange(from, to, faults);
  if (faults.length > before) return { range, compared: null };
  const days = range.lastDay - range.firstDay + 1;
  if (days > insightDaysMax) {
    const most = insightDaysMax.toLocaleString('en-US');
    const message = `The range has ${days.toLocaleString('en-US')} days; at most ${most} can be asked for at once.`;
    faults.push({ field: 'to', code: 'RANGE_TOO_LONG', message });
  }
  const compared = compare === undefined ? null : comparedRange(range, compare);
  if (compared !== null && compared.lastDay >= range.firstDay) {
    // A response would be on both sides, and an interval of their difference would be wrong.
    const message =
      'A range of more than a year overlaps the one a year before; compare it with `previous`, or shorten it.';
    faults.push({ field: 'compare', code: 'INVALID', message });
  } else if (compared !== null && compared.firstDay < firstDayOfCalendar) {
    const message = 'The days that the range is compared with lie before the year 1.';
    faults.push({ field: 'from', code: 'INVALID', message });
  }
  return { range, compared };
}

const firstDayOfCalendar = parseDay('0001-01-01')!;

/** The filter of a request; null where there is none, or it has faults. */
export function filterOfRequest(
  {
    ready,
    query,
    mayReadComments,
  }: Pick<ViewRequest<Pick<RangeQuery, 'filter'>>, 'ready' | 'query' | 'mayReadComments'>,
  faults: Fault[],
): Filter | null {
  if (query.filter === undefined) return null;
  const { source } = ready;
  const surveys = source.surveys.map((kept) => ready.prepared(kept));
  const read = readFilter(query.filter, { kind: source.kind, surveys, mayReadComments });
  faults.push(...read.faults);
  return read.filter;
}

/** What is wrong with a request for figures whatever it is about: told before that there is no such thing (D-888). */
export function judgeView(query: ComparedQuery & { readonly by?: string }): void {
  const faults: Fault[] = [];
  insightRange(query, faults);
  if (query.by !== undefined) readGroupProperty(query.by, null, faults);
  refuseForm(faults, query.filter);
}

/** Refuses a request for these faults and those of the form of its filter. */
export function refuseForm(faults: readonly Fault[], filter: string | undefined): void {
  refuseFaults(filter === undefined ? faults : [...faults, ...readFilter(filter, null).faults]);
}

/** Refuses a request for all of its faults at once. Bodies of some errors have a message alone, so it says what is wrong with a filter. */
export function refuseFaults(faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  if (faults.some(({ field }) => field !== 'filter')) throw invalidRequest(faults);
  const sentences = faults.map(({ message }) => message).join(' ');
  throw new Problem('INVALID_FILTER', `The filter is not valid. ${sentences}`, { details: faults });
}

interface ViewOptions {
  /** For views of counts alone, which need no day by itself: those of a range come added up, as its first. */
  readonly areDaysJoined?: boolean;
}

/** Reads what a view is made of; every fault of the request is named at once. */
export async function readView(
  services: ViewReaders,
  asked: ViewRequest<ComparedQuery>,
  options: ViewOptions = {},
): Promise<View> {
  const faults: Fault[] = [];
  const { range, compared } = insightRange(asked.query, faults);
  const filter = filterOfRequest(asked, faults);
  refuseFaults(faults);
  const minimum = await services.minimums.inForce(asked.ready.source.accountId, asked.query.minimum);
  const read = await (filter === null
    ? readKept(services, asked, range, compared, options)
    : readFiltered(services, asked, range, compared, filter));
  const { ready, days, daysCompared, covered, isComplete, lastSeq } = read;
  return {
    ready,
    filter,
    source: viewSourceOf(ready),
    now: { range: covered ?? range, days },
    ...(compared !== null && {
      compared: daysCompared === null ? null : { range: compared, days: daysCompared },
    }),
    minimum,
    members: {
      ...{ ...textsOf(range), minimum, complete: isComplete },
      ...{ covered: covered === null ? null : textsOf(covered), position: lastSeq },
      ...(compared !== null && { compared: textsOf(compared) }),
    },
  };
}

interface ReadDays {
  readonly ready: PreparedSource;
  readonly days: readonly DayFigures[];
  /** Null where there is nothing to compare with, or was no time for it. */
  readonly daysCompared: readonly DayFigures[] | null;
  readonly covered: DateRange | null;
  readonly isComplete: boolean;
  readonly lastSeq: number;
}

/** Both ranges are read at once, so that both are true at the same position of the log. */
async function readKept(
  { figuresReader }: ViewReaders,
  { ready, work }: ViewRequest<ComparedQuery>,
  range: DateRange,
  compared: DateRange | null,
  { areDaysJoined = false }: ViewOptions,
): Promise<ReadDays> {
  const both = { firstDay: compared?.firstDay ?? range.firstDay, lastDay: range.lastDay };
  const dayOf = (day: number): number => {
    if (day >= range.firstDay) return range.firstDay;
    // Between both ranges may be days that belong to neither.
    return compared !== null && day <= compared.lastDay ? compared.firstDay : range.firstDay - 1;
  };
  const outcome = await figuresReader.read(ready, both, work, areDaysJoined ? { dayOf } : {});
  if ('reached' in outcome) {
    const { rolledSeq, lastSeq } = outcome.reached;
    throw new Problem(
      'INSIGHT_NOT_READY',
      `The figures of older responses are being added up: ${rolledSeq} of ${lastSeq} are done. Please retry.`,
      { headers: { 'retry-after': '5' } },
    );
  }
  const { days, lastSeq, ready: known } = outcome.figures;
  return {
    ready: known,
    days: daysWithin(days, range),
    daysCompared: compared === null ? null : daysWithin(days, compared),
    covered: range,
    isComplete: true,
    lastSeq,
  };
}

/** The range first; what it is compared with is looked through in the time that is left, and told of only as a whole. */
async function readFiltered(
  { scanner }: ViewReaders,
  { ready, query, work }: ViewRequest<ComparedQuery>,
  range: DateRange,
  compared: DateRange | null,
  filter: Filter,
): Promise<ReadDays> {
  const time = new ScanTime(work, query.within);
  const now = await scanner.days(ready, range, filter, time.left());
  const facts = { ready: now.ready, days: now.result, covered: now.covered, lastSeq: now.lastSeq };
  if (!now.isComplete || compared === null)
    return { ...facts, daysCompared: null, isComplete: now.isComplete };
  // Up to where the first one went, so that both are true at the same position of the log.
  const untilSeq = now.lastSeq;
  const before = await scanner.days(now.ready, compared, filter, { ...time.left(), untilSeq });
  // The newer definition explains what both of them have found.
  const isWhole = before.isComplete;
  return { ...facts, ready: before.ready, daysCompared: isWhole ? before.result : null, isComplete: isWhole };
}

/** The time that a caller gives to all scans of one request together, by the clock. */
export class ScanTime {
  readonly #work: WorkBudget;
  readonly #endsAtMs: number;

  constructor(work: WorkBudget, withinMs: number = withinDefaultMs) {
    this.#work = work;
    this.#endsAtMs = performance.now() + withinMs;
  }

  /** For the next of them. */
  left(): { readonly budget: WorkBudget; readonly withinMs: number } {
    return { budget: this.#work, withinMs: Math.max(0, this.#endsAtMs - performance.now()) };
  }
}

export function textsOf({ firstDay, lastDay }: DateRange): { readonly from: string; readonly to: string } {
  return { from: dayText(firstDay), to: dayText(lastDay) };
}

export function viewSourceOf(ready: PreparedSource): ViewSource {
  return {
    definitions: ready.source.surveys.map(({ definition }) => definition),
    surveyOf: (surveyNumber) => ready.version(surveyNumber),
  };
}
