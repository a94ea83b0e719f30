import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Problem } from '../../../domain/problem.ts';
import { RequestWaits, withinRequest } from './request-waits.ts';
import { threadCpuMs } from './thread-cpu.ts';
import { sliceMs, WorkBudget, WorkQueue } from './work-budget.ts';

const ample = { timeMs: 60_000, units: 1_000_000 };
const isCode = (code: string) => (error: unknown) => error instanceof Problem && error.code === code;

/** Work that has the event loop for itself whenever it runs, in pieces of a millisecond. */
function* busy(pieces: number): Generator<void, number, void> {
  for (let piece = 0; piece < pieces; piece += 1) {
    const endsAtMs = performance.now() + 1;
    while (performance.now() < endsAtMs);
    yield;
  }
  return pieces;
}

/** So much processor time of this thread. */
function useProcessor(ms: number): void {
  const endsAtMs = threadCpuMs() + ms;
  while (threadCpuMs() < endsAtMs);
}

describe('a budget of work', () => {
  it('ends what uses more units than it has', () => {
    const budget = new WorkBudget(new WorkQueue(), { ...ample, units: 10 });
    budget.spend(10);
    assert.throws(() => budget.spend(1), isCode('TOO_MUCH_WORK'));
  });

  it('ends what takes longer than it may', async () => {
    const budget = new WorkBudget(new WorkQueue(), { ...ample, timeMs: 30 });
    await assert.rejects(budget.run(busy(10_000)), isCode('TOO_MUCH_WORK'));
  });

  it('is spent by its own work and not while others have their turn [D-941]', async () => {
    const queue = new WorkQueue();
    const gone = new AbortController();
    const others = Array.from({ length: 12 }, () =>
      new WorkBudget(queue, { ...ample, signal: gone.signal }).run(busy(10_000)),
    );
    const limits = { timeMs: 200, clockMs: 600_000, units: 1 };
    const work = new WorkBudget(queue, limits);
    // By the clock it takes several times as long as it may work.
    assert.equal(await work.run(busy(40)), 40);
    gone.abort();
    await Promise.allSettled(others);
  });

  it('is not spent by what the thread does while the work waits for the store [D-941]', async () => {
    const waits = new RequestWaits(60_000);
    const { promise, resolve } = Promise.withResolvers<void>();
    let work!: WorkBudget;
    withinRequest(waits, () => {
      work = new WorkBudget(new WorkQueue(), ample);
    });
    const before = work.leftMs;
    const waiting = waits.during(promise);
    useProcessor(300);
    resolve();
    await waiting;
    const spentMs = before - work.leftMs;
    assert.ok(spentMs < 150, `${spentMs} of 300 ms`);
    useProcessor(300);
    assert.ok(before - work.leftMs >= 300);
  });

  it('ends by the clock after ten times its time, however little it works [D-941]', async () => {
    const budget = new WorkBudget(new WorkQueue(), { ...ample, timeMs: 50 });
    const waiting = async (): Promise<void> => {
      for (;;) {
        await budget.aside(new Promise((resume) => setTimeout(resume, 5)));
        await budget.pause();
      }
    };
    await assert.rejects(waiting(), isCode('TOO_MUCH_WORK'));
  });

  it('ends when the caller has gone', async () => {
    const gone = new AbortController();
    const budget = new WorkBudget(new WorkQueue(), { ...ample, signal: gone.signal });
    setTimeout(() => gone.abort(), 5);
    await assert.rejects(budget.run(busy(10_000)), isCode('REQUEST_ABANDONED'));
  });

  it('lets the event loop turn several times between slices, however much work there is at once', async () => {
    const queue = new WorkQueue();
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const pieces = 5 * sliceMs;
    const works = Array.from({ length: 5 }, () => new WorkBudget(queue, ample).run(busy(pieces)));
    assert.deepEqual(await Promise.all(works), [pieces, pieces, pieces, pieces, pieces]);
    isDone = true;
    // The first slice of each is free; a slice may end early on a busy machine, and never late.
    assert.ok(turns >= 5 * 4 * 4, `${turns} turns`);
  });
});

describe('short work', () => {
  /** Has the event loop for itself for so long. */
  function block(ms: number): void {
    const endsAtMs = performance.now() + ms;
    while (performance.now() < endsAtMs);
  }

  it('begins on the spot where there is none before it, and else in the order it came', async () => {
    const queue = new WorkQueue();
    const begun: number[] = [];
    const works = [0, 1, 2].map((number) =>
      queue.runShort(() => {
        begun.push(number);
        // Nothing waits at this moment, so that what comes from within is the next.
        return number === 0 ? queue.runShort(() => begun.push(9)) : number;
      }),
    );
    assert.deepEqual(begun, [0, 9, 1, 2]);
    assert.deepEqual(await Promise.all(works), [2, 1, 2]);
  });

  it('lets the event loop turn several times once a slice is used up, and none is left out', async () => {
    const queue = new WorkQueue();
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const turnsAt: number[] = [];
    const works = Array.from({ length: 12 }, () =>
      queue.runShort(() => {
        block(sliceMs / 2);
        turnsAt.push(turns);
      }),
    );
    // Who comes later is behind those who wait already.
    const late = new Promise((resume) => setImmediate(resume)).then(() =>
      queue.runShort(() => turnsAt.length),
    );
    await Promise.all(works);
    isDone = true;
    assert.equal(await late, 12);
    // At most three of half a slice each begin within one slice.
    const groups = new Map<number, number>();
    for (const turn of turnsAt) groups.set(turn, (groups.get(turn) ?? 0) + 1);
    assert.ok(Math.max(...groups.values()) <= 3, JSON.stringify([...groups]));
    const between = [...groups.keys()].slice(1).map((turn, index) => turn - [...groups.keys()][index]!);
    assert.ok(
      between.every((count) => count >= 3),
      JSON.stringify(between),
    );
  });

  it('that fails tells whoever asked for it, and hurts no other', async () => {
    const queue = new WorkQueue();
    const failing = queue.runShort(() => {
      throw new Error('wrong');
    });
    const failingLater = queue.runShort(async () => {
      throw new Error('wrong later');
    });
    // Heard before anything is awaited: what nobody hears ends the process.
    const outcomes = Promise.all([
      assert.rejects(failing, /wrong/),
      assert.rejects(failingLater, /wrong later/),
    ]);
    assert.equal(await queue.runShort(() => 3), 3);
    await outcomes;
  });
});
