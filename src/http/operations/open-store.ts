// Opens the store and says in a sentence for operators why it cannot be used.

import { dirname, resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { readDatabaseAddress } from '../../domain/database-address.ts';
import { Problem } from '../../domain/problem.ts';
import { type Db, openDb } from '../../store/engine/db.ts';
import { schemaStatus } from '../../store/engine/migrate.ts';
import { unsupportedServer } from '../../store/engine/self-check.ts';

/** The message says what to do. */
export class StoreUnusable extends Error {}

/** The store as it is, without a look at its schema. */
export async function openUsableStore(config: Config, timeoutMs: number): Promise<Db> {
  try {
    const db = await openDb(config.databaseUrl, { timeoutMs, poolSize: config.poolSize });
    const other = await unsupportedServer(db);
    if (other !== null) {
      await db.close();
      throw new StoreUnusable(
        `The server is ${other}: Soundings runs on PostgreSQL, with or without Citus. Name such a server in DATABASE_URL.`,
      );
    }
    await schemaStatus(db);
    return db;
  } catch (error) {
    if (error instanceof StoreUnusable) throw error;
    throw new StoreUnusable(unreachable(config.databaseUrl, error), { cause: error });
  }
}

function unreachable(databaseUrl: string, error: unknown): string {
  const reason = reasonOf(error instanceof Problem ? error.cause : error);
  if (databaseUrl.startsWith('sqlite:')) {
    const file = resolve(databaseUrl.slice('sqlite:'.length));
    if (error instanceof Problem && error.code === 'STORE_DAMAGED') return damageAdvice(file, reason);
    return `The store ${file} cannot be opened: ${reason}. Make ${dirname(file)} writable, or name another place in DATABASE_URL.`;
  }
  const { hosts, database } = readDatabaseAddress(databaseUrl)!;
  return `The database ${database} on ${hosts.join(' and ')} cannot be reached: ${reason}. Start it, or mend DATABASE_URL.`;
}

export function damageAdvice(file: string, reason: string): string {
  return `The store ${file} is damaged: ${reason}. Stop the service, keep a copy of the file, and restore a backup (without one, "sqlite3 ${file} .recover" saves what can be read), or name another place in DATABASE_URL.`;
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, errors } = error as { code?: string; errors?: unknown[] };
  // Node tries several addresses and joins the failures into one that has no words of its own.
  if (error.message === '' && Array.isArray(errors)) return reasonOf(errors[0]);
  return (error.message.split('\n')[0] ?? code ?? 'unknown').replace(/\.$/, '');
}
