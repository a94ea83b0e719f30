// What one version of a survey asks otherwise than another, for people who compare them. What may be changed at all is judged in
// catalogue-change.ts.

import { same } from './catalogue-change.ts';
import type { CustomQuestion, Latent, MeasuredQuestion, SurveyDefinition } from './definition.ts';

export const differenceKinds = ['added', 'removed', 'changed', 'moved'] as const;
export const differingThings = ['survey', 'latent', 'question', 'parameter', 'language', 'page'] as const;

export interface SurveyDifference {
  readonly what: (typeof differenceKinds)[number];
  readonly of: (typeof differingThings)[number];
  /** Empty for the survey and its page. */
  readonly id: string;
  /** What it is called, in the newer version where both have it. */
  readonly name: string;
  /** Of something that changed: what of it. */
  readonly members: readonly string[];
}

/** In the order in which a survey is written down. */
export function surveyDifferences(
  before: SurveyDefinition,
  after: SurveyDefinition,
): readonly SurveyDifference[] {
  const ofSurvey = changedMembers(before, after, surveyMembers);
  const ofPage = changedMembers(before.page ?? {}, after.page ?? {});
  return [
    ...(ofSurvey.length === 0 ? [] : [whole('survey', ofSurvey)]),
    ...differencesOf('language', languages(before), languages(after)),
    ...differencesOf('latent', before.latents.map(latentFacts), after.latents.map(latentFacts)),
    ...differencesOf('question', questionsOf(before), questionsOf(after)),
    ...(isReordered(questionsOf(before), questionsOf(after))
      ? [{ what: 'moved', of: 'question', id: '', name: '', members: [] } as const]
      : []),
    ...differencesOf('parameter', parametersOf(before), parametersOf(after)),
    ...(ofPage.length === 0 ? [] : [whole('page', ofPage)]),
  ];
}

const surveyMembers = ['title', 'language', 'public', 'origins', 'quarantine'] as const;

interface Thing {
  readonly id: string;
  readonly name: string;
}

function whole(of: SurveyDifference['of'], members: readonly string[]): SurveyDifference {
  return { what: 'changed', of, id: '', name: '', members };
}

function differencesOf(
  of: SurveyDifference['of'],
  before: readonly Thing[],
  after: readonly Thing[],
): readonly SurveyDifference[] {
  const old = new Map(before.map((thing) => [thing.id, thing]));
  const kept = new Set(after.map(({ id }) => id));
  return [
    ...after.flatMap((thing): readonly SurveyDifference[] => {
      const { id, name } = thing;
      const was = old.get(id);
      if (was === undefined) return [{ what: 'added', of, id, name, members: [] }];
      const members = changedMembers(was, thing);
      return members.length === 0 ? [] : [{ what: 'changed', of, id, name, members }];
    }),
    ...before
      .filter(({ id }) => !kept.has(id))
      .map(({ id, name }) => ({ what: 'removed', of, id, name, members: [] }) as const),
  ];
}

function changedMembers(before: object, after: object, among?: readonly string[]): readonly string[] {
  const names = among ?? [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const memberOf = (thing: object, name: string): unknown =>
    (thing as Readonly<Record<string, unknown>>)[name] ?? null;
  return names.filter((name) => !same(memberOf(before, name), memberOf(after, name)));
}

function languages({ translations = {} }: SurveyDefinition): readonly Thing[] {
  return Object.entries(translations).map(([id, texts]) => ({ id, name: id, ...texts }));
}

function latentFacts({ id, name, type }: Latent): Thing {
  return { id, name, ...{ type } };
}

function questionsOf({ latents, questions }: SurveyDefinition): readonly Thing[] {
  const written = (question: MeasuredQuestion | CustomQuestion, latent: string | null): Thing => ({
    ...question,
    ...(latent === null ? {} : { latent }),
  });
  return [
    ...latents.flatMap((latent) => latent.questions.map((question) => written(question, latent.id))),
    ...questions.map((question) => written(question, null)),
  ];
}

function parametersOf({ parameters: { custom, external } }: SurveyDefinition): readonly Thing[] {
  return [...custom, ...external];
}

function isReordered(before: readonly Thing[], after: readonly Thing[]): boolean {
  const old = new Set(before.map(({ id }) => id));
  const kept = after.flatMap(({ id }) => (old.has(id) ? [id] : []));
  const keptIds = new Set(kept);
  return !same(
    kept,
    before.flatMap(({ id }) => (keptIds.has(id) ? [id] : [])),
  );
}
