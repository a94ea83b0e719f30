// The feedback core once more: plain, slow and obviously right, written from the decisions and sharing nothing
// with the fast one but the types. Tests hold the two against each other.

import {
  type Answer,
  answersOf,
  type CustomQuestion,
  type MeasuredQuestion,
  type Parameter,
  type SurveyDefinition,
} from '../../src/domain/feedback/definition.ts';
import type { RespondentToggles } from '../../src/domain/feedback/respondent.ts';

export interface ResponseBody {
  surveyDefinitionId: string;
  responseId?: string;
  submissionTimestamp?: string;
  isTest?: boolean;
  responses?: Record<string, string[]>;
  deviceDetails?: Record<string, string | number | boolean>;
  integrations?: { googleAnalyticsId?: string };
  cpps?: {
    properties?: Record<string, string[]>;
    metrics?: Record<string, number>;
    data?: Record<string, string>;
  };
  [member: string]: unknown;
}

type Question = MeasuredQuestion | CustomQuestion;

export function questionsOf(survey: SurveyDefinition): Question[] {
  return [...survey.latents.flatMap(({ questions }) => questions), ...survey.questions];
}

/** The answers that were given to a question, by id or value, the id first; of open text, none (D-42). */
export function chosenAnswers(question: Question, body: ResponseBody): Answer[] {
  const texts = body.responses?.[question.id] ?? [];
  const answers = answersOf(question);
  const found = texts.flatMap((text) => {
    const byId = answers.find(({ id }) => id === text);
    const byValue = answers.find(({ value }) => value !== null && String(value) === text);
    const answer = byId ?? byValue;
    return answer === undefined ? [] : [answer];
  });
  return [...new Set(found)];
}

export function isOpen(question: Question): question is CustomQuestion {
  return 'responseType' in question && question.responseType.startsWith('TEXT');
}

/** Whether a question is asked after the answers of a body (D-42). */
export function isAsked(survey: SurveyDefinition, question: Question, body: ResponseBody): boolean {
  if (!('rules' in question) || question.rules.length === 0) return true;
  return question.rules.some((rule) => {
    const source = questionsOf(survey).find(({ id }) => id === rule.question);
    if (source === undefined || !isAsked(survey, source, body)) return false;
    const wanted = String(rule.answer);
    if (isOpen(source)) {
      const text = body.responses?.[source.id]?.[0];
      if (text === undefined || text.trim() === '') return false;
      if (rule.operator === 'equals') return text === wanted;
      return rule.operator === 'contains' && text.toLowerCase().includes(wanted.toLowerCase());
    }
    const answers = answersOf(source);
    const equal =
      answers.find(({ id }) => id === wanted) ?? answers.find(({ value }) => String(value) === wanted);
    return chosenAnswers(source, body).some((answer) => {
      if (rule.operator === 'equals') return answer.id === equal?.id;
      if (rule.operator === 'contains') {
        const part = wanted.toLowerCase();
        if (answer.id.toLowerCase() === part || String(answer.value).toLowerCase() === part) return true;
        return answer.text.toLowerCase().includes(part);
      }
      if (typeof answer.value !== 'number') return false;
      return rule.operator === 'lt' ? answer.value < Number(wanted) : answer.value > Number(wanted);
    });
  });
}

export function latentScoresOf(survey: SurveyDefinition, body: ResponseBody) {
  return survey.latents.map(({ id, name, type, questions }) => {
    const answered = questions.flatMap(({ scale: { min, max }, weight, ...rest }) => {
      const [answer] = chosenAnswers({ scale: { min, max }, weight, ...rest }, body);
      if (typeof answer?.value !== 'number') return [];
      return [{ weight, score: ((answer.value - min) / (max - min)) * 100 }];
    });
    const weights = answered.reduce((sum, { weight }) => sum + weight, 0);
    const sum = answered.reduce((total, { weight, score }) => total + weight * score, 0);
    const scores = answered.map(({ score }) => score);
    // A mean lies between what it is the mean of, whatever the last digit of a sum of doubles says.
    const mean = Math.min(Math.max(sum / weights, Math.min(...scores)), Math.max(...scores));
    return { id, name, type, score: answered.length === 0 ? null : mean };
  });
}

/** What is shown of a response beside its body. */
export interface Kept {
  readonly responseId: string;
  readonly submittedAtMs: number;
  /** By the name of the parameter. */
  readonly external: Readonly<Record<string, string>>;
}

export function respondentOf(
  survey: SurveyDefinition,
  body: ResponseBody,
  kept: Kept,
  toggles: RespondentToggles,
): Record<string, unknown> {
  const scored = latentScoresOf(survey, body).filter(({ score }) => score !== null);
  const latentScores = toggles.excludeLatentScores ? {} : { latentScores: scored };
  const rows = rowsOf(survey, body, kept).filter(
    ({ type }) =>
      !(type === 'MQ' && toggles.excludeMQ) &&
      !(type === 'CQ' && toggles.excludeCQ) &&
      !((type === 'CPP' || type === 'EPP') && toggles.excludePassedParams),
  );
  const responses = toggles.excludeResponseDetails ? {} : { responses: rows };
  return { ...itemOf(survey, kept), ...latentScores, ...responses };
}

export function projectEntryOf(
  survey: SurveyDefinition,
  body: ResponseBody,
  kept: Kept,
): Record<string, unknown> {
  const rating = survey.questions.find(({ role }) => role === 'rating');
  const topic = survey.questions.find(({ role }) => role === 'topic');
  const stars = rating && chosenAnswers(rating, body)[0]?.value;
  const openTopic =
    topic && isOpen(topic) ? body.responses?.[topic.id]?.find((text) => text.trim() !== '') : undefined;
  return {
    ...itemOf(survey, kept),
    url: body.url ?? null,
    locale: body.locale ?? null,
    rating: typeof stars === 'number' ? stars : null,
    topic: openTopic ?? (topic && chosenAnswers(topic, body)[0]?.text) ?? null,
    responses: rowsOf(survey, body, kept),
  };
}

function itemOf(survey: SurveyDefinition, { responseId, submittedAtMs }: Kept) {
  const responseTime = new Date(submittedAtMs).toISOString();
  const experienceDate = responseTime.slice(0, 10);
  return { id: responseId, responseTime, experienceDate, modelInstanceId: survey.modelInstanceId };
}

interface Row {
  id: string;
  name: string;
  phrase: string;
  type: 'MQ' | 'CQ' | 'CPP' | 'EPP';
  label: string;
  responseType: string;
  answers: string[];
}

function rowsOf(survey: SurveyDefinition, body: ResponseBody, { external }: Kept): Row[] {
  const questions = questionsOf(survey).flatMap((question): Row[] => {
    const { id, name, phrase, label } = question;
    const answers = isOpen(question)
      ? (body.responses?.[id] ?? []).filter((text) => text.trim() !== '')
      : chosenAnswers(question, body).map(({ value, text }) => (value === null ? text : String(value)));
    if (answers.length === 0) return [];
    const isCustom = 'responseType' in question;
    const responseType = isCustom ? question.responseType : 'MEASURED_QUESTION';
    return [{ id, name, phrase, type: isCustom ? 'CQ' : 'MQ', label, responseType, answers }];
  });
  return [...questions, ...customRows(survey, body), ...externalRows(survey, external)];
}

function customRows(survey: SurveyDefinition, body: ResponseBody): Row[] {
  const sent = new Map<string, string[]>();
  const add = (name: string, ...answers: unknown[]) =>
    answers.length > 0 && sent.set(name, [...(sent.get(name) ?? []), ...answers.map(String)]);
  const standard = ['url', 'locale', 'referrer', 'referrerUrl', 'pageVisits', 'completionTimeInMs'];
  for (const name of standard) if (body[name] !== undefined) add(name, body[name]);
  for (const [name, value] of Object.entries(body.deviceDetails ?? {})) add(name, value);
  if (body.integrations?.googleAnalyticsId !== undefined) {
    add('googleAnalyticsId', body.integrations.googleAnalyticsId);
  }
  for (const [name, values] of Object.entries(body.cpps?.properties ?? {})) add(name, ...values);
  for (const [name, value] of Object.entries(body.cpps?.metrics ?? {})) add(name, value);
  for (const [name, value] of Object.entries(body.cpps?.data ?? {})) add(name, value);

  const declared = survey.parameters.custom;
  const others = [...sent.keys()]
    .filter((name) => !declared.some((parameter) => parameter.name === name))
    .sort();
  return [
    ...declared.flatMap((parameter) => parameterRow(parameter, 'CPP', sent.get(parameter.name))),
    ...others.flatMap((name) =>
      parameterRow({ id: name, name, phrase: name, label: name }, 'CPP', sent.get(name)),
    ),
  ];
}

function externalRows(survey: SurveyDefinition, external: Readonly<Record<string, string>>): Row[] {
  return survey.parameters.external.flatMap((parameter) => {
    const value = external[parameter.name];
    return parameterRow(parameter, 'EPP', value === undefined ? undefined : [value]);
  });
}

function parameterRow(
  { id, name, phrase, label }: Pick<Parameter, 'id' | 'name' | 'phrase' | 'label'>,
  type: 'CPP' | 'EPP',
  answers: string[] | undefined,
): Row[] {
  return answers === undefined ? [] : [{ id, name, phrase, type, label, responseType: 'TEXT', answers }];
}
