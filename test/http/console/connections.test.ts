// Connections in the console: who sees them, who changes them, and that their secrets are never seen again.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { consoleCall, grantAside, operatorAside, sessionAside } from '../../support/console.ts';
import { type Engine, engines } from '../../support/engines.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import { OpenIdProvider } from '../../support/openid-provider.ts';
import { patience } from '../../support/patience.ts';
import { storeRows } from '../../support/store-rows.ts';
import { addUsers } from '../../support/user-population.ts';
import { type ProvisioningService, startProvisioning } from '../../support/users.ts';

for (const engine of engines) describe(`connections on ${engine.name}`, () => connections(engine));

function connections(engine: Engine): void {
  let context: ProvisioningService;
  let provider: OpenIdProvider;
  let admin: string;
  let identity: string;
  let viewer: string;
  let ids: readonly number[];
  const call = (method: string, path: string, cookie: string, body?: unknown): Promise<Answer> =>
    consoleCall(context.service.baseUrl, method, path, { cookie, ...(body !== undefined && { body }) });
  const facts = (name: string): Record<string, string> => ({
    name,
    issuer: provider.issuer,
    clientId: provider.clientId,
  });
  const made = async (body: Record<string, string>): Promise<string> => {
    const { status, body: answer, text } = await call('POST', '/connections', admin, body);
    assert.equal(status, 201, text);
    return String(answer.id);
  };

  before(async () => {
    provider = await OpenIdProvider.start();
    context = await startProvisioning(engine, { ...patience, SOUNDINGS_WEBHOOK_NETWORKS: '127.0.0.1' });
    const url = context.store.databaseUrl;
    ids = await addUsers(
      url,
      1,
      Array.from({ length: 240 }, (_, index) => ({
        userName: `user-${index}`,
        ...(index % 3 !== 0 && { externalId: `e-${index}` }),
        active: index % 5 !== 0,
      })),
    );
    await grantAside(url, 1, { user: ids[1]! }, 'admin');
    await grantAside(url, 1, { user: ids[2]! }, 'identity');
    await grantAside(url, 1, { user: ids[3]! }, 'viewer');
    [admin, identity, viewer] = (await Promise.all(
      [1, 2, 3].map((index) => sessionAside(url, { accountId: 1, personId: ids[index]! })),
    )) as [string, string, string];
  });
  after(async () => {
    await provider?.stop();
    await context?.close();
  });

  it('an admin makes one, whoever manages users sees it, and nobody sees its secret [D-356]', async () => {
    const id = await made({ ...facts('Acme'), secret: provider.clientSecret, subjectClaim: 'oid' });
    const { body, text } = await call('GET', '/connections', identity);
    assert.match(String(body.callbackUrl), /^http:\/\/localhost:\d+\/console\/callback$/);
    const [one] = body.connections as Record<string, unknown>[];
    assert.deepEqual(
      [one!.id, one!.name, one!.subjectClaim, one!.hasSecret, one!.only, one!.testedAt],
      [id, 'Acme', 'oid', true, false, null],
    );
    assert.ok(!text.includes(provider.clientSecret));
    const [row] = await storeRows(
      context.store.databaseUrl,
      `select secret, secret_kid from connection where id = '${id}'`,
    );
    assert.ok(!String(row!.secret).includes(provider.clientSecret) && row!.secret_kid !== null);
    assert.equal((await call('GET', '/connections', viewer)).body.code, 'ABILITY_MISSING');
    for (const cookie of [identity, viewer])
      for (const [method, path, sent] of [
        ['POST', '/connections', facts('Mine')],
        ['PATCH', `/connections/${id}`, { issuer: 'https://mine.example' }],
        ['DELETE', `/connections/${id}`, undefined],
        ['PUT', `/users/${ids[1]}/connection`, { connectionId: id }],
      ] as const)
        assert.equal((await call(method, path, cookie, sent)).body.code, 'ABILITY_MISSING', method);
  });

  it('an old sign-in changes nothing, and a connection of another account is none', async () => {
    const id = await made(facts('Old'));
    const url = context.store.databaseUrl;
    const stale = await sessionAside(
      url,
      { accountId: 1, personId: ids[1]! },
      { signedInAtMs: Date.now() - 16 * 60_000 },
    );
    const { status, body } = await call('PATCH', `/connections/${id}`, stale, { name: 'x' });
    assert.deepEqual([status, body.code], [403, 'FRESH_SIGN_IN_REQUIRED']);
    const operator = await operatorAside(url, { enteredAccountId: 2 });
    for (const [method, sent] of [
      ['PATCH', { name: 'x' }],
      ['DELETE', undefined],
    ] as const) {
      const foreign = await call(method, `/connections/${id}`, operator, sent);
      assert.deepEqual([foreign.status, foreign.body.code], [404, 'CONNECTION_NOT_FOUND']);
    }
    assert.deepEqual((await call('GET', '/connections', operator)).body.connections, []);
  });

  it('every fault is named at once, names are unique, and ten are the most', async () => {
    const { status, body } = await call('POST', '/connections', admin, {
      name: ' ',
      issuer: 'http://intranet.example',
      clientId: 'a b',
      subjectClaim: 'email',
      secret: '',
    });
    assert.equal(status, 400);
    assert.deepEqual(
      (body.faults as { field: string }[]).map(({ field }) => field),
      ['name', 'issuer', 'clientId', 'subjectClaim', 'secret'],
    );
    for (const issuer of ['https://x/{tenantid}/v2.0', 'ftp://x', 'https://u:p@x', 'https://x?y', 'nonsense'])
      assert.equal(
        (await call('POST', '/connections', admin, { ...facts('Bad'), issuer })).status,
        400,
        issuer,
      );
    assert.equal((await call('POST', '/connections', admin, facts('Acme'))).status, 409);
    const before = (await call('GET', '/connections', admin)).body.connections as unknown[];
    for (let index = before.length; index < 10; index += 1) await made(facts(`Further ${index}`));
    const full = await call('POST', '/connections', admin, facts('Eleventh'));
    assert.deepEqual([full.status, full.body.code], [409, 'CONFLICT']);
    for (const one of (await call('GET', '/connections', admin)).body.connections as {
      id: string;
      name: string;
    }[])
      if (one.name.startsWith('Further'))
        assert.equal((await call('DELETE', `/connections/${one.id}`, admin)).status, 204);
  });

  it('the test asks the provider, and counts users who have no way in', async () => {
    const id = await made({ ...facts('Tested'), secret: 's' });
    const away = await made(facts('Away'));
    await call('PUT', `/users/${ids[4]}/connection`, admin, { connectionId: away });
    const { body } = await call('POST', `/connections/${id}/test`, admin);
    const active = ids.filter((_, index) => index % 5 !== 0);
    assert.deepEqual(
      [body.fault, body.activeUsers, body.withoutExternalId, body.ofOtherConnection],
      [null, active.length, ids.filter((_, index) => index % 5 !== 0 && index % 3 === 0).length, 1],
    );
    assert.match(String(body.logoutUrl), new RegExp(`/console/logout/1/${id}$`));
    const lacking = await call('POST', `/connections/${away}/test`, admin);
    assert.match(String(lacking.body.fault), /no client secret yet/);
    await call('PATCH', `/connections/${id}`, admin, { issuer: 'https://10.1.2.3' });
    const inside = await call('POST', `/connections/${id}/test`, admin);
    assert.match(
      String(inside.body.fault),
      /not a public address/,
      'what only this machine reaches is not asked',
    );
    for (const one of [id, away]) await call('DELETE', `/connections/${one}`, admin);
    assert.equal((await call('PUT', `/users/7/connection`, admin, { connectionId: null })).status, 404);
  });

  it('only: not before somebody has signed in through it as it is now [D-357]', async () => {
    const id = await made({ ...facts('Sole'), secret: 's' });
    const early = await call('PATCH', `/connections/${id}`, admin, { only: true });
    assert.deepEqual([early.status, early.body.code], [409, 'CONFLICT']);
    const url = context.store.databaseUrl;
    await storeRows(url, `update connection set tested_at = 1 where account_id = 1 and id = '${id}'`);
    await call('PATCH', `/connections/${id}`, admin, { clientId: 'another' });
    assert.equal((await call('PATCH', `/connections/${id}`, admin, { only: true })).status, 409);
    await storeRows(url, `update connection set tested_at = 1 where account_id = 1 and id = '${id}'`);
    const shut = await call('PATCH', `/connections/${id}`, admin, { only: true });
    assert.deepEqual([shut.status, shut.body.only], [200, true]);
    assert.equal((await call('GET', '/connections', admin)).status, 401, 'sessions of other ways have ended');
    const operator = await operatorAside(url, { enteredAccountId: 1 });
    assert.equal((await call('PATCH', `/connections/${id}`, operator, { only: false })).status, 200);
    admin = await sessionAside(url, { accountId: 1, personId: ids[1]! });
    assert.equal((await call('DELETE', `/connections/${id}`, admin)).status, 204);
  });

  it('the ways to sign in: an account that is not there looks like one without connections', async () => {
    const id = await made({ ...facts('Shown'), secret: 's' });
    await made(facts('Without a secret'));
    const ways = async (query: string): Promise<unknown> =>
      (await exchange(`${context.service.baseUrl}/console/api/sign-in/ways${query}`)).body;
    const { connections: listed } = (await ways('?account=1')) as { connections: { id: string }[] };
    assert.ok(listed.some((one) => one.id === id));
    assert.ok(!JSON.stringify(listed).includes('Without a secret'));
    assert.deepEqual(await ways('?account=77'), await ways('?account=2'));
    assert.deepEqual(await ways(''), await ways('?account=2'));
  });
}
