// What a store has open, written beside its lock: the identities of its three files, and how far its log was written. A
// process that comes later compares them before SQLite opens anything (D-836), and what a kill left is held against them
// (D-838). It is one block that is written over in place, so that it never needs more room; where there is none, nobody knows
// better than SQLite.

import { closeSync, constants, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import type { FileIdentities } from './store-file.ts';

const recordBytes = 512;
const fileMode = 0o600;
const readsMax = 3;

/** How far the log was written when the last change was acknowledged. */
export interface LogEnd {
  /** By the log's own count of its beginnings; it grows by one with each. */
  readonly salt: number;
  readonly frames: number;
  /** How many of them were in the file of the store already. */
  readonly backfilled: number;
}

export interface StoreRecord extends FileIdentities, LogEnd {}

export const emptyLog: LogEnd = { salt: 0, frames: 0, backfilled: 0 };

export function recordFileOf(place: string): string {
  return `${place}.files`;
}

/** Null where there is none that can be read. */
export function readRecord(place: string): StoreRecord | null {
  // Another process may be writing it just now.
  for (let read = 0; read < readsMax; read += 1) {
    try {
      const { format, ...record } = JSON.parse(readFileSync(recordFileOf(place), 'utf8')) as StoreRecord & {
        format?: unknown;
      };
      return format === 1 ? record : null;
    } catch (error) {
      if ((error as { code?: string }).code === 'ENOENT') return null;
    }
  }
  return null;
}

/** By the clock of the disk, in nanoseconds. */
export function recordWrittenAt(place: string): bigint {
  return statSync(recordFileOf(place), { bigint: true, throwIfNoEntry: false })?.mtimeNs ?? 0n;
}

export function removeRecord(place: string): void {
  rmSync(recordFileOf(place), { force: true });
}

/** Where it cannot be written, for want of room say, the store goes on without. */
export function writeRecord(place: string, record: StoreRecord): void {
  const writer = RecordWriter.open(place);
  writer?.write(record, record);
  writer?.close();
}

/** Holds the record open for whoever writes with every batch. */
export class RecordWriter {
  readonly #file: number;

  private constructor(file: number) {
    this.#file = file;
  }

  static open(place: string): RecordWriter | null {
    try {
      return new RecordWriter(openSync(recordFileOf(place), constants.O_RDWR | constants.O_CREAT, fileMode));
    } catch {
      return null;
    }
  }

  write({ file, log, index }: FileIdentities, { salt, frames, backfilled }: LogEnd): void {
    const text = JSON.stringify({ format: 1, file, log, index, salt, frames, backfilled });
    try {
      writeSync(this.#file, text.padEnd(recordBytes - 1).concat('\n'), 0, 'latin1');
    } catch {
      // A disk that takes no more: what was written before stays.
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}
