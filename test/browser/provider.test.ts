// A sign-in by an identity provider as a person makes it, in a real browser: from the button on the sign-in page to the
// provider and back, a fresh proof for what asks for it, and out again at both.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { consoleCall, grantAside } from '../support/console.ts';
import { accessibilityFaults, addAuthenticator, overflow, visit } from '../support/console-browser.ts';
import { sqlite } from '../support/engines.ts';
import { launchBrowser } from '../support/launch-browser.ts';
import { OpenIdProvider } from '../support/openid-provider.ts';
import { patience } from '../support/patience.ts';
import { setUp } from '../support/service.ts';
import { addUsers } from '../support/user-population.ts';
import { type ProvisioningService, startProvisioning } from '../support/users.ts';

const people = 300;

describe('an identity provider in a browser', () => {
  let context: ProvisioningService;
  let provider: OpenIdProvider;
  let browser: Browser;
  let base: string;
  let ids: readonly number[];

  before(async () => {
    provider = await OpenIdProvider.start();
    context = await startProvisioning(sqlite, { ...patience, SOUNDINGS_WEBHOOK_NETWORKS: '127.0.0.1' });
    base = context.service.baseUrl.replace('127.0.0.1', 'localhost');
    const { databaseUrl } = context.store;
    const profiles = (mark: string) =>
      Array.from({ length: people }, (_, index) => ({
        userName: `${mark}-${index}@acme.example`,
        externalId: `person-${index}`,
        active: index !== 1,
      }));
    ids = await addUsers(databaseUrl, 1, profiles('here'));
    // The same people by name of the provider, in an account beside.
    await addUsers(databaseUrl, 2, profiles('beside'));
    await grantAside(databaseUrl, 1, { user: ids[0]! }, 'analyst');
    const facts = ['--issuer', provider.issuer, '--client-id', provider.clientId, '--claim', 'sub'];
    await setUp(['connection', 'create', '--account', '1', '--name', 'Acme ID', ...facts, '--json'], {
      ...context.env,
      SOUNDINGS_CONNECTION_SECRET: provider.clientSecret,
    });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await provider?.stop();
    await context?.close();
  });

  /** The page asks nothing of the provider by itself; only the person goes there. */
  const ownFaults = (faults: readonly string[]): readonly string[] =>
    faults.filter((fault) => !/^http:\/\/127\.0\.0\.1:\d+\/(authorize|logout)\?/.test(fault));
  const sessionOf = async (page: Page): Promise<string | undefined> =>
    (await page.context().cookies(base)).find(({ name }) => name === 'soundings')?.value;

  it('from the button to the provider, back to the page that was wanted, and out again at both [D-398]', async () => {
    provider.person = { sub: 'person-0', sid: 'one' };
    const { page, faults } = await visit(browser, base, '/console/sign-in?account=1&return=/console/me');
    await page.getByRole('link', { name: 'Continue with Acme ID' }).click();
    await page.getByRole('heading', { name: 'here-0@acme.example' }).waitFor();
    assert.equal(page.url(), `${base}/console/me`);
    await page.getByText('Analyst, in').waitFor();
    const session = await sessionOf(page);
    assert.ok(session);
    assert.equal(
      await page.evaluate('document.cookie'),
      'soundings-language=en',
      'no script reads a cookie but the choice of language',
    );
    const there = page.getByRole('button', { name: 'Sign out at the provider too' });
    await there.waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    for (const width of [320, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      assert.deepEqual(await overflow(page), [], String(width));
    }
    await there.click();
    await page.waitForURL(`${base}/console/sign-in`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    assert.deepEqual(provider.signedOut, ['person-0'], 'the provider knew whom, and asked nothing');
    const left = (await page.context().cookies()).map(({ name }) => name);
    assert.ok(!left.includes('soundings') && !left.includes('soundings-hint'), left.join());
    const after = await consoleCall(context.service.baseUrl, 'GET', '/session', {
      cookie: `soundings=${session}`,
    });
    assert.equal(after.status, 401);
    assert.deepEqual(ownFaults(faults), []);
    await page.context().close();
  });

  it('what asks for a fresh sign-in asks the provider for one, and comes back', async () => {
    provider.person = { sub: 'person-2' };
    provider.lies = { authTime: Math.floor(Date.now() / 1_000) - 3_600 };
    const { page, faults } = await visit(browser, base, '/console/sign-in?account=1&return=/console/me');
    await addAuthenticator(page);
    const button = page.getByRole('link', { name: 'Continue with Acme ID' });
    await button.click();
    await page.getByRole('heading', { name: 'here-2@acme.example' }).waitFor();
    const before = await sessionOf(page);
    provider.lies = {};
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('heading', { name: 'Confirm it is you' }).waitFor();
    await button.click();
    await page.getByRole('heading', { name: 'here-2@acme.example' }).waitFor();
    assert.equal(provider.authorizations.at(-1)?.get('max_age'), '0');
    assert.notEqual(await sessionOf(page), before, 'under a new secret');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('The passkey was added.').waitFor();
    assert.deepEqual(ownFaults(faults), []);
    await page.context().close();
  });

  it('whoever is suspended, unknown, or says no at the provider reads why, on the page where they began', async () => {
    for (const [sub, error, said] of [
      ['person-1', undefined, 'noMatch'],
      ['nobody', undefined, 'noMatch'],
      ['person-3', 'access_denied', 'providerError'],
    ] as const) {
      provider.person = { sub };
      provider.lies = error === undefined ? {} : { error };
      const { page } = await visit(browser, base, '/console/sign-in?account=1');
      await page.getByRole('link', { name: 'Continue with Acme ID' }).click();
      await page.waitForURL((address) => address.searchParams.get('refused') === said);
      const notice = page.getByRole('alert');
      await notice.waitFor();
      assert.ok(((await notice.textContent()) ?? '').length > 20);
      // The account is remembered, so that trying again is one click.
      await page.getByRole('link', { name: 'Continue with Acme ID' }).waitFor();
      assert.equal(await sessionOf(page), undefined);
      await page.context().close();
    }
    provider.lies = {};
  });
});
