// Fifty services under load that lose one of their files, with and without commands beside them.

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { FileRounds, harms, parts } from '../support/file-rounds.ts';

const runs = 50;

describe('a file of the store that goes under load, again and again', () => {
  const files = new FileRounds();
  before(() => files.prepare());

  it(`${runs} times: nothing is acknowledged that is neither in the store nor in what was saved of it [D-835] [D-837]`, async (t) => {
    const sum = { acknowledged: 0, afterwards: 0, saved: 0, servedAgain: 0 };
    for (let run = 0; run < runs; run += 1) {
      const part = parts[run % parts.length]!;
      const harm = harms[Math.floor(run / parts.length) % harms.length]!;
      const isOdd = (run + Math.floor(run / (parts.length * harms.length))) % 2 === 1;
      const outcome = await files.round(part, harm, { hasCommand: isOdd, isKilled: run % 3 === 0 });
      sum.acknowledged += outcome.acknowledged;
      sum.afterwards += outcome.afterwards;
      sum.saved += outcome.isSaved ? 1 : 0;
      sum.servedAgain += outcome.isServedAgain ? 1 : 0;
      t.diagnostic(JSON.stringify({ run, part, harm, isOdd, ...outcome, says: outcome.says.slice(0, 160) }));
    }
    t.diagnostic(JSON.stringify(sum));
    assert.ok(sum.acknowledged > runs);
  });
});
