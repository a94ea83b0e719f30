// Tokens that are not ours, made by someone who knows everything but the key, and now and then the key as well.

import assert from 'node:assert/strict';
import { createHmac, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { writeCatalogue } from '../../support/catalogue.ts';
import { engines, type TestStore } from '../../support/engines.ts';
import { type Answer, exchange, tellingPart } from '../../support/exchange.ts';
import { patience } from '../../support/patience.ts';
import {
  type ApiClientCredentials,
  commandHereOk,
  createClient,
  type Service,
  setUp,
  tokenFor,
  until,
} from '../../support/service.ts';
import { startService } from '../../support/service-here.ts';
import { storeRows, storeSecrets } from '../../support/store-rows.ts';

const flipsCount = 1_000;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

type Claims = Readonly<Record<string, unknown>>;

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string): Claims => JSON.parse(Buffer.from(part, 'base64url').toString()) as Claims;
const hmac = (text: string, key: Buffer | string, hash = 'sha256'): string =>
  createHmac(hash, key).update(text).digest('base64url');
const nowSeconds = (): number => Math.floor(Date.now() / 1000);

for (const engine of engines) {
  describe(`forged tokens on ${engine.name}`, () => {
    let store: TestStore;
    let service: Service;
    let client: ApiClientCredentials;
    let genuine: string;
    let header: Claims;
    let claims: Claims;
    let key: Buffer;
    let kid: string;
    let refusal: unknown;

    before(async () => {
      store = await engine.readyStore();
      const env = { DATABASE_URL: store.databaseUrl, SOUNDINGS_THROTTLE: 'off', ...patience };
      const measures = [{ key: 7, name: 'Seven' }];
      await setUp(['apply', writeCatalogue({ accounts: [{ id: 1, name: 'One', measures }] })], env);
      [client, service] = await Promise.all([createClient(env, 1), startService(env)]);
      genuine = await tokenFor(service.baseUrl, client);
      [header, claims] = genuine.split('.').slice(0, 2).map(decode) as [Claims, Claims];
      const secrets = await storeSecrets(store.databaseUrl);
      kid = secrets.keys[0]!.kid;
      key = Buffer.from(secrets.keys[0]!.secret, 'base64url');
      refusal = tellingPart(await present('x'));
    });
    after(async () => {
      await service?.stop();
      await store?.dispose();
    });

    const present = (token: string, scheme = 'Bearer '): Promise<Answer> =>
      exchange(`${service.baseUrl}/v1/measures`, {
        headers: { authorization: scheme + token, accept: 'application/json' },
      });
    /** A token by the service's own key: what only the service can make. */
    const signed = (changed: Claims, changedHeader: Claims = {}): string => {
      const text = `${encode({ ...header, ...changedHeader })}.${encode({ ...claims, ...changed })}`;
      return `${text}.${hmac(text, key)}`;
    };
    const assertRefused = (answer: Answer, what: string): void => {
      assert.deepEqual([answer.status, answer.body.errorCode], [401, 'INVALID_TOKEN'], what);
      assert.match(String(answer.headers['www-authenticate']), /^Bearer .*error="invalid_token"/, what);
      assert.deepEqual(tellingPart(answer), refusal, what);
    };
    const assertAllRefused = async (tokens: Readonly<Record<string, string>>): Promise<void> => {
      assert.equal((await present(genuine)).status, 200);
      for (const [what, token] of Object.entries(tokens)) assertRefused(await present(token), what);
    };

    it('the tests forge what the service would sign: their own copy of a token opens [D-13]', async () => {
      assert.equal((await present(signed({}))).status, 200);
      assert.equal((await present(signed({ jti: 'another' }))).status, 200);
    });

    it('alg none, in any spelling, with and without a signature, is refused [D-13]', async () => {
      const tokens: Record<string, string> = {};
      for (const alg of ['none', 'None', 'NONE', 'nOnE', '', null]) {
        const text = `${encode({ ...header, alg })}.${encode(claims)}`;
        tokens[`${alg} without`] = `${text}.`;
        tokens[`${alg} with the genuine signature`] = `${text}.${genuine.split('.')[2]}`;
        tokens[`${alg} with a good signature`] = `${text}.${hmac(text, key)}`;
      }
      await assertAllRefused(tokens);
    });

    it('another algorithm than the one we sign by is refused, by our own key and by a public one [D-13]', async () => {
      const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const under = (alg: string, sign: (text: string) => string, more: Claims = {}): string => {
        const text = `${encode({ ...header, alg, ...more })}.${encode(claims)}`;
        return `${text}.${sign(text)}`;
      };
      const asymmetric =
        (hash: string, by: KeyObject) =>
        (text: string): string =>
          createSign(hash).update(text).sign({ key: by, dsaEncoding: 'ieee-p1363' }).toString('base64url');
      const pem = publicKey.export({ type: 'spki', format: 'pem' });
      await assertAllRefused({
        RS256: under('RS256', asymmetric('RSA-SHA256', privateKey)),
        ES256: under('ES256', asymmetric('SHA256', ec.privateKey)),
        'RS256 with its public key inside': under('RS256', asymmetric('RSA-SHA256', privateKey), {
          jwk: publicKey.export({ format: 'jwk' }),
        }),
        'HS256 by the text of a public key': under('HS256', (text) => hmac(text, pem)),
        'RS256 that is an HMAC by our key': under('RS256', (text) => hmac(text, key)),
        'HS384 by our key': under('HS384', (text) => hmac(text, key, 'sha384')),
        'HS512 by our key': under('HS512', (text) => hmac(text, key, 'sha512')),
        'hs256 in small letters': under('hs256', (text) => hmac(text, key)),
        'HS256 by the base64url text of our key': under('HS256', (text) =>
          hmac(text, key.toString('base64url')),
        ),
        'HS256 by an empty key': under('HS256', (text) => hmac(text, '')),
      });
    });

    it('a wrong key, an unknown key id, none, and ids that lead elsewhere are refused [D-13]', async () => {
      const by = (anyKey: Buffer | string, changedHeader: Claims): string => {
        const text = `${encode({ ...header, ...changedHeader })}.${encode(claims)}`;
        return `${text}.${hmac(text, anyKey)}`;
      };
      const own = randomBytes(32);
      const jwk = { kty: 'oct', k: own.toString('base64url') };
      await assertAllRefused({
        'wrong key': by(own, {}),
        'unknown id': by(own, { kid: 'mine' }),
        'unknown id by our key': by(key, { kid: 'mine' }),
        'no id': by(key, { kid: undefined }),
        'id that is no text': by(key, { kid: 7 }),
        'id that is a list': by(key, { kid: [kid] }),
        'id with SQL': by(own, { kid: "' or '1'='1" }),
        'id that is a path': by('', { kid: '../../../../../dev/null' }),
        'id with NUL': by(own, { kid: `${kid}\0` }),
        'key in the header': by(own, { jwk }),
        'key in the header under an unknown id': by(own, { kid: 'mine', jwk }),
        'key by address': by(own, { kid: 'mine', jku: `${service.baseUrl}/openapi.json` }),
        'critical extension': by(key, { crit: ['x'], x: 1 }),
        'unencoded payload': by(key, { b64: false, crit: ['b64'] }),
      });
    });

    it('a changed payload under the old signature is refused, whatever it would gain [D-13]', async () => {
      const [first, , signature] = genuine.split('.');
      const changed = (change: Claims): string => `${first}.${encode({ ...claims, ...change })}.${signature}`;
      await assertAllRefused({
        scope: changed({ scope: 'r_cx_basic r_cx_users' }),
        lifetime: changed({ exp: nowSeconds() + 1_000_000 }),
        client: changed({ client_id: 'sc_0', sub: 'sc_0' }),
        issuer: changed({ iss: service.baseUrl }),
        nothing: `${first}.${encode({ ...claims, more: 1 })}.${signature}`,
        reordered: `${first}.${encode(Object.fromEntries(Object.entries(claims).toReversed()))}.${signature}`,
      });
    });

    it('a token of tomorrow is refused; 30 seconds of difference between clocks are forgiven [D-13]', async () => {
      const now = nowSeconds();
      await assertAllRefused({
        'not before tomorrow': signed({ nbf: now + 86_400 }),
        'not before a minute': signed({ nbf: now + 60 }),
        'issued tomorrow': signed({ iat: now + 86_400, exp: now + 90_000 }),
        'issued in a minute': signed({ iat: now + 60, exp: now + 7_260 }),
        'not before no number': signed({ nbf: 'now' }),
      });
      assert.equal((await present(signed({ nbf: now + 20 }))).status, 200);
      assert.equal((await present(signed({ iat: now + 20 }))).status, 200);
    });

    it('another issuer, audience, type or a missing claim is refused although the signature is good [D-13]', async () => {
      const elsewhere = '01890000-0000-7000-8000-000000000000';
      await assertAllRefused({
        issuer: signed({ iss: elsewhere }),
        audience: signed({ aud: elsewhere }),
        both: signed({ iss: elsewhere, aud: elsewhere }),
        'an address as issuer': signed({ iss: service.baseUrl }),
        'no issuer': signed({ iss: undefined }),
        'no audience': signed({ aud: undefined }),
        'audience of others': signed({ aud: [elsewhere] }),
        'type JWT': signed({}, { typ: 'JWT' }),
        'no type': signed({}, { typ: undefined }),
        'no expiry': signed({ exp: undefined }),
        'expiry as text': signed({ exp: String(nowSeconds() + 100) }),
        'no issue time': signed({ iat: undefined }),
        'no id': signed({ jti: undefined }),
        'no subject': signed({ sub: undefined }),
        'no client': signed({ client_id: undefined }),
        'no scope': signed({ scope: undefined }),
        'scope as list': signed({ scope: ['r_cx_basic'] }),
        'client that is no text': signed({ client_id: 7 }),
        'client that does not exist': signed({ client_id: 'sc_00', sub: 'sc_00' }),
      });
    });

    it('a token of another store is refused [D-13]', async () => {
      const other = await engine.readyStore();
      try {
        const env = { DATABASE_URL: other.databaseUrl };
        await setUp(['apply', writeCatalogue({ accounts: [{ id: 1, name: 'One' }] })], env);
        const stranger = await createClient(env, 1);
        const token = await commandHereOk(['token', '--client', stranger.clientId], {
          ...env,
          SOUNDINGS_CLIENT_SECRET: stranger.clientSecret,
        });
        await assertAllRefused({ stranger: token.trim() });
      } finally {
        await other.dispose();
      }
    });

    it('a token cut anywhere, or lengthened, is refused [D-13]', async () => {
      const [first = '', second = '', third = ''] = genuine.split('.');
      const tokens: Record<string, string> = {
        'no signature': `${first}.${second}`,
        'empty signature': `${first}.${second}.`,
        'empty payload': `${first}..${third}`,
        'empty header': `.${second}.${third}`,
        dots: '..',
        'a fourth part': `${genuine}.${third}`,
        'a last dot': `${genuine}.`,
        'twice over': `${genuine}${genuine}`,
        'twice, with a comma': `${genuine}, ${genuine}`,
        'half a signature': `${first}.${second}.${third.slice(0, third.length / 2)}`,
        'a longer signature': `${genuine}AAAA`,
        'very long': `${genuine}${'A'.repeat(8_000)}`,
      };
      for (let length = 1; length < genuine.length; length += 17)
        tokens[`${length}`] = genuine.slice(0, length);
      await assertAllRefused(tokens);
    });

    it('other spellings of the same bytes are refused: padding, base64 proper, stray bits and characters [D-13]', async () => {
      const parts = genuine.split('.');
      const tokens: Record<string, string> = {};
      const respell = (index: number, name: string, spell: (part: string) => string): void => {
        const part = parts[index]!;
        const spelled = spell(part);
        if (spelled === part) return;
        assert.deepEqual(Buffer.from(spelled, 'base64url'), Buffer.from(part, 'base64url'), name);
        tokens[`${name} of part ${index}`] = parts.with(index, spelled).join('.');
      };
      for (const index of [0, 1, 2]) {
        respell(index, 'padding', (part) => part.padEnd(Math.ceil(part.length / 4) * 4, '='));
        respell(index, 'base64', (part) => part.replaceAll('-', '+').replaceAll('_', '/'));
        respell(index, 'tab', (part) => `${part.slice(0, 4)}\t${part.slice(4)}`);
        respell(index, 'space', (part) => `${part.slice(0, 4)} ${part.slice(4)}`);
        respell(index, 'mark', (part) => `${part.slice(0, 4)}!${part.slice(4)}`);
        // The last character carries bits that no byte uses: 2 of them, or 4.
        const unused = [0, 0, 4, 2][parts[index]!.length % 4]!;
        for (let stray = 1; stray < 2 ** unused; stray += 1) {
          respell(index, `stray bits ${stray}`, (part) => {
            const last = alphabet.indexOf(part.at(-1)!);
            return part.slice(0, -1) + alphabet[last ^ stray];
          });
        }
      }
      // A signature of 32 bytes always leaves 2 bits over, so this list is never short.
      assert.ok(Object.keys(tokens).length >= 12);
      await assertAllRefused(tokens);
    });

    it(`${flipsCount} flipped bits of payload and signature: each one refused [D-13]`, async () => {
      const [first, second = '', third = ''] = genuine.split('.');
      const bytes = Buffer.concat([Buffer.from(second, 'base64url'), Buffer.from(third, 'base64url')]);
      const payloadLength = Buffer.from(second, 'base64url').length;
      const bits = bytes.length * 8;
      const flipped = (position: number): string => {
        const copy = Buffer.from(bytes);
        copy[position >> 3]! ^= 1 << (position & 7);
        const payload = copy.subarray(0, payloadLength).toString('base64url');
        return `${first}.${payload}.${copy.subarray(payloadLength).toString('base64url')}`;
      };
      // Every bit of the signature, then bits spread evenly over the rest.
      const positions = new Set(Array.from({ length: 256 }, (_, index) => payloadLength * 8 + index));
      for (let step = 0; positions.size < flipsCount; step += 1) positions.add((step * 7919) % bits);
      const tokens = [...positions].map(flipped);
      assert.equal(new Set(tokens).size, flipsCount);
      assert.ok(!tokens.includes(genuine));
      for (let start = 0; start < tokens.length; start += 50) {
        const answers = await Promise.all(tokens.slice(start, start + 50).map((token) => present(token)));
        for (const answer of answers) assertRefused(answer, 'flipped');
      }
      assert.equal((await present(genuine)).status, 200);
    });

    it('a header that is no bearer token is refused like a bad token; none at all is asked for [D-13] [D-20]', async () => {
      for (const [scheme, token] of [
        ['Basic ', genuine],
        ['Token ', genuine],
        ['', genuine],
        ['Bearer', genuine],
        ['Bearer', ''],
        ['Bearer ', '\u00e9\u00e9'],
      ] as const) {
        assertRefused(await present(token, scheme), scheme);
      }
      assert.equal((await present(genuine, 'bearer ')).status, 200);
      const none = await exchange(`${service.baseUrl}/v1/measures`, { headers: { accept: '*/*' } });
      assert.deepEqual([none.status, none.body.errorCode], [401, 'CREDENTIALS_REQUIRED']);
      assert.match(String(none.headers['www-authenticate']), /^Bearer /);
      assert.doesNotMatch(String(none.headers['www-authenticate']), /error/);
    });

    it('a token in the address or in a form opens nothing [D-13] [D-24]', async () => {
      const url = `${service.baseUrl}/v1/measures?access_token=${genuine}`;
      const answer = await exchange(url, { headers: { accept: '*/*' } });
      assert.deepEqual([answer.status, answer.body.errorCode], [401, 'CREDENTIALS_REQUIRED']);
    });

    it('TOKEN_EXPIRED is said of a genuine token alone, after 30 seconds of grace [D-13]', async () => {
      const now = nowSeconds();
      const old = { iat: now - 7_300, exp: now - 100 };
      const expired = await present(signed(old));
      assert.deepEqual([expired.status, expired.body.errorCode], [401, 'TOKEN_EXPIRED']);
      assert.match(String(expired.headers['www-authenticate']), /^Bearer .*error="invalid_token"/);
      assert.equal((await present(signed({ iat: now - 7_210, exp: now - 10 }))).status, 200);

      const text = `${encode(header)}.${encode({ ...claims, ...old })}`;
      await assertAllRefused({
        'expired and by a wrong key': `${text}.${hmac(text, randomBytes(32))}`,
        'expired and unsigned': `${text}.`,
        'expired and elsewhere': signed({ ...old, iss: 'elsewhere' }),
        'expired and for others': signed({ ...old, aud: 'elsewhere' }),
        'expired and of another type': signed(old, { typ: 'JWT' }),
        'expired and without a client': signed({ ...old, client_id: undefined }),
      });
    });

    it('a token that was good stops when its time is over, although it was verified before [D-13]', async () => {
      const now = nowSeconds();
      // Two seconds are left of the 30 that are forgiven.
      const token = signed({ iat: now - 7_200, exp: now - 28 });
      assert.equal((await present(token)).status, 200);
      const answer = await until(
        () => present(token),
        ({ status }) => status !== 200,
      );
      assert.deepEqual([answer.status, answer.body.errorCode], [401, 'TOKEN_EXPIRED']);
    });

    it('all of this wrote nothing into the store and no token into the log [D-13]', async () => {
      const rows = await storeRows(store.databaseUrl, 'select kid from signing_key');
      assert.equal(rows.length, 1);
      assert.ok(!service.output().includes(genuine.split('.')[2]!));
      assert.ok(!service.output().includes('"level":50'));
    });
  });
}
