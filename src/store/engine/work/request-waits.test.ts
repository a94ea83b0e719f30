import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Problem } from '../../../domain/problem.ts';
import { openDb } from '../../open-db.ts';
import type { WaitLimits } from '../db.ts';
import { BatchLoader } from './batch-loader.ts';
import { Cache } from './cache.ts';
import { RequestWaits, waitsOfRequest, withinRequest } from './request-waits.ts';
import { WorkQueue } from './work-budget.ts';

const ampleMs = 60_000;
const isLate = (error: unknown) => error instanceof Problem && error.code === 'STORE_TIMEOUT';

function asRequest<T>(waits: RequestWaits, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => withinRequest(waits, () => work().then(resolve, reject)));
}

/** Until so much of the time of a request is used up. */
async function waitUntilLess(waits: RequestWaits, leftMs: number): Promise<void> {
  while (waits.leftMs >= leftMs) await waits.during(new Promise((resume) => setTimeout(resume, 5)));
}

const limits: WaitLimits = { stillMs: 100, inAllMs: 1_000 };

describe('the waits of a request', () => {
  it('leave a further question no more than what those before it have left [D-940]', async () => {
    const waits = new RequestWaits(100);
    assert.deepEqual(waits.limitsOf(limits), limits);
    await waitUntilLess(waits, 90);
    const { stillMs, inAllMs } = waits.limitsOf({ stillMs: 100, inAllMs: 1_000 });
    assert.ok(stillMs <= 90 && inAllMs <= 90, `${stillMs} and ${inAllMs}`);
    await waitUntilLess(waits, 1);
    await waitUntilLess(waits, 0);
    assert.throws(() => waits.limitsOf(limits), isLate);
  });

  it('of two questions at once count once, and what is not waited for does not count [D-940]', async () => {
    const waits = new RequestWaits(ampleMs);
    const { promise, resolve } = Promise.withResolvers<void>();
    const both = Promise.all([waits.during(promise), waits.during(promise)]);
    const before = waits.leftMs;
    const startedAtMs = performance.now();
    await new Promise((resume) => setTimeout(resume, 50));
    resolve();
    await both;
    const waitedMs = performance.now() - startedAtMs;
    const after = waits.leftMs;
    assert.ok(before - after >= 50 - 1 && before - after <= waitedMs, `${before - after} of ${waitedMs}`);
    await new Promise((resume) => setTimeout(resume, 20));
    assert.equal(waits.leftMs, after);
  });

  it('begin anew with a slice of work that goes through the store, and not with one that computes [D-940]', async () => {
    const waits = new RequestWaits(10);
    const queue = new WorkQueue();
    await waitUntilLess(waits, 0);
    await asRequest(waits, () => queue.nextTurn());
    assert.throws(() => waits.limitsOf(limits), isLate);
    await asRequest(waits, () => queue.nextSlice());
    assert.equal(waits.leftMs, 100);
  });

  it('are held against nothing once the answer begins [D-940]', async () => {
    const waits = new RequestWaits(1);
    await waitUntilLess(waits, 0);
    waits.endWithAnswer();
    assert.deepEqual(waits.limitsOf(limits), limits);
    assert.equal(await waits.until(Promise.resolve(1)), 1);
  });
});

describe('what several requests wait for', () => {
  it('ends for the one whose time is over, and not for the others [D-940]', async () => {
    const cache = new Cache<string, string>({ bytesMax: 10_000, bytesOf: () => 10 });
    const { promise, resolve } = Promise.withResolvers<string>();
    const owners: unknown[] = [];
    const ask = (): Promise<string> => {
      owners.push(waitsOfRequest());
      return promise;
    };
    const hasty = asRequest(new RequestWaits(1), async () => cache.find('key', ask));
    const patient = asRequest(new RequestWaits(ampleMs), async () => cache.find('key', ask));
    await assert.rejects(hasty, isLate);
    resolve('answer');
    assert.equal(await patient, 'answer');
    assert.deepEqual(owners, [null], 'it was asked once, and for nobody');
  });

  it('is read in one question, which belongs to none of them [D-940]', async () => {
    const db = await openDb('sqlite::memory:', { timeoutMs: 100, poolSize: 1 });
    const { promise, resolve } = Promise.withResolvers<ReadonlyMap<number, string>>();
    const owners: unknown[] = [];
    const loader = new BatchLoader<number, string>(() => {
      owners.push(waitsOfRequest());
      return promise;
    });
    const hasty = asRequest(new RequestWaits(1), () => loader.find(db, 1, 1));
    const patient = asRequest(new RequestWaits(ampleMs), () => loader.find(db, 1, 2));
    await assert.rejects(hasty, isLate);
    resolve(new Map([[2, 'two']]));
    assert.equal(await patient, 'two');
    assert.deepEqual(owners, [null]);
    await db.close();
  });
});
