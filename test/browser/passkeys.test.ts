// Passkeys by a real browser and the authenticator that it plays, through the pages of the console.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Response } from 'playwright-core';
import { BrowserDevice } from '../support/browser-device.ts';
import { sessionAside } from '../support/console.ts';
import { type Engine, engines } from '../support/engines.ts';
import { launchBrowser } from '../support/launch-browser.ts';
import { patience } from '../support/patience.ts';
import { addUsers } from '../support/user-population.ts';
import { type ProvisioningService, startProvisioning } from '../support/users.ts';

describe('passkeys in a browser', () => {
  let browser: Browser;

  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser?.close());

  for (const engine of engines) describe(`on ${engine.name}`, () => passkeys(engine, () => browser));
});

function passkeys(engine: Engine, browserOf: () => Browser): void {
  let context: ProvisioningService;
  let ids: readonly number[];
  let laptop: BrowserDevice;
  let phone: BrowserDevice;
  const sessionOf = (index: number): Promise<string> =>
    sessionAside(context.store.databaseUrl, { accountId: 1, personId: ids[index]! });
  const sentenceOf = async (response: Response): Promise<string> =>
    ((await response.json()) as { detail: string }).detail;

  before(async () => {
    context = await startProvisioning(engine, { ...patience });
    const profiles = ['ada', 'bo'].map((userName) => ({ userName, externalId: userName, active: true }));
    ids = await addUsers(context.store.databaseUrl, 1, profiles);
    const { port } = new URL(context.service.baseUrl);
    const origin = `http://localhost:${port}`;
    laptop = await BrowserDevice.open(browserOf(), origin);
    phone = await BrowserDevice.open(browserOf(), origin);
  });
  after(async () => {
    await laptop?.close();
    await phone?.close();
    await context?.close();
  });

  it('one is registered on the page of a person, and signs in on the sign-in page with nothing typed [D-340]', async () => {
    await laptop.bringSession(await sessionOf(0));
    const added = await laptop.addPasskey('Laptop');
    assert.equal(added.status(), 201, await added.text());
    const [credential] = await laptop.credentials();
    assert.equal(credential!.isResidentCredential, true);
    assert.equal(credential!.rpId, 'localhost');
    assert.equal(Buffer.from(credential!.userHandle!, 'base64').toString(), `1.${ids[0]}`);
    await laptop.forgetSession();
    assert.equal(await laptop.person(), null);
    const signedIn = await laptop.signIn();
    assert.equal(signedIn.status(), 204);
    assert.equal(await laptop.person(), String(ids[0]));
  });

  it('a second device has a passkey of its own; the first one goes on', async () => {
    await phone.bringSession(await sessionOf(0));
    assert.equal((await phone.addPasskey('Phone')).status(), 201);
    for (const device of [phone, laptop]) {
      await device.forgetSession();
      assert.equal((await device.signIn()).status(), 204);
      assert.equal(await device.person(), String(ids[0]));
    }
  });

  it('a device whose owner is not verified makes and uses none', async () => {
    const strange = await BrowserDevice.open(browserOf(), new URL(laptop.page.url()).origin);
    try {
      await strange.bringSession(await sessionOf(1));
      await strange.setVerified(false);
      const path = '/console/api/me/passkeys';
      let sent = 0;
      strange.page.on('request', (request) => {
        if (request.method() === 'POST' && request.url().endsWith(path)) sent += 1;
      });
      await strange.page.goto(`${new URL(laptop.page.url()).origin}/console/me`);
      await strange.page.getByLabel('Name of the passkey').fill('Unverified');
      await strange.page.getByRole('button', { name: 'Add a passkey' }).click();
      await strange.page.getByText('No passkey was created.').waitFor();
      assert.equal(sent, 0);
      assert.deepEqual(await strange.credentials(), []);
    } finally {
      await strange.close();
    }
  });

  it('one that has counted backwards is refused on the page, and lets its owner in when it has counted further [D-342]', async () => {
    const [before] = await phone.credentials();
    const reached = before!.signCount;
    assert.ok(reached > 1, `Chromium counts: ${reached}`);
    await phone.setCounter(0);
    await phone.forgetSession();
    const refused = await phone.signIn();
    assert.equal(refused.status(), 401);
    assert.match(await sentenceOf(refused), /counted backwards/);
    await phone.page.getByRole('alert').getByText('Your passkey’s counter went backwards').waitFor();
    assert.equal(await phone.person(), null);
    await phone.setCounter(reached + 10);
    assert.equal((await phone.signIn()).status(), 204);
    assert.equal(await phone.person(), String(ids[0]));
  });

  it('one that was removed on the page opens nothing; the other one stays', async () => {
    assert.equal((await phone.removePasskey('Laptop')).status(), 204);
    await laptop.forgetSession();
    const refused = await laptop.signIn();
    assert.equal(refused.status(), 401);
    assert.match(await sentenceOf(refused), /opens nothing here/);
    await laptop.page.getByRole('alert').getByText('This passkey does not work here.').waitFor();
    assert.equal(await laptop.person(), null);
    await phone.forgetSession();
    assert.equal((await phone.signIn()).status(), 204);
    const last = await phone.removePasskey('Phone');
    assert.equal(last.status(), 409);
    assert.match(await sentenceOf(last), /only way in/);
  });
}
