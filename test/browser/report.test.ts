// The page of a report in a real browser: accessible, within 320 px, in light and dark and on paper, and without a request.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { accessibilityFaults, overflow } from '../support/console-browser.ts';
import { sqlite, type TestStore } from '../support/engines.ts';
import { launchBrowser } from '../support/launch-browser.ts';
import { commandHereOk } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-file.ts';

// Each source in both themes and at both widths; together they have every part of a page in every look.
const looks = [
  { name: 'measure', theme: 'light', width: 1280 },
  { name: 'measure', theme: 'dark', width: 320 },
  { name: 'project', theme: 'dark', width: 1280 },
  { name: 'project', theme: 'light', width: 320 },
] as const;

describe('the page of a report', () => {
  let store: TestStore;
  let browser: Browser;
  const folder = temporaryFolder('pages');

  before(async () => {
    store = await sqlite.newStore();
    const env = { DATABASE_URL: store.databaseUrl };
    await commandHereOk(['demo', '--json', '--responses', '900'], env);
    const day = (back: number): string => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
    for (const [name, comments, ...source] of [
      ['measure', '12', '--measure', '8840868'],
      ['project', '200', '--project', '3223'],
    ] as const)
      await commandHereOk(
        [
          ...[
            'report',
            '--account',
            '4001',
            ...source,
            '--from',
            day(90),
            '--to',
            day(0),
            '--comments',
            comments,
          ],
          ...['--compare', 'previous', '--format', 'html', '--out', join(folder, `${name}.html`)],
        ],
        env,
      );
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await store?.dispose();
  });

  async function open(name: string, theme: 'light' | 'dark', width: number) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: theme });
    const page = await context.newPage();
    const faults: string[] = [];
    const address = pathToFileURL(join(folder, `${name}.html`)).href;
    page.on('request', (request) => void (request.url() === address || faults.push(request.url())));
    page.on('console', (message) => void faults.push(message.text()));
    page.on('pageerror', (error) => void faults.push(error.message));
    await page.goto(address);
    return { page, faults };
  }

  const backgroundOf = (page: Page): Promise<string> =>
    page.evaluate('getComputedStyle(document.documentElement).backgroundColor');

  for (const { name, theme, width } of looks)
    it(`of a ${name} is accessible and whole, ${theme}, on ${width} px, and asks for nothing [D-512]`, async () => {
      const { page, faults } = await open(name, theme, width);
      assert.deepEqual(await overflow(page), []);
      assert.equal(await backgroundOf(page), theme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(17, 22, 28)');
      await page.evaluate(
        "document.querySelectorAll('details').forEach((one, place) => { one.open = place < 3; })",
      );
      assert.deepEqual(await accessibilityFaults(page), []);
      // Each chart says what it shows, and has its figures in a table.
      const charts: readonly [boolean, number][] = await page.evaluate(`
        [...document.querySelectorAll('figure')].map((figure) => [
          [...figure.querySelectorAll('svg')].every((chart) => chart.getAttribute('aria-label')?.length > 20),
          figure.querySelectorAll('table').length,
        ])`);
      assert.ok(charts.length > (name === 'measure' ? 10 : 0));
      assert.ok(charts.every(([isSaid, tables]) => isSaid && tables === 1));
      assert.deepEqual(faults, []);
      await page.context().close();
    });

  it('is on white paper of A4, also for somebody whose screen is dark, without what can only be clicked [D-512]', async () => {
    const { page } = await open('measure', 'dark', 1280);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    assert.equal(await backgroundOf(page), 'rgb(255, 255, 255)');
    assert.equal(await page.locator('summary:visible').count(), 0);
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    // 210 by 297 millimetres in points.
    assert.match(pdf, /\/MediaBox \[0 0 59[45](\.\d+)? 84[12](\.\d+)?\]/);
    assert.ok((pdf.match(/\/Type \/Page\b/g) ?? []).length > 2);
    await page.context().close();
  });

  it('shows a comment in its own direction of writing, and a break with its mark [D-512]', async () => {
    const { page } = await open('project', 'light', 1280);
    const directions: readonly [boolean, string][] = await page.evaluate(`
      [...document.querySelectorAll('blockquote')].map((quote) => [
        /\\p{Script=Arabic}/u.test(quote.textContent),
        getComputedStyle(quote).direction,
      ])`);
    assert.ok(directions.some(([isArabic]) => isArabic));
    for (const [isArabic, direction] of directions) assert.equal(direction, isArabic ? 'rtl' : 'ltr');
    await page.context().close();
    const measure = (await open('measure', 'light', 1280)).page;
    assert.ok((await measure.getByText('version 3', { exact: true }).count()) >= 2);
    assert.match((await measure.locator('.breaks').textContent()) ?? '', /version 3.*Q-PERF-3 was added/);
    await measure.context().close();
  });
});
