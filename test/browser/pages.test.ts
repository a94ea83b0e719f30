// The pages as a person sees them, in a real browser.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { sqlite, type TestStore } from '../support/engines.ts';
import { launchBrowser } from '../support/launch-browser.ts';
import { type ApiClientCredentials, type ServiceProcess, startProcess } from '../support/service.ts';

const renderPatienceMs = 60_000;

describe('the pages', () => {
  let store: TestStore;
  let service: ServiceProcess;
  let browser: Browser;

  before(async () => {
    store = await sqlite.newStore();
    service = await startProcess({ DATABASE_URL: store.databaseUrl }, ['--demo']);
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
    await store?.dispose();
  });

  interface Visit {
    readonly page: Page;
    readonly foreign: string[];
    readonly faults: string[];
  }

  async function visit(path: string): Promise<Visit> {
    const page = await browser.newPage();
    const foreign: string[] = [];
    const faults: string[] = [];
    page.on('request', (request) => {
      const isOurs = request.url().startsWith(service.baseUrl) || /^(data|blob):/.test(request.url());
      if (!isOurs) foreign.push(request.url());
    });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    await page.goto(service.baseUrl + path);
    return { page, foreign, faults };
  }

  it('the root page says what this is and where to go, and every link on it leads somewhere', async () => {
    const html = await (await fetch(`${service.baseUrl}/`)).text();
    assert.match(html, /<title>Soundings<\/title>/);
    const links = [...html.matchAll(/<a href="([^"]+)"/g)].map((match) => match[1]!);
    assert.ok(links.includes('/help') && links.includes('/docs') && links.includes('/openapi.json'));
    for (const link of links) {
      const answer = await fetch(service.baseUrl + link);
      assert.equal(answer.status, 200, link);
      await answer.arrayBuffer();
    }
  });

  it('a browser that opens the root page is led to the console, and there to the sign-in [D-533]', async () => {
    const page = await browser.newPage();
    await page.goto(service.baseUrl);
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/console/sign-in');
    await page.close();
  });

  it('the reference shows every area of the document and loads nothing from elsewhere', async () => {
    // With and without the slash, which people add.
    const { page, foreign, faults } = await visit('/docs/');
    const withoutSlash = await fetch(`${service.baseUrl}/docs`);
    assert.equal(withoutSlash.status, 200);
    assert.equal(await withoutSlash.text(), await (await fetch(`${service.baseUrl}/docs/`)).text());
    const document = (await (await fetch(`${service.baseUrl}/openapi.json`)).json()) as {
      tags: { name: string }[];
      paths: Record<string, Record<string, { summary: string; tags: string[] }>>;
    };
    const tags = document.tags.map(({ name }) => name);
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    const first = operations.find((operation) => operation.tags.includes(tags[0]!))!;
    await page.getByText(first.summary).first().waitFor({ timeout: renderPatienceMs });
    for (const tag of tags)
      await page.getByText(tag, { exact: true }).first().waitFor({ timeout: renderPatienceMs });
    assert.deepEqual({ foreign, faults }, { foreign: [], faults: [] });
  });

  it('whoever types the id and secret of an API client into the reference can send a request from there', async () => {
    const { page, foreign, faults } = await visit('/docs');
    const { clientId, clientSecret } = service.announcement.demoClient as ApiClientCredentials;
    await page.getByText('Client ID:').first().click({ timeout: renderPatienceMs });
    await page.keyboard.type(clientId);
    await page.getByText('Client Secret:').first().click();
    await page.keyboard.type(clientSecret);
    const token = page.waitForResponse(`${service.baseUrl}/v1/token`);
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    assert.equal((await token).status(), 200);
    const testButton = page.getByRole('button', { name: /Test Request/ });
    await testButton.first().click();
    const first = page.waitForResponse((answer) => answer.url().startsWith(`${service.baseUrl}/v1/`));
    await page.getByRole('button', { name: 'Send' }).first().click();
    assert.equal((await first).status(), 200, `${(await first).url()} is the first that the reader may try`);
    // Closed before it has read the answer, the reference cancels the request and says so as a fault.
    await page
      .getByText(/200\s*OK/)
      .first()
      .waitFor({ timeout: renderPatienceMs });
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Read the respondents of a measure' }).click();
    await testButton.filter({ hasText: '{measurementKey}/data' }).click();
    const page1 = page.waitForResponse((answer) => answer.url().includes('/v1/measures/8840868/data'));
    await page.getByRole('button', { name: 'Send' }).first().click();
    const answer = await page1;
    assert.equal(answer.status(), 200);
    assert.ok(((await answer.json()) as { total: number }).total > 0);
    assert.deepEqual({ foreign, faults }, { foreign: [], faults: [] });
  });
});
