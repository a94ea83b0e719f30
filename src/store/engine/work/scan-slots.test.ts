import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Problem } from '../../../domain/problem.ts';
import { ScanSlots } from './scan-slots.ts';
import { WorkBudget, WorkQueue } from './work-budget.ts';

const limits = { perAccount: 2, inAll: 3, waitingPerAccount: 2 };
const queue = new WorkQueue();
const ample = (signal?: AbortSignal) =>
  new WorkBudget(queue, { timeMs: 60_000, units: 1, ...(signal === undefined ? {} : { signal }) });
const isCode = (code: string) => (error: unknown) => error instanceof Problem && error.code === code;

/** A scan that runs until it is told to end. */
function scanning(slots: ScanSlots, accountId: number, budget = ample()) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const state = { isRunning: false, end: resolve, done: Promise.resolve() };
  state.done = slots.run(accountId, budget, async () => {
    state.isRunning = true;
    await promise;
    state.isRunning = false;
  });
  return state;
}
const settled = () => new Promise((resume) => setImmediate(resume));

describe('scans at once', () => {
  it('are so many an account and so many in all; who waits comes in turn, and passes nobody of its account [D-167]', async () => {
    const slots = new ScanSlots(limits);
    const own = [1, 2, 3, 4].map(() => scanning(slots, 1));
    const other = [1, 2].map(() => scanning(slots, 2));
    await settled();
    assert.deepEqual(
      [...own, ...other].map(({ isRunning }) => isRunning),
      [true, true, false, false, true, false],
    );
    own[0]!.end();
    await own[0]!.done;
    await settled();
    assert.deepEqual(
      [...own, ...other].map(({ isRunning }) => isRunning),
      [false, true, true, false, true, false],
    );
    for (const one of [...own, ...other]) one.end();
    await Promise.all([...own, ...other].map(({ done }) => done));
  });

  it('that are too many are refused at once, of this account alone [D-167]', async () => {
    const slots = new ScanSlots(limits);
    const own = [1, 2, 3, 4].map(() => scanning(slots, 1));
    await assert.rejects(scanning(slots, 1).done, isCode('THROTTLED'));
    const other = scanning(slots, 2);
    await settled();
    assert.ok(other.isRunning);
    for (const one of [...own, other]) one.end();
    await Promise.all([...own, other].map(({ done }) => done));
  });

  it('leave no place taken by who has gone or waited too long [D-167]', async () => {
    const slots = new ScanSlots({ ...limits, perAccount: 1 });
    const first = scanning(slots, 1);
    const gone = new AbortController();
    const leaving = scanning(slots, 1, ample(gone.signal));
    gone.abort();
    await assert.rejects(leaving.done, isCode('REQUEST_ABANDONED'));
    // One who has gone before its turn was asked for.
    await assert.rejects(scanning(slots, 1, ample(gone.signal)).done, isCode('REQUEST_ABANDONED'));
    const late = scanning(slots, 1, new WorkBudget(queue, { timeMs: 1, units: 1 }));
    await assert.rejects(late.done, isCode('THROTTLED'));
    first.end();
    await first.done;
    const next = scanning(slots, 1);
    await settled();
    assert.ok(next.isRunning);
    next.end();
    await next.done;
  });
});
