import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { FirstFew } from './first-few.ts';

describe('the first few of many', () => {
  it('are the same as those of the sorted whole, however many come in whatever order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 })), fc.nat({ max: 20 }), (numbers, count) => {
        const first = new FirstFew<number>(count, (a, b) => a - b);
        const gone = numbers.flatMap((number) => first.offer(number) ?? []);
        const kept = [...first.lastToFirst()].reverse();
        const sorted = numbers.toSorted((a, b) => a - b);
        assert.deepEqual(kept, sorted.slice(0, count));
        assert.equal(kept.length + gone.length, numbers.length);
        assert.deepEqual([...first.lastToFirst()], []);
      }),
    );
  });
});
