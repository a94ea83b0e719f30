// How large the tables of the store are, with their indexes (D-897). A background task measures them once an hour and keeps the sizes as
// its cursor, for the metrics and the operations page of every replica. A server knows the sizes of its files; of an embedded store every
// page is read, so that a large one is measured once a day, on a thread of its own (size-thread.ts).

import { dayMs } from '../../domain/dates.ts';
import type { Db } from '../engine/db.ts';
import {
  type BackgroundTask,
  findTask,
  moveOf,
  moveTaskAlone,
  type StepOutcome,
  type TaskContext,
  type TaskCursor,
  type TaskScope,
  wholeStore,
} from '../engine/work/background-task.ts';
import { type SizeThread, startSizeThread } from './size-thread.ts';
import { measureTables, type TableSize } from './table-measure.ts';

export interface MeasuredTables {
  readonly atMs: number;
  /** The largest first. */
  readonly tables: readonly TableSize[];
}

/** The cursor: what was measured last, and when a process has begun to measure. */
interface Kept {
  readonly measured: MeasuredTables | null;
  readonly begunMs: number | null;
}

const name = 'table-sizes';
/** Not the row of the task itself, whose cursor operators are shown. */
const scope: TaskScope = { accountId: wholeStore.accountId, scope: 'sizes' };
const measureAgainMs = 3_600_000;
/** A process that has just started has other things to do. */
const firstMeasureMs = 300_000;
/** An embedded store of more bytes is not read on the event loop: this much takes some ten milliseconds. */
const smallStoreBytes = 16 * 1024 * 1024;

const begunAt = new WeakMap<Db, number>();
const threads = new WeakMap<Db, SizeThread>();

export const tableSizes: BackgroundTask = {
  name,
  about: 'measures how large the tables are',
  ends: false,
  lookMs: 30_000,
  async scopes({ db, now }) {
    const begunMs = begunAt.get(db) ?? now();
    begunAt.set(db, begunMs);
    return Math.abs(now() - begunMs) < firstMeasureMs ? [] : [scope];
  },
  async step(context, at) {
    const { db, now } = context;
    const kept = readKept(at.cursor);
    const ageMs = kept.measured === null ? Number.POSITIVE_INFINITY : Math.abs(now() - kept.measured.atMs);
    if (ageMs < measureAgainMs) return 'idle';
    if (!(await isLarge(db))) return keep(context, at, await measureTables(db));
    return ageMs < dayMs ? 'idle' : measureLarge(context, at, kept);
  },
};

/** One process at a time reads the whole file; the others see that it has begun, and one goes on if it has not ended within an hour. */
async function measureLarge(context: TaskContext, at: TaskCursor, kept: Kept): Promise<StepOutcome> {
  const { config, db, now } = context;
  const thread = threads.get(db);
  if (thread !== undefined) {
    if (thread.outcome === null) return 'idle';
    threads.delete(db);
    if ('failure' in thread.outcome) throw new Error(thread.outcome.failure);
    return keep(context, at, thread.outcome.tables);
  }
  const nowMs = now();
  if (kept.begunMs !== null && Math.abs(nowMs - kept.begunMs) < measureAgainMs) return 'idle';
  const begun: Kept = { ...kept, begunMs: nowMs };
  if (!(await db.write(moveTaskAlone, moveOf(at, JSON.stringify(begun), nowMs)))) return 'lost';
  threads.set(db, startSizeThread(config.databaseUrl));
  return 'idle';
}

async function keep(
  { db, now }: TaskContext,
  at: TaskCursor,
  tables: readonly TableSize[],
): Promise<StepOutcome> {
  const nowMs = now();
  const kept: Kept = { measured: { atMs: nowMs, tables }, begunMs: null };
  return (await db.write(moveTaskAlone, moveOf(at, JSON.stringify(kept), nowMs))) ? 'moved' : 'lost';
}

/** What was measured last, by whichever process; null before the first time. */
export async function lastMeasured(db: Db): Promise<MeasuredTables | null> {
  return readKept((await findTask(db, name, scope)).cursor).measured;
}

/** Without reading a large file: as it is now, or as it was measured last; null where that was never done. */
export async function knownSizes(db: Db): Promise<readonly TableSize[] | null> {
  return (await isLarge(db)) ? ((await lastMeasured(db))?.tables ?? null) : measureTables(db);
}

function readKept(cursor: string): Kept {
  return cursor === '' ? { measured: null, begunMs: null } : (JSON.parse(cursor) as Kept);
}

async function isLarge(db: Db): Promise<boolean> {
  if (db.dialect.freePages === null) return false;
  const [row] = await db.read<{ pages: number; pageBytes: number }>(db.dialect.freePages);
  return row !== undefined && row.pages * row.pageBytes > smallStoreBytes;
}
