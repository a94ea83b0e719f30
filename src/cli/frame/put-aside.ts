// Values that are put aside until all of them are known, and then taken back one after the other: in memory while they
// are few, else in a temporary file that only the owner can read.

import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reasonOf } from '../../domain/reason.ts';
import { CommandError } from './terminal.ts';

const memoryBytesMax = 8 * 1024 * 1024;

export class PutAside<T> implements Disposable {
  readonly #inMemory: Buffer[] = [];
  readonly #sizesInFile: number[] = [];
  #bytesInMemory = 0;
  #folder: string | null = null;
  #file: number | null = null;

  add(value: T): void {
    const bytes = Buffer.from(JSON.stringify(value));
    if (this.#file === null && this.#bytesInMemory + bytes.length <= memoryBytesMax) {
      this.#inMemory.push(bytes);
      this.#bytesInMemory += bytes.length;
    } else {
      this.#write(bytes);
    }
  }

  /** In the order in which they were added. */
  *values(): Generator<T> {
    for (const bytes of this.#inMemory) yield parsed<T>(bytes);
    let position = 0;
    for (const size of this.#sizesInFile) {
      const bytes = Buffer.allocUnsafe(size);
      for (let read = 0; read < size; )
        read += readSync(this.#file!, bytes, read, size - read, position + read);
      yield parsed<T>(bytes);
      position += size;
    }
  }

  [Symbol.dispose](): void {
    if (this.#file !== null) closeSync(this.#file);
    if (this.#folder !== null) removeFolder(this.#folder);
    this.#file = null;
    this.#folder = null;
  }

  #write(bytes: Buffer): void {
    try {
      if (this.#file === null) {
        this.#folder = mkdtempSync(join(tmpdir(), 'soundings-'));
        this.#file = openSync(join(this.#folder, 'aside'), 'wx+', 0o600);
        // Gone from its folder at once, so that nothing is left however this process ends; the open file stays. Where a
        // file that is open cannot be deleted, it goes with the disposal.
        removeFolder(this.#folder);
      }
      for (let written = 0; written < bytes.length; )
        written += writeSync(this.#file, bytes, written, bytes.length - written);
      this.#sizesInFile.push(bytes.length);
    } catch (error) {
      throw new CommandError(
        `What is to be changed does not fit into ${tmpdir()}: ${reasonOf(error)}. Nothing was changed. Make room, or name another place in TMPDIR.`,
        { cause: error },
      );
    }
  }
}

function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Windows keeps files that are open.
  }
}

function parsed<T>(bytes: Buffer): T {
  return JSON.parse(bytes.toString()) as T;
}
