// Overview, measure and project as people see them, in a real browser: what is shown is what the interface tells.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { accessibilityFaults, overflow, visit } from '../support/console-browser.ts';
import { type VisitorAside, type VisitorKind, visitorsAside } from '../support/console-roles.ts';
import { sqlite } from '../support/engines.ts';
import { type FeedbackService, startFeedback } from '../support/feedback-service.ts';
import {
  insightAcme,
  insightCatalogue,
  insightNowMs,
  insightPopulation,
  lastDay,
  sendInsight,
} from '../support/insight-population.ts';
import { launchBrowser } from '../support/launch-browser.ts';

const range = `from=2026-02-15&to=${lastDay}`;
const compared = `${range}&compare=previous`;
/** A comment of the population. */
const comment = 'I had to call. 100% waste; a_b';

type Json = Record<string, unknown>;
interface Figures {
  readonly count: number;
  readonly mean: number;
  readonly interval: readonly [number, number];
}

describe('figures in the console', () => {
  let service: FeedbackService;
  let browser: Browser;
  let base: string;
  let token: string;
  let people: Readonly<Record<VisitorKind, VisitorAside>>;

  before(async () => {
    service = await startFeedback(sqlite, { catalogue: insightCatalogue, nowMs: insightNowMs });
    base = service.baseUrl.replace('127.0.0.1', 'localhost');
    token = await service.token(insightAcme);
    people = await visitorsAside(service.databaseUrl, insightAcme, 'acme');
    await sendInsight(service, insightPopulation());
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  async function open(kind: VisitorKind, path: string, options: Parameters<typeof visit>[3] = {}) {
    const cookie = await people[kind].newCookie();
    const visited = await visit(browser, base, path, { cookie, width: 1440, ...options });
    return visited;
  }
  /** Nothing is asked for any more. */
  const quiet = async (page: Page): Promise<void> => {
    await page.waitForLoadState('networkidle');
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  };
  const told = async (path: string): Promise<Json> => {
    const { status, body, text } = await service.get(`/v1/${path}`, token);
    assert.equal(status, 200, text);
    return body;
  };
  const shownMean = ({ mean, interval: [low, high] }: Figures, digits: number): string =>
    `${mean.toFixed(digits)} ± ${((high - low) / 2).toFixed(digits)}`;
  const textOf = async (page: Page, selector: string): Promise<string> =>
    (await page.locator(selector).first().innerText()).replaceAll(/\s+/g, ' ').trim();

  // How the pages look as they open is seen in console-looks.test.ts.
  it('with groups, with a filter and without responses a page is accessible and fits', async () => {
    for (const [path, look] of [
      [`/console/measures/700?${range}&by=weekday`, { theme: 'dark', language: 'fr', width: 360 }],
      [`/console/projects/300?${range}&f=gt,rating,1`, { theme: 'light', language: 'en', width: 1440 }],
      ['/console/measures/701', { theme: 'dark', language: 'de', width: 360 }],
    ] as const) {
      const { page, faults } = await open('admin', path, look);
      await quiet(page);
      assert.deepEqual(await accessibilityFaults(page), [], path);
      assert.deepEqual(await overflow(page), [], path);
      assert.deepEqual(faults, [], path);
      await page.context().close();
    }
  });

  it('what is printed has figures and groups that were chosen, and not what only leads elsewhere', async () => {
    for (const [query, groups] of [
      [range, 0],
      [`${range}&by=weekday`, 1],
    ] as const) {
      const { page } = await open('admin', `/console/measures/700?${query}`);
      await quiet(page);
      await page.emulateMedia({ media: 'print' });
      assert.equal(await page.locator('main :is(.top a.button, button[aria-expanded]):visible').count(), 0);
      // Bars, and the names of what is measured, can be pressed on a screen.
      for (const pressed of ['.bars button', 'td button, th button'])
        assert.ok(await page.locator(pressed).first().isVisible(), pressed);
      assert.ok(await page.getByRole('heading', { name: 'Acme web' }).isVisible());
      assert.ok((await page.locator('main svg:visible').count()) > 0);
      assert.equal(await page.locator('.panel:has(.chooser):visible').count(), groups);
      await page.context().close();
    }
  });

  it('the overview is whole without a request for figures, and its rows are what the interface tells', async () => {
    const cookie = await people.analyst.newCookie();
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en' });
    const [name = '', value = ''] = cookie.split(/=(.*)/s);
    await context.addCookies([{ name, value, url: base }]);
    const page = await context.newPage();
    const asked: string[] = [];
    page.on('request', (request) => {
      if (/\/console\/api\/(?!live)/.test(request.url())) asked.push(request.url());
    });
    await page.goto(`${base}/console?${range}`);
    await page.locator('tbody tr').first().waitFor();
    assert.deepEqual(asked, []);
    const measure = (await told(`measures/700/trend?${compared}`)).latents as readonly Json[];
    const project = (await told(`projects/300/trend?${compared}`)).rating as Json;
    for (const [row, trend, digits] of [
      ['Acme web', measure[0]!, 1],
      ['Acme badge', project, 2],
    ] as const) {
      const cells = page.locator('tbody tr', { has: page.getByRole('link', { name: row, exact: true }) });
      const text = (await cells.innerText()).replaceAll(/\s+/g, ' ');
      assert.ok(text.includes(shownMean(trend.total as Figures, digits)), `${row}: ${text}`);
      const difference = trend.difference as { value: number; change: string; comparable: boolean } | null;
      const words =
        difference === null || !difference.comparable
          ? 'different questions or weights'
          : difference.change === 'unclear'
            ? 'no clear change'
            : Math.abs(difference.value).toFixed(digits);
      assert.ok(text.includes(words), `${row}: ${text}`);
    }
    await page.getByRole('link', { name: 'Acme web', exact: true }).click();
    await page.locator('h1', { hasText: 'Acme web' }).waitFor();
    assert.match(page.url(), /\/console\/measures\/700\?from=2026-02-15&to=2026-03-31/);
    await page.goBack();
    await page.locator('h1', { hasText: 'Overview' }).waitFor();
    await context.close();
  });

  it('the overview is read before any script has run, and its script takes over what is there: nothing moves, nothing is drawn twice [D-781]', async () => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en' });
    const [name = '', value = ''] = (await people.analyst.newCookie()).split(/=(.*)/s);
    await context.addCookies([{ name, value, url: base }]);
    const page = await context.newPage();
    // The service of these tests lives at another time.
    await page.clock.setFixedTime(insightNowMs);
    let letGo = (): void => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route(/assets\/main-/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${base}/console?${range}`, { waitUntil: 'commit' });
    await page.locator('tbody tr').first().waitFor();
    const places = (): Promise<readonly number[]> =>
      page.evaluate(`[...document.querySelectorAll('h1, h2, nav a, select, th, td, svg')].flatMap((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return [x, y, width, height];
      })`);
    const said = await page.locator('body').ariaSnapshot();
    const before = await places();
    await page.evaluate(
      "document.querySelectorAll('h1, h2, tr, nav a, select').forEach((element) => { element.isFirst = true; })",
    );
    // They are the last thing to come.
    const keys = page.waitForResponse(/assets\/keys-/);
    letGo();
    await keys;
    await page.waitForLoadState('networkidle');
    assert.equal(await page.locator('body').ariaSnapshot(), said);
    const now = await places();
    assert.equal(now.length, before.length);
    // Texts that are several for a script are one in HTML, which is seen in hundredths of a pixel.
    assert.deepEqual(
      now.filter((value, index) => Math.abs(value - before[index]!) > 0.5),
      [],
    );
    assert.equal(
      await page.evaluate(
        "[...document.querySelectorAll('h1, h2, tr, nav a, select')].filter((element) => !element.isFirst).length",
      ),
      0,
    );
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await context.close();
  });

  it('score, latents, answers and breaks of a measure are those of the interface, in chart, table and words [D-731]', async () => {
    const { page, faults } = await open('analyst', `/console/measures/700?${range}`);
    await quiet(page);
    const trend = await told(`measures/700/trend?${compared}`);
    const latents = trend.latents as readonly (Json & { total: Figures; points: readonly Json[] })[];
    assert.ok((await textOf(page, '.hero')).startsWith(shownMean(latents[0]!.total, 1)));
    const table = page.getByRole('region', { name: 'Latents' }).locator('tbody tr');
    for (const [at, { name, total }] of latents.entries()) {
      const text = (await table.nth(at).innerText()).replaceAll(/\s+/g, ' ');
      assert.ok(text.startsWith(`${name} ${shownMean(total, 1)}`), text);
      assert.ok(text.endsWith(` ${total.count}`), text);
    }
    const breaks = (trend.breaks as readonly Json[]).filter(({ latents: ids }) =>
      (ids as readonly unknown[]).includes('L-SAT'),
    );
    assert.ok(breaks.length > 0);
    for (const { reason } of breaks)
      await page.getByText(String(reason).replace('Satisfaction: ', ': ')).waitFor();
    const panel = page.locator('section.panel').first();
    await panel.getByRole('button', { name: 'As table' }).click();
    assert.equal(await panel.locator('tbody tr').count(), latents[0]!.points.length);
    const [first] = latents[0]!.points as readonly (Figures & Json)[];
    const firstRow = (await panel.locator('tbody tr').first().innerText()).replaceAll(/\s+/g, ' ');
    assert.ok(firstRow.includes(` ${first!.mean.toFixed(1)} `), firstRow);
    // The newest version of a question, by the table behind its bars.
    const distribution = await told(`measures/700/distribution?${range}`);
    const found = (distribution.questions as readonly Json[]).find(({ id }) => id === 'Q-FOUND')!;
    const answers = (found.versions as readonly Json[]).at(-1)!.answers as readonly Json[];
    const question = page.getByRole('region', { name: 'Did you find it?' });
    await question.getByRole('button', { name: 'As table' }).first().click();
    assert.deepEqual(
      await question.locator('figure').first().locator('tbody td:last-child').allInnerTexts(),
      answers.map(({ count }) => String(count)),
    );
    await panel.getByRole('button', { name: /^As API call/ }).click();
    const line = await panel.locator('pre').innerText();
    const query = `/v1/measures/700/trend?from=2026-02-15&to=2026-03-31&unit=day&compare=previous`;
    assert.ok(line.includes(query), line);
    const file = await page.request.get(base + (await panel.locator('a[download]').getAttribute('href'))!);
    assert.match(await file.text(), /^\uFEFFsection,id,name/);
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  it('a bar is a filter of the address, by keyboard too; Back lets go of it, and groups follow it', async () => {
    // Asked before the page does: the first look through responses starts a thread, and a page waits for figures only so long.
    const filtered = await told(
      `measures/700/trend?${compared}&filter=is,question:Q-FOUND,A-NO&within=10000`,
    );
    const { page, faults } = await open('analyst', `/console/measures/700?${range}`);
    await quiet(page);
    const bar = page
      .getByRole('region', { name: 'Did you find it?' })
      .getByRole('button', { name: /^Only responses with: No / })
      .first();
    await bar.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Filters' }).getByText('Did you find it? is No').waitFor();
    assert.equal(new URL(page.url()).searchParams.get('f'), 'is,question:Q-FOUND,A-NO');
    const { total } = (filtered.latents as readonly { total: Figures }[])[0]!;
    await page.locator('.hero', { hasText: `n = ${total.count}` }).waitFor();
    assert.ok((await textOf(page, '.hero')).startsWith(shownMean(total, 1)));
    await page.getByLabel('Group by').selectOption('weekday');
    const groups = page.getByRole('region', { name: 'Breakdown', exact: true }).first().locator('tbody tr');
    await groups.first().waitFor();
    const breakdown = await told(
      `measures/700/breakdown?${range}&by=weekday&filter=is,question:Q-FOUND,A-NO&within=10000`,
    );
    assert.deepEqual(
      await groups.locator('td:last-child').allInnerTexts(),
      (breakdown.groups as readonly Json[]).map(({ count }) => String(count)),
    );
    await page.goBack();
    await page.goBack();
    await page.getByRole('list', { name: 'Filters' }).waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).searchParams.get('f'), null);
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  it('rating, topics and worst pages of a project are those of the interface', async () => {
    const topics = await told(`projects/300/topics?${compared}&pages=10&within=10000`);
    const { page, faults } = await open('analyst', `/console/projects/300?${range}`);
    await quiet(page);
    const { rating } = await told(`projects/300/trend?${compared}`);
    assert.ok((await textOf(page, '.hero')).startsWith(shownMean((rating as Json).total as Figures, 2)));
    const panel = page.getByRole('region', { name: 'Topics', exact: true }).first();
    const named = (topics.topics as readonly Json[]).filter(({ entries }) => Number(entries) > 0);
    assert.deepEqual(
      await panel.locator('.bars small').allInnerTexts(),
      named.map(({ entries }) => String(entries)),
    );
    const pages = page.locator('section.panel', { hasText: 'Lowest-rated pages' }).locator('tbody tr');
    assert.equal(await pages.count(), (topics.pages as readonly Json[]).length);
    const comments = await told(`projects/300/comments?${range}&limit=6`);
    assert.deepEqual(
      await page.locator('.comments li > p:first-child').allTextContents(),
      (comments.items as readonly Json[]).map(({ text }) => text),
    );
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  it('a viewer gets no comment in any byte, no way to one, and is told why cells are missing [D-540]', async () => {
    const cookie = await people.viewer.newCookie();
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en' });
    const [name = '', value = ''] = cookie.split(/=(.*)/s);
    await context.addCookies([{ name, value, url: base }]);
    const page = await context.newPage();
    const bodies: Promise<string>[] = [];
    page.on('response', (answer) => {
      if (!answer.url().includes('/assets/')) bodies.push(answer.text().catch(() => ''));
    });
    for (const path of [
      `/console?${range}`,
      `/console/measures/700?${range}&by=question:Q-SAY`,
      `/console/projects/300?${range}`,
    ]) {
      await page.goto(base + path);
      await page.locator('h1').waitFor();
      await quiet(page);
      assert.equal(await page.getByText('comments', { exact: false }).count(), 0, path);
      assert.equal(await page.locator('a[href*="/responses"]').count(), 0, path);
    }
    const all = (await Promise.all(bodies)).join('\n');
    assert.ok(all.length > 10_000);
    assert.ok(!all.includes(comment));
    await page.goto(`${base}/console/measures/700?from=${lastDay}&to=${lastDay}`);
    await page.getByText('Figures based on fewer than 5 responses are withheld').first().waitFor();
    await context.close();
  });

  it('what is not there, or cannot be asked, is said with what to do and the request', async () => {
    const { page } = await open('viewer', '/console/measures/999');
    await page.getByText('No measure has the key 999.').first().waitFor();
    await page.goto(`${base}/console/measures/700?${range}&f=is,question:Q-GONE,X`);
    await page
      .getByText(/no version has question:Q-GONE/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: /^Remove the filter/ }).click();
    await page.locator('.hero').waitFor();
    await page.context().close();
  });
});
