// Several processes on one store: what one is told, all of them know, at once or within five seconds.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { writeCatalogue } from '../../support/catalogue.ts';
import { engines, type TestStore } from '../../support/engines.ts';
import { type Answer, basic, exchange } from '../../support/exchange.ts';
import { fairClock } from '../../support/fair-clock.ts';
import { patience } from '../../support/patience.ts';
import {
  type ApiClientCredentials,
  commandHereOk,
  createClient,
  requestToken,
  type Service,
  setUp,
  startProcess,
  tokenFor,
  until,
} from '../../support/service.ts';

const staleMsMax = 5_000;

function read(service: Service, token: string, path = '/v1/measures'): Promise<Answer> {
  return exchange(`${service.baseUrl}${path}`, {
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
  });
}

function kidOf(token: string): string {
  const header = Buffer.from(token.split('.')[0]!, 'base64url').toString();
  return (JSON.parse(header) as { kid: string }).kid;
}

// The engines side by side: most of the time here is spent waiting for what replicas may take.
describe('replicas', { concurrency: 2 }, () => {
  for (const engine of engines) {
    describe(`on ${engine.name}`, { concurrency: 1 }, () => {
      let store: TestStore;
      let env: Record<string, string>;
      let first: Service;
      let second: Service;
      let client: ApiClientCredentials;
      let rotation: Promise<Rotation>;

      before(async () => {
        store = await engine.readyStore();
        env = { DATABASE_URL: store.databaseUrl, SOUNDINGS_THROTTLE: 'off', ...patience };
        await apply([{ key: 7, name: 'Seven' }]);
        client = await createClient(env, 1);
        [first, second] = await Promise.all([startProcess(env), startProcess(env)]);
        // A rotation takes ten seconds before it shows, so it goes on beside the other tests.
        rotation = followRotation();
        rotation.catch(() => {});
      });
      after(async () => {
        await Promise.all([first?.stop(), second?.stop()]);
        await store?.dispose();
      });

      const apply = (measures: readonly object[]): Promise<string> =>
        setUp(['apply', writeCatalogue({ accounts: [{ id: 1, name: 'One', measures }] })], env);
      const both = (): readonly Service[] => [first, second];
      const signIn = (service: Service, credentials: ApiClientCredentials): Promise<number> =>
        requestToken(service.baseUrl, credentials, 'r_cx_basic').then(({ status }) => status);
      /**
       * Waits until every replica answers like that, no longer than a replica may be behind. Each is asked until it does and
       * then left alone: whom it refuses again and again it answers from memory for a moment.
       */
      const untilBoth = async (
        ask: (service: Service) => Promise<unknown>,
        wanted: unknown,
      ): Promise<void> => {
        const tookMs = fairClock(process.pid, ...both().map(({ pid }) => pid));
        const isWanted = (answer: unknown): boolean => answer === wanted;
        await Promise.all(both().map((service) => until(() => ask(service), isWanted)));
        assert.ok(tookMs() <= staleMsMax, `It took ${Math.round(tookMs())} ms.`);
      };

      interface Rotation {
        readonly kid: string;
        readonly oldToken: string;
        readonly signsFromMs: number;
        readonly failures: readonly string[];
        readonly firstNewAtMs: number;
      }

      /** Rotates the key, and uses every token at the other replica until both sign by the new one. */
      async function followRotation(): Promise<Rotation> {
        const oldToken = await tokenFor(first.baseUrl, client);
        const told = JSON.parse(await commandHereOk(['keys', 'rotate', '--json'], env)) as {
          kid: string;
          signsFrom: string;
        };
        const failures: string[] = [];
        let firstNewAtMs = Number.POSITIVE_INFINITY;
        const issueAndUse = async (issuer: Service): Promise<string> => {
          const token = await tokenFor(issuer.baseUrl, client);
          if (kidOf(token) === told.kid) firstNewAtMs = Math.min(firstNewAtMs, Date.now());
          for (const service of both()) {
            const { status } = await read(service, token);
            if (status !== 200) failures.push(`${kidOf(token)} was answered ${status}`);
          }
          return kidOf(token);
        };
        await until(
          () => Promise.all(both().map(issueAndUse)),
          (kids) => kids.every((kid) => kid === told.kid),
          30_000,
        );
        const signsFromMs = Date.parse(told.signsFrom);
        return { kid: told.kid, oldToken, signsFromMs, failures, firstNewAtMs };
      }

      describe('what changes in the store', { concurrency: true }, () => {
        it('a token that one replica issued opens at the other [D-13]', async () => {
          for (const [issuer, user] of [both(), both().toReversed()]) {
            const token = await tokenFor(issuer!.baseUrl, client);
            assert.equal((await read(user!, token)).status, 200);
          }
        });

        it('a client just created works at once, at every replica [D-13]', async () => {
          const fresh = await createClient(env, 1);
          const tokens = await Promise.all(both().map(({ baseUrl }) => tokenFor(baseUrl, fresh)));
          assert.equal((await read(second, tokens[0]!)).status, 200);
          assert.equal((await read(first, tokens[1]!)).status, 200);
        });

        it('a secret just rotated works at once beside the old one, and the old one ends within 5 s of the finish [D-13] [D-15]', async () => {
          const old = await createClient(env, 1);
          for (const service of both()) assert.equal(await signIn(service, old), 200);
          const { clientSecret } = JSON.parse(
            await setUp(['client', 'rotate', old.clientId, '--json'], env),
          ) as { clientSecret: string };
          const fresh = { ...old, clientSecret };
          for (const service of both()) {
            assert.equal(await signIn(service, fresh), 200);
            assert.equal(await signIn(service, old), 200);
          }
          const token = await tokenFor(first.baseUrl, old);
          await setUp(['client', 'rotate', old.clientId, '--finish'], env);
          await untilBoth((service) => signIn(service, old), 401);
          for (const service of both()) {
            assert.equal(await signIn(service, fresh), 200);
            // Its tokens are not the secret's: they live out their time.
            assert.equal((await read(service, token)).status, 200);
          }
        });

        it('a disabled client stops at every replica within 5 s and stays out; enabled, it works at once [D-13]', async () => {
          const doomed = await createClient(env, 1);
          // Goes on asking all the while, for which the store is asked a few times a second and no more.
          const stubborn = await createClient(env, 1);
          const tokens = {
            doomed: await tokenFor(first.baseUrl, doomed),
            stubborn: await tokenFor(first.baseUrl, stubborn),
          };
          for (const service of both())
            for (const token of Object.values(tokens)) assert.equal((await read(service, token)).status, 200);
          for (const { clientId } of [doomed, stubborn])
            await commandHereOk(['client', 'disable', clientId], env);
          const codeOf = async (service: Service, token: string): Promise<unknown> =>
            (await read(service, token)).body.errorCode;
          for (const token of Object.values(tokens))
            await untilBoth((service) => codeOf(service, token), 'INVALID_TOKEN');
          await untilBoth((service) => signIn(service, doomed), 401);
          for (let again = 0; again < 20; again += 1)
            for (const service of both())
              assert.equal(await codeOf(service, tokens.stubborn), 'INVALID_TOKEN');
          for (const { clientId } of [doomed, stubborn])
            await commandHereOk(['client', 'enable', clientId], env);
          for (const service of both()) {
            assert.equal((await read(service, tokens.doomed)).status, 200);
            assert.equal(await signIn(service, doomed), 200);
          }
          await untilBoth(async (service) => (await read(service, tokens.stubborn)).status, 200);
        });

        it('a grant taken away is gone at every replica within 5 s, from tokens that have it too; given, it works at once [D-11] [D-13]', async () => {
          const shrunk = await createClient(env, 1);
          const wide = await tokenFor(first.baseUrl, shrunk);
          const narrow = await tokenFor(first.baseUrl, shrunk, 'r_cx_measures');
          for (const service of both()) {
            assert.equal((await read(service, wide)).status, 200);
            assert.equal((await read(service, narrow)).status, 200);
          }
          const askNarrow = async (service: Service): Promise<number> =>
            (await requestToken(service.baseUrl, shrunk, 'r_cx_measures')).status;
          await commandHereOk(['client', 'revoke', shrunk.clientId, 'r_cx_measures'], env);
          for (const token of [wide, narrow])
            await untilBoth(
              async (service) => (await read(service, token)).body.errorCode,
              'INSUFFICIENT_SCOPE',
            );
          await untilBoth(askNarrow, 403);
          assert.equal((await read(first, wide, '/v1/projects')).status, 200);
          await commandHereOk(['client', 'grant', shrunk.clientId, 'r_cx_measures'], env);
          for (const service of both()) {
            assert.equal((await read(service, wide)).status, 200);
            assert.equal((await read(service, narrow)).status, 200);
            assert.equal(await askNarrow(service), 200);
          }
        });

        it('what was just applied is there at once, although it was asked for a moment before [D-13]', async () => {
          const token = await tokenFor(first.baseUrl, client);
          const definition = '/v1/measures/8/definition';
          for (const service of both()) assert.equal((await read(service, token, definition)).status, 404);
          await apply([{ key: 8, name: 'Eight' }]);
          for (const service of both()) {
            assert.equal((await read(service, token, definition)).status, 200);
            const { items } = (await read(service, token)).body as { items: { id: number }[] };
            assert.ok(items.some(({ id }) => id === 8));
          }
        });

        it('a rotated key comes without a gap: every token opens everywhere, old ones live on, and the new key waits until all know it [D-13]', async () => {
          const { kid, oldToken, signsFromMs, failures, firstNewAtMs } = await rotation;
          assert.deepEqual(failures, []);
          assert.ok(firstNewAtMs >= signsFromMs);
          for (const service of both()) {
            assert.equal(kidOf(await tokenFor(service.baseUrl, client)), kid);
            assert.equal((await read(service, oldToken)).status, 200);
          }
          assert.notEqual(kidOf(oldToken), kid);
        });
      });

      it('maintenance is followed by every replica, after route and method and before credentials; health is as it was [operating]', async () => {
        const token = await tokenFor(first.baseUrl, client);
        const codeOf = async (service: Service): Promise<unknown> =>
          (await read(service, token)).body.errorCode;
        await commandHereOk(['maintenance', 'on'], env);
        await untilBoth(codeOf, 'MAINTENANCE');
        // One that starts now has never served anything else.
        const third = await startProcess(env);
        try {
          for (const service of [...both(), third]) {
            const ask = (
              path: string,
              method = 'GET',
              headers: Record<string, string> = {},
            ): Promise<Answer> => exchange(service.baseUrl + path, { method, headers });
            for (const refused of [
              await read(service, token),
              await read(service, 'forged'),
              await ask('/v1/measures'),
              await ask('/v1/projects'),
              await ask('/v1/token', 'POST', { authorization: basic('nobody', 'nothing') }),
              await ask('/v1/surveys/ingestion', 'POST'),
            ]) {
              assert.equal(refused.status, 503);
              assert.match(String(refused.headers['retry-after']), /^\d+$/);
            }
            const unknown = await ask('/v1/nowhere');
            assert.deepEqual([unknown.status, unknown.body.errorCode], [404, 'ROUTE_NOT_FOUND']);
            const method = await ask('/v1/token', 'PUT');
            assert.deepEqual([method.status, method.body.errorCode], [405, 'METHOD_NOT_SUPPORTED']);
            for (const path of ['/livez', '/readyz', '/metrics'])
              assert.equal((await ask(path)).status, 200, path);
            assert.match((await ask('/metrics')).text, /^soundings_maintenance 1$/m);
          }
          const refused = await exchange(`${first.baseUrl}/v1/token`, { method: 'POST' });
          assert.equal(refused.body.errorCode, 'MAINTENANCE');
          assert.equal(refused.body.error, 'temporarily_unavailable');
        } finally {
          await third.stop();
        }
        await commandHereOk(['maintenance', 'off'], env);
        await untilBoth(async (service) => (await read(service, token)).status, 200);
        assert.match((await exchange(`${first.baseUrl}/metrics`)).text, /^soundings_maintenance 0$/m);
      });
    });
  }

  for (const engine of engines) {
    describe(`workers on ${engine.name}`, { concurrency: 1 }, () => {
      let store: TestStore;
      let env: Record<string, string>;
      let service: Service;
      let client: ApiClientCredentials;

      before(async () => {
        store = await engine.readyStore();
        env = { DATABASE_URL: store.databaseUrl, SOUNDINGS_THROTTLE: 'off', ...patience };
        await setUp(['apply', writeCatalogue({ accounts: [{ id: 1, name: 'One' }] })], env);
        client = await createClient(env, 1);
        service = await startProcess(env, ['--workers', '2']);
      });
      after(async () => {
        await service?.stop();
        await store?.dispose();
      });

      // A connection each: workers share connections, not requests.
      const ask = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
        exchange(service.baseUrl + path, { headers: { ...headers, connection: 'close' } });
      const figure = (text: string, name: string, ...labels: string[]): number | undefined => {
        const line = text
          .split('\n')
          .find(
            (one) =>
              (one.startsWith(`${name} `) || one.startsWith(`${name}{`)) &&
              labels.every((label) => one.includes(label)),
          );
        return line === undefined ? undefined : Number(line.split(' ').at(-1));
      };

      it('two workers serve one address, and a token of either opens at both [D-13]', async () => {
        const tokens = await Promise.all(Array.from({ length: 8 }, () => tokenFor(service.baseUrl, client)));
        for (const token of tokens) {
          const authorization = `Bearer ${token}`;
          assert.equal((await ask('/v1/measures', { authorization, accept: '*/*' })).status, 200);
        }
      });

      it('/metrics adds up what all workers counted, whichever is asked', async () => {
        const count = async (): Promise<number> =>
          figure(
            (await ask('/metrics')).text,
            'soundings_http_request_duration_seconds_count',
            'route="/v1/projects"',
            'status="401"',
          ) ?? 0;
        const beforehand = await count();
        await Promise.all(Array.from({ length: 30 }, () => ask('/v1/projects')));
        // A request is counted a moment after its answer.
        await until(count, (counted) => counted >= beforehand + 30);
        for (let times = 0; times < 6; times += 1) assert.equal(await count(), beforehand + 30);
      });

      it('figures that are not sums are not added: each worker counts as one replica, and maintenance is 0 or 1', async () => {
        const figures = async (): Promise<readonly unknown[]> => {
          const { text } = await ask('/metrics');
          return [figure(text, 'soundings_replicas'), figure(text, 'soundings_maintenance')];
        };
        await until(figures, ([replicas]) => replicas === 2);
        await commandHereOk(['maintenance', 'on'], env);
        await until(figures, ([, maintenance]) => maintenance !== 0);
        for (let times = 0; times < 6; times += 1) assert.deepEqual(await figures(), [2, 1]);
      });

      it('what only grows is a counter and is called a total, and nothing else is', async () => {
        const { text } = await ask('/metrics');
        const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => ({ name, type }));
        assert.ok(types.some(({ name }) => name === 'soundings_store_changes_total'));
        const misnamed = types.filter(({ name, type }) => /_total$/.test(name!) !== (type === 'counter'));
        assert.deepEqual(misnamed, []);
        // Asked twice, a counter stands where the store does: it is not counted up by being looked at.
        const changes = async (): Promise<number> =>
          figure((await ask('/metrics')).text, 'soundings_store_changes_total') ?? 0;
        const first = await changes();
        let last = first;
        for (let times = 0; times < 40; times += 1) last = await changes();
        assert.ok(first > 0 && last >= first && last < first * 20, `${first}, then ${last}`);
      });

      it('ends in order when it is asked to', async () => {
        assert.equal(await service.stop(), 0);
        await assert.rejects(ask('/livez'));
      });
    });
  }
});
