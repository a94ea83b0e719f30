// Every figure of the insight endpoints once more: plain, slow and obviously right, counted from the bodies that were sent and from
// what was erased of them, by the sentences of docs/insight.md. It shares nothing with the code that adds figures up, and takes the
// scores of a response from the other plain model (feedback-model.ts).

import { answersOf, type SurveyDefinition } from '../../src/domain/feedback/definition.ts';
import { chosenAnswers, isAsked, isOpen, latentScoresOf, type questionsOf } from './feedback-model.ts';
import type { InsightResponse, InsightSource } from './insight-population.ts';
import { correlationOf, differenceOf, figuresOf } from './statistics-model.ts';

const dayMs = 86_400_000;

// ---- days

/** Both ends included, as YYYY-MM-DD. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

export type Unit = 'day' | 'week' | 'month';

export function dayOf({ submittedAtMs }: InsightResponse): string {
  return new Date(submittedAtMs).toISOString().slice(0, 10);
}

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10);
}

function isWithin(day: string, { from, to }: Days): boolean {
  return from <= day && day <= to;
}

/** The unit that a day belongs to, cut to the range. Weeks begin on Monday. */
function unitOf(day: string, unit: Unit, range: Days): Days {
  let from = day;
  let to = day;
  if (unit === 'week') {
    const sinceMonday = (new Date(day).getUTCDay() + 6) % 7;
    from = addDays(day, -sinceMonday);
    to = addDays(from, 6);
  }
  if (unit === 'month') {
    from = `${day.slice(0, 7)}-01`;
    const [year = 0, month = 0] = day.split('-').map(Number);
    to = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
  }
  return { from: from < range.from ? range.from : from, to: to > range.to ? range.to : to };
}

// ---- what is left of a response

/** The scores of a response in millionths, by latent; an erasure leaves them (D-48). */
function scoresOf({ survey, body }: InsightResponse): ReadonlyMap<string, number> {
  const scored = latentScoresOf(survey, body).filter(({ score }) => score !== null);
  return new Map(scored.map(({ id, score }) => [id, Math.round(score! * 1e6)]));
}

/** The rating of an entry in millionths; none where it is erased. */
function ratingOf({ survey, body, isErased }: InsightResponse): number | null {
  const question = survey.questions.find(({ role }) => role === 'rating');
  if (isErased || question === undefined) return null;
  const value = chosenAnswers(question, body)[0]?.value;
  return typeof value === 'number' ? Math.round(value * 1e6) : null;
}

function topicOf({ survey, body, isErased }: InsightResponse): { id: string; text: string } | null {
  const question = survey.questions.find(({ role }) => role === 'topic');
  if (isErased || question === undefined || isOpen(question)) return null;
  const [answer] = chosenAnswers(question, body);
  return answer === undefined ? null : { id: answer.id, text: answer.text };
}

// ---- trends

export type Comparison = 'previous' | 'year';

/** The days that a range is compared with. */
export function comparedDays({ from, to }: Days, comparison: Comparison): Days {
  const length = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  if (comparison === 'previous') return { from: addDays(from, -length), to: addDays(from, -1) };
  return { from: yearBefore(from), to: yearBefore(to) };
}

function yearBefore(day: string): string {
  const before = `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`;
  return new Date(before).toISOString().slice(0, 10) === before ? before : addDays(before, -1);
}

/** What a trend is about: a latent of a measure, or the rating of a project. */
interface Series {
  readonly micros: (response: InsightResponse) => number | null;
  /** What two versions must have in common for their values to be joined. */
  readonly kindOf: (survey: SurveyDefinition) => string;
}

function latentSeries(id: string): Series {
  return {
    micros: (response) => scoresOf(response).get(id) ?? null,
    kindOf: ({ latents }) => {
      const questions = latents.find((latent) => latent.id === id)?.questions ?? [];
      return JSON.stringify(questions.map((question) => [question.id, question.weight, question.scale]));
    },
  };
}

const ratingSeries: Series = {
  micros: ratingOf,
  kindOf: ({ questions }) => {
    const rating = questions.find(({ role }) => role === 'rating');
    return JSON.stringify(rating === undefined ? null : [rating.id, answersOf(rating)]);
  },
};

/** The values of a series among some responses, with the versions that they are of. */
function valuesOf(series: Series, responses: readonly InsightResponse[]) {
  return responses.flatMap((response) => {
    const micros = series.micros(response);
    return micros === null ? [] : [{ micros, survey: response.survey, day: dayOf(response) }];
  });
}

type SeriesValue = ReturnType<typeof valuesOf>[number];

function versionsAmong(values: readonly SeriesValue[]): number[] {
  return [...new Set(values.map(({ survey }) => survey.version))].sort((one, other) => one - other);
}

function totalOf(series: Series, values: readonly SeriesValue[]) {
  const kinds = new Set(values.map(({ survey }) => series.kindOf(survey)));
  return {
    ...figuresOf(values.map(({ micros }) => micros)),
    versions: versionsAmong(values),
    comparable: kinds.size <= 1,
  };
}

function pointsOf(series: Series, values: readonly SeriesValue[], unit: Unit, range: Days) {
  const cells = groupBy(
    values,
    ({ day, survey }) => `${unitOf(day, unit, range).from} ${series.kindOf(survey)}`,
  );
  const points = [...cells.values()].map((cell) => ({
    ...unitOf(cell[0]!.day, unit, range),
    versions: versionsAmong(cell),
    ...figuresOf(cell.map(({ micros }) => micros)),
  }));
  return points.sort((one, other) =>
    one.from === other.from ? one.versions[0]! - other.versions[0]! : one.from < other.from ? -1 : 1,
  );
}

function trendOf(
  series: Series,
  source: InsightSource,
  range: Days,
  { unit, compare, keep }: TrendChoice,
): object {
  const kept = source.responses.filter(keep);
  const values = valuesOf(
    series,
    kept.filter((response) => isWithin(dayOf(response), range)),
  );
  const trend = { points: pointsOf(series, values, unit, range), total: totalOf(series, values) };
  if (compare === undefined) return trend;
  const days = comparedDays(range, compare);
  const before = valuesOf(
    series,
    kept.filter((response) => isWithin(dayOf(response), days)),
  );
  const difference = differenceOf(
    values.map(({ micros }) => micros),
    before.map(({ micros }) => micros),
  );
  return { ...trend, compared: totalOf(series, before), difference };
}

export interface TrendChoice {
  readonly unit: Unit;
  readonly compare?: Comparison;
  /** Of a filter; everything without one. */
  readonly keep: (response: InsightResponse) => boolean;
}

/** The latents that a range has, in the order of the interface's summary (D-34). */
export function latentsOf({ versions, responses }: InsightSource, range: Days) {
  const scored = new Set(
    responses
      .filter((response) => isWithin(dayOf(response), range))
      .flatMap((response) => [...scoresOf(response).keys()]),
  );
  const current = versions.find((version) => version.current);
  const older = versions
    .filter((version) => version !== current)
    .sort((one, other) => other.version - one.version);
  const latents = new Map((current?.latents ?? []).map((latent) => [latent.id, latent]));
  for (const latent of older.flatMap((version) => version.latents))
    if (scored.has(latent.id) && !latents.has(latent.id)) latents.set(latent.id, latent);
  return [...latents.values()].map(({ id, name, type }) => ({ id, name, type }));
}

export function measureTrend(source: InsightSource, range: Days, choice: TrendChoice): object[] {
  const kept = { ...source, responses: source.responses.filter(choice.keep) };
  return latentsOf(kept, range).map((latent) => ({
    ...latent,
    ...trendOf(latentSeries(latent.id), source, range, choice),
  }));
}

export function ratingTrend(source: InsightSource, range: Days, choice: TrendChoice): object {
  return trendOf(ratingSeries, source, range, choice);
}

// ---- distributions

/** What one question of one version was answered among some responses that are not erased. */
export function questionCounts(
  survey: SurveyDefinition,
  question: ReturnType<typeof questionsOf>[number],
  responses: readonly InsightResponse[],
) {
  const isMeasured = !('responseType' in question);
  const asked = responses.filter(({ body }) => isAsked(survey, question, body));
  const answers = answersOf(question);
  const chosen = asked.map(({ body }) => chosenAnswers(question, body));
  const isAnswered = ({ body }: InsightResponse): boolean =>
    isOpen(question)
      ? (body.responses?.[question.id] ?? []).some((text) => text.trim() !== '')
      : chosenAnswers(question, body).length > 0;
  const values = chosen.flatMap((some) =>
    some.flatMap(({ value }) => (typeof value === 'number' ? [value] : [])),
  );
  const isSeveral = !isMeasured && question.responseType === 'CHECKBOX';
  return {
    version: survey.version,
    count: responses.length,
    asked: asked.length,
    notAsked: responses.length - asked.length,
    unanswered: asked.filter((response) => !isAnswered(response)).length,
    dontKnow:
      isMeasured && question.dontKnow
        ? chosen.filter((some) => some.some(({ value }) => value === null)).length
        : undefined,
    answered: asked.filter(isAnswered).length,
    mean:
      isSeveral || values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length,
    answers: isOpen(question)
      ? undefined
      : answers.map(({ id, text, value }) => ({
          id,
          text,
          value,
          count: chosen.filter((some) => some.some((answer) => answer.id === id)).length,
        })),
  };
}

// ---- drivers

export function measureDrivers(
  source: InsightSource,
  range: Days,
  keep: (response: InsightResponse) => boolean,
): { satisfaction: object | null; drivers: object[] } {
  const responses = source.responses.filter((response) => isWithin(dayOf(response), range) && keep(response));
  const latents = latentsOf({ ...source, responses }, range);
  const satisfaction = latents.find(({ type }) => type === 'SATISFACTION') ?? null;
  const drivers = latents
    .filter(({ type }) => type !== 'SATISFACTION')
    .map((latent) => {
      const scores = responses.map(scoresOf);
      const pairs = scores.flatMap((one): [number, number][] => {
        const x = one.get(latent.id);
        const y = satisfaction === null ? undefined : one.get(satisfaction.id);
        return x === undefined || y === undefined ? [] : [[x, y]];
      });
      const own = scores.flatMap((one) => one.get(latent.id) ?? []);
      return { ...latent, ...figuresOf(own), correlation: correlationOf(pairs) };
    });
  return {
    satisfaction: satisfaction === null ? null : { id: satisfaction.id, name: satisfaction.name },
    drivers,
  };
}

// ---- topics

export function projectTopics(source: InsightSource, range: Days): object[] {
  const entries = source.responses.filter((response) => isWithin(dayOf(response), range));
  const about = entries.flatMap((entry) => {
    const topic = topicOf(entry);
    return topic === null ? [] : [{ topic, rating: ratingOf(entry) }];
  });
  return [...groupBy(about, ({ topic }) => topic.id).values()].map((some) => ({
    id: some[0]!.topic.id,
    text: some[0]!.topic.text,
    entries: some.length,
    share: some.length / about.length,
    ...figuresOf(some.flatMap(({ rating }) => rating ?? [])),
  }));
}

export function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    groups.set(key, [...(groups.get(key) ?? []), value]);
  }
  return groups;
}
