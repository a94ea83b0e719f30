// SOUNDINGS_REQUIRE_PASSKEY: operators and admins who came without a passkey can add one, and nothing else.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Authenticator } from '../../support/authenticator.ts';
import { consoleCall, cookieSetBy, grantAside, operatorAside, sessionAside } from '../../support/console.ts';
import { declaredRoutes } from '../../support/declared-routes.ts';
import { type Engine, engines } from '../../support/engines.ts';
import { exchange } from '../../support/exchange.ts';
import { PasskeyBrowser } from '../../support/passkeys.ts';
import { storeRows } from '../../support/store-rows.ts';
import { addUsers } from '../../support/user-population.ts';
import { type ProvisioningService, startProvisioning } from '../../support/users.ts';

const ofPeople = (await declaredRoutes()).filter(({ callers }) => callers === 'signedIn');

for (const engine of engines) describe(`a passkey is demanded on ${engine.name}`, () => demand(engine));

function demand(engine: Engine): void {
  let context: ProvisioningService;
  let admin: number;
  let viewer: number;
  const url = (): string => context.store.databaseUrl;
  const call = (cookie: string, method: string, path: string, body?: unknown) =>
    consoleCall(context.service.baseUrl, method, path, { cookie, ...(body === undefined ? {} : { body }) });
  const session = (personId: number, way: 'link' | 'password' | 'passkey' | 'provider') =>
    sessionAside(url(), { accountId: 1, personId }, { way });

  before(async () => {
    context = await startProvisioning(engine, { SOUNDINGS_REQUIRE_PASSKEY: 'on' });
    const users = ['boss', 'reader'].map((userName) => ({ userName, externalId: userName, active: true }));
    [admin, viewer] = (await addUsers(url(), 1, users)) as [number, number];
    await grantAside(url(), 1, { user: admin }, 'admin');
    await grantAside(url(), 1, { user: viewer }, 'viewer');
  });
  after(() => context?.close());

  it('by a link or a password an admin or operator is refused every endpoint but those that add one [D-826]', async () => {
    assert.equal(ofPeople.filter(({ addsPasskey }) => addsPasskey).length, 7);
    const due = {
      'admin by link': () => session(admin, 'link'),
      'admin by password': () => session(admin, 'password'),
      'operator by link': () => operatorAside(url(), { way: 'link', enteredAccountId: 1 }),
      'operator by password': () => operatorAside(url(), { way: 'password' }),
    };
    for (const [who, newCookie] of Object.entries(due)) {
      const cookie = await newCookie();
      for (const { name, method, path, addsPasskey: isOpen } of ofPeople) {
        if (isOpen && method !== 'GET') continue;
        const answer = await exchange(context.service.baseUrl + path.replaceAll(/:\w+/g, '1'), {
          method,
          headers: { cookie, 'sec-fetch-site': 'same-origin' },
        });
        if (isOpen) assert.equal(answer.status, 200, `${who}: ${name}`);
        else
          assert.deepEqual([answer.status, answer.body.code], [403, 'PASSKEY_REQUIRED'], `${who}: ${name}`);
      }
      const { body } = await call(cookie, 'GET', '/session');
      assert.deepEqual([body.isPasskeyDue, body.abilities], [true, []], who);
      const page = await exchange(
        `${context.service.baseUrl.replace('127.0.0.1', 'localhost')}/console/users`,
        {
          headers: { cookie, accept: 'text/html' },
        },
      );
      assert.deepEqual([page.status, page.headers.location], [302, '/console/me'], who);
    }
  });

  it('by a passkey or through a connection they are who they are; others are asked for nothing [D-826]', async () => {
    for (const [who, cookie] of Object.entries({
      'admin by passkey': await session(admin, 'passkey'),
      'admin by provider': await session(admin, 'provider'),
      'operator by passkey': await operatorAside(url(), { way: 'passkey', enteredAccountId: 1 }),
    }))
      assert.equal((await call(cookie, 'GET', '/users')).status, 200, who);
    const reader = await session(viewer, 'link');
    assert.equal((await call(reader, 'GET', '/sources')).status, 200);
    assert.equal((await call(reader, 'GET', '/session')).body.isPasskeyDue, false);
  });

  it('they add one, sign in by it, and are in; a role that is gained makes it due at once, and ends what their token opens [D-826]', async () => {
    const browser = new PasskeyBrowser(context.service.baseUrl);
    const device = new Authenticator(context.service.baseUrl.replace('127.0.0.1', 'localhost'));
    const byLink = await session(admin, 'link');
    const added = await browser.add(byLink, device);
    assert.equal(added.status, 201, added.text);
    assert.equal((await call(byLink, 'GET', '/users')).body.code, 'PASSKEY_REQUIRED', 'not by the link');
    const signedIn = await browser.signIn(device);
    assert.equal((await call(cookieSetBy(signedIn)!, 'GET', '/users')).status, 200);

    await grantAside(url(), 1, { user: viewer }, 'analyst');
    const cookie = await session(viewer, 'password');
    const { token } = (await call(cookie, 'POST', '/access-token')).body;
    const opens = async (): Promise<number> =>
      (
        await exchange(`${context.service.baseUrl}/v1/measures`, {
          headers: { authorization: `Bearer ${token}`, accept: '*/*' },
        })
      ).status;
    assert.equal(await opens(), 200);
    await grantAside(url(), 1, { user: viewer }, 'admin');
    assert.equal((await call(cookie, 'GET', '/sources')).body.code, 'PASSKEY_REQUIRED');
    await storeRows(url(), `update session set role_bits = null where person_id = ${viewer}`);
    assert.equal(await opens(), 403);
  });
}
