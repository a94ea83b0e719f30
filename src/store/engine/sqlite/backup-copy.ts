// The copy of an embedded store while others write to it. The connection that is copied from has one read transaction from
// the first page to the last: without it every commit of another process would begin the copy anew, and it would never
// end. Meanwhile the write-ahead log cannot be used again from its start, so it grows by all that is written; the copy is
// given up before that takes the disk from the service (D-291). It leaves the processors to callers by pausing between its steps, not by a
// lower priority, which a busy machine would turn into a copy that never ends (D-899).

import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { StoreFault } from '../store-fault.ts';
import { isSqliteFailure, primaryCode, resultCodes } from './sqlite-connection.ts';

export interface CopyWatch {
  /** Bytes that are copied, of how many. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Asked between two steps; true ends the copy. */
  readonly isStopped?: () => boolean;
}

export interface CopyLimits {
  /** Of how many pages a step is. */
  readonly pagesAtOnce: number;
  /** The write-ahead log may grow to this size while the copy is made, or to that of the store if that is more. */
  readonly walBytesMax: number;
  /** What the disk of the store must keep free. */
  readonly freeBytesMin: number;
  /** How long to pause after each step, as a part of the time that the step took, and at most. */
  readonly pause: number;
  readonly pauseMsMax: number;
}

export const usualLimits: CopyLimits = {
  pagesAtOnce: 256,
  walBytesMax: 1024 ** 3,
  freeBytesMin: 64 * 1024 ** 2,
  pause: 2,
  pauseMsMax: 100,
};

export interface Copied {
  readonly bytes: number;
  /** The largest size of the write-ahead log meanwhile. */
  readonly walBytes: number;
}

const openTimeoutMs = 5_000;
const truncateTimeoutMs = 50;

export class Stopped extends Error {}

export async function copyStore(
  from: string,
  to: string,
  { onProgress, isStopped }: CopyWatch,
  limits: CopyLimits = usualLimits,
): Promise<Copied> {
  const source = new DatabaseSync(from, { timeout: openTimeoutMs });
  try {
    source.exec('begin');
    // The transaction begins with the first question, not with its name.
    const pageBytes = numberOf(source, 'page_size');
    const bytes = numberOf(source, 'page_count') * pageBytes;
    source.prepare('select count(*) from sqlite_schema').get();
    const walBytesMax = Math.max(limits.walBytesMax, bytes);
    let walBytes = walBytesOf(from);
    const walBytesBefore = walBytes;
    let stepBeganMs = performance.now();
    await backup(source, to, {
      rate: limits.pagesAtOnce,
      progress({ totalPages, remainingPages }) {
        if (isStopped?.()) throw new Stopped('The backup was stopped.');
        walBytes = Math.max(walBytes, walBytesOf(from));
        if (walBytes - walBytesBefore > walBytesMax)
          throw new StoreFault(
            `The backup was given up: what was written meanwhile has made the log of the store grow to ${mebibytes(walBytes)}. Try again when less is written.`,
          );
        if (freeBytesOf(dirname(from)) < limits.freeBytesMin)
          throw new StoreFault(
            `The backup was given up: the disk of the store has less than ${mebibytes(limits.freeBytesMin)} left, which the service needs. Make room, or back up to another disk.`,
          );
        onProgress?.((totalPages - remainingPages) * pageBytes, totalPages * pageBytes);
        // A step that took long found the machine busy: whoever pauses for as long again would not end.
        pauseMs(Math.min(limits.pauseMsMax, (performance.now() - stepBeganMs) * limits.pause));
        stepBeganMs = performance.now();
      },
    });
    onProgress?.(bytes, bytes);
    return { bytes, walBytes: Math.max(walBytes, walBytesOf(from)) };
  } finally {
    if (source.isTransaction) source.exec('rollback');
    shrinkLog(source);
    source.close();
  }
}

/** Without a log of its own, so that the copy is one file, which can be read where nothing can be written. */
export function makeSingleFile(path: string): void {
  const database = new DatabaseSync(path);
  try {
    database.exec('pragma journal_mode = delete');
  } finally {
    database.close();
  }
}

/** The log that has grown is moved into the store without holding anybody up, and cut off if nobody is at it just now. */
function shrinkLog(source: DatabaseSync): void {
  try {
    source.exec(`pragma busy_timeout = ${truncateTimeoutMs}; pragma wal_checkpoint(passive)`);
    source.exec('pragma wal_checkpoint(truncate)');
  } catch (error) {
    // It is used again from its start all the same, only its room on the disk stays taken.
    if (!isSqliteFailure(error) || primaryCode(error) !== resultCodes.busy) throw error;
  }
}

function numberOf(database: DatabaseSync, pragma: string): number {
  return Number(Object.values(database.prepare(`pragma ${pragma}`).get() ?? {})[0]);
}

function walBytesOf(storePath: string): number {
  return statSync(`${storePath}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

export function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

export function mebibytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(bytes < 10 * 1024 ** 2 ? 1 : 0)} MiB`;
}

/** Whoever copies has a thread of his own, and others need the disk too. */
function pauseMs(ms: number): void {
  if (ms > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
