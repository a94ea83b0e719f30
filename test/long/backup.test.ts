// As test/faults/backup.test.ts, twenty backups on a store that grows all the time.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BackupRounds } from '../support/backup-rounds.ts';
import { sqlite } from '../support/engines.ts';

const rounds = 20;

describe(`${rounds} backups under full ingestion`, () => {
  it('each restores to what was acknowledged before it was begun, row by row [D-291]', async () => {
    const store = await sqlite.newStore();
    const load = new BackupRounds(store.databaseUrl);
    try {
      await load.start();
      for (let round = 0; round < rounds; round += 1) await load.round();
      assert.ok(load.acknowledged.size > 0);
    } finally {
      await load.stop();
      await store.dispose();
    }
  });
});
