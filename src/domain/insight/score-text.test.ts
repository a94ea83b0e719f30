import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { scoreMicros } from '../feedback/score.ts';
import { readMicros } from './score-text.ts';

describe('a score in a row', () => {
  it('is read as the millionths that its double has, however it is written', () => {
    const shares = fc.tuple(fc.nat(100_000), fc.integer({ min: 1, max: 100_000 }));
    const scores = fc.oneof(
      shares.map(([part, whole]) => Math.min(100, (part / whole) * 100)),
      fc.double({ min: 0, max: 100, noNaN: true }),
      // Right at the middle between two millionths, and close to it.
      fc
        .tuple(fc.nat(100_000_000), fc.constantFrom(-1e-14, 0, 1e-14))
        .map(([n, off]) => (n + 0.5) / 1e6 + off),
      fc.integer({ min: 0, max: 100 }),
      fc.constantFrom(0, 1e-7, 5e-7, 4.9e-7, 1.5e-7, 100, 99.9999995, 0.0000005),
    );
    fc.assert(
      fc.property(scores, (score) => {
        const text = `1,${score},2`;
        assert.equal(readMicros(text, 2, text.length - 2), scoreMicros(score), text);
      }),
      { numRuns: 5_000 },
    );
    assert.equal(readMicros('null', 0, 4), null);
    assert.equal(readMicros('1,,2', 2, 2), null);
  });
});
