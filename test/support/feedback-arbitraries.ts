// Random catalogues and random responses, for tests of the core and over HTTP. A catalogue is made as an
// operator would write it, as plain data for YAML or JSON; a body is one that the model calls valid.

import fc from 'fast-check';
import {
  answersOf,
  type CustomQuestion,
  type SurveyDefinition,
} from '../../src/domain/feedback/definition.ts';
import { standardFields } from '../../src/domain/feedback/standard-fields.ts';
import { isAsked, isOpen, questionsOf, type ResponseBody } from './feedback-model.ts';

type Gen = fc.GeneratorValue;
type Written = Record<string, unknown>;

/** Text as people write it, never blank: letters of many scripts, quotes, signs that JSON must escape. */
export const someText = fc
  .array(fc.constantFrom('a', 'B', 'é', 'ß', '"', '\\', '\n', '\t', '😀', '漢', ' ', '\u2028', ',', ']'), {
    maxLength: 8,
  })
  .map((characters) => `t${characters.join('')}`);

// Two `fc.gen()` side by side draw the same numbers; one that is drawn after something else draws its own.
const ownGen = fc.tuple(fc.noShrink(fc.nat()), fc.gen()).map(([, g]) => g);

/** A survey version of a measure or project, as a catalogue writes it. */
export function writtenSurvey(kind: 'measure' | 'project', id: string): fc.Arbitrary<Written> {
  return ownGen.map((g) => {
    const latents = kind === 'measure' ? times(g, 0, 3).map((index) => writtenLatent(g, index)) : [];
    const sources = latents.flatMap(({ questions }) => questions as Written[]);
    const questions: Written[] = [];
    for (const index of times(g, 0, 6)) questions.push(writtenQuestion(g, index, [...sources, ...questions]));
    const roles = kind === 'project' ? writtenRoles(g) : [];
    const asked = [...questions, ...roles];
    // Numbers, because `gen` compares what it is handed with all that it was handed before.
    const order = g(
      fc.shuffledSubarray,
      asked.map((_, at) => at),
      { minLength: asked.length, maxLength: asked.length },
    );
    return {
      id,
      modelInstanceId: `model of ${id}`,
      ...(kind === 'measure' ? { latents } : {}),
      // In any order: a rule may look at a question that is written after it.
      questions: order.map((at) => asked[at]!),
      parameters: {
        custom: writtenParameters(g, ['cart', 'url', 'browser', 'näme', 'zeta'], 'CPP'),
        external: writtenParameters(g, ['tier', 'region'], 'EPP'),
      },
    };
  });
}

/** A catalogue with one account, its measures and its projects; each with one version. */
export function writtenCatalogue(accountId: number): fc.Arbitrary<{ accounts: Written[] }> {
  const measure = (index: number) =>
    writtenSurvey('measure', `survey-${accountId}-m${index}`).map((survey) => ({
      key: index,
      name: `Measure ${index}`,
      surveys: [survey],
    }));
  const project = (index: number) =>
    writtenSurvey('project', `survey-${accountId}-p${index}`).map((survey) => ({
      id: index,
      name: `Project ${index}`,
      surveys: [survey],
    }));
  return fc
    .tuple(fc.tuple(measure(1), measure(2)), fc.tuple(project(1), project(2)), someText)
    .map(([measures, projects, name]) => ({ accounts: [{ id: accountId, name, measures, projects }] }));
}

/** A body that the survey takes, submitted within the days of the range. */
export function validBody(
  survey: SurveyDefinition,
  firstMs: number,
  lastMs: number,
): fc.Arbitrary<ResponseBody> {
  return ownGen.map((g) => {
    const body: ResponseBody = { surveyDefinitionId: survey.id, responses: {} };
    const responses = body.responses as Record<string, string[]>;
    const left = new Map(questionsOf(survey).map((question) => [question.id, question]));
    // A question is answered when all that it waits for has been decided.
    while (left.size > 0) {
      for (const question of left.values()) {
        if ('rules' in question && question.rules.some((rule) => left.has(rule.question))) continue;
        left.delete(question.id);
        if (!isAsked(survey, question, body) || !(question.required || g(fc.boolean))) continue;
        responses[question.id] = isOpen(question) ? [openText(g, question)] : someAnswers(g, question);
      }
    }
    if (Object.keys(responses).length === 0 && g(fc.boolean)) delete body.responses;
    if (g(fc.boolean)) body.submissionTimestamp = timestamp(g, firstMs, lastMs);
    for (const { name, kind, parent } of standardFields) {
      if (g(fc.nat, 3) > 0) continue;
      const value =
        kind === 'text' ? g(() => someText) : kind === 'integer' ? g(fc.maxSafeInteger) : g(fc.boolean);
      if (parent === '') body[name] = value;
      else Object.assign(body, { [parent]: { ...body[parent], [name]: value } });
    }
    if (g(fc.boolean)) body.cpps = someParameters(g);
    return body;
  });
}

/** A body with one thing wrong, and the fault that must be named. */
export interface BrokenBody {
  readonly body: unknown;
  readonly field: string;
  readonly code: string;
}

/** Every way of breaking a valid body with one change. */
export function brokenBodies(survey: SurveyDefinition, valid: ResponseBody, nowMs: number): BrokenBody[] {
  const broken: BrokenBody[] = [];
  const change = (
    field: string,
    code: string,
    edit: (body: ResponseBody, responses: Record<string, unknown>) => void,
  ) => {
    const body = structuredClone(valid);
    body.responses ??= {};
    edit(body, body.responses);
    broken.push({ body, field, code });
  };
  const set = (field: string, code: string, member: string, value: unknown) =>
    change(field, code, (body) => Object.assign(body, { [member]: value }));

  for (const question of questionsOf(survey)) {
    const { id } = question;
    const path = `responses.${id}`;
    const asked = isAsked(survey, question, valid);
    const [first] = answersOf(question);
    const answer = (value: unknown) => (_: ResponseBody, responses: Record<string, unknown>) => {
      responses[id] = value;
    };
    change(path, 'INVALID_TYPE', answer('text'));
    change(`${path}[0]`, 'INVALID_TYPE', answer([7]));
    if (!asked) {
      change(path, 'HIDDEN_QUESTION', answer([first?.id ?? 'text']));
      continue;
    }
    if (question.required) change(path, 'REQUIRED', (_, responses) => delete responses[id]);
    if (question.required) change(path, 'REQUIRED', answer([]));
    if (isOpen(question)) {
      change(path, 'TOO_MANY_ANSWERS', answer(['one', 'two']));
      if (question.maxLength !== null)
        change(`${path}[0]`, 'TEXT_TOO_LONG', answer(['😀'.repeat(question.maxLength + 1)]));
      if (question.required) change(path, 'REQUIRED', answer([' \n']));
      continue;
    }
    change(`${path}[0]`, 'UNKNOWN_ANSWER', answer(['nobody']));
    change(`${path}[0]`, 'UNKNOWN_ANSWER', answer(['']));
    if (question.scale !== null) change(`${path}[0]`, 'OFF_SCALE', answer([`${question.scale.max + 1}`]));
    const isMultiple = 'responseType' in question && question.responseType === 'CHECKBOX';
    if (isMultiple) change(`${path}[1]`, 'UNKNOWN_ANSWER', answer([first?.id, 'nobody']));
    else change(path, 'TOO_MANY_ANSWERS', answer([first?.id, first?.id]));
  }
  change('responses.Q-NOPE', 'UNKNOWN_QUESTION', (_, responses) =>
    Object.assign(responses, { 'Q-NOPE': ['x'] }),
  );
  change('surveyDefinitionId', 'REQUIRED', (body) => delete (body as Written).surveyDefinitionId);
  set(
    'submissionTimestamp',
    'IN_THE_FUTURE',
    'submissionTimestamp',
    new Date(nowMs + 86_400_001).toISOString(),
  );
  set('submissionTimestamp', 'TOO_OLD', 'submissionTimestamp', '1989-12-31T23:59:59.999Z');
  set('submissionTimestamp', 'INVALID_TIMESTAMP', 'submissionTimestamp', '2026-02-30T00:00:00Z');
  set('submissionTimestamp', 'INVALID_TIMESTAMP', 'submissionTimestamp', 1_700_000_000_000);
  set('responseId', 'INVALID_LENGTH', 'responseId', '');
  set('responseId', 'INVALID_LENGTH', 'responseId', 'x'.repeat(129));
  set('isTest', 'INVALID_TYPE', 'isTest', 'true');
  set('pageVisits', 'INVALID_TYPE', 'pageVisits', 3);
  set('completionTimeInMs', 'INVALID_TYPE', 'completionTimeInMs', 2 ** 63);
  set('completionTimeInMs', 'INVALID_TYPE', 'completionTimeInMs', 1.5);
  set('url', 'INVALID_TYPE', 'url', null);
  set('responses', 'INVALID_TYPE', 'responses', []);
  set('deviceDetails', 'INVALID_TYPE', 'deviceDetails', 'phone');
  set('deviceDetails.isTablet', 'INVALID_TYPE', 'deviceDetails', { isTablet: 1 });
  set('deviceDetails.screenWidth', 'INVALID_TYPE', 'deviceDetails', { screenWidth: '1920' });
  set('integrations.googleAnalyticsId', 'INVALID_TYPE', 'integrations', { googleAnalyticsId: 5 });
  set('cpps', 'INVALID_TYPE', 'cpps', null);
  set('cpps.properties.a[0]', 'INVALID_TYPE', 'cpps', { properties: { a: [1] } });
  set('cpps.metrics.a', 'INVALID_TYPE', 'cpps', { metrics: { a: '1' } });
  set('cpps.data.a', 'INVALID_TYPE', 'cpps', { data: { a: 1 } });
  return broken;
}

// ---- pieces

function oneOf<T>(g: Gen, ...values: T[]): T {
  return values[g(fc.nat, values.length - 1)] as T;
}

function times(g: Gen, min: number, max: number): number[] {
  return Array.from({ length: g(fc.integer, { min, max }) }, (_, index) => index);
}

function writtenLatent(g: Gen, index: number): Written {
  const questions = [0, ...times(g, 0, 2).map((other) => other + 1)].map((number) => {
    const min = g(fc.integer, { min: -2, max: 2 });
    return {
      id: `Q-L${index}-${number}`,
      name: g(() => someText),
      weight: g(fc.integer, { min: 1, max: 50 }) / 10,
      scale: { min, max: min + g(fc.integer, { min: 1, max: 10 }) },
      required: g(fc.boolean),
      dontKnow: g(fc.boolean),
    };
  });
  const type = ['ELEMENTS', 'SATISFACTION', 'FUTURE_BEHAVIOR'][index];
  return { id: `L-${index}`, name: g(() => someText), type, questions };
}

function writtenQuestion(g: Gen, index: number, sources: readonly Written[]): Written {
  const id = `Q-${index}`;
  const responseType = oneOf(g, 'RADIO', 'SELECT', 'CHECKBOX', 'STAR_RATING', 'NPS', 'TEXT', 'TEXT_AREA');
  const isChoice = responseType === 'RADIO' || responseType === 'SELECT' || responseType === 'CHECKBOX';
  return {
    id,
    name: g(() => someText),
    label: g(() => someText),
    responseType,
    required: g(fc.boolean),
    ...(isChoice ? { answers: writtenAnswers(g) } : {}),
    ...(responseType.startsWith('TEXT') && g(fc.boolean)
      ? { maxLength: g(fc.integer, { min: 9, max: 20 }) }
      : {}),
    ...(sources.length > 0 && g(fc.boolean)
      ? { rules: times(g, 1, 2).map(() => writtenRule(g, oneOf(g, ...sources))) }
      : {}),
  };
}

// Ids and values that collide on purpose: the answer with id 2 may have the value 1 (D-42).
function writtenAnswers(g: Gen): Written[] {
  const ids = ['A', 'B', '1', '2'].slice(0, g(fc.integer, { min: 1, max: 4 }));
  return ids.map((id) => ({
    id,
    text: g(() => someText),
    ...(g(fc.boolean) ? { value: g(fc.nat, 3) } : {}),
  }));
}

function writtenRule(g: Gen, source: Written): Written {
  const question = source.id as string;
  const isText = String(source.responseType).startsWith('TEXT');
  if (isText) return { question, operator: oneOf(g, 'contains', 'equals'), answer: 'T' };
  const operator = oneOf(g, 'equals', 'lt', 'gt', 'contains');
  if (operator === 'contains') return { question, operator, answer: 'b' };
  if (operator !== 'equals') return { question, operator, answer: g(fc.integer, { min: 0, max: 3 }) };
  const answers = source.answers as Written[] | undefined;
  const scale = source.scale as { min: number } | undefined;
  const first = answers?.[0]?.id ?? `${question}-${scale?.min ?? 1}`;
  return { question, operator, answer: first };
}

function writtenRoles(g: Gen): Written[] {
  const rating = {
    id: 'Q-STARS',
    name: 'Stars',
    responseType: 'STAR_RATING',
    role: 'rating',
    required: g(fc.boolean),
  };
  const topic = {
    id: 'Q-TOPIC',
    name: 'Topic',
    responseType: 'SELECT',
    role: 'topic',
    answers: writtenAnswers(g),
  };
  return [...(g(fc.boolean) ? [rating] : []), ...(g(fc.boolean) ? [topic] : [])];
}

function writtenParameters(g: Gen, names: readonly string[], prefix: string): Written[] {
  return g(fc.subarray<string>, [...names]).map((name) => ({ id: `${prefix}-${name}`, name }));
}

function openText(g: Gen, { maxLength }: CustomQuestion): string {
  const text = g(() => someText);
  return maxLength === null ? text : [...text].slice(0, maxLength).join('');
}

function someAnswers(g: Gen, question: Parameters<typeof answersOf>[0]): string[] {
  const spelled = () => {
    const answer = oneOf(g, ...answersOf(question));
    return answer.value === null || g(fc.boolean) ? answer.id : String(answer.value);
  };
  const isMultiple = 'responseType' in question && question.responseType === 'CHECKBOX';
  return isMultiple ? [spelled(), ...times(g, 0, 2).map(spelled)] : [spelled()];
}

function someParameters(g: Gen): NonNullable<ResponseBody['cpps']> {
  const names = () => g(fc.subarray<string>, ['cart', 'url', 'näme', 'zeta', 'alpha', 'brand"x', 'os']);
  return {
    properties: Object.fromEntries(
      names().map((name) => [name, g(fc.array<string>, someText, { maxLength: 2 })]),
    ),
    metrics: Object.fromEntries(names().map((name) => [name, g(fc.integer, { min: -999, max: 999 }) / 8])),
    data: Object.fromEntries(names().map((name) => [name, g(() => someText)])),
  };
}

function timestamp(g: Gen, firstMs: number, lastMs: number): string {
  const moment = g(fc.integer, { min: firstMs, max: lastMs });
  const offsetHours = g(fc.integer, { min: -12, max: 14 });
  const local = new Date(moment + offsetHours * 3_600_000).toISOString().slice(0, -1);
  const sign = offsetHours < 0 ? '-' : '+';
  return `${local}${sign}${String(Math.abs(offsetHours)).padStart(2, '0')}:00`;
}
