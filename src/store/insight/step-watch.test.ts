import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { watchSteps } from './step-watch.ts';

describe('work on another thread that is watched', () => {
  it('goes on as long as it makes steps, and is told of when it makes none [D-900]', async () => {
    let looks = 0;
    const movingLooks = 5;
    // The count goes up before each of some looks, and then no more.
    const stillAfter = await new Promise<number>((resolve) => {
      const countSteps = (): number => Math.min(looks++, movingLooks);
      watchSteps(countSteps, 1, () => resolve(looks));
      keepAlive(() => looks > movingLooks + 1);
    });
    assert.equal(stillAfter, movingLooks + 2);
  });

  it('is not looked at any more when it is done', async () => {
    let looks = 0;
    const end = watchSteps(
      () => looks++,
      1,
      () => assert.fail('It is done.'),
    );
    await keepAlive(() => looks > 2);
    end();
    const before = looks;
    await new Promise((resume) => setTimeout(resume, 20));
    assert.equal(looks, before);
  });
});

/** A watch keeps no process alive by itself. */
async function keepAlive(isOver: () => boolean): Promise<void> {
  while (!isOver()) await new Promise((resume) => setTimeout(resume, 1));
}
