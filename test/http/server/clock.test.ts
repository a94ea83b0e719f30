// The wall clock is set back or forward by a day under a running service. What is remembered grows old all the same,
// tokens go on, and nothing that is kept is dated before what it follows.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines, type TestStore } from '../../support/engines.ts';
import { type Answer, basic, exchange } from '../../support/exchange.ts';
import { type Mounted, startMounted } from '../../support/mounted.ts';
import { day, type MovingClock, movingClock } from '../../support/moving-clock.ts';
import { type ApiClientCredentials, commandHereOk, setUp, tokenFor, until } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';
import { userBody } from '../../support/users.ts';

/** Longer than a replica may remember a client or a token. */
const rememberedMs = 5_000;
const population = 40;

const jumps = { 'set back a day': -day, 'set forward a day': day } as const;

for (const engine of engines) {
  for (const [jump, byMs] of Object.entries(jumps)) {
    describe(`a clock that is ${jump} on ${engine.name}`, { concurrency: 1 }, () => {
      let store: TestStore;
      let service: Mounted;
      let clock: MovingClock;
      let env: Record<string, string>;
      let client: ApiClientCredentials;
      let disabled: ApiClientCredentials;
      let provisioning: { token: string; id: string };
      const tokens: Record<'before' | 'ofDisabled', string> = { before: '', ofDisabled: '' };

      before(async () => {
        store = await engine.readyStore();
        clock = movingClock({ isStill: true });
        env = { DATABASE_URL: store.databaseUrl };
        service = await startMounted({
          databaseUrl: store.databaseUrl,
          now: clock.now,
          elapsedMs: clock.elapsedMs,
          env: {
            SOUNDINGS_STORE_TIMEOUT_MS: '10000',
            SOUNDINGS_THROTTLE: 'on',
            SOUNDINGS_THROTTLE_PUBLIC_RATE: '1',
            SOUNDINGS_THROTTLE_PUBLIC_BURST: '5',
          },
        });
        client = await service.newClient();
        disabled = await service.newClient();
        provisioning = JSON.parse(
          await setUp(['provisioning-token', 'create', '--account', '4001', '--name', 'idp', '--json'], env),
        );
        tokens.before = await tokenFor(service.baseUrl, client);
        tokens.ofDisabled = await tokenFor(service.baseUrl, disabled);
        for (let index = 0; index < population; index += 1)
          assert.equal((await create(`before-${index}`)).status, 200);
        for (let index = 0; index < 5; index += 1)
          assert.equal((await createGroup(`before-${index}`, [])).status, 201);
      });
      after(async () => {
        await service?.stop();
        await store?.dispose();
      });

      const call = (
        token: string,
        path: string,
        method = 'GET',
        body: object | null = null,
      ): Promise<Answer> =>
        exchange(service.baseUrl + path, {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            accept: path.startsWith('/scim') ? 'application/scim+json' : 'application/json',
            ...(body === null ? {} : { 'content-type': 'application/json' }),
          },
          ...(body === null ? {} : { body: JSON.stringify(body) }),
        });
      const create = (name: string): Promise<Answer> =>
        call(provisioning.token, '/v1/scim/Users', 'POST', userBody(name, { externalId: name }));
      const createGroup = (displayName: string, members: object[]): Promise<Answer> =>
        call(provisioning.token, '/scim/v2/Groups', 'POST', {
          schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
          displayName,
          members,
        });
      const patch = (path: string, value: object): Promise<Answer> =>
        call(provisioning.token, path, 'PATCH', {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
          Operations: [{ op: 'add', ...value }],
        });
      const metaOf = ({ body }: Answer): { created: number; lastModified: number } => {
        const { created, lastModified } = body.meta as { created: string; lastModified: string };
        return { created: Date.parse(created), lastModified: Date.parse(lastModified) };
      };

      it('tokens are issued and open, and so do those of before unless they have expired [D-180]', async () => {
        clock.set(byMs);
        const token = await tokenFor(service.baseUrl, client);
        assert.equal((await call(token, '/v1/measures')).status, 200);
        assert.equal((await call(provisioning.token, '/v1/scim/Users')).status, 200);
        clock.pass(rememberedMs);
        assert.equal((await call(await tokenFor(service.baseUrl, client), '/v1/measures')).status, 200);
        assert.equal((await call(token, '/v1/measures')).status, 200);
        assert.doesNotMatch(service.log(), /"level":50/);
      });

      it('a disabled client stops within its usual seconds, its secret and its tokens alike [D-13]', async () => {
        const token = await tokenFor(service.baseUrl, disabled);
        assert.equal((await call(token, '/v1/measures')).status, 200);
        await setUp(['client', 'disable', disabled.clientId], env);
        clock.pass(rememberedMs);
        assert.equal((await call(token, '/v1/measures')).status, 401);
        assert.equal((await call(tokens.ofDisabled, '/v1/measures')).status, 401);
        const answer = await exchange(
          `${service.baseUrl}/v1/token?grant_type=client_credentials&scope=r_cx_basic`,
          {
            method: 'POST',
            headers: {
              authorization: basic(disabled.clientId, disabled.clientSecret),
              'content-type': 'application/x-www-form-urlencoded',
            },
          },
        );
        assert.equal(answer.status, 401);
      });

      it('an access token ends when its time has passed, whatever the clock says [D-180]', async () => {
        const token = await tokenFor(service.baseUrl, client);
        assert.equal((await call(token, '/v1/measures')).status, 200);
        clock.pass(7_300_000);
        // It is set back so far that the token seems to have most of its time left.
        clock.set(-7_200_000);
        assert.equal((await call(token, '/v1/measures')).status, 401);
        clock.set(7_200_000);
      });

      it('throttled callers are let in again when their time has come, and no sooner [D-28]', async () => {
        const post = (): Promise<Answer> =>
          exchange(`${service.baseUrl}/v1/surveys/ingestion`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ surveyDefinitionId: 'nobody knows it' }),
          });
        const first = await until(post, ({ status }) => status === 429);
        clock.set(byMs);
        assert.equal((await post()).status, 429);
        clock.set(-byMs);
        assert.equal((await post()).status, 429);
        clock.pass(Number(first.headers['retry-after']) * 1000);
        assert.equal((await post()).status, 401);
      });

      it('lastModified is never before created, nor before what it was [D-180]', async () => {
        for (let index = 0; index < population; index += 1) {
          const path = `/v1/scim/Users/before-${index}`;
          const before = metaOf(await call(provisioning.token, path));
          const changed = await patch(path, { path: 'name.givenName', value: `Grace ${index}` });
          assert.equal(changed.status, 200, changed.text);
          const kept = await call(provisioning.token, path);
          assert.equal((kept.body.name as { givenName: string }).givenName, `Grace ${index}`);
          for (const { created, lastModified } of [metaOf(changed), metaOf(kept)]) {
            assert.equal(created, before.created);
            assert.ok(lastModified >= created && lastModified >= before.lastModified);
          }
          assert.equal(metaOf(changed).lastModified, metaOf(kept).lastModified);
        }
        const made = await create('after');
        assert.equal(metaOf(made).created, metaOf(made).lastModified);
        assert.equal(
          (await call(provisioning.token, '/v1/scim/Users?count=200')).body.totalResults,
          population + 1,
        );
      });

      it('the same holds for groups, when they are renamed, joined, left, and when a member is deleted [D-180]', async () => {
        const found = await call(provisioning.token, '/scim/v2/Groups?count=100');
        const groups = found.body.Resources as {
          id: string;
          meta: { created: string; lastModified: string };
        }[];
        const users = (await call(provisioning.token, '/scim/v2/Users?count=5')).body.Resources as {
          id: string;
        }[];
        for (const group of groups) {
          const path = `/scim/v2/Groups/${group.id}`;
          let last = Date.parse(group.meta.lastModified);
          const holds = async (): Promise<void> => {
            const { created, lastModified } = metaOf(await call(provisioning.token, path));
            assert.ok(lastModified >= created && lastModified >= last);
            last = lastModified;
          };
          for (const value of [
            { path: 'displayName', value: `renamed ${group.id}` },
            { path: 'members', value: users.map(({ id }) => ({ value: id })) },
            { op: 'remove', path: `members[value eq "${users[1]!.id}"]` },
          ]) {
            const { status, text } = await patch(path, value);
            assert.ok(status === 200 || status === 204, text);
            await holds();
          }
        }
        assert.equal(
          (await call(provisioning.token, `/scim/v2/Users/${users[0]!.id}`, 'DELETE')).status,
          204,
        );
        for (const { id } of groups) {
          const { created, lastModified } = metaOf(await call(provisioning.token, `/scim/v2/Groups/${id}`));
          assert.ok(lastModified >= created);
        }
      });

      it('a rotated key signs, and a revoked provisioning token stops within its usual seconds [D-13]', async () => {
        const { kid } = JSON.parse(await commandHereOk(['keys', 'rotate', '--json'], env));
        clock.set(-byMs);
        clock.pass(11_000);
        const token = await tokenFor(service.baseUrl, client);
        assert.equal(JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()).kid, kid);
        clock.set(byMs);
        assert.equal((await call(provisioning.token, '/v1/scim/Users')).status, 200);
        await setUp(['provisioning-token', 'revoke', provisioning.id, '--account', '4001'], env);
        clock.pass(rememberedMs);
        assert.equal((await call(provisioning.token, '/v1/scim/Users')).status, 401);
      });

      it('maintenance is heard of, and nothing has failed meanwhile [operating]', async () => {
        await service.setMaintenance(true);
        const token = await until(
          () => call(tokens.before, '/v1/measures'),
          ({ status }) => status === 503,
        );
        assert.equal(token.status, 503);
        await service.setMaintenance(false);
        const errors = service
          .log()
          .split('\n')
          .filter((line) => line.includes('"level":50') && !line.includes('MAINTENANCE'));
        assert.deepEqual(errors, []);
      });
    });
  }

  describe(`replicas whose clocks differ by days on ${engine.name}`, () => {
    it('count each other, and forget those that have gone [D-28] [D-180]', async () => {
      const store = await engine.readyStore();
      const replicas: Mounted[] = [];
      const counts = (): Promise<readonly (string | undefined)[]> =>
        Promise.all(
          replicas.map(
            async ({ baseUrl }) =>
              /^soundings_replicas (\d+)$/m.exec((await exchange(`${baseUrl}/metrics`)).text)?.[1],
          ),
        );
      const areAll = (count: number) => (seen: readonly (string | undefined)[]) =>
        seen.every((one) => one === String(count));
      try {
        for (const byMs of [0, -day, day]) {
          const clock = movingClock();
          clock.set(byMs);
          replicas.push(
            await startMounted({
              databaseUrl: store.databaseUrl,
              now: clock.now,
              elapsedMs: clock.elapsedMs,
              env: { SOUNDINGS_STORE_TIMEOUT_MS: '10000' },
            }),
          );
        }
        await until(counts, areAll(3), 30_000);
        // Two days lie between the last two, and neither forgets the other: nobody's row is taken away.
        const rows = 'select replica from heartbeat';
        assert.equal((await storeRows(store.databaseUrl, rows)).length, 3);
        await replicas.pop()!.stop();
        await until(counts, areAll(2), 30_000);
      } finally {
        await Promise.all(replicas.map((one) => one.stop()));
        await store.dispose();
      }
    });
  });
}
