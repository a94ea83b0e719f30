// The files of an embedded store are looked at with every batch: what SQLite does to them by itself is no alarm, and what a
// process that does not compare has written beside us is never acknowledged over.

import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import sql from 'sql-template-tag';
import { Problem } from '../../../../src/domain/problem.ts';
import type { Db } from '../../../../src/store/engine/db.ts';
import { migrate } from '../../../../src/store/engine/migrate.ts';
import { beat } from '../../../../src/store/engine/replicas.ts';
import { openDb } from '../../../../src/store/open-db.ts';
import { atExit } from '../../../support/at-exit.ts';
import { sqlite, type TestStore } from '../../../support/engines.ts';
import { until } from '../../../support/service.ts';
import { temporaryFile, temporaryFolder } from '../../../support/temporary-file.ts';

const patient = { timeoutMs: 20_000, poolSize: 1 };
const isLong = process.env.TEST_LONG !== undefined;

const pathOf = ({ databaseUrl }: TestStore): string => databaseUrl.slice('sqlite:'.length);
const beatOf = (replica: string, nowMs: number): Parameters<typeof beat>[0] => ({
  replica,
  nowMs,
  forgetBeforeMs: 0,
});

/** Another process that writes and writes, and ends with the first failure or when its input ends. */
function startWriter(databaseUrl: string): ChildProcess {
  const stores = fileURLToPath(new URL('../../../../src/store/', import.meta.url));
  const script = `
    import { openDb } from ${JSON.stringify(`${stores}open-db.ts`)};
    import { beat } from ${JSON.stringify(`${stores}engine/replicas.ts`)};
    const db = await openDb(process.argv[2], { timeoutMs: 20000, poolSize: 1 });
    let isOver = false;
    process.stdin.on('end', () => { isOver = true; }).resume();
    let number = 0;
    process.stdout.write('up');
    // With a pause: SQLite gives its lock to whoever asks at the right moment, and others ask too.
    for (; !isOver; await new Promise((resume) => setTimeout(resume, 3)))
      await db.write(beat, { replica: 'other', nowMs: ++number, forgetBeforeMs: 0 });
    await db.close();
    process.stdout.write(' ' + number);`;
  // In a file: the threads of a process share how it was told to read its script.
  return spawn(process.execPath, [temporaryFile('writer.mjs', script), databaseUrl], { stdio: 'pipe' });
}

/** In a process of its own: what one process has open of a store, all of its connections share. */
function askOutside(path: string, query: string): unknown {
  const script = `
    const { DatabaseSync } = require('node:sqlite');
    process.stdout.write(JSON.stringify(new DatabaseSync(process.argv[1]).prepare(process.argv[2]).all()));`;
  return JSON.parse(execFileSync(process.execPath, ['-e', script, path, query], { encoding: 'utf8' }));
}

async function movedOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Problem && error.code === 'STORE_MOVED', String(error));
  return (error.cause as Error).message;
}

describe('the files of an embedded store that is open', () => {
  it('checkpoints, logs that are cut off, pages given back and other processes are no alarm [D-835]', async () => {
    const store = await sqlite.readyStore();
    const db = await openDb(store.databaseUrl, patient);
    await migrate(db, Date.now);
    const other = startWriter(store.databaseUrl);
    const said: string[] = [];
    other.stdout!.setEncoding('utf8').on('data', (text: string) => said.push(text));
    other.stderr!.setEncoding('utf8').on('data', (text: string) => said.push(text));
    const closed = once(other, 'close');
    await Promise.race([once(other.stdout!, 'data'), closed]);
    let isOver = false;
    let written = 0;
    let failure: unknown = null;
    const writing = (async (): Promise<void> => {
      for (; !isOver; written += 1) await db.write(beat, beatOf('own', written));
    })().catch((error: unknown) => {
      failure = error;
    });
    const outside = new DatabaseSync(pathOf(store), { timeout: 20_000 });
    outside.exec('create table filler (text text)');
    const rounds = isLong ? 100 : 12;
    for (let round = 0; round < rounds; round += 1) {
      outside.exec(`with recursive n (i) as (select 1 union all select i + 1 from n where i < 300)
        insert into filler select hex(randomblob(4000)) from n`);
      outside.exec(`pragma wal_checkpoint(${['passive', 'restart', 'truncate', 'full'][round % 4]})`);
      outside.exec('delete from filler');
      outside.exec(round % 3 === 0 ? 'vacuum' : 'pragma incremental_vacuum');
      outside.exec('pragma wal_checkpoint(truncate)');
      const now = written;
      await until(
        async () => written,
        (count) => count > now + 5 || failure !== null,
      );
    }
    isOver = true;
    await writing;
    assert.equal(failure, null);
    outside.close();
    other.stdin!.end();
    const [code] = (await closed) as [number];
    assert.equal(code, 0, said.join(''));
    assert.ok(written > rounds * 5);
    assert.equal(Number(said.join('').split(' ')[1]) > 0, true);
    await db.close();
    await store.dispose();
  });

  it('-shm deleted: another process with a log index of its own is not written over, and everything is saved once [D-835] [D-837]', async () => {
    const store = await sqlite.readyStore();
    const path = pathOf(store);
    const db = await openDb(store.databaseUrl, patient);
    await db.write(beat, beatOf('before', 1));
    rmSync(`${path}-shm`);
    // A program that compares nothing, as a release of before.
    askOutside(path, `insert into heartbeat (replica, at) values ('outside', 2)`);
    assert.match(await movedOf(db.write(beat, beatOf('after', 3))), /store\.db-shm was/);
    await until(
      async () => movedOf(db.read(sql`select 1 as one`)),
      (says) => /What was acknowledged is saved in .*\.saved-/.test(says),
    );
    // The index that is there now is the other's: nothing is taken before a restart.
    await movedOf(db.write(beat, beatOf('after', 3)));
    await db.close();
    assert.deepEqual(askOutside(path, 'select replica from heartbeat order by replica'), [
      { replica: 'before' },
      { replica: 'outside' },
    ]);
    const saved = readdirSync(dirname(path)).filter((name) => name.includes('.saved-'));
    assert.equal(saved.length, 1);
    assert.equal(statSync(join(dirname(path), saved[0]!)).mode & 0o777, 0o600);
  });

  it('whoever comes later compares before SQLite opens anything: it is refused, and no -shm is made [D-836]', async () => {
    const store = await sqlite.readyStore();
    const path = pathOf(store);
    const db = await openDb(store.databaseUrl, patient);
    await db.write(beat, beatOf('before', 1));
    const record = JSON.parse(readFileSync(`${path}.files`, 'utf8')) as Record<string, string>;
    const { dev, ino } = statSync(`${path}-shm`, { bigint: true });
    assert.equal(record.index, `${dev}:${ino}`);
    rmSync(`${path}-shm`);
    await assert.rejects(openDb(store.databaseUrl, patient), (error: Problem) => {
      assert.match(
        (error.cause as Error).message,
        /store\.db-shm was deleted or moved while somebody had the store open/,
      );
      return true;
    });
    assert.equal(existsSync(`${path}-shm`), false);
    await db.close();
  });

  it('a command whose files go while it works does not commit into them [D-836]', async () => {
    const store = await sqlite.readyStore();
    const path = pathOf(store);
    const service = await openDb(store.databaseUrl, patient);
    await service.write(beat, beatOf('before', 1));
    const command: Db = await openDb(store.databaseUrl, patient);
    await command.write(beat, beatOf('command', 2));
    const lock = new DatabaseSync(path);
    lock.exec('begin immediate');
    // It waits for the lock, and the log goes before it has it.
    const late = movedOf(command.write(beat, beatOf('late', 3)));
    rmSync(`${path}-wal`);
    lock.exec('rollback');
    assert.match(await late, /store\.db-wal was deleted or moved/);
    lock.close();
    await command.close();
    await service.close();
  });

  it('saves no more than three copies, and says why there is not another [D-837]', async () => {
    const store = await sqlite.readyStore();
    const path = pathOf(store);
    const db = await openDb(store.databaseUrl, patient);
    await db.write(beat, beatOf('before', 1));
    for (const number of [1, 2, 3]) {
      const copy = `${path}.saved-20260101T00000000${number}Z`;
      writeFileSync(copy, '');
      utimesSync(copy, 1, 1);
    }
    rmSync(path);
    await movedOf(db.write(beat, beatOf('after', 2)));
    await until(
      async () => movedOf(db.read(sql`select 1 as one`)),
      (says) => /It could not be saved: there are 3 copies already/.test(says),
    );
    await db.close();
  });

  it('no room for it: it says so, and leaves nothing behind [D-837]', async (t) => {
    const folder = temporaryFolder('small');
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', folder]).status !== 0)
      return t.skip('no disk may be mounted here');
    atExit(() => spawnSync('umount', ['-l', folder]));
    const path = join(folder, 'store.db');
    const db = await openDb(`sqlite:${path}`, patient);
    await migrate(db, Date.now);
    await db.write(beat, beatOf('before', 1));
    rmSync(path);
    await movedOf(db.write(beat, beatOf('after', 2)));
    await until(
      async () => movedOf(db.read(sql`select 1 as one`)),
      (says) => /It could not be saved: there is no room, .* MiB of .* MiB are free/.test(says),
    );
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.includes('.sav')),
      [],
    );
    await db.close();
  });

  it('the whole folder deleted: it is made again for what is saved [D-837]', async () => {
    const store = await sqlite.newStore();
    const folder = join(dirname(pathOf(store)), 'below');
    mkdirSync(folder);
    const db = await openDb(`sqlite:${join(folder, 'store.db')}`, patient);
    await migrate(db, Date.now);
    await db.write(beat, beatOf('before', 1));
    rmSync(folder, { recursive: true });
    await movedOf(db.write(beat, beatOf('after', 2)));
    await until(
      async () => movedOf(db.read(sql`select 1 as one`)),
      (says) => /What was acknowledged is saved in/.test(says),
    );
    const [saved] = readdirSync(folder).filter((name) => name.includes('.saved-'));
    const copy = new DatabaseSync(join(folder, saved!), { readOnly: true });
    assert.deepEqual(
      copy
        .prepare('select replica from heartbeat')
        .all()
        .map(({ replica }) => replica),
      ['before'],
    );
    copy.close();
    await db.close();
  });
});
