// A file beside the embedded store that is only there to be deleted when the disk is full: then SQLite could neither
// delete rows nor checkpoint its log, so the first failure for want of room frees this file. From then on nothing is changed,
// lest the room be used up again, until the reserve fits back in its place: no restart is needed for that.

import { closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs';

const reserveMode = 0o600;
const reserveBytes = 4 * 1024 * 1024;
// Trying costs a few megabytes of writing: soon while changes wait for it, seldom while they do not.
const refillPauseMs = { givenUp: 1_000, missing: 30_000 };

export class DiskReserve {
  readonly #path: string;
  #isHeld: boolean;
  #isGivenUp = false;
  #nextTryAtMs = 0;

  constructor(storePath: string) {
    this.#path = `${storePath}.reserve`;
    this.#isHeld = statSync(this.#path, { throwIfNoEntry: false })?.size === reserveBytes;
  }

  release(): void {
    rmSync(this.#path, { force: true });
    this.#isHeld = false;
    this.#isGivenUp = true;
    this.#nextTryAtMs = performance.now() + refillPauseMs.givenUp;
  }

  /**
   * Whether changes may be made. Puts the reserve back if it is missing and there is room; a disk that never had
   * room for it still takes changes, one that has run full does not.
   */
  isInPlace(): boolean {
    if (!this.#isHeld) this.#refill();
    return !this.#isGivenUp;
  }

  #refill(): void {
    if (performance.now() < this.#nextTryAtMs) return;
    this.#nextTryAtMs = performance.now() + refillPauseMs[this.#isGivenUp ? 'givenUp' : 'missing'];
    try {
      const file = openSync(this.#path, 'w', reserveMode);
      try {
        // Real bytes: a sparse file would reserve nothing. A disk that fills up on the way takes only some.
        if (writeSync(file, Buffer.alloc(reserveBytes)) < reserveBytes) throw new Error('There is no room.');
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      this.#isHeld = true;
      this.#isGivenUp = false;
    } catch {
      rmSync(this.#path, { force: true });
    }
  }

  close(): void {
    this.#isHeld = false;
  }
}
