// Malformed requests to every operation of both documents, with ids and credentials that are there. All of the hundred thousand
// are sent by test/long/malformed-operations.test.ts.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { documentedOperations } from '../../support/api-document.ts';
import { apiDocuments } from '../../support/declared-operations.ts';
import { engines, sqlite } from '../../support/engines.ts';
import { exchange } from '../../support/exchange.ts';
import { assertReached, floodOfMalformed } from '../../support/malformed-requests.ts';
import { type ProvisioningService, startProvisioning } from '../../support/users.ts';

const count = 2_000;
const seed = 26;

for (const engine of engines)
  describe(`malformed requests to every operation on ${engine.name}`, () => {
    it('none is answered with 5xx or with silence, and the log has no text of them above debug [D-871]', async () => {
      const tallies = await floodOfMalformed(engine, count, seed);
      assertReached(tallies);
      assert.ok([...tallies.values()].reduce((sum, { sent }) => sum + sent, 0) > count / 2);
    });
  });

describe('a path that cannot be decoded', () => {
  let context: ProvisioningService;
  before(async () => {
    context = await startProvisioning(sqlite);
  });
  after(() => context?.close());

  it('is answered with the body that the document says of its operation, though it reaches none', async () => {
    for (const { method, path } of apiDocuments.flatMap(documentedOperations)) {
      if (!path.includes('{')) continue;
      // What is answered is held to the document where it arrives.
      const answer = await exchange(context.service.baseUrl + path.replaceAll(/\{\w+\}/g, '%'), {
        method,
        headers: { authorization: `Bearer ${context.token}`, accept: '*/*' },
      });
      assert.equal(answer.status, 400, `${method} ${path}: ${answer.text}`);
    }
  });
});
