// Groups of responses as they are shown: the figures of each latent, or of the rating, and what may not be told.

import { answersOf } from '../feedback/definition.ts';
import { type RangeScore, rangeScore, rangeScores } from '../feedback/score.ts';
import type { Fault } from '../problem.ts';
import { type Group, type GroupPart, momentsPlace, type RankedGroups } from './breakdown.ts';
import type { FilteredSource } from './filter.ts';
import { compositionOfLatent, compositionOfRating, JoinGroups } from './joining.ts';
import { type Moments, momentsAt, noMoments, sumOfMoments } from './moments.ts';
import {
  isKnownIn,
  type PropertyKind,
  propertyText,
  questionOf,
  type RowProperty,
  readProperty,
  weekdays,
} from './row-property.ts';
import { figuresAround } from './statistics.ts';
import { valueFigures } from './values.ts';
import { type ShownFigures, type ViewSource, versionsOf } from './view-source.ts';
import { isWithheld, withheldMark } from './withheld.ts';

const groupKinds: readonly PropertyKind[] = [
  'question',
  'cpp',
  'epp',
  'device',
  'locale',
  'weekday',
  'page',
  'version',
];
const nameCharactersMax = 300;

/** Reads `question:Q-1` or `device`; null where it has a fault, which is named: without a source those of form alone. */
export function readGroupProperty(
  text: string,
  source: FilteredSource | null,
  faults: Fault[],
): RowProperty | null {
  const fault = (code: Fault['code'], message: string): null => {
    faults.push({ field: 'by', code, message });
    return null;
  };
  if (text.length > nameCharactersMax)
    return fault('TOO_LONG', `has at most ${nameCharactersMax} characters.`);
  const property = readProperty(text);
  if (property === null || !groupKinds.includes(property.kind))
    return fault(
      'INVALID',
      'is one of cpp:NAME, epp:NAME, question:ID, device, locale, weekday, page, version.',
    );
  if (source === null) return property;
  if (!isKnownIn(source.surveys, property))
    return fault('UNKNOWN', `no version has ${propertyText(property)}.`);
  const isOpen = source.surveys.some((survey) => questionOf(survey, property)?.form === 'open');
  if (isOpen && !source.mayReadComments) return fault('INVALID', 'is open text, which you may not read.');
  return property;
}

type ComparableFigures = ShownFigures & { readonly comparable: boolean };

interface ShownParts {
  readonly count: number;
  readonly versions: readonly number[];
  /** Of a measure, in the order of `latents`. */
  readonly latents?: readonly ({ readonly id: string } & ComparableFigures)[];
  /** Of a project. */
  readonly rating?: ComparableFigures;
}

export interface ShownBreakdown {
  /** Of a measure: those of the summary of the data, in its order. */
  readonly latents?: readonly Pick<RangeScore, 'id' | 'name' | 'type'>[];
  readonly groups: readonly ({ readonly value: string | null; readonly label: string | null } & ShownParts)[];
  readonly other: ({ readonly groups: number | null } & ShownParts) | null;
  readonly withheld: RankedGroups['withheld'];
}

interface BreakdownQuestion {
  readonly source: ViewSource;
  readonly kind: 'measure' | 'project';
  readonly property: RowProperty;
  readonly minimum: number;
}

export function showGroups(
  question: BreakdownQuestion,
  { groups, other, withheld }: RankedGroups,
): ShownBreakdown {
  const { source, property } = question;
  const all = [...groups, ...(other === null ? [] : [other])];
  const latents = question.kind === 'measure' ? latentsOf(source, all) : undefined;
  const joined = new Map<string, JoinGroups>();
  const show = ({ count, parts }: Omit<Group, 'value'>): ShownParts => ({
    count,
    versions: versionsOf(source, new Set(parts.map(({ surveyNumber }) => surveyNumber))),
    ...(latents === undefined
      ? { rating: shownRating(question, parts, joined) }
      : { latents: latents.map(({ id }) => ({ id, ...shownLatent(question, id, parts, joined) })) }),
  });
  const labelOf = labels(source, property);
  return {
    ...(latents !== undefined && { latents }),
    groups: groups.map((group) => ({
      value: group.value,
      label: group.value === null ? null : labelOf(group.value),
      ...show(group),
    })),
    other: other === null ? null : { groups: other.groups, ...show(other) },
    withheld,
  };
}

function latentsOf(
  { definitions, surveyOf }: ViewSource,
  groups: readonly Omit<Group, 'value'>[],
): readonly Pick<RangeScore, 'id' | 'name' | 'type'>[] {
  const counts = new Map<string, number>();
  for (const { parts } of groups)
    for (const { surveyNumber, figures } of parts)
      for (const [index, { latent }] of surveyOf(surveyNumber).latents.entries())
        counts.set(latent.id, (counts.get(latent.id) ?? 0) + figures[momentsPlace(index)]!);
  const sums = new Map([...counts].map(([id, count]) => [id, { micros: 0, count }]));
  return rangeScores(definitions, sums).map(({ id, name, type }) => ({ id, name, type }));
}

function shownLatent(
  { source: { surveyOf }, minimum }: BreakdownQuestion,
  id: string,
  parts: readonly GroupPart[],
  joined: Map<string, JoinGroups>,
): ComparableFigures {
  let moments = noMoments;
  const met = new Set<number>();
  for (const { surveyNumber, figures } of parts) {
    const index = surveyOf(surveyNumber).latents.findIndex(({ latent }) => latent.id === id);
    const its = index < 0 ? noMoments : momentsAt(figures, momentsPlace(index));
    if (its.count === 0) continue;
    moments = sumOfMoments(moments, its);
    const { latent } = surveyOf(surveyNumber).latents[index]!;
    met.add(joinGroups(joined, id).groupOf(surveyNumber, () => compositionOfLatent(latent)));
  }
  const mean = rangeScore({ micros: Number(moments.sum), count: moments.count });
  return { ...shown(moments, minimum, () => figuresAround(moments, mean)), comparable: met.size <= 1 };
}

function shownRating(
  { source: { surveyOf }, minimum }: BreakdownQuestion,
  parts: readonly GroupPart[],
  joined: Map<string, JoinGroups>,
): ComparableFigures {
  let moments = noMoments;
  const met = new Set<number>();
  for (const { surveyNumber, figures } of parts) {
    const its = momentsAt(figures, momentsPlace(0));
    const { rating } = surveyOf(surveyNumber);
    if (its.count === 0 || rating === null) continue;
    moments = sumOfMoments(moments, its);
    met.add(joinGroups(joined, '').groupOf(surveyNumber, () => compositionOfRating(rating)));
  }
  return { ...shown(moments, minimum, () => valueFigures(moments)), comparable: met.size <= 1 };
}

function shown({ count }: Moments, minimum: number, figures: () => ShownFigures): ShownFigures {
  return isWithheld(count, minimum) ? withheldMark : figures();
}

function joinGroups(joined: Map<string, JoinGroups>, id: string): JoinGroups {
  let groups = joined.get(id);
  if (groups === undefined) {
    groups = new JoinGroups();
    joined.set(id, groups);
  }
  return groups;
}

/** What a value is called: the text of an answer in the newest version that has it, the name of a day, or the value itself. */
function labels({ definitions }: ViewSource, property: RowProperty): (value: string) => string {
  if (property.kind === 'weekday') return (value) => weekdays[Number(value) - 1]!;
  if (property.kind !== 'question') return (value) => value;
  const texts = new Map<string, string>();
  for (const { latents, questions } of [...definitions].sort((one, other) => one.version - other.version))
    for (const question of [...latents.flatMap((latent) => latent.questions), ...questions])
      if (question.id === property.name) for (const { id, text } of answersOf(question)) texts.set(id, text);
  return (value) => texts.get(value) ?? value;
}
