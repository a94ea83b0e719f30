// Opens the store and says in a sentence for operators why it cannot be used.

import { userInfo } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { readDatabaseAddress } from '../../domain/database-address.ts';
import { Problem } from '../../domain/problem.ts';
import { reasonOf } from '../../domain/reason.ts';
import type { Db } from '../../store/engine/db.ts';
import { schemaStatus } from '../../store/engine/migrate.ts';
import {
  isRightMissing,
  missingRights,
  rightToConnect,
} from '../../store/engine/postgres/postgres-rights.ts';
import { unsupportedServer } from '../../store/engine/self-check.ts';
import { StoreFileFault } from '../../store/engine/sqlite/store-file-fault.ts';
import { openDb } from '../../store/open-db.ts';
import { type Finding, finding } from './finding.ts';

/** The message says what to do. */
export class StoreUnusable extends Error {
  readonly finding: Finding;

  constructor(found: Finding, options: ErrorOptions = {}) {
    super(found.says, options);
    this.finding = found;
  }
}

/** The store as it is, without a look at its schema. */
export async function openUsableStore(config: Config, timeoutMs: number): Promise<Db> {
  const db = await openUnasked(config, timeoutMs);
  try {
    await checkUsable(config, db);
  } catch (error) {
    await db.close();
    throw error;
  }
  return db;
}

/** A server of PostgreSQL is not asked anything yet, so it may be away. */
export async function openUnasked(config: Config, timeoutMs: number): Promise<Db> {
  try {
    return await openDb(config.databaseUrl, { timeoutMs, poolSize: config.poolSize });
  } catch (error) {
    throw await unusable(config, null, error);
  }
}

export async function checkUsable(config: Config, db: Db): Promise<void> {
  let found: Finding | null;
  try {
    found = await unusableStore(db, config);
  } catch (error) {
    throw await unusable(config, db, error);
  }
  if (found !== null) throw new StoreUnusable(found);
}

async function unusable(config: Config, db: Db | null, error: unknown): Promise<StoreUnusable> {
  const rights = await missingRightsFinding(config, db, error);
  return new StoreUnusable(rights ?? unreachable(config.databaseUrl, error), { cause: error });
}

async function unusableStore(db: Db, { databaseUrl }: Config): Promise<Finding | null> {
  const other = await unsupportedServer(db);
  if (other !== null) return finding('store', 'wrong', 'storeOfOtherKind', { server: other });
  const { current } = await schemaStatus(db);
  if (db.encoding == null || current > 0) return null;
  const { database } = readDatabaseAddress(databaseUrl)!;
  return finding('store', 'wrong', 'storeEncodingRefused', { encoding: db.encoding.name, database });
}

/** A store that exists in a database which cannot hold every text goes on (D-856). */
export function encodingFinding({ encoding }: Db): Finding | null {
  if (encoding == null) return null;
  const { name } = encoding;
  return name === 'SQL_ASCII'
    ? finding('encoding', 'warning', 'storeAsciiOnly', {})
    : finding('encoding', 'warning', 'storeEncoding', { encoding: name });
}

/** Null where the error has another reason. */
export async function missingRightsFinding(
  { databaseUrl }: Config,
  db: Db | null,
  error: unknown,
): Promise<Finding | null> {
  if (!isRightMissing(error)) return null;
  const address = readDatabaseAddress(databaseUrl)!;
  const role = decodeURIComponent(new URL(address.servers[0]!).username) || userInfo().username;
  const toConnect = rightToConnect(address.database, role);
  try {
    const missing = db === null ? toConnect : await missingRights(db, 'migrate');
    return missing === null ? null : finding('store', 'wrong', 'storeRightsMissing', { ...missing });
  } catch (again) {
    // Nobody is let in to ask.
    return isRightMissing(again) ? finding('store', 'wrong', 'storeRightsMissing', { ...toConnect }) : null;
  }
}

/** What is wrong with the files of an embedded store, in words of its own; null where it is something else. */
export function fileFinding(error: unknown): Finding | null {
  const cause = error instanceof Problem ? error.cause : error;
  if (!(cause instanceof StoreFileFault)) return null;
  return finding('store', 'wrong', cause.code, cause.values as never);
}

function unreachable(databaseUrl: string, error: unknown): Finding {
  const ofFile = fileFinding(error);
  if (ofFile !== null) return ofFile;
  const reason = reasonOf(error instanceof Problem ? error.cause : error);
  if (databaseUrl.startsWith('sqlite:')) {
    const file = resolve(databaseUrl.slice('sqlite:'.length));
    if (error instanceof Problem && error.code === 'STORE_DAMAGED')
      return finding('store', 'wrong', 'storeDamaged', { file, reason });
    return finding('store', 'wrong', 'storeFileClosed', { file, folder: dirname(file), reason });
  }
  const { hosts, database } = readDatabaseAddress(databaseUrl)!;
  return finding('store', 'wrong', 'storeUnreachable', { database, hosts: hosts.join(' and '), reason });
}
