import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { writeCatalogue } from '../../support/catalogue.ts';
import { engines, type TestStore } from '../../support/engines.ts';
import { type Answer, basic, type Exchange, exchange, tellingPart } from '../../support/exchange.ts';
import { fairClock } from '../../support/fair-clock.ts';
import { patience } from '../../support/patience.ts';
import {
  type ApiClientCredentials,
  createClient,
  type Service,
  setUp,
  tokenFor,
} from '../../support/service.ts';
import { startService } from '../../support/service-here.ts';
import { storeSecrets, storeWithoutNotes, wholeStore } from '../../support/store-rows.ts';

const form = 'application/x-www-form-urlencoded';
const grantType = 'grant_type=client_credentials';
const basicCall = `${grantType}&scope=r_cx_basic`;
const allGrants = ['r_cx_measures', 'r_cx_projects', 'r_cx_users', 'w_cx_users', 'w_cx_responses'];

interface Fault {
  readonly field: string;
  readonly code: string;
}

for (const engine of engines) {
  describe(`POST /v1/token on ${engine.name}`, () => {
    let store: TestStore;
    let service: Service;
    let client: ApiClientCredentials;
    let measuresOnly: ApiClientCredentials;
    let disabled: ApiClientCredentials;
    let env: Record<string, string>;

    before(async () => {
      store = await engine.readyStore();
      env = { DATABASE_URL: store.databaseUrl, SOUNDINGS_THROTTLE: 'off', ...patience };
      const measures = [{ key: 7, name: 'Seven' }];
      await setUp(['apply', writeCatalogue({ accounts: [{ id: 1, name: 'One', measures }] })], env);
      [client, measuresOnly, disabled, service] = await Promise.all([
        createClient(env, 1),
        createClient(env, 1, ['r_cx_measures']),
        createClient(env, 1),
        startService(env),
      ]);
      await setUp(['client', 'disable', disabled.clientId], env);
    });
    after(async () => {
      await service?.stop();
      await store?.dispose();
    });

    const own = (): string => basic(client.clientId, client.clientSecret);
    const send = (query: string, options: Exchange = {}): Promise<Answer> =>
      exchange(`${service.baseUrl}/v1/token${query === '' ? '' : `?${query}`}`, {
        method: 'POST',
        ...options,
      });
    /** The interface's call: everything in the query, no body. */
    const queryCall = (query: string, headers: Record<string, string> = {}): Promise<Answer> =>
      send(query, { headers: { authorization: own(), 'content-type': form, ...headers } });
    /** What OAuth libraries send. */
    const formCall = (
      body: string,
      headers: Record<string, string> = { authorization: own() },
    ): Promise<Answer> => send('', { body, headers: { 'content-type': form, ...headers } });
    const posted = ({ clientId, clientSecret } = client): string =>
      `client_id=${clientId}&client_secret=${encodeURIComponent(clientSecret)}`;
    const read = (token: unknown): Promise<Answer> =>
      exchange(`${service.baseUrl}/v1/measures`, {
        headers: { authorization: `Bearer ${String(token)}`, accept: 'application/json' },
      });
    const faultsOf = ({ body }: Answer): string[] =>
      (body.detailedErrors as Fault[]).map(({ field, code }) => `${field} ${code}`).sort();
    const assertRefused = (answer: Answer, status: number, code: string, error: string): void => {
      assert.deepEqual([answer.status, answer.body.errorCode, answer.body.error], [status, code, error]);
      assert.equal(answer.body.access_token, undefined);
    };
    const assertInvalid = (answer: Answer, ...faults: string[]): void => {
      assertRefused(answer, 400, 'INVALID_REQUEST', 'invalid_request');
      assert.deepEqual(faultsOf(answer), faults.sort());
    };

    describe('the call of the interface', () => {
      it('gives a bearer token with the seconds left as a text and the scope asked for, and nobody may keep the answer [D-14]', async () => {
        const { status, headers, body } = await queryCall(basicCall);
        assert.equal(status, 200);
        assert.match(String(headers['content-type']), /^application\/json/);
        assert.equal(headers['cache-control'], 'no-store');
        assert.equal(headers.pragma, 'no-cache');
        const { access_token: token, ...rest } = body;
        assert.deepEqual(rest, { token_type: 'Bearer', expires_in: '7200', scope: 'r_cx_basic' });
        assert.equal((await read(token)).status, 200);
      });

      it('the token is an RFC 9068 JWT whose issuer and audience are an id and not an address [D-13]', async () => {
        const token = String((await queryCall(basicCall)).body.access_token);
        const [header, payload] = token
          .split('.')
          .slice(0, 2)
          .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>);
        const { storeId, keys } = await storeSecrets(store.databaseUrl);
        assert.deepEqual(header, { alg: 'HS256', typ: 'at+jwt', kid: keys[0]?.kid });
        const { iat, exp, jti, ...claims } = payload!;
        assert.deepEqual(claims, {
          iss: storeId,
          aud: storeId,
          sub: client.clientId,
          client_id: client.clientId,
          scope: 'r_cx_basic',
        });
        assert.doesNotMatch(storeId, /:\/\/|127\.0\.0\.1|localhost/);
        assert.equal(Number(exp) - Number(iat), 7200);
        assert.ok(Number(iat) <= Date.now() / 1000 && Number(iat) > Date.now() / 1000 - 600);
        const again = String((await queryCall(basicCall)).body.access_token);
        assert.notEqual(again, token);
        assert.match(String(jti), /^[0-9a-f-]{36}$/);
      });

      for (const type of [
        'application/json',
        'application/json; charset=utf-8',
        form,
        'text/plain',
        'multipart/form-data',
        'json',
        'nonsense/',
        'application/json; =, ;;',
      ]) {
        it(`Content-Type must be there and its value is not judged: ${type} [D-14]`, async () => {
          const answer = await queryCall(basicCall, { 'content-type': type });
          assert.equal(answer.status, 200);
          assert.equal(answer.body.expires_in, '7200');
        });
      }

      it('a Content-Type without a value is there all the same [D-14]', async () => {
        assert.equal((await queryCall(basicCall, { 'content-type': '' })).status, 200);
      });

      it('without Content-Type it is a bad request that names the header [D-14]', async () => {
        assertInvalid(await send(basicCall, { headers: { authorization: own() } }), 'Content-Type MISSING');
      });

      it('what is missing is named all at once: header, grant type and scope [D-14] [D-22]', async () => {
        const answer = await send('', { headers: { authorization: own() } });
        assertInvalid(answer, 'Content-Type MISSING', 'grant_type MISSING', 'scope MISSING');
      });

      for (const [query, fault] of [
        [grantType, 'scope MISSING'],
        [`${grantType}&scope=`, 'scope MISSING'],
        [`${grantType}&scope=%20+`, 'scope MISSING'],
        ['scope=r_cx_basic', 'grant_type MISSING'],
        ['grant_type=&scope=r_cx_basic', 'grant_type MISSING'],
      ] as const) {
        it(`both parameters are required and must say something: ?${query} [D-14]`, async () => {
          assertInvalid(await queryCall(query), fault);
        });
      }

      it('names it does not know are ignored, even twice [D-14] [D-24]', async () => {
        const answer = await queryCall(
          `${basicCall}&resource=x&audience=a&audience=b&__proto__=c&response_type=code`,
        );
        assert.equal(answer.status, 200);
      });

      it('names are told apart by case: Scope is not scope [D-14]', async () => {
        assertInvalid(await queryCall(`${grantType}&Scope=r_cx_basic`), 'scope MISSING');
      });
    });

    describe('the call of OAuth libraries', () => {
      it('a form that says nothing of it leaves the call of the interface what it is; other parameters are passed over [D-14]', async () => {
        const { status, body } = await exchange(
          `${service.baseUrl}/v1/token?${grantType}&scope=r_cx_basic%20&colour=red`,
          {
            method: 'POST',
            headers: {
              authorization: basic(client.clientId, client.clientSecret),
              accept: 'application/json',
              'content-type': 'application/x-www-form-urlencoded',
            },
            body: 'foo=bar',
          },
        );
        const { access_token: _token, ...rest } = body as Record<string, unknown>;
        assert.deepEqual(
          [status, rest],
          [200, { token_type: 'Bearer', expires_in: '7200', scope: 'r_cx_basic' }],
        );
      });

      it('gives the seconds left as a number [D-14]', async () => {
        const { status, headers, body } = await formCall(basicCall);
        assert.equal(status, 200);
        assert.equal(headers['cache-control'], 'no-store');
        assert.equal(headers.pragma, 'no-cache');
        const { access_token: token, ...rest } = body;
        assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 7200, scope: 'r_cx_basic' });
        assert.equal((await read(token)).status, 200);
      });

      for (const body of [grantType, `${grantType}&scope=`]) {
        it(`the scope may be left out, and then it is r_cx_basic: ${body} [D-11] [D-14]`, async () => {
          const answer = await formCall(body);
          assert.equal(answer.status, 200);
          assert.equal(answer.body.scope, 'r_cx_basic');
          assert.equal((await read(answer.body.access_token)).status, 200);
        });
      }

      it('the credentials may come in the form [D-14]', async () => {
        const answer = await formCall(`${basicCall}&${posted()}`, {});
        assert.equal(answer.status, 200);
        assert.equal(answer.body.expires_in, 7200);
      });

      it('Basic credentials count as they are and as the form encoding of RFC 6749 has them [D-14]', async () => {
        const encodeAll = (text: string): string =>
          [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
        const { clientId, clientSecret } = client;
        for (const authorization of [
          basic(clientId, clientSecret),
          basic(encodeAll(clientId), encodeAll(clientSecret)),
          basic(clientId, encodeAll(clientSecret).toUpperCase()),
          basic(clientId, clientSecret).replace('Basic', 'bASIC'),
        ]) {
          assert.equal((await formCall(basicCall, { authorization })).status, 200);
          assert.equal((await queryCall(basicCall, { authorization })).status, 200);
        }
      });

      it('a client_id beside Basic credentials is no second way of authenticating [D-14]', async () => {
        assert.equal((await formCall(`${basicCall}&client_id=${client.clientId}`)).status, 200);
      });

      it('a parameter sent without a value is as if it were not sent: an empty client_secret beside Basic [D-14]', async () => {
        assert.equal((await formCall(`${basicCall}&client_secret=`)).status, 200);
      });

      it('the parts of a call may stand in the query and in the form, each once [D-14]', async () => {
        const { status, body } = await send('scope=r_cx_measures', {
          body: grantType,
          headers: { authorization: own(), 'content-type': form },
        });
        assert.equal(status, 200);
        assert.equal(body.expires_in, 7200);
        assert.equal(body.scope, 'r_cx_measures');
      });

      it('the content type is read without regard to case and parameters [D-14]', async () => {
        for (const type of [`${form};charset=UTF-8`, form.toUpperCase(), `${form} ; charset=utf-8`])
          assert.equal(
            (await formCall(basicCall, { authorization: own(), 'content-type': type })).status,
            200,
          );
      });

      it('names it does not know are ignored in the form too [D-14]', async () => {
        assert.equal((await formCall(`${basicCall}&resource=x&resource=y&assertion=z`)).status, 200);
      });

      for (const [type, body] of [
        ['application/json', '{"grant_type":"client_credentials","scope":"r_cx_basic"}'],
        ['application/json', '{'],
        ['text/plain', basicCall],
        ['multipart/form-data; boundary=x', '--x--'],
        ['nonsense', basicCall],
      ] as const) {
        it(`any other body is a bad request, whatever the query says: ${type} ${body.slice(0, 2)}... [D-14]`, async () => {
          const headers = { authorization: own(), 'content-type': type };
          assertInvalid(await send(basicCall, { body, headers }), 'Content-Type INVALID');
        });
      }

      it('a body without a content type is a bad request [D-14]', async () => {
        assertInvalid(
          await send('', { body: basicCall, headers: { authorization: own() } }),
          'Content-Type INVALID',
        );
      });

      it('a form that is no text leads to a refusal and to nothing else', async () => {
        const noText = Buffer.concat([Buffer.from(`${grantType}&scope=`), Buffer.from([0xff, 0xfe, 0x00])]);
        const headers = { authorization: own(), 'content-type': form };
        assertRefused(await send('', { body: noText, headers }), 400, 'INVALID_SCOPE', 'invalid_scope');
      });
    });

    describe('what leaves the call in doubt', () => {
      const twice: readonly [string, string, string | null, string][] = [
        ['in the query', `${basicCall}&scope=r_cx_basic`, null, 'scope'],
        ['in the query', `${basicCall}&${grantType}`, null, 'grant_type'],
        ['in the query, once empty', `${basicCall}&scope=`, null, 'scope'],
        ['in the form', '', `${basicCall}&scope=r_cx_basic`, 'scope'],
        ['in the form', '', `${basicCall}&${grantType}`, 'grant_type'],
        ['in both', 'scope=r_cx_basic', basicCall, 'scope'],
        ['in both', grantType, basicCall, 'grant_type'],
      ];
      for (const [where, query, body, field] of twice) {
        it(`${field} given twice ${where} is a bad request [D-14]`, async () => {
          const answer =
            body === null
              ? queryCall(query)
              : send(query, { body, headers: { authorization: own(), 'content-type': form } });
          assertInvalid(await answer, `${field} REPEATED`);
        });
      }

      it('every name that is given twice is named [D-14] [D-22]', async () => {
        assertInvalid(await queryCall(`${basicCall}&${basicCall}`), 'grant_type REPEATED', 'scope REPEATED');
      });

      it('client_id and client_secret given twice are a bad request [D-14]', async () => {
        assertInvalid(
          await formCall(`${basicCall}&${posted()}&${posted()}`, {}),
          'client_id REPEATED',
          'client_secret REPEATED',
        );
      });

      it('a secret in the address is refused although it is right, and not repeated in the answer [D-14]', async () => {
        for (const headers of [{ 'content-type': form }, { 'content-type': form, authorization: own() }]) {
          const answer = await send(`${basicCall}&${posted()}`, { headers });
          assertInvalid(answer, 'client_secret INVALID');
          assert.ok(!answer.text.includes(client.clientSecret));
        }
      });

      it('two ways of authenticating at once are a bad request, even when both are right [D-14]', async () => {
        assertInvalid(await formCall(`${basicCall}&${posted()}`), 'client_secret INVALID');
        assertInvalid(
          await formCall(`${basicCall}&${posted()}`, { authorization: 'Bearer x' }),
          'client_secret INVALID',
        );
      });
    });

    describe('who asks', () => {
      it('no credentials: 401 with the way to authenticate [D-14] [D-20]', async () => {
        for (const answer of [
          await send(basicCall, { headers: { 'content-type': form } }),
          await formCall(basicCall, {}),
          await formCall(`${basicCall}&client_id=${client.clientId}`, {}),
          await formCall(`${basicCall}&client_secret=${client.clientSecret}`, {}),
        ]) {
          assertRefused(answer, 401, 'CREDENTIALS_REQUIRED', 'invalid_client');
          assert.match(String(answer.headers['www-authenticate']), /^Basic realm="/);
        }
      });

      it('credentials that are wrong in any way: one and the same 401, in the header and in the form [D-15]', async () => {
        const { clientId, clientSecret } = client;
        const other = measuresOnly;
        const wrong = [
          basic(clientId, `${clientSecret.slice(0, -1)}${clientSecret.endsWith('A') ? 'B' : 'A'}`),
          basic(clientId, other.clientSecret),
          basic(clientId, ''),
          basic(clientId, ` ${clientSecret}`),
          basic(clientId, `${clientSecret}\n`),
          basic(clientId.toUpperCase(), clientSecret),
          basic(`${clientId}0`, clientSecret),
          basic('sc_00000000000000000000000000000000', clientSecret),
          basic('nobody', 'nothing'),
          basic("' or 1=1 --", clientSecret),
          basic('a\0b', clientSecret),
          basic('%00', clientSecret),
          basic('\ud83d\ude00', clientSecret),
          basic('x'.repeat(5000), clientSecret),
          basic(disabled.clientId, disabled.clientSecret),
          basic('', clientSecret),
          `Basic ${Buffer.from(clientId).toString('base64')}`,
          'Basic',
          'Basic !!!!',
          `Bearer ${clientSecret}`,
          `${clientId}:${clientSecret}`,
        ];
        const answers = await Promise.all(
          wrong.map((authorization) => queryCall(basicCall, { authorization })),
        );
        const postedWrong = [
          `client_id=${clientId}&client_secret=wrong`,
          `client_id=nobody&client_secret=${clientSecret}`,
          `client_id=%00&client_secret=${clientSecret}`,
          `client_id=${disabled.clientId}&client_secret=${disabled.clientSecret}`,
        ];
        answers.push(...(await Promise.all(postedWrong.map((body) => formCall(`${basicCall}&${body}`, {})))));
        const expected = tellingPart(answers[0]!);
        for (const answer of answers) {
          assertRefused(answer, 401, 'INVALID_CLIENT', 'invalid_client');
          assert.match(String(answer.headers['www-authenticate']), /^Basic realm="/);
          assert.deepEqual(tellingPart(answer), expected);
        }
      });

      it('an unknown client and a wrong secret take the same time [D-15]', async () => {
        const tries = {
          unknown: basic(`${client.clientId.slice(0, -4)}0000`, client.clientSecret),
          wrong: basic(client.clientId, measuresOnly.clientSecret),
        };
        const timesMs: Record<keyof typeof tries, number[]> = { unknown: [], wrong: [] };
        for (let round = 0; round < 160; round += 1) {
          for (const name of round % 2 === 0
            ? (['unknown', 'wrong'] as const)
            : (['wrong', 'unknown'] as const)) {
            const took = fairClock(process.pid);
            await queryCall(basicCall, { authorization: tries[name] });
            timesMs[name].push(took());
          }
        }
        // Of the quicker half: other work on the machine makes calls longer, and none shorter.
        const usual = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 2]!;
        const ratio = usual(timesMs.unknown) / usual(timesMs.wrong);
        assert.ok(ratio > 0.7 && ratio < 1.4, `unknown took ${ratio} times as long as wrong`);
      });

      it('only the keyed hash of a secret is kept, 256 random bits of it were shown once [D-15]', async () => {
        assert.match(client.clientSecret, /^sdgs_[\w-]{43}$/);
        const kept = JSON.stringify(await wholeStore(store.databaseUrl));
        assert.ok(kept.includes(client.clientId));
        const bits = client.clientSecret.slice('sdgs_'.length);
        for (const spelling of [
          bits,
          Buffer.from(bits, 'base64url').toString('hex'),
          Buffer.from(client.clientSecret).toString('base64'),
        ])
          assert.ok(!kept.includes(spelling));
        assert.ok(!service.output().includes(bits));
      });
    });

    describe('what is asked for', () => {
      it('another grant type is refused by name [D-14]', async () => {
        for (const type of ['password', 'authorization_code', 'refresh_token', 'CLIENT_CREDENTIALS']) {
          const answers = [
            await queryCall(`grant_type=${type}&scope=r_cx_basic`),
            await formCall(`grant_type=${type}`),
          ];
          for (const answer of answers) {
            assertRefused(answer, 400, 'UNSUPPORTED_GRANT_TYPE', 'unsupported_grant_type');
            assert.deepEqual(faultsOf(answer), ['grant_type INVALID']);
          }
        }
      });

      it('every scope there is may be asked for, alone or with others, and the answer repeats what was asked for [D-11]', async () => {
        for (const scope of [
          'r_cx_basic',
          ...allGrants,
          allGrants.join(' '),
          'w_cx_users r_cx_users',
          'r_cx_basic r_cx_users',
        ]) {
          const asked = new URLSearchParams({ grant_type: 'client_credentials', scope });
          const answers = [await queryCall(String(asked)), await formCall(String(asked))];
          for (const { status, body } of answers) {
            assert.equal(status, 200);
            assert.equal(body.scope, scope);
          }
        }
      });

      it('an unknown scope is a bad request, judged before one that was not granted [D-11]', async () => {
        const authorization = basic(measuresOnly.clientId, measuresOnly.clientSecret);
        for (const scope of [
          'r_cx_everything',
          'R_CX_BASIC',
          'r_cx_basic,r_cx_users',
          'r_cx_users r_cx_none',
          'r_cx_none w_cx_users',
          'r_cx_measures%09r_cx_users',
        ]) {
          for (const answer of [
            await queryCall(`${grantType}&scope=${scope}`, { authorization }),
            await formCall(`${grantType}&scope=${scope}`, { authorization }),
          ]) {
            assertRefused(answer, 400, 'INVALID_SCOPE', 'invalid_scope');
            assert.deepEqual(faultsOf(answer), ['scope INVALID']);
          }
        }
      });

      it('a scope that was not granted is forbidden, also beside one that was [D-11]', async () => {
        const authorization = basic(measuresOnly.clientId, measuresOnly.clientSecret);
        for (const scope of ['r_cx_users', 'r_cx_measures%20r_cx_users', 'r_cx_basic+w_cx_users']) {
          for (const answer of [
            await queryCall(`${grantType}&scope=${scope}`, { authorization }),
            await formCall(`${grantType}&scope=${scope}`, { authorization }),
          ]) {
            assertRefused(answer, 403, 'SCOPE_NOT_GRANTED', 'invalid_scope');
            assert.match(String(answer.body.message), /[rw]_cx_users/);
          }
        }
      });

      it('r_cx_basic opens what the client was granted and nothing more [D-11]', async () => {
        const usersOnly = await createClient(env, 1, ['r_cx_users']);
        assert.equal((await read(await tokenFor(service.baseUrl, measuresOnly))).status, 200);
        const refusal = await read(await tokenFor(service.baseUrl, usersOnly));
        assert.deepEqual([refusal.status, refusal.body.errorCode], [403, 'INSUFFICIENT_SCOPE']);
      });

      it('a narrow token opens less, and the refusal names what is needed in message and header [D-11]', async () => {
        assert.equal(
          (await read(await tokenFor(service.baseUrl, client, 'r_cx_projects r_cx_measures'))).status,
          200,
        );
        const refusal = await read(await tokenFor(service.baseUrl, client, 'r_cx_projects w_cx_users'));
        assert.deepEqual([refusal.status, refusal.body.errorCode], [403, 'INSUFFICIENT_SCOPE']);
        assert.match(String(refusal.body.message), /r_cx_measures/);
        const challenge = String(refusal.headers['www-authenticate']);
        assert.match(challenge, /^Bearer /);
        assert.match(challenge, /error="insufficient_scope"/);
        assert.match(challenge, /scope="r_cx_measures"/);
        assert.equal(refusal.body.items, undefined);
      });
    });

    describe('a refusal', () => {
      it('holds the body of the interface and the pair of RFC 6749 in one object, and nobody may keep it [D-14] [D-22]', async () => {
        const refusals = [
          await queryCall(grantType),
          await queryCall(`${grantType}&scope=%22%5C%C3%A9`),
          await queryCall(basicCall, { authorization: 'Basic x' }),
          await queryCall(`${grantType}&scope=r_cx_users`, {
            authorization: basic(measuresOnly.clientId, measuresOnly.clientSecret),
          }),
          await queryCall(basicCall, { accept: 'text/html' }),
          await exchange(`${service.baseUrl}/v1/token`, { headers: { accept: '*/*' } }),
          await exchange(`${service.baseUrl}/v1/token/more`, { method: 'POST' }),
          await formCall('x'.repeat(1_100_000)),
        ];
        assert.deepEqual(
          refusals.map(({ status }) => status),
          [400, 400, 401, 403, 406, 405, 404, 413],
        );
        for (const { status, headers, body } of refusals) {
          assert.deepEqual(
            Object.keys(body).sort(),
            [
              'detailedErrors',
              'error',
              'error_description',
              'errorCode',
              'message',
              'status',
              'timestamp',
            ].sort(),
          );
          assert.equal(body.status, status);
          assert.match(String(body.timestamp), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
          assert.match(String(body.errorCode), /^[A-Z_]+$/);
          assert.ok(Array.isArray(body.detailedErrors));
          // The characters that RFC 6749 section 5.2 allows.
          assert.match(String(body.error), /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
          assert.match(String(body.error_description), /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
          assert.equal(headers['cache-control'], 'no-store');
          assert.equal(headers.pragma, 'no-cache');
        }
      });

      it('comes in the order of judging: credentials, then Accept, then parameters, then the grant [D-24b]', async () => {
        const wrong = basic(client.clientId, 'wrong');
        const rows: readonly [string, Record<string, string>, number][] = [
          ['scope=none', { authorization: wrong, accept: 'text/html' }, 401],
          ['scope=none', { accept: 'text/html' }, 406],
          [`${grantType}&scope=none`, {}, 400],
        ];
        for (const [query, headers, status] of rows)
          assert.equal((await queryCall(query, headers)).status, status);
        const missing = await send('', { headers: { accept: 'text/html' } });
        assert.equal(missing.status, 401);
      });

      it('Accept is honoured and may be missing [D-25]', async () => {
        for (const accept of ['application/json', '*/*', 'text/html, application/*;q=0.1'])
          assert.equal((await queryCall(basicCall, { accept })).status, 200);
        assertRefused(
          await queryCall(basicCall, { accept: 'application/json;q=0' }),
          406,
          'NOT_ACCEPTABLE',
          'invalid_request',
        );
      });
    });

    it('issuing tokens leaves no rows behind [D-13]', async () => {
      const counts = async (): Promise<Record<string, number>> => {
        const tables = await storeWithoutNotes(store.databaseUrl);
        return Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, rows.length]));
      };
      const beforehand = await counts();
      const answers = await Promise.all(Array.from({ length: 30 }, () => queryCall(basicCall)));
      assert.equal(new Set(answers.map(({ body }) => body.access_token)).size, 30);
      assert.deepEqual(await counts(), beforehand);
    });

    it('what was issued outlives the process, and the lifetime is a setting [D-13]', async () => {
      const issued = await tokenFor(service.baseUrl, client);
      await service.stop();
      service = await startService({ ...env, SOUNDINGS_TOKEN_LIFETIME_SECONDS: '61' });
      assert.equal((await read(issued)).status, 200);
      const short = await queryCall(basicCall);
      assert.equal(short.body.expires_in, '61');
      const claims = JSON.parse(
        Buffer.from(String(short.body.access_token).split('.')[1]!, 'base64url').toString(),
      ) as { iat: number; exp: number };
      assert.equal(claims.exp - claims.iat, 61);
      assert.equal((await formCall(basicCall)).body.expires_in, 61);
    });

    it('RFC 8414 metadata says where tokens are issued and how [D-13]', async () => {
      const { status, body } = await exchange(`${service.baseUrl}/.well-known/oauth-authorization-server`);
      assert.equal(status, 200);
      assert.equal(body.issuer, service.baseUrl);
      assert.equal(body.token_endpoint, `${service.baseUrl}/v1/token`);
      assert.deepEqual(body.grant_types_supported, ['client_credentials']);
      assert.deepEqual(body.token_endpoint_auth_methods_supported, [
        'client_secret_basic',
        'client_secret_post',
      ]);
      assert.deepEqual(body.scopes_supported, ['r_cx_basic', ...allGrants]);
    });
  });
}
