// What an operator asks of a store beyond its answers: does it take a change, and is what it holds whole.

import type { Db } from './db.ts';
import { beat, endHeartbeat } from './replicas.ts';

/** Makes a change that nobody sees, and takes it back: a heartbeat so old that it counts for nothing. */
export async function tryChange(db: Db, id: string): Promise<void> {
  await db.write(beat, { replica: id, nowMs: 0, forgetBeforeMs: 0 });
  await db.write(endHeartbeat, { replica: id });
}

export interface FileCheck {
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
