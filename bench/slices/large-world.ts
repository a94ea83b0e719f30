// A store in which everything that a request may read is about as large as it becomes: surveys with as many questions as an editor takes,
// responses as large as they may be, groups with thousands of members and users in thousands of groups.

import { questionPrefix } from '../../src/domain/pages/form-fields.ts';
import type { MeantRequests } from '../../test/support/meant-requests.ts';
import { addUsers } from '../../test/support/user-population.ts';
import type { SentRequest } from './sending.ts';
import { send } from './sending.ts';

export const accountId = 4001;
export const bigMeasure = 9100;
export const bigProject = 9101;
export const measureSurvey = 'slices-measure';
export const projectSurvey = 'slices-project';
export const days = { from: '2025-01-01', to: '2028-09-26' };
const questionCount = 500;
const parameterCount = 100;
const responseCount = 600;
const memberCount = 5_000;
const groupCount = 2_000;

const choices = Array.from({ length: 10 }, (_, index) => ({
  id: `A-${index}`,
  text: `Answer number ${index}`,
  value: index,
}));

/** Each third asks for a text, each third for one of ten answers, and the others only where the one before was answered. */
const customQuestions = Array.from({ length: questionCount }, (_, index) => ({
  id: `Q-${index}`,
  name: `What is it that you think of part ${index} of what we do for you?`,
  ...(index % 3 === 0
    ? { responseType: 'TEXT_AREA' }
    : { responseType: 'RADIO', answers: choices, required: index % 3 === 1 }),
  ...(index % 3 === 2 ? { rules: [{ question: `Q-${index - 1}`, operator: 'equals', answer: 'A-1' }] } : {}),
}));

const measured = Array.from({ length: 20 }, (_, index) => ({
  id: `M-${index}`,
  name: `How would you rate part ${index}?`,
  scale: { min: 1, max: 10 },
}));

/** With the measured ones as many as an editor takes. */
const measureQuestions = customQuestions.slice(measured.length + 1);

const parameters = {
  custom: Array.from({ length: parameterCount }, (_, index) => ({
    id: `C-${index}`,
    name: `custom_${index}`,
  })),
  external: [{ id: 'E-1', name: 'tier' }],
};

export function measureDocument(key: number, survey: string): object {
  const latents = [{ id: 'L-SAT', name: 'Satisfaction', type: 'SATISFACTION', questions: measured }];
  return {
    key,
    name: `Measure ${key}`,
    surveys: [{ id: survey, public: true, current: true, latents, questions: measureQuestions, parameters }],
  };
}

export function projectDocument(id: number, survey: string): object {
  return {
    id,
    name: `Project ${id}`,
    surveys: [
      { id: survey, public: true, quarantine: true, current: true, questions: customQuestions, parameters },
    ],
  };
}

/** A response to either survey with an answer to every question, as large as it may be. */
export function largeResponse(survey: string, id: string, bytes = 250_000): object {
  const asked = survey === measureSurvey ? measureQuestions : customQuestions;
  const texts = asked.filter(({ responseType }) => responseType === 'TEXT_AREA').length;
  const words = 'the people in the shop were kind and quick but it rained '.repeat(100);
  const length = Math.max(20, Math.floor((bytes - 60_000) / texts));
  const long = words.repeat(Math.ceil(length / words.length)).slice(0, length);
  return {
    surveyDefinitionId: survey,
    responseId: id,
    responses: {
      ...(survey === measureSurvey
        ? Object.fromEntries(measured.map((one, index) => [one.id, [String(1 + (index % 10))]]))
        : {}),
      ...Object.fromEntries(
        asked.map(({ id: question, responseType }) => [
          question,
          [responseType === 'TEXT_AREA' ? long : 'A-1'],
        ]),
      ),
    },
    cpps: {
      properties: Object.fromEntries(
        Array.from({ length: parameterCount }, (_, index) => [
          `custom_${index}`,
          [`value ${index} of ${id}`],
        ]),
      ),
    },
  };
}

/** The form of the page, filled in or empty. */
export function formOf(answersOf: (index: number) => string): string {
  return customQuestions
    .map(
      ({ id }, index) => `${encodeURIComponent(questionPrefix + id)}=${encodeURIComponent(answersOf(index))}`,
    )
    .join('&');
}

export interface LargeWorld {
  readonly memberIds: readonly string[];
  readonly groupId: string;
  readonly joinerId: string;
}

export async function makeLarge(
  meant: MeantRequests,
  { databaseUrl, baseUrl }: { readonly databaseUrl: string; readonly baseUrl: string },
): Promise<LargeWorld> {
  await meant.call('POST', `/surveys/measures/${bigMeasure}/publish`, {
    document: measureDocument(bigMeasure, measureSurvey),
    base: null,
  });
  await meant.call('POST', `/surveys/projects/${bigProject}/publish`, {
    document: projectDocument(bigProject, projectSurvey),
    base: null,
  });
  const ids = await addUsers(
    databaseUrl,
    accountId,
    Array.from({ length: memberCount }, (_, index) => ({
      userName: `member-${index}`,
      externalId: `member-${index}`,
      displayName: `Member number ${index}`,
      active: true,
    })),
  );
  const memberIds = ids.map(String);
  const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
  const groupId = await meant.scim('/Groups', {
    schemas: [groupSchema],
    displayName: 'Everybody',
    members: memberIds.map((value) => ({ value })),
  });
  const joinerId = memberIds[0]!;
  for (let begin = 0; begin < groupCount; begin += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        meant.scim('/Groups', {
          schemas: [groupSchema],
          displayName: `Group ${begin + index}`,
          members: [{ value: joinerId }],
        }),
      ),
    );
  const headers = { ...meant.bearer, 'content-type': 'application/json', accept: 'application/json' };
  for (const survey of [measureSurvey, projectSurvey])
    for (let begin = 0; begin < responseCount; begin += 10)
      await Promise.all(
        Array.from({ length: 10 }, async (_, index) => {
          const number = begin + index;
          const large = largeResponse(survey, `${survey}-${number}`, number % 10 === 0 ? 250_000 : 20_000);
          const request: SentRequest = {
            method: 'POST',
            path: '/v1/surveys/ingestion',
            headers,
            body: JSON.stringify(large),
          };
          const { status, text } = await send(baseUrl, request);
          if (status !== 200) throw new Error(`${status}: ${text.slice(0, 400)}`);
        }),
      );
  return { memberIds, groupId, joinerId };
}
