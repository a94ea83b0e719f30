// As test/http/server/malformed-operations.test.ts, with all of the hundred thousand.

import { describe, it } from 'node:test';
import { engines } from '../support/engines.ts';
import { assertReached, floodOfMalformed, summaryOf } from '../support/malformed-requests.ts';

const count = 100_000;
const seed = 2026;

for (const engine of engines)
  describe(`${count} malformed requests to every operation on ${engine.name}`, () => {
    it('none is answered with 5xx or with silence, and the log has no text of them above debug [D-871]', async (test) => {
      const tallies = await floodOfMalformed(engine, count, seed);
      assertReached(tallies);
      test.diagnostic(summaryOf(tallies));
    });
  });
