// Who uses the file of an embedded store, told by a lock that ends with its process, however that ends. It is a lock of
// SQLite on an empty file beside the store: whoever has the store open shares it, whoever makes a backup is the only one
// to do so, and whoever puts a store in place has it alone (D-294).

import { DatabaseSync } from 'node:sqlite';
import { isSqliteFailure, primaryCode, resultCodes } from './sqlite-connection.ts';
import { makeStoreFile, realStorePath } from './store-file.ts';

type LockKind = 'inUse' | 'backup' | 'restore';

const beginnings = { inUse: 'begin', backup: 'begin immediate', restore: 'begin exclusive' } as const;
// Whoever looks whether it is free holds it for a moment, and while it reads what a kill has left in the log.
const patienceMs = { inUse: 5_000, backup: 200, restore: 200 } as const;

export interface StoreLock {
  release(): void;
}

/** Beside the real file: whatever links and spellings lead to a store, it has one lock (D-840). */
export function lockFileOf(storePath: string): string {
  return `${realStorePath(storePath)}.lock`;
}

/** The lock, or null where others are in the way. */
export function lockStore(
  storePath: string,
  kind: LockKind,
  waitMs: number = patienceMs[kind],
): StoreLock | null {
  const file = lockFileOf(storePath);
  makeStoreFile(file);
  const database = new DatabaseSync(file, { timeout: waitMs });
  try {
    // Without a journal there is nothing but the empty file, and nothing to recover after a kill.
    database.exec(`pragma journal_mode = memory; ${beginnings[kind]}`);
    database.prepare('select count(*) from sqlite_schema').get();
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    const isHeld = isSqliteFailure(error) && primaryCode(error) === resultCodes.busy;
    if (isHeld) return null;
    throw error;
  }
}
