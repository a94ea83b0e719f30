// A SurveyResponse: a draft that was judged by the very version it names, scored, and reduced to its values
// (D-30, D-33, D-42). This is the hottest code of the product: one pass over the answers, Maps that were made
// beforehand, no regular expression.

import { dayMs, dayOf } from '../dates.ts';
import type { Quality } from '../pages/quality.ts';
import type { Fault } from '../problem.ts';
import { intoFaults } from './answer-faults.ts';
import { type GivenAnswers, judgeAnswers } from './answers.ts';
import { addFault } from './draft-faults.ts';
import {
  checkParameters,
  defaultParameterLimits,
  type ParameterLimits,
  parameterLines,
} from './parameters.ts';
import type { ResponseDraft } from './response-draft.ts';
import { choiceCode, codeOf, withQuality } from './row-values.ts';
import { type LatentScore, latentScore } from './score.ts';
import { standardSlots } from './standard-fields.ts';
import type { PreparedQuestion, PreparedSurvey } from './survey.ts';

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

type Judgement =
  | { readonly response: SurveyResponse; readonly faults: readonly [] }
  | { readonly response: null; readonly faults: readonly Fault[] };

export interface JudgingContext {
  readonly nowMs: number;
  /** A fresh id for a response that was sent without one; asked for only then. */
  readonly newId: () => string;
  readonly limits?: ParameterLimits;
  /** What speaks against it, found out by whoever received it. It is no part of what was sent (D-467). */
  readonly quality?: Quality | null;
}

/** Judges a draft by its survey. All faults of meaning are found at once (D-22, D-42). */
export function judge(survey: PreparedSurvey, draft: ResponseDraft, context: JudgingContext): Judgement {
  const faults: Fault[] = [];
  checkIsOpen(survey, draft, faults);
  const submittedAtMs = draft.submittedAtMs ?? context.nowMs;
  checkMoment(submittedAtMs, context.nowMs, faults);
  checkParameters(draft, context.limits ?? defaultParameterLimits, faults);
  checkMetrics(draft, faults);

  const given = judgeAnswers(survey, draft.answers, intoFaults(survey, draft.answers, faults));
  if (faults.length > 0) return { response: null, faults };

  const scores = survey.latents.map((latent) => latentScore(latent, given.chosen));
  const response = {
    surveyDefinitionId: draft.surveyDefinitionId,
    responseId: draft.responseId ?? context.newId(),
    submittedAtMs,
    day: dayOf(submittedAtMs),
    isTest: draft.isTest,
    scores,
    values: withQuality(valuesOf(survey, draft, given, scores), context.quality ?? null),
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

// ---- the row

function valuesOf(
  survey: PreparedSurvey,
  draft: ResponseDraft,
  given: GivenAnswers,
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

function pieceOf(question: PreparedQuestion, given: GivenAnswers): string {
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
function projectHead(survey: PreparedSurvey, draft: ResponseDraft, given: GivenAnswers): string {
  const { rating, topic } = survey;
  const stars = rating === null ? null : rating.answers[given.chosen[rating.index] as number]?.value;
  return (
    `"url":${draft.standard[urlSlot] ?? null},"locale":${draft.standard[localeSlot] ?? null},` +
    `"rating":${typeof stars === 'number' ? stars : null},"topic":${topicText(topic, given)}`
  );
}

const urlSlot = standardSlots.get('url') ?? 0;
const localeSlot = standardSlots.get('locale') ?? 0;

function topicText(topic: PreparedQuestion | null, given: GivenAnswers): string {
  if (topic === null) return 'null';
  const text = given.texts[topic.index] ?? topic.answers[given.chosen[topic.index] as number]?.text;
  return text === undefined ? 'null' : JSON.stringify(text);
}
