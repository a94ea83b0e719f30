import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { withheldCells } from './withheld-cells.ts';

describe('cells of a whole that are withheld [D-484]', () => {
  const cases: readonly (readonly [readonly number[], number, string])[] = [
    [[3, 0, 9, 7], 1, '0000'],
    [[9, 0, 9, 7], 5, '0000'],
    // The 3 follows from the others and the whole, so the 7 is withheld with it.
    [[3, 0, 9, 7], 5, '1001'],
    [[3, 2, 9, 7], 5, '1100'],
    [[1, 1, 1, 9, 40], 5, '11110'],
    [[2], 5, '1'],
    [[2, 1], 5, '11'],
    [[], 5, ''],
  ];
  for (const [counts, minimum, expected] of cases)
    it(`${JSON.stringify(counts)} at ${minimum}`, () => {
      const found = withheldCells(counts, minimum);
      assert.equal(found.map((isWithheld) => (isWithheld ? '1' : '0')).join(''), expected);
    });

  it('what the whole less all that is shown tells goes over nothing, or at least the minimum, or everything', () => {
    const counts = fc.array(fc.nat({ max: 12 }), { maxLength: 12 });
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 20 }), (all, minimum) => {
        const found = withheldCells(all, minimum);
        const sum = (some: readonly number[]): number => some.reduce((one, other) => one + other, 0);
        const hidden = sum(all.filter((_, place) => found[place]));
        assert.ok(hidden === 0 || hidden >= minimum || hidden === sum(all));
        for (const [place, count] of all.entries())
          if (!found[place]) assert.ok(count === 0 || count >= minimum);
      }),
    );
  });
});
