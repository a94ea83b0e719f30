// Accounts in the console, as an operator finds, makes, changes and removes them.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { consoleCall, cookieSetBy, operatorAside, passwordAside } from '../../support/console.ts';
import { type Engine, engines } from '../../support/engines.ts';
import type { Answer } from '../../support/exchange.ts';
import { commandHereOk, until } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';
import { addUsers } from '../../support/user-population.ts';
import { type ProvisioningService, startProvisioning } from '../../support/users.ts';

const accountIdMax = Number.MAX_SAFE_INTEGER;

for (const engine of engines) describe(`accounts in the console on ${engine.name}`, () => accounts(engine));

interface Listed {
  readonly items: readonly { id: number; name: string; figures?: Record<string, number> }[];
  readonly next: string | null;
}

function accounts(engine: Engine): void {
  let context: ProvisioningService;
  let operator = '';
  let stale = '';

  before(async () => {
    context = await startProvisioning(engine);
    const url = context.store.databaseUrl;
    operator = await operatorAside(url, { name: 'olga' });
    stale = await operatorAside(url, { signedInAtMs: Date.now() - 16 * 60_000 });
    const rows = Array.from({ length: 230 }, (_, at) => {
      const name = at % 50 === 7 ? `ÜBER Müller ${at}` : `Many ${at}`;
      return `(${10_000 + ((at * 37) % 230)}, '${name}', 1)`;
    });
    await storeRows(url, `insert into account (id, name, created_at) values ${rows.join(', ')}`);
  });
  after(() => context?.close());

  const call = (method: string, path: string, body?: unknown, cookie = operator): Promise<Answer> =>
    consoleCall(context.service.baseUrl, method, `/accounts${path}`, {
      cookie,
      ...(body === undefined ? {} : { body }),
    });
  const listed = async (query: string): Promise<Listed> => {
    const { status, body, text } = await call('GET', query);
    assert.equal(status, 200, text);
    return body as unknown as Listed;
  };
  const auditOf = (accountId: number) =>
    storeRows(
      context.store.databaseUrl,
      `select actor, action, details from audit where account_id = ${accountId} and action like 'account.%' order by id`,
    );

  it('accounts are found by a part of their name in any case, or by the first digits of their id, page by page', async () => {
    const found: string[] = [];
    let after = '';
    for (;;) {
      const page = await listed(`?search=${encodeURIComponent('über m')}&limit=2${after}`);
      found.push(...page.items.map(({ name }) => name));
      if (page.next === null) break;
      after = `&after=${page.next}`;
    }
    assert.deepEqual(found.toSorted(), [7, 57, 107, 157, 207].map((at) => `ÜBER Müller ${at}`).toSorted());
    assert.equal((await listed('?search=1022&limit=1000')).items.length, 10);
    assert.deepEqual((await listed('?search=100%25')).items, []);
    for (const query of [`?search=${'x'.repeat(256)}`, '?figures=perhaps', '?after=x'])
      assert.equal((await call('GET', query)).status, 400, query);
  });

  it('an account is made, shown with its figures, renamed and limited, and its audit log says by whom', async () => {
    const made = await call('POST', '', { id: 5_000, name: ' Acme ' });
    assert.equal(made.status, 201, made.text);
    assert.equal((await call('POST', '', { id: 5_000, name: 'Again' })).status, 409);
    await addUsers(
      context.store.databaseUrl,
      5_000,
      Array.from({ length: 120 }, (_, at) => ({ userName: `u${at}`, externalId: `e${at}`, active: true })),
    );
    const { items } = await listed('?search=acme&figures=true');
    assert.deepEqual(items[0]!.figures, { measures: 0, projects: 0, responses: 0, users: 120 });
    const limits = { requestsPerSecond: 50, clientRequestsAtOnce: 4 };
    const changed = await call('PATCH', '/5000', { name: 'Acme & Söhne', limits });
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual(
      [changed.body.name, changed.body.limits, changed.body.users],
      ['Acme & Söhne', limits, 120],
    );
    assert.deepEqual((await call('PATCH', '/5000', { limits: null })).body.limits, null);
    assert.equal((await call('PATCH', '/5000', { name: 'Acme & Söhne' })).status, 200);
    assert.deepEqual(
      (await auditOf(5_000)).map(({ actor, action, details }) => [
        actor,
        action,
        details === null ? null : JSON.parse(String(details)).attributes,
      ]),
      [
        ['operator olga', 'account.create', null],
        [
          'operator olga',
          'account.change',
          ['name', 'limits.requestsPerSecond', 'limits.clientRequestsAtOnce'],
        ],
        ['operator olga', 'account.change', ['limits.requestsPerSecond', 'limits.clientRequestsAtOnce']],
      ],
    );
    for (const body of [
      { name: '  ' },
      { limits: { requestsPerSecond: 0 } },
      { limits: { requestsPerSecond: 1_000_001 } },
      { limits: { somethingElse: 1 } },
    ])
      assert.equal((await call('PATCH', '/5000', body)).status, 400, JSON.stringify(body));
    assert.equal((await call('PATCH', '/999', { name: 'x' })).body.code, 'ACCOUNT_NOT_FOUND');
    assert.equal((await call('GET', '/999')).body.code, 'ACCOUNT_NOT_FOUND');
  });

  it('an account of any number up to the bound is made, found, entered and signed in to by each face alike [D-868]', async () => {
    const url = context.store.databaseUrl;
    const { baseUrl } = context.service;
    for (const id of [1_234_567_890, 1_234_567_890_123, 1_234_567_890_123_456, accountIdMax]) {
      const made = await call('POST', '', { id, name: `Number ${id}` });
      assert.equal(made.status, 201, made.text);
      assert.equal((await call('GET', `/${id}`)).body.id, id);
      assert.equal((await call('PATCH', `/${id}`, { name: `Renamed ${id}` })).status, 200);
      const [personId = 0] = await addUsers(url, id, [{ userName: 'ines', externalId: 'e-1', active: true }]);
      await passwordAside(url, [{ accountId: id, personId }], 'nine otters hum quietly');
      const path = `/sign-in/ways?account=${id}`;
      assert.equal((await consoleCall(baseUrl, 'GET', path)).status, 200);
      const signedIn = await consoleCall(baseUrl, 'POST', '/sign-in/password', {
        body: { account: id, name: 'ines', password: 'nine otters hum quietly' },
      });
      assert.equal(signedIn.status, 204, signedIn.text);
      const cookie = cookieSetBy(signedIn)!;
      const session = await consoleCall(baseUrl, 'GET', '/session', { cookie });
      assert.deepEqual(session.body.account, { id, name: `Renamed ${id}` });
      const entered = await consoleCall(baseUrl, 'PUT', '/session/account', {
        cookie: await operatorAside(url),
        body: { accountId: id },
      });
      assert.ok(entered.status < 300, entered.text);
      const users = await consoleCall(baseUrl, 'GET', '/users', { cookie: cookieSetBy(entered)! });
      assert.equal(users.status, 200, users.text);
      const webhook = await consoleCall(baseUrl, 'POST', '/webhooks', {
        cookie: cookieSetBy(entered)!,
        body: { name: 'x', url: 'https://hooks.example/x' },
      });
      assert.equal(webhook.status, 201, webhook.text);
      const printed = await commandHereOk(['user', 'list', '--account', String(id), '--json'], context.env);
      assert.match(printed, /"ines"/);
    }
    const ids = new Set<number>();
    for (let after = ''; ; ) {
      const page = await listed(`?limit=1&search=Renamed${after}`);
      for (const { id } of page.items) ids.add(id);
      if (page.next === null) break;
      after = `&after=${page.next}`;
    }
    assert.ok(ids.has(accountIdMax) && ids.has(1_234_567_890_123_456));
    const withWebhooks: number[] = [];
    for (let after = ''; ; ) {
      const path = `/operations/webhooks?limit=1${after}`;
      const page = (await consoleCall(baseUrl, 'GET', path, { cookie: operator })).body as unknown as {
        readonly items: readonly { readonly accountId: number }[];
        readonly next: string | null;
      };
      withWebhooks.push(...page.items.map(({ accountId }) => accountId));
      if (page.next === null || withWebhooks.length > 10) break;
      after = `&after=${encodeURIComponent(page.next)}`;
    }
    assert.deepEqual(withWebhooks, [1_234_567_890, 1_234_567_890_123, 1_234_567_890_123_456, accountIdMax]);
    for (const id of [0, -1, accountIdMax + 1, 1e17, 1.5])
      assert.equal((await call('POST', '', { id, name: 'x' })).status, 400, String(id));
  });

  it('an account is removed by its number typed once more and a fresh sign-in, with everything, and goes on where it stopped [D-614]', async () => {
    const refused = await call('POST', '/5000/remove', { confirm: '5000' }, stale);
    assert.equal(refused.body.code, 'FRESH_SIGN_IN_REQUIRED');
    for (const confirm of ['', '5001', 'Acme'])
      assert.equal((await call('POST', '/5000/remove', { confirm })).status, 400, confirm);
    assert.equal((await call('GET', '/5000')).status, 200);
    const started = await Promise.all(
      Array.from({ length: 5 }, () => call('POST', '/5000/remove', { confirm: '5000' })),
    );
    assert.deepEqual([...new Set(started.map(({ status }) => status))], [202]);
    assert.equal((await call('GET', '/5000')).status, 404);
    const removals = async () =>
      (await call('GET', '/removals')).body.items as { accountId: number; state: string; rows: number }[];
    const [done] = await until(removals, ([first]) => first?.state === 'ended', 60_000);
    assert.equal(done!.accountId, 5_000);
    assert.ok(done!.rows >= 120);
    const [left] = await storeRows(
      context.store.databaseUrl,
      'select count(*) as users from account_user where account_id = 5000',
    );
    assert.equal(Number(left!.users), 0);
    assert.equal((await auditOf(5_000)).filter(({ action }) => action === 'account.remove').length, 1);
    assert.equal((await call('POST', '', { id: 5_000, name: 'Again' })).status, 409);
    // As if the process had been killed half-way.
    await storeRows(
      context.store.databaseUrl,
      `update job set ended_at = null, updated_at = 1 where name = 'removal 5000'`,
    );
    assert.equal((await removals())[0]!.state, 'lost');
    assert.equal((await call('POST', '/5000/remove', { confirm: '5000' })).status, 202);
    await until(removals, ([first]) => first?.state === 'ended', 60_000);
    await commandHereOk(['account', 'remove', '5000', '--yes'], context.env);
    assert.deepEqual(await removals(), []);
    assert.equal((await call('POST', '/999/remove', { confirm: '999' })).status, 404);
  });
}
