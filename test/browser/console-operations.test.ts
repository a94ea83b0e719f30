// The pages of operations, accounts and webhooks in a real browser, as an operator and an admin use them.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { consoleCall } from '../support/console.ts';
import { accessibilityFaults, overflow, visit } from '../support/console-browser.ts';
import { type VisitorAside, type VisitorKind, visitorsAside } from '../support/console-roles.ts';
import { addEndingRows } from '../support/ended-rows.ts';
import { sqlite } from '../support/engines.ts';
import { launchBrowser } from '../support/launch-browser.ts';
import { until } from '../support/service.ts';
import { storeRows } from '../support/store-rows.ts';
import { believeTime } from '../support/trusted-time.ts';
import { addUsers } from '../support/user-population.ts';
import { type ProvisioningService, startProvisioning } from '../support/users.ts';
import { Receiver } from '../support/webhook-receiver.ts';

describe('operations in the console, in a browser', () => {
  let context: ProvisioningService;
  let browser: Browser;
  let base = '';
  let people: Readonly<Record<VisitorKind, VisitorAside>>;
  const receiver = new Receiver();
  let hookUrl = '';

  before(async () => {
    context = await startProvisioning(sqlite, { SOUNDINGS_WEBHOOK_NETWORKS: '127.0.0.0/8' });
    base = context.service.baseUrl.replace('127.0.0.1', 'localhost');
    people = await visitorsAside(context.store.databaseUrl, 1, 'own');
    const rows = Array.from({ length: 120 }, (_, at) => `(${20_000 + at}, 'Customer ${at}', 1)`);
    await storeRows(
      context.store.databaseUrl,
      `insert into account (id, name, created_at) values ${rows.join(', ')}`,
    );
    await addUsers(
      context.store.databaseUrl,
      20_007,
      Array.from({ length: 150 }, (_, at) => ({ userName: `u${at}`, externalId: `e${at}`, active: true })),
    );
    hookUrl = await receiver.start();
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    receiver.stop();
    await context?.close();
  });

  const assertSound = async (page: Page, faults: readonly string[], what: string): Promise<void> => {
    assert.deepEqual(await accessibilityFaults(page), [], what);
    assert.deepEqual(await overflow(page), [], what);
    assert.deepEqual(faults, [], what);
  };

  it('a clock that has jumped is shown at the top, and confirmed with numbers, at both widths [D-846]', async () => {
    const url = context.store.databaseUrl;
    await believeTime(url, Date.now() - 90 * 86_400_000);
    await addEndingRows(url, 'clock', Date.now() - 3_600_000);
    const cookie = await people['operator outside'].newCookie();
    for (const width of [390, 1440]) {
      const { page, faults } = await visit(browser, base, '/console/operations', { cookie });
      await page.setViewportSize({ width, height: 900 });
      await page.getByText('This clock is 90 days ahead of the trusted time.').waitFor();
      await page.getByRole('button', { name: 'Confirm the clock' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Ended sessions').waitFor();
      await assertSound(page, faults, `the clock at ${width}`);
      if (width === 1440) {
        await dialog.getByRole('button', { name: 'The clock is right' }).click();
        await page.getByText('This clock is 90 days ahead').waitFor({ state: 'detached' });
      }
      await page.close();
    }
    const rows = await storeRows(url, `select actor from audit where action = 'clock.confirm'`);
    assert.equal(rows.length, 1);
  });

  it('what is shown of a replica is what the service says, and it renews itself', async () => {
    const cookie = await people['operator outside'].newCookie();
    const { page, faults } = await visit(browser, base, '/console/operations', { cookie });
    const card = page.locator('.machines article').first();
    await card.getByText('0 failed').waitFor({ state: 'detached' });
    const shownRequests = async (): Promise<number> =>
      Number(
        (
          await card
            .locator('div', { hasText: /^Requests/ })
            .locator('strong')
            .innerText()
        ).replaceAll(',', ''),
      );
    const first = await shownRequests();
    for (let count = 0; count < 40; count += 1) await context.call('GET', '/Users');
    await until(shownRequests, (count) => count >= first + 40);
    await card.locator('summary').click();
    const { body } = await consoleCall(base, 'GET', '/operations', { cookie });
    const [replica] = body.replicas as { facts: { version: string; routes: { route: string }[] } }[];
    assert.match(await card.innerText(), new RegExp(replica!.facts.version.replaceAll('.', '\\.')));
    // The fold stays open while figures move beneath it.
    const slowest = replica!.facts.routes.map(({ route }) => route);
    const shown = await until(
      () => card.locator('tbody th').allInnerTexts(),
      (routes) => routes.length === slowest.length,
    );
    assert.ok(shown.some((text) => text.endsWith(slowest[0]!)));
    assert.equal(await card.locator('details').getAttribute('open'), '');
    await page.getByRole('button', { name: 'Run checks' }).click();
    await page.getByText(/to look at\. Last run|checks passed\. Last run/).waitFor({ timeout: 60_000 });
    await assertSound(page, faults, 'after doctor');
    await page.context().close();
  });

  it('maintenance is begun and ended, and the page goes on working meanwhile [D-610]', async () => {
    const cookie = await people['operator outside'].newCookie();
    const { page, faults } = await visit(browser, base, '/console/operations', { cookie });
    await page.getByRole('button', { name: 'Start maintenance' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start maintenance' }).click();
    await page.getByText(/^In maintenance since/).waitFor();
    await page.reload();
    await page.getByText(/^In maintenance since/).waitFor();
    await page.getByRole('button', { name: 'End maintenance' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End maintenance' }).click();
    await page.getByRole('button', { name: 'Start maintenance' }).waitFor();
    assert.deepEqual(
      faults.filter((fault) => !fault.includes('503')),
      [],
    );
    await page.context().close();
    await until(
      async () => (await context.call('GET', '/Users')).status,
      (status) => status === 200,
    );
  });

  it('an account is made, found, refused twice and removed by keyboard alone, and nothing typed is lost', async () => {
    const cookie = await people['operator outside'].newCookie();
    const { page, faults } = await visit(browser, base, '/console/accounts', { cookie });
    await page.getByRole('button', { name: 'New account' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Number').focus();
    await page.keyboard.type('20007');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Taken already');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('alert').waitFor();
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'Taken already');
    await dialog.getByLabel('Number').fill('30001');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByLabel('Search').focus();
    await page.keyboard.type('customer 7');
    await until(
      () => page.locator('tbody tr').count(),
      (count) => count === 11,
    );
    assert.match(page.url(), /search=customer\+7/);
    const row = page.locator('tbody tr', { hasText: '20007' });
    assert.equal(await row.locator('td').nth(4).innerText(), '150');
    await row.getByRole('button', { name: 'Remove: Customer 7' }).focus();
    await page.keyboard.press('Enter');
    const remove = page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true });
    assert.ok(await remove.isDisabled());
    await page.getByLabel('Type 20007 to continue').focus();
    await page.keyboard.type('20007');
    await assertSound(page, faults, 'the question');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Removals' }).waitFor();
    await page.locator('.panel', { hasText: 'Rows deleted' }).getByText('done').waitFor({ timeout: 60_000 });
    await until(
      () => page.locator('tbody tr', { hasText: 'Customer 7' }).count(),
      (count) => count === 10,
    );
    await assertSound(page, faults, 'after the removal');
    await page.context().close();
  });

  it('a webhook shows its secret once, is tried, and sends again what was given up; a stale sign-in loses nothing', async () => {
    const stale = await people.admin.newCookie(16 * 60_000);
    const asked = await visit(browser, base, '/console/webhooks', { cookie: stale });
    const fill = async (page: Page): Promise<void> => {
      await page.getByRole('button', { name: 'New webhook' }).click();
      await page.getByLabel('Name').fill('Warehouse');
      await page.getByLabel('Address').fill(hookUrl);
      await page.getByRole('button', { name: 'Create' }).click();
    };
    await fill(asked.page);
    await asked.page.getByText(/needs a fresh sign-in/).waitFor();
    await asked.page.reload();
    await asked.page.getByRole('button', { name: 'New webhook' }).click();
    assert.equal(await asked.page.getByLabel('Address').inputValue(), hookUrl);
    await asked.page.context().close();

    const { page, faults } = await visit(browser, base, '/console/webhooks', {
      cookie: await people.admin.newCookie(),
    });
    await fill(page);
    const secret = await page.locator('pre').innerText();
    assert.match(secret, /^whsec_/);
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('Accepted: 204.').waitFor();
    assert.equal(receiver.messages(secret.trim()).length, 1);
    const [hook] = await storeRows(
      context.store.databaseUrl,
      `select id from webhook where name = 'Warehouse'`,
    );
    await storeRows(
      context.store.databaseUrl,
      `insert into webhook_delivery (account_id, webhook_id, id, type, body, created_at, next_at, attempts, give_up_at, dead_at, last_status, last_failure)
      values (1, '${String(hook!.id)}', 'evt_dead', 'user.created', '{}', 1, null, 9, 5, 5, 500, 'answered 500')`,
    );
    await page.getByRole('button', { name: 'Messages given up' }).click();
    await page.getByRole('cell', { name: 'answered 500' }).waitFor();
    await assertSound(page, faults, 'webhooks');
    await page.getByRole('button', { name: 'Send all again' }).click();
    await page.getByText('1 message is on its way.').waitFor();
    await until(
      async () => receiver.received.length,
      (count) => count === 2,
    );
    await page.reload();
    await page.getByText('delivers').waitFor();
    assert.equal(await page.locator('pre').count(), 0);
    await page.context().close();
  });

  it('whoever may not operate sees neither the pages nor a way to them', async () => {
    const { page } = await visit(browser, base, '/console/operations', {
      cookie: await people.analyst.newCookie(),
    });
    await page.getByRole('heading', { name: 'You don’t have access' }).waitFor();
    for (const name of ['Operations', 'Accounts', 'Webhooks'])
      assert.equal(await page.getByRole('link', { name }).count(), 0, name);
    await page.context().close();
  });
});
