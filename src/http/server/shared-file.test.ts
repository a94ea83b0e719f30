import assert from 'node:assert/strict';
import { it } from 'node:test';
import { loadOnce } from './shared-file.ts';

it('a load that failed is tried again by the next who asks, and one that succeeded never', async () => {
  let loads = 0;
  const load = loadOnce(async () => {
    loads += 1;
    if (loads === 1) throw new Error('The file cannot be read.');
    return loads;
  });
  const together = await Promise.allSettled([load(), load()]);
  assert.deepEqual(
    together.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(loads, 1, 'Those who ask meanwhile share one load.');
  assert.deepEqual([await load(), await load()], [2, 2]);
});
