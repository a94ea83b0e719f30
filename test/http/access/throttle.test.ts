// Limits small enough to reach. A bucket fills while a test runs, so a count is held between the burst and the burst
// plus what the time that passed has given.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { writeCatalogue } from '../../support/catalogue.ts';
import { engines, type TestStore } from '../../support/engines.ts';
import { type Answer, basic, exchange } from '../../support/exchange.ts';
import { patience } from '../../support/patience.ts';
import { addClients, tokenAside } from '../../support/quick-clients.ts';
import {
  type ApiClientCredentials,
  type Service,
  setUp,
  startProcess,
  tokenFor,
  until,
} from '../../support/service.ts';
import { startService } from '../../support/service-here.ts';

const clientBurst = 6;
const accountBurst = 9;
const publicBurst = 4;
const small = {
  SOUNDINGS_THROTTLE_CLIENT_RATE: '1',
  SOUNDINGS_THROTTLE_CLIENT_BURST: String(clientBurst),
  SOUNDINGS_THROTTLE_ACCOUNT_RATE: '1',
  SOUNDINGS_THROTTLE_ACCOUNT_BURST: String(accountBurst),
  SOUNDINGS_THROTTLE_PUBLIC_RATE: '1',
  SOUNDINGS_THROTTLE_PUBLIC_BURST: String(publicBurst),
  // Whose credentials are wrong is another matter, with a service of its own below.
  SOUNDINGS_THROTTLE_SIGNIN_PER_MINUTE: '100000',
};
const form = 'application/x-www-form-urlencoded';

interface Drained {
  readonly allowed: readonly Answer[];
  readonly refusal: Answer;
}

/** Asks until it is refused, and holds the number of answers against a bucket of this size. */
async function drain(ask: () => Promise<Answer>, burst: number, ratePerSecond: number): Promise<Drained> {
  const startedMs = performance.now();
  const allowed: Answer[] = [];
  for (;;) {
    const answer = await ask();
    if (answer.status === 429) {
      const grown = ((performance.now() - startedMs) / 1000) * ratePerSecond;
      assert.ok(allowed.length >= burst, `${allowed.length} of ${burst} were allowed`);
      assert.ok(
        allowed.length <= burst + grown,
        `${allowed.length} were allowed, ${burst} + ${grown} may be`,
      );
      return { allowed, refusal: answer };
    }
    allowed.push(answer);
    assert.ok(allowed.length < 500, 'nothing is refused');
  }
}

/** A refusal says in three headers what the limit is, that it is reached, and when to come back. */
function assertThrottled(answer: Answer, code: unknown, policy: string): void {
  assert.deepEqual([answer.status, answer.body.errorCode], [429, code]);
  const retryAfter = Number(answer.headers['retry-after']);
  assert.ok(Number.isInteger(retryAfter) && retryAfter >= 1, `Retry-After is ${retryAfter}`);
  assert.equal(answer.headers.ratelimit, `"${policy}";r=0;t=${retryAfter}`);
  assert.match(String(answer.headers['ratelimit-policy']), new RegExp(`"${policy}";q=\\d+;w=\\d+`));
}

for (const engine of engines) {
  describe(`throttling on ${engine.name}`, () => {
    let store: TestStore;
    let env: Record<string, string>;
    let accountId = 0;
    const accountsCount = 30;

    before(async () => {
      store = await engine.readyStore();
      env = { DATABASE_URL: store.databaseUrl, ...patience };
      const accounts = Array.from({ length: accountsCount }, (_, index) => ({
        id: index + 1,
        name: `Account ${index + 1}`,
        measures: [{ key: 1, name: 'One' }],
        projects: [
          {
            id: 1,
            name: 'Badge',
            surveys: [{ id: `badge-${index + 1}`, public: true, modelInstanceId: 'M', questions: [] }],
          },
        ],
      }));
      await setUp(['apply', writeCatalogue({ accounts })], env);
    });
    after(async () => {
      await store?.dispose();
    });

    /** An account that no other test draws on. */
    const newAccount = (): number => {
      accountId += 1;
      assert.ok(accountId <= accountsCount);
      return accountId;
    };
    const clientOf = async (id: number): Promise<ApiClientCredentials> =>
      (await addClients(store.databaseUrl, [id]))[0]!;
    const newClient = (): Promise<ApiClientCredentials> => clientOf(newAccount());
    const tokenOf = (client: ApiClientCredentials, scope?: string): Promise<string> =>
      tokenAside(store.databaseUrl, client, scope);
    const read = (
      service: Service,
      token: string,
      path = '/v1/measures',
      accept = 'application/json',
    ): Promise<Answer> =>
      exchange(service.baseUrl + path, {
        headers: { authorization: `Bearer ${token}`, ...(accept === '' ? {} : { accept }) },
      });
    const signIn = (
      service: Service,
      clientId: string,
      clientSecret: string,
      headers: Record<string, string> = {},
    ): Promise<Answer> =>
      exchange(`${service.baseUrl}/v1/token?grant_type=client_credentials&scope=r_cx_basic`, {
        method: 'POST',
        headers: { authorization: basic(clientId, clientSecret), 'content-type': form, ...headers },
      });
    describe('with one replica and small limits', () => {
      let service: Service;
      before(async () => {
        service = await startService({ ...env, ...small });
      });
      after(() => service?.stop());

      it('a client may make its burst and is then refused until its time; every answer says how much is left [D-28]', async () => {
        const client = await newClient();
        const token = await tokenOf(client);
        const { allowed, refusal } = await drain(() => read(service, token), clientBurst, 1);
        for (const answer of allowed) {
          assert.equal(answer.status, 200);
          assert.equal(
            answer.headers['ratelimit-policy'],
            `"client";q=${clientBurst};w=6, "account";q=${accountBurst};w=9`,
          );
          assert.match(String(answer.headers.ratelimit), /^"client";r=\d+;t=\d+$/);
          assert.equal(answer.headers['retry-after'], undefined);
        }
        assert.match(String(allowed[0]!.headers.ratelimit), new RegExp(`r=${clientBurst - 1};t=1$`));
        assertThrottled(refusal, 'THROTTLED', 'client');
        assert.equal(refusal.body.items, undefined);
        await until(
          () => read(service, token),
          ({ status }) => status === 200,
          5_000,
        );
      });

      it('asking for tokens draws on the same bucket, and its refusal speaks OAuth too [D-14] [D-28]', async () => {
        const { clientId, clientSecret } = await newClient();
        const { allowed, refusal } = await drain(
          () => signIn(service, clientId, clientSecret),
          clientBurst,
          1,
        );
        const token = String(allowed[0]!.body.access_token);
        assertThrottled(refusal, 'THROTTLED', 'client');
        assert.equal(refusal.body.error, 'temporarily_unavailable');
        assert.equal(refusal.body.access_token, undefined);
        assertThrottled(await read(service, token), 'THROTTLED', 'client');
      });

      it('all clients of an account share its limit, and another account does not feel it [D-10] [D-28]', async () => {
        const id = newAccount();
        const [one, two, other] = await Promise.all([clientOf(id), clientOf(id), newClient()]);
        const [tokenOne, tokenTwo, tokenOther] = await Promise.all(
          [one, two, other].map((client) => tokenOf(client)),
        );
        const startedMs = performance.now();
        const first = await drain(() => read(service, tokenOne!), clientBurst, 1);
        const second: Answer[] = [];
        let answer = await read(service, tokenTwo!);
        while (answer.status === 200) {
          second.push(answer);
          answer = await read(service, tokenTwo!);
        }
        assertThrottled(answer, 'THROTTLED', 'account');
        // Before that it is told of what ends first: of the account, whose other client has used it up.
        for (const { headers } of second) assert.match(String(headers.ratelimit), /^"account";r=\d+;/);
        const grown = (performance.now() - startedMs) / 1000;
        const total = first.allowed.length + second.length;
        assert.ok(
          total >= accountBurst && total <= accountBurst + grown,
          `${total} of ${accountBurst} were allowed`,
        );
        assert.ok(second.length < clientBurst);
        const { status, headers } = await read(service, tokenOther!);
        assert.equal(status, 200);
        assert.match(String(headers.ratelimit), new RegExp(`r=${clientBurst - 1};`));
      });

      it('the refusal comes after credentials and grant and before Accept and existence, in the body of the area [D-22] [D-24b]', async () => {
        const client = await newClient();
        const token = await tokenOf(client);
        const narrow = await tokenOf(client, 'r_cx_users');
        await drain(() => read(service, token), clientBurst, 1);
        // All at once: within a second the bucket has room for one again.
        const [noAccept, wrongAccept, nonsense, foreign, refused, nowhere, noMethod, forged, narrower] =
          await Promise.all([
            read(service, token, '/v1/measures', ''),
            read(service, token, '/v1/measures', 'text/html'),
            read(service, token, '/v1/measures?nonsense=1'),
            read(service, token, '/v1/measures/999/definition'),
            read(service, token, '/v1/projects'),
            read(service, token, '/v1/nowhere'),
            exchange(`${service.baseUrl}/v1/measures`, { method: 'DELETE' }),
            read(service, `${token}x`),
            read(service, narrow),
          ]);
        for (const { status } of [noAccept, wrongAccept, nonsense, foreign]) assert.equal(status, 429);
        assertThrottled(refused, 42901, 'client');
        assert.deepEqual(
          [nowhere, noMethod, forged, narrower].map(({ status }) => status),
          [404, 405, 401, 403],
        );
      });

      it('whoever cannot prove to be a client draws nothing from it [D-28]', async () => {
        const client = await newClient();
        const token = await tokenOf(client);
        for (let times = 0; times < 2 * accountBurst; times += 1) {
          assert.equal((await read(service, `${token.slice(0, -4)}AAAA`)).status, 401);
          assert.equal((await signIn(service, client.clientId, 'wrong')).status, 401);
        }
        const { headers } = await read(service, token);
        assert.match(String(headers.ratelimit), new RegExp(`r=${clientBurst - 1};`));
      });

      it('operators’ endpoints and the documents are not throttled [D-28]', async () => {
        for (const path of ['/livez', '/readyz', '/metrics', '/openapi.json']) {
          const answers = await Promise.all(
            Array.from({ length: 25 }, () => exchange(service.baseUrl + path)),
          );
          for (const { status, headers } of answers) {
            assert.equal(status, 200);
            assert.equal(headers.ratelimit, undefined);
          }
        }
      });

      it('a public survey takes so many responses from one address, and they do not draw on the account [D-12] [D-28]', async () => {
        const id = newAccount();
        const client = await clientOf(id);
        const token = await tokenOf(client);
        const post = (): Promise<Answer> =>
          exchange(`${service.baseUrl}/v1/surveys/ingestion`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ surveyDefinitionId: `badge-${id}` }),
          });
        const { allowed, refusal } = await drain(post, publicBurst, 1);
        for (const answer of allowed) assert.equal(answer.status, 200);
        assertThrottled(refusal, 'THROTTLED', 'address');
        const { status, headers } = await read(service, token);
        assert.equal(status, 200);
        assert.match(String(headers.ratelimit), new RegExp(`r=${clientBurst - 1};`));
      });

      it('limits of an account hold within 5 s of the apply, for all its credentials, and for it alone; without them the settings hold again [D-213]', async () => {
        const id = newAccount();
        const apply = (limits: object | null): Promise<string> =>
          setUp(['apply', writeCatalogue({ id, name: `Account ${id}`, limits })], env);
        const [client, other] = await Promise.all([clientOf(id), newClient()]);
        const [token, tokenOther] = await Promise.all([tokenOf(client), tokenOf(other)]);
        const { token: provisioning } = JSON.parse(
          await setUp(
            ['provisioning-token', 'create', '--account', String(id), '--name', 'test', '--json'],
            env,
          ),
        ) as { token: string };
        const policy = async (ask: () => Promise<Answer>): Promise<unknown> =>
          (await ask()).headers['ratelimit-policy'];
        const usual = await policy(() => read(service, token));
        await apply({
          requestsPerSecond: 1,
          requestsAtOnce: 3,
          clientRequestsPerSecond: 100,
          clientRequestsAtOnce: 200,
        });
        const own = '"client";q=200;w=2, "account";q=3;w=3';
        for (const ask of [() => read(service, token), () => read(service, provisioning, '/v1/scim/Users')])
          await until(
            () => policy(ask),
            (said) => said === own,
            5_000,
          );
        const refusal = await until(
          () => read(service, token),
          ({ status }) => status === 429,
        );
        assertThrottled(refusal, 'THROTTLED', 'account');
        assert.equal(refusal.headers['ratelimit-policy'], own);
        assert.equal(await policy(() => read(service, tokenOther)), usual);
        await apply(null);
        await until(
          () => policy(() => read(service, token)),
          (said) => said === usual,
          5_000,
        );
      });

      it('a replica that was killed is no longer counted after 5 s, and the whole returns to the others [D-214]', async () => {
        const second = await startProcess({ ...env, ...small });
        const client = await newClient();
        const token = await tokenOf(client);
        const quota = async (): Promise<string | undefined> =>
          /"client";q=(\d+)/.exec(String((await read(service, token)).headers['ratelimit-policy']))?.[1];
        await until(quota, (said) => said === String(clientBurst / 2));
        await second.kill();
        // A loaded machine may be a moment late.
        await until(quota, (said) => said === String(clientBurst), 5_000 + 2_000);
      });

      it('two replicas allow a half each, and the whole returns to the one that stays [D-28]', async () => {
        const second = await startService({ ...env, ...small });
        const replicas = async (): Promise<(string | undefined)[]> =>
          Promise.all(
            [service, second].map(
              async ({ baseUrl }) =>
                /^soundings_replicas (\d+)$/m.exec((await exchange(`${baseUrl}/metrics`)).text)?.[1],
            ),
          );
        const client = await newClient();
        const token = await tokenOf(client);
        try {
          await until(replicas, (counts) => counts.every((count) => count === '2'));
          for (const one of [service, second]) {
            const { allowed } = await drain(() => read(one, token), clientBurst / 2, 1 / 2);
            // The policy is what this replica allows, which is its share.
            assert.equal(
              allowed[0]!.headers['ratelimit-policy'],
              `"client";q=${clientBurst / 2};w=6, "account";q=${Math.floor(accountBurst / 2)};w=9`,
            );
            assert.match(String(allowed[0]!.headers.ratelimit), new RegExp(`r=${clientBurst / 2 - 1};`));
          }
        } finally {
          await second.stop();
        }
        await until(
          async () =>
            /^soundings_replicas (\d+)$/m.exec((await exchange(`${service.baseUrl}/metrics`)).text)?.[1],
          (count) => count === '1',
        );
        const fresh = await tokenOf(await newClient());
        await drain(() => read(service, fresh), clientBurst, 1);
      });
    });

    describe('behind a proxy that is trusted', () => {
      let service: Service;
      before(async () => {
        service = await startService({ ...env, SOUNDINGS_TRUSTED_PROXIES: '127.0.0.1' });
      });
      after(() => service?.stop());

      it('the usual limits are 100 a second with 200 at once, and 400 with 800 for the account [D-28]', async () => {
        const client = await newClient();
        const { status, headers } = await read(service, await tokenFor(service.baseUrl, client));
        assert.equal(status, 200);
        assert.equal(headers['ratelimit-policy'], '"client";q=200;w=2, "account";q=800;w=2');
      });
    });

    describe('switched off', () => {
      it('nothing is refused, and no header speaks of limits [D-28]', async () => {
        const service = await startService({ ...env, ...small, SOUNDINGS_THROTTLE: 'off' });
        try {
          const client = await newClient();
          const token = await tokenFor(service.baseUrl, client);
          const answers = await Promise.all([
            ...Array.from({ length: 60 }, () => read(service, token)),
            ...Array.from({ length: 30 }, () => signIn(service, client.clientId, 'wrong')),
          ]);
          assert.deepEqual([...new Set(answers.map(({ status }) => status))].sort(), [200, 401]);
          for (const { headers } of answers) {
            assert.equal(headers.ratelimit, undefined);
            assert.equal(headers['ratelimit-policy'], undefined);
          }
        } finally {
          await service.stop();
        }
      });
    });
  });
}
