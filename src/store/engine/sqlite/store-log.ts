// The write-ahead log of SQLite as it lies on the disk (https://sqlite.org/fileformat2.html#walformat): a head, and behind it
// frames of one page each. SQLite has no lock on it, so it may be opened beside SQLite, unlike the other two files.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const headBytes = 32;
const frameHeadBytes = 24;
// Whether numbers within checksums are stored the one way or the other.
const magics = new Set([0x377f0682, 0x377f0683]);

interface LogFrame {
  readonly page: number;
  /** Of the store in pages behind a commit; 0 within one. */
  readonly pagesAfter: number;
  readonly salt: number;
  readonly otherSalt: number;
}

export function logBytesOf(frames: number, pageBytes: number): number {
  return frames === 0 ? 0 : headBytes + frames * (frameHeadBytes + pageBytes);
}

/** The log behind an open file. */
export class StoreLog {
  readonly #file: number;
  readonly #head = Buffer.alloc(headBytes);

  constructor(path: string) {
    this.#file = openSync(path, 'r');
  }

  /** Its salts and the size of its pages; null where it has no head, as a log that nothing was written to. */
  begin(): (Pick<LogFrame, 'salt' | 'otherSalt'> & { readonly pageBytes: number }) | null {
    const head = this.#head;
    if (readSync(this.#file, head, 0, headBytes, 0) < headBytes) return null;
    if (!magics.has(head.readUInt32BE(0))) return null;
    return { pageBytes: head.readUInt32BE(8), salt: head.readUInt32BE(16), otherSalt: head.readUInt32BE(20) };
  }

  /** The first has the number 1. Null behind the end; a hole is what a cut leaves when more is written behind it. */
  frame(number: number, pageBytes: number): LogFrame | 'hole' | null {
    const head = this.#head;
    const at = logBytesOf(number, pageBytes) - frameHeadBytes - pageBytes;
    if (readSync(this.#file, head, 0, frameHeadBytes, at) < frameHeadBytes) return null;
    const page = head.readUInt32BE(0);
    if (page === 0) return 'hole';
    return {
      page,
      pagesAfter: head.readUInt32BE(4),
      salt: head.readUInt32BE(8),
      otherSalt: head.readUInt32BE(12),
    };
  }

  bytes(): number {
    return fstatSync(this.#file).size;
  }

  close(): void {
    closeSync(this.#file);
  }
}

export interface LogContent {
  readonly salt: number;
  /** Up to the last commit. */
  readonly frames: number;
  /** Of the store behind the last commit. */
  readonly pagesAfter: number;
  /** Those that are in it. */
  readonly pages: ReadonlySet<number>;
}

/** What SQLite would find in a log that nobody uses; null where there is no log, or nothing in it. */
export function readLog(path: string): LogContent | null {
  let log: StoreLog;
  try {
    log = new StoreLog(path);
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null;
    throw error;
  }
  try {
    const head = log.begin();
    if (head === null) return null;
    const pages = new Set<number>();
    let frames = 0;
    let pagesAfter = 0;
    for (let number = 1; ; number += 1) {
      const frame = log.frame(number, head.pageBytes);
      // What an earlier round of the log has left has other salts.
      if (
        frame === null ||
        frame === 'hole' ||
        frame.salt !== head.salt ||
        frame.otherSalt !== head.otherSalt
      )
        break;
      pages.add(frame.page);
      if (frame.pagesAfter === 0) continue;
      frames = number;
      pagesAfter = frame.pagesAfter;
    }
    return { salt: head.salt, frames, pagesAfter, pages };
  } finally {
    log.close();
  }
}
