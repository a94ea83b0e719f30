// A figure over time: points by day, week or month, the whole range, what it is compared with, and where the line breaks. The same
// for each latent of a measure and for the rating of a project: a Series says where its sums are.

import { type CalendarUnit, type DateRange, dayText, unitAround } from '../dates.ts';
import { type RangeScore, rangeScore, rangeScores } from '../feedback/score.ts';
import type { Interruptible } from '../interruptible.ts';
import { type DayFigures, layoutFor } from './day-figures.ts';
import {
  type Composition,
  changeInWords,
  compositionOfLatent,
  compositionOfRating,
  type FigureChange,
  figureChange,
  JoinGroups,
} from './joining.ts';
import { type Moments, momentsAt, noMoments, sumOfMoments } from './moments.ts';
import { type Difference, type Figures, figuresAround, meanOf, welchDifference } from './statistics.ts';
import { momentsOfCounts, valueMicros } from './values.ts';
import { type ShownFigures, type ViewDays, type ViewSource, versionsOf } from './view-source.ts';
import { isWithheld, withheldMark } from './withheld.ts';
import { withheldCells } from './withheld-cells.ts';

/** One figure that has a mean: a latent, or the rating of a project. */
export interface Series {
  readonly id: string;
  /** Null where the version does not have it. */
  readonly momentsOf: (day: DayFigures) => Moments | null;
  readonly compositionIn: (surveyNumber: number) => Composition;
  readonly meanOf: (moments: Moments) => number | null;
}

export type Point = {
  readonly from: string;
  readonly to: string;
  readonly versions: readonly number[];
} & ShownFigures;

/** Of a whole range. Versions that must not be joined are added up in it where it is not comparable. */
export type Total = ShownFigures & { readonly versions: readonly number[]; readonly comparable: boolean };

export interface SeriesTrend {
  readonly points: readonly Point[];
  readonly total: Total;
  /** Only where a range is compared; null where it could not be looked through. */
  readonly compared?: Total | null;
  readonly difference?: (Difference & { readonly comparable: boolean }) | null;
}

/** From this day on there are responses to a version whose figures must not be joined with those before. */
export interface Break {
  readonly day: string;
  readonly version: number;
  readonly latents: readonly string[];
  readonly reason: string;
  /** The same without words, one for each latent (D-731). */
  readonly changes: readonly FigureChange[];
}

export interface TrendQuestion {
  readonly source: ViewSource;
  readonly now: ViewDays;
  /** Absent where nothing is compared; null where it was not looked through. */
  readonly compared?: ViewDays | null;
  readonly unit: CalendarUnit;
  readonly minimum: number;
}

export interface LatentTrend extends SeriesTrend, Pick<RangeScore, 'id' | 'name' | 'type'> {}

/** The trend of every latent: those of the summary of the interface, in its order and with its means. */
export function* latentTrends(
  question: TrendQuestion,
): Interruptible<{ readonly latents: readonly LatentTrend[]; readonly breaks: readonly Break[] }> {
  const { source } = question;
  const ids = new Set(source.definitions.flatMap(({ latents }) => latents.map(({ id }) => id)));
  const summed = new Map<string, SummedSeries>();
  for (const id of ids) summed.set(id, yield* sumSeries(latentSeries(source, id), question));
  const sums = new Map([...summed].map(([id, { total }]) => [id, scoreSum(total.moments)]));
  const shown = rangeScores(source.definitions, sums);
  const texts = new DayTexts();
  const latents: LatentTrend[] = [];
  for (const { id, name, type } of shown)
    latents.push({ id, name, type, ...(yield* showSeries(summed.get(id)!, question, texts)) });
  return {
    latents,
    breaks: breaksOf(
      source,
      shown.map(({ id }) => summed.get(id)!),
    ),
  };
}

/** The trend of the rating of a project. */
export function* ratingTrend(
  question: TrendQuestion,
): Interruptible<{ readonly rating: SeriesTrend; readonly breaks: readonly Break[] }> {
  const { breaks, ...rating } = yield* seriesTrend(ratingSeries(question.source), question);
  return { rating, breaks };
}

/** The trend of one series by itself. */
export function* seriesTrend(
  series: Series,
  question: TrendQuestion,
): Interruptible<SeriesTrend & { readonly breaks: readonly Break[] }> {
  const summed = yield* sumSeries(series, question);
  const shown = yield* showSeries(summed, question, new DayTexts());
  return { ...shown, breaks: breaksOf(question.source, [summed]) };
}

export function latentSeries({ surveyOf }: ViewSource, id: string): Series {
  const places = new Map<number, number>();
  const placeOf = (surveyNumber: number): number => {
    let place = places.get(surveyNumber);
    if (place === undefined) {
      place = layoutFor(surveyOf(surveyNumber)).latents.find((latent) => latent.id === id)?.moments ?? -1;
      places.set(surveyNumber, place);
    }
    return place;
  };
  return {
    id,
    momentsOf: ({ surveyNumber, figures }) => {
      const place = placeOf(surveyNumber);
      return place < 0 ? null : momentsAt(figures, place);
    },
    compositionIn: (surveyNumber) => {
      const found = surveyOf(surveyNumber).latents.find(({ latent }) => latent.id === id);
      return compositionOfLatent(found!.latent);
    },
    meanOf: (moments) => rangeScore(scoreSum(moments)),
  };
}

export function ratingSeries({ surveyOf }: ViewSource): Series {
  const values = new Map<number, readonly (number | null)[]>();
  return {
    id: 'rating',
    momentsOf: ({ surveyNumber, figures }) => {
      const survey = surveyOf(surveyNumber);
      const { rating } = survey;
      if (rating === null || rating.form !== 'single') return null;
      let micros = values.get(surveyNumber);
      if (micros === undefined) {
        micros = rating.answers.map(valueMicros);
        values.set(surveyNumber, micros);
      }
      return momentsOfCounts(figures, layoutFor(survey).questions[rating.index]!.answers, micros);
    },
    compositionIn: (surveyNumber) => compositionOfRating(surveyOf(surveyNumber).rating!),
    meanOf,
  };
}

/** As the summary of the interface adds scores up (D-34). */
function scoreSum({ sum, count }: Moments): { readonly micros: number; readonly count: number } {
  return { micros: Number(sum), count };
}

// ---- sums

interface SummedRange {
  readonly moments: Moments;
  readonly surveyNumbers: ReadonlySet<number>;
  readonly groups: ReadonlySet<number>;
}

interface SummedPoint {
  readonly range: DateRange;
  readonly moments: Moments;
  readonly versions: readonly number[];
}

interface SummedSeries {
  readonly series: Series;
  readonly points: readonly SummedPoint[];
  readonly total: SummedRange;
  readonly compared: SummedRange | null | undefined;
  /** The first day of each group of versions in the range, in their order. */
  readonly groupBegins: readonly GroupBegin[];
  readonly groups: JoinGroups;
}

interface GroupBegin {
  readonly day: number;
  readonly surveyNumber: number;
  readonly group: number;
}

interface OpenPoint {
  moments: Moments;
  readonly surveyNumbers: Set<number>;
}

const daysAtOnce = 64;

function* sumSeries(
  series: Series,
  { source, now, compared, unit }: TrendQuestion,
): Interruptible<SummedSeries> {
  const groups = new JoinGroups();
  const points: SummedPoint[] = [];
  const groupBegins: GroupBegin[] = [];
  let around: DateRange = { firstDay: 0, lastDay: -1 };
  let open = new Map<number, OpenPoint>();
  const close = (): void => {
    if (open.size === 0) return;
    const range = cutTo(now.range, around);
    const closed = [...open.values()].map(({ moments, surveyNumbers }) => ({
      ...{ range, moments },
      versions: versionsOf(source, surveyNumbers),
    }));
    points.push(...closed.sort((one, other) => one.versions[0]! - other.versions[0]!));
    open = new Map();
  };
  const total = yield* sumRange(series, now.days, groups, ({ day, surveyNumber }, moments, group) => {
    if (day > around.lastDay || open.size === 0) {
      close();
      around = unitAround(day, unit);
    }
    if (!groupBegins.some((begin) => begin.group === group)) groupBegins.push({ day, surveyNumber, group });
    const point = open.get(group);
    if (point === undefined) {
      open.set(group, { moments, surveyNumbers: new Set([surveyNumber]) });
      return;
    }
    point.moments = sumOfMoments(point.moments, moments);
    point.surveyNumbers.add(surveyNumber);
  });
  close();
  const before = compared ? yield* sumRange(series, compared.days, groups, () => {}) : compared;
  return { series, points, total, compared: before, groupBegins, groups };
}

function cutTo({ firstDay, lastDay }: DateRange, unit: DateRange): DateRange {
  return { firstDay: Math.max(unit.firstDay, firstDay), lastDay: Math.min(unit.lastDay, lastDay) };
}

function* sumRange(
  series: Series,
  days: readonly DayFigures[],
  groups: JoinGroups,
  meet: (day: DayFigures, moments: Moments, group: number) => void,
): Interruptible<SummedRange> {
  let moments = noMoments;
  const surveyNumbers = new Set<number>();
  const groupsMet = new Set<number>();
  for (const [at, day] of days.entries()) {
    if (at % daysAtOnce === 0) yield;
    const its = series.momentsOf(day);
    if (its === null || its.count === 0) continue;
    const { surveyNumber } = day;
    const group = groups.groupOf(surveyNumber, () => series.compositionIn(surveyNumber));
    meet(day, its, group);
    moments = sumOfMoments(moments, its);
    surveyNumbers.add(surveyNumber);
    groupsMet.add(group);
  }
  return { moments, surveyNumbers, groups: groupsMet };
}

// ---- as shown

/** Writing a day is most of the work of a point, and every series has the same days. */
class DayTexts {
  readonly #texts = new Map<number, string>();

  of(day: number): string {
    let text = this.#texts.get(day);
    if (text === undefined) {
      text = dayText(day);
      this.#texts.set(day, text);
    }
    return text;
  }
}

function* showSeries(
  summed: SummedSeries,
  { source, minimum }: TrendQuestion,
  texts: DayTexts,
): Interruptible<SeriesTrend> {
  const { series, points, total, compared } = summed;
  const areWithheld = withheldCells(
    points.map(({ moments }) => moments.count),
    minimum,
  );
  const shown: Point[] = [];
  for (const [place, { range, moments, versions }] of points.entries()) {
    if (place % daysAtOnce === 0) yield;
    const times = { from: texts.of(range.firstDay), to: texts.of(range.lastDay), versions };
    shown.push({ ...times, ...(areWithheld[place] ? withheldMark : seriesFigures(series, moments)) });
  }
  return {
    points: shown,
    total: showTotal(source, series, total, minimum),
    ...(compared !== undefined && {
      compared: compared === null ? null : showTotal(source, series, compared, minimum),
      difference: compared === null ? null : showDifference(series, total, compared, minimum),
    }),
  };
}

export function seriesFigures(series: Pick<Series, 'meanOf'>, moments: Moments): Figures {
  return figuresAround(moments, series.meanOf(moments));
}

function showTotal(
  source: ViewSource,
  series: Series,
  { moments, surveyNumbers, groups }: SummedRange,
  minimum: number,
): Total {
  const facts = { versions: versionsOf(source, surveyNumbers), comparable: groups.size <= 1 };
  return isWithheld(moments.count, minimum)
    ? { ...withheldMark, ...facts }
    : { ...seriesFigures(series, moments), ...facts };
}

function showDifference(
  series: Series,
  now: SummedRange,
  before: SummedRange,
  minimum: number,
): NonNullable<SeriesTrend['difference']> | null {
  const [mean, meanBefore] = [series.meanOf(now.moments), series.meanOf(before.moments)];
  const isHidden = isWithheld(now.moments.count, minimum) || isWithheld(before.moments.count, minimum);
  if (isHidden || mean === null || meanBefore === null) return null;
  const difference = welchDifference(
    { moments: now.moments, mean },
    { moments: before.moments, mean: meanBefore },
  );
  const groups = new Set([...now.groups, ...before.groups]);
  return difference === null ? null : { ...difference, comparable: groups.size <= 1 };
}

/** Those of several series that begin with one version on one day are one break. */
function breaksOf(source: ViewSource, all: readonly SummedSeries[]): readonly Break[] {
  const found = new Map<string, { begin: GroupBegin; latents: string[]; changes: FigureChange[] }>();
  for (const { series, groupBegins, groups } of all)
    for (const [at, begin] of groupBegins.entries()) {
      if (at === 0) continue;
      const key = `${begin.day} ${begin.surveyNumber}`;
      const known = found.get(key) ?? { begin, latents: [], changes: [] };
      const before = groups.compositionOf(groupBegins[at - 1]!.group);
      known.latents.push(series.id);
      known.changes.push(figureChange(before, groups.compositionOf(begin.group)));
      found.set(key, known);
    }
  return [...found.values()]
    .sort(({ begin: one }, { begin: other }) => one.day - other.day || one.surveyNumber - other.surveyNumber)
    .map(({ begin: { day, surveyNumber }, latents, changes }) => ({
      day: dayText(day),
      version: source.surveyOf(surveyNumber).definition.version,
      latents,
      reason: changes.map(changeInWords).join(' '),
      changes,
    }));
}
