// What an operator asks of a store beyond its answers: does it take a change, and is what it holds whole.

import sql from 'sql-template-tag';
import type { Db } from './db.ts';
import { beat, endHeartbeat } from './replicas.ts';

/** Makes a change that nobody sees, and takes it back: a heartbeat so old that it counts for nothing. */
export async function tryChange(db: Db, id: string): Promise<void> {
  await db.write(beat, { replica: id, nowMs: 0, forgetBeforeMs: 0 });
  await db.write(endHeartbeat, { replica: id });
}

/** What is broken in the file of the embedded store; null when nothing is. PostgreSQL looks after its own. */
export async function findDamage(db: Db): Promise<string | null> {
  if (db.engine !== 'sqlite') return null;
  const [row] = await db.read<Record<string, string>>(sql`pragma quick_check(1)`);
  const says = Object.values(row ?? {})[0] ?? 'no answer';
  return says === 'ok' ? null : (says.split('\n').at(-1) ?? says);
}
