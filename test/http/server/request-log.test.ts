// What the log says of a refused request: enough to follow somebody who tries doors, and nothing that they typed.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { writeCatalogue } from '../../support/catalogue.ts';
import { consoleCall } from '../../support/console.ts';
import { type VisitorAside, type VisitorKind, visitorsAside } from '../../support/console-roles.ts';
import { sqlite, type TestStore } from '../../support/engines.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import { addClients, tokenAside } from '../../support/quick-clients.ts';
import { type Service, setUp, until } from '../../support/service.ts';
import { startService } from '../../support/service-here.ts';

type Line = Readonly<Record<string, unknown>>;

describe('a refused request in the log', () => {
  let store: TestStore;
  let service: Service;
  let people: Readonly<Record<VisitorKind, VisitorAside>>;

  before(async () => {
    store = await sqlite.readyStore();
    // As it is logged unless told otherwise: refusals, and not every request.
    const env = { DATABASE_URL: store.databaseUrl };
    await setUp(['apply', writeCatalogue({ accounts: [{ id: 1, name: 'One' }] })], env);
    people = await visitorsAside(store.databaseUrl, 1, 'someone');
    service = await startService(env);
  });
  after(async () => {
    await service?.stop();
    await store?.dispose();
  });

  /** The line of an answer, which is written just after it. */
  async function lineOf({ headers }: Answer): Promise<Line> {
    const line = await until(
      async () =>
        service
          .output()
          .split('\n')
          .slice(0, -1)
          .find((text) => text.includes(`"requestId":"${headers['x-request-id']}"`)),
      (found) => found !== undefined,
    );
    return JSON.parse(line!) as Line;
  }

  it('says when by UTC, what and with which outcome, and which person it was who may not [D-878]', async () => {
    const kinds: readonly (readonly [VisitorKind, Line])[] = [
      ['viewer', { accountId: 1, userId: people.viewer.id }],
      ['identity', { accountId: 1, userId: people.identity.id }],
    ];
    for (const [kind, who] of kinds) {
      const cookie = await people[kind].newCookie();
      const answer = await consoleCall(service.baseUrl, 'GET', '/api-clients', { cookie });
      const { time, pid, ms, requestId, ...line } = await lineOf(answer);
      assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      assert.deepEqual(
        { ...line },
        { level: 30, method: 'GET', route: '/console/api/api-clients', status: 403, ...who, msg: 'answered' },
      );
    }
  });

  it('of an operator it says the number, and the account once they have entered one [D-878]', async () => {
    for (const [kind, accountId] of [
      ['operator outside', undefined],
      ['operator inside', 1],
    ] as const) {
      const cookie = await people[kind].newCookie();
      const line = await lineOf(await consoleCall(service.baseUrl, 'GET', '/users/nobody', { cookie }));
      assert.deepEqual(
        [line.accountId, typeof line.operatorId, line.userId],
        [accountId, 'number', undefined],
      );
      assert.doesNotMatch(JSON.stringify(line), /someone/);
    }
  });

  it('of a program it says account and client', async () => {
    const [client] = await addClients(store.databaseUrl, [1]);
    const headers = {
      authorization: `Bearer ${await tokenAside(store.databaseUrl, client!)}`,
      accept: 'application/json',
    };
    const line = await lineOf(await exchange(`${service.baseUrl}/v1/measures/7/definition`, { headers }));
    assert.deepEqual([line.status, line.accountId, line.apiClientId], [404, 1, client!.clientId]);
  });

  it('a wrong password is a line without what was typed', async () => {
    const typed = {
      account: 1,
      name: 'typed-into-the-wrong-field',
      password: 'typed as a password, wrongly',
    };
    const answer = await consoleCall(service.baseUrl, 'POST', '/sign-in/password', { body: typed });
    const line = await lineOf(answer);
    assert.deepEqual([line.status, line.route], [401, '/console/api/sign-in/password']);
    assert.doesNotMatch(service.output(), /typed/);
  });
});
