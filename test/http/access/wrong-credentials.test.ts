// Wrong credentials by the thousand, of every kind, behind the same address as those who have right ones. The clock of
// ages stands still, so that counts are exact; the service believes the address that a proxy names.

import assert from 'node:assert/strict';
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { engines, type TestStore } from '../../support/engines.ts';
import { type Answer, basic, exchange, tellingPart } from '../../support/exchange.ts';
import { type Mounted, startMounted } from '../../support/mounted.ts';
import { type MovingClock, movingClock } from '../../support/moving-clock.ts';
import { type ApiClientCredentials, commandHereOk } from '../../support/service.ts';

const perMinute = 10;
const questionsMax = 50;
const publicBurst = 50;

for (const engine of engines) {
  describe(`wrong credentials on ${engine.name}`, { concurrency: 1 }, () => {
    let store: TestStore;
    let service: Mounted;
    let clock: MovingClock;
    let client: ApiClientCredentials;
    let provisioning: string;
    let questions = 0;
    let networks = 0;

    before(async () => {
      store = await engine.readyStore();
      clock = movingClock({ isStill: true });
      service = await startMounted({
        databaseUrl: store.databaseUrl,
        now: clock.now,
        elapsedMs: clock.elapsedMs,
        env: {
          SOUNDINGS_STORE_TIMEOUT_MS: '10000',
          SOUNDINGS_THROTTLE: 'on',
          SOUNDINGS_TRUSTED_PROXIES: '127.0.0.1',
        },
      });
      const { db } = service.context;
      const read = db.read.bind(db);
      db.read = (query) => {
        // The heartbeat asks by itself, and is nobody's question.
        if (!query.sql.includes('heartbeat')) questions += 1;
        return read(query);
      };
      client = await service.newClient();
      const args = ['provisioning-token', 'create', '--account', '4001', '--name', 'idp', '--json'];
      provisioning = JSON.parse(await commandHereOk(args, { DATABASE_URL: store.databaseUrl })).token;
    });
    after(async () => {
      await service?.stop();
      await store?.dispose();
    });

    /** An address that no other test uses. */
    const newAddress = (): string => {
      networks += 1;
      return `203.0.${networks >> 8}.${networks & 255}`;
    };
    const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });
    const signIn = (address: string, clientId: string, clientSecret: string): Promise<Answer> =>
      exchange(`${service.baseUrl}/v1/token?grant_type=client_credentials&scope=r_cx_basic`, {
        method: 'POST',
        headers: {
          authorization: basic(clientId, clientSecret),
          'content-type': 'application/x-www-form-urlencoded',
          ...from(address),
        },
      });
    const read = (address: string, token: string, path = '/v1/measures'): Promise<Answer> =>
      exchange(service.baseUrl + path, {
        headers: { authorization: `Bearer ${token}`, accept: 'application/json', ...from(address) },
      });
    const users = (address: string, token: string): Promise<Answer> =>
      read(address, token, '/v1/scim/Users?count=1');
    const tokenOf = async (address: string, { clientId, clientSecret } = client): Promise<string> =>
      String((await signIn(address, clientId, clientSecret)).body.access_token);
    const inventedSecret = (): string => `sdgs_${randomBytes(32).toString('base64url')}`;
    const inventedProvisioning = (): string =>
      provisioning.slice(0, provisioning.lastIndexOf('_') + 1) + randomBytes(32).toString('base64url');
    /** Well made, by a key that is not ours. */
    const inventedToken = (): string => {
      const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
      const header = { alg: 'HS256', typ: 'at+jwt', kid: randomUUID() };
      const text = `${encode(header)}.${encode({ sub: 'sc_0', jti: randomUUID() })}`;
      return `${text}.${createHmac('sha256', 'ours').update(text).digest('base64url')}`;
    };
    const many = async (count: number, ask: () => Promise<Answer>): Promise<readonly Answer[]> => {
      const answers: Answer[] = [];
      for (let left = count; left > 0; left -= 100)
        answers.push(...(await Promise.all(Array.from({ length: Math.min(100, left) }, ask))));
      return answers;
    };
    const assertCounted = (answers: readonly Answer[]): void => {
      const heard = answers.filter(({ status }) => status === 401);
      assert.equal(heard.length, perMinute);
      const refused = answers.filter(({ status }) => status === 429);
      assert.equal(refused.length, answers.length - perMinute);
      for (const { headers, body } of refused) {
        assert.equal(Number(headers['retry-after']) >= 1, true);
        assert.equal(headers['ratelimit-policy'], `"signin";q=${perMinute};w=60`);
        assert.ok(body.errorCode === 'TOO_MANY_FAILED_SIGN_INS' || body.status === '429', refused[0]!.text);
      }
    };

    it('after a flood of wrong secrets the right one still passes, for clients seen before and for new ones [D-181]', async () => {
      const address = newAddress();
      assertCounted(await many(200, () => signIn(address, client.clientId, inventedSecret())));
      clock.pass(5_000);
      for (let times = 0; times < 20; times += 1) {
        assert.equal((await signIn(address, client.clientId, client.clientSecret)).status, 200);
        assert.ok((await signIn(address, client.clientId, inventedSecret())).status >= 401);
      }
      for (let times = 0; times < 20; times += 1) {
        const other = await service.newClient();
        assert.equal((await signIn(address, other.clientId, other.clientSecret)).status, 200);
      }
      const token = await tokenOf(address);
      assert.equal((await read(address, token)).status, 200);
      assert.equal((await users(address, provisioning)).status, 200);
    });

    it('while the flood goes on, those who were right before pass, and what it asks the store is bounded [D-181]', async () => {
      const address = newAddress();
      const token = await tokenOf(address);
      assert.equal((await users(address, provisioning)).status, 200);
      // Longer than anything is remembered: each of the right ones must be asked about again.
      clock.pass(5_000);
      const before = questions;
      const flood = many(2_000, () => users(address, inventedProvisioning()));
      const right = await many(100, () =>
        Math.random() < 0.5
          ? users(address, provisioning)
          : signIn(address, client.clientId, client.clientSecret),
      );
      assert.deepEqual([...new Set(right.map(({ status }) => status))], [200]);
      assert.equal((await read(address, token)).status, 200);
      assertCounted(await flood);
      // What the right ones asked, and the pages that they read, is beside it.
      assert.ok(questions - before <= questionsMax + 500, `${questions - before} questions`);
      const beforeSilence = questions;
      await many(500, () => users(address, inventedProvisioning()));
      assert.equal(questions - beforeSilence, 0);
    });

    it('wrong client ids, secrets and tokens of either kind are one count, and cost few questions [D-181]', async () => {
      const wrong: Readonly<Record<string, (address: string) => Promise<Answer>>> = {
        'client ids': (address) => signIn(address, `sc_${randomUUID()}`, inventedSecret()),
        secrets: (address) => signIn(address, client.clientId, inventedSecret()),
        'client ids that are too long': (address) => signIn(address, 'x'.repeat(2_000), 'y'),
        'provisioning tokens': (address) => users(address, inventedProvisioning()),
        'access tokens': (address) => read(address, inventedToken()),
        'tokens that are none': (address) => read(address, 'x'),
      };
      for (const [what, ask] of Object.entries(wrong)) {
        const address = newAddress();
        const before = questions;
        assertCounted(await many(300, () => ask(address)));
        assert.ok(questions - before <= questionsMax + 5, `${what}: ${questions - before} questions`);
        for (const other of Object.values(wrong)) assert.equal((await other(address)).status, 429, what);
        assert.equal((await ask(newAddress())).status, 401, what);
      }
    });

    it('a client that does not exist is refused like a wrong secret, before and after the limit [D-15] [D-181]', async () => {
      const [known, unknown] = [newAddress(), newAddress()];
      for (let times = 0; times < 2 * perMinute; times += 1) {
        const one = await signIn(known, client.clientId, 'wrong');
        const other = await signIn(unknown, 'sc_nobody', 'wrong');
        assert.deepEqual(tellingPart(one), tellingPart(other));
        assert.equal(one.status, times < perMinute ? 401 : 429);
      }
    });

    it('another spelling of the id and another way to send it do not help [D-181]', async () => {
      const address = newAddress();
      let times = 0;
      const tryAgain = (): Promise<Answer> => {
        times += 1;
        const at = times % client.clientId.length;
        const code = client.clientId.charCodeAt(at).toString(16).padStart(2, '0');
        const spelled = `${client.clientId.slice(0, at)}%${code}${client.clientId.slice(at + 1)}`;
        if (times % 2 === 0) return signIn(address, spelled, 'wrong');
        return exchange(`${service.baseUrl}/v1/token`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded', ...from(address) },
          body: `grant_type=client_credentials&client_id=${client.clientId}&client_secret=wrong`,
        });
      };
      assertCounted(await many(60, tryAgain));
    });

    it('right ones are not counted, nor is a token that has expired; wrong ones are heard again in time [D-181]', async () => {
      const address = newAddress();
      const token = await tokenOf(address);
      for (let times = 0; times < 3 * perMinute; times += 1) {
        assert.equal((await signIn(address, client.clientId, client.clientSecret)).status, 200);
        if (times % 10 === 9) clock.pass(1_000);
      }
      clock.pass(8_000_000);
      for (let times = 0; times < 3 * perMinute; times += 1)
        assert.equal((await read(address, token)).body.errorCode, 'TOKEN_EXPIRED');
      assertCounted(await many(20, () => signIn(address, client.clientId, 'wrong')));
      const { status, headers } = await signIn(address, client.clientId, 'wrong');
      assert.equal(status, 429);
      clock.pass(Number(headers['retry-after']) * 1000);
      assert.equal((await signIn(address, client.clientId, 'wrong')).status, 401);
    });

    it('the count is of what the proxy saw, not of what the caller wrote before it [D-28]', async () => {
      const [address, other] = [newAddress(), newAddress()];
      assertCounted(await many(30, () => signIn(address, client.clientId, 'wrong')));
      assert.equal((await signIn(`${other}, ${address}`, client.clientId, 'wrong')).status, 429);
      assert.equal((await signIn(`${address}, ${other}`, client.clientId, 'wrong')).status, 401);
    });

    it('an IPv6 network is counted as one, and an IPv4 address however it is written [D-181]', async () => {
      let host = 0;
      // A /56 is two digits of the fourth group: 00 to ff.
      const ofOne = (): string => {
        host += 1;
        return `2001:db8:1:${(host % 256).toString(16)}::${host.toString(16)}`;
      };
      assertCounted(await many(300, () => signIn(ofOne(), client.clientId, inventedSecret())));
      assert.equal((await signIn('2001:db8:1:100::1', client.clientId, 'wrong')).status, 401);
      const post = (address: string): Promise<Answer> =>
        exchange(`${service.baseUrl}/v1/surveys/ingestion`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...from(address) },
          body: JSON.stringify({ surveyDefinitionId: 'unknown' }),
        });
      const posted = await many(300, () => post(ofOne()));
      assert.equal(posted.filter(({ status }) => status !== 429).length, publicBurst);
      const address = newAddress();
      const [, , c, d] = address.split('.').map(Number) as [number, number, number, number];
      const spellings = [
        address,
        `::ffff:${address}`,
        `::ffff:cb00:${(c * 256 + d).toString(16)}`,
        `0:0:0:0:0:FFFF:${address}`,
      ];
      assertCounted(
        (
          await Promise.all(
            spellings.map((spelled) => many(10, () => signIn(spelled, client.clientId, inventedSecret()))),
          )
        ).flat(),
      );
    });
  });
}
