// What the store knows of its backups, on both engines.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type BackupKind, knownBackups, recordBackup } from '../../../src/store/operations/backup-records.ts';
import { engines } from '../../support/engines.ts';
import { type OpenedStore, openStore } from '../../support/open-db.ts';
import { storeRows } from '../../support/store-rows.ts';

const nowMs = Date.UTC(2026, 0, 31);
const hourMs = 3_600_000;

for (const engine of engines) {
  describe(`the records of backups on ${engine.name}`, () => {
    let opened: OpenedStore;
    let changes = 0;
    before(async () => {
      opened = await openStore(engine);
    });
    after(() => opened?.dispose());

    function record(kind: BackupKind, atMs: number): Promise<void> {
      changes += 1;
      const stamp = { changeId: `change-${changes}`, nowMs, actor: 'test' };
      return opened.db.write(recordBackup, {
        kind,
        atMs,
        place: `p-${changes}`,
        bytes: 1,
        detail: null,
        ...stamp,
      });
    }

    it('the youngest good one counts by when it was begun, and one of the future counts for nothing [D-297]', async () => {
      assert.equal((await knownBackups(opened.db, nowMs))?.lastGood, null);
      await record('made', nowMs - 2 * hourMs);
      await record('reported', nowMs - 5 * hourMs);
      await record('restored', nowMs - hourMs);
      await record('reported', nowMs + hourMs);
      const known = await knownBackups(opened.db, nowMs);
      assert.equal(known?.lastGood?.atMs, nowMs - 2 * hourMs);
      assert.equal(known?.isAnyOfFuture, true);
      assert.equal(known?.lastFailure, null);
    });

    it('a failure is one until the next one is made, whatever their times are [D-297]', async () => {
      await record('failed', nowMs + 9 * hourMs);
      assert.notEqual((await knownBackups(opened.db, nowMs))?.lastFailure, null);
      await record('reported', nowMs - 3 * hourMs);
      assert.notEqual((await knownBackups(opened.db, nowMs))?.lastFailure, null);
      await record('made', nowMs - 3 * hourMs);
      assert.equal((await knownBackups(opened.db, nowMs))?.lastFailure, null);
    });

    it('hundreds, by several at once, are a table of a few dozen rows, and failures push no good one out', async () => {
      await record('made', nowMs - hourMs);
      const kinds: readonly BackupKind[] = ['failed', 'reported', 'failed', 'restored'];
      await Promise.all(
        Array.from({ length: 200 }, (_, index) => record(kinds[index % 4]!, nowMs - 9 * hourMs)),
      );
      const [rows] = await storeRows(opened.databaseUrl, 'select count(*) as count from backup_record');
      assert.ok(Number(rows?.count) <= 40, `${rows?.count}`);
      assert.equal((await knownBackups(opened.db, nowMs))?.lastGood?.atMs, nowMs - hourMs);
    });
  });
}
