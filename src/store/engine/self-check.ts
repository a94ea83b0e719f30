// What an operator asks of a store beyond its answers: does it take a change, and is what it holds whole.

import sql from 'sql-template-tag';
import type { Db } from './db.ts';
import { beat, endHeartbeat } from './replicas.ts';

/** Makes a change that nobody sees, and takes it back: a heartbeat so old that it counts for nothing. */
export async function tryChange(db: Db, id: string): Promise<void> {
  await db.write(beat, { replica: id, nowMs: 0, forgetBeforeMs: 0 });
  await db.write(endHeartbeat, { replica: id });
}

interface FileCheck {
  /** What is broken; null when nothing is. */
  readonly damage: string | null;
}

/** Reads the whole file of the embedded store; null where a server keeps the files. */
export async function checkFile(db: Db): Promise<FileCheck | null> {
  const { fileCheck } = db.dialect;
  if (fileCheck === null) return null;
  const [row] = await db.read<Record<string, string>>(fileCheck);
  const says = Object.values(row ?? {})[0] ?? 'no answer';
  return { damage: says === 'ok' ? null : (says.split('\n').at(-1) ?? says) };
}

/**
 * What kind of server answers, where it is none that can be used; null where it can. Others speak the protocol of
 * PostgreSQL and fail at the first page, because they have no binary copy, or at the first change.
 */
export async function unsupportedServer(db: Db): Promise<string | null> {
  if (db.engine === 'sqlite') return null;
  const [row] = await db.read<{ version: string }>(sql`select version() as version`);
  const version = row?.version ?? 'unknown';
  const isPostgres = /^PostgreSQL \d+/.test(version) && !/redshift|-YB-|greenplum|cockroach/i.test(version);
  return isPostgres ? null : (version.split(/[,(]/)[0] ?? version).trim().slice(0, 80);
}

interface ConnectionRoom {
  /** What the server allows to those who are not superusers. */
  readonly most: number;
  /** Processes of the service that have told of themselves lately. */
  readonly replicas: number;
}

/** Null where there is no server. */
export async function connectionRoom(db: Db, nowMs: number): Promise<ConnectionRoom | null> {
  if (db.engine === 'sqlite') return null;
  const [row] = await db.read<{ most: number; replicas: number }>(sql`
    select cast(current_setting('max_connections') as bigint)
        - cast(current_setting('superuser_reserved_connections') as bigint) as most,
      (select count(*) from heartbeat where at > ${nowMs - 60_000}) as replicas`);
  return row ?? null;
}
