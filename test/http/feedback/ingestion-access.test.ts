// Who may post a survey response: with a token, without one, from a page of another site, and how often (D-12).

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { type Answer, exchange, tellingPart } from '../../support/exchange.ts';
import { acme, bolt, feedbackCatalogue } from '../../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';

const responses = { 'Q-SAT-1': ['8'] };
const open = { surveyDefinitionId: 'acme-public', responses };
const ofShop = { surveyDefinitionId: 'acme-shop', responses };

/** A page may read it, with credentials too: a beacon of a browser always sends as if it had some. */
function assertReadable({ headers }: Answer, origin: string): void {
  assert.equal(headers['access-control-allow-origin'], origin);
  assert.equal(headers['access-control-allow-credentials'], 'true');
  const exposed = String(headers['access-control-expose-headers']).toLowerCase().split(', ').sort();
  assert.deepEqual(exposed, [
    'ratelimit',
    'ratelimit-policy',
    'retry-after',
    'soundings-page-work',
    'x-request-id',
  ]);
  assert.match(String(headers.vary), /\bOrigin\b/);
}

const crossOriginNames = ({ headers }: Answer): readonly string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control'));

const codeOf = ({ status, body }: Answer): unknown[] => [status, body.errorCode];

for (const engine of engines) {
  describe(`who may post a response on ${engine.name}`, () => {
    let service: FeedbackService;
    let token: string;

    before(async () => {
      service = await startFeedback(engine, { catalogue: feedbackCatalogue });
      token = await service.token(acme);
    });
    after(() => service?.stop());

    const totalOf = async (source: string, of = token): Promise<unknown> => {
      const { body } = await service.get(`/v1/${source}/data?from=1990-01-01&to=2100-01-01`, of);
      return body.total;
    };

    it('with a token every survey of another account is not found, a public one too [D-10] [D-12]', async () => {
      const own = await service.post(open, token);
      assert.equal(own.status, 200);
      const unknown = await service.post({ ...open, surveyDefinitionId: 'nothing' }, token);
      assert.deepEqual(codeOf(unknown), [404, 'SURVEY_NOT_FOUND']);
      for (const surveyDefinitionId of ['bolt-web', 'bolt-public']) {
        const foreign = await service.post({ ...open, surveyDefinitionId }, token);
        assert.deepEqual(tellingPart(foreign), tellingPart(unknown));
      }
      const theirs = await service.token(bolt);
      assert.deepEqual(
        [await totalOf('measures/700', theirs), await totalOf('measures/800', theirs)],
        [0, 0],
      );
    });

    it('a token that is sent is checked first, for a public survey too [D-12]', async () => {
      const narrow = await service.token(acme, [
        'r_cx_measures',
        'r_cx_projects',
        'r_cx_users',
        'w_cx_users',
      ]);
      const before = await totalOf('measures/703');
      const malformed = '{"surveyDefinitionId":';
      for (const body of [open, malformed]) {
        assert.deepEqual(codeOf(await service.post(body, 'not-a-token')), [401, 'INVALID_TOKEN']);
        const forbidden = await service.post(body, narrow);
        assert.deepEqual(codeOf(forbidden), [403, 'INSUFFICIENT_SCOPE']);
        assert.match(String(forbidden.headers['www-authenticate']), /insufficient_scope.*w_cx_responses/);
        const basic = await service.post(body, null, { authorization: 'Basic eDp5' });
        assert.deepEqual(codeOf(basic), [401, 'INVALID_TOKEN']);
      }
      assert.equal(await totalOf('measures/703'), before);
    });

    it('without a token a public survey takes the response, whoever owns it [D-12]', async () => {
      const before = Number(await totalOf('measures/703'));
      assert.equal((await service.post(open, null)).status, 200);
      assert.equal(await totalOf('measures/703'), before + 1);
      const theirs = await service.post({ ...open, surveyDefinitionId: 'bolt-public' }, null);
      assert.equal(theirs.status, 200);
      assert.equal(await totalOf('measures/800', await service.token(bolt)), 1);
    });

    it('without a token an unknown, a private and a foreign survey are one and the same 401 [D-10] [D-12]', async () => {
      const unknown = await service.post({ ...open, surveyDefinitionId: 'nothing' }, null);
      assert.deepEqual(codeOf(unknown), [401, 'CREDENTIALS_REQUIRED']);
      assert.match(String(unknown.headers['www-authenticate']), /^Bearer /);
      // The answers of the third are faults, and it says nothing of them: that would tell that it exists.
      for (const surveyDefinitionId of ['acme-quiet', 'bolt-web', 'acme-web', 'acme-web-closed']) {
        const refused = await service.post({ ...open, surveyDefinitionId }, null);
        assert.deepEqual(tellingPart(refused), tellingPart(unknown));
      }
      assert.deepEqual(await totalOf('measures/700'), 0);
    });

    it('without a token the body is judged before the credentials: 413, 415, 400, then 401 [D-12]', async () => {
      const hidden = { ...open, surveyDefinitionId: 'acme-web' };
      const large = JSON.stringify({ ...hidden, padding: 'x'.repeat(300_000) });
      assert.deepEqual(codeOf(await service.post(large, null)), [413, 'BODY_TOO_LARGE']);
      const asText = await service.post(hidden, null, { 'content-type': 'text/plain' });
      assert.deepEqual(codeOf(asText), [415, 'UNSUPPORTED_MEDIA_TYPE']);
      assert.deepEqual(codeOf(await service.post('{', null)), [400, 'MALFORMED_JSON']);
      const wrongForm = await service.post({ ...hidden, pageVisits: 3 }, null);
      assert.deepEqual(codeOf(wrongForm), [400, 'INVALID_RESPONSE']);
      assert.deepEqual(codeOf(await service.post(hidden, null)), [401, 'CREDENTIALS_REQUIRED']);
      // Of a public survey the meaning is judged too.
      const wrongAnswer = await service.post({ ...open, responses: { 'Q-SAT-1': ['11'] } }, null);
      assert.deepEqual(codeOf(wrongAnswer), [400, 'INVALID_RESPONSE']);
    });

    it('a browser is told before it posts that pages of other sites may, here and nowhere else [D-12]', async () => {
      const asked = (path: string, method: string): Promise<Answer> =>
        exchange(`${service.baseUrl}${path}`, {
          method: 'OPTIONS',
          headers: {
            origin: 'https://any.example',
            'access-control-request-method': method,
            'access-control-request-headers': 'content-type',
          },
        });
      const allowed = await asked('/v1/surveys/ingestion', 'POST');
      assert.equal(allowed.status, 204);
      assertReadable(allowed, 'https://any.example');
      assert.equal(allowed.headers['access-control-allow-methods'], 'POST');
      assert.match(String(allowed.headers['access-control-allow-headers']), /content-type/);
      for (const [path, method] of [
        ['/v1/token', 'POST'],
        ['/v1/measures', 'GET'],
        ['/v1/projects/300/data', 'GET'],
      ] as const) {
        assert.deepEqual(crossOriginNames(await asked(path, method)), []);
      }
    });

    it('a page may read the answer to its post, refusals too, and never one that a token opened [D-12]', async () => {
      for (const origin of ['https://any.example', 'http://localhost:3000', 'null']) {
        const page = { origin };
        for (const [body, status] of [
          [open, 200],
          [{ ...open, isTest: true }, 200],
          ['{', 400],
          [{ ...open, responses: { 'Q-NO': ['1'] } }, 400],
          [{ ...open, surveyDefinitionId: 'acme-web' }, 401],
          [JSON.stringify({ ...open, padding: 'x'.repeat(300_000) }), 413],
        ] as const) {
          const answer = await service.post(body, null, page);
          assert.equal(answer.status, status);
          assertReadable(answer, origin);
        }
        const asText = await service.post(open, null, { ...page, 'content-type': 'text/plain' });
        assert.equal(asText.status, 415);
        assertReadable(asText, origin);
        const path = `${service.baseUrl}/v1/surveys/ingestion`;
        const wrongMethod = await exchange(path, { method: 'PUT', headers: page });
        assert.equal(wrongMethod.status, 405);
        assertReadable(wrongMethod, origin);
        assert.deepEqual(crossOriginNames(await service.post(open, token, page)), []);
        assert.deepEqual(crossOriginNames(await service.get('/v1/measures', token, page)), []);
        assert.deepEqual(crossOriginNames(await service.get('/scim/v2/Users', token, page)), []);
      }
    });

    it('an answer to no page, or to what no browser calls an origin, names none and still depends on it [D-12]', async () => {
      const origins = ['https://a.example, https://b.example', 'a b', 'https://a.example/path', ''];
      for (const headers of [{}, ...origins.map((origin) => ({ origin }))]) {
        const answer = await service.post(open, null, headers);
        assert.equal(answer.status, 200);
        assert.deepEqual(crossOriginNames(answer), []);
        assert.match(String(answer.headers.vary), /\bOrigin\b/);
      }
    });

    it('an answer that is long enough to be compressed depends on the origin too [D-12] [D-29]', async () => {
      const unknown = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`Q-${index}`, ['1']]));
      const answer = await service.post({ ...open, responses: unknown }, null, {
        origin: 'https://any.example',
      });
      assert.equal(answer.status, 400);
      assert.equal(answer.headers.vary, 'Origin, Accept-Encoding');
    });

    it('a survey with origins takes responses from their pages and from no others [D-12]', async () => {
      const allowed = await service.post(ofShop, null, { origin: 'https://shop.example' });
      assert.equal(allowed.status, 200);
      assertReadable(allowed, 'https://shop.example');
      for (const origin of [
        'https://evil.example',
        'http://shop.example',
        'https://shop.example:8443',
        'https://shop.example.evil.example',
        'null',
      ]) {
        const refused = await service.post(ofShop, null, { origin });
        assert.deepEqual(codeOf(refused), [403, 'ORIGIN_NOT_ALLOWED']);
        assert.deepEqual(crossOriginNames(refused), []);
      }
      assert.equal(await totalOf('measures/704'), 1);
      // Without the header it is no page of a browser, which cannot be told from a page of the shop's own.
      assert.equal((await service.post(ofShop, null)).status, 200);
      assert.equal((await service.post(ofShop, token, { origin: 'https://evil.example' })).status, 200);
    });
  });

  describe(`how often an anonymous caller may post on ${engine.name}`, () => {
    let service: FeedbackService;
    let token: string;

    before(async () => {
      service = await startFeedback(engine, {
        catalogue: feedbackCatalogue,
        env: {
          SOUNDINGS_THROTTLE: 'on',
          SOUNDINGS_THROTTLE_PUBLIC_RATE: '1',
          SOUNDINGS_THROTTLE_PUBLIC_BURST: '3',
          SOUNDINGS_THROTTLE_ACCOUNT_RATE: '1',
          SOUNDINGS_THROTTLE_ACCOUNT_BURST: '3',
          SOUNDINGS_TRUSTED_PROXIES: '127.0.0.1',
        },
      });
      token = await service.token(acme);
      service.pass(60_000);
    });
    after(() => service?.stop());

    it('the throttle of an address does not draw on that of the account, nor the other way round [D-12] [D-28]', async () => {
      for (let count = 0; count < 3; count += 1) assert.equal((await service.post(open, null)).status, 200);
      assert.deepEqual(codeOf(await service.post(open, null)), [429, 'THROTTLED']);
      for (let count = 0; count < 3; count += 1) assert.equal((await service.post(open, token)).status, 200);
      assert.deepEqual(codeOf(await service.post(open, token)), [429, 'THROTTLED']);
      const elsewhere = await service.post(open, null, { 'x-forwarded-for': '203.0.113.7' });
      assert.equal(elsewhere.status, 200);
    });

    it('a throttled post is refused before its body is judged, says when to come back, and is let in then [D-24b] [D-28]', async () => {
      const address = { 'x-forwarded-for': '203.0.113.8', origin: 'https://any.example' };
      for (const body of [open, '{', { ...open, surveyDefinitionId: 'acme-web' }])
        await service.post(body, null, address);
      for (const [body, more] of [
        ['{', {}],
        [open, { 'content-type': 'text/plain' }],
        [open, { accept: 'text/html' }],
      ] as const) {
        const refused = await service.post(body, null, { ...address, ...more });
        assert.deepEqual(codeOf(refused), [429, 'THROTTLED']);
        assert.equal(refused.headers['retry-after'], '1');
        assertReadable(refused, 'https://any.example');
      }
      service.pass(1_000);
      assert.equal((await service.post(open, null, address)).status, 200);
      assert.equal((await service.post(open, null, address)).status, 429);
    });
  });
}
