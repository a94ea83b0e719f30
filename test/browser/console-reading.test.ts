// Comments, responses and shared views as people use them in a browser.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { appendComments, rollUpComments } from '../support/comment-log.ts';
import {
  commentAcme,
  commentBolt,
  commentCatalogue,
  commentResponses,
} from '../support/comment-population.ts';
import { consoleCall } from '../support/console.ts';
import { accessibilityFaults, overflow, type VisitOptions, visit } from '../support/console-browser.ts';
import { type VisitorAside, type VisitorKind, visitorsAside } from '../support/console-roles.ts';
import { sqlite } from '../support/engines.ts';
import { type FeedbackService, startFeedback } from '../support/feedback-service.ts';
import { launchBrowser } from '../support/launch-browser.ts';
import { type OpenedLog, openFeedbackLog } from '../support/open-feedback-log.ts';

const days = 'from=2026-01-01&to=2026-01-31';
const longAgo = 30 * 60_000;

describe('comments, responses and shared views in a browser', () => {
  let log: OpenedLog;
  let service: FeedbackService;
  let browser: Browser;
  let base: string;
  let acme: Readonly<Record<VisitorKind, VisitorAside>>;
  const cookies = new Map<VisitorKind, string>();

  const api = async <T>(path: string, kind: VisitorKind = 'analyst'): Promise<T> =>
    (await consoleCall(service.baseUrl, 'GET', path, { cookie: cookies.get(kind)! })).body as T;
  const open = (kind: VisitorKind, path: string, options: VisitOptions = {}) =>
    visit(browser, base, path, { cookie: cookies.get(kind)!, ...options });

  before(async () => {
    const engine = sqlite;
    log = await openFeedbackLog(engine, commentCatalogue);
    service = await startFeedback(engine, { catalogue: commentCatalogue, databaseUrl: log.databaseUrl });
    base = service.baseUrl.replace('127.0.0.1', 'localhost');
    for (const [accountId, source, count] of [
      [commentAcme, 'measure', 700],
      [commentAcme, 'project', 200],
      [commentBolt, 'measure', 200],
    ] as const)
      await appendComments(log, commentResponses(accountId, source, count));
    await rollUpComments(log);
    acme = await visitorsAside(service.databaseUrl, commentAcme, 'acme');
    for (const kind of ['analyst', 'admin', 'viewer'] as const)
      cookies.set(kind, await acme[kind].newCookie());
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
    await log?.dispose();
  });

  // How the pages look as they open is seen in console-looks.test.ts.
  it('hits of a search, and a response to a project, are accessible and fit', async () => {
    const look = { width: 360, theme: 'dark', language: 'de' } as const;
    const { page, faults } = await open('admin', '/console/views', look);
    for (const [path, shown] of [
      [`/console/measures/10/comments?${days}&q=delivery`, '.reading mark'],
      ['/console/projects/20/responses/acme-project-9', '.asked li'],
    ] as const) {
      await page.goto(base + path);
      await page.locator(shown).first().waitFor();
      await page.waitForLoadState('networkidle');
      assert.deepEqual(await accessibilityFaults(page), [], path);
      assert.deepEqual(await overflow(page), [], path);
    }
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  it('by keyboard alone comments are searched, read one after the other, and one leads to its response', async () => {
    const { page, faults } = await open('analyst', `/console/measures/10/comments?${days}`);
    await page.locator('.reading li').first().waitFor();
    await page.keyboard.press('/');
    // A key that is pressed before anybody listens is heard in a moment.
    await page.locator('#comment-search:focus').waitFor();
    await page.keyboard.type('delivery');
    await page.keyboard.press('Enter');
    await page.locator('.reading mark').first().waitFor();
    assert.match(page.url(), /q=delivery/);
    const { items } = await api<{ items: { id: string; text: string }[] }>(
      `/measures/10/comments?${days}&q=delivery`,
    );
    await page
      .locator('.reading li')
      .nth(items.length - 1)
      .waitFor();
    const shown = await page.locator('.reading .text').allTextContents();
    assert.deepEqual(
      shown,
      items.map(({ text }) => text),
    );
    // Out of the field, where keys are letters.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    const second = items[1]!;
    assert.ok((await page.evaluate('document.activeElement.href')) as string);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Response' }).waitFor();
    assert.ok(page.url().includes(`/responses/${second.id}?`), page.url());
    await page.locator('.asked .text').first().waitFor();
    assert.ok((await page.locator('.asked').innerText()).includes(second.text.split('\n')[0]!));
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'H1');
    // Back leads to the search as it was.
    await page.goBack();
    await page.locator('.reading mark').first().waitFor();
    assert.equal(await page.locator('#comment-search').inputValue(), 'delivery');
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  it('more is loaded by a button, nothing twice, and the focus goes to the first that came', async () => {
    const { page, faults } = await open('analyst', `/console/measures/10/responses?${days}`);
    await page.locator('tbody tr').nth(49).waitFor();
    const more = page.getByRole('button', { name: 'Load more' });
    await more.focus();
    await page.keyboard.press('Enter');
    await page.locator('tbody tr').nth(99).waitFor();
    const links = await page
      .locator('tbody a')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    assert.equal(new Set(links).size, 100);
    await page.waitForFunction("document.activeElement === document.querySelectorAll('tbody a')[50]");
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  it('the trace of a response adds up to its scores, as the interface tells them', async () => {
    const { page } = await open('analyst', '/console/measures/10/responses/acme-measure-9');
    await page.locator('tfoot').first().waitFor();
    const { latents } = await api<{ latents: { score: number }[] }>(
      '/measures/10/responses/acme-measure-9/trace',
    );
    const shown = await page.locator('tfoot strong').allTextContents();
    assert.deepEqual(
      shown,
      latents.map(({ score }) =>
        score.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
      ),
    );
    await page.context().close();
  });

  it('a response shows its numbers as they were sent, and says of a time below 0 that no figure counts it [D-886] [D-887]', async () => {
    const { sections: _, body } = await api<{ sections: unknown; body: string }>(
      '/measures/10/responses/acme-measure-9/asked',
    );
    const { surveyDefinitionId } = JSON.parse(body) as { surveyDefinitionId: string };
    const token = await service.token(commentAcme);
    const sent = `{"surveyDefinitionId":"${surveyDefinitionId}","responseId":"digits","completionTimeInMs":-5,
      "deviceDetails":{"screenWidth":9223372036854775807}}`;
    assert.equal((await service.post(sent, token)).status, 200);
    const { page } = await open('analyst', '/console/measures/10/responses/digits');
    await page
      .getByRole('row', { name: /^completionTimeInMs -5 .*left out of the figures of time/ })
      .waitFor();
    await page.getByRole('row', { name: /^screenWidth 9223372036854775807 CPP/ }).waitFor();
    await page.getByText('JSON', { exact: true }).click();
    assert.match(
      await page.getByRole('region', { name: 'Body as sent' }).locator('pre').innerText(),
      /"screenWidth": 9223372036854775807\n/,
    );
    await page.context().close();
  });

  it('a file asks for a fresh sign-in in a sentence on the page; with one it is taken', async () => {
    const stale = await acme.analyst.newCookie(longAgo);
    const path = `/console/measures/10/comments?${days}&q=delivery`;
    const { page } = await visit(browser, base, path, { cookie: stale });
    await page.locator('.reading mark').first().waitFor();
    await page.getByRole('button', { name: 'Comments as CSV' }).click();
    await page.getByRole('button', { name: 'Confirm it is you' }).waitFor();
    assert.equal(await page.locator('#comment-search').inputValue(), 'delivery');
    await page.context().close();

    const fresh = await open('analyst', path);
    await fresh.page.locator('.reading mark').first().waitFor();
    const [download] = await Promise.all([
      fresh.page.waitForEvent('download'),
      fresh.page.getByRole('button', { name: 'Comments as CSV' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'measure-10-comments.csv');
    await download.delete();
    await fresh.page.context().close();
  });

  it('an admin erases a response after being asked, and sees that it is gone', async () => {
    const { page } = await open('admin', '/console/measures/10/responses/acme-measure-12');
    await page.locator('.asked li').first().waitFor();
    await page.getByRole('button', { name: 'Erase', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    assert.equal((await api<{ erased: boolean }>('/measures/10/responses/acme-measure-12')).erased, false);
    await page.getByRole('button', { name: 'Erase', exact: true }).click();
    await page.getByRole('button', { name: 'Erase permanently' }).click();
    await page.getByText('What this person said was erased.').waitFor();
    assert.equal((await api<{ erased: boolean }>('/measures/10/responses/acme-measure-12')).erased, true);
    assert.equal(await page.getByRole('button', { name: 'Erase', exact: true }).count(), 0);
    await page.context().close();
    const analyst = await open('analyst', '/console/measures/10/responses/acme-measure-13');
    await analyst.page.locator('.asked li').first().waitFor();
    assert.equal(await analyst.page.getByRole('button', { name: 'Erase' }).count(), 0);
    await analyst.page.context().close();
  });

  it('whoever may not see single responses has no such page, and no word of it', async () => {
    const { page } = await open('viewer', `/console/measures/10/comments?${days}`);
    await page.getByRole('heading', { name: 'You don’t have access' }).waitFor();
    assert.doesNotMatch(await page.content(), /delivery/);
    await page.context().close();
  });

  it('a view is shared, opened by somebody without an account, and taken back [D-554]', async () => {
    const { page, faults } = await open('analyst', `/console/measures/10?${days}`);
    await page.getByRole('link', { name: 'Share', exact: true }).click();
    await page.getByRole('button', { name: 'Create link' }).click();
    const url = (await page.locator('pre code').innerText()).trim();
    assert.match(url, /\/shared#4001\./);
    const requests: string[] = [];
    const context = await browser.newContext({
      viewport: { width: 360, height: 800 },
      colorScheme: 'dark',
      locale: 'de',
    });
    const guest = await context.newPage();
    guest.on('request', (request) => requests.push(request.url()));
    const answer = await guest.goto(url.replace('127.0.0.1', 'localhost'));
    assert.match(String(answer?.headers()['x-robots-tag']), /noindex/);
    await guest.locator('h1', { hasText: 'Shops' }).waitFor();
    await guest.locator('.hero').first().waitFor();
    await guest.waitForLoadState('networkidle');
    assert.ok(!guest.url().includes('#'));
    const secret = url.split('.').at(-1)!;
    assert.ok(requests.every((one) => !one.includes(secret)));
    assert.deepEqual(
      requests.filter((one) => /\/console\/api\/|\/v1\//.test(one)),
      [],
    );
    assert.doesNotMatch(await guest.content(), /delivery/);
    assert.equal(await guest.locator('meta[name=robots]').getAttribute('content'), 'noindex, nofollow');
    assert.deepEqual(await accessibilityFaults(guest), []);
    assert.deepEqual(await overflow(guest), []);
    assert.equal(await guest.locator('a[href^="/console"]').count(), 0);

    await page.getByRole('button', { name: 'Revoke' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('revoked', { exact: true }).waitFor();
    await guest.reload();
    await guest.getByText('Diese geteilte Ansicht ist abgelaufen').waitFor();
    await context.close();
    assert.deepEqual(faults, []);
    await page.context().close();
  });
});
