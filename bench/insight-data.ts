// Responses that people could have sent, for the bench of insight: scores that move, comments of many words, devices, languages and
// pages, over a year; through the store's own append, many at a time.

import { judgeDraft } from '../src/domain/feedback/judged-draft.ts';
import { readDraft } from '../src/domain/feedback/response-draft.ts';
import { prepareSurvey } from '../src/domain/feedback/survey.ts';
import { openDb } from '../src/store/engine/db.ts';
import { findSource } from '../src/store/feedback/catalogue.ts';
import { appendResponses } from '../src/store/feedback/log.ts';
import { newMark } from '../src/store/feedback/log-history.ts';
import { feedbackCatalogue, responseBody } from './feedback-data.ts';
import { accountId } from './processes.ts';

export const insightMeasure = 7101;
/** Takes what is ingested while others read: so a measure of 5,000 responses stays one. */
export const neighbourMeasure = 7102;
export const insightProject = 7201;
const surveyIds = { measure: 'insight-web-1', neighbour: 'insight-web-2', project: 'insight-badge-1' };

export const firstDay = '2025-01-01';
export const lastDay = '2025-12-31';
export const daysOfYear = 365;
const dayMs = 86_400_000;
const batchSize = 5_000;

/** A project has one entry for so many responses of the measure. */
const projectShare = 5;
/** Comments that have this word, however many there are in all. */
export const rareWord = 'zeppelin';
const rareComments = 40;

const topics = ['Delivery', 'Search', 'Prices', 'Returns', 'Other'];
const [{ surveys: [webSurvey] = [] }] = feedbackCatalogue.accounts[0]!.measures as never as [
  { surveys: { id: string }[] },
];

export const insightBenchCatalogue = {
  accounts: [
    {
      id: accountId,
      name: 'Acme Retail',
      measures: [
        { key: insightMeasure, name: 'Web', surveys: [{ ...webSurvey, id: surveyIds.measure }] },
        { key: neighbourMeasure, name: 'Shop', surveys: [{ ...webSurvey, id: surveyIds.neighbour }] },
      ],
      projects: [
        {
          id: insightProject,
          name: 'Badge',
          surveys: [
            {
              id: surveyIds.project,
              modelInstanceId: 'insight-badge-model',
              questions: [
                { id: 'Q-STARS', name: 'Your rating', responseType: 'STAR_RATING', role: 'rating' },
                {
                  id: 'Q-TOPIC',
                  name: 'What is it about?',
                  responseType: 'SELECT',
                  role: 'topic',
                  answers: topics.map((text) => ({ id: `T-${text.toUpperCase()}`, text })),
                },
                { id: 'Q-SAY', name: 'Tell us more', responseType: 'TEXT_AREA' },
              ],
            },
          ],
        },
      ],
    },
  ],
};

/** The same for the same number: chance that does not depend on what was asked before. */
function chanceOf(number: number, salt: number): number {
  let mixed = Math.imul(number ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(salt + 1, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}

const syllables =
  'an ber chi dor el fin gar hol im ja kel lun mor nes ot pla qui ras sil tur und vel wis yen zo'.split(' ');

/** Of a vocabulary of some ten thousand words, short ones more often than others. */
function wordOf(number: number, place: number): string {
  const count = 1 + Math.floor(chanceOf(number, 1_000 + place) ** 2 * 3);
  let word = '';
  for (let at = 0; at < count; at += 1)
    word += syllables[Math.floor(chanceOf(number, 2_000 + place * 4 + at) * syllables.length)];
  return word;
}

function commentOf(number: number, everyRare: number): string {
  const length = 6 + Math.floor(chanceOf(number, 3) * 40);
  const words = Array.from({ length }, (_, place) => wordOf(number, place));
  if (number % everyRare === 0) words[2] = rareWord;
  return `${words.join(' ')}.`;
}

const devices = ['phone', 'desktop', 'tablet'];
const locales = ['en-GB', 'de-DE', 'fr-FR', 'ja-JP'];

function aroundOf(number: number): Record<string, unknown> {
  return {
    url: `https://shop.example.com/departments/${Math.floor(chanceOf(number, 5) ** 2 * 200)}`,
    locale: locales[Math.floor(chanceOf(number, 6) * locales.length)],
    completionTimeInMs: Math.floor(4_000 * 2 ** (chanceOf(number, 7) * 6)),
    deviceDetails: { deviceType: devices[Math.floor(chanceOf(number, 8) * devices.length)] },
  };
}

export type InsightKind = 'measure' | 'neighbour' | 'project';

/** Some 1.5 kB of a measure, some 500 bytes of a project. */
export function insightBody(kind: InsightKind, number: number, count: number): Record<string, unknown> {
  const atMs =
    Date.parse(firstDay) + Math.floor(((number % count) * daysOfYear * dayMs) / Math.max(1, count));
  const everyRare = Math.max(1, Math.floor(count / rareComments));
  const about = {
    surveyDefinitionId: surveyIds[kind],
    responseId: `${kind}-${String(number).padStart(9, '0')}`,
    submissionTimestamp: new Date(atMs).toISOString(),
    ...aroundOf(number),
  };
  const comment = commentOf(number, everyRare);
  if (kind === 'project')
    return {
      ...about,
      responses: {
        'Q-STARS': [String(1 + Math.floor(chanceOf(number, 9) * 5))],
        'Q-TOPIC': [`T-${topics[Math.floor(chanceOf(number, 10) ** 2 * topics.length)]!.toUpperCase()}`],
        'Q-SAY': [comment],
      },
    };
  const body = responseBody(number, null) as { responses: Record<string, string[]> };
  const mood = chanceOf(number, 11);
  const responses = Object.fromEntries(
    Object.entries(body.responses).map(([id, answers], index) => {
      const isScale = /^\d+$/.test(answers[0] ?? '') && !id.startsWith('Q-W') && id !== 'Q-NPS';
      const score = 1 + Math.floor((mood * 0.6 + chanceOf(number, 20 + index) * 0.4) * 10);
      return [id, isScale ? [String(Math.min(10, score))] : answers];
    }),
  );
  // Two in five say something, as in most surveys.
  if (number % 5 < 2 || number % everyRare === 0) responses['Q-TEXT'] = [comment];
  else delete responses['Q-TEXT'];
  return { ...body, ...about, responses };
}

/** Fills the measure with so many responses, and the project with a fifth of that. */
export async function fillInsight(databaseUrl: string, count: number): Promise<void> {
  await fillSource(databaseUrl, 'measure', count, insightBody);
  await fillSource(databaseUrl, 'project', Math.ceil(count / projectShare), insightBody);
  if (databaseUrl.startsWith('sqlite:')) return;
  const db = await openDb(databaseUrl, { timeoutMs: 600_000, poolSize: 1 });
  // What a server does by itself after a while, so that its plans are those of a server that has run for a while.
  const { raw } = await import('sql-template-tag');
  await db.read(raw('analyze'));
  await db.close();
}

/** Fills the measure or the project alone, with bodies like those of `insightBody`. */
export async function fillSource(
  databaseUrl: string,
  kind: 'measure' | 'project',
  count: number,
  bodyOf: typeof insightBody,
): Promise<void> {
  const db = await openDb(databaseUrl, { timeoutMs: 120_000, poolSize: 2 });
  const key = kind === 'measure' ? insightMeasure : insightProject;
  const source = await findSource(db, { accountId, kind, key });
  const survey = source?.surveys[0];
  if (source === null || survey === undefined) throw new Error('The source of the bench is not there.');
  const prepared = prepareSurvey(
    survey.definition,
    kind === 'measure' ? { kind, active: true } : { kind, status: 'ACTIVE' },
  );
  for (let done = 0; done < count; done += batchSize) {
    const items = Array.from({ length: Math.min(batchSize, count - done) }, (_, index) => {
      const body = bodyOf(kind, done + index, count);
      const { draft } = readDraft(body);
      if (draft === null) throw new Error('The response of the bench is not valid.');
      const judged = judgeDraft({ source, survey, prepared }, draft, JSON.stringify(body), {
        nowMs: Date.now(),
        newId: () => '',
      });
      if (judged.item === null)
        throw new Error(`The response of the bench is refused: ${judged.faults[0]?.message}`);
      return judged.item;
    });
    await db.write(appendResponses, { items, mark: newMark() });
    if (done % 100_000 === 0)
      process.stdout.write(
        `  ${done.toLocaleString('en')} of ${count.toLocaleString('en')} of the ${kind} in the log ...\n`,
      );
  }
  await db.close();
}
