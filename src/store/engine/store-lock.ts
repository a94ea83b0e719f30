// Who uses the file of an embedded store, told by a lock that ends with its process, however that ends. It is a lock of
// SQLite on an empty file beside the store: whoever has the store open shares it, whoever makes a backup is the only one
// to do so, and whoever puts a store in place has it alone (D-294).

import { DatabaseSync } from 'node:sqlite';
import { isSqliteFailure, primaryCode, resultCodes } from './sqlite-connection.ts';
import { makeStoreFile } from './store-file.ts';

export type LockKind = 'inUse' | 'backup' | 'restore';

const beginnings = { inUse: 'begin', backup: 'begin immediate', restore: 'begin exclusive' } as const;
// Somebody who looks whether it is free holds it for a moment.
const patienceMs = 200;

export interface StoreLock {
  release(): void;
}

export function lockFileOf(storePath: string): string {
  return `${storePath}.lock`;
}

/** The lock, or null where others are in the way. */
export function lockStore(storePath: string, kind: LockKind): StoreLock | null {
  const file = lockFileOf(storePath);
  makeStoreFile(file);
  const database = new DatabaseSync(file, { timeout: patienceMs });
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
