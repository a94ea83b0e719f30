// A survey that runs hot, in a real browser: with scripts it works and is taken without a word, without scripts it waits.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext } from 'playwright-core';
import { addApiClient } from '../../src/cli/keys/new-client.ts';
import { grants } from '../../src/domain/access/account.ts';
import { sqlite, type TestStore } from '../support/engines.ts';
import { exchange } from '../support/exchange.ts';
import { launchBrowser } from '../support/launch-browser.ts';
import { type Mounted, startMounted } from '../support/mounted.ts';
import { type MovingClock, movingClock } from '../support/moving-clock.ts';
import { tokenFor } from '../support/service.ts';
import { SurveyPageClient } from '../support/survey-page.ts';

const account = 4001;
const hotPerMinute = 4;
const engine = sqlite;

describe('a survey that runs hot, in a browser', { concurrency: 1 }, () => {
  let store: TestStore;
  let clock: MovingClock;
  let mounted: Mounted;
  let browser: Browser;
  let origin: string;

  before(async () => {
    store = await engine.newStore();
    clock = movingClock();
    const questions = [{ id: 'Q-WHY', name: 'Why?', responseType: 'TEXT', required: true }];
    mounted = await startMounted({
      databaseUrl: store.databaseUrl,
      now: clock.now,
      elapsedMs: clock.elapsedMs,
      env: {
        SOUNDINGS_THROTTLE: 'on',
        SOUNDINGS_TRUSTED_PROXIES: '127.0.0.1',
        SOUNDINGS_PAGE_HOT_PER_MINUTE: String(hotPerMinute),
      },
      account: {
        id: account,
        name: 'Acme',
        projects: [
          { id: 1, name: 'Hot', status: 'ACTIVE', surveys: [{ id: 'hot', public: true, questions }] },
        ],
      },
    });
    origin = mounted.baseUrl.replace('127.0.0.1', 'localhost');
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await mounted?.stop();
    await store?.dispose();
  });

  async function heat(): Promise<void> {
    const pages = new SurveyPageClient(mounted, clock);
    for (let sent = 0; sent < 6 * hotPerMinute; sent += 1)
      await pages.send(
        'hot',
        { token: await pages.token('hot'), 'q.Q-WHY': 'x' },
        { 'x-forwarded-for': `10.0.${sent}.1` },
      );
  }
  async function lastItem(): Promise<{ quality?: object; answer: unknown }> {
    const token = await tokenFor(mounted.baseUrl, await addApiClient(mounted.context, account, 'r', grants));
    const { body } = await exchange(
      `${mounted.baseUrl}/v1/projects/1/data?from=2020-01-01&to=2100-01-01&limit=1000`,
      { headers: { authorization: `Bearer ${token}`, accept: 'application/json' } },
    );
    const items = body.items as { quality?: object; responses: { id: string; answers: string[] }[] }[];
    const { quality, responses } = items.at(-1)!;
    const answer = responses.find(({ id }) => id === 'Q-WHY')?.answers[0];
    return quality === undefined ? { answer } : { quality, answer };
  }
  async function fillIn(context: BrowserContext, text: string) {
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (line) => {
      if (line.text().includes('Content Security Policy')) faults.push(line.text());
    });
    await page.goto(`${origin}/s/hot`);
    await page.locator('[name="q.Q-WHY"]').fill(text);
    clock.pass(30_000);
    await heat();
    return { page, faults };
  }

  it('a browser with scripts works in a worker and is taken without a word [D-466]', async () => {
    const context = await browser.newContext();
    const { page, faults } = await fillIn(context, 'with scripts');
    const asked = page.waitForResponse((reply) => reply.status() === 429);
    await page.locator('.send').click();
    assert.notEqual(((await (await asked).json()) as { work?: object }).work, undefined);
    await page.waitForURL(/\/s\/hot\/thanks/);
    assert.deepEqual(await lastItem(), { answer: 'with scripts' });
    assert.deepEqual(faults, []);
    await context.close();
  });

  it('one without scripts is asked to wait, has its answers kept, and is taken then [D-466]', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const { page } = await fillIn(context, 'without scripts');
    await page.locator('.send').click();
    await page.getByText(/wait 10 seconds/).waitFor();
    assert.equal(await page.locator('[name="q.Q-WHY"]').inputValue(), 'without scripts');
    clock.pass(10_000);
    await heat();
    await page.locator('.send').click();
    await page.waitForURL(/\/s\/hot\/thanks/);
    assert.deepEqual(await lastItem(), { quality: { suspect: ['NO_WORK'] }, answer: 'without scripts' });
    await context.close();
  });
});
