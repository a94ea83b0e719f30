// Malformed requests to every operation of both documents, with ids and credentials that are there. All of the hundred thousand
// are sent by test/long/malformed-operations.test.ts.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { assertReached, floodOfMalformed } from '../../support/malformed-requests.ts';

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
