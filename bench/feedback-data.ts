// A measure of realistic size and a response to it, and a log of as many of them as a bench wants.

import { randomUUIDv7 } from 'node:crypto';
import { judgeDraft } from '../src/domain/feedback/judged-draft.ts';
import { readDraft } from '../src/domain/feedback/response-draft.ts';
import { prepareSurvey } from '../src/domain/feedback/survey.ts';
import { openDb } from '../src/store/engine/db.ts';
import { findSource } from '../src/store/feedback/catalogue.ts';
import { appendResponses } from '../src/store/feedback/log.ts';
import { newMark } from '../src/store/feedback/log-history.ts';
import { accountId } from './processes.ts';

export const measureKey = 7001;
export const surveyId = 'bench-web-1';
const shortMeasureKey = 7002;
const shortSurveyId = 'bench-short-1';

const latentSizes = {
  Look: 3,
  Navigation: 3,
  Content: 3,
  Speed: 3,
  Satisfaction: 3,
  Return: 1,
  Recommend: 1,
};

/** 17 measured questions and 4 custom ones; with 4 parameters a respondent has 25 rows. */
const latents = Object.entries(latentSizes).map(([name, size]) => ({
  id: `L-${name.toUpperCase()}`,
  name,
  type: name === 'Satisfaction' ? 'SATISFACTION' : size === 1 ? 'FUTURE_BEHAVIOR' : 'ELEMENTS',
  questions: Array.from({ length: size }, (_, index) => ({
    id: `Q-${name.toUpperCase()}-${index + 1}`,
    name: `How would you rate the ${name.toLowerCase()} of this site, part ${index + 1} of it?`,
    phrase: `${name} ${index + 1}`,
    label: `${name} - part ${index + 1}`,
    weight: 0.2 + index / 10,
    scale: { min: 1, max: 10 },
    required: true,
  })),
}));

const choices = ['Home', 'Work', 'School', 'Other'].map((text, index) => ({
  id: `A-${index + 1}`,
  text,
  value: index + 1,
}));

export const feedbackCatalogue = {
  accounts: [
    {
      id: accountId,
      name: 'Acme Retail',
      measures: [
        {
          key: measureKey,
          name: 'Web',
          surveys: [
            {
              id: surveyId,
              modelInstanceId: 'bench-model-instance-0001',
              latents,
              questions: [
                {
                  id: 'Q-WHERE',
                  name: 'Where are you now?',
                  responseType: 'RADIO',
                  required: true,
                  answers: choices,
                },
                {
                  id: 'Q-WHICH',
                  name: 'Which of these do you use?',
                  responseType: 'CHECKBOX',
                  answers: choices,
                },
                { id: 'Q-NPS', name: 'How likely are you to recommend us?', responseType: 'NPS' },
                { id: 'Q-TEXT', name: 'What else would you like to tell us?', responseType: 'TEXT_AREA' },
              ],
              parameters: { custom: [{ id: 'CPP-CART', name: 'cart_value', valueType: 'NUMBER' }] },
            },
          ],
        },
        {
          key: shortMeasureKey,
          name: 'One question',
          surveys: [
            {
              id: shortSurveyId,
              modelInstanceId: 'bench-model-instance-0002',
              latents: [
                {
                  id: 'L-SATISFACTION',
                  name: 'Satisfaction',
                  type: 'SATISFACTION',
                  questions: [{ id: 'Q-GOOD', name: 'How good was it?', scale: { min: 1, max: 10 } }],
                },
              ],
              questions: [{ id: 'Q-WHY', name: 'Why?', responseType: 'TEXT_AREA' }],
            },
          ],
        },
      ],
    },
  ],
};

/** Some 1.5 KB as JSON. */
export function responseBody(number: number, submittedAt: string | null): Record<string, unknown> {
  const responses: Record<string, string[]> = {};
  for (const { questions } of latents)
    for (const [index, { id }] of questions.entries()) responses[id] = [String(1 + ((number + index) % 10))];
  responses['Q-WHERE'] = [`A-${1 + (number % 4)}`];
  responses['Q-WHICH'] = ['A-1', 'A-3'];
  responses['Q-NPS'] = [String(number % 11)];
  responses['Q-TEXT'] = [comment];
  return {
    surveyDefinitionId: surveyId,
    url: 'https://shop.example.com/departments/garden/furniture/chairs?sort=price&page=3',
    locale: 'en-GB',
    pageVisits: '7',
    ...(submittedAt === null ? {} : { submissionTimestamp: submittedAt }),
    responses,
    cpps: { metrics: { cart_value: 59.9 } },
  };
}

/** Some 300 bytes as JSON. */
function shortBody(number: number, submittedAt: string | null): Record<string, unknown> {
  return {
    surveyDefinitionId: shortSurveyId,
    url: 'https://shop.example.com/basket',
    ...(submittedAt === null ? {} : { submissionTimestamp: submittedAt }),
    responses: { 'Q-GOOD': [String(1 + (number % 10))], 'Q-WHY': [comment.slice(0, 123)] },
  };
}

const comment =
  'The new search finds what I am looking for much faster than before, and the pictures load quickly even on my old telephone. ' +
  'What I still miss is a way to compare three or four products side by side, with their measurements and the time of delivery. ' +
  'The page about returning things is hard to find: I had to ask the assistant twice, and the first answer was about another shop. ' +
  'Apart from that I am happy with the service, and the people on the telephone have always been friendly and have known what to do. ' +
  'It would also help if the basket kept its contents when I move from the computer to the telephone, and if the letters ' +
  'of the small print were a little larger. I would gladly pay a few coins more for a delivery in the evening, when ' +
  'somebody is at home, and I would tell my neighbours about it.';

const batchSize = 5_000;
const dayMs = 86_400_000;

/** Respondents of 25 rows from 1.5 KB, or of three from 300 bytes. */
export type Size = 'full' | 'short';

const sizes: Readonly<Record<Size, { readonly measureKey: number; readonly body: typeof responseBody }>> = {
  full: { measureKey, body: responseBody },
  short: { measureKey: shortMeasureKey, body: shortBody },
};

export type Arrival = 'in order' | 'shuffled';

/** A year of responses in the order of their days, or a backfill of ten years in no order at all. */
export const rangeOf: Readonly<
  Record<Arrival, { readonly from: string; readonly to: string; readonly days: number }>
> = {
  'in order': { from: '2025-01-01', to: '2025-12-31', days: 365 },
  shuffled: { from: '2016-01-01', to: '2025-12-29', days: 3_651 },
};

export const pageSize = 100;

export function pagePath(size: Size, arrival: Arrival, page: number): string {
  const { from, to } = rangeOf[arrival];
  return `/v1/measures/${sizes[size].measureKey}/data?from=${from}&to=${to}&limit=${pageSize}&offset=${page}`;
}

/** Fills the log through the store's own append, many at a time; a million requests would take too long. */
export async function fillLog(
  databaseUrl: string,
  count: number,
  arrival: Arrival,
  size: Size = 'full',
): Promise<void> {
  const { measureKey: key, body: bodyOf } = sizes[size];
  const db = await openDb(databaseUrl, { timeoutMs: 120_000, poolSize: 2 });
  const source = await findSource(db, { accountId, kind: 'measure', key });
  const survey = source?.surveys[0];
  if (source === null || survey === undefined) throw new Error('The measure of the bench is not there.');
  const prepared = prepareSurvey(survey.definition, { kind: 'measure', active: true });
  const { from, days } = rangeOf[arrival];
  const firstMs = Date.parse(from);
  for (let done = 0; done < count; done += batchSize) {
    const items = Array.from({ length: Math.min(batchSize, count - done) }, (_, index) => {
      const number = done + index;
      // A stride that shares no factor with the number of days visits all of them, far apart.
      const day = arrival === 'in order' ? Math.floor((number * days) / count) : (number * 1_597) % days;
      const body = bodyOf(number, new Date(firstMs + day * dayMs + (number % 86_400) * 1000).toISOString());
      const { draft } = readDraft(body);
      if (draft === null) throw new Error('The response of the bench is not valid.');
      const judged = judgeDraft({ source, survey, prepared }, draft, JSON.stringify(body), {
        nowMs: Date.now(),
        newId: randomUUIDv7,
      });
      if (judged.item === null)
        throw new Error(`The response of the bench is refused: ${judged.faults[0]?.message}`);
      return judged.item;
    });
    await db.write(appendResponses, { items, mark: newMark() });
    if (done % 100_000 === 0)
      process.stdout.write(
        `  ${done.toLocaleString('en')} of ${count.toLocaleString('en')} responses in the log ...\n`,
      );
  }
  await db.close();
}
