// Identity providers in a real browser: an administrator connects one, it turns green by itself, a user whom it made signs in
// through it and is out when it suspends them; and somebody without a user sets one up by a link.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { consoleCall, grantAside, sessionAside } from '../support/console.ts';
import { accessibilityFaults, overflow, visit } from '../support/console-browser.ts';
import { type Engine, engines, sqlite } from '../support/engines.ts';
import { type Answer, exchange } from '../support/exchange.ts';
import { launchBrowser } from '../support/launch-browser.ts';
import { OpenIdProvider, type ProviderPerson } from '../support/openid-provider.ts';
import { patience } from '../support/patience.ts';
import { patchSchema, userSchema } from '../support/schema-urns.ts';
import { storeRows } from '../support/store-rows.ts';
import { addUsers } from '../support/user-population.ts';
import { type ProvisioningService, startProvisioning } from '../support/users.ts';

const people = 300;

let browser: Browser;
let provider: OpenIdProvider;

before(async () => {
  [browser, provider] = await Promise.all([launchBrowser(), OpenIdProvider.start()]);
});
after(async () => {
  await browser?.close();
  await provider?.stop();
});
afterEach(() => {
  provider.lies = {};
});

interface Place {
  readonly context: ProvisioningService;
  readonly base: string;
  readonly ids: readonly number[];
  readonly admin: string;
}

async function openPlace(engine: Engine): Promise<Place> {
  const context = await startProvisioning(engine, { ...patience, SOUNDINGS_WEBHOOK_NETWORKS: '127.0.0.1' });
  const { databaseUrl } = context.store;
  const profiles = Array.from({ length: people }, (_, index) => ({
    userName: `person-${index}@acme.example`,
    externalId: `oid-${index}`,
    active: true,
  }));
  const ids = await addUsers(databaseUrl, 1, profiles);
  await addUsers(databaseUrl, 2, profiles);
  await grantAside(databaseUrl, 1, { user: ids[0]! }, 'admin');
  const admin = await sessionAside(databaseUrl, { accountId: 1, personId: ids[0]! });
  return { context, base: context.service.baseUrl.replace('127.0.0.1', 'localhost'), ids, admin };
}

/** Only the person goes to the provider, never the page by itself. */
const ownFaults = (faults: readonly string[]): readonly string[] =>
  faults.filter((fault) => !/^http:\/\/127\.0\.0\.1:\d+\/authorize\?/.test(fault));

const step = (page: Page, number: number) => page.locator('section.step').nth(number - 1);

/** Tab by Tab until the control is reached, as somebody without a mouse does. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    const reached = await page.evaluate(
      '((at) => (at.labels?.[0] ?? at).textContent.trim())(document.activeElement)',
    );
    if (reached === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${name} is not reached by keyboard.`);
}

for (const engine of engines)
  describe(`connecting a provider in a browser on ${engine.name}`, () => {
    let place: Place;
    before(async () => {
      place = await openPlace(engine);
    });
    after(() => place?.context.close());

    it('by keyboard alone from nothing to a connected provider that turns green by itself; its user signs in, and is out when suspended', async () => {
      const { context, base, admin } = place;
      const { page, faults } = await visit(browser, base, '/console/provider', { cookie: admin });
      await tabTo(page, 'Entra IDMicrosoft Entra ID, formerly Azure AD');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Connect Entra ID' }).waitFor();
      for (const [field, value] of [
        ['Issuer', provider.issuer],
        ['Client id', provider.clientId],
        ['Client secret', provider.clientSecret],
      ] as const) {
        await tabTo(page, field);
        await page.keyboard.type(value);
      }
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Entra ID', exact: true }).waitFor();
      await page.getByText('The provider answers as it should.').waitFor();
      const [, connection] = /\/console\/provider\/(cn_\w+)$/.exec(page.url())!;
      await tabTo(page, 'Create the token');
      await page.keyboard.press('Enter');
      await page.getByText('it is shown only once').waitFor();
      const token = await step(page, 3).locator('code', { hasText: 'sdgp_' }).innerText();
      await page.getByText('Waiting for the first request from Entra ID').waitFor();
      assert.equal(await step(page, 3).locator('.badge').innerText(), 'Waiting …');
      const scim = (method: string, path: string, body: object): Promise<Answer> =>
        exchange(`${context.service.baseUrl}/scim/v2${path}`, {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
          body: JSON.stringify(body),
        });
      const made = await scim('POST', '/Users', {
        schemas: [userSchema],
        userName: 'ada@acme.example',
        externalId: 'oid-ada',
        displayName: 'Ada Byron',
        active: true,
      });
      assert.equal(made.status, 201, made.text);
      // Nobody touches the page.
      await page.getByText('Entra ID is connected.').waitFor();
      assert.equal(await step(page, 3).locator('.badge').innerText(), 'Done');
      await page.getByText('Entra ID created Ada Byron.').waitFor();
      provider.person = { sub: 'pairwise', oid: 'oid-ada' };
      const hers = await visit(browser, base, '/console/sign-in?account=1&return=/console/me');
      await hers.page.getByRole('link', { name: 'Continue with Entra ID' }).click();
      await hers.page.getByRole('heading', { name: 'ada@acme.example' }).waitFor();
      const suspended = await scim('PATCH', `/Users/${made.body.id}`, {
        schemas: [patchSchema],
        Operations: [{ op: 'Replace', path: 'active', value: 'False' }],
      });
      assert.ok([200, 204].includes(suspended.status), suspended.text);
      await hers.page.reload();
      await hers.page.waitForURL(/\/console\/sign-in/);
      await page.getByText('Entra ID suspended Ada Byron.').waitFor();
      const [row] = await storeRows(
        context.store.databaseUrl,
        `select actor from audit where account_id = 1 and action = 'connection.create' and subject = 'connection ${connection}'`,
      );
      assert.equal(row!.actor, `user ${place.ids[0]}`);
      assert.deepEqual(ownFaults([...faults, ...hers.faults]), []);
      await Promise.all([page.context().close(), hers.page.context().close()]);
    });
  });

describe('pages of identity providers in a browser', () => {
  let place: Place;
  let connection = '';
  const call = async (method: string, path: string, body?: object): Promise<Record<string, string>> =>
    (
      await consoleCall(place.context.service.baseUrl, method, path, {
        cookie: place.admin,
        ...(body !== undefined && { body }),
      })
    ).body as Record<string, string>;

  before(async () => {
    place = await openPlace(sqlite);
    const facts = { issuer: provider.issuer, clientId: provider.clientId, secret: provider.clientSecret };
    connection = (await call('POST', '/connections', { ...facts, name: 'Acme ID', subjectClaim: 'oid' })).id!;
    const { token } = await call('POST', '/provisioning-tokens', { name: 'Acme ID', connection, days: 20 });
    for (const userName of ['grace@acme.example', 'person-7@acme.example'])
      await exchange(`${place.context.service.baseUrl}/scim/v2/Users`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
        body: JSON.stringify({ schemas: [userSchema], userName }),
      });
  });
  after(() => place?.context.close());

  // How the pages look as they open is seen in console-looks.test.ts.
  it('a new connection, and one whose provider did something, are accessible and fit', async () => {
    for (const [path, language, heading] of [
      [`/console/provider/${connection}`, 'fr', 'Ce que Acme ID a fait'],
      ['/console/provider/new?kind=okta', 'de', 'Attribute zuordnen'],
    ] as const) {
      const look = { language, theme: 'dark', width: 360, cookie: place.admin } as const;
      const { page, faults } = await visit(browser, place.base, path, look);
      await page.getByRole('heading', { name: heading }).waitFor();
      if (path.includes('cn_')) await page.locator('.deeds li').nth(1).waitFor();
      assert.deepEqual(await accessibilityFaults(page), [], path);
      assert.deepEqual(await overflow(page), [], path);
      assert.deepEqual(faults, [], path);
      await page.context().close();
    }
  });

  it('the test sign-in shows claims as texts, whatever they say, and why they mean nobody', async () => {
    provider.person = {
      sub: 'x',
      oid: '<img src=x onerror=alert(1)>',
      name: '</script><script>alert(2)</script>',
      preferred_username: 'person-9@acme.example',
    } as ProviderPerson;
    const { page, faults } = await visit(browser, place.base, `/console/provider/${connection}`, {
      cookie: place.admin,
    });
    let dialogs = 0;
    page.on('dialog', () => {
      dialogs += 1;
    });
    await page.getByRole('button', { name: 'Test sign-in' }).click();
    const found = step(page, 2).getByRole('alert');
    await found.waitFor();
    assert.match(await found.innerText(), /identify nobody here[\s\S]*another externalId/);
    await step(page, 2).locator('summary').click();
    await step(page, 2).getByText('</script><script>alert(2)</script>').waitFor();
    assert.match(await step(page, 2).innerText(), /<img src=x onerror=alert\(1\)>[\s\S]*oid-9/);
    assert.equal(new URL(page.url()).search, '');
    provider.person = { sub: 'x', oid: 'oid-9' };
    await page.getByRole('button', { name: 'Test sign-in' }).click();
    await page.getByText('It works: these claims identify person-9@acme.example.').waitFor();
    assert.equal(dialogs, 0);
    assert.deepEqual(ownFaults(faults), []);
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.context().close();
  });

  it('what was typed stays: after faults, after a name that is taken, and after a fresh sign-in was asked for', async () => {
    const stale = await sessionAside(
      place.context.store.databaseUrl,
      { accountId: 1, personId: place.ids[0]! },
      { signedInAtMs: Date.now() - 16 * 60_000 },
    );
    const { page } = await visit(browser, place.base, '/console/provider/new?kind=other', { cookie: stale });
    await page.getByLabel('Issuer').fill('http://intranet.example');
    await page.getByLabel('Claim that names the person').fill('email');
    await page.getByRole('button', { name: 'Save and check' }).click();
    await page.getByText('starting with https://').waitFor();
    await page.getByText('belongs to one person for ever, such as').waitFor();
    assert.equal(await page.evaluate('document.activeElement.name'), 'issuer', 'at the first fault');
    await page.getByLabel('Issuer').fill('https://login.example.com');
    await page.getByLabel('Client id').fill('client');
    await page.getByLabel('Client secret').fill('a secret');
    await page.getByLabel('Claim that names the person').fill('sub');
    await page.getByLabel('Name on the sign-in button').fill('Acme ID');
    await page.getByRole('button', { name: 'Save and check' }).click();
    await page.getByText('needs a fresh sign-in').waitFor();
    const kept = await page.evaluate('JSON.stringify(sessionStorage)');
    assert.ok(!String(kept).includes('a secret'), 'a secret is kept nowhere');
    await page
      .context()
      .addCookies([{ name: 'soundings', value: place.admin.slice('soundings='.length), url: place.base }]);
    await page.reload();
    await page.getByText('What you had typed is back').waitFor();
    assert.equal(await page.getByLabel('Issuer').inputValue(), 'https://login.example.com');
    await page.getByRole('button', { name: 'Save and check' }).click();
    await page.getByRole('alert').waitFor();
    assert.match(await page.getByRole('alert').innerText(), /Acme ID/);
    assert.equal(await page.getByLabel('Client id').inputValue(), 'client');
    await page.context().close();
  });

  it('whoever has a set-up link connects the provider with it, and hands it back', async () => {
    const { url = '' } = await call('POST', '/setup-link', { kind: 'entra' });
    const { page, faults } = await visit(browser, place.base, `/setup${new URL(url).hash}`);
    await page.getByText('One uses Soundings').waitFor();
    assert.equal(page.url(), `${place.base}/setup`, 'the code is out of the address');
    await page.getByLabel('Issuer').fill(provider.issuer);
    await page.getByLabel('Client id').fill(provider.clientId);
    await page.getByLabel('Client secret').fill(provider.clientSecret);
    await page.getByLabel('Name on the sign-in button').fill('By link');
    await page.getByRole('button', { name: 'Save and check' }).click();
    await page.getByText('The provider answers as it should.').waitFor();
    await page.getByRole('button', { name: 'Create the token' }).click();
    const token = await step(page, 3).locator('code', { hasText: 'sdgp_' }).innerText();
    await page.getByText('Waiting for the first request from By link').waitFor();
    await exchange(`${place.context.service.baseUrl}/scim/v2/Users?startIndex=1&count=2`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await page.getByText('By link is connected.').waitFor();
    await page.getByText('By link looked for users.').waitFor();
    provider.person = { sub: 'x', oid: 'oid-11' };
    await page.getByRole('button', { name: 'Test sign-in' }).click();
    await page.getByText('It works: these claims identify person-11@acme.example.').waitFor();
    assert.equal((await page.context().cookies()).filter(({ name }) => name === 'soundings').length, 0);
    await page.getByRole('button', { name: 'I am done' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    assert.deepEqual(ownFaults(faults), []);
    const again = await visit(browser, place.base, `/setup${new URL(url).hash}`);
    await again.page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    assert.deepEqual(await accessibilityFaults(again.page), []);
    await Promise.all([page.context().close(), again.page.context().close()]);
  });

  it('the only way in is asked for once more, after somebody has signed in through it; whoever may not change sees how it stands', async () => {
    const { page } = await visit(browser, place.base, `/console/provider/${connection}`, {
      cookie: place.admin,
    });
    await page.getByText('Somebody has to sign in through it once first').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Make it the only way in' }).count(), 0);
    provider.person = { sub: 'x', oid: 'oid-0' };
    const signedIn = await visit(browser, place.base, '/console/sign-in?account=1&return=/console/provider');
    await signedIn.page.getByRole('link', { name: 'Continue with Acme ID' }).click();
    await signedIn.page.getByRole('link', { name: 'Acme ID', exact: true }).click();
    await signedIn.page.getByRole('button', { name: 'Make it the only way in' }).click();
    await signedIn.page.getByRole('dialog').getByRole('button', { name: 'Make it the only way in' }).click();
    await signedIn.page.getByText('This provider is the only way into the account.').waitFor();
    await page.reload();
    await page.waitForURL(/\/console\/sign-in/);
    await grantAside(place.context.store.databaseUrl, 1, { user: place.ids[5]! }, 'identity');
    provider.person = { sub: 'x', oid: 'oid-5' };
    const other = await visit(browser, place.base, `/console/sign-in?account=1&return=/console/provider`);
    await other.page.getByRole('link', { name: 'Continue with Acme ID' }).click();
    await other.page.getByText('Only admins can change connections.').waitFor();
    assert.equal(await other.page.getByRole('button', { name: 'Create a set-up link' }).count(), 0);
    await Promise.all([page, signedIn.page, other.page].map((one) => one.context().close()));
  });
});
