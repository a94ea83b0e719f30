// Responses that people could have sent, for figures: scores that move, comments of many words, devices, languages and pages, over
// a year.

import { accountId, feedbackCatalogue, responseBody } from './feedback-data.ts';

export const insightMeasure = 7101;
export const insightProject = 7201;
const surveyIds = { measure: 'insight-web-1', project: 'insight-badge-1' };

export const firstDay = '2025-01-01';
export const lastDay = '2025-12-31';
const daysOfYear = 365;
const dayMs = 86_400_000;

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
      measures: [{ key: insightMeasure, name: 'Web', surveys: [{ ...webSurvey, id: surveyIds.measure }] }],
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

export type InsightKind = 'measure' | 'project';

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
