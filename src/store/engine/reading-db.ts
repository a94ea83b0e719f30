// A store that is only read from, for a thread beside the one that answers callers.

import type { Db, DbOptions } from './db.ts';

/** On a connection of its own. Null where there can be none, because the store is in the memory of its process. */
export async function openReadingDb(address: string, options: DbOptions): Promise<Db | null> {
  if (!address.startsWith('sqlite:')) {
    const { openPostgres } = await import('./postgres/postgres.ts');
    return openPostgres(address, options);
  }
  const path = address.slice('sqlite:'.length);
  if (path === ':memory:') return null;
  const { openReadingSqlite } = await import('./sqlite/sqlite-reading.ts');
  return openReadingSqlite(path, options);
}

/** Whether there can be one. */
export function canOpenReading(address: string): boolean {
  return address !== 'sqlite::memory:';
}
