// A survey with every kind of question in every language, and the states of its page: accessible, within 320 px, with
// targets that a finger hits, and without a request to elsewhere.

import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { type SurveyLanguage, surveyLanguages } from '../../src/domain/feedback/definition.ts';
import { messagesOf } from '../../src/domain/pages/messages/messages.ts';
import { accessibilityFaults, overflow } from './console-browser.ts';

const languages = surveyLanguages.filter((language) => language !== 'en');

const questions = [
  {
    id: 'STARS',
    name: 'How was it?',
    responseType: 'STAR_RATING',
    scale: { min: 1, max: 5, labels: { min: 'Poor', max: 'Very good' } },
    required: true,
  },
  {
    id: 'WHY',
    name: 'What brought you here?',
    help: 'The first reason that comes to mind.',
    responseType: 'RADIO',
    required: true,
    answers: [
      { id: 'BUY', text: 'To buy' },
      { id: 'LOOK', text: 'To look around' },
      { id: 'HELP', text: 'For help' },
      { id: 'WORK', text: 'For my work' },
    ],
  },
  {
    id: 'MORE',
    name: 'What were you looking for?',
    responseType: 'CHECKBOX',
    answers: [
      { id: 'PRICES', text: 'Prices' },
      { id: 'TIMES', text: 'Opening times' },
    ],
    rules: [{ question: 'WHY', operator: 'equals', answer: 'LOOK' }],
  },
  {
    id: 'AGE',
    name: 'Your age',
    responseType: 'SELECT',
    answers: [
      { id: 'YOUNG', text: 'under 30' },
      { id: 'OLD', text: '30 and over' },
    ],
  },
  { id: 'NPS', name: 'Would you recommend us?', responseType: 'NPS' },
  { id: 'NAME', name: 'A word', responseType: 'TEXT', maxLength: 20, required: true },
  { id: 'TEXT', name: 'Anything else?', responseType: 'TEXT_AREA', maxLength: 500 },
];

const latents = [
  {
    id: 'SAT',
    name: 'Satisfaction',
    type: 'SATISFACTION',
    questions: [
      {
        id: 'S1',
        name: 'How satisfied are you?',
        scale: { min: 1, max: 10, labels: { min: 'Not at all', max: 'Entirely' } },
        dontKnow: 'I cannot say',
        required: true,
      },
    ],
  },
];

const page = {
  intro: 'Two minutes.\nWe read every answer.',
  thanks: { text: 'We read all of them.', url: 'https://shop.example/' },
  privacy: 'https://shop.example/privacy',
  sections: [
    { title: 'Your visit', questions: ['S1', 'STARS', 'WHY', 'MORE'] },
    { title: 'About you', questions: ['AGE', 'NPS', 'NAME', 'TEXT'] },
  ],
};

const survey = {
  title: 'Your visit',
  public: true,
  latents,
  questions,
  page,
  translations: Object.fromEntries(
    languages.map((language) => [language, { title: `Your visit (${language})` }]),
  ),
};

const { latents: _, page: __, ...badge } = survey;
const badgePage = { intro: page.intro };

export const looksCatalogue = {
  accounts: [
    {
      id: 1,
      name: 'Shop',
      measures: [
        { key: 1, name: 'Open', surveys: [{ ...survey, id: 'open' }] },
        { key: 2, name: 'Closed', surveys: [{ ...survey, id: 'closed', closed: true }] },
      ],
      projects: [
        { id: 1, name: 'Draft', status: 'DRAFT', surveys: [{ ...badge, page: badgePage, id: 'draft' }] },
      ],
    },
  ],
};

export const looks = [
  { name: 'light', colorScheme: 'light', forcedColors: 'none' },
  { name: 'dark', colorScheme: 'dark', forcedColors: 'none' },
  { name: 'forced colours', colorScheme: 'light', forcedColors: 'active' },
] as const;

export interface State {
  readonly name: string;
  readonly path: string;
  /** Of the heading, in the words of the page or of the survey. */
  readonly heading: (language: SurveyLanguage) => string;
  readonly act?: (page: Page) => Promise<void>;
}

const title = (language: SurveyLanguage): string =>
  language === 'en' ? 'Your visit' : `Your visit (${language})`;

export const states: readonly State[] = [
  { name: 'fresh', path: '/s/open', heading: title },
  { name: 'faulty', path: '/s/open', heading: title, act: sendNothing },
  {
    name: 'thanks',
    path: '/s/open/thanks',
    heading: (language) => messagesOf(language).thanksTitle,
  },
  { name: 'closed', path: '/s/closed', heading: (language) => messagesOf(language).closedTitle },
  { name: 'not open', path: '/s/draft', heading: (language) => messagesOf(language).notOpenTitle },
  { name: 'unknown', path: '/s/nobody', heading: (language) => messagesOf(language).unknownTitle },
];

/** What the server says of an empty form: browsers would not send it by themselves. */
async function sendNothing(page: Page): Promise<void> {
  await page.locator('form').evaluate((form) => {
    const element = form as unknown as { noValidate: boolean; submit(): void };
    element.noValidate = true;
    element.submit();
  });
  await page.locator('.summary').waitFor();
}

export interface Combination {
  readonly state: State;
  readonly look: (typeof looks)[number];
  readonly language: SurveyLanguage;
}

/** Looks at the page in each combination, all of one look. */
export async function checkLooks(
  browser: Browser,
  baseUrl: string,
  { colorScheme, forcedColors }: Combination['look'],
  combinations: readonly Combination[],
): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 320, height: 700 },
    colorScheme,
    forcedColors,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(baseUrl)) faults.push(request.url());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (!/status of 4\d\d/.test(message.text()) && message.type() === 'error') faults.push(message.text());
  });
  for (const { state, language } of combinations) {
    const what = `${state.name}, ${language}`;
    await page.goto(`${baseUrl}${state.path}?lang=${language}`);
    await state.act?.(page);
    assert.equal(await page.locator('html').getAttribute('lang'), language, what);
    assert.equal(await page.locator('html').getAttribute('dir'), language === 'ar' ? 'rtl' : 'ltr', what);
    assert.equal(await page.locator('h1').innerText(), state.heading(language), what);
    assert.deepEqual(await accessibilityFaults(page), [], what);
    assert.deepEqual(await overflow(page), [], what);
    assert.deepEqual(await smallTargets(page), [], what);
  }
  assert.deepEqual(faults, []);
  await context.close();
}

/** Whatever is pressed and is smaller than 44 px; links within a sentence may be. */
function smallTargets(page: Page): Promise<readonly string[]> {
  return page.evaluate(`[...document.querySelectorAll('button, .button, .answers label, select, textarea, input[type=text], .languages a, .foot a')]
    .filter((element) => element.checkVisibility() && element.closest('.honeypot') === null)
    .filter((element) => {
      const { width, height } = element.getBoundingClientRect();
      return width < 44 || height < 44;
    })
    .map((element) => element.outerHTML.slice(0, 120))`);
}
