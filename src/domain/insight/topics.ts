// What people wrote about: how often each topic was named, how it was rated, and what changed against another range.

import type { PreparedSurvey } from '../feedback/survey.ts';
import type { Interruptible } from '../interruptible.ts';
import { type GroupBy, type GroupPart, momentsPlace, type RankedGroups } from './breakdown.ts';
import { type DayFigures, layoutFor } from './day-figures.ts';
import { sumVersions, type VersionSum } from './distribution.ts';
import { compositionOfRating, JoinGroups } from './joining.ts';
import { fullPlace } from './layout.ts';
import { type Moments, momentsAt, noMoments, sumOfMoments } from './moments.ts';
import { type Difference, type Figures, meanOf, shareDifference, welchDifference } from './statistics.ts';
import { momentsOfCounts, valueFigures, valueMicros } from './values.ts';
import type { ShownFigures, ViewDays, ViewSource, Withheld } from './view-source.ts';
import { isWithheld, withheldMark } from './withheld.ts';
import { withheldCells } from './withheld-cells.ts';

type Topic = {
  /** Of the question, and of its answer; null of words that people wrote themselves. */
  readonly question: string;
  readonly id: string | null;
  readonly text: string;
  /** Entries that name it; the figures are those of their ratings. */
  readonly entries: number;
  /** Of all entries that name a topic; null where there is none. */
  readonly share: number | null;
  /** False where versions with other ratings are added up in it. */
  readonly comparable: boolean;
  readonly compared?:
    | ({ readonly entries: number; readonly share: number | null } & ShownFigures)
    | Withheld
    | null;
  readonly change?: { readonly share: Difference | null; readonly rating: Difference | null } | null;
} & ShownFigures;

export interface Topics {
  /** Entries that are not erased, and those of them that name a topic. */
  readonly count: number;
  readonly withTopic: number;
  /** Named most often first. */
  readonly topics: readonly Topic[];
  /** Those that people wrote themselves and that were named least often, as one. */
  readonly other: TopicSums['other'];
  /** Those of fewer entries than may be told of, as one. */
  readonly withheld: { readonly topics: number; readonly count: number } | null;
}

/** The entries of one topic. */
interface TopicSum {
  readonly question: string;
  readonly id: string | null;
  readonly text: string;
  readonly count: number;
  readonly moments: Moments;
  /** Of the ratings, which cannot be joined where there are several. */
  readonly groups: Set<number>;
}

export interface TopicSums {
  readonly count: number;
  readonly byKey: ReadonlyMap<string, TopicSum>;
  /** Topics that were named less often than those that are kept one by one; how many they are may not be known. */
  readonly other: { readonly topics: number | null; readonly count: number } | null;
}

/** Adds up topics that are answers of a question. */
export function* sumTopics(
  source: ViewSource,
  { days }: ViewDays,
  groups: JoinGroups,
): Interruptible<TopicSums> {
  const sums = yield* sumVersions(source, days);
  const byKey = new Map<string, TopicSum>();
  let count = 0;
  // The newest version names a topic last, and its words stay.
  const inOrder = [...sums].sort(
    ([, { survey: one }], [, { survey: other }]) => one.definition.version - other.definition.version,
  );
  for (const [surveyNumber, sum] of inOrder) {
    count += sum.figures[fullPlace]!;
    addVersion(byKey, surveyNumber, sum, groups);
    yield;
  }
  return { count, byKey, other: null };
}

function addVersion(
  byKey: Map<string, TopicSum>,
  surveyNumber: number,
  { survey, figures }: VersionSum,
  groups: JoinGroups,
): void {
  const { topic, rating } = survey;
  if (topic === null || isScanned(survey)) return;
  const layout = layoutFor(survey);
  const micros = rating?.answers.map(valueMicros) ?? [];
  const group = rating === null ? 0 : groups.groupOf(surveyNumber, () => compositionOfRating(rating));
  for (const [place, { id, text }] of topic.answers.entries()) {
    const times = figures[layout.questions[topic.index]!.answers + place]!;
    const key = topicKey(topic.id, id);
    const known = byKey.get(key);
    const rated =
      layout.topics < 0 ? noMoments : momentsOfCounts(figures, layout.topics + place * micros.length, micros);
    const its = known === undefined ? new Set<number>() : known.groups;
    if (rated.count > 0) its.add(group);
    byKey.set(key, {
      ...{ question: topic.id, id, text },
      count: (known?.count ?? 0) + times,
      moments: sumOfMoments(known?.moments ?? noMoments, rated),
      groups: its,
    });
  }
}

function topicKey(question: string, answer: string): string {
  return `${question} ${answer}`;
}

// ---- topics that are not counted ahead

/** Topics that people write themselves, and those of a question with very many answers, are found by looking at the entries. */
function isScanned(survey: PreparedSurvey): boolean {
  const { topic, rating } = survey;
  if (topic === null) return false;
  return topic.form !== 'single' || (rating !== null && layoutFor(survey).topics < 0);
}

/** Whether topics must be looked for. Open text is told to those alone who may read comments; others are told of the rest. */
export function mustScanTopics(
  { surveyOf }: ViewSource,
  days: readonly DayFigures[],
  mayReadComments: boolean,
): boolean {
  const surveys = [...new Set(days.map(({ surveyNumber }) => surveyNumber))].map(surveyOf);
  const isOpen = surveys.some(({ topic }) => topic?.form === 'open');
  return isOpen ? mayReadComments : surveys.some(isScanned);
}

/** So many topics are told of one by one where people write them. */
const topicsKept = 200;

/** What to look for. What is withheld is decided when all of it is known. */
export const topicGroups: GroupBy = {
  property: { kind: 'topic' },
  limit: topicsKept,
  minimum: 1,
  order: 'count',
};

/** The topics that were found; a version with another question has topics of its own. */
export function scannedTopics(
  { surveyOf }: ViewSource,
  { groups: found, other }: RankedGroups,
  groups: JoinGroups,
): TopicSums {
  const byKey = new Map<string, TopicSum>();
  let count = other?.count ?? 0;
  for (const { value, parts } of found)
    for (const part of parts) {
      const { topic } = surveyOf(part.surveyNumber);
      const entries = part.figures[0]!;
      count += entries;
      if (value === null || topic === null) continue;
      const answer = topic.answers.find(({ id }) => id === value);
      const key = topicKey(topic.id, value);
      const known = byKey.get(key);
      const ratings = ratingsOf([part], surveyOf, groups);
      byKey.set(key, {
        ...{ question: topic.id, id: answer?.id ?? null, text: answer?.text ?? value },
        count: (known?.count ?? 0) + entries,
        moments: sumOfMoments(known?.moments ?? noMoments, ratings.moments),
        groups: new Set([...(known?.groups ?? []), ...ratings.groups]),
      });
    }
  return { count, byKey, other: other === null ? null : { topics: other.groups, count: other.count } };
}

function ratingsOf(
  parts: readonly GroupPart[],
  surveyOf: ViewSource['surveyOf'],
  groups: JoinGroups,
): { readonly moments: Moments; readonly groups: Set<number> } {
  let moments = noMoments;
  const met = new Set<number>();
  for (const { surveyNumber, figures } of parts) {
    const its = momentsAt(figures, momentsPlace(0));
    const { rating } = surveyOf(surveyNumber);
    if (its.count === 0 || rating === null) continue;
    moments = sumOfMoments(moments, its);
    met.add(groups.groupOf(surveyNumber, () => compositionOfRating(rating)));
  }
  return { moments, groups: met };
}

// ---- pages

export type WorstPage = Figures & { readonly url: string; readonly comparable: boolean };

/** So many ratings a page has at least to be among the worst: fewer say little. */
const pageRatingsMin = 5;
/** More pages than are shown, because some have too few ratings. */
const pagesLooked = 1_000;

/** What to look for. */
export function pageGroups(minimum: number): GroupBy {
  return {
    property: { kind: 'page' },
    limit: pagesLooked,
    minimum: Math.max(minimum, pageRatingsMin),
    order: 'mean',
  };
}

/** The pages with the lowest mean of ratings first. */
export function worstPages(
  { surveyOf }: ViewSource,
  { groups: found }: RankedGroups,
  minimum: number,
  limit: number,
): readonly WorstPage[] {
  const groups = new JoinGroups();
  return found
    .flatMap(({ value, parts }): WorstPage[] => {
      const { moments, groups: met } = ratingsOf(parts, surveyOf, groups);
      if (value === null || moments.count < Math.max(minimum, pageRatingsMin)) return [];
      return [{ url: value, ...valueFigures(moments), comparable: met.size <= 1 }];
    })
    .slice(0, limit);
}

// ---- as shown

/** Topics that are offered now, so that one that nobody named is told of too. */
export function offeredTopics({ definitions }: ViewSource): ReadonlyMap<string, Named> {
  const topic = definitions.find(({ current }) => current)?.questions.find(({ role }) => role === 'topic');
  const named = topic?.answers.map(
    ({ id, text }) => [topicKey(topic.id, id), { question: topic.id, id, text }] as const,
  );
  return new Map(named);
}

type Named = Pick<TopicSum, 'question' | 'id' | 'text'>;

/** `compared` is absent where nothing is compared, and null where it was not looked through. */
export function showTopics(
  now: TopicSums,
  compared: TopicSums | null | undefined,
  offered: ReadonlyMap<string, Named>,
  minimum: number,
): Topics {
  const keys = new Set([...offered.keys(), ...now.byKey.keys(), ...(compared?.byKey.keys() ?? [])]);
  const rows = [...keys]
    .map((key) => ({ key, now: now.byKey.get(key), before: compared?.byKey.get(key) }))
    .filter(
      ({ key, now: sum, before }) => offered.has(key) || (sum?.count ?? 0) > 0 || (before?.count ?? 0) > 0,
    )
    .sort((one, other) => (other.now?.count ?? 0) - (one.now?.count ?? 0));
  const counts = rows.map((row) => row.now?.count ?? 0);
  const countsBefore = rows.map(({ before }) => before?.count ?? 0);
  const areWithheld = withheldCells(counts, minimum);
  const areWithheldBefore = withheldCells(countsBefore, minimum);
  const withTopic = counts.reduce((sum, count) => sum + count, now.other?.count ?? 0);
  const withTopicBefore = countsBefore.reduce((sum, count) => sum + count, compared?.other?.count ?? 0);
  const topics = rows.flatMap(({ key, now: sum, before }, place): Topic[] => {
    // Words that too few people wrote are not told because nobody wrote them in this range.
    const isOnlyThere = counts[place] === 0 && !offered.has(key);
    if (areWithheld[place] || (isOnlyThere && areWithheldBefore[place])) return [];
    const { question, id, text } = (sum ?? before ?? offered.get(key))!;
    const here = { sum, count: counts[place]!, of: withTopic };
    const there = { sum: before, count: countsBefore[place]!, of: withTopicBefore };
    return [
      {
        ...{ question, id, text, ...facts(here, minimum) },
        comparable: new Set([...(sum?.groups ?? []), ...(before?.groups ?? [])]).size <= 1,
        ...(compared !== undefined &&
          comparison(here, compared === null || areWithheldBefore[place] ? null : there, {
            minimum,
            isWithheld: compared !== null,
          })),
      },
    ];
  });
  const hidden = counts.filter((_, place) => areWithheld[place]);
  return {
    count: now.count,
    withTopic,
    topics,
    other: now.other,
    withheld:
      hidden.length === 0
        ? null
        : { topics: hidden.length, count: hidden.reduce((sum, count) => sum + count, 0) },
  };
}

interface TopicCell {
  readonly sum: TopicSum | undefined;
  readonly count: number;
  readonly of: number;
}

function facts({ sum, count, of }: TopicCell, minimum: number) {
  const moments = sum?.moments ?? noMoments;
  const share = of === 0 ? null : count / of;
  return {
    entries: count,
    share,
    ...(isWithheld(moments.count, minimum) ? withheldMark : valueFigures(moments)),
  };
}

/** Null where the other side is not told. */
function comparison(
  here: TopicCell,
  there: TopicCell | null,
  { minimum, isWithheld: isTooFew }: { readonly minimum: number; readonly isWithheld: boolean },
): Pick<Topic, 'compared' | 'change'> {
  if (there === null) return { compared: isTooFew ? withheldMark : null, change: null };
  return {
    compared: facts(there, minimum),
    change: {
      share: shareDifference([here.count, here.of], [there.count, there.of]),
      rating: ratingDifference(here.sum?.moments ?? noMoments, there.sum?.moments ?? noMoments, minimum),
    },
  };
}

function ratingDifference(now: Moments, before: Moments, minimum: number): Difference | null {
  const [mean, meanBefore] = [meanOf(now), meanOf(before)];
  if (mean === null || meanBefore === null) return null;
  if (isWithheld(now.count, minimum) || isWithheld(before.count, minimum)) return null;
  return welchDifference({ moments: now, mean }, { moments: before, mean: meanBefore });
}
