// API clients, provisioning tokens, accounts and the document in the console, as an admin, somebody who manages users and
// an operator use them.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { consoleCall } from '../../support/console.ts';
import { type VisitorAside, type VisitorKind, visitorsAside } from '../../support/console-roles.ts';
import { type Engine, engines } from '../../support/engines.ts';
import type { Answer } from '../../support/exchange.ts';
import { commandHereOk, tokenFor } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';
import { type ProvisioningService, startProvisioning, userBody } from '../../support/users.ts';

const longAgoMs = 16 * 60_000;

for (const engine of engines) describe(`resources of the console on ${engine.name}`, () => resources(engine));

interface Listed {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly next: string | null;
}

function resources(engine: Engine): void {
  let context: ProvisioningService;
  let own: Readonly<Record<VisitorKind, VisitorAside>>;
  let foreign: Readonly<Record<VisitorKind, VisitorAside>>;
  const cookies = new Map<string, string>();

  before(async () => {
    context = await startProvisioning(engine);
    own = await visitorsAside(context.store.databaseUrl, 1, 'own');
    foreign = await visitorsAside(context.store.databaseUrl, 2, 'foreign');
    for (const kind of ['admin', 'identity', 'operator outside', 'operator inside'] as const)
      cookies.set(kind, await own[kind].newCookie());
    cookies.set('foreign admin', await foreign.admin.newCookie());
    cookies.set('stale admin', await own.admin.newCookie(longAgoMs));
  });
  after(() => context?.close());

  const as = (who: string, method: string, path: string, body?: unknown): Promise<Answer> =>
    consoleCall(context.service.baseUrl, method, path, {
      cookie: cookies.get(who)!,
      ...(body === undefined ? {} : { body }),
    });
  const listed = async (who: string, path: string): Promise<Listed> => {
    const { status, body, text } = await as(who, 'GET', path);
    assert.equal(status, 200, text);
    return body as unknown as Listed;
  };
  const everyPage = async (who: string, path: string, limit: number) => {
    const items: Readonly<Record<string, unknown>>[] = [];
    let after = '';
    for (;;) {
      const page = await listed(who, `${path}?limit=${limit}${after}`);
      assert.ok(page.items.length <= limit);
      items.push(...page.items);
      if (page.next === null) return items;
      after = `&after=${page.next}`;
    }
  };
  const tokenStatus = async (clientId: string, clientSecret: string): Promise<boolean> =>
    tokenFor(context.service.baseUrl, { clientId, clientSecret, scopes: [] }).then(
      () => true,
      () => false,
    );

  it('an API client made in the console gets tokens; its secret is shown once, and the log says who made it', async () => {
    const made = await as('admin', 'POST', '/api-clients', {
      name: ' Warehouse ',
      scopes: ['r_cx_measures'],
    });
    assert.equal(made.status, 201, made.text);
    const { clientId, clientSecret } = made.body as { clientId: string; clientSecret: string };
    assert.ok(await tokenStatus(clientId, clientSecret));
    const list = await as('admin', 'GET', '/api-clients?limit=1000');
    const found = (list.body as unknown as Listed).items.find((one) => one.clientId === clientId);
    assert.deepEqual(
      { ...found, created: null, lastUsed: null },
      {
        clientId,
        accountId: 1,
        name: 'Warehouse',
        scopes: ['r_cx_measures'],
        mayChangeAdmins: false,
        disabled: false,
        liveSecrets: 1,
        created: null,
        lastUsed: null,
      },
    );
    assert.ok(!list.text.includes(clientSecret));
    const shown = JSON.parse(
      await commandHereOk(['client', 'list', '--account', '1', '--json'], context.env),
    );
    assert.ok(shown.some((one: { clientId: string }) => one.clientId === clientId));
    const [entry] = await storeRows(
      context.store.databaseUrl,
      `select actor, action, request_id from audit where account_id = 1 and subject = '${clientId}'`,
    );
    assert.deepEqual(
      [entry!.actor, entry!.action, entry!.request_id],
      [own.admin.actor, 'client.create', made.headers['x-request-id']],
    );
  });

  it('a secret is rotated: both work, then the new one alone; a second rotation meanwhile is a conflict', async () => {
    const made = (await as('operator inside', 'POST', '/api-clients', { name: 'Rotated' })).body;
    const { clientId, clientSecret } = made as { clientId: string; clientSecret: string };
    const path = `/api-clients/${clientId}`;
    assert.equal((await as('admin', 'POST', `${path}/finish-rotation`)).status, 409);
    const rotated = await as('admin', 'POST', `${path}/rotate`);
    assert.equal(rotated.status, 200, rotated.text);
    assert.equal((await as('admin', 'POST', `${path}/rotate`)).status, 409);
    const newer = String(rotated.body.clientSecret);
    assert.deepEqual(
      [await tokenStatus(clientId, clientSecret), await tokenStatus(clientId, newer)],
      [true, true],
    );
    assert.equal((await as('admin', 'POST', `${path}/finish-rotation`)).status, 204);
    const [client] = await storeRows(
      context.store.databaseUrl,
      `select older_secret_hash from api_client where id = '${clientId}'`,
    );
    assert.equal(client!.older_secret_hash, null);
    assert.ok(await tokenStatus(clientId, newer));
  });

  it('grants are exactly those that were set; a disabled client is shown as such and enabled again', async () => {
    const { clientId } = (await as('admin', 'POST', '/api-clients', { name: 'Granted' })).body as {
      clientId: string;
    };
    const path = `/api-clients/${clientId}`;
    const set = await as('admin', 'PUT', `${path}/grants`, { scopes: ['r_cx_users', 'w_cx_users'] });
    assert.deepEqual(set.body, { clientId, scopes: ['r_cx_users', 'w_cx_users'] });
    assert.equal((await as('admin', 'PUT', `${path}/grants`, { scopes: ['everything'] })).status, 400);
    for (const [verb, disabled] of [
      ['disable', true],
      ['enable', false],
    ] as const) {
      assert.equal((await as('admin', 'POST', `${path}/${verb}`)).status, 204);
      const { items } = await listed('admin', '/api-clients?limit=1000');
      const { scopes, ...client } = items.find((one) => one.clientId === clientId)!;
      assert.deepEqual([client.disabled, scopes], [disabled, ['r_cx_users', 'w_cx_users']]);
    }
  });

  it('what makes a secret asks for a fresh sign-in; a client is disabled without one [D-391]', async () => {
    const { clientId } = (await as('admin', 'POST', '/api-clients', { name: 'Leaked' })).body as {
      clientId: string;
    };
    const path = `/api-clients/${clientId}`;
    for (const [method, of, body] of [
      ['POST', '/api-clients', { name: 'x' }],
      ['POST', `${path}/rotate`],
      ['POST', `${path}/finish-rotation`],
      ['POST', `${path}/enable`],
      ['PUT', `${path}/grants`, { scopes: [] }],
      ['POST', '/provisioning-tokens', { name: 'x' }],
      ['DELETE', '/provisioning-tokens/pt_1'],
    ] as const) {
      const { status, body: answer } = await as('stale admin', method, of, body);
      assert.deepEqual([status, answer.code], [403, 'FRESH_SIGN_IN_REQUIRED'], of);
    }
    assert.equal((await as('stale admin', 'POST', `${path}/disable`)).status, 204);
    assert.equal((await as('stale admin', 'GET', '/api-clients')).status, 200);
  });

  it('hundreds of clients come in pages of bounded size, each once, and those of another account never [D-390]', async () => {
    const rows = Array.from(
      { length: 350 },
      (_, at) =>
        `('sc_many${String((at * 37) % 350).padStart(4, '0')}', ${1 + (at % 2)}, '${at % 2 === 0 ? 'mine' : 'theirs'}', '[]', 0, 'h-${at}', 1)`,
    );
    await storeRows(
      context.store.databaseUrl,
      `insert into api_client (id, account_id, name, grants, disabled, secret_hash, created_at) values ${rows.join(', ')}`,
    );
    const items = await everyPage('admin', '/api-clients', 60);
    const ids = items.map(({ clientId }) => String(clientId));
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(ids.filter((id) => id.startsWith('sc_many')).length, 175);
    assert.deepEqual(ids, ids.toSorted());
    assert.ok(items.every(({ name, accountId }) => name !== 'theirs' && accountId === 1));
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'offset=1', `after=${'a'.repeat(101)}`])
      assert.equal((await as('admin', 'GET', `/api-clients?${query}`)).status, 400, query);
  });

  it('clients and tokens of another account are not found, in the words for those that nobody has [D-390]', async () => {
    const client = (await as('foreign admin', 'POST', '/api-clients', { name: 'Theirs' })).body;
    const token = (await as('foreign admin', 'POST', '/provisioning-tokens', { name: 'Theirs' })).body;
    const ways = [
      ['POST', '/api-clients/ID/rotate'],
      ['POST', '/api-clients/ID/finish-rotation'],
      ['POST', '/api-clients/ID/disable'],
      ['POST', '/api-clients/ID/enable'],
      ['PUT', '/api-clients/ID/grants', { scopes: [] }],
      ['DELETE', '/provisioning-tokens/ID'],
    ] as const;
    for (const [method, path, body] of ways) {
      const id = String(path.includes('tokens') ? token.id : client.clientId);
      const answers = await Promise.all(
        [id, 'nobody'].map((one) => as('admin', method, path.replace('ID', one), body)),
      );
      const telling = answers.map(({ status, body: { requestId: _id, ...rest } }) => ({ status, ...rest }));
      assert.equal(telling[0]!.status, 404, path);
      assert.deepEqual({ ...telling[0], timestamp: null }, { ...telling[1], timestamp: null }, path);
    }
    assert.ok(await tokenStatus(String(client.clientId), String(client.clientSecret)));
    const { items } = await listed('foreign admin', '/provisioning-tokens');
    assert.deepEqual(
      items.map(({ name, state }) => [name, state]),
      [['Theirs', 'live']],
    );
  });

  it('a provisioning token made in the console provisions, is listed without itself, and ends when it is revoked', async () => {
    const made = await as('identity', 'POST', '/provisioning-tokens', { name: 'Entra ID', days: 30 });
    assert.equal(made.status, 201, made.text);
    const { id, token, expires } = made.body as { id: string; token: string; expires: string };
    assert.ok(Math.abs(Date.parse(expires) - Date.now() - 30 * 86_400_000) < 60_000);
    const added = await context.call('POST', '/Users', {
      token,
      body: userBody('by-token'),
    });
    assert.equal(added.status, 200, added.text);
    const list = await as('identity', 'GET', '/provisioning-tokens');
    assert.ok(!list.text.includes(token));
    assert.equal((await as('identity', 'DELETE', `/provisioning-tokens/${id}`)).status, 204);
    assert.equal((await as('identity', 'DELETE', `/provisioning-tokens/${id}`)).status, 204);
    const { items } = await listed('identity', '/provisioning-tokens');
    assert.equal(items.find((one) => one.id === id)?.state, 'revoked');
    for (const body of [
      {},
      { name: '  ' },
      { name: 'x', days: 0 },
      { name: 'x', days: 3651 },
      { name: 'x'.repeat(256) },
    ])
      assert.equal(
        (await as('identity', 'POST', '/provisioning-tokens', body)).status,
        400,
        JSON.stringify(body),
      );
  });

  it('whoever manages users makes tokens that leave admins alone, and admins and operators say which may change them [D-812]', async () => {
    const of = async (who: string, more: object = {}) => {
      const made = await as(who, 'POST', '/provisioning-tokens', { name: `by ${who}`, ...more });
      return [made.status, made.body.mayChangeAdmins ?? made.body.code];
    };
    assert.deepEqual(await of('identity'), [201, false]);
    assert.deepEqual(await of('identity', { mayChangeAdmins: true }), [403, 'ABILITY_MISSING']);
    assert.deepEqual(await of('identity', { readOnly: true, mayChangeAdmins: true }), [201, false]);
    for (const who of ['admin', 'operator inside']) {
      assert.deepEqual(await of(who), [201, false], who);
      assert.deepEqual(await of(who, { mayChangeAdmins: true }), [201, true], who);
    }
    const list = await as('identity', 'GET', '/provisioning-tokens?limit=1000');
    const marked = (list.body as unknown as Listed).items.filter((one) => one.mayChangeAdmins === true);
    assert.deepEqual(marked.map(({ name }) => name).toSorted(), ['by admin', 'by operator inside']);
  });

  it('an operator sees all accounts in pages, and the document has every endpoint that is listed in it', async () => {
    const rows = Array.from({ length: 230 }, (_, at) => `(${10_000 + ((at * 37) % 230)}, 'Many ${at}', 1)`);
    await storeRows(
      context.store.databaseUrl,
      `insert into account (id, name, created_at) values ${rows.join(', ')}`,
    );
    const accounts = await everyPage('operator outside', '/accounts', 50);
    const ids = accounts.map(({ id }) => Number(id));
    assert.equal(ids.length, 232);
    assert.deepEqual(
      ids,
      ids.toSorted((one, other) => one - other),
    );
    assert.equal(accounts.find(({ id }) => id === 1)?.name, 'One');
    const { status, body } = await as('identity', 'GET', '/openapi.json');
    assert.equal(status, 200);
    assert.equal(body.openapi, '3.1.0');
    assert.ok('/console/api/api-clients' in (body.paths as object));
  });
}
