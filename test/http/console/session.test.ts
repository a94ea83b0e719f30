// A session of the console: who it is, what it opens, where it opens nothing, and when it ends.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  consoleCall,
  grantAside,
  operatorAside,
  sessionAside,
  sessionsAside,
} from '../../support/console.ts';
import { type Engine, engines } from '../../support/engines.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import { patience } from '../../support/patience.ts';
import { storeRows } from '../../support/store-rows.ts';
import { addUsers } from '../../support/user-population.ts';
import { type ProvisioningService, startProvisioning } from '../../support/users.ts';

const people = 200;

for (const engine of engines) describe(`sessions on ${engine.name}`, () => sessions(engine));

function sessions(engine: Engine): void {
  let context: ProvisioningService;
  let ids: readonly number[];
  const url = (): string => context.store.databaseUrl;
  const cookieOf = (index: number): Promise<string> =>
    sessionAside(url(), { accountId: 1, personId: ids[index]! });
  const call = (method: string, path: string, cookie?: string, body?: unknown): Promise<Answer> =>
    consoleCall(context.service.baseUrl, method, path, {
      ...(cookie === undefined ? {} : { cookie }),
      ...(body === undefined ? {} : { body }),
    });

  before(async () => {
    context = await startProvisioning(engine, { ...patience });
    const profiles = Array.from({ length: people }, (_, index) => ({
      userName: `person-${index}`,
      externalId: `e-${index}`,
      active: true,
    }));
    ids = await addUsers(url(), 1, profiles);
  });
  after(() => context?.close());

  it('says who signed in, where they act and what their roles let them do [D-310]', async () => {
    const cookie = await cookieOf(0);
    await grantAside(url(), 1, { user: ids[0]! }, 'analyst');
    await grantAside(url(), 1, { user: ids[0]! }, 'identity');
    const { status, body, headers } = await call('GET', '/session', cookie);
    assert.equal(status, 200);
    assert.deepEqual(body.person, { kind: 'user', id: String(ids[0]), name: 'person-0' });
    assert.equal((body.account as { id: number }).id, 1);
    assert.deepEqual(body.roles, ['analyst', 'identity']);
    assert.deepEqual(body.abilities, [
      'see scores',
      'see responses',
      'see own audit',
      'manage users',
      'see audit',
    ]);
    assert.equal(headers['cache-control'], 'no-store');
  });

  it('without a live session the answer is 401 in the form of the console, without a challenge for the browser', async () => {
    const cookies = [
      undefined,
      'soundings=',
      'soundings=1.short',
      `soundings=1.${'A'.repeat(43)}`,
      'other=1',
    ];
    for (const cookie of cookies) {
      const { status, body, headers } = await call('GET', '/session', cookie);
      assert.equal(status, 401);
      assert.equal(body.code, 'SIGN_IN_REQUIRED');
      assert.equal(body.requestId, headers['x-request-id']);
      assert.equal(headers['www-authenticate'], undefined);
    }
  });

  it('ends when it is signed out, not used for 12 hours, or 7 days old', async () => {
    const ended = await cookieOf(1);
    assert.equal((await call('DELETE', '/session', ended)).status, 204);
    assert.equal((await call('GET', '/session', ended)).status, 401);
    for (const change of [
      `used_at = ${Date.now() - 12 * 3_600_000 - 1_000}`,
      `ends_at = ${Date.now() - 1_000}`,
    ]) {
      const cookie = await cookieOf(2);
      assert.equal((await call('GET', '/session', cookie)).status, 200);
      await storeRows(url(), `update session set ${change} where account_id = 1 and person_id = ${ids[2]}`);
      assert.equal((await call('GET', '/session', cookie)).status, 401);
    }
  });

  it('the Host header chooses no origin: changes come from the address of the service alone [D-311]', async () => {
    const cookie = await cookieOf(6);
    const { status } = await exchange(`${context.service.baseUrl}/console/api/session`, {
      method: 'DELETE',
      headers: { cookie, host: 'evil.example', origin: 'http://evil.example' },
    });
    assert.equal(status, 403);
    assert.equal((await call('GET', '/session', cookie)).status, 200);
  });

  it('the cookie opens nothing of the interface, and a token nothing of the console', async () => {
    const cookie = await cookieOf(3);
    for (const path of ['/v1/measures', '/v1/scim/Users', '/scim/v2/Users', '/v1/projects'])
      assert.equal(
        (await exchange(`${context.service.baseUrl}${path}`, { headers: { cookie, accept: '*/*' } })).status,
        401,
        path,
      );
    const { status } = await consoleCall(context.service.baseUrl, 'GET', '/session', {
      headers: { authorization: `Bearer ${context.token}` },
    });
    assert.equal(status, 401);
  });

  it('a change from a page of another origin is refused, and one from no page at all [D-312]', async () => {
    const cookie = await cookieOf(4);
    const { port } = new URL(context.service.baseUrl);
    const send = (headers: Record<string, string>): Promise<Answer> =>
      exchange(`${context.service.baseUrl}/console/api/session`, {
        method: 'DELETE',
        headers: { cookie, ...headers },
      });
    const foreign: Record<string, string>[] = [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `http://localhost.evil.example:${port}` },
      { origin: `http://localhost:${Number(port) + 1}` },
      { 'sec-fetch-site': 'cross-site', origin: `http://localhost:${port}` },
    ];
    for (const headers of foreign) {
      const { status, body } = await send(headers);
      assert.deepEqual([status, body.code], [403, 'FOREIGN_ORIGIN'], JSON.stringify(headers));
    }
    for (const name of ['localhost', '127.0.0.1', '[::1]']) {
      assert.equal(
        (await send({ origin: `http://${name}:${port}` })).status,
        name === 'localhost' ? 204 : 401,
      );
    }
  });

  it('an operator acts within an account after entering it, under another secret, and the log of the account says so [D-310]', async () => {
    const outside = await operatorAside(url(), { name: 'olga' });
    const before = await call('GET', '/session', outside);
    assert.deepEqual([before.body.account, before.body.abilities], [null, ['operate']]);
    const entered = await call('PUT', '/session/account', outside, { accountId: 1 });
    assert.equal(entered.status, 204, entered.text);
    assert.equal((await call('GET', '/session', outside)).status, 401);
    const inside = String(entered.headers['set-cookie']).split(';')[0]!;
    const within = await call('GET', '/session', inside);
    assert.equal((within.body.account as { id: number }).id, 1);
    assert.ok((within.body.abilities as string[]).includes('manage users'));
    const left = await call('PUT', '/session/account', inside, { accountId: null });
    const again = await call('GET', '/session', String(left.headers['set-cookie']).split(';')[0]!);
    assert.equal(again.body.account, null);
    const rows = await storeRows(
      url(),
      `select action, actor from audit where account_id = 1 and actor = 'operator olga' order by at, id`,
    );
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['account.enter', 'account.leave'],
    );
    assert.equal((await call('PUT', '/session/account', outside, { accountId: 77 })).status, 401);
    const nowhere = await call('PUT', '/session/account', await operatorAside(url()), { accountId: 77 });
    assert.deepEqual([nowhere.status, nowhere.body.code], [400, 'INVALID_REQUEST']);
    const user = await call('PUT', '/session/account', await cookieOf(5), { accountId: 2 });
    assert.deepEqual([user.status, user.body.code], [403, 'ABILITY_MISSING']);
  });

  it('two replicas note the last use of hundreds of sessions of two accounts, at most once a minute, each of them', async () => {
    const other = await context.another();
    const [foreignId] = await addUsers(url(), 2, [{ userName: 'foreign', externalId: 'f', active: true }]);
    const cookies = await sessionsAside(url(), [
      ...[...ids, ...ids].map((personId) => ({ accountId: 1, personId })),
      ...ids.map(() => ({ accountId: 2, personId: foreignId! })),
    ]);
    await storeRows(url(), `update session set used_at = used_at - 120000 where account_id in (1, 2)`);
    const useAll = async (baseUrl: string, inOrder: readonly string[]): Promise<void> => {
      for (const cookie of inOrder)
        assert.equal((await consoleCall(baseUrl, 'GET', '/session', { cookie })).status, 200);
    };
    // In opposite orders, so that each holds sessions that the other wants next.
    await Promise.all([
      useAll(context.service.baseUrl, [...cookies, ...cookies]),
      useAll(other.baseUrl, cookies.toReversed()),
    ]);
    await Promise.all([context.service.stop(), other.stop()]);
    const [row] = await storeRows(
      url(),
      `select count(*) as noted from session where account_id in (1, 2) and used_at > ${Date.now() - 100_000}`,
    );
    assert.ok(Number(row!.noted) >= cookies.length, String(row!.noted));
    for (const { output } of [context.service, other]) assert.doesNotMatch(output(), /could not be noted/);
  });
}
