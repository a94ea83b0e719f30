// The help as people read it, in a real browser: by keys, in both themes, on small screens, without scripts.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { accessibilityFaults, overflow, visit } from '../support/console-browser.ts';
import { sqlite, type TestStore } from '../support/engines.ts';
import { launchBrowser } from '../support/launch-browser.ts';
import { type Service, startProcess, until } from '../support/service.ts';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Of every kind: the start, tables and code and headings of all levels, pages beneath a page, rows with addresses, nothing. */
const kinds = ['/help', '/help/retention', '/help/identity-providers/okta', '/help/nothing'];

describe('the help in a browser', () => {
  let store: TestStore;
  let service: Service;
  let browser: Browser;
  let base: string;

  before(async () => {
    store = await sqlite.newStore();
    service = await startProcess({ DATABASE_URL: store.databaseUrl });
    base = service.baseUrl.replace('127.0.0.1', 'localhost');
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
    await store?.dispose();
  });

  it('every kind of page can be used by everybody, in both themes, small and wide', async () => {
    for (const [theme, width] of [
      ['light', 1440],
      ['dark', 360],
    ] as const) {
      const { page, faults } = await visit(browser, base, '/help', { theme, width });
      for (const path of kinds) {
        await page.goto(base + path);
        const found = await accessibilityFaults(page, rules);
        assert.deepEqual(found, [], `${path} ${theme} ${width}`);
      }
      // What is folded on a small screen, and what is found, are looked at open.
      await page.goto(`${base}/help?q=backup`);
      await page.locator('.found a').first().waitFor();
      if (width === 360)
        await page.locator('.pages details').evaluate((part) => part.setAttribute('open', ''));
      assert.deepEqual(await accessibilityFaults(page, rules), [], `open ${theme} ${width}`);
      assert.deepEqual(faults, []);
      await page.context().close();
    }
  });

  it('no page is wider than the screen: what is wide scrolls within itself, and is reached by keys', async () => {
    const { page } = await visit(browser, base, '/help');
    const listed = await page
      .locator('.pages a')
      .evaluateAll((links) => links.map((link) => (link as unknown as { pathname: string }).pathname));
    const wide: string[] = [];
    for (const path of new Set([...listed, ...kinds]))
      for (const width of kinds.includes(path) ? [360, 768, 1440] : [360]) {
        await page.setViewportSize({ width, height: 800 });
        if (width === 360) await page.goto(base + path);
        wide.push(...(await overflow(page)).map((html) => `${path} ${width}: ${html}`));
      }
    assert.deepEqual(wide, []);
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto(`${base}/help/settings`);
    const table = page.getByRole('group', { name: 'Table, scrolls sideways' }).first();
    await table.focus();
    await page.keyboard.press('ArrowRight');
    await until(
      () => table.evaluate((one) => (one as unknown as { readonly scrollLeft: number }).scrollLeft),
      (left) => left > 0,
    );
    await page.context().close();
  });

  it('a slash goes to the search, arrows through what was found, Enter to the place, without asking the server', async () => {
    const { page, faults } = await visit(browser, base, '/help/surveys', { language: 'de' });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.keyboard.press('/');
    const field = page.getByRole('searchbox', { name: 'Search the help' });
    await page.keyboard.type('refused respon');
    const first = page.locator('.found a').first();
    await first.waitFor();
    assert.match((await first.textContent())!, /^Refused responses/);
    assert.match(
      (await page.locator('.search [role=status]').textContent())!,
      /^\d+ places, the first \d+ shown$/,
    );
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    assert.ok(await first.evaluate((link) => link.matches(':focus')));
    // One file, however much was typed.
    assert.deepEqual(
      asked.map((path) => path.replace(/-\w+\./, '.')),
      ['/help/assets/index.json'],
    );
    await page.keyboard.press('Enter');
    await page.waitForURL(`${base}/help/operations#refused-responses`);
    await page.locator('#refused-responses').waitFor();

    // A setting is found at its row, by a part of its name.
    await page.keyboard.press('/');
    await page.keyboard.type('throttle_client_rate');
    await page.locator('.found a', { hasText: 'SOUNDINGS_THROTTLE_CLIENT_RATE' }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${base}/help/settings#soundings_throttle_client_rate`);

    // What is not there is said; Escape closes, and then empties.
    await page.keyboard.press('/');
    await page.keyboard.type('<img src=x onerror=alert(1)> xyzzy');
    await page.getByText('Nothing is called', { exact: false }).first().waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.found').isVisible(), false);
    await page.keyboard.press('Escape');
    assert.equal(await field.inputValue(), '');
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  it('a chosen theme is there from the first paint, on every page and in the console', async () => {
    const { page } = await visit(browser, base, '/help', { theme: 'light' });
    const ground = (): Promise<string> =>
      page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    const light = await ground();
    await page.getByLabel('Theme').selectOption('dark');
    const dark = await ground();
    assert.notEqual(dark, light);
    // Before anything else of the page has run.
    await page.route('**/main-*.js', (route) => route.abort());
    await page.goto(`${base}/help/scaling`);
    assert.equal(await ground(), dark);
    await page.goto(`${base}/console/sign-in`);
    assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark');
    await page.context().close();
  });

  it('code and links to headings are copied by a press', async () => {
    const { page } = await visit(browser, base, '/help/users');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base });
    const clipboard = (): Promise<string> => page.evaluate('navigator.clipboard.readText()');
    const block = page.locator('.code').first();
    await block.getByRole('button', { name: 'Copy' }).click();
    await block.getByRole('button', { name: 'Copied' }).waitFor();
    assert.equal(`${await clipboard()}\n`, await block.locator('code').textContent());
    await page.getByRole('link', { name: 'Link to “Filters and pages”' }).click();
    await page.getByText('The link is copied').waitFor({ state: 'attached' });
    assert.equal(await clipboard(), `${base}/help/users#filters-and-pages`);
    await page.context().close();
  });

  it('without a script everything is read and reached, and nothing is shown that would do nothing [D-671]', async () => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 360, height: 800 },
    });
    const page = await context.newPage();
    await page.goto(`${base}/help/operations`);
    for (const hidden of ['.search', '.theme', '.code button'])
      assert.equal(await page.locator(hidden).first().isVisible(), false, hidden);
    await page.getByText('On this page').click();
    await page
      .getByRole('navigation', { name: 'On this page' })
      .getByRole('link', { name: 'Backups' })
      .click();
    assert.ok(page.url().endsWith('#backups'));
    await page.getByText('All pages').click();
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    await page.getByRole('link', { name: /^Next/ }).click();
    await page.getByRole('heading', { name: 'Connecting an identity provider', level: 1 }).waitFor();
    await context.close();
  });
});
