// What is emptied or deleted is room again: on the disk for the embedded store, for new rows on a server.

import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { releasePages } from '../../../src/store/operations/free-space.ts';
import { postgres, sqlite } from '../../support/engines.ts';
import { openStore } from '../../support/open-db.ts';
import { storeRows } from '../../support/store-rows.ts';

describe('free space', () => {
  it('a new embedded store gives free pages back to the disk in slices, and stays whole [D-275]', async () => {
    const { db, databaseUrl, dispose } = await openStore(sqlite);
    try {
      const path = databaseUrl.slice('sqlite:'.length);
      const behind = new DatabaseSync(path, { timeout: 10_000 });
      behind.exec(`create table bulk (id integer primary key, words text)`);
      const insert = behind.prepare('insert into bulk (words) values (?)');
      behind.exec('begin');
      for (let number = 0; number < 3_000; number += 1) insert.run('x'.repeat(4_000));
      behind.exec('commit; delete from bulk where id % 2 = 0; delete from bulk where id % 4 = 1');
      const pages = (): number => Number(behind.prepare('pragma page_count').get()?.page_count);
      const before = pages();
      const released = [
        await db.write(releasePages, { pages: 300 }),
        await db.write(releasePages, { pages: 100_000 }),
        await db.write(releasePages, { pages: 100 }),
      ];
      assert.deepEqual([released[0], released[2]], [300, 0]);
      assert.ok(before - pages() >= released[0]! + released[1]!);
      assert.equal(Number(behind.prepare('select count(*) as n from bulk').get()?.n), 750);
      assert.equal(behind.prepare('pragma quick_check').get()?.quick_check, 'ok');
      behind.exec('pragma wal_checkpoint(truncate)');
      assert.ok(statSync(path).size <= pages() * 8_192);
      behind.close();
    } finally {
      await dispose();
    }
  });

  it('PostgreSQL sweeps the tables of responses after some ten thousand changed rows, not after a fifth of them [D-275]', async () => {
    const { databaseUrl, dispose } = await openStore(postgres);
    try {
      const rows = await storeRows(
        databaseUrl,
        `select relname from pg_class
         where relname in ('response', 'response_body', 'response_external')
           and 'autovacuum_vacuum_scale_factor=0.005' = any(reloptions)`,
      );
      assert.equal(rows.length, 3);
    } finally {
      await dispose();
    }
  });
});
