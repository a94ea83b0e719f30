// Opens the store that an address names, and hands it every change that it may be asked for: an engine knows no area.

import { changes } from './changes.ts';
import type { Db, DbOptions } from './engine/db.ts';

/** Engines are loaded when used: each costs start-up time. */
export async function openDb(address: string, options: DbOptions): Promise<Db> {
  if (address.startsWith('sqlite:')) {
    const { openSqlite } = await import('./engine/sqlite/sqlite.ts');
    return openSqlite(address.slice('sqlite:'.length), changes, options);
  }
  const { openPostgres } = await import('./engine/postgres/postgres.ts');
  return openPostgres(address, options);
}
