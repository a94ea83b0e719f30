// Saves a store whose files were lost under the process that has it open, from the connection that it holds: that still sees
// everything it has acknowledged, and to open the files again would give up the locks of SQLite (D-837).

import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { freeBytesOf, mebibytes } from './backup-copy.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { makeFolder } from './store-file.ts';
import { savedCopies } from './store-file-fault.ts';
import { lockStore } from './store-lock.ts';
import { linkOnce, syncFile } from './unfinished-file.ts';

const fileMode = 0o600;
const copiesMax = 3;
const freeBytesMin = 16 * 1024 ** 2;

export interface SavedStore {
  /** Empty where it was not saved. */
  readonly saved: string;
  /** Why it was not; empty where it was. */
  readonly reason: string;
}

/** Never fails: there is nobody who could do anything about it but the operator. */
export function saveStore(connection: SqliteConnection, place: string, noticedAtMs: number): SavedStore {
  const unfinished = `${place}.saving`;
  try {
    makeFolder(dirname(place));
    // Of several processes that have the store open, one saves it.
    const lock = lockStore(place, 'backup');
    if (lock === null) return { saved: '', reason: 'another process saves it, or makes a backup' };
    try {
      return save(connection, place, unfinished, noticedAtMs);
    } finally {
      rmSync(unfinished, { force: true });
      lock.release();
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { saved: '', reason: reason.replace(/\.$/, '') };
  }
}

function save(
  connection: SqliteConnection,
  place: string,
  unfinished: string,
  noticedAtMs: number,
): SavedStore {
  const copies = savedCopies(place);
  const newest = copies.at(-1);
  if (newest !== undefined && statSync(newest).mtimeMs >= noticedAtMs) return { saved: newest, reason: '' };
  if (copies.length >= copiesMax)
    return { saved: '', reason: `there are ${copies.length} copies already, ${newest} the newest` };
  const wanted = connection.bytes() + freeBytesMin;
  const free = freeBytesOf(dirname(place));
  if (free < wanted)
    return { saved: '', reason: `there is no room, ${mebibytes(free)} of ${mebibytes(wanted)} are free` };
  rmSync(unfinished, { force: true });
  closeSync(openSync(unfinished, 'wx', fileMode));
  connection.copyInto(unfinished);
  syncFile(unfinished);
  const time = new Date().toISOString().replaceAll(/[-:.]/g, '');
  const saved = `${place}.saved-${time}`;
  linkOnce(unfinished, saved);
  syncFile(dirname(place));
  return { saved, reason: '' };
}
