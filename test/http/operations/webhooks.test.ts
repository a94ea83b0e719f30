// Webhooks in the console: what an admin of the account does, and what an operator sees of all of them.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { consoleCall } from '../../support/console.ts';
import { type VisitorAside, type VisitorKind, visitorsAside } from '../../support/console-roles.ts';
import { type Engine, engines } from '../../support/engines.ts';
import type { Answer } from '../../support/exchange.ts';
import { until } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';
import { type ProvisioningService, startProvisioning } from '../../support/users.ts';
import { Receiver } from '../../support/webhook-receiver.ts';

for (const engine of engines) describe(`webhooks in the console on ${engine.name}`, () => webhooks(engine));

interface Listed {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly next: string | null;
}

function webhooks(engine: Engine): void {
  let context: ProvisioningService;
  let people: Readonly<Record<VisitorKind, VisitorAside>>;
  const receiver = new Receiver();
  const cookies: Record<string, string> = {};
  let url = '';

  before(async () => {
    context = await startProvisioning(engine, { SOUNDINGS_WEBHOOK_NETWORKS: '127.0.0.0/8' });
    url = await receiver.start();
    people = await visitorsAside(context.store.databaseUrl, 1, 'own');
    const foreign = await visitorsAside(context.store.databaseUrl, 2, 'foreign');
    cookies.admin = await people.admin.newCookie();
    cookies.stale = await people.admin.newCookie(16 * 60_000);
    cookies.operator = await people['operator outside'].newCookie();
    cookies.foreign = await foreign.admin.newCookie();
  });
  after(async () => {
    receiver.stop();
    await context?.close();
  });

  const call = (method: string, path: string, body?: unknown, who = 'admin'): Promise<Answer> =>
    consoleCall(context.service.baseUrl, method, path, {
      cookie: cookies[who]!,
      ...(body === undefined ? {} : { body }),
    });
  const listed = async (path: string, who?: string): Promise<Listed> => {
    const { status, body, text } = await call('GET', path, undefined, who);
    assert.equal(status, 200, text);
    return body as unknown as Listed;
  };

  it('a webhook is made with a secret that is shown once, tried, rotated and removed, and the log says by whom [D-615]', async () => {
    const made = await call('POST', '/webhooks', { name: ' Warehouse ', url, events: ['user.created'] });
    assert.equal(made.status, 201, made.text);
    const { id, secret } = made.body as { id: string; secret: string };
    const tested = await call('POST', `/webhooks/${id}/test`);
    assert.deepEqual([tested.status, tested.body.status, tested.body.failure], [200, 204, null]);
    assert.equal(receiver.messages(secret).at(-1)!.id, tested.body.messageId);
    receiver.behaviour = 'refuses';
    assert.equal((await call('POST', `/webhooks/${id}/test`)).body.failure, 'answered 500');
    receiver.behaviour = 'takes';
    const rotated = await call('POST', `/webhooks/${id}/rotate`);
    const [one] = (await listed('/webhooks')).items;
    assert.deepEqual(
      [one!.name, one!.isRotating, one!.hasSecret, one!.events, one!.dead],
      ['Warehouse', true, true, ['user.created'], 0],
    );
    const list = await call('GET', '/webhooks');
    for (const text of [secret, String(rotated.body.secret)]) assert.ok(!list.text.includes(text.slice(6)));
    assert.equal((await call('POST', `/webhooks/${id}/finish-rotation`)).status, 204);
    assert.equal((await call('POST', '/webhooks', { name: 'Warehouse', url })).status, 409);
    for (const body of [
      { name: 'x', url: 'ftp://example.com/' },
      { name: 'x', url: 'https://me:word@example.com/' },
      { name: 'x', url: 'nowhere' },
      { name: ' ', url },
      { name: 'x', url, events: ['nothing'] },
      { name: 'x', url, events: [] },
    ])
      assert.equal((await call('POST', '/webhooks', body)).status, 400, JSON.stringify(body));
    for (const [method, path, body] of [
      ['POST', '/webhooks', { name: 'x', url }],
      ['POST', `/webhooks/${id}/rotate`],
      ['POST', `/webhooks/${id}/finish-rotation`],
    ] as const)
      assert.equal((await call(method, path, body, 'stale')).body.code, 'FRESH_SIGN_IN_REQUIRED', path);
    assert.equal((await call('DELETE', `/webhooks/${id}`, undefined, 'stale')).status, 204);
    const entries = await storeRows(
      context.store.databaseUrl,
      `select action from audit where account_id = 1 and subject = 'webhook ${id}' and actor = '${people.admin.actor}' order by id`,
    );
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['create', 'test', 'test', 'rotate', 'rotate.finish', 'remove'].map((one) => `webhook.${one}`),
    );
  });

  it('what was given up is listed page by page and sent again, one or all', async () => {
    const { id } = (await call('POST', '/webhooks', { name: 'Dead', url, events: ['user.created'] })).body;
    const rows = Array.from(
      { length: 300 },
      (_, at) =>
        `(1, '${String(id)}', 'evt_${String((at * 37) % 300).padStart(3, '0')}', 'user.created', '{"n":${at}}', ${1_000 + (at % 7)}, null, 9, 5, 5, 500, 'answered 500')`,
    );
    await storeRows(
      context.store.databaseUrl,
      `insert into webhook_delivery (account_id, webhook_id, id, type, body, created_at, next_at, attempts, give_up_at, dead_at, last_status, last_failure)
      values ${rows.join(', ')}`,
    );
    const path = `/webhooks/${String(id)}`;
    const seen: unknown[] = [];
    let after = '';
    for (;;) {
      const page = await listed(`${path}/deliveries?dead=true&limit=70${after}`);
      seen.push(...page.items.map((one) => one.id));
      if (page.next === null) break;
      after = `&after=${encodeURIComponent(page.next)}`;
    }
    assert.deepEqual([seen.length, new Set(seen).size], [300, 300]);
    assert.equal((await call('GET', `${path}/deliveries?after=x`)).status, 400);
    // Five that were given up before are no longer kept.
    await storeRows(
      context.store.databaseUrl,
      `insert into background_task (account_id, name, scope, cursor, moves, updated_at, failures)
      values (1, 'webhook-end', '${String(id)}', '5', 1, 1, 0)`,
    );
    const given = (await listed('/webhooks')).items.find((one) => one.id === id)!;
    assert.deepEqual([given.dead, given.givenUp], [300, 305]);
    const before = receiver.received.length;
    assert.deepEqual((await call('POST', `${path}/replay`, { delivery: 'evt_011' })).body, { queued: 1 });
    assert.equal((await call('POST', `${path}/replay`, { delivery: 'evt_999' })).status, 404);
    await until(
      async () => receiver.received.length,
      (count) => count > before,
    );
    assert.equal(Number((await call('POST', `${path}/replay`, {})).body.queued), 299);
    const all = await until(
      async () => (await listed('/webhooks')).items.find((one) => one.id === id)!,
      ({ delivered }) => delivered === 300,
      60_000,
    );
    assert.deepEqual([all.dead, all.waiting], [0, 0]);
  });

  it('a webhook of another account is none; operators see all of them, and act on none from outside [D-10] [D-615]', async () => {
    const { id } = (await call('POST', '/webhooks', { name: 'Theirs', url }, 'foreign')).body;
    for (const [method, path, body] of [
      ['DELETE', ''],
      ['POST', '/rotate'],
      ['POST', '/finish-rotation'],
      ['POST', '/test'],
      ['GET', '/deliveries'],
      ['POST', '/replay', {}],
    ] as const) {
      const [theirs, nobodys] = await Promise.all(
        [String(id), 'wh_nobody'].map((one) => call(method, `/webhooks/${one}${path}`, body)),
      );
      assert.deepEqual([theirs!.status, theirs!.body.code], [404, 'WEBHOOK_NOT_FOUND'], path);
      assert.equal(theirs!.body.message, nobodys!.body.message);
    }
    assert.ok(!(await call('GET', '/webhooks')).text.includes('Theirs'));
    const seen: unknown[] = [];
    let after = '';
    for (;;) {
      const page = await listed(`/operations/webhooks?limit=1${after}`, 'operator');
      seen.push(...page.items.map(({ accountId, name }) => `${String(accountId)} ${String(name)}`));
      if (page.next === null) break;
      after = `&after=${encodeURIComponent(page.next)}`;
    }
    assert.deepEqual(seen, ['1 Dead', '2 Theirs']);
    const outside = await call('POST', `/webhooks/${String(id)}/test`, undefined, 'operator');
    assert.equal(outside.body.code, 'ABILITY_MISSING');
  });
}
