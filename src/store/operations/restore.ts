// A backup becomes a store: checked, copied beside its place, brought to the schema of this version, told that it was
// restored, and only then given its name. Nothing is ever overwritten; where a store is, or what a store left, the
// operator moves it away (D-295).

import { createHash } from 'node:crypto';
import { closeSync, createReadStream, existsSync, openSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { ChangeStamp } from '../engine/audit.ts';
import { migrate } from '../engine/migrate.ts';
import { makeSingleFile } from '../engine/sqlite/backup-copy.ts';
import { realStorePath } from '../engine/sqlite/store-file.ts';
import { lockFileOf, lockStore } from '../engine/sqlite/store-lock.ts';
import { recordFileOf, removeRecord } from '../engine/sqlite/store-record.ts';
import { damaged } from '../engine/sqlite/store-snapshot.ts';
import { linkOnce, syncFile } from '../engine/sqlite/unfinished-file.ts';
import { StoreFault, writingFault } from '../engine/store-fault.ts';
import { newMark, renewEnds } from '../feedback/log-history.ts';
import { openDb } from '../open-db.ts';
import { checkBackup, type OnCheck, type StoreContent } from './backup-check.ts';
import { removeUnfinished } from './backup-files.ts';
import type { Manifest } from './backup-manifest.ts';
import { recordBackup } from './backup-records.ts';

const fileMode = 0o600;
const patienceMs = 60_000;

interface RestoreWatch {
  readonly onCheck: OnCheck;
  readonly onBytes: (bytes: number) => void;
}

interface Restored {
  readonly content: StoreContent;
  /** Null where the backup had none. */
  readonly manifest: Manifest | null;
  /** The steps by which its schema was brought up to date. */
  readonly steps: readonly string[];
}

/** What is at the place where a store is to be put; all of it has to go first. */
export function filesInTheWay(storePath: string): readonly string[] {
  return ['', '-wal', '-shm', '-journal'].map((end) => `${storePath}${end}`).filter(existsSync);
}

export async function restoreBackup(
  backup: string,
  place: string,
  stamp: ChangeStamp,
  { onCheck, onBytes }: RestoreWatch,
): Promise<Restored> {
  const storePath = realStorePath(place);
  const folder = dirname(storePath);
  if (!existsSync(folder)) throw new StoreFault(`The folder ${folder} is not there: make it first.`);
  const inTheWay = filesInTheWay(storePath);
  if (inTheWay.length > 0)
    throw new StoreFault(
      `${inTheWay.join(', ')} ${inTheWay.length === 1 ? 'is' : 'are'} there, and nothing is overwritten: stop the service, then move away everything of the old store.`,
    );
  const unfinished = `${storePath}.restore`;
  try {
    const lock = lockStore(storePath, 'restore');
    if (lock === null)
      throw new StoreFault(
        `A process still uses the store of ${storePath}, though its file was moved: stop the service first.`,
      );
    try {
      const { content, manifest } = await checkBackup(backup, onCheck);
      removeAll(unfinished);
      await copyFile(backup, unfinished, manifest, onBytes);
      onCheck('schema');
      const steps = await prepare(unfinished, backup, manifest, stamp);
      makeSingleFile(unfinished);
      syncFile(unfinished);
      if (filesInTheWay(storePath).length > 0)
        throw new StoreFault(`${storePath} has appeared meanwhile, and was left as it is.`);
      // It says what the store before was left with.
      removeRecord(storePath);
      linkOnce(unfinished, storePath);
      syncFile(folder);
      return { content, manifest, steps };
    } finally {
      removeAll(unfinished);
      lock.release();
    }
  } catch (error) {
    throw writingFault(folder, error) ?? error;
  }
}

/** What a kill left behind is found again under the same name. */
function removeAll(unfinished: string): void {
  removeUnfinished(unfinished);
  for (const path of [lockFileOf(unfinished), `${unfinished}.reserve`, recordFileOf(unfinished)])
    rmSync(path, { force: true });
}

/** Its bytes are summed up as they are copied, so that what is put in place is what was checked. */
async function copyFile(
  from: string,
  to: string,
  manifest: Manifest | null,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const hash = createHash('sha256');
  const opened = openSync(to, 'wx', fileMode);
  try {
    for await (const part of createReadStream(from, { highWaterMark: 1024 * 1024 })) {
      const bytes = part as Buffer;
      hash.update(bytes);
      for (let at = 0; at < bytes.length; ) at += writeSync(opened, bytes, at);
      onBytes(bytes.length);
    }
  } finally {
    closeSync(opened);
  }
  if (manifest !== null && hash.digest('hex') !== manifest.sha256)
    throw damaged(from, 'it changed while it was copied');
}

async function prepare(
  file: string,
  backup: string,
  manifest: Manifest | null,
  stamp: ChangeStamp,
): Promise<readonly string[]> {
  const db = await openDb(`sqlite:${file}`, { timeoutMs: patienceMs, poolSize: 1 });
  try {
    const steps = await migrate(db, () => stamp.nowMs);
    await db.write(renewEnds, { mark: newMark() });
    const atMs = manifest === null ? stamp.nowMs : Date.parse(manifest.at);
    const record = { atMs, place: basename(backup), bytes: manifest?.bytes ?? null, detail: null };
    await db.write(recordBackup, { ...record, ...stamp, kind: 'restored' });
    return steps;
  } finally {
    await db.close();
  }
}
