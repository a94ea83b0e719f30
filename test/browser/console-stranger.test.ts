// The first quarter of an hour of a stranger, on both engines: the program as `npm start` runs it, the link that it shows, a survey
// that is begun and published in the browser, answered in another, and seen on its dashboard.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { visit } from '../support/console-browser.ts';
import { engines, type TestStore } from '../support/engines.ts';
import { launchBrowser } from '../support/launch-browser.ts';
import { type ServiceProcess, startProcess } from '../support/service.ts';

let browser: Browser;
before(async () => {
  browser = await launchBrowser();
});
after(() => browser?.close());

for (const engine of engines)
  describe(`a stranger with the console on ${engine.name}`, () => {
    let store: TestStore;
    let service: ServiceProcess;

    before(async () => {
      store = await engine.newStore();
      service = await startProcess({ DATABASE_URL: store.databaseUrl }, ['--demo']);
    });
    after(async () => {
      await service?.stop();
      await store?.dispose();
    });

    it('the link of the start opens the overview of the demo; a survey is begun, published, answered by another browser and seen on its dashboard', async () => {
      const { origin, pathname, hash } = new URL(String(service.announcement.consoleUrl));
      const { page, faults } = await visit(browser, origin, pathname + hash, { width: 1440 });
      await page.getByRole('link', { name: 'Acme web browse' }).first().waitFor();
      assert.equal(page.url(), `${origin}/console`);
      assert.ok((await page.locator('main tbody tr').count()) >= 4);

      await page.getByRole('navigation').getByRole('link', { name: 'Surveys', exact: true }).click();
      await page.getByRole('link', { name: 'New survey' }).click();
      await page.getByLabel('Name', { exact: true }).fill('My first measure');
      await page.getByLabel('Name', { exact: true }).press('Enter');
      await page.getByRole('heading', { level: 1, name: 'My first measure' }).waitFor();
      await page.getByRole('button', { name: 'Publish …' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('New measure “My first measure”').waitFor();
      await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
      await dialog.getByText('Published.').waitFor();
      const link = await dialog.getByRole('link', { name: 'Open the page' }).getAttribute('href');
      await page.keyboard.press('Escape');
      const [, key] = /measures\/(\d+)\/edit/.exec(page.url())!;
      await page.goto(`${origin}/console/measures/${key}`);
      await page.getByRole('heading', { level: 1, name: 'My first measure' }).waitFor();
      await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
      assert.equal(await page.getByText('100.0').count(), 0);

      const answering = await (await browser.newContext()).newPage();
      await answering.goto(origin + link!.replace('?test=1', ''));
      for (const name of ['Q-SAT-1', 'Q-SAT-2'])
        await answering
          .locator(`input[name="q.${name}"][value$="-10"], input[name="q.${name}"][value="10"]`)
          .first()
          .check({ force: true });
      await answering.locator('form button[type=submit]').last().click();
      await answering.waitForURL(/thanks/);
      await answering.context().close();

      // Nobody touches the dashboard: it renews itself. The best answer everywhere is a score of 100.
      await page.getByText('100.0').first().waitFor();
      assert.deepEqual(faults, []);
      await page.context().close();
    });
  });
