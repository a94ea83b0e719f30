// A SurveyDefinition made ready for judging: everything that does not depend on the response is worked out
// once per version, because judging is the hottest code of the product.

import { fold } from '../fold.ts';
import { questionsInRuleOrder } from './catalogue-rules.ts';
import {
  type Answer,
  answersOf,
  type CustomQuestion,
  type Latent,
  type MeasuredQuestion,
  type Rule,
  type SurveyDefinition,
} from './definition.ts';

/** Whether the measure or project of a survey takes responses (D-46). */
export type SourceState =
  | { readonly kind: 'measure'; readonly active: boolean }
  | { readonly kind: 'project'; readonly status: 'DRAFT' | 'ACTIVE' | 'INACTIVE' };

export interface PreparedSurvey {
  readonly definition: SurveyDefinition;
  readonly source: SourceState;
  /** Measured questions, then custom ones, each in the definition's order. */
  readonly questions: readonly PreparedQuestion[];
  readonly byId: ReadonlyMap<string, PreparedQuestion>;
  readonly latents: readonly PreparedLatent[];
  /** Questions that take one of their answers: each has one character in a row's choices. */
  readonly singles: readonly PreparedQuestion[];
  /** Questions whose answer is kept as a text of its own: open text and check boxes. */
  readonly pieces: readonly PreparedQuestion[];
  /** Those that are not always asked, sources before those that wait for them (D-42). */
  readonly conditional: readonly PreparedQuestion[];
  readonly required: readonly PreparedQuestion[];
  readonly rating: PreparedQuestion | null;
  readonly topic: PreparedQuestion | null;
  /** Place of a declared custom parameter, by its name. */
  readonly customParameters: ReadonlyMap<string, number>;
}

export interface PreparedLatent {
  readonly latent: Latent;
  readonly questions: readonly PreparedQuestion[];
}

/** How the answer to a question is given and kept. */
type AnswerForm = 'single' | 'multiple' | 'open';

export interface PreparedQuestion {
  readonly question: MeasuredQuestion | CustomQuestion;
  readonly id: string;
  readonly form: AnswerForm;
  readonly isMeasured: boolean;
  /** Place among all questions, and among the `singles` or `pieces`. */
  readonly index: number;
  readonly place: number;
  readonly answers: readonly Answer[];
  /** What a caller may write for an answer, its id or its value; an id wins over a value (D-42). */
  readonly answerByText: ReadonlyMap<string, number>;
  /** Each answer as it is shown, its value or else its text (D-36), already JSON. */
  readonly shown: readonly string[];
  /** Each answer of a measured question brought to 0..100 (D-33); NaN for "Don't know". */
  readonly normalised: readonly number[];
  readonly weight: number;
  readonly maxLength: number;
  readonly rules: readonly PreparedRule[];
}

/** A rule with its work done: which answers of the source let the question be asked. */
export interface PreparedRule {
  readonly source: PreparedQuestion;
  readonly matches: readonly boolean[];
  readonly matchesText: (text: string) => boolean;
}

export function prepareSurvey(definition: SurveyDefinition, source: SourceState): PreparedSurvey {
  const questions: PreparedQuestion[] = [];
  const places = { single: 0, pieces: 0 };
  const add = (question: MeasuredQuestion | CustomQuestion): PreparedQuestion => {
    const form = formOf(question);
    const place = form === 'single' ? places.single++ : places.pieces++;
    const prepared = prepareQuestion(question, form, questions.length, place);
    questions.push(prepared);
    return prepared;
  };
  const latents = definition.latents.map((latent) => ({ latent, questions: latent.questions.map(add) }));
  const custom = definition.questions.map(add);
  const byId = new Map(questions.map((question) => [question.id, question]));

  const conditional: PreparedQuestion[] = [];
  for (const { id, rules } of questionsInRuleOrder(definition).order) {
    const question = byId.get(id);
    if (question === undefined || rules.length === 0) continue;
    (question.rules as PreparedRule[]).push(...rules.flatMap((rule) => prepareRule(rule, byId)));
    conditional.push(question);
  }
  const withRole = (role: string) =>
    custom.find(({ question }) => 'role' in question && question.role === role);
  return {
    definition,
    source,
    questions,
    byId,
    latents,
    singles: questions.filter(({ form }) => form === 'single'),
    pieces: questions.filter(({ form }) => form !== 'single'),
    conditional,
    required: questions.filter(({ question }) => question.required),
    rating: withRole('rating') ?? null,
    topic: withRole('topic') ?? null,
    customParameters: new Map(definition.parameters.custom.map(({ name }, index) => [name, index])),
  };
}

/**
 * Which questions are asked, given the answers: a rule counts only while its source is itself asked, and one
 * rule that holds is enough (D-42). `isAsked` is by index and filled in; questions without rules stay as they are.
 */
export function settleVisibility(
  survey: PreparedSurvey,
  chosen: readonly number[],
  several: readonly (readonly number[] | undefined)[],
  texts: readonly (string | undefined)[],
  isAsked: boolean[],
): void {
  for (const question of survey.conditional) {
    isAsked[question.index] = question.rules.some((rule) => {
      const source = rule.source.index;
      if (!isAsked[source]) return false;
      if (rule.source.form === 'single') return rule.matches[chosen[source] ?? -1] === true;
      if (rule.source.form === 'multiple') {
        return several[source]?.some((answer) => rule.matches[answer]) === true;
      }
      const text = texts[source];
      return text !== undefined && rule.matchesText(text);
    });
  }
}

function prepareQuestion(
  question: MeasuredQuestion | CustomQuestion,
  form: AnswerForm,
  index: number,
  place: number,
): PreparedQuestion {
  const answers = answersOf(question);
  const answerByText = new Map<string, number>();
  answers.forEach(({ id }, answer) => answerByText.set(id, answer));
  answers.forEach(({ value }, answer) => {
    // Of two answers with one value the first counts.
    if (value !== null && !answerByText.has(`${value}`)) answerByText.set(`${value}`, answer);
  });
  const isMeasured = 'weight' in question;
  return {
    question,
    id: question.id,
    form,
    isMeasured,
    index,
    place,
    answers,
    answerByText,
    shown: answers.map(({ value, text }) => JSON.stringify(value === null ? text : `${value}`)),
    normalised: isMeasured ? answers.map(({ value }) => normalise(value, question)) : [],
    weight: isMeasured ? Math.min(question.weight, weightMax) : 0,
    maxLength: isMeasured ? 0 : (question.maxLength ?? Number.MAX_SAFE_INTEGER),
    rules: [],
  };
}

// A catalogue may name any weight above 0; sums of the largest doubles would be infinite.
const weightMax = 1e300;

function formOf(question: MeasuredQuestion | CustomQuestion): AnswerForm {
  if ('weight' in question) return 'single';
  if (question.responseType === 'TEXT' || question.responseType === 'TEXT_AREA') return 'open';
  return question.responseType === 'CHECKBOX' ? 'multiple' : 'single';
}

// D-33: (value - min) / (max - min) * 100.
function normalise(value: Answer['value'], { scale }: MeasuredQuestion): number {
  return typeof value === 'number' ? ((value - scale.min) / (scale.max - scale.min)) * 100 : Number.NaN;
}

function prepareRule(rule: Rule, byId: ReadonlyMap<string, PreparedQuestion>): PreparedRule[] {
  const source = byId.get(rule.question);
  if (source === undefined) return [];
  const wanted = source.answerByText.get(`${rule.answer}`);
  const bound = Number(rule.answer);
  const part = fold(`${rule.answer}`);
  const matches = source.answers.map(({ id, value, text }, answer) => {
    if (rule.operator === 'equals') return answer === wanted;
    if (rule.operator === 'contains') {
      const isNamed = fold(id) === part || (value !== null && fold(`${value}`) === part);
      return isNamed || fold(text).includes(part);
    }
    if (typeof value !== 'number') return false;
    return rule.operator === 'lt' ? value < bound : value > bound;
  });
  const matchesText = (text: string): boolean =>
    rule.operator === 'equals'
      ? text === `${rule.answer}`
      : rule.operator === 'contains' && fold(text).includes(part);
  return [{ source, matches, matchesText }];
}
