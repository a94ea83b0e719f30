// Every figure of the insight endpoints once more: plain, slow and obviously right, counted from the bodies that were sent and from
// what was erased of them, by the sentences of docs/insight.md. It shares nothing with the code that adds figures up, and takes the
// scores of a response from the other plain model (feedback-model.ts).

import { answersOf, type SurveyDefinition } from '../../src/domain/feedback/definition.ts';
import { fold } from '../../src/domain/fold.ts';
import {
  chosenAnswers,
  isAsked,
  isOpen,
  latentScoresOf,
  questionsOf,
  respondentOf,
} from './feedback-model.ts';
import type { InsightResponse, InsightSource } from './insight-population.ts';
import { correlationOf, differenceOf, figuresOf, shareDifferenceOf } from './statistics-model.ts';

export { fold };

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

/** Works out once what is asked for again and again of the same responses. */
function once<Key extends object, Value>(work: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (key) => {
    const value = known.get(key) ?? work(key);
    known.set(key, value);
    return value;
  };
}

/** The scores of a response in millionths, by latent; an erasure leaves them (D-48). */
const scoresOf = once(({ survey, body }: InsightResponse): ReadonlyMap<string, number> => {
  const scored = latentScoresOf(survey, body).filter(({ score }) => score !== null);
  return new Map(scored.map(({ id, score }) => [id, Math.round(score! * 1e6)]));
});

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
    kindOf: once(({ latents }) => {
      const questions = latents.find((latent) => latent.id === id)?.questions ?? [];
      return JSON.stringify(questions.map((question) => [question.id, question.weight, question.scale]));
    }),
  };
}

const ratingSeries: Series = {
  micros: ratingOf,
  kindOf: once(({ questions }) => {
    const rating = questions.find(({ role }) => role === 'rating');
    return JSON.stringify(rating === undefined ? null : [rating.id, answersOf(rating)]);
  }),
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
  const { comparable } = totalOf(series, [...values, ...before]);
  return {
    ...trend,
    compared: totalOf(series, before),
    difference: difference === null ? null : { ...difference, comparable },
  };
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

/** The first day of each further group of versions that cannot be joined with those before, of each latent. */
export function measureBreaks(
  source: InsightSource,
  range: Days,
  keep: (response: InsightResponse) => boolean,
): string[] {
  const responses = within(source, range, keep);
  return latentsOf({ ...source, responses }, range).flatMap(({ id }) => {
    const series = latentSeries(id);
    const groups = groupBy(valuesOf(series, responses), ({ survey }) => series.kindOf(survey));
    const firstDays = [...groups.values()].map((some) => some.map(({ day }) => day).sort()[0]!).sort();
    return firstDays.slice(1).map((day) => `${day} ${id}`);
  });
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

/** Every latent but that of the current version's satisfaction, the strongest association first. */
export function measureDrivers(
  source: InsightSource,
  range: Days,
  keep: (response: InsightResponse) => boolean,
): { satisfaction: object | null; drivers: object[] } {
  const responses = within(source, range, keep);
  const latents = latentsOf({ ...source, responses }, range);
  const current = source.versions.find((version) => version.current);
  const satisfaction = current?.latents.find(({ type }) => type === 'SATISFACTION');
  const scores = responses.map(scoresOf);
  const drivers = latents
    .filter(({ id }) => id !== satisfaction?.id)
    .map((latent) => {
      const pairs = scores.flatMap((one): [number, number][] => {
        const x = one.get(latent.id);
        const y = satisfaction === undefined ? undefined : one.get(satisfaction.id);
        return x === undefined || y === undefined ? [] : [[x, y]];
      });
      return { ...latent, ...totalOfLatent(latent.id, responses), correlation: correlationOf(pairs) };
    })
    .sort((one, other) => Math.abs(other.correlation.value ?? 0) - Math.abs(one.correlation.value ?? 0));
  if (satisfaction === undefined) return { satisfaction: null, drivers };
  const { id, name } = satisfaction;
  return { satisfaction: { id, name, ...totalOfLatent(id, responses) }, drivers };
}

// ---- topics

/** Topics by the id of their answer: those that are offered now, and all that were named. */
export function projectTopics(
  source: InsightSource,
  range: Days,
  keep: (response: InsightResponse) => boolean,
  compare?: Comparison,
): { count: number; withTopic: number; topics: Map<string, object> } {
  const now = topicsAmong(within(source, range, keep));
  const before = compare && topicsAmong(within(source, comparedDays(range, compare), keep));
  const current = source.versions.find((version) => version.current);
  const offered = current?.questions.find(({ role }) => role === 'topic')?.answers ?? [];
  const ids = new Set([
    ...offered.map(({ id }) => id),
    ...now.about.map(({ id }) => id),
    ...(before?.about ?? []).map(({ id }) => id),
  ]);
  const topics = [...ids].map((id): [string, object] => {
    const text = source.versions
      .flatMap(({ questions }) => questions.filter(({ role }) => role === 'topic'))
      .flatMap(({ answers }) => answers.filter((answer) => answer.id === id))
      .at(-1)!.text;
    const one = topicFigures(now, id);
    const shown = { question: 'Q-TOPIC', id, text, ...one.figures, comparable: true };
    if (before === undefined) return [id, shown];
    const other = topicFigures(before, id);
    const change = {
      share: shareDifferenceOf(
        { count: one.figures.entries, of: now.about.length },
        { count: other.figures.entries, of: before.about.length },
      ),
      rating: differenceOf(one.ratings, other.ratings),
    };
    return [id, { ...shown, compared: other.figures, change }];
  });
  return { count: now.count, withTopic: now.about.length, topics: new Map(topics) };
}

function topicsAmong(responses: readonly InsightResponse[]) {
  const entries = responses.filter(({ isErased }) => !isErased);
  const about = entries.flatMap((entry) => {
    const topic = topicOf(entry);
    return topic === null ? [] : [{ ...topic, rating: ratingOf(entry) }];
  });
  return { count: entries.length, about };
}

function topicFigures({ about }: ReturnType<typeof topicsAmong>, id: string) {
  const own = about.filter((one) => one.id === id);
  const ratings = own.flatMap(({ rating }) => rating ?? []);
  const share = about.length === 0 ? null : own.length / about.length;
  return { ratings, figures: { entries: own.length, share, ...figuresOf(ratings) } };
}

export function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    groups.set(key, [...(groups.get(key) ?? []), value]);
  }
  return groups;
}

// ---- filters (D-490)

export interface ModelCondition {
  readonly operator: 'is' | 'not' | 'lt' | 'gt' | 'contains';
  /** As in the parameter: `cpp:plan`. */
  readonly name: string;
  readonly value: string;
}

/** The parameter `filter`, before it is encoded for the address. */
export function filterText(conditions: readonly ModelCondition[]): string {
  return conditions
    .map(({ operator, name, value }) =>
      [operator, encodeURIComponent(name), encodeURIComponent(value)].join(','),
    )
    .join(';');
}

export function keepsAll(conditions: readonly ModelCondition[]): (response: InsightResponse) => boolean {
  return once((response) => conditions.every((condition) => holds(condition, response)));
}

const comparisons = {
  is: (one: number, other: number) => one === other,
  lt: (one: number, other: number) => one < other,
  gt: (one: number, other: number) => one > other,
  contains: () => false,
};

function holds({ operator, name, value }: ModelCondition, response: InsightResponse): boolean {
  const leftByErasure = name === 'weekday' || name === 'version' || name.startsWith('latent:');
  if (response.isErased && !leftByErasure) return false;
  if (operator === 'not') return !holds({ operator: 'is', name, value }, response);
  const compare = comparisons[operator];
  const numbers = numbersOf(name, response);
  const wanted = name === 'weekday' && value in weekdays ? weekdays[value]! : Number(value);
  if (numbers !== null) return numbers.some((number) => compare(number, wanted));
  const question = questionNamed(name, response.survey);
  if (question !== undefined && !isOpen(question)) {
    const named =
      answersOf(question).find(({ id }) => id === value) ??
      answersOf(question).find((answer) => answer.value !== null && String(answer.value) === value);
    return chosenAnswers(question, response.body).some((answer) => {
      if (operator === 'is') return named === undefined ? answer.text === value : answer.id === named.id;
      if (operator !== 'contains')
        return typeof answer.value === 'number' && compare(answer.value, Number(value));
      const isNamed = [answer.id, answer.value].some((one) => one !== null && fold(`${one}`) === fold(value));
      return isNamed || fold(answer.text).includes(fold(value));
    });
  }
  return textsOf(name, response).some((text) => {
    if (operator === 'is') return text === (name === 'page' ? pageOf(value) : value);
    if (operator === 'contains') return fold(text).includes(fold(value));
    return /^-?\d+(\.\d+)?$/.test(text) && compare(Number(text), Number(value));
  });
}

/** Of what is compared as a number; null of all else. */
function numbersOf(name: string, response: InsightResponse): number[] | null {
  if (name === 'version') return [response.survey.version];
  if (name === 'weekday') return [weekdayOf(response)];
  if (name === 'rating') {
    const micros = ratingOf(response);
    return micros === null ? [] : [micros / 1e6];
  }
  if (!name.startsWith('latent:')) return null;
  const scores = latentScoresOf(response.survey, response.body);
  const score = scores.find(({ id }) => id === name.slice('latent:'.length))?.score ?? null;
  return score === null ? [] : [score];
}

/** The names that the filters of the tests use. */
const weekdays: Readonly<Record<string, number>> = { Saturday: 6 };

/** 1 for Monday to 7 for Sunday. */
function weekdayOf(response: InsightResponse): number {
  return new Date(dayOf(response)).getUTCDay() || 7;
}

function questionNamed(name: string, survey: SurveyDefinition) {
  if (name === 'topic') return survey.questions.find(({ role }) => role === 'topic');
  return questionsOf(survey).find(({ id }) => `question:${id}` === name);
}

/** What stands behind `?` or `#` is not part of the page. */
function pageOf(url: string): string {
  return url.split(/[?#]/)[0]!;
}

/** The texts of an open question or a passed parameter. */
function textsOf(name: string, response: InsightResponse): string[] {
  const { survey, body } = response;
  const question = questionNamed(name, survey);
  if (question !== undefined) return body.responses?.[question.id] ?? [];
  const plain = { device: 'cpp:deviceType', locale: 'cpp:locale', page: 'cpp:url' }[name] ?? name;
  const [kind, ...parts] = plain.split(':');
  const wanted = parts.join(':');
  const row = rowsOf(response).find(
    (one) =>
      one.type === kind?.toUpperCase() && (one.name === wanted || (kind === 'epp' && one.id === wanted)),
  );
  const texts = row?.answers ?? [];
  return name === 'page' ? [...new Set(texts.map(pageOf))] : texts;
}

const rowsOf = once((response: InsightResponse): readonly ShownRow[] => {
  const { survey, body } = response;
  return (respondentOf(survey, body, response, excludeNothing) as { responses: ShownRow[] }).responses;
});

interface ShownRow {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly answers: string[];
}

const excludeNothing = {
  excludeResponseDetails: false,
  excludeMQ: false,
  excludeCQ: false,
  excludePassedParams: false,
  excludeLatentScores: false,
};

// ---- groups (D-490, D-491)

/** The groups that a response is in: none where it is erased, null where it has no value. */
function groupsOf(by: string, response: InsightResponse): (string | null)[] {
  if (by === 'weekday') return [String(weekdayOf(response))];
  if (by === 'version') return [String(response.survey.version)];
  if (response.isErased) return [];
  const question = questionNamed(by, response.survey);
  const values =
    question !== undefined && !isOpen(question)
      ? chosenAnswers(question, response.body).map(({ id }) => id)
      : textsOf(by, response);
  return values.length === 0 ? [null] : [...new Set(values)];
}

export interface ModelGroup {
  readonly value: string | null;
  readonly responses: readonly InsightResponse[];
}

/** The largest first; then by value, and those without one last. */
export function groupsBy(by: string, responses: readonly InsightResponse[]): ModelGroup[] {
  const members = responses.flatMap((response) =>
    groupsOf(by, response).map((value) => ({ value, response })),
  );
  return [...groupBy(members, ({ value }) => JSON.stringify(value)).values()]
    .map((some) => ({ value: some[0]!.value, responses: some.map(({ response }) => response) }))
    .sort((one, other) => other.responses.length - one.responses.length || compareValues(one, other));
}

function compareValues({ value: one }: ModelGroup, { value: other }: ModelGroup): number {
  if (one === null || other === null) return one === null ? 1 : -1;
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

export function within(source: InsightSource, range: Days, keep: (response: InsightResponse) => boolean) {
  return source.responses.filter((response) => isWithin(dayOf(response), range) && keep(response));
}

export function latentFigures(id: string, responses: readonly InsightResponse[]) {
  return figuresOf(responses.flatMap((response) => scoresOf(response).get(id) ?? []));
}

export function ratingFigures(responses: readonly InsightResponse[]) {
  return figuresOf(responses.flatMap((response) => ratingOf(response) ?? []));
}

export function totalOfLatent(id: string, responses: readonly InsightResponse[]) {
  return totalOf(latentSeries(id), valuesOf(latentSeries(id), responses));
}

export function totalOfRating(responses: readonly InsightResponse[]) {
  return totalOf(ratingSeries, valuesOf(ratingSeries, responses));
}

// ---- comments (D-499)

export interface ModelComment {
  readonly id: string;
  readonly question: string;
  readonly text: string;
  readonly version: number;
  readonly position: number;
  readonly responseTime: string;
}

/** In the order of arrival, and within a response in that of its questions. */
export function commentsOf(responses: readonly InsightResponse[], part = ''): ModelComment[] {
  return responses.flatMap((response) => {
    if (response.isErased) return [];
    return questionsOf(response.survey).flatMap((question) => {
      const text = response.body.responses?.[question.id]?.[0] ?? '';
      if (!isOpen(question) || text.trim() === '' || !fold(text).includes(fold(part))) return [];
      const { responseId: id, position, submittedAtMs, survey } = response;
      const responseTime = new Date(submittedAtMs).toISOString();
      return [{ id, question: question.id, text, version: survey.version, position, responseTime }];
    });
  });
}
