// A SurveyResponse: a draft that was judged by the very version it names, scored, and reduced to its values
// (D-30, D-33, D-42). This is the hottest code of the product: one pass over the answers, Maps that were made
// beforehand, no regular expression.

import { dayMs, dayOf } from '../dates.ts';
import type { Fault } from '../problem.ts';
import {
  checkParameters,
  defaultParameterLimits,
  type ParameterLimits,
  parameterLines,
} from './parameters.ts';
import { addFault, isLongerThan, type ResponseDraft, shortened } from './response-draft.ts';
import { choiceCode, codeOf } from './row-values.ts';
import { type LatentScore, latentScore } from './score.ts';
import { standardSlots } from './standard-fields.ts';
import { type PreparedQuestion, type PreparedSurvey, settleVisibility } from './survey.ts';

export interface SurveyResponse {
  readonly surveyDefinitionId: string;
  readonly responseId: string;
  readonly submittedAtMs: number;
  /** The UTC day of the submission. */
  readonly day: number;
  /** A test response is answered like a real one and never kept (D-45). */
  readonly isTest: boolean;
  /** In the order of the version's latents. */
  readonly scores: readonly (number | null)[];
  /** See row-values.ts. */
  readonly values: string;
}

export type Judgement =
  | { readonly response: SurveyResponse; readonly faults: readonly [] }
  | { readonly response: null; readonly faults: readonly Fault[] };

export interface JudgingContext {
  readonly nowMs: number;
  /** A fresh id for a response that was sent without one; asked for only then. */
  readonly newId: () => string;
  readonly limits?: ParameterLimits;
}

/** Judges a draft by its survey. All faults of meaning are found at once (D-22, D-42). */
export function judge(survey: PreparedSurvey, draft: ResponseDraft, context: JudgingContext): Judgement {
  const faults: Fault[] = [];
  checkIsOpen(survey, draft, faults);
  const submittedAtMs = draft.submittedAtMs ?? context.nowMs;
  checkMoment(submittedAtMs, context.nowMs, faults);
  checkParameters(draft, context.limits ?? defaultParameterLimits, faults);
  checkMetrics(draft, faults);

  const count = survey.questions.length;
  const given: Given = {
    chosen: new Array(count).fill(-1),
    several: new Array(count).fill(undefined),
    texts: new Array(count).fill(undefined),
    isDoubtful: null,
  };
  for (const id in draft.answers) {
    const question = survey.byId.get(id);
    if (question !== undefined) takeAnswers(question, draft.answers[id] ?? [], given, faults);
    else
      addFault(faults, `responses.${id}`, 'UNKNOWN_QUESTION', `The survey has no question ${shortened(id)}.`);
  }
  checkVisibility(survey, draft, given, faults);
  if (faults.length > 0) return { response: null, faults };

  const scores = survey.latents.map((latent) => latentScore(latent, given.chosen));
  const response = {
    surveyDefinitionId: draft.surveyDefinitionId,
    responseId: draft.responseId ?? context.newId(),
    submittedAtMs,
    day: dayOf(submittedAtMs),
    isTest: draft.isTest,
    scores,
    values: valuesOf(survey, draft, given, scores),
  };
  return { response, faults: [] };
}

/** The scores of a response with their names, as a test response is told them (D-45). */
export function namedScores(survey: PreparedSurvey, scores: readonly (number | null)[]): LatentScore[] {
  return survey.latents.map(({ latent: { id, name, type } }, index) => ({
    id,
    name,
    type,
    score: scores[index] ?? null,
  }));
}

// What was answered, by the index of the question.
interface Given {
  /** The answer of a question that takes one; -1 for none. */
  readonly chosen: number[];
  readonly several: (readonly number[] | undefined)[];
  readonly texts: (string | undefined)[];
  /** Questions whose answers have faults; made when the first one is found. */
  isDoubtful: boolean[] | null;
}

// Whether the survey takes responses now (D-46). A retry of a response that is kept is answered before this (D-41).
function checkIsOpen({ definition, source }: PreparedSurvey, draft: ResponseDraft, faults: Fault[]): void {
  const fault = (code: Fault['code'], message: string) =>
    addFault(faults, 'surveyDefinitionId', code, message);
  if (definition.closed)
    fault('SURVEY_CLOSED', 'This version of the survey is closed and takes no responses.');
  if (source.kind === 'measure') {
    if (!source.active) fault('MEASURE_INACTIVE', 'The measure is not active and takes no responses.');
  } else if (source.status === 'INACTIVE') {
    fault('PROJECT_INACTIVE', 'The project is not active and takes no responses.');
  } else if (source.status === 'DRAFT' && !draft.isTest) {
    fault('PROJECT_DRAFT', 'The project is a draft and takes test responses only (isTest: true).');
  }
}

// Not from before 1990, and not from after tomorrow (D-44).
function checkMoment(submittedAtMs: number, nowMs: number, faults: Fault[]): void {
  if (submittedAtMs > nowMs + dayMs) {
    const message = 'submissionTimestamp lies more than 24 hours in the future.';
    addFault(faults, 'submissionTimestamp', 'IN_THE_FUTURE', message);
  } else if (submittedAtMs < earliestMs) {
    addFault(faults, 'submissionTimestamp', 'TOO_OLD', 'submissionTimestamp lies before 1990.');
  }
}

const earliestMs = Date.UTC(1990, 0, 1);

// A whole number beyond 2^53 - 1 lost digits when it was parsed, so what would be kept is not what was sent (D-185).
// It is judged here and not as a fault of form, because a retry of a response that was kept before must still be one.
function checkMetrics({ metrics }: ResponseDraft, faults: Fault[]): void {
  for (const name in metrics) {
    if (Math.abs(metrics[name] as number) <= Number.MAX_SAFE_INTEGER) continue;
    const path = `cpps.metrics.${name}`;
    const message = `${path} must be a number from -9007199254740991 to 9007199254740991.`;
    addFault(faults, path, 'INVALID_TYPE', message);
  }
}

function takeAnswers(
  question: PreparedQuestion,
  answers: readonly string[],
  given: Given,
  faults: Fault[],
): void {
  if (answers.length === 0) return;
  const { id, index } = question;
  if (question.form === 'multiple') {
    given.several[index] = takeSeveral(question, answers, given, faults);
    return;
  }
  if (answers.length > 1) {
    given.isDoubtful = doubt(given, index);
    addFault(faults, `responses.${id}`, 'TOO_MANY_ANSWERS', `${id} takes one answer, not ${answers.length}.`);
    return;
  }
  const text = answers[0] as string;
  if (question.form === 'single') {
    const answer = question.answerByText.get(text);
    if (answer !== undefined) given.chosen[index] = answer;
    else refuseAnswer(question, text, 0, given, faults);
    return;
  }
  if (isLongerThan(text, question.maxLength)) {
    given.isDoubtful = doubt(given, index);
    const message = `The text for ${id} is longer than ${question.maxLength} characters.`;
    addFault(faults, `responses.${id}[0]`, 'TEXT_TOO_LONG', message);
    return;
  }
  // Blank text is no answer: it neither meets a requirement nor makes a row.
  if (text.trim() !== '') given.texts[index] = text;
}

// The answers of a check box as sent; one that is named twice counts once.
function takeSeveral(
  question: PreparedQuestion,
  answers: readonly string[],
  given: Given,
  faults: Fault[],
): readonly number[] {
  const several: number[] = [];
  for (const [position, text] of answers.entries()) {
    const answer = question.answerByText.get(text);
    if (answer === undefined) refuseAnswer(question, text, position, given, faults);
    else if (!several.includes(answer)) several.push(answer);
  }
  return several;
}

function refuseAnswer(
  question: PreparedQuestion,
  text: string,
  position: number,
  given: Given,
  faults: Fault[],
): void {
  given.isDoubtful = doubt(given, question.index);
  // The place is named and the answer is not: what people say does not belong in an error.
  const path = `responses.${question.id}[${position}]`;
  const scale = question.question.scale;
  if (scale !== null && text.trim() !== '' && Number.isFinite(Number(text))) {
    const message = `The answer is not on the scale of ${question.id}, ${scale.min} to ${scale.max}.`;
    addFault(faults, path, 'OFF_SCALE', message);
  } else {
    const message = `${question.id} has no answer with this id or value.`;
    addFault(faults, path, 'UNKNOWN_ANSWER', message);
  }
}

// `required` binds only visible questions, and a hidden one may not be answered (D-42). Questions that hang on
// an answer with a fault are passed over: what is wrong with them cannot be known before that is mended.
function checkVisibility(survey: PreparedSurvey, draft: ResponseDraft, given: Given, faults: Fault[]): void {
  const isAsked: boolean[] = new Array(survey.questions.length).fill(true);
  const { isDoubtful } = given;
  if (survey.conditional.length > 0) {
    settleVisibility(survey, given.chosen, given.several, given.texts, isAsked);
    for (const question of survey.conditional) {
      if (isDoubtful !== null && hangsOnDoubt(question, isDoubtful)) {
        isDoubtful[question.index] = true;
      } else if (!isAsked[question.index] && isAnswered(question, given, draft)) {
        const message = `${question.id} is not asked after these answers, so it cannot be answered.`;
        addFault(faults, `responses.${question.id}`, 'HIDDEN_QUESTION', message);
      }
    }
  }
  for (const question of survey.required) {
    if (!isAsked[question.index] || isAnswered(question, given, null)) continue;
    if (isDoubtful?.[question.index] === true) continue;
    addFault(faults, `responses.${question.id}`, 'REQUIRED', `${question.id} needs an answer.`);
  }
}

function hangsOnDoubt(question: PreparedQuestion, isDoubtful: readonly boolean[]): boolean {
  return question.rules.some(({ source }) => isDoubtful[source.index] === true);
}

// With the draft at hand an answer counts even if it had a fault of its own.
function isAnswered({ id, index }: PreparedQuestion, given: Given, draft: ResponseDraft | null): boolean {
  if ((given.chosen[index] as number) >= 0 || given.texts[index] !== undefined) return true;
  if ((given.several[index]?.length ?? 0) > 0) return true;
  return draft !== null && given.isDoubtful?.[index] === true && (draft.answers[id]?.length ?? 0) > 0;
}

function doubt(given: Given, index: number): boolean[] {
  const isDoubtful = given.isDoubtful ?? new Array<boolean>(given.chosen.length).fill(false);
  isDoubtful[index] = true;
  return isDoubtful;
}

// ---- the row

function valuesOf(
  survey: PreparedSurvey,
  draft: ResponseDraft,
  given: Given,
  scores: readonly (number | null)[],
): string {
  const choices: number[] = [];
  for (const { index } of survey.singles) choices.push(choiceCode(given.chosen[index] as number));
  let answered = '';
  let pieces = '';
  for (const question of survey.pieces) {
    const piece = pieceOf(question, given);
    if (piece === '') continue;
    answered += String.fromCharCode(codeOf(question.place));
    pieces += `\n${piece}`;
  }
  const head = survey.source.kind === 'measure' ? scoresText(scores) : projectHead(survey, draft, given);
  const parameters = parameterLines(survey, draft);
  return `${head}\n${String.fromCharCode.apply(null, choices)}\n${answered}\n${parameters.codes}${pieces}${parameters.pieces}`;
}

function pieceOf(question: PreparedQuestion, given: Given): string {
  const text = given.texts[question.index];
  if (text !== undefined) return JSON.stringify(text);
  const several = given.several[question.index];
  if (several === undefined) return '';
  let piece = '';
  for (const answer of several) piece += piece === '' ? question.shown[answer] : `,${question.shown[answer]}`;
  return piece;
}

function scoresText(scores: readonly (number | null)[]): string {
  let text = '';
  for (let index = 0; index < scores.length; index += 1)
    text += index === 0 ? scores[index] : `,${scores[index]}`;
  return text;
}

// The members that a ProjectEntry has of its own (D-39).
function projectHead(survey: PreparedSurvey, draft: ResponseDraft, given: Given): string {
  const { rating, topic } = survey;
  const stars = rating === null ? null : rating.answers[given.chosen[rating.index] as number]?.value;
  return (
    `"url":${draft.standard[urlSlot] ?? null},"locale":${draft.standard[localeSlot] ?? null},` +
    `"rating":${typeof stars === 'number' ? stars : null},"topic":${topicText(topic, given)}`
  );
}

const urlSlot = standardSlots.get('url') ?? 0;
const localeSlot = standardSlots.get('locale') ?? 0;

function topicText(topic: PreparedQuestion | null, given: Given): string {
  if (topic === null) return 'null';
  const text = given.texts[topic.index] ?? topic.answers[given.chosen[topic.index] as number]?.text;
  return text === undefined ? 'null' : JSON.stringify(text);
}
