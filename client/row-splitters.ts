// What has come of an export, cut behind its last whole row, so that the rest can be asked for.

import { SoundingsError } from './error.ts';

export interface RowSplitter {
  /** Whole rows so far; of Parquet, bytes. */
  readonly rows: number;
  /** A new answer begins; what was left of the one before is dropped. */
  begin(): void;
  /** What can be handed on, now that these bytes are there. */
  take(chunk: Uint8Array): Uint8Array;
  /** Of the last whole row; null before the first, and where one cannot go on behind a row. */
  lastPosition(): number | null;
  isWhole(expectedRows: number): boolean;
}

const lineFeed = 0x0a;
const quote = 0x22;
// A body has at most some hundred kilobytes, and so has a row; what never ends is no export.
const rowBytesMax = 64 * 1024 * 1024;
const nothing = new Uint8Array();

export class NdjsonRows implements RowSplitter {
  rows = 0;
  #rest: Uint8Array = nothing;
  #lastRow: Uint8Array = nothing;

  begin(): void {
    this.#rest = nothing;
  }

  take(chunk: Uint8Array): Uint8Array {
    const end = chunk.lastIndexOf(lineFeed) + 1;
    if (end === 0) {
      this.#rest = joined(this.#rest, chunk);
      return nothing;
    }
    const whole = joined(this.#rest, chunk.subarray(0, end));
    this.#rest = chunk.slice(end);
    for (const byte of whole) if (byte === lineFeed) this.rows += 1;
    this.#lastRow = whole.subarray(whole.lastIndexOf(lineFeed, whole.length - 2) + 1);
    return whole;
  }

  lastPosition(): number | null {
    if (this.rows === 0) return null;
    return (JSON.parse(new TextDecoder().decode(this.#lastRow)) as { position: number }).position;
  }

  isWhole(expectedRows: number): boolean {
    return this.#rest.length === 0 && this.rows >= expectedRows;
  }
}

/** A text may hold line breaks: a row ends with one that stands outside of quotation marks. */
export class CsvRows implements RowSplitter {
  rows = 0;
  readonly #hasHeader: boolean;
  #header: Uint8Array | null = null;
  #isBehindHeader = false;
  #isQuoted = false;
  #rest: Uint8Array = nothing;
  #lastRow: Uint8Array = nothing;

  constructor(hasHeader: boolean) {
    this.#hasHeader = hasHeader;
  }

  begin(): void {
    this.#rest = nothing;
    this.#isQuoted = false;
    this.#isBehindHeader = false;
  }

  take(chunk: Uint8Array): Uint8Array {
    const all = joined(this.#rest, chunk);
    let begin = 0;
    let rowBegin = 0;
    for (let at = this.#rest.length; at < all.length; at += 1) {
      if (all[at] === quote) this.#isQuoted = !this.#isQuoted;
      else if (all[at] === lineFeed && !this.#isQuoted) {
        const row = all.subarray(rowBegin, at + 1);
        rowBegin = at + 1;
        if (this.#isBehindHeader) {
          this.rows += 1;
          this.#lastRow = row;
        } else if (!this.#takeHeader(row)) begin = rowBegin;
      }
    }
    this.#rest = all.slice(rowBegin);
    return all.subarray(begin, rowBegin);
  }

  /** Whether it is part of the file. Every answer has one, because columns may have come while the connection was cut. */
  #takeHeader(row: Uint8Array): boolean {
    this.#isBehindHeader = true;
    if (this.#header === null) {
      this.#header = row.slice();
      return this.#hasHeader;
    }
    if (textOf(row) !== textOf(this.#header)) throw changed('its columns are others now');
    return false;
  }

  lastPosition(): number | null {
    if (this.rows === 0) return null;
    const names = cellsOf(textOf(this.#header!));
    // A column of this name that the survey has comes before ours, which then has its kind in front.
    const column = names.findLastIndex((name) => /^(item:)*position$/.test(name));
    return Number(cellsOf(textOf(this.#lastRow))[column]);
  }

  isWhole(expectedRows: number): boolean {
    return this.#rest.length === 0 && this.rows >= expectedRows;
  }
}

/**
 * Parquet has its directory at its end, so a cut file is asked for once more from its beginning, and what was handed on
 * already is compared with it.
 */
export class ParquetBytes implements RowSplitter {
  /** Bytes that were handed on. */
  rows = 0;
  #sum = checksumStart;
  /** Of the answer that is being read. */
  #read = 0;
  #readSum = checksumStart;
  #tail = '';

  begin(): void {
    this.#read = 0;
    this.#readSum = checksumStart;
  }

  take(chunk: Uint8Array): Uint8Array {
    const known = Math.min(Math.max(0, this.rows - this.#read), chunk.length);
    this.#readSum = checksum(this.#readSum, chunk.subarray(0, known));
    this.#read += chunk.length;
    const fresh = chunk.subarray(known);
    if (fresh.length === 0) return nothing;
    if (!isSame(this.#readSum, this.#sum)) throw changed('something of it was erased meanwhile');
    this.#sum = this.#readSum = checksum(this.#readSum, fresh);
    this.rows += fresh.length;
    this.#tail = (this.#tail + String.fromCharCode(...fresh.subarray(-4))).slice(-4);
    return fresh;
  }

  lastPosition(): null {
    return null;
  }

  isWhole(): boolean {
    return this.#read === this.rows && this.#tail === 'PAR1';
  }
}

// Two sums of 32 bits, each after Fowler, Noll and Vo: enough to tell a file that is not the same any more.
type Checksum = readonly [number, number];
const checksumStart: Checksum = [0x811c9dc5, 0x9747b28c];

function checksum([one, other]: Checksum, bytes: Uint8Array): Checksum {
  for (const byte of bytes) {
    one = Math.imul(one ^ byte, 0x01000193);
    other = Math.imul(other ^ (byte + 1), 0x85ebca6b);
  }
  return [one, other];
}

function isSame(one: Checksum, other: Checksum): boolean {
  return one[0] === other[0] && one[1] === other[1];
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  if (one.length === 0) return other;
  if (one.length + other.length > rowBytesMax)
    throw new SoundingsError({
      status: 200,
      code: 'BROKEN_ANSWER',
      message: 'A row of the export has no end.',
    });
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}

function changed(how: string): SoundingsError {
  const message = `The export cannot be gone on with after a cut, because ${how}: ask for it anew.`;
  return new SoundingsError({ status: 200, code: 'EXPORT_CHANGED', message });
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** The cells of one row of CSV. */
function cellsOf(row: string): string[] {
  const cells = `,${row.replace(/\r?\n$/, '')}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g);
  return Array.from(cells, ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '');
}
