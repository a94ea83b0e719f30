// The file of the embedded store on its disk. SQLite keeps what it has opened: when the file is deleted or replaced, it
// goes on writing into one that nobody will ever open again. So the file at the path is held against the one that was
// opened, and while they differ nothing is acknowledged (D-173).

import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const folderMode = 0o700;
const fileMode = 0o600;

/** Makes the file of a new store, and its folders, for our own eyes alone; SQLite gives its further files the same mode. */
export function makeStoreFile(path: string): void {
  makeFolder(dirname(path));
  try {
    closeSync(openSync(path, 'wx', fileMode));
  } catch (error) {
    // One that is there stays as it is; any other reason SQLite tells better.
    if (existsSync(path)) return;
    throw error;
  }
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Node's own recursive way never ends where a file system makes no folders at all, such as /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, folderMode);
  } catch (error) {
    // Another process may have made it a moment ago.
    if (!existsSync(folder)) throw error;
  }
}

/** Remembers which file was opened. The write-ahead log is part of it: without it the last changes are gone. */
export class OpenedFile {
  /** What tells it from every other file on this machine. */
  readonly identity: string | null;
  readonly #path: string;
  #openedLog: string | null = null;

  constructor(path: string, identity = identityOf(path)) {
    this.#path = path;
    this.identity = identity;
  }

  /** Whether the files at the path are still the ones that were opened. */
  isInPlace(): boolean {
    if (identityOf(this.#path) !== this.identity) return false;
    const log = identityOf(`${this.#path}-wal`);
    // SQLite makes the log when it first needs one, and keeps it as long as anybody has the store open.
    this.#openedLog ??= log;
    return log === this.#openedLog;
  }
}

function identityOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}
