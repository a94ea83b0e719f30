// The task that ends the changes of feeds, done at once, at a time and with a setting of the test's own.

import assert from 'node:assert/strict';
import { readConfig } from '../../src/config.ts';
import { changeEnd } from '../../src/store/feedback/change-end.ts';
import { openDb } from '../../src/store/open-db.ts';
import { runTask } from './ended-rows.ts';
import { patient } from './open-db.ts';

/** Like a process that has just started: it looks for what has ended at once. */
export async function endChanges(databaseUrl: string, nowMs: number, keptDays: number): Promise<void> {
  const env = { SOUNDINGS_CHANGES_DAYS: String(keptDays) };
  const reading = readConfig({ flags: {}, env, file: {}, readFile: () => '' });
  assert.ok('config' in reading);
  const db = await openDb(databaseUrl, patient);
  try {
    await runTask(changeEnd, { db, config: reading.config, now: () => nowMs });
  } finally {
    await db.close();
  }
}
