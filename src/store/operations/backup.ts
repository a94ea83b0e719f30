// A backup of the embedded store: copied while others write, checked, described, and only then given its name. Whatever
// happens on the way, nothing lies under the name that is not a whole backup, and the store itself is only read.

import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import {
  type CopyLimits,
  type CopyWatch,
  copyStore,
  freeBytesOf,
  makeSingleFile,
  mebibytes,
  Stopped,
  usualLimits,
} from '../engine/sqlite/backup-copy.ts';
import { checkStoreFiles } from '../engine/sqlite/store-check.ts';
import { realStorePath } from '../engine/sqlite/store-file.ts';
import { StoreFileFault } from '../engine/sqlite/store-file-fault.ts';
import { lockStore, type StoreLock } from '../engine/sqlite/store-lock.ts';
import { StoreFault, writingFault } from '../engine/store-fault.ts';
import { checkStore, type OnCheck, type StoreContent } from './backup-check.ts';
import {
  type BackupTarget,
  giveName,
  keepNewest,
  makeUnfinished,
  nameInFolder,
  newestMoment,
  refuseForeignManifest,
  removeUnfinished,
  targetOf,
  unfinishedFile,
} from './backup-files.ts';
import { hashOfFile, type Manifest } from './backup-manifest.ts';

export interface BackupRequest {
  readonly storePath: string;
  /** A file that is not there yet, or a folder. */
  readonly target: string;
  /** How many backups of this store to keep in the folder; null keeps all. */
  readonly keep: number | null;
  /** The version that makes it. */
  readonly version: string;
  /** Now, by the clock of whoever asks: what was acknowledged before is in it. */
  readonly atMs: number;
  /** Makes none while the newest one in the folder is younger: another process may have been quicker. */
  readonly unlessYoungerMs?: number;
}

export interface MadeBackup {
  readonly file: string;
  readonly manifest: Manifest;
  /** The largest size of the store's log while it was copied. */
  readonly walBytes: number;
  /** Older ones that were deleted. */
  readonly removed: readonly string[];
}

interface BackupWatch extends CopyWatch {
  /** The file that is there until the backup has its name, for whoever may end before it is removed. */
  readonly onUnfinished?: (file: string) => void;
  /** What is done after the copy. */
  readonly onCheck?: (check: string) => void;
}

const aheadMaxMs = 60_000;

/** Another one is under way, or was made just now: no failure, and nothing was done. */
export class BackupUnderWay extends StoreFault {}

export async function makeBackup(
  request: BackupRequest,
  watch: BackupWatch = {},
  limits: CopyLimits = usualLimits,
): Promise<MadeBackup> {
  const storePath = realStorePath(request.storePath);
  if (!existsSync(storePath)) throw new StoreFault(`There is no store at ${storePath}: mend DATABASE_URL.`);
  const target = targetOf(request.target);
  const lock = lockForBackup(storePath);
  if (lock === null)
    throw new BackupUnderWay(`Another backup of ${storePath} is under way: wait until it is done.`);
  try {
    return await makeLocked({ ...request, storePath }, target, watch, limits);
  } finally {
    lock.release();
  }
}

/** A store is read together with its log, so that its folder must be one that can be written. */
function lockForBackup(storePath: string): StoreLock | null {
  try {
    checkStoreFiles(storePath);
    return lockStore(storePath, 'backup');
  } catch (error) {
    if (error instanceof StoreFileFault) throw error;
    const reason = error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
    throw new StoreFault(
      `The folder of the store ${storePath} cannot be written (${reason}), which reading its log needs: mend its rights, or copy the store with its -wal file to another folder, where nobody uses it, and back it up there.`,
      error,
    );
  }
}

async function makeLocked(
  { storePath, keep, version, atMs, unlessYoungerMs }: BackupRequest,
  target: BackupTarget,
  watch: BackupWatch,
  limits: CopyLimits,
): Promise<MadeBackup> {
  const storeId = storeIdOf(storePath);
  const { folder } = target;
  if (target.file !== null) refuseForeignManifest(target.file, storeId);
  const newestMs = unlessYoungerMs === undefined ? null : newestMoment(folder, storeId);
  const ageMs = newestMs === null ? null : atMs - newestMs;
  // Of two processes the one that asked first may come second, and then the other's is a little younger than its own now.
  // One of a farther future says nothing: the clock was set back.
  if (ageMs !== null && ageMs > -aheadMaxMs && ageMs < unlessYoungerMs!)
    throw new BackupUnderWay(`Another backup of ${storePath} was made a moment ago.`);
  const unfinished = unfinishedFile(folder, storeId);
  const onCheck = (check: string): void => {
    if (watch.isStopped?.()) throw new Stopped('The backup was stopped.');
    watch.onCheck?.(check);
  };
  try {
    watch.onUnfinished?.(unfinished);
    makeUnfinished(unfinished);
    const wanted = statSync(storePath).size + limits.freeBytesMin;
    const free = freeBytesOf(folder);
    if (free < wanted)
      throw new StoreFault(
        `There is no room for it in ${folder}: ${mebibytes(free)} are free, and ${mebibytes(wanted)} are needed. Make room, or name another place.`,
      );
    const { walBytes } = await copyStore(storePath, unfinished, watch, limits);
    makeSingleFile(unfinished);
    const { bytes, schema, counts, positions } = checkCopy(unfinished, storePath, onCheck);
    onCheck('SHA-256');
    const sha256 = await hashOfFile(unfinished, () => onCheck('SHA-256'));
    const at = new Date(atMs).toISOString();
    const manifest: Manifest = { format: 1, version, schema, storeId, at, bytes, sha256, counts, positions };
    const file = target.file ?? nameInFolder(folder, atMs);
    giveName(unfinished, file, manifest);
    const removed = keep === null || target.file !== null ? [] : keepNewest(folder, storeId, keep);
    return { file, manifest, walBytes, removed };
  } catch (error) {
    removeUnfinished(unfinished);
    throw writingFault(folder, error) ?? error;
  }
}

/** A copy that is not whole tells of its original. */
function checkCopy(copy: string, storePath: string, onCheck: OnCheck): StoreContent {
  try {
    return checkStore(copy, onCheck);
  } catch (error) {
    if (!(error instanceof StoreFault)) throw error;
    const reason = error.message
      .replace(copy, 'the copy')
      .replace(/[.:] Use another backup.*$|: use another backup\.$/s, '');
    throw new StoreFault(
      `The backup was not kept, because it would not restore: ${reason}. Run "soundings doctor" on ${storePath}.`,
      error,
    );
  }
}

function storeIdOf(storePath: string): string {
  const database = new DatabaseSync(storePath, { timeout: 5_000 });
  try {
    const row = database.prepare('select store_id as id from store where id = 1').get();
    return String(row?.id);
  } catch (error) {
    throw new StoreFault(`${storePath} is no store of Soundings that can be read: mend DATABASE_URL.`, error);
  } finally {
    database.close();
  }
}
