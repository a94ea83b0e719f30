// What the headers around a body promise: in which coding it is read, and that nobody keeps a copy of the answer.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { engines } from '../../support/engines.ts';
import { type Answer, basic, exchange } from '../../support/exchange.ts';
import { acme, feedbackCatalogue } from '../../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import { groupSchema, patchSchema, userSchema } from '../../support/schema-urns.ts';

const user = (userName: string): object => ({
  schemas: [userSchema],
  userName,
  externalId: userName,
  name: { givenName: 'Ada' },
  emails: [{ value: `${userName}@example.com` }],
  meta: {},
});
const survey = { surveyDefinitionId: 'acme-public', responses: { 'Q-SAT-1': ['8'] } };
const range = 'from=1990-01-01&to=2100-01-01';

for (const engine of engines) {
  describe(`the headers of an exchange on ${engine.name}`, () => {
    let service: FeedbackService;
    let token: string;

    before(async () => {
      service = await startFeedback(engine, { catalogue: feedbackCatalogue });
      token = await service.token(acme);
    });
    after(() => service?.stop());

    const send = (
      method: string,
      path: string,
      body: object | Uint8Array | null,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<Answer> =>
      exchange(service.baseUrl + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          ...(body === null ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === null ? {} : { body: body instanceof Uint8Array ? body : JSON.stringify(body) }),
      });

    it('a body with a content coding is refused by its own status, and nothing of it is carried out [D-194]', async () => {
      const rows = [
        ['POST', '/v1/surveys/ingestion', survey],
        ['POST', '/v1/scim/Users', user('coded')],
        ['POST', '/v1/scim/Users/.search', { schemas: [], count: 1 }],
        ['PUT', '/v1/scim/Users/coded', user('coded')],
        ['PATCH', '/v1/scim/Users/coded', { schemas: [patchSchema], operations: [] }],
        ['POST', '/scim/v2/Users', user('coded')],
        ['POST', '/scim/v2/Groups', { displayName: 'coded' }],
        ['POST', '/scim/v2/Bulk', { Operations: [] }],
      ] as const;
      for (const [method, path, body] of rows) {
        for (const coding of ['gzip', 'GZIP', 'br', 'zstd', 'deflate', 'gzip, gzip', 'x-own']) {
          const bytes = coding === 'gzip' ? gzipSync(JSON.stringify(body)) : body;
          const refused = await send(method, path, bytes, { 'content-encoding': coding });
          assert.equal(refused.status, 415, `${method} ${path} ${coding}`);
          assert.match(refused.text, /compressed/);
          assert.equal(refused.headers['accept-encoding'], 'identity');
        }
      }
      const form = 'grant_type=client_credentials&scope=r_cx_basic';
      const token = await exchange(`${service.baseUrl}/v1/token`, {
        method: 'POST',
        headers: {
          authorization: basic('sc_somebody', 'secret'),
          'content-type': 'application/x-www-form-urlencoded',
          'content-encoding': 'gzip',
        },
        body: gzipSync(form),
      });
      assert.equal(token.status, 415);
      const listed = await send('GET', '/v1/scim/Users?filter=userName%20eq%20%22coded%22', null);
      assert.equal(listed.body.totalResults, 0);
    });

    it('a body that says it has no coding is read, and without a body the header means nothing', async () => {
      const coding = { 'content-encoding': 'identity' };
      assert.equal((await send('POST', '/v1/scim/Users', user('plain'), coding)).status, 200);
      assert.equal((await send('GET', '/v1/measures', null, { 'content-encoding': 'gzip' })).status, 200);
    });

    it('no answer that credentials open is kept by a cache, whether it is a success, unchanged or a refusal [D-193]', async () => {
      await send('POST', '/v1/scim/Users', user('private'));
      const group = await send('POST', '/scim/v2/Groups', { schemas: [groupSchema], displayName: 'private' });
      const found = await send('GET', '/v1/scim/Users/private', null);
      const rows: readonly [number, () => Promise<Answer>][] = [
        [200, () => send('GET', '/v1/scim/Users', null)],
        [200, () => send('HEAD', '/v1/scim/Users/private', null)],
        [200, () => send('GET', '/v1/scim/Users/private', null)],
        [
          304,
          () => send('GET', '/v1/scim/Users/private', null, { 'if-none-match': String(found.headers.etag) }),
        ],
        [200, () => send('PUT', '/v1/scim/Users/private', user('private'))],
        [200, () => send('GET', '/scim/v2/Users', null)],
        [200, () => send('GET', '/scim/v2/Groups', null)],
        [200, () => send('GET', `/scim/v2/Groups/${String(group.body.id)}`, null)],
        [409, () => send('POST', '/scim/v2/Users', user('private'))],
        [404, () => send('GET', '/scim/v2/Users/none', null)],
        [400, () => send('GET', '/scim/v2/Users?filter=x', null)],
        [200, () => send('GET', '/v1/measures', null)],
        [200, () => send('GET', `/v1/measures/700/data?${range}`, null)],
        [200, () => send('GET', `/v1/projects/300/data?${range}`, null)],
        [400, () => send('GET', '/v1/projects/300/data', null)],
        [200, () => send('POST', '/v1/surveys/ingestion', survey)],
        [400, () => send('POST', '/v1/surveys/ingestion', { ...survey, responses: { 'Q-NO': ['1'] } })],
        [401, () => send('GET', '/v1/measures', null, { authorization: 'Bearer nobody' })],
        [401, () => exchange(`${service.baseUrl}/v1/token`, { method: 'POST' })],
        [405, () => send('DELETE', '/v1/measures', null)],
      ];
      for (const [status, ask] of rows) {
        const answer = await ask();
        assert.equal(answer.status, status, answer.text);
        assert.equal(answer.headers['cache-control'], 'no-store', answer.text);
      }
    });

    it('what is the same for everybody may be kept: discovery, metadata and the pages', async () => {
      for (const path of ['/', '/openapi.json', '/.well-known/oauth-authorization-server']) {
        const answer = await exchange(service.baseUrl + path, { headers: { accept: '*/*' } });
        assert.equal(answer.status, 200, path);
        assert.equal(answer.headers['cache-control'], undefined, path);
      }
    });
  });
}
