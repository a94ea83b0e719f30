// The task that measures the tables, done at once: a service waits for some minutes after its start.

import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { readConfig } from '../../src/config.ts';
import { findTask } from '../../src/store/engine/work/background-task.ts';
import { openDb } from '../../src/store/open-db.ts';
import { lastMeasured, type MeasuredTables, tableSizes } from '../../src/store/operations/table-sizes.ts';
import { patient } from './open-db.ts';

/** Looks at a time whether it is time to measure, waits until that is done where it should be, and says what is kept then. */
export async function measureSizes(
  databaseUrl: string,
  nowMs = Date.now(),
  isDue = true,
): Promise<MeasuredTables> {
  const env = { DATABASE_URL: databaseUrl };
  const reading = readConfig({ flags: {}, env, file: {}, readFile: () => '' });
  assert.ok('config' in reading);
  const db = await openDb(databaseUrl, patient);
  try {
    const { config } = reading;
    // The first look begins the time after which it measures.
    let atMs = nowMs - 600_000;
    const context = { db, config, now: () => atMs, newId: randomUUIDv7 };
    assert.deepEqual(await tableSizes.scopes!(context), []);
    atMs = nowMs;
    const [scope] = await tableSizes.scopes!(context);
    // A thread measures a large store meanwhile.
    for (let looks = 0; looks < 600; looks += 1) {
      const outcome = await tableSizes.step(context, await findTask(db, tableSizes.name, scope));
      const measured = await lastMeasured(db);
      if (measured !== null && (outcome === 'moved' || !isDue)) return measured;
      await setTimeout(50);
    }
    throw new Error('The tables were not measured.');
  } finally {
    await db.close();
  }
}
