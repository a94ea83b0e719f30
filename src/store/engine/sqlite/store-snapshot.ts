// A file of a store that nobody writes to, as SQLite finds it: a backup. It is read as it is, without a lock and without
// further files beside it, so that it may lie in a folder where nothing can be written.

import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { StoreFault } from '../store-fault.ts';
import { isDamage, isSqliteFailure } from './sqlite-connection.ts';

const magic = 'SQLite format 3\0';
const headerBytes = 100;

type SnapshotRow = Readonly<Record<string, number | string | null>>;

export class StoreSnapshot {
  readonly path: string;
  readonly bytes: number;
  readonly #database: DatabaseSync;

  constructor(file: string) {
    this.path = resolve(file);
    this.bytes = lookAtFile(file);
    const address = pathToFileURL(this.path);
    address.search = '?immutable=1';
    this.#database = new DatabaseSync(address, { readOnly: true });
    // It may be a stranger's: its schema is not trusted to call functions, and its pages are looked at before they are used.
    this.#database.exec('pragma trusted_schema = off; pragma cell_size_check = on');
  }

  rows<R = SnapshotRow>(query: string, ...values: (string | number)[]): readonly R[] {
    try {
      return this.#database.prepare(query).all(...values) as R[];
    } catch (error) {
      throw isSqliteFailure(error) && isDamage(error) ? damaged(this.path, error.message, error) : error;
    }
  }

  hasTable(name: string): boolean {
    return this.rows(`select name from sqlite_schema where type = 'table' and name = ?`, name).length > 0;
  }

  hasColumn(table: string, column: string): boolean {
    return this.rows('select name from pragma_table_info(?) where name = ?', table, column).length > 0;
  }

  close(): void {
    this.#database.close();
  }
}

export function damaged(file: string, reason: string, cause?: unknown): StoreFault {
  return new StoreFault(
    `${file} is damaged (${reason.replace(/\.$/, '').slice(0, 200)}): use another backup.`,
    cause,
  );
}

/** Refuses what cannot be a whole file of SQLite, and says how large it is. */
function lookAtFile(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new StoreFault(`There is no file ${file}. Name a file that exists.`);
  if (!found.isFile()) throw new StoreFault(`${file} is not a file: name the backup itself.`);
  const header = Buffer.alloc(headerBytes);
  const opened = openSync(file, 'r');
  let read = 0;
  try {
    read = readSync(opened, header, 0, headerBytes, 0);
  } finally {
    closeSync(opened);
  }
  if (read < headerBytes || header.toString('latin1', 0, magic.length) !== magic)
    throw new StoreFault(`${file} is no store of Soundings: name a file that "soundings backup" made.`);
  if (existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 0)
    throw new StoreFault(
      `${file} has a log beside it (${file}-wal): it is a store that somebody uses or used, and no backup. "soundings backup" makes one of it.`,
    );
  // 1 stands for 65,536, which two bytes cannot say.
  const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  const bytes = pageBytes * header.readUInt32BE(28);
  if (found.size < bytes)
    throw new StoreFault(
      `${file} is cut short: it has ${found.size} of ${bytes} bytes. Use another backup, or copy it once more.`,
    );
  return found.size;
}
