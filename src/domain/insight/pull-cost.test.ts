import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seeded } from '../../../test/support/seeded.ts';
import { pullCost, sampledRowsMax, sampleWindows } from './pull-cost.ts';

const frame = { withMore: 60, last: 61 };

/** The estimate for rows of these sizes, and what it is of. */
function estimateOf(sizes: readonly number[], pageSize: number): { estimate: number; bytes: number } {
  const sampled = sampleWindows(sizes.length).flatMap(({ skip, take }) => sizes.slice(skip, skip + take));
  const sample = { rows: sampled.length, bytes: sampled.reduce((sum, size) => sum + size, 0) };
  const { bytes: estimate, pages, requests } = pullCost(sizes.length, pageSize, sample, frame);
  const rows = sizes.reduce((sum, size) => sum + size, 0);
  return { estimate, bytes: rows + sizes.length - pages + (requests - 1) * frame.withMore + frame.last };
}

describe('the cost of a pull', () => {
  const random = seeded(7);
  // How large the row at a place of so many is.
  const shapes: Readonly<Record<string, (place: number, count: number) => number>> = {
    'all alike': () => 3_000,
    'growing with time': (place, count) => 500 + (9_000 * place) / count,
    'another version in the last fifth': (place, count) => (place < count * 0.8 ? 900 : 12_000),
    'weekdays and weekends': (place, count) => (Math.floor((place / count) * 91) % 7 < 5 ? 2_000 : 6_000),
    'every third with a long comment': (place) => (place % 3 === 0 ? 5_000 : 1_500),
    'lengths of texts': () => 1_500 + Math.floor(800 * Math.exp(1.2 * (random.number() * 2 - 1) * 1.5)),
    'an erased half': (place, count) => (place < count / 2 ? 200 : 4_000),
  };
  for (const [name, sizeAt] of Object.entries(shapes))
    it(`rows that are ${name} are estimated within a factor of 1.5 [D-507]`, () => {
      for (const count of [129, 200, 1_000, 12_345, 100_000]) {
        const sizes = Array.from({ length: count }, (_, place) => Math.round(sizeAt(place, count)));
        const { estimate, bytes } = estimateOf(sizes, 25);
        assert.ok(estimate < bytes * 1.5 && estimate > bytes / 1.5, `${count} rows: ${estimate} of ${bytes}`);
      }
    });

  it('is exact while all rows can be read, and for none', () => {
    for (let count = 0; count <= sampledRowsMax; count += 1) {
      const sizes = Array.from({ length: count }, () => 100 + random.below(5_000));
      for (const pageSize of [1, 7, 100]) {
        const { estimate, bytes } = estimateOf(sizes, pageSize);
        assert.equal(estimate, bytes);
      }
    }
  });

  it('the sample has bounds, lies within the range, and reads no row twice', () => {
    for (const count of [0, 1, 128, 129, 130, 135, 1_000, 2 ** 40]) {
      const places = sampleWindows(count).flatMap(({ skip, take }) =>
        Array.from({ length: take }, (_, index) => skip + index),
      );
      assert.equal(places.length, Math.min(count, sampledRowsMax));
      assert.equal(new Set(places).size, places.length);
      assert.ok(places.every((place) => place >= 0 && place < count));
    }
  });
});
