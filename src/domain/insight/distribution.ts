// How often every answer of every question was given, by version, and how long people took.

import type { Answer, CustomResponseType, SurveyDefinition } from '../feedback/definition.ts';
import type { PreparedSurvey } from '../feedback/survey.ts';
import type { Interruptible } from '../interruptible.ts';
import { binBegin } from './completion-times.ts';
import { type DayFigures, layoutFor } from './day-figures.ts';
import { newFigures } from './figures.ts';
import { completionBins, fullPlace, type QuestionLayout, responsesPlace } from './layout.ts';
import { meanOf, quantileOfBins } from './statistics.ts';
import { momentsOfCounts, valueMicros } from './values.ts';
import type { ViewDays, ViewSource, Withheld } from './view-source.ts';
import { isWithheld, withheldMark } from './withheld.ts';
import { withheldCells } from './withheld-cells.ts';

export interface Distribution {
  /** Responses that are not erased. */
  readonly count: number;
  readonly erased: number;
  readonly questions: readonly QuestionDistribution[];
  readonly completionTimes: CompletionTimes | Withheld;
}

export interface QuestionDistribution {
  readonly id: string;
  readonly name: string;
  readonly phrase: string;
  readonly type: 'MQ' | 'CQ';
  readonly responseType: CustomResponseType | 'MEASURED_QUESTION';
  /** Of a measured question. */
  readonly latent?: string;
  readonly versions: readonly VersionDistribution[];
}

type VersionDistribution = { readonly version: number; readonly surveyDefinitionId: string } & (
  | AnswerCounts
  | Withheld
);

export interface AnswerCounts {
  /** Responses to the version that are not erased: asked and not asked. */
  readonly count: number;
  /** Answered and unanswered. */
  readonly asked: number;
  readonly notAsked: number;
  readonly unanswered: number;
  /** Of a measured question that offers it; they are among those who answered. */
  readonly dontKnow?: number;
  readonly answered: number;
  /** Of the answers that have a number as their value, where one of them can be chosen; null where nobody chose such an answer. */
  readonly mean: number | null;
  /** An open question has none. */
  readonly answers?: readonly AnswerCount[];
}

export type AnswerCount = Omit<Answer, 'label'> & ({ readonly count: number } | Withheld);

interface CompletionTimes {
  readonly count: number;
  readonly median: number | null;
  readonly quartiles: readonly [number, number] | null;
  readonly bins: readonly ({ readonly fromMs: number; readonly toMs: number | null } & (
    | { readonly count: number }
    | Withheld
  ))[];
}

export function* distributionOf(
  source: ViewSource,
  { days }: ViewDays,
  minimum: number,
): Interruptible<Distribution> {
  const sums = yield* sumVersions(source, days);
  const sumOf = (place: number): number =>
    [...sums.values()].reduce((sum, { figures }) => sum + figures[place]!, 0);
  const count = sumOf(fullPlace);
  return {
    count,
    erased: sumOf(responsesPlace) - count,
    questions: yield* questionsOf(source, sums, minimum),
    completionTimes: completionTimes([...sums.values()], minimum),
  };
}

export interface VersionSum {
  readonly survey: PreparedSurvey;
  readonly figures: Float64Array;
}

/** The figures of each version over all days; their sums of scores are left alone, which may be more than a double holds. */
export function* sumVersions(
  { surveyOf }: ViewSource,
  days: readonly DayFigures[],
): Interruptible<ReadonlyMap<number, VersionSum>> {
  const sums = new Map<number, VersionSum>();
  for (const { surveyNumber, figures } of days) {
    let sum = sums.get(surveyNumber);
    if (sum === undefined) {
      const survey = surveyOf(surveyNumber);
      sum = { survey, figures: newFigures(layoutFor(survey)) };
      sums.set(surveyNumber, sum);
    }
    const { figures: all } = sum;
    for (let place = 0; place < figures.length; place += 1) all[place]! += figures[place]!;
    yield;
  }
  return sums;
}

// ---- questions

interface KnownQuestion extends Omit<QuestionDistribution, 'versions'> {
  readonly key: string;
}

/** Those of the current version in its order, then older ones that were asked in the range, newest version first. */
function* questionsOf(
  { definitions }: ViewSource,
  sums: ReadonlyMap<number, VersionSum>,
  minimum: number,
): Interruptible<readonly QuestionDistribution[]> {
  const byKey = new Map<string, VersionDistribution[]>();
  const newestFirst = [...definitions].sort((one, other) => other.version - one.version);
  const inOrder = [...sums.values()]
    .filter(({ figures }) => figures[fullPlace]! > 0)
    .sort(({ survey: one }, { survey: other }) => one.definition.version - other.definition.version);
  for (const { survey, figures } of inOrder) {
    const { version, id: surveyDefinitionId } = survey.definition;
    for (const question of layoutFor(survey).questions) {
      const key = keyOf(question);
      const known = byKey.get(key) ?? [];
      known.push({ version, surveyDefinitionId, ...countsOf(question, figures, minimum) });
      byKey.set(key, known);
    }
    yield;
  }
  const shown = new Map<string, QuestionDistribution>();
  for (const definition of [...definitions.filter(({ current }) => current), ...newestFirst])
    for (const { key, ...question } of knownQuestions(definition)) {
      const versions = byKey.get(key) ?? [];
      if (shown.has(key) || (!definition.current && versions.length === 0)) continue;
      shown.set(key, { ...question, versions });
    }
  return [...shown.values()];
}

/** One that takes another kind of answer is another question, even if it kept its id. */
function keyOf({ question: { question, isMeasured, id } }: QuestionLayout): string {
  return isMeasured ? `MQ ${id}` : `${(question as { responseType: string }).responseType} ${id}`;
}

function knownQuestions({ latents, questions }: SurveyDefinition): KnownQuestion[] {
  const measured = latents.flatMap((latent) =>
    latent.questions.map(({ id, name, phrase }) => ({
      ...{ key: `MQ ${id}`, id, name, phrase },
      ...{ type: 'MQ' as const, responseType: 'MEASURED_QUESTION' as const, latent: latent.id },
    })),
  );
  const custom = questions.map(({ id, name, phrase, responseType }) => ({
    ...{ key: `${responseType} ${id}`, id, name, phrase },
    ...{ type: 'CQ' as const, responseType },
  }));
  return [...measured, ...custom];
}

function countsOf(layout: QuestionLayout, figures: Float64Array, minimum: number): AnswerCounts | Withheld {
  const { question } = layout;
  const { form, answers } = question;
  const count = figures[fullPlace]!;
  const notAsked = figures[layout.notAsked]!;
  const unanswered = figures[layout.unanswered]!;
  const asked = count - notAsked;
  const answered = asked - unanswered;
  if (isWithheld(answered, minimum)) return withheldMark;
  const facts = { count, asked, notAsked, unanswered };
  if (form === 'open') return { ...facts, answered, mean: null };
  const counts = answers.map((_, place) => figures[layout.answers + place]!);
  const isWhole = form === 'single';
  const areWithheld = isWhole
    ? withheldCells(counts, minimum)
    : // Those of a check box do not make up a whole, so none follows from the others.
      counts.map((times) => isWithheld(times, minimum));
  const dontKnowPlace = question.isMeasured ? answers.findIndex(({ value }) => value === null) : -1;
  const numbers = momentsOfCounts(figures, layout.answers, answers.map(valueMicros));
  return {
    ...facts,
    ...(dontKnowPlace >= 0 && !areWithheld[dontKnowPlace] && { dontKnow: counts[dontKnowPlace]! }),
    answered,
    mean: isWhole && !isWithheld(numbers.count, minimum) ? meanOf(numbers) : null,
    answers: answers.map(({ id, text, value }, place) => ({
      ...{ id, text, value },
      ...(areWithheld[place] ? withheldMark : { count: counts[place]! }),
    })),
  };
}

// ---- completion times

function completionTimes(sums: readonly VersionSum[], minimum: number): CompletionTimes | Withheld {
  const bins = Array.from({ length: completionBins }, (_, bin) => ({
    // A time is a whole number of milliseconds, so a bin begins at the first one that lies in it.
    begin: Math.ceil(binBegin(bin)),
    end: bin + 1 < completionBins ? Math.ceil(binBegin(bin + 1)) : null,
    count: sums.reduce((sum, { survey, figures }) => sum + figures[layoutFor(survey).completion + bin]!, 0),
  }));
  const count = bins.reduce((sum, bin) => sum + bin.count, 0);
  if (isWithheld(count, minimum)) return withheldMark;
  const first = bins.findIndex((bin) => bin.count > 0);
  const shown = first < 0 ? [] : bins.slice(first, bins.findLastIndex((bin) => bin.count > 0) + 1);
  const areWithheld = withheldCells(
    shown.map((bin) => bin.count),
    minimum,
  );
  const [low, median, high] = [0.25, 0.5, 0.75].map((part) => quantileOfBins(bins, part));
  return {
    count,
    median: median!,
    quartiles: count === 0 ? null : [low!, high!],
    bins: shown.map(({ begin, end, count: times }, place) => ({
      ...{ fromMs: begin, toMs: end },
      ...(areWithheld[place] ? withheldMark : { count: times }),
    })),
  };
}
