// A store with some of everything that a release left behind, half-done work included, opens with today's code: nothing in
// it is lost, and everybody who could come in still can.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { consoleCall } from '../../support/console.ts';
import { engines, type TestStore } from '../../support/engines.ts';
import { exchange } from '../../support/exchange.ts';
import { releaseFiles, restoreStore, standardOf } from '../../support/kept-store.ts';
import {
  commandHereOk,
  requestToken,
  type Service,
  startProcess,
  tokenFor,
  until,
} from '../../support/service.ts';
import {
  type EverythingView,
  everythingAccount,
  everythingResponses,
  everythingSettings,
  rowsOfAccount,
} from '../../support/store-of-everything.ts';

/** The schema that each release left. */
const schemaOf: Readonly<Record<string, number>> = { '0.2.0': 27 };
const account = ['--account', String(everythingAccount)];

for (const engine of engines)
  for (const [release, step] of Object.entries(schemaOf))
    describe(`a store of release ${release} on ${engine.name}`, () => {
      const files = releaseFiles(release, engine.name);
      const expected = JSON.parse(readFileSync(files.expected, 'utf8')) as EverythingView;
      let store: TestStore;
      let env: Record<string, string>;
      let service: Service;
      const json = async (...args: readonly string[]): Promise<readonly { readonly behind?: number }[]> =>
        JSON.parse(await commandHereOk([...args, '--json'], env));

      before(async () => {
        store = await restoreStore(engine, step, files);
        env = { DATABASE_URL: store.databaseUrl, ...everythingSettings };
        service = await startProcess(env);
      });
      after(async () => {
        await service?.stop();
        await store?.dispose();
      });

      it('no table has fewer rows', async () => {
        const now = await rowsOfAccount(store.databaseUrl);
        const fewer = Object.entries(expected.rows).filter(([table, count]) => (now[table] ?? 0) < count);
        assert.deepEqual(fewer, []);
      });

      it('what was half done is finished: every response is added up, and the figures are right', async () => {
        await until(
          () => json('insight', 'status'),
          (accounts) => accounts.every(({ behind }) => behind === 0),
          120_000,
        );
        await commandHereOk(['insight', 'verify'], env);
      });

      it('responses of full and open blocks, erased and emptied ones, are at their places', async () => {
        const token = await tokenFor(service.baseUrl, expected.clients[0]!);
        const items: { id: string; erased?: boolean }[] = [];
        for (let page = 0, hasMore = true; hasMore; page += 1) {
          const { body } = await exchange(
            `${service.baseUrl}/v1/measures/800/data?from=2025-05-01&to=2025-05-31&limit=100&offset=${page}`,
            { headers: { authorization: `Bearer ${token}`, accept: 'application/json' } },
          );
          items.push(...(body.items as typeof items));
          hasMore = body.hasMore === true;
        }
        assert.ok(items.length > everythingResponses);
        assert.equal(items.filter(({ erased }) => erased === true).length, 3);
        const visits = await exchange(
          `${service.baseUrl}/v1/measures/801/data?from=2025-05-04&to=2025-05-04&limit=100`,
          { headers: { authorization: `Bearer ${token}`, accept: 'application/json' } },
        );
        assert.equal((visits.body.items as { erased?: boolean }[]).filter(({ erased }) => erased).length, 40);
      });

      it('API clients, provisioning tokens and passwords open what they opened, and a disabled client nothing', async () => {
        const refused = await requestToken(service.baseUrl, expected.clients[1]!, 'r_cx_basic');
        assert.equal(refused.status, 401);
        const users = await standardOf(service, expected.provisioningToken)('GET', '/Users?count=200');
        assert.equal(users.body.totalResults, expected.rows.account_user);
        const signIn = await consoleCall(service.baseUrl, 'POST', '/sign-in/password', {
          body: { name: 'olga', password: expected.operatorPassword },
        });
        assert.equal(signIn.status, 204, signIn.text);
      });

      it('an API client that could change users may change admins as before, and no other [D-812]', async () => {
        const listed = (await json('client', 'list', ...account)) as readonly object[];
        const clients = listed as readonly { readonly clientId: string; readonly mayChangeAdmins: boolean }[];
        const may = new Map(clients.map(({ clientId, mayChangeAdmins }) => [clientId, mayChangeAdmins]));
        assert.deepEqual(
          expected.clients.map(({ clientId }) => may.get(clientId)),
          [true, false],
        );
      });

      it('roles, connections, views, webhooks and refused responses are listed as before', async () => {
        const roles = await json('user', 'roles', 'ibis-e-9', ...account);
        assert.match(JSON.stringify(roles), /"admin"/);
        assert.match(JSON.stringify(await json('group', 'roles', 'Admins', ...account)), /"admin"/);
        for (const verb of ['connection list', 'view list', 'webhook list'])
          assert.equal((await json(...verb.split(' '), ...account)).length, 1, verb);
        assert.equal((await json('provisioning-token', 'list', ...account)).length, 2);
        assert.match(JSON.stringify(await json('invitation', 'revoked', ...account)), /[0-9a-f-]{36}/);
        assert.equal((await json('refused', 'list', ...account)).length, 5);
      });

      it('its log has no line of an error', () => {
        assert.doesNotMatch(service.output(), /"level":(50|60)/);
      });
    });

it('every kept release is opened', () => {
  const kept = globSync('release-*.sql', { cwd: new URL('../../fixtures/stores/', import.meta.url) });
  assert.deepEqual(
    kept.sort(),
    Object.keys(schemaOf)
      .map((release) => `release-${release}.sql`)
      .sort(),
  );
});
