// The examples of the API document, sent as the document says them to a service with the demo that a stranger starts.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import {
  type ApiDocument,
  documentedOperations,
  exampleRequest,
  type Operation,
} from '../../support/api-document.ts';
import { engines, type TestStore } from '../../support/engines.ts';
import { basic, exchange } from '../../support/exchange.ts';
import { type ApiClientCredentials, commandHereOk, type Service } from '../../support/service.ts';
import { startService } from '../../support/service-here.ts';
import { copyStore } from '../../support/store-copy.ts';

const document = JSON.parse(
  readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'),
) as ApiDocument;
const operations = documentedOperations(document);

const ways = [
  { title: 'with what is required alone', parameters: 'required', order: operations },
  { title: 'with every parameter, the last first', parameters: 'all', order: operations.toReversed() },
] as const;

for (const engine of engines) {
  // Loaded once: each way begins with a copy.
  let demo: TestStore;
  let client: ApiClientCredentials;
  before(async () => {
    demo = await engine.readyStore();
    const said = await commandHereOk(['demo', '--json'], { DATABASE_URL: demo.databaseUrl });
    ({ demoClient: client } = JSON.parse(said) as { demoClient: ApiClientCredentials });
  });
  after(() => demo?.dispose());

  for (const { title, parameters, order } of ways) {
    describe(`the examples of the API document on ${engine.name}, ${title}`, () => {
      let store: TestStore;
      let service: Service;
      let token: string;

      before(async () => {
        store = await copyStore(demo.databaseUrl);
        service = await startService({ DATABASE_URL: store.databaseUrl });
        token = await authorize();
      });
      after(async () => {
        await service?.stop();
        await store?.dispose();
      });

      /** As a client of the document does: a form to the address that its OAuth 2.0 scheme names. */
      async function authorize(): Promise<string> {
        const { flows } = document.components.securitySchemes.oauth2!;
        const { tokenUrl, scopes } = flows!.clientCredentials;
        const answer = await exchange(new URL(tokenUrl, service.baseUrl).href, {
          method: 'POST',
          headers: { authorization: credentials(), 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({
            grant_type: 'client_credentials',
            scope: Object.keys(scopes).join(' '),
          }).toString(),
        });
        assert.equal(answer.status, 200, answer.text);
        return String(answer.body.access_token);
      }

      const credentials = (): string => basic(client.clientId, client.clientSecret);

      function authorization({ security }: Operation): Record<string, string> {
        const [first] = security;
        if (first === undefined) return {};
        if ('clientCredentials' in first) return { authorization: credentials() };
        assert.ok('oauth2' in first);
        return { authorization: `Bearer ${token}` };
      }

      for (const operation of order) {
        it(`${operation.operationId} succeeds at the first try`, async () => {
          const { method, path, headers, body } = exampleRequest(operation, parameters);
          const answer = await exchange(service.baseUrl + path, {
            method,
            headers: { ...authorization(operation), ...headers },
            ...(body === undefined ? {} : { body }),
          });
          const documented = Object.keys(operation.responses).filter((status) => /^2/.test(status));
          assert.ok(documented.includes(String(answer.status)), `${answer.status}: ${answer.text}`);
        });
      }
    });
  }
}

describe('the API document', () => {
  it('has an example for every body, every answer that has one, and every parameter that is required', () => {
    const missing = operations.flatMap(({ operationId, parameters, requestBody, responses }) => [
      ...parameters
        .filter(({ required, example }) => required && example === undefined)
        .map(({ name }) => name),
      ...[requestBody, ...Object.values(responses)]
        .flatMap((part) => Object.values(part?.content ?? {}))
        .filter(({ example, examples }) => example === undefined && examples === undefined)
        .map(() => operationId),
    ]);
    assert.deepEqual(missing, []);
  });

  it('uses no name that shadows one of the language, and no word of our own', () => {
    const names = [
      ...operations.map(({ operationId }) => operationId),
      ...Object.keys(document.components.schemas),
    ];
    assert.deepEqual(
      names.filter(
        (name) => /dialect/i.test(name) || ['Error', 'Object', 'Record', 'Response'].includes(name),
      ),
      [],
    );
    assert.equal(new Set(names).size, names.length);
  });
});
