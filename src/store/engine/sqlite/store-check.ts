// Whether the files of an embedded store may be opened: before SQLite sees them, because SQLite makes anew what is missing.
// Where others have the store open, its files must be theirs (D-836); where nobody has, they must be what was left (D-838).

import { closeSync, existsSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { defaultDatabaseUrl } from '../../../domain/database-address.ts';
import { identitiesOf, type LostPart, lostPartOf, makeFolder, storeParts } from './store-file.ts';
import { StoreFileFault, savedCopy } from './store-file-fault.ts';
import { lockStore, type StoreLock } from './store-lock.ts';
import { type LogContent, readLog } from './store-log.ts';
import {
  emptyLog,
  type LogEnd,
  readRecord,
  recordFileOf,
  recordWrittenAt,
  type StoreRecord,
  writeRecord,
} from './store-record.ts';
import type { SavedStore } from './store-saving.ts';

const magic = 'SQLite format 3\0';
const headBytes = 100;
// SQLite locks a byte of the page here, and so never writes that page.
const lockedByte = 0x40000000;
// A log begins anew with the next salt. More rounds than this between two looks is no round but another log.
const roundsMax = 65_536;
const attemptsMax = 10;
const pauseMs = 20;

/** A folder that is not there is a mistake in the address, unless nobody has named one (D-839). */
export function refuseMissingFolder(path: string): void {
  const folder = dirname(resolve(path));
  if (existsSync(folder)) return;
  const defaultFolder = dirname(resolve(defaultDatabaseUrl.slice('sqlite:'.length)));
  if (folder !== defaultFolder) throw new StoreFileFault('storeFolderMissing', { folder });
  makeFolder(folder);
}

/** Refuses what must not be opened, and says whether nobody else has the store open. */
export function checkStoreFiles(place: string): boolean {
  for (let attempt = 1; ; attempt += 1) {
    const alone = lockStore(place, 'restore', 0);
    if (alone !== null) return checkAlone(place, alone);
    try {
      refuseLostParts(place);
      return false;
    } catch (error) {
      // Whoever has it may only look whether it is free, as we do, and then the record is that of a process that is gone.
      if (attempt === attemptsMax) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}

function checkAlone(place: string, lock: StoreLock): true {
  try {
    const end = refuseLostStore(place);
    // Whoever else starts just now must not hold our files against those of before.
    if (end !== null) writeRecord(place, { ...end, file: identitiesOf(place).file, log: null, index: null });
    return true;
  } finally {
    lock.release();
  }
}

/** Refuses files that are not those which others have open. */
export function refuseLostParts(place: string): void {
  const record = readRecord(place);
  const lost = record === null ? null : lostPartOf(place, record);
  if (lost !== null) throw partFault(place, lost);
}

export function partFault(
  place: string,
  { part, fault }: LostPart,
  outcome: SavedStore = { saved: savedCopy(place), reason: '' },
): StoreFileFault {
  const { saved, reason } = outcome;
  const isIndex = part === 'index' ? 1 : 0;
  const file = `${place}${storeParts[part]}`;
  return new StoreFileFault('storePartLost', { file, fault, isIndex, saved, reason });
}

/**
 * Refuses what is less than was there when the store was last used, and says what its log must have from now on; null
 * where nobody has written that down. Nobody has the store open, so that its files may be.
 */
function refuseLostStore(place: string): LogEnd | null {
  const record = readRecord(place);
  const log = readLog(`${place}-wal`);
  const found = statSync(place, { bigint: true, throwIfNoEntry: false });
  const saved = savedCopy(place);
  if (found === undefined) {
    if (log !== null && log.frames > 0) throw new StoreFileFault('storeLogAlone', { file: place, saved });
    if (record === null) return null;
    throw new StoreFileFault('storeFileMissing', { file: place, record: recordFileOf(place), saved });
  }
  if (found.nlink > 1n) refuseManyNames(place);
  const identities = identitiesOf(place);
  if (record !== null && log !== null && log.frames > 0) {
    const isOfOther = record.file !== identities.file && record.log !== null && record.log === identities.log;
    if (isOfOther) throw new StoreFileFault('storeLogForeign', { file: place, saved });
  }
  const isStore = refuseCutFile(place, Number(found.size), log, record !== null);
  if (record === null) return null;
  if (!isStore) return record;
  // A file that was put there says nothing of the log of the one before.
  if (record.file !== identities.file) return emptyLog;
  const end = logLeft(place, record, log, found.mtimeNs);
  if (end !== null) return end;
  throw new StoreFileFault('storeLogLost', { file: place, record: recordFileOf(place), saved });
}

/** A restore that was killed in its last moment has left the name under which it wrote. */
function refuseManyNames(place: string): void {
  const unfinished = `${place}.restore`;
  if (identitiesOf(unfinished).file === identitiesOf(place).file) rmSync(unfinished);
  const names = statSync(place).nlink;
  if (names > 1) throw new StoreFileFault('storeManyNames', { file: place, names });
}

/**
 * Every page must be in the file or in the log: a checkpoint that was killed has written only some of them. False where the
 * file is no store at all, or an empty one: what that means, SQLite tells.
 */
function refuseCutFile(place: string, bytes: number, log: LogContent | null, isKnown: boolean): boolean {
  const cut = (wanted: number): StoreFileFault =>
    new StoreFileFault('storeFileCut', { file: place, bytes, wanted, saved: savedCopy(place) });
  const head = readHead(place);
  // Only a store that was never used is empty.
  if (bytes === 0 && (isKnown || (log !== null && log.frames > 0))) throw cut(headBytes);
  if (head === null) return false;
  const pages = log !== null && log.frames > 0 ? log.pagesAfter : head.pages;
  const lockedPage = Math.floor(lockedByte / head.pageBytes) + 1;
  for (let page = Math.floor(bytes / head.pageBytes) + 1; page <= pages; page += 1)
    if (page !== lockedPage && log?.pages.has(page) !== true) throw cut(pages * head.pageBytes);
  return true;
}

/** Null where it cannot be known how many pages the file should have. */
function readHead(place: string): { readonly pageBytes: number; readonly pages: number } | null {
  const head = Buffer.alloc(headBytes);
  const opened = openSync(place, 'r');
  try {
    if (readSync(opened, head, 0, headBytes, 0) < headBytes) return null;
  } finally {
    closeSync(opened);
  }
  if (head.toString('latin1', 0, magic.length) !== magic) return null;
  const isCurrent = head.readUInt32BE(24) === head.readUInt32BE(92);
  // 1 stands for 65,536, which two bytes cannot say.
  const pageBytes = head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16);
  return { pageBytes, pages: isCurrent ? head.readUInt32BE(28) : 0 };
}

/**
 * What the log must have from now on; null where something that was in it is neither in it nor in the file. Others may have
 * moved it there, an older release or SQLite itself, and then the file was written after the record.
 */
function logLeft(
  place: string,
  record: StoreRecord,
  log: LogContent | null,
  writtenAt: bigint,
): LogEnd | null {
  if (record.frames === 0) return emptyLog;
  const isMoved = writtenAt >= recordWrittenAt(place);
  if (log === null || log.frames === 0)
    return isMoved || record.frames <= record.backfilled ? emptyLog : null;
  // One that was put there, from before, would undo what the file has.
  if (log.salt === record.salt) return log.frames >= record.frames ? record : null;
  const rounds = (log.salt - record.salt) >>> 0;
  return rounds < roundsMax || isMoved ? emptyLog : null;
}
