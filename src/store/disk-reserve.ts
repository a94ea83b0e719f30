// A file beside the embedded store that is only there to be given up. On a full disk SQLite cannot even delete
// or fold its log back, so the first failure for want of room frees this file, and the store mends itself; the
// reserve is put back once there is room again, without a restart.

import { closeSync, existsSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';

const reserveBytes = 4 * 1024 * 1024;
const refillPauseMs = 5_000;

export class DiskReserve {
  readonly #path: string;
  #isHeld: boolean;
  #nextTryAtMs = 0;

  constructor(storePath: string) {
    this.#path = `${storePath}.reserve`;
    this.#isHeld = existsSync(this.#path);
  }

  release(): void {
    rmSync(this.#path, { force: true });
    this.#isHeld = false;
    this.#nextTryAtMs = performance.now() + refillPauseMs;
  }

  /** Puts the reserve in place if it is missing and there is room; having no room for it is no failure. */
  refill(): void {
    if (this.#isHeld || performance.now() < this.#nextTryAtMs) return;
    this.#nextTryAtMs = performance.now() + refillPauseMs;
    try {
      const file = openSync(this.#path, 'w');
      try {
        // Real bytes: a sparse file would reserve nothing.
        writeSync(file, Buffer.alloc(reserveBytes));
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      this.#isHeld = true;
    } catch {
      rmSync(this.#path, { force: true });
    }
  }

  close(): void {
    this.#isHeld = false;
  }
}
