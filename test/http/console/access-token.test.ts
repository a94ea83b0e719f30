// A token that a person gets for themselves: what it opens, for how long, and that it ends with what they may do.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { consoleCall } from '../../support/console.ts';
import {
  type VisitorAside,
  type VisitorKind,
  visitorKinds,
  visitorsAside,
} from '../../support/console-roles.ts';
import { type Engine, engines } from '../../support/engines.ts';
import { exchange } from '../../support/exchange.ts';
import type { Service } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';
import { type ProvisioningService, startProvisioning } from '../../support/users.ts';

const paths = {
  r_cx_measures: '/v1/measures',
  r_cx_projects: '/v1/projects',
  r_cx_users: '/v1/scim/Users',
} as const;

for (const engine of engines) describe(`a token of one's own on ${engine.name}`, () => tokens(engine));

function tokens(engine: Engine): void {
  let context: ProvisioningService;
  let replica: Service;
  let people: Readonly<Record<VisitorKind, VisitorAside>>;
  const url = (): string => context.store.databaseUrl;

  before(async () => {
    context = await startProvisioning(engine);
    replica = await context.another();
    people = await visitorsAside(url(), 1, 'token');
  });
  after(async () => {
    await replica?.stop();
    await context?.close();
  });

  const take = async (kind: VisitorKind) =>
    consoleCall(context.service.baseUrl, 'POST', '/access-token', { cookie: await people[kind].newCookie() });
  const status = async (token: string, path: string, method = 'GET', at = context.service): Promise<number> =>
    (
      await exchange(at.baseUrl + path, {
        method,
        headers: { authorization: `Bearer ${token}`, accept: '*/*', 'content-type': 'application/json' },
        ...(method === 'GET' ? {} : { body: '{}' }),
      })
    ).status;

  it('opens what the person may read, nothing else, and changes nothing; viewers get none [D-532]', async () => {
    const opened: Partial<Record<VisitorKind, readonly string[]>> = {};
    for (const kind of visitorKinds) {
      const { status: given, body } = await take(kind);
      assert.ok(given === 201 || given === 403, kind);
      if (given === 403) continue;
      const token = String(body.token);
      opened[kind] = body.grants as string[];
      const inMs = Date.parse(String(body.expires)) - Date.now();
      assert.ok(inMs > 14 * 60_000 && inMs <= 15 * 60_000, kind);
      for (const [grant, path] of Object.entries(paths))
        assert.equal(await status(token, path), opened[kind].includes(grant) ? 200 : 403, `${kind} ${path}`);
      assert.equal(await status(token, '/v1/scim/Users', 'POST'), 403, kind);
      // It opens nothing of the console.
      assert.equal(await status(token, '/console/api/session'), 401, kind);
    }
    const figures = ['r_cx_measures', 'r_cx_projects'];
    assert.deepEqual(opened, {
      analyst: figures,
      editor: figures,
      identity: ['r_cx_users'],
      admin: [...figures, 'r_cx_users'],
      'operator inside': [...figures, 'r_cx_users'],
    });
  });

  it('ends at the next request, on every replica, when the role is taken or the person is suspended; the audit log has it', async () => {
    const token = String((await take('analyst')).body.token);
    const user = people.analyst.id;
    assert.equal(await status(token, paths.r_cx_measures), 200);
    assert.equal(await status(token, paths.r_cx_measures, 'GET', replica), 200);
    const taken = `from role_grant where account_id = 1 and holder_kind = 'user' and holder_id = ${user}`;
    const [grant] = await storeRows(url(), `select role ${taken}`);
    await storeRows(url(), `delete ${taken}`);
    for (const at of [replica, context.service])
      assert.equal(await status(token, paths.r_cx_measures, 'GET', at), 403);
    assert.equal(grant?.role, 'analyst');
    const suspended = await consoleCall(context.service.baseUrl, 'PATCH', `/users/${user}`, {
      cookie: await people.admin.newCookie(),
      body: { active: false },
    });
    assert.equal(suspended.status, 200, suspended.text);
    for (const at of [replica, context.service])
      assert.equal(await status(token, paths.r_cx_measures, 'GET', at), 401);
    const noted = await storeRows(
      url(),
      `select actor, subject from audit where account_id = 1 and action = 'access-token.create' and actor = 'user ${user}'`,
    );
    assert.deepEqual({ ...noted.at(0) }, { actor: `user ${user}`, subject: `user ${user}` });
  });
}
