// The page of a survey in a real browser with scripts switched off: it is answered all the same.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { sqlite, type TestStore } from '../support/engines.ts';
import { exchange } from '../support/exchange.ts';
import { launchBrowser } from '../support/launch-browser.ts';
import { type Mounted, startMounted } from '../support/mounted.ts';
import { tokenFor } from '../support/service.ts';

const survey = {
  id: 'a "survey" & <more>',
  public: true,
  questions: [
    {
      id: 'Q-FOUND',
      name: 'Did you find it?',
      responseType: 'RADIO',
      required: true,
      answers: [
        { id: 'A-YES', text: 'Yes' },
        { id: 'A-NO', text: 'No' },
      ],
    },
    {
      id: 'Q-WHY',
      name: 'Why not?',
      responseType: 'TEXT_AREA',
      required: true,
      rules: [{ question: 'Q-FOUND', operator: 'equals', answer: 'A-NO' }],
    },
    {
      id: 'Q-MORE',
      name: 'What was broken?',
      responseType: 'TEXT',
      rules: [{ question: 'Q-WHY', operator: 'contains', answer: 'broken' }],
    },
  ],
};

describe('the page of a survey without scripts', () => {
  let store: TestStore;
  let mounted: Mounted;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];
  const foreign: string[] = [];

  before(async () => {
    store = await sqlite.newStore();
    mounted = await startMounted({
      databaseUrl: store.databaseUrl,
      account: {
        id: 4001,
        name: 'Acme',
        projects: [{ id: 1, name: 'Badge', siteKey: 'badge', status: 'ACTIVE', surveys: [survey] }],
      },
    });
    browser = await launchBrowser();
    page = await (await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB' })).newPage();
    page.on('request', (request) => {
      const isOurs = request.url().startsWith(mounted.baseUrl) || request.url().startsWith('data:');
      if (!isOurs) foreign.push(request.url());
    });
    // A status of 422 is told as an error too, and is meant.
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('422')) faults.push(message.text());
    });
  });
  after(async () => {
    await browser?.close();
    await mounted?.stop();
    await store?.dispose();
  });

  it('questions come and go by CSS, faults keep the answers, and one send is one row [D-432, D-433]', async () => {
    const answer = await page.goto(`${mounted.baseUrl}/s/${encodeURIComponent(survey.id)}`);
    assert.equal(answer?.headers()['content-encoding'], 'gzip');
    const why = page.getByLabel('Why not?');
    assert.equal(await why.isVisible(), false);
    await page.getByLabel('Yes').check();
    assert.equal(await why.isVisible(), false);
    await page.getByLabel('No', { exact: true }).check();
    assert.equal(await why.isVisible(), true);

    await page.getByRole('button', { name: 'Send' }).click();
    assert.match(await page.title(), /^Error: /);
    assert.equal(await page.getByLabel('No', { exact: true }).isChecked(), true);
    await page.getByRole('link', { name: /Why not/ }).click();
    assert.match(page.url(), /#q-Q-WHY$/);
    await why.fill('It is broken\nsince Monday');
    assert.equal(await page.getByLabel('What was broken?').isVisible(), false);
    await page.getByRole('button', { name: 'Send' }).click();
    assert.equal(await why.inputValue(), 'It is broken\nsince Monday');
    await page.getByLabel('What was broken?').fill('The lamp');
    await page.getByRole('button', { name: 'Send' }).click();
    assert.equal(await page.getByRole('heading').textContent(), 'Thank you');

    const token = await tokenFor(mounted.baseUrl, await mounted.newClient());
    const { body } = await exchange(`${mounted.baseUrl}/v1/projects/1/data?from=2020-01-01&to=2099-01-01`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const rows = body.items as readonly {
      readonly responses: readonly { id: string; answers: string[] }[];
    }[];
    assert.equal(rows.length, 1);
    const answers = Object.fromEntries(rows[0]!.responses.map(({ id, answers: texts }) => [id, texts]));
    assert.deepEqual(
      [answers['Q-FOUND'], answers['Q-WHY'], answers['Q-MORE'], answers.locale],
      [['No'], ['It is broken\nsince Monday'], ['The lamp'], ['en']],
    );
    assert.deepEqual({ faults, foreign }, { faults: [], foreign: [] });
  });
});
