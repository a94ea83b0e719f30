// Why a response has its scores: what each measured question of a latent brought to it, and why the other questions did not count or
// were not asked. Pure, from a row that was read (given-answers.ts) and the version that explains it.

import type { Rule } from '../feedback/definition.ts';
import type { PreparedLatent, PreparedQuestion, PreparedRule, PreparedSurvey } from '../feedback/survey.ts';
import type { GivenRow } from './given-answers.ts';

export const measuredStates = ['counted', 'dontKnow', 'unanswered', 'erased'] as const;
export const customStates = ['answered', 'unanswered', 'notAsked', 'erased'] as const;

interface TracedQuestion {
  readonly id: string;
  readonly name: string;
  readonly phrase: string;
}

interface TracedMeasuredQuestion extends TracedQuestion {
  readonly state: (typeof measuredStates)[number];
  /** As data shows it; null where there is none. */
  readonly answer: string | null;
  readonly value: number | null;
  /** The value brought to 0..100. */
  readonly normalised: number | null;
  readonly weight: number;
  /** Of the weights that count. */
  readonly share: number | null;
  readonly contribution: number | null;
}

interface TracedLatent {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly score: number | null;
  readonly questions: readonly TracedMeasuredQuestion[];
}

export interface TracedRule extends Rule {
  readonly holds: boolean;
  /** One sentence for people. */
  readonly words: string;
}

interface TracedCustomQuestion extends TracedQuestion {
  readonly responseType: string;
  readonly state: (typeof customStates)[number];
  /** Of a question that is not always asked: one rule that holds is enough. */
  readonly rules?: readonly TracedRule[];
}

export interface Trace {
  readonly latents: readonly TracedLatent[];
  /** The custom questions. */
  readonly questions: readonly TracedCustomQuestion[];
}

/** The trace of the row that is in hand. */
export function traceRow(row: GivenRow): Trace {
  const { survey } = row;
  if (!row.isErased) row.settle();
  const scores = row.head.split(',');
  return {
    latents: survey.latents.map((latent, index) => traceLatent(row, latent, keptScore(scores[index]))),
    questions: survey.questions
      .filter(({ isMeasured }) => !isMeasured)
      .map((question) => traceCustom(row, survey, question)),
  };
}

function keptScore(text: string | undefined): number | null {
  return text === undefined || text === '' || text === 'null' ? null : Number(text);
}

// ---- what counts

interface Counted {
  readonly question: PreparedQuestion;
  readonly normalised: number;
}

function traceLatent(
  row: GivenRow,
  { latent, questions }: PreparedLatent,
  score: number | null,
): TracedLatent {
  const { id, name, type } = latent;
  const counted: Counted[] = [];
  for (const question of row.isErased ? [] : questions) {
    const normalised = question.normalised[row.chosen[question.index]!] ?? Number.NaN;
    if (!Number.isNaN(normalised)) counted.push({ question, normalised });
  }
  const weights = counted.reduce((sum, { question }) => sum + question.weight, 0);
  const contributions = new Map(
    contributionsOf(score ?? 0, counted).map((part, index) => [counted[index]!.question, part]),
  );
  return {
    id,
    name,
    type,
    score,
    questions: questions.map((question) => {
      const contribution = contributions.get(question);
      const { weight } = question;
      const unscored = { weight, share: null, contribution: null };
      const texts = textsOf(question);
      if (row.isErased)
        return { ...texts, state: 'erased', answer: null, value: null, normalised: null, ...unscored };
      const chosen = row.chosen[question.index]!;
      if (chosen < 0)
        return { ...texts, state: 'unanswered', answer: null, value: null, normalised: null, ...unscored };
      const answer = JSON.parse(question.shown[chosen]!) as string;
      if (contribution === undefined)
        return { ...texts, state: 'dontKnow', answer, value: null, normalised: null, ...unscored };
      return {
        ...texts,
        state: 'counted',
        answer,
        value: question.answers[chosen]!.value as number,
        normalised: question.normalised[chosen]!,
        weight,
        share: weight / weights,
        contribution,
      };
    }),
  };
}

/**
 * What each answer brought to the score: weight times value, over the weights that count. As these are doubles, their sum would miss
 * the score by some units of its last place. So each is cut to a whole number of these units and the largest has what is left: every
 * sum of them is exact then, in whatever order, and all of them together are the score (D-505).
 */
export function contributionsOf(
  score: number,
  counted: readonly { readonly question: Pick<PreparedQuestion, 'weight'>; readonly normalised: number }[],
): number[] {
  const products = counted.map(({ question, normalised }) => question.weight * normalised);
  const total = products.reduce((sum, product) => sum + product, 0);
  const unit = unitOf(score);
  const parts = products.map((product) =>
    // Where the smallest weights make every product 0, all of the score goes to one of them.
    total > 0 ? Math.floor((score * (product / total)) / unit) * unit : 0,
  );
  const largest = products.indexOf(Math.max(...products));
  if (largest < 0) return parts;
  parts[largest] = 0;
  parts[largest] = score - parts.reduce((sum, part) => sum + part, 0);
  return parts;
}

const bytes = new DataView(new ArrayBuffer(8));

/** The distance from a double, which is not below 0, to the next one. */
function unitOf(value: number): number {
  bytes.setFloat64(0, value);
  const exponent = bytes.getUint16(0) >> 4;
  return 2 ** (Math.max(1, exponent) - 1075);
}

// ---- what was asked

function traceCustom(
  row: GivenRow,
  survey: PreparedSurvey,
  question: PreparedQuestion,
): TracedCustomQuestion {
  const { question: definition } = question;
  const texts = {
    ...textsOf(question),
    responseType: 'responseType' in definition ? definition.responseType : '',
  };
  if (row.isErased) return { ...texts, state: 'erased' };
  const isAnswered = givenTo(row, question);
  const state = !row.isAsked[question.index] ? 'notAsked' : isAnswered ? 'answered' : 'unanswered';
  if (question.rules.length === 0) return { ...texts, state };
  // The catalogue takes no rule on a question that is not there, so both lists have the same order.
  const written = ('rules' in definition ? definition.rules : []).filter(({ question: id }) =>
    survey.byId.has(id),
  );
  return {
    ...texts,
    state,
    rules: question.rules.map((rule, index) => traceRule(row, rule, written[index]!)),
  };
}

function traceRule(row: GivenRow, { source, matches, matchesText }: PreparedRule, rule: Rule): TracedRule {
  const { question, operator, answer } = rule;
  const told = (holds: boolean, words: string): TracedRule => ({
    question,
    operator,
    answer,
    holds,
    words: `${question} ${words}.`,
  });
  const { index } = source;
  if (!row.isAsked[index]) return told(false, 'was not asked itself');
  if (!givenTo(row, source)) return told(false, 'was not answered');
  const holds =
    source.form === 'single'
      ? matches[row.chosen[index]!] === true
      : source.form === 'multiple'
        ? row.severalMeant[index]!.some((one) => matches[one])
        : matchesText(row.texts[index]!);
  return told(holds, `${(holds ? heldWords : failedWords)[operator]} ${answer}`);
}

const heldWords: Readonly<Record<Rule['operator'], string>> = {
  equals: 'is',
  lt: 'is less than',
  gt: 'is more than',
  contains: 'contains',
};

const failedWords: Readonly<Record<Rule['operator'], string>> = {
  equals: 'is not',
  lt: 'is not less than',
  gt: 'is not more than',
  contains: 'does not contain',
};

function givenTo(row: GivenRow, { form, index }: PreparedQuestion): boolean {
  if (form === 'single') return row.chosen[index]! >= 0;
  return form === 'open' ? row.texts[index] !== undefined : (row.several[index]?.length ?? 0) > 0;
}

function textsOf({ question: { id, name, phrase } }: PreparedQuestion): TracedQuestion {
  return { id, name, phrase };
}
