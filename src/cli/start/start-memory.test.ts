import assert from 'node:assert/strict';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { giveBackStartMemory } from './start-memory.ts';

const lookEveryMs = 20;

/** Whether everything is collected within the time that there is for it, of a service that was busy for ten looks at first. */
async function isCollectedWithin(patienceMs: number, looksMax: number): Promise<boolean> {
  const collected = Promise.withResolvers<true>();
  const observer = new PerformanceObserver((list) => {
    const whole = constants.NODE_PERFORMANCE_GC_FLAGS_ALL_AVAILABLE_GARBAGE;
    const collections = list.getEntries() as unknown as readonly {
      readonly detail: { readonly flags: number };
    }[];
    if (collections.some(({ detail }) => detail.flags === whole)) collected.resolve(true);
  });
  observer.observe({ entryTypes: ['gc'] });
  giveBackStartMemory({ lookEveryMs, looksMax });
  await beBusyFor(10);
  const isCollected = await Promise.race([collected.promise, wait(patienceMs, false, { ref: false })]);
  observer.disconnect();
  return isCollected;
}

/** Leaves the event loop no quiet share of so many looks. */
async function beBusyFor(looks: number): Promise<void> {
  for (let look = 0; look < looks; look += 1) {
    const endMs = performance.now() + 2 * lookEveryMs;
    while (performance.now() < endMs);
    await wait(0);
  }
}

describe('what the start of a service took', () => {
  it('is given back in the first quiet moment, and not any more where none came for long [D-760]', async () => {
    assert.equal(await isCollectedWithin(15_000, 1_000), true);
    assert.equal(await isCollectedWithin(20 * lookEveryMs, 3), false);
  });
});
