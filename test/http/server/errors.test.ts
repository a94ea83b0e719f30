import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import zlib from 'node:zlib';
import Type from 'typebox';
import { bugText, ingestionLimitBytes, mountAreas, readingPaths } from '../../support/area-routes.ts';
import { engines, sqlite, type TestStore } from '../../support/engines.ts';
import { type Answer, basic, exchange } from '../../support/exchange.ts';
import {
  type Area,
  addRoute,
  areas,
  type Code,
  type Condition,
  codes,
  type Mounted,
  Problem,
  startMounted,
} from '../../support/mounted.ts';
import { publishedCodes } from '../../support/published-codes.ts';
import { rawRequest, sendRaw } from '../../support/raw-http.ts';
import { type ApiClientCredentials, tokenFor } from '../../support/service.ts';

/** D-20 as it is written, with a code of each condition. */
const conditions: Readonly<Record<Condition, { status: number; code: Code }>> = {
  badRequest: { status: 400, code: 'INVALID_REQUEST' },
  unauthenticated: { status: 401, code: 'TOKEN_EXPIRED' },
  forbidden: { status: 403, code: 'INSUFFICIENT_SCOPE' },
  notFound: { status: 404, code: 'MEASURE_NOT_FOUND' },
  methodNotSupported: { status: 405, code: 'METHOD_NOT_SUPPORTED' },
  notAcceptable: { status: 406, code: 'NOT_ACCEPTABLE' },
  conflict: { status: 409, code: 'CONFLICT' },
  gone: { status: 410, code: 'CHANGES_GONE' },
  preconditionFailed: { status: 412, code: 'PRECONDITION_FAILED' },
  bodyTooLarge: { status: 413, code: 'BODY_TOO_LARGE' },
  unsupportedMediaType: { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' },
  throttled: { status: 429, code: 'THROTTLED' },
  serverError: { status: 500, code: 'INTERNAL_ERROR' },
  notImplemented: { status: 501, code: 'ME_NOT_SUPPORTED' },
  downstreamError: { status: 502, code: 'STORE_UNREACHABLE' },
  serviceUnavailable: { status: 503, code: 'MAINTENANCE' },
};

const serviceMembers = ['detailedErrors', 'errorCode', 'message', 'status', 'timestamp'];
/** The members of each body, to the letter of the interface; the token's pair is RFC 6749's. */
const members: Readonly<Record<Area, readonly string[]>> = {
  service: serviceMembers,
  token: [...serviceMembers, 'error', 'error_description'].sort(),
  ingestion: ['detailedErrors', 'errorCode', 'message', 'responseCode', 'responseType', 'timestamp'],
  project: ['errorCode', 'message'],
  projectData: ['message', 'status', 'timestamp'],
  scim: ['detail', 'schemas', 'status'],
  console: ['code', 'detail', 'faults', 'requestId', 'status', 'title', 'type'],
};

/** Holds an answer against the body of its area, whole: no member missing, none more, none of another type. */
function assertBody(answer: Answer, area: Area, status: number, code: Code): void {
  const { body } = answer;
  const what = `${area} ${code}: ${answer.text}`;
  assert.equal(answer.status, status, what);
  const expected = 'scimType' in body ? [...members.scim, 'scimType'].sort() : members[area];
  assert.deepEqual(Object.keys(body).sort(), expected, what);
  const types: Partial<Record<Area, string>> = {
    scim: 'application/scim+json',
    console: 'application/problem+json',
  };
  assert.equal(answer.headers['content-type'], types[area] ?? 'application/json; charset=utf-8', what);
  if (area === 'console') {
    assert.deepEqual([body.status, body.code, body.title], [status, code, codes[code].meaning], what);
    assert.equal(body.requestId, answer.headers['x-request-id'], what);
    return;
  }
  if (area === 'scim') {
    assert.deepEqual(body.schemas, ['urn:ietf:params:scim:api:messages:2.0:Error'], what);
    assert.equal(body.status, String(status), what);
    assert.equal(typeof body.detail, 'string', what);
    return;
  }
  assert.equal(typeof body.message, 'string', what);
  assert.notEqual(body.message, '', what);
  if (area === 'project') return assert.equal(body.errorCode, codes[code].number, what);
  assert.match(String(body.timestamp), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, what);
  if (area === 'projectData') return assert.equal(body.status, status, what);
  assert.equal(body.errorCode, code, what);
  assert.ok(Array.isArray(body.detailedErrors), what);
  if (area === 'ingestion') {
    assert.equal(body.responseCode, status, what);
    assert.equal(body.responseType, 'ERROR', what);
    return;
  }
  assert.equal(body.status, status, what);
}

const codeOf = (answer: Answer): unknown =>
  answer.body.errorCode ?? answer.body.scimType ?? answer.body.message;

for (const engine of engines) {
  describe(`errors through HTTP on ${engine.name}`, () => {
    let store: TestStore;
    let service: Mounted;
    let client: ApiClientCredentials;
    let authorization: string;
    const at = (path: string): string => service.baseUrl + path;

    before(async () => {
      store = await engine.readyStore();
      service = await startMounted({
        databaseUrl: store.databaseUrl,
        env: { SOUNDINGS_LOG_LEVEL: 'trace' },
        mount: mountAreas,
      });
      service.expectErrors('INTERNAL_ERROR', 'STORE_UNREACHABLE', 'STORE_FULL', 'WRITE_QUEUE_FULL');
      client = await service.newClient();
      authorization = `Bearer ${await tokenFor(service.baseUrl, client)}`;
    });
    after(async () => {
      await service?.stop();
      await store?.dispose();
    });

    describe('conditions and bodies', () => {
      for (const [condition, { status, code }] of Object.entries(conditions)) {
        it(`${condition} is ${status} in every one of the bodies [D-20] [D-22]`, async () => {
          for (const area of areas) {
            const answer = await exchange(at(`/mounted/throws/${area}/${code}`));
            assertBody(answer, area, status, code);
          }
        });
      }

      it('unauthenticated names the way to authenticate, throttled and unavailable when to come back [D-20]', async () => {
        for (const area of areas) {
          const seconds = /^[1-9]\d*$/;
          const headersOf = async (code: Code): Promise<Answer['headers']> =>
            (await exchange(at(`/mounted/throws/${area}/${code}`))).headers;
          const challenge = (await headersOf('INVALID_TOKEN'))['www-authenticate'];
          // A browser that is challenged asks its user for a password of its own.
          if (area === 'console') assert.equal(challenge, undefined);
          else assert.match(String(challenge), /^Bearer realm=/);
          assert.match(String((await headersOf('THROTTLED'))['retry-after']), seconds);
          for (const code of ['MAINTENANCE', 'STORE_FULL', 'WRITE_QUEUE_FULL'] as const)
            assert.match(String((await headersOf(code))['retry-after']), seconds);
        }
      });

      it('no error is kept by a cache', async () => {
        for (const { code } of Object.values(conditions)) {
          const { headers } = await exchange(at(`/mounted/throws/service/${code}`));
          assert.equal(headers['cache-control'], 'no-store');
        }
      });

      it('the token endpoint says its errors in both languages [D-14] [D-22]', async () => {
        const said = async (code: Code): Promise<unknown> =>
          (await exchange(at(`/mounted/throws/token/${code}`))).body.error;
        assert.equal(await said('INVALID_REQUEST'), 'invalid_request');
        assert.equal(await said('INVALID_CLIENT'), 'invalid_client');
        assert.equal(await said('UNSUPPORTED_GRANT_TYPE'), 'unsupported_grant_type');
        assert.equal(await said('INVALID_SCOPE'), 'invalid_scope');
        assert.equal(await said('SCOPE_NOT_GRANTED'), 'invalid_scope');
        assert.equal(await said('INTERNAL_ERROR'), 'server_error');
        assert.equal(await said('STORE_UNREACHABLE'), 'server_error');
        assert.equal(await said('MAINTENANCE'), 'temporarily_unavailable');
      });

      it('RFC 7644 has words of its own for syntax, values and uniqueness [D-22]', async () => {
        const said = async (code: Code): Promise<unknown> =>
          (await exchange(at(`/mounted/throws/scim/${code}`))).body.scimType;
        assert.equal(await said('MALFORMED_JSON'), 'invalidSyntax');
        assert.equal(await said('INVALID_REQUEST'), 'invalidValue');
        assert.equal(await said('USER_NAME_TAKEN'), 'uniqueness');
        assert.equal(await said('MEASURE_NOT_FOUND'), undefined);
      });
    });

    describe('every fault at once', () => {
      const faulty = {
        surveyDefinitionId: 3,
        completionTimeInMs: 'soon',
        isTest: 'true',
        emails: [{ value: 'a' }, {}, { value: 1 }],
      };
      const wrongFields = [
        'completionTimeInMs',
        'emails[1].value',
        'emails[2].value',
        'isTest',
        'surveyDefinitionId',
      ];
      const post = (area: Exclude<Area, 'token'>, path = ''): Promise<Answer> =>
        exchange(at(`${readingPaths[area]}/write${path}`), {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify(faulty),
        });

      it('detailedErrors names every fault of form by field, code and sentence [D-22]', async () => {
        for (const area of ['service', 'ingestion'] as const) {
          const answer = await post(area, '?surplus=1');
          assertBody(answer, area, 400, 'INVALID_REQUEST');
          const details = answer.body.detailedErrors as { field: string; code: string; message: string }[];
          assert.deepEqual(details.map(({ field }) => field).sort(), [...wrongFields, 'surplus'].sort());
          for (const detail of details) {
            assert.deepEqual(Object.keys(detail).sort(), ['code', 'field', 'message']);
            assert.match(detail.code, /^[A-Z_]+$/);
            assert.notEqual(detail.message, '');
          }
        }
      });

      it('bodies without detailedErrors say every fault in their sentence, and get no member more [D-22]', async () => {
        for (const area of ['project', 'projectData', 'scim'] as const) {
          const answer = await post(area);
          assertBody(answer, area, 400, 'INVALID_REQUEST');
          const sentence = String(answer.body.message ?? answer.body.detail);
          for (const field of wrongFields) assert.ok(sentence.includes(field), `${field}: ${sentence}`);
        }
      });

      it('where there is nothing to add, detailedErrors is an empty list [D-22]', async () => {
        for (const area of ['service', 'token', 'ingestion'] as const) {
          const answer = await exchange(at(`/mounted/throws/${area}/NOT_ACCEPTABLE`));
          assert.deepEqual(answer.body.detailedErrors, []);
        }
      });
    });

    describe('failures of ours', () => {
      it('a bug is a server error that says nothing of itself, and the request id leads to it in the log [D-23]', async () => {
        for (const area of areas) {
          const answer = await exchange(at(`/mounted/throws/${area}/a-bug`));
          assertBody(answer, area, 500, 'INTERNAL_ERROR');
          const leaving = answer.text + JSON.stringify(answer.headers);
          for (const inside of [bugText, 'a-bug', 'select', '.ts', 'Error:', 'node:', '/srv'])
            assert.ok(!leaving.includes(inside), `${inside} in ${leaving}`);
          const id = String(answer.headers['x-request-id']);
          const lines = service
            .log()
            .split('\n')
            .filter((line) => line.includes(id) && line.includes('INTERNAL_ERROR'));
          assert.equal(lines.length, 1);
        }
      });

      it('a statement that the store refuses is no fault of the caller, and no SQL leaves [D-23]', async () => {
        const answer = await exchange(at('/mounted/fails/sql'));
        assertBody(answer, 'service', 500, 'INTERNAL_ERROR');
        assert.doesNotMatch(
          answer.text,
          /select|no_such_table|secret_column|sqlite|postgres|relation|syntax/i,
        );
      });
    });

    describe('routes and methods', () => {
      const unknown: readonly [string, Area][] = [
        ['/nothing', 'service'],
        ['/v1', 'service'],
        ['/v1/measures//', 'service'],
        ['/v1/measures/7/nothing', 'service'],
        ['/v1/scim/nothing', 'service'],
        ['/v1/tokens', 'service'],
        ['/v1/token/nothing', 'token'],
        ['/v1/surveys/ingestion/nothing', 'ingestion'],
        ['/v1/projects/7', 'project'],
        ['/v1/projects/7/nothing', 'project'],
        ['/v1/projects/7/definition/nothing', 'project'],
        ['/v1/projects/7/data/nothing', 'projectData'],
        ['/scim/v2/nothing', 'scim'],
        ['/scim/v2', 'scim'],
      ];
      it('an unknown address is not found, in the body of the area it lies below [D-22]', async () => {
        for (const [path, area] of unknown) {
          for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
            const answer = await exchange(at(path), { method });
            if (area === 'projectData' || area === 'project' || area === 'scim')
              assert.equal(answer.status, 404, `${method} ${path}`);
            assertBody(answer, area, 404, 'ROUTE_NOT_FOUND');
          }
        }
      });

      it('an unknown address is not found whatever body comes with it, and the body is not judged [D-24b]', async () => {
        for (const body of ['{{{', '{}', 'x'.repeat(2 * 1024 * 1024)]) {
          const answer = await exchange(at('/nothing'), {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body,
          });
          assertBody(answer, 'service', 404, 'ROUTE_NOT_FOUND');
        }
      });

      it('a method that an endpoint does not take is refused with the list of those it takes [D-20] [D-22]', async () => {
        const cases: readonly [string, string, Area, string][] = [
          ['GET', '/v1/token', 'token', 'OPTIONS, POST'],
          ['HEAD', '/v1/token', 'token', 'OPTIONS, POST'],
          ['POST', '/v1/measures', 'service', 'GET, HEAD, OPTIONS'],
          ['DELETE', readingPaths.ingestion, 'ingestion', 'GET, HEAD, OPTIONS'],
          ['PUT', readingPaths.project, 'project', 'GET, HEAD, OPTIONS'],
          ['PATCH', readingPaths.projectData, 'projectData', 'GET, HEAD, OPTIONS'],
          ['PROPFIND', readingPaths.scim, 'scim', 'GET, HEAD, OPTIONS'],
          ['GET', `${readingPaths.scim}/write`, 'scim', 'OPTIONS, POST'],
          ['TRACE', '/livez', 'service', 'GET, HEAD, OPTIONS'],
          ['POST', '/%6civez', 'service', 'GET, HEAD, OPTIONS'],
        ];
        for (const [method, path, area, allow] of cases) {
          const answer = await exchange(at(path), { method });
          assert.equal(answer.headers.allow, allow, `${method} ${path}`);
          if (method === 'HEAD') assert.equal(answer.status, 405);
          else assertBody(answer, area, 405, 'METHOD_NOT_SUPPORTED');
        }
      });

      it('OPTIONS says what is allowed, without credentials and without a body [D-24b]', async () => {
        const answer = await exchange(at('/v1/measures'), { method: 'OPTIONS' });
        assert.equal(answer.status, 204);
        assert.equal(answer.headers.allow, 'GET, HEAD, OPTIONS');
        assert.equal(answer.text, '');
      });

      it('HEAD answers like GET without a body, refusals too [D-24b]', async () => {
        const cases = [
          { path: '/v1/measures', headers: { authorization, accept: 'application/json' } },
          { path: '/v1/measures', headers: { authorization } },
          { path: '/v1/measures', headers: {} },
          { path: '/nothing', headers: {} },
          { path: '/mounted/text/5000', headers: {} },
          { path: '/mounted/text/5000', headers: { 'accept-encoding': 'gzip' } },
        ];
        for (const { path, headers } of cases) {
          const get = await exchange(at(path), { headers });
          const head = await exchange(at(path), { method: 'HEAD', headers });
          assert.equal(head.status, get.status);
          assert.equal(head.text, '');
          for (const name of [
            'content-type',
            'content-length',
            'content-encoding',
            'vary',
            'www-authenticate',
          ])
            assert.deepEqual(head.headers[name], get.headers[name], `${path} ${name}`);
        }
      });

      it('an address that cannot be decoded is a bad request in the body of its area [D-22]', async () => {
        const cases: readonly [string, Area][] = [
          ['/v1/projects/%zz/data', 'projectData'],
          ['/v1/projects/%ff', 'project'],
          ['/v1/surveys/ingestion/%', 'ingestion'],
          ['/scim/v2/Users/%e0%a4%a', 'scim'],
          ['/v1/token/%c0%80', 'token'],
          ['/v1/measures/%', 'service'],
          ['/v1/measures?limit=%zz', 'service'],
          ['/v1/measures?limit=%ff', 'service'],
          ['/v1/measures?%e0%a4%a=1', 'service'],
          ['/v1/measures?limit=%00', 'service'],
          ['/v1/mea%00sures', 'service'],
          ['/v1/token?scope=%ed%a0%80', 'token'],
          ['/%', 'service'],
        ];
        for (const [path, area] of cases) {
          const { statuses, text } = await sendRaw(service.baseUrl, rawRequest(`GET ${path} HTTP/1.1`));
          const body = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>;
          assert.deepEqual(statuses, [400], path);
          const expected = 'scimType' in body ? [...members.scim, 'scimType'].sort() : members[area];
          assert.deepEqual(Object.keys(body).sort(), expected, path);
          assert.match(text, /^x-request-id: /m, path);
          if (area !== 'scim' && area !== 'projectData' && area !== 'project')
            assert.equal(body.errorCode, 'MALFORMED_URL');
        }
      });
    });

    describe('parameters', () => {
      const refused = [
        'count=1.5',
        'count=1e3',
        'count=',
        'count=%20',
        'count=+1',
        'count=0x10',
        'count=one',
        'count=-1',
        'count=201',
        'count=99999999999999999999',
        'count=NaN',
        'count=1&count=2',
        'count=1&count=1',
        'count[]=1',
        'active=1',
        'active=0',
        'active=',
        'active=yes',
        'active=true&active=true',
        'surplus=1',
        'Count=1',
        'count=1&surplus',
        '__proto__=1',
        'constructor=1',
        'hasOwnProperty=1',
      ];
      it('an unknown, repeated or unreadable parameter is a bad request that names it [D-24]', async () => {
        for (const area of ['service', 'ingestion', 'project', 'projectData'] as const) {
          for (const query of refused) {
            const answer = await exchange(at(`${readingPaths[area]}?${query}`), {
              headers: { authorization },
            });
            assertBody(answer, area, 400, 'INVALID_REQUEST');
            const wrong = [
              'surplus',
              'active',
              'count[]',
              'Count',
              '__proto__',
              'constructor',
              'hasOwnProperty',
            ];
            const name = wrong.find((candidate) => query.includes(candidate)) ?? 'count';
            assert.ok(String(answer.body.message).includes(name), `${query}: ${answer.text}`);
          }
        }
      });

      it('a readable one arrives as what it is, whole or true or false [D-24]', async () => {
        const ask = async (query: string): Promise<unknown> =>
          (await exchange(at(`${readingPaths.service}?${query}`), { headers: { authorization } })).body;
        for (const word of ['false', 'False', 'FALSE'])
          assert.deepEqual(await ask(`count=200&active=${word}`), {
            area: 'service',
            count: 200,
            active: false,
          });
        assert.deepEqual(await ask('active=tRuE'), { area: 'service', active: true });
        assert.deepEqual(await ask(''), { area: 'service' });
      });

      it('RFC 7644 and the token endpoint ignore unknown parameters, as their clients expect [D-24]', async () => {
        const scim = await exchange(at(`${readingPaths.scim}?surplus=1&count=3`), {
          headers: { authorization },
        });
        assert.equal(scim.status, 200);
        assert.equal(scim.body.count, 3);
        const token = await exchange(
          at('/v1/token?grant_type=client_credentials&scope=r_cx_basic&surplus=1'),
          {
            method: 'POST',
            headers: {
              authorization: basic(client.clientId, client.clientSecret),
              'content-type': 'text/plain',
            },
          },
        );
        assert.equal(token.status, 200);
      });

      it('an endpoint that takes no parameter refuses every one [D-24]', async () => {
        const answer = await exchange(at('/mounted/text/16?surplus=1'));
        assert.equal(answer.body.errorCode, 'INVALID_REQUEST');
      });
    });

    describe('Accept', () => {
      const json = 'application/json; charset=utf-8';
      const measures = (accept: string | null): Promise<Answer> =>
        exchange(at('/v1/measures'), {
          headers: accept === null ? { authorization } : { authorization, accept },
        });

      it('missing where it is required is a bad request that names it; elsewhere it means anything [D-25]', async () => {
        const answer = await measures(null);
        assertBody(answer, 'service', 400, 'ACCEPT_REQUIRED');
        assert.equal((answer.body.detailedErrors as { field: string }[])[0]?.field, 'Accept');
        const elsewhere = await exchange(at(readingPaths.project), { headers: { authorization } });
        assert.equal(elsewhere.status, 200);
      });

      const satisfiable = [
        'application/json',
        'APPLICATION/JSON',
        '*/*',
        'application/*',
        'application/*;q=0.1',
        'application/json;q=0.001',
        'text/html, application/json;q=0.5',
        'text/html;q=1.0, */*;q=0.1',
        'application/json; charset=utf-8',
        'application/json;charset="utf-8";q=0.8',
        'application/vnd.example+json, application/json',
        'text/*;q=0, */*',
        '*/*;q=0, application/json',
        ' application/json ',
      ];
      it('q-values, wildcards and lists are understood [D-25]', async () => {
        for (const accept of satisfiable) {
          const answer = await measures(accept);
          assert.equal(answer.status, 200, accept);
          assert.equal(answer.headers['content-type'], json, accept);
        }
      });

      const notSatisfiable = [
        'text/html',
        'text/*',
        'application/xml',
        'application/json;q=0',
        '*/*;q=0',
        'application/*;q=0, text/html',
        'application/json;q=0, */*;q=1',
        'application/json;q=0.0',
        'application/jsonx',
        'json',
        'garbage',
        '*',
        'application/scim+json',
      ];
      it('what cannot be satisfied is not acceptable, in the body of the area [D-25] [D-22]', async () => {
        for (const accept of notSatisfiable) {
          assertBody(await measures(accept), 'service', 406, 'NOT_ACCEPTABLE');
        }
        for (const area of ['ingestion', 'project', 'projectData', 'scim'] as const) {
          const answer = await exchange(at(readingPaths[area]), {
            headers: { authorization, accept: 'text/html' },
          });
          assertBody(answer, area, 406, 'NOT_ACCEPTABLE');
        }
      });

      it('where there are two types, the caller chooses, and the first is the usual one [D-25]', async () => {
        const scim = 'application/scim+json';
        const cases: readonly [string, string][] = [
          ['*/*', scim],
          ['application/*', scim],
          [scim, scim],
          ['application/json', json],
          [`${scim};q=0.5, application/json`, json],
          [`${scim};q=0, */*`, json],
          ['application/json;q=0.9, application/scim+json;q=0.8', json],
        ];
        for (const [accept, type] of cases) {
          const answer = await exchange(at(readingPaths.scim), { headers: { authorization, accept } });
          assert.equal(answer.status, 200, accept);
          assert.equal(answer.headers['content-type'], type, accept);
        }
      });
    });

    describe('JSON bodies', () => {
      const post = (
        path: string,
        body: string | Uint8Array,
        type: string | null = 'application/json',
      ): Promise<Answer> =>
        exchange(at(path), {
          method: 'POST',
          headers: { authorization, ...(type === null ? {} : { 'content-type': type }) },
          body,
        });

      const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
      const bytes = (...parts: (string | number[])[]): Buffer =>
        Buffer.concat(parts.map((part) => Buffer.from(part as string)));
      const notStrict: readonly (string | Buffer)[] = [
        '{',
        '{"a":1,}',
        "{'a':1}",
        '{a:1}',
        '[1,]',
        '{"a":01}',
        '{"a":NaN}',
        '{"a":Infinity}',
        '{"a":undefined}',
        '{"a":1}{"b":2}',
        '// a comment\n{}',
        '{"a":"\u0001"}',
        '{"a":"tab\there"}',
        '"\\x41"',
        ' ',
        '\ufeff{}',
        bytes('{"a":"', [0xff], '"}'),
        bytes('{"a":"', [0xc0, 0x80], '"}'),
        bytes('{"a":"', [0xed, 0xa0, 0x80], '"}'),
        bytes('{"a":"', [0xf4, 0x90, 0x80, 0x80], '"}'),
        bytes('{"a":"', [0xe2, 0x82], '"}'),
        Buffer.from('{"a":1}', 'utf16le'),
        bytes('{"a":"', [0], '"}'),
        '{"a":"\\u0000"}',
        '{"\\u0000":1}',
        '{"a":"\\ud800"}',
        '{"a":"\\udc00\\ud800"}',
        '{"\\udfff":1}',
        '{"a":1e999}',
        '{"a":[-1e999]}',
        '{"__proto__":{"isTest":true}}',
        '{"a":{"__proto__":1}}',
        '{"a":[{"constructor":{"prototype":{}}}]}',
        '{"\\u005f_proto__":1}',
        nested(33),
        `{"a":${nested(32)}}`,
        nested(20_000),
        '['.repeat(200_000),
      ];
      it('what is not strict JSON is a bad request on either engine, never a failure of the store [D-26]', async () => {
        for (const body of notStrict) {
          const what = body.toString().slice(0, 60);
          const echoed = await post('/mounted/echo', body);
          assert.equal(codeOf(echoed), 'MALFORMED_JSON', what);
          assert.equal(echoed.status, 400, what);
          const written = await post(`${readingPaths.ingestion}/write`, body);
          assertBody(written, 'ingestion', 400, 'MALFORMED_JSON');
        }
        const polluted = ({} as Record<string, unknown>).isTest;
        assert.equal(polluted, undefined);
      });

      it('strict JSON is taken as it is, to the depth of 32, and of a repeated member the last counts [D-26]', async () => {
        const cases: readonly [string, unknown][] = [
          [nested(32), JSON.parse(nested(32))],
          ['{"a":1,"a":2}', { a: 2 }],
          ['"\\ud83d\\ude00 \u00e9\u0301"', '\u{1f600} \u00e9\u0301'],
          ['{"a":1.7976931348623157e308}', { a: Number.MAX_VALUE }],
          [' \r\n\t{"prototype":1} \n', { prototype: 1 }],
          ['null', null],
          ['0', 0],
          ['false', false],
          ['""', ''],
        ];
        for (const [text, value] of cases) {
          const answer = await post('/mounted/echo', text);
          assert.equal(answer.status, 200, text);
          assert.deepEqual(answer.body, { body: value });
        }
      });

      it('any well-formed text is kept by the store as it came [D-26]', async () => {
        const texts = [
          '\u{1f600}',
          '\u00e9',
          'e\u0301',
          '\u007f\u0085\u2028',
          '\ufffe\uffff',
          "'; drop table heartbeat; --",
          '\\u0000',
          '%00',
          '$1 ? :a',
          'x'.repeat(2_000),
        ];
        for (const text of texts) {
          const answer = await post(
            `${readingPaths.ingestion}/write`,
            JSON.stringify({ surveyDefinitionId: text }),
          );
          assert.deepEqual(answer.body, { kept: text });
        }
      });

      it('a body is not coerced: a text is no number and a number no text [D-26]', async () => {
        const faults: readonly [object, string][] = [
          [{ surveyDefinitionId: 3 }, 'surveyDefinitionId'],
          [{ surveyDefinitionId: null }, 'surveyDefinitionId'],
          [{ surveyDefinitionId: ['a'] }, 'surveyDefinitionId'],
          [{ surveyDefinitionId: 'a', pageVisits: 3 }, 'pageVisits'],
          [{ surveyDefinitionId: 'a', completionTimeInMs: '3' }, 'completionTimeInMs'],
          [{ surveyDefinitionId: 'a', completionTimeInMs: 1.5 }, 'completionTimeInMs'],
          [{ surveyDefinitionId: 'a', isTest: 'true' }, 'isTest'],
          [{ surveyDefinitionId: 'a', isTest: 0 }, 'isTest'],
          [{ surveyDefinitionId: 'a', emails: { value: 'a' } }, 'emails'],
        ];
        for (const [body, field] of faults) {
          const answer = await post(`${readingPaths.ingestion}/write`, JSON.stringify(body));
          assertBody(answer, 'ingestion', 400, 'INVALID_REQUEST');
          assert.deepEqual(
            (answer.body.detailedErrors as { field: string }[]).map((fault) => fault.field),
            [field],
          );
        }
      });

      it('a body that is required and missing or of another shape is a bad request, not a failure', async () => {
        for (const body of ['', '[]', '"text"', 'null', '3']) {
          assertBody(
            await post(`${readingPaths.ingestion}/write`, body),
            'ingestion',
            400,
            'INVALID_REQUEST',
          );
        }
      });

      it('another content type is not read, whatever the body says [D-20] [D-22]', async () => {
        const types = [
          'text/plain',
          'application/x-www-form-urlencoded',
          'application/xml',
          'application/jsonp',
          'application/json; charset=utf-16',
          'application/json;charset=iso-8859-1',
          'multipart/form-data; boundary=x',
          'json',
          'garbage/',
          null,
        ];
        for (const area of ['service', 'ingestion', 'project', 'projectData', 'scim'] as const) {
          for (const type of types) {
            const answer = await post(`${readingPaths[area]}/write`, '{"surveyDefinitionId":"a"}', type);
            assertBody(answer, area, 415, 'UNSUPPORTED_MEDIA_TYPE');
          }
        }
        for (const type of [
          'application/json;charset=UTF-8',
          'Application/JSON; charset="utf-8"',
          'application/json; profile=x',
        ]) {
          const answer = await post(`${readingPaths.ingestion}/write`, '{"surveyDefinitionId":"a"}', type);
          assert.equal(answer.status, 200, type);
        }
      });
    });

    describe('limits', () => {
      const filled = (size: number): string => {
        const frame = '{"surveyDefinitionId":"a","pageVisits":""}';
        return frame.replace('""}', `"${'x'.repeat(size - frame.length)}"}`);
      };
      const post = (area: Exclude<Area, 'token'>, body: string, headers = {}): Promise<Answer> =>
        exchange(at(`${readingPaths[area]}/write`), {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json', ...headers },
          body,
        });

      it('a body of 1 MiB is taken and one byte more is too large, in every body; ingestion has its own limit [D-27]', async () => {
        for (const area of ['service', 'ingestion', 'project', 'projectData', 'scim'] as const) {
          const limit = area === 'ingestion' ? ingestionLimitBytes : 1024 * 1024;
          assert.equal((await post(area, filled(limit))).status, 200, area);
          assertBody(await post(area, filled(limit + 1)), area, 413, 'BODY_TOO_LARGE');
        }
      });

      it('a body without a stated length is measured as it comes [D-27]', async () => {
        const chunked = { 'transfer-encoding': 'chunked' };
        assert.equal((await post('ingestion', filled(ingestionLimitBytes), chunked)).status, 200);
        const answer = await post('ingestion', filled(ingestionLimitBytes + 1), chunked);
        assertBody(answer, 'ingestion', 413, 'BODY_TOO_LARGE');
      });

      it('a form beyond the limit is refused in the body of the token endpoint [D-27]', async () => {
        const answer = await exchange(at('/v1/token'), {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: `scope=${'x'.repeat(1024 * 1024)}`,
        });
        assertBody(answer, 'token', 413, 'BODY_TOO_LARGE');
      });

      it('an address of 8 KiB is taken and one byte more is a bad request [D-27]', async () => {
        const address = (path: string, size: number): string =>
          `${path}?${'x'.repeat(size - path.length - 1)}`;
        assert.equal((await exchange(at(address('/livez', 8192)))).status, 200);
        for (const area of ['service', 'ingestion', 'project', 'projectData', 'scim'] as const) {
          const answer = await exchange(at(address(readingPaths[area], 8193)), {
            headers: { authorization },
          });
          assertBody(answer, area, 400, 'URL_TOO_LONG');
        }
      });
    });

    describe('compression', () => {
      const inflate: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
        zstd: zlib.zstdDecompressSync,
        br: zlib.brotliDecompressSync,
        gzip: zlib.gunzipSync,
      };
      async function text(bytes: number, acceptEncoding: string): Promise<{ headers: Headers; raw: Buffer }> {
        const { text: answer } = await sendRawBytes(service.baseUrl, bytes, acceptEncoding);
        const end = answer.indexOf('\r\n\r\n');
        const headers = new Headers(
          answer
            .subarray(0, end)
            .toString()
            .split('\r\n')
            .slice(1)
            .map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]),
        );
        return { headers, raw: answer.subarray(end + 4) };
      }

      it('an answer over 1 KiB is compressed as the caller allows, and says what it varies by [D-29]', async () => {
        const cases: readonly [string, string | null][] = [
          ['gzip', 'gzip'],
          ['br', 'br'],
          ['zstd', 'zstd'],
          ['gzip, deflate', 'gzip'],
          ['gzip, br', 'br'],
          ['gzip, deflate, br, zstd', 'zstd'],
          ['*', 'zstd'],
          ['gzip;q=1, br;q=0.5', 'gzip'],
          ['zstd;q=0, br;q=0, gzip', 'gzip'],
          ['GZIP', 'gzip'],
          ['gzip;q=0', null],
          ['identity', null],
          ['deflate', null],
          ['compress, x-unknown', null],
          ['identity;q=1, *;q=0', null],
          ['', null],
        ];
        // One is compressed where it stands, the other in the thread pool.
        for (const bytes of [5_000, 50_000]) {
          const plain = await text(bytes, 'identity');
          for (const [acceptEncoding, encoding] of cases) {
            const { headers, raw } = await text(bytes, acceptEncoding);
            assert.equal(headers.get('content-encoding'), encoding, acceptEncoding);
            assert.equal(headers.get('vary'), 'Accept-Encoding', acceptEncoding);
            assert.equal(Number(headers.get('content-length')), raw.length, acceptEncoding);
            const back = encoding === null ? raw : inflate[encoding]!(raw);
            assert.deepEqual(back, plain.raw, acceptEncoding);
            if (encoding !== null) assert.ok(raw.length * 10 < plain.raw.length, acceptEncoding);
          }
        }
      });

      it('a small answer is left as it is [D-29]', async () => {
        const { headers, raw } = await text(1_000, 'gzip, br, zstd');
        assert.equal(headers.get('content-encoding'), null);
        assert.equal(raw.length, 1_000);
      });
    });

    describe('headers', () => {
      const kinds: readonly [string, string, Readonly<Record<string, string>>][] = [
        ['GET', '/livez', {}],
        ['GET', '/', {}],
        ['GET', '/v1/measures', {}],
        ['GET', '/nothing', {}],
        ['POST', '/livez', {}],
        ['OPTIONS', '/livez', {}],
        ['GET', '/v1/measures/%', {}],
        ['POST', '/mounted/echo', { 'content-type': 'text/plain', 'content-length': '1' }],
        ['GET', '/mounted/throws/service/a-bug', {}],
      ];
      it('every answer forbids sniffing and framing, and gives away neither referrer nor server', async () => {
        for (const [method, path, headers] of kinds) {
          const answer = await exchange(at(path), {
            method,
            headers,
            ...(method === 'POST' ? { body: 'x' } : {}),
          });
          const what = `${method} ${path}`;
          assert.equal(answer.headers['x-content-type-options'], 'nosniff', what);
          assert.equal(answer.headers['referrer-policy'], 'no-referrer', what);
          const policy = String(answer.headers['content-security-policy']);
          assert.match(policy, /frame-ancestors 'none'/, what);
          assert.match(policy, /base-uri 'none'/, what);
          for (const name of ['server', 'x-powered-by', 'strict-transport-security'])
            assert.equal(answer.headers[name], undefined, what);
        }
      });

      it('every answer has a request id of its own, which no caller can choose [D-23]', async () => {
        const seen = new Set<string>();
        for (const [method, path, headers] of kinds) {
          const answer = await exchange(at(path), {
            method,
            headers: { ...headers, 'x-request-id': 'chosen', 'request-id': 'chosen' },
            ...(method === 'POST' ? { body: 'x' } : {}),
          });
          const id = String(answer.headers['x-request-id']);
          assert.match(id, /^[0-9a-f-]{36}$/);
          seen.add(id);
        }
        assert.equal(seen.size, kinds.length);
        assert.doesNotMatch(service.log(), /chosen/);
      });

      it('bytes that are no request get the same headers and a request id', async () => {
        const { text } = await sendRaw(service.baseUrl, 'NONSENSE\r\n\r\n');
        assert.match(text, /^x-content-type-options: nosniff\r$/m);
        assert.match(text, /^x-request-id: [0-9a-f-]{36}\r$/m);
      });

      it('the Host header is never believed in a link', async () => {
        const answer = await exchange(at('/v1/measures'), {
          headers: {
            authorization,
            accept: 'application/json',
            host: 'evil.example',
            'x-forwarded-host': 'evil.example',
          },
        });
        assert.equal(answer.status, 200);
        assert.doesNotMatch(answer.text + JSON.stringify(answer.headers), /evil/);
      });
    });
  });

  describe(`the order of judging on ${engine.name}`, () => {
    let store: TestStore;
    let service: Mounted;
    // Time stands still, so that a client that has used up its share stays throttled.
    const nowMs = Date.now() + 60_000;

    before(async () => {
      store = await engine.readyStore();
      service = await startMounted({
        databaseUrl: store.databaseUrl,
        now: () => nowMs,
        elapsedMs: () => nowMs,
        env: {
          SOUNDINGS_THROTTLE: 'on',
          SOUNDINGS_THROTTLE_CLIENT_BURST: '2',
          SOUNDINGS_THROTTLE_ACCOUNT_BURST: '1000000',
        },
        mount(app) {
          addRoute(app, {
            method: 'PUT',
            path: '/mounted/judged/:id',
            area: 'service',
            access: { grant: 'w_cx_users' },
            accept: 'required',
            consumes: ['application/json'],
            params: Type.Object({ id: Type.Integer() }),
            body: Type.Object({ name: Type.String() }),
            handle({ params, body }, request) {
              if (params.id !== 7) throw new Problem('MEASURE_NOT_FOUND', 'There is only number 7.');
              if (request.headers['if-match'] !== 'W/"1"')
                throw new Problem('PRECONDITION_FAILED', 'It is at version 1.');
              if (body.name === 'taken') throw new Problem('CONFLICT', 'This name is taken.');
              return { done: true };
            },
          });
        },
      });
    });
    after(async () => {
      await service?.stop();
      await store?.dispose();
    });

    interface Call {
      path: string;
      method: string;
      hasToken: boolean;
      hasGrant: boolean;
      isThrottled: boolean;
      accept: string | null;
      contentType: string;
      body: string;
      ifMatch: string;
    }
    const right: Call = {
      path: '/mounted/judged/7',
      method: 'PUT',
      hasToken: true,
      hasGrant: true,
      isThrottled: false,
      accept: 'application/json',
      contentType: 'application/json',
      body: '{"name":"free"}',
      ifMatch: 'W/"1"',
    };
    /** D-24b, from the first that is judged to the last: what spoils a call, and the code it must get. */
    const stages: readonly { readonly code: Code; readonly spoil: (call: Call) => void }[] = [
      {
        code: 'ROUTE_NOT_FOUND',
        spoil: (call) => {
          call.path = '/mounted/nothing';
        },
      },
      {
        code: 'METHOD_NOT_SUPPORTED',
        spoil: (call) => {
          call.method = 'POST';
        },
      },
      {
        code: 'CREDENTIALS_REQUIRED',
        spoil: (call) => {
          call.hasToken = false;
        },
      },
      {
        code: 'INSUFFICIENT_SCOPE',
        spoil: (call) => {
          call.hasGrant = false;
        },
      },
      {
        code: 'THROTTLED',
        spoil: (call) => {
          call.isThrottled = true;
        },
      },
      {
        code: 'NOT_ACCEPTABLE',
        spoil: (call) => {
          call.accept = 'text/html';
        },
      },
      {
        code: 'UNSUPPORTED_MEDIA_TYPE',
        spoil: (call) => {
          call.contentType = 'text/plain';
        },
      },
      {
        code: 'MALFORMED_JSON',
        spoil: (call) => {
          call.body = call.body.replace('}', '');
        },
      },
      {
        code: 'MEASURE_NOT_FOUND',
        spoil: (call) => {
          call.path = call.path.replace('7', '8');
        },
      },
      {
        code: 'PRECONDITION_FAILED',
        spoil: (call) => {
          call.ifMatch = 'W/"2"';
        },
      },
      {
        code: 'CONFLICT',
        spoil: (call) => {
          call.body = call.body.replace('free', 'taken');
        },
      },
    ];

    async function make(call: Call): Promise<Answer> {
      // A client of its own for each call: one request for the token, one to make.
      const client = await service.newClient(call.hasGrant ? ['w_cx_users'] : ['r_cx_users']);
      const token = await tokenFor(service.baseUrl, client);
      const send = (): Promise<Answer> =>
        exchange(service.baseUrl + call.path, {
          method: call.method,
          headers: {
            ...(call.hasToken ? { authorization: `Bearer ${token}` } : {}),
            ...(call.accept === null ? {} : { accept: call.accept }),
            'content-type': call.contentType,
            'if-match': call.ifMatch,
          },
          body: call.body,
        });
      if (call.isThrottled) await send();
      return send();
    }
    const spoilt = (...spoils: readonly ((call: Call) => void)[]): Call => {
      const call = { ...right };
      for (const spoil of spoils) spoil(call);
      return call;
    };

    it('a call without a fault is answered', async () => {
      assert.deepEqual((await make(right)).body, { done: true });
    });

    for (const [index, first] of stages.entries()) {
      it(`${first.code} is said before everything that is judged after it [D-24b]`, async () => {
        assert.equal((await make(spoilt(first.spoil))).body.errorCode, first.code);
        for (const later of stages.slice(index + 1)) {
          const answer = await make(spoilt(first.spoil, later.spoil));
          assert.equal(answer.body.errorCode, first.code, `together with ${later.code}`);
        }
        const all = await make(spoilt(...stages.slice(index).map(({ spoil }) => spoil)));
        assert.equal(all.body.errorCode, first.code, 'together with all of them');
      });
    }

    it('a missing Accept is judged where an unsatisfiable one is [D-24b] [D-25]', async () => {
      const withoutAccept = (call: Call): void => {
        call.accept = null;
      };
      const after = stages.filter(
        ({ code }) => code === 'UNSUPPORTED_MEDIA_TYPE' || code === 'MALFORMED_JSON',
      );
      const before = stages.filter(({ code }) => code === 'THROTTLED' || code === 'INSUFFICIENT_SCOPE');
      for (const { spoil } of after)
        assert.equal((await make(spoilt(withoutAccept, spoil))).body.errorCode, 'ACCEPT_REQUIRED');
      for (const { code, spoil } of before)
        assert.equal((await make(spoilt(withoutAccept, spoil))).body.errorCode, code);
    });

    it('maintenance is said after route and method and before credentials, and not to operators [D-24b]', async () => {
      await service.setMaintenance(true);
      try {
        for (const { code, spoil } of stages) {
          const answer = await make(spoilt(spoil)).catch(() => null);
          // No token can be had during maintenance, so those calls end before they begin.
          if (answer === null) continue;
          const isBefore = code === 'ROUTE_NOT_FOUND' || code === 'METHOD_NOT_SUPPORTED';
          assert.equal(answer.body.errorCode, isBefore ? code : 'MAINTENANCE');
        }
        const bare = { headers: {} };
        const judged = await exchange(`${service.baseUrl}/mounted/judged/7`, { method: 'PUT', ...bare });
        assert.equal(judged.body.errorCode, 'MAINTENANCE');
        assert.equal(judged.status, 503);
        assert.match(String(judged.headers['retry-after']), /^\d+$/);
        const wrongMethod = await exchange(`${service.baseUrl}/mounted/judged/7`, { method: 'POST' });
        assert.equal(wrongMethod.body.errorCode, 'METHOD_NOT_SUPPORTED');
        const nowhere = await exchange(`${service.baseUrl}/nothing`);
        assert.equal(nowhere.body.errorCode, 'ROUTE_NOT_FOUND');
        for (const path of ['/livez', '/readyz', '/metrics'])
          assert.equal((await exchange(service.baseUrl + path)).status, 200, path);
      } finally {
        await service.setMaintenance(false);
      }
    });
  });
}

describe('the catalogue of codes', () => {
  it('a published code keeps its number [D-21]', () => {
    for (const [code, number] of Object.entries(publishedCodes))
      assert.equal(codes[code as Code].number, number, code);
  });

  it('every code is an upper-case word with a number of its own, which begins with its status [D-21]', () => {
    const numbers = Object.values(codes).map(({ number }) => number);
    assert.equal(new Set(numbers).size, numbers.length);
    for (const [code, { number, condition, meaning }] of Object.entries(codes)) {
      assert.match(code, /^[A-Z]+(_[A-Z]+)*$/);
      assert.equal(Math.floor(number / 100), conditions[condition].status, code);
      assert.match(meaning, /\.$/, code);
    }
  });
});

describe('a server with settings of its own', () => {
  it('limits are settings, and https is announced for ever [D-27]', async () => {
    const store = await sqlite.readyStore();
    const service = await startMounted({
      databaseUrl: store.databaseUrl,
      env: {
        SOUNDINGS_BODY_LIMIT_BYTES: '2048',
        SOUNDINGS_URL_LIMIT_BYTES: '300',
        SOUNDINGS_PUBLIC_URL: 'https://feedback.example',
      },
      mount: mountAreas,
    });
    try {
      const post = (body: string): Promise<Answer> =>
        exchange(`${service.baseUrl}/mounted/echo`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
      assert.equal((await post(JSON.stringify('x'.repeat(2046)))).status, 200);
      assert.equal((await post(JSON.stringify('x'.repeat(2047)))).status, 413);
      assert.equal((await exchange(`${service.baseUrl}/livez?${'x'.repeat(293)}`)).status, 200);
      const answer = await exchange(`${service.baseUrl}/livez?${'x'.repeat(294)}`);
      assert.equal(answer.body.errorCode, 'URL_TOO_LONG');
      assert.match(String(answer.headers['strict-transport-security']), /^max-age=\d+$/);
    } finally {
      await service.stop();
      await store.dispose();
    }
  });

  it('a route that does not say who may call it does not start', async () => {
    const store = await sqlite.readyStore();
    const silent = { method: 'GET', path: '/mounted/open', area: 'service', handle: () => ({}) } as const;
    await assert.rejects(
      startMounted({
        databaseUrl: store.databaseUrl,
        mount: (app) => addRoute(app, silent as unknown as Parameters<typeof addRoute>[1]),
      }),
      /\/mounted\/open does not say who may call it/,
    );
    await assert.rejects(
      startMounted({
        databaseUrl: store.databaseUrl,
        mount: (app) => app.get('/mounted/plain', () => ({})),
      }),
      /\/mounted\/plain does not say who may call it/,
    );
    await store.dispose();
  });
});

/** The bytes of one answer as they came: a client library would have inflated them. */
async function sendRawBytes(
  baseUrl: string,
  bytes: number,
  acceptEncoding: string,
): Promise<{ text: Buffer }> {
  const { connect } = await import('node:net');
  const { hostname, port } = new URL(baseUrl);
  const request = rawRequest(`GET /mounted/text/${bytes} HTTP/1.1`, [
    `Accept-Encoding: ${acceptEncoding}`,
    'Connection: close',
  ]);
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(request));
    socket.on('data', (part: Buffer) => parts.push(part));
    socket.on('error', reject);
    socket.on('close', () => resolve({ text: Buffer.concat(parts) }));
  });
}
