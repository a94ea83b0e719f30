// Surveys, sharing, refused responses and the first survey of an empty account, in a real browser.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { consoleCall } from '../support/console.ts';
import { accessibilityFaults, overflow, visit } from '../support/console-browser.ts';
import { type VisitorAside, type VisitorKind, visitorsAside } from '../support/console-roles.ts';
import { sqlite } from '../support/engines.ts';
import { type FeedbackService, startFeedback } from '../support/feedback-service.ts';
import { launchBrowser } from '../support/launch-browser.ts';
import { until } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-file.ts';

const acme = 4001;
const empty = 4002;
const stars = { id: 'Q-STARS', name: 'Rating', responseType: 'STAR_RATING', role: 'rating', required: true };
const words = { id: 'Q-WORDS', name: 'Tell us more', responseType: 'TEXT' };
const mood = (answers: readonly string[]): object => ({
  id: 'Q-MOOD',
  name: 'How was it?',
  responseType: 'RADIO',
  answers: answers.map((id) => ({ id, text: id })),
});
const second = {
  ...{ id: 'shop-2', version: 2, public: true, quarantine: true, title: 'Your visit' },
  questions: [stars, words, mood(['GOOD'])],
  translations: { de: { title: 'Ihr Besuch' } },
};
const catalogue = {
  accounts: [
    {
      ...{ id: acme, name: 'Acme' },
      ...{
        projects: [
          {
            ...{ id: 301, name: 'Shop', siteKey: 'acme-shop', status: 'ACTIVE' },
            surveys: [
              { id: 'shop-1', version: 1, public: true, current: false, questions: [stars] },
              { ...second, current: false },
              {
                ...second,
                id: 'shop-3',
                version: 3,
                current: true,
                questions: [stars, words, mood(['GOOD', 'BAD'])],
              },
            ],
          },
          {
            ...{ id: 302, name: 'Stores', siteKey: 'acme-stores', status: 'ACTIVE' },
            surveys: [
              {
                id: 'stores-1',
                questions: [stars],
                parameters: { custom: [{ id: 'CPP-S', name: 'store_id' }] },
              },
            ],
          },
        ],
      },
    },
    { id: empty, name: 'Empty' },
  ],
};

const pages = [
  '/console/surveys/projects/302/share',
  '/console/surveys/projects/301/share?poster=de',
  '/console/refused',
];

describe('surveys of the console in a browser', () => {
  let service: FeedbackService;
  let browser: Browser;
  let base: string;
  let people: Readonly<Record<VisitorKind, VisitorAside>>;
  let newcomers: Readonly<Record<VisitorKind, VisitorAside>>;
  let token: string;

  before(async () => {
    service = await startFeedback(sqlite, { catalogue, env: { SOUNDINGS_THROTTLE: 'off' } });
    base = service.baseUrl.replace('127.0.0.1', 'localhost');
    people = await visitorsAside(service.databaseUrl, acme, 'own');
    newcomers = await visitorsAside(service.databaseUrl, empty, 'new');
    token = await service.token(acme);
    for (let at = 0; at < 60; at += 1)
      await service.post({ surveyDefinitionId: 'shop-2', responses: { 'Q-STARS': ['9'] } }, token);
    for (let at = 0; at < 60; at += 1)
      await service.post(
        {
          surveyDefinitionId: 'shop-2',
          responses: { 'Q-STARS': ['4'], 'Q-MOOD': ['BAD'], 'Q-WORDS': ['plum cake'] },
        },
        token,
      );
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  const open = async (
    path: string,
    options: { theme?: 'light' | 'dark'; language?: string; width?: number; who?: VisitorAside } = {},
  ) => {
    const { who = people.editor, ...look } = options;
    return visit(browser, base, path, { ...look, cookie: await who.newCookie() });
  };
  const settled = (page: Page): Promise<void> => page.locator('main .panel, main .poster').first().waitFor();

  // How the pages look as they open is seen in console-looks.test.ts.
  it('a survey that takes invitations, a poster, and causes that are unfolded are accessible and fit', async () => {
    const { page, faults } = await open(pages[0]!, { theme: 'dark', language: 'de', width: 360 });
    for (const path of pages) {
      await page.goto(base + path);
      await settled(page);
      await page.locator('main [aria-busy=true]').waitFor({ state: 'detached' });
      for (const group of await page.locator('.groups > li > details > summary').all()) await group.click();
      assert.deepEqual(await accessibilityFaults(page), [], path);
      const wide = await overflow(page);
      assert.deepEqual(
        wide.filter((one) => !one.includes('table')),
        [],
        path,
      );
    }
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  it('what the list says is what the interface says, and a viewer sees none of it', async () => {
    const { page } = await open('/console/surveys');
    const row = page.getByRole('row', { name: /Shop/ });
    assert.match(await row.innerText(), /Open[\s\S]*120[\s\S]*English, German/);
    await page.getByRole('link', { name: 'Shop', exact: true }).click();
    const versions = page.locator('.versions > li');
    await versions.first().waitFor();
    assert.deepEqual(await page.locator('.versions h3 code').allInnerTexts(), ['shop-3', 'shop-2', 'shop-1']);
    assert.match(await versions.first().innerText(), /Question, changed: How was it\? \(answers\)/);
    await page.context().close();
    const viewer = await open('/console/surveys', { who: people.viewer });
    assert.equal(await viewer.page.locator('h1').innerText(), 'You don’t have access');
    assert.equal(await viewer.page.getByRole('link', { name: 'Surveys' }).count(), 0);
    await viewer.page.context().close();
  });

  it('by keyboard alone a version is closed and opened again, and the focus comes back', async () => {
    const { page, faults } = await open('/console/surveys/projects/301');
    const button = page.locator('.versions > li').first().getByRole('button', { name: 'Close' });
    await button.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Close shop-3?' });
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().focus();
    await page.keyboard.press('Enter');
    await page.locator('header .badge', { hasText: 'Closed' }).waitFor();
    const again = page.locator('.versions > li').first().getByRole('button', { name: 'Open' });
    await again.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Open' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('header .badge', { hasText: 'Open' }).waitFor();
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  it('a list becomes links to download, with what is copied named before; faults say their lines and keep the form', async () => {
    const folder = temporaryFolder();
    const file = (name: string, text: string): string => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    };
    const { page, faults } = await open('/console/surveys/projects/302/share');
    await page
      .getByLabel('List of people')
      .setInputFiles(file('bad.csv', 'store_id,email\nS-1,a@b.example,x\n'));
    await page.getByRole('checkbox', { name: 'email' }).waitFor();
    await page.getByLabel('Valid for (days)').fill('30');
    await page.getByRole('button', { name: 'Create the links' }).click();
    const problem = page.getByRole('alert');
    await problem.waitFor();
    assert.match(await problem.innerText(), /line 2: The line has 3 values/);
    assert.equal(await page.getByLabel('Valid for (days)').inputValue(), '30');
    await page
      .getByLabel('List of people')
      .setInputFiles(file('good.csv', 'store_id,email\nS-1,=cmd\nS-2,c@d.example\n'));
    await page.getByRole('button', { name: 'Create the links' }).click();
    await page.getByText('2 links were created.').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the links' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'links-stores-1.csv');
    await page.locator('.tally dd').first().filter({ hasText: '2' }).waitFor();
    assert.deepEqual(faults, []);
    await page.context().close();
    // An old sign-in is asked for again, and says so.
    const stale = await visit(browser, base, '/console/surveys/projects/302/share', {
      cookie: await people.editor.newCookie(120 * 60_000),
    });
    await stale.page.getByLabel('List of people').setInputFiles(file('one.csv', 'store_id\nS-1\n'));
    await stale.page.getByRole('button', { name: 'Create the links' }).click();
    await stale.page.getByRole('button', { name: 'Confirm it is you' }).waitFor();
    await stale.page.context().close();
  });

  it('refused responses say what to do; one is shown, and all are judged again by a newer version', async () => {
    const cookie = await people.editor.newCookie();
    await until(
      async () => (await consoleCall(base, 'GET', '/refused', { cookie })).text,
      (text) => (text.match(/"waiting":60/g) ?? []).length === 2,
    );
    const { page, faults } = await open('/console/refused');
    await page.getByText('It gives an answer that the question does not have').click();
    await page.getByText('Add the answer in a new version').waitFor();
    await page
      .getByRole('button', { name: /Show what was sent/ })
      .first()
      .click();
    await page.getByRole('dialog').getByText('plum cake').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Retry this one' }).click();
    await page.getByRole('dialog').getByText('0 accepted, 0 already stored, 1 still refused.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Retry against').selectOption('shop-3');
    await page.getByRole('button', { name: 'Retry all' }).click();
    await page.getByText('60 accepted, 0 already stored, 0 still refused.').waitFor();
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  it('an empty account: one click publishes a survey, another browser answers it, the share page turns green, the results count it', async () => {
    const { page, faults } = await open('/console', { who: newcomers.editor, width: 1280 });
    await page.getByRole('button', { name: 'Publish: Satisfaction measure' }).click();
    await page.getByText('Waiting for the first response').waitFor();
    assert.match(page.url(), /\/console\/surveys\/measures\/1001\/share$/);
    service.pass(5_000);
    const link = await page.getByRole('link', { name: 'Open the page' }).getAttribute('href');
    const respondent = await browser.newContext();
    const form = await respondent.newPage();
    await form.goto(link!.replace(/^http:\/\/[^/]+/, base));
    for (const name of ['Q-SAT-1', 'Q-SAT-2'])
      await form
        .locator(`input[name="q.${name}"][value$="-9"], input[name="q.${name}"][value="9"]`)
        .first()
        .check({ force: true });
    await form.locator('form button[type=submit]').last().click();
    await form.waitForURL(/thanks/);
    await respondent.close();
    await page.getByText('The first response has arrived.').waitFor();
    await page.getByRole('link', { name: 'See the results' }).click();
    await page.waitForURL(/\/console\/measures\/1001$/);
    await page.locator('main h1', { hasText: 'Customer satisfaction' }).waitFor();
    assert.deepEqual(faults, []);
    await page.goto(`${base}/console/surveys`);
    const row = page.getByRole('row', { name: /Customer satisfaction/ });
    assert.match(await row.innerText(), /Open\s+1\s/);
    await page.context().close();
  });
});
