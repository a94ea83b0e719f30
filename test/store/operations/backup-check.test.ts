// A backup in which something has changed: wherever a bit was turned and wherever the file was cut, it is refused, in a
// sentence; and what must not be given up for a backup: the disk of the service.

import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { usualLimits } from '../../../src/store/engine/sqlite/backup-copy.ts';
import { StoreFault } from '../../../src/store/engine/store-fault.ts';
import { type MadeBackup, makeBackup } from '../../../src/store/operations/backup.ts';
import { checkBackup, checkStore } from '../../../src/store/operations/backup-check.ts';
import { sqlite, type TestStore } from '../../support/engines.ts';
import { commandHereOk } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-file.ts';

const flips = 150;
const cuts = 60;
const nothing = (): void => {};

describe('a backup that is no longer what it was', () => {
  const folder = temporaryFolder('damaged');
  let store: TestStore;
  let storePath: string;
  let good: MadeBackup;
  let whole: Buffer;

  before(async () => {
    store = await sqlite.newStore();
    storePath = store.databaseUrl.slice('sqlite:'.length);
    await commandHereOk(['demo', '--responses', '1500'], { DATABASE_URL: store.databaseUrl });
    good = await makeBackup({
      storePath,
      target: join(folder, 'good.db'),
      keep: null,
      version: 'test',
      atMs: Date.now(),
    });
    whole = readFileSync(good.file);
  });
  after(() => store?.dispose());

  /** A copy of the backup with its manifest, or without. */
  function changed(bytes: Uint8Array, hasManifest: boolean): string {
    const file = join(folder, hasManifest ? 'changed.db' : 'changed-alone.db');
    writeFileSync(file, bytes);
    if (hasManifest) copyFileSync(`${good.file}.json`, `${file}.json`);
    return file;
  }

  /** With one bit of the file turned, spread over all of it, the first page most of all. */
  function flipped(index: number, hasManifest: boolean): string {
    const at = index < 40 ? index * 5 : Math.floor((whole.length * index) / flips);
    const was = whole[at]!;
    // In place: a copy of the whole for each bit would cost more than what is tested.
    whole[at] = was ^ (1 << (index % 8));
    const file = changed(whole, hasManifest);
    whole[at] = was;
    return file;
  }

  it('is good before anything has changed, and whoever looks changes nothing', async () => {
    const before = readdirSync(folder).sort();
    const { content, manifest } = await checkBackup(good.file, nothing);
    assert.deepEqual(content.counts, manifest?.counts);
    assert.equal(content.counts.responses, 1500);
    assert.deepEqual(readdirSync(folder).sort(), before);
    assert.deepEqual(readFileSync(good.file), whole);
  });

  it(`one bit in each of ${flips} places: refused every time [D-292]`, async () => {
    for (let index = 0; index < flips; index += 1) {
      const file = flipped(index, true);
      await assert.rejects(
        checkBackup(file, nothing),
        (error: unknown) => error instanceof StoreFault && /is damaged|newer version/.test(error.message),
        `flip ${index}`,
      );
    }
  });

  it(`cut at ${cuts} lengths, with its manifest and without: refused every time [D-292]`, async () => {
    for (let index = 0; index < cuts; index += 1) {
      const length = index < 20 ? index * 50 : Math.floor((whole.length * index) / cuts);
      for (const hasManifest of [true, false])
        await assert.rejects(
          checkBackup(changed(whole.subarray(0, length), hasManifest), nothing),
          (error: unknown) =>
            error instanceof StoreFault && /cut short|no store of Soundings/.test(error.message),
          `cut at ${length}`,
        );
    }
  });

  it('without its manifest a turned bit is refused in a sentence or changes nothing that is counted: never anything else', async () => {
    let refused = 0;
    for (let index = 0; index < flips; index += 3) {
      const file = flipped(index, false);
      try {
        const { counts } = checkStore(file, nothing);
        assert.deepEqual(counts, good.manifest.counts, `flip ${index}`);
      } catch (error) {
        assert.ok(error instanceof StoreFault, `flip ${index}: ${error}`);
        refused += 1;
      }
    }
    assert.ok(refused > 5, `${refused}`);
  });

  it('without its manifest a changed answer is noticed by the digest of its day [D-292]', () => {
    const file = changed(whole, false);
    const database = new DatabaseSync(file);
    const sources = database.prepare('select source_id as id from log_counter where digested_seq > 0').all();
    assert.ok(sources.length > 0);
    database
      .prepare(
        `update response_body set body = replace(body, 'responses', 'responsez') where seq = 7 and source_id = ?`,
      )
      .run(sources[0]!.id as number);
    database.close();
    assert.throws(
      () => checkStore(file, nothing),
      /the digest of \d{4}-\d\d-\d\d of source \d+ of account 4001/,
    );
  });

  it('a changed manifest is refused as well', async () => {
    const file = changed(whole, true);
    const text = readFileSync(`${good.file}.json`, 'utf8');
    for (const other of ['', '[]', 'null', text.slice(0, -30), text.replace('"format": 1', '"format": 2')]) {
      writeFileSync(`${file}.json`, other);
      await assert.rejects(checkBackup(file, nothing), StoreFault);
    }
    writeFileSync(`${file}.json`, text.replace(/"storeId": "[^"]+"/, '"storeId": "another"'));
    await assert.rejects(checkBackup(file, nothing), /manifest is that of another store/);
  });

  it('the pause after a step has a bound, however long the step took, and the copy has the priority of whoever makes it [D-899]', async () => {
    const target = temporaryFolder();
    const request = { storePath, target, keep: null, version: 'test', atMs: Date.now() };
    const before = getPriority();
    let steps = 0;
    // Without the bound, each of these steps would be followed by hours.
    const limits = { ...usualLimits, pagesAtOnce: 16, pause: 1e9, pauseMsMax: 1 };
    await makeBackup(
      request,
      {
        onProgress() {
          steps += 1;
          assert.equal(getPriority(), before);
        },
      },
      limits,
    );
    assert.ok(steps > 2, String(steps));
  });

  it('the log that grows during a copy, or a disk that runs full, ends the copy and not the service [D-291]', async () => {
    const target = temporaryFolder();
    const writer = new DatabaseSync(storePath, { timeout: 5_000 });
    // Kept in the log for as long as somebody reads.
    const write = (): void => writer.exec(`update survey set document = document || ' '`);
    const limits = { ...usualLimits, pagesAtOnce: 16, walBytesMax: 1, pause: 0 };
    const request = { storePath, target, keep: null, version: 'test', atMs: Date.now() };
    const limitOfStore = statSync(storePath).size;
    let written = 0;
    const growing = makeBackup(
      request,
      {
        onProgress() {
          while (statSync(`${storePath}-wal`).size < 2 * limitOfStore + written) write();
          written += 1;
        },
      },
      limits,
    );
    await assert.rejects(
      growing,
      /given up: what was written meanwhile has made the log of the store grow to/,
    );
    const full = makeBackup(request, {}, { ...usualLimits, freeBytesMin: Number.MAX_SAFE_INTEGER });
    await assert.rejects(full, /There is no room for it/);
    writer.close();
    assert.deepEqual(readdirSync(target), []);
    // What grew is cut off again when the next one is done.
    await makeBackup(request);
    assert.ok(!existsSync(`${storePath}-wal`) || statSync(`${storePath}-wal`).size < limitOfStore);
  });
});
