// What a rotation ends: tokens made with the old key by somebody who knows it, at every time that they may claim. The
// clock of the service is the test's own, so that nobody waits for hours.

import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { engines, type TestStore } from '../../support/engines.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import { type Mounted, startMounted } from '../../support/mounted.ts';
import { type MovingClock, movingClock } from '../../support/moving-clock.ts';
import {
  type ApiClientCredentials,
  commandHere,
  commandHereOk,
  soundingsOk,
  tokenFor,
  until,
} from '../../support/service.ts';
import { storeSecrets } from '../../support/store-rows.ts';

const hour = 3_600;
const lifetimeMax = 6 * hour;
/** Longer than a replica may remember keys. */
const rememberedMs = 5_000;

interface Key {
  readonly kid: string;
  readonly secret: string;
}

for (const engine of engines) {
  describe(`signing keys on ${engine.name}`, { concurrency: 1 }, () => {
    let store: TestStore;
    let service: Mounted;
    let other: Mounted;
    let clock: MovingClock;
    let env: Record<string, string>;
    let client: ApiClientCredentials;

    before(async () => {
      store = await engine.readyStore();
      clock = movingClock();
      env = { DATABASE_URL: store.databaseUrl };
      const settings = {
        databaseUrl: store.databaseUrl,
        now: clock.now,
        elapsedMs: clock.elapsedMs,
        env: { SOUNDINGS_STORE_TIMEOUT_MS: '10000' },
      };
      service = await startMounted(settings);
      other = await startMounted(settings);
      client = await service.newClient();
    });
    after(async () => {
      await service?.stop();
      await other?.stop();
      await store?.dispose();
    });

    const keysNow = async (): Promise<Map<string, Key>> =>
      new Map((await storeSecrets(store.databaseUrl)).keys.map((key) => [key.kid, key]));
    const list = async (): Promise<{ kid: string; state: string; signsFrom: string }[]> =>
      JSON.parse(await commandHereOk(['keys', 'list', '--json'], env)).keys;
    const rotate = async (): Promise<string> =>
      JSON.parse(await commandHereOk(['keys', 'rotate', '--json'], env)).kid;
    const present = (token: string, { baseUrl } = service): Promise<Answer> =>
      exchange(`${baseUrl}/v1/measures`, {
        headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      });
    const nowSeconds = (): number => Math.floor(clock.now() / 1000);
    /** What the service itself would sign with this key, with other times. */
    const forge = async (key: Key, times: Readonly<Record<string, number>>): Promise<string> => {
      const { storeId } = await storeSecrets(store.databaseUrl);
      const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
      const { clientId } = client;
      const claims = { iss: storeId, aud: storeId, sub: clientId, client_id: clientId, scope: 'r_cx_basic' };
      const text = `${encode({ alg: 'HS256', typ: 'at+jwt', kid: key.kid })}.${encode({ ...claims, jti: randomUUID(), ...times })}`;
      const signature = createHmac('sha256', Buffer.from(key.secret, 'base64url')).update(text);
      return `${text}.${signature.digest('base64url')}`;
    };
    const assertOpens = async (token: string, what: string): Promise<void> => {
      for (const one of [service, other]) assert.equal((await present(token, one)).status, 200, what);
    };
    const assertRefused = async (token: string, what: string): Promise<void> => {
      for (const one of [service, other]) {
        const { status, body } = await present(token, one);
        assert.deepEqual([status, body.errorCode], [401, 'INVALID_TOKEN'], what);
      }
    };
    const kidOf = (token: string): string =>
      JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()).kid;

    it('no token lives longer than the longest lifetime that can be set, whoever signed it [D-13]', async () => {
      const [key] = (await keysNow()).values();
      const iat = nowSeconds();
      await assertOpens(await forge(key!, { iat, exp: iat + lifetimeMax }), 'the longest');
      await assertRefused(await forge(key!, { iat, exp: iat + lifetimeMax + 1 }), 'a second more');
      await assertRefused(await forge(key!, { iat, exp: iat + 10 * 365 * 24 * hour }), 'ten years');
      await assertRefused(await forge(key!, { iat: 0, exp: iat + hour }), 'issued in 1970');
      await assertRefused(await forge(key!, { iat: -1, exp: iat + hour }), 'issued before that');
      await assertRefused(await forge(key!, { iat, exp: Number.MAX_SAFE_INTEGER }), 'for ever');
    });

    it('after a rotation the old key signs nothing new, whatever times a token claims; what it signed lives on [D-13]', async () => {
      const oldKid = (await list()).find(({ state }) => state === 'signs')!.kid;
      const old = (await keysNow()).get(oldKid)!;
      const lived = await tokenFor(service.baseUrl, client);
      const newKid = await rotate();
      clock.pass(11_000);
      const signed = await tokenFor(service.baseUrl, client);
      assert.equal(kidOf(signed), newKid);
      await assertOpens(signed, 'of the new key');
      await assertOpens(lived, 'signed before the rotation');
      clock.pass(60_000);
      const now = nowSeconds();
      const successorAt = Math.floor(
        Date.parse((await list()).find(({ kid }) => kid === newKid)!.signsFrom) / 1000,
      );
      await assertOpens(lived, 'signed before the rotation, a minute later');
      for (const [what, times] of Object.entries({
        'issued now': { iat: now, exp: now + hour },
        'issued now, for ten years': { iat: now, exp: now + 10 * 365 * 24 * hour },
        'issued before, for ten years': { iat: successorAt - 60, exp: now + 10 * 365 * 24 * hour },
        'issued after the tolerance': { iat: successorAt + 32, exp: now + hour },
        'not before now': { iat: successorAt + 32, nbf: now, exp: now + hour },
        'issued tomorrow': { iat: now + 24 * hour, exp: now + 25 * hour },
      })) {
        await assertRefused(await forge(old, times), what);
      }
      // Replicas choose the key by their own clocks, of which one may be a little behind.
      await assertOpens(await forge(old, { iat: successorAt + 29, exp: now + hour }), 'within the tolerance');
      const secondKid = await rotate();
      clock.pass(11_000);
      assert.equal(kidOf(await tokenFor(service.baseUrl, client)), secondKid);
      await assertRefused(await forge(old, { iat: now, exp: now + hour }), 'after a second rotation');
      const middle = (await keysNow()).get(newKid)!;
      clock.pass(60_000);
      await assertRefused(
        await forge(middle, { iat: nowSeconds(), exp: nowSeconds() + hour }),
        'the key in between',
      );
    });

    it('whatever an old key signs is over when the longest lifetime has passed since its successor [D-13]', async () => {
      const [newest, ...older] = await list();
      assert.ok(older.length >= 2);
      const keys = await keysNow();
      clock.pass((lifetimeMax + 120) * 1000);
      for (const { kid } of older) {
        for (const back of [0, 60, hour, lifetimeMax, lifetimeMax + 120, 24 * hour]) {
          const iat = nowSeconds() - back;
          for (const exp of [iat + lifetimeMax, nowSeconds() + hour]) {
            const { status } = await present(await forge(keys.get(kid)!, { iat, exp }));
            assert.equal(status, 401, `${kid} ${back} ${exp - iat}`);
          }
        }
      }
      clock.pass(hour * 1000);
      // The service tidies by itself, with its heartbeat.
      const left = await until(keysNow, ({ size }) => size === 1);
      assert.ok(left.has(newest!.kid));
    });

    it('a revoked key ends within 5 seconds everywhere, for tokens that were seen before too, and a new one signs at once [D-13]', async () => {
      const [newest] = await list();
      const tokens = await Promise.all(
        Array.from({ length: 20 }, (_, index) => tokenFor((index % 2 ? service : other).baseUrl, client)),
      );
      for (const token of tokens) await assertOpens(token, 'before');
      const revoked = JSON.parse(await commandHereOk(['keys', 'revoke', newest!.kid, '--json'], env));
      assert.ok(revoked.revoked.includes(newest!.kid));
      clock.pass(rememberedMs);
      for (const token of tokens) await assertRefused(token, 'after');
      for (const one of [service, other]) {
        const token = await tokenFor(one.baseUrl, client);
        assert.equal(kidOf(token), revoked.newKid);
        await assertOpens(token, 'of the key that took over');
      }
      const left = await list();
      assert.deepEqual(
        left.map(({ kid, state }) => [kid, state]),
        [[revoked.newKid, 'signs']],
      );
    });

    it('a key that is revoked takes the older ones with it, and leaves those that came after [D-13]', async () => {
      // The tests above let hours pass, after which the service deletes keys that were made at the machine's own time.
      clock.set(Date.now() - clock.now());
      const [first] = await list();
      const second = await rotate();
      clock.pass(11_000);
      const ofSecond = await tokenFor(service.baseUrl, client);
      const third = await rotate();
      clock.pass(11_000);
      const ofThird = await tokenFor(service.baseUrl, client);
      assert.deepEqual([kidOf(ofSecond), kidOf(ofThird)], [second, third]);
      const printed = await soundingsOk(['keys', 'revoke', second], env);
      assert.ok(printed.includes(second) && printed.includes(first!.kid) && !printed.includes(third));
      clock.pass(rememberedMs);
      await assertRefused(ofSecond, 'of the revoked key');
      await assertOpens(ofThird, 'of the one after it');
      const unknown = await commandHere(['keys', 'revoke', second], env);
      assert.equal(unknown.code, 1);
      assert.match(unknown.stderr, /There is no key .* See "soundings keys list"/);
    });
  });
}
