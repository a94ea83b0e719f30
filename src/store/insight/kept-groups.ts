// What scans for groups have found, kept for whoever asks the same again: a page that is open somewhere asks whenever a response has
// come. To these few rows everything before them need not be looked through again (D-632).
//
// It is for one thread, which takes what it goes on with out of here and puts it back when it is done.

import type { RowFold } from './scan-job.ts';

interface FoundGroups {
  readonly fold: RowFold;
  /** The last row that was added, and its id. */
  readonly lastSeq: number;
  readonly lastId: string;
  /** As they were before the first row was looked at. */
  readonly changeNo: number;
  readonly revision: number;
}

/** Of eight bytes each. */
const numbersMax = 1_000_000;
const numbersOfOneMax = 250_000;

export class KeptGroups {
  /** The one that was used last is the last. */
  readonly #found = new Map<string, FoundGroups & { readonly size: number }>();
  #size = 0;

  take(key: string): FoundGroups | null {
    const found = this.#found.get(key);
    if (found === undefined) return null;
    this.#found.delete(key);
    this.#size -= found.size;
    return found;
  }

  keep(key: string, found: FoundGroups): void {
    const ofGroups = found.fold.size();
    if (ofGroups === null || ofGroups > numbersOfOneMax) return;
    this.take(key);
    const size = ofGroups + key.length;
    this.#found.set(key, { ...found, size });
    this.#size += size;
    for (const oldest of this.#found.keys()) {
      if (this.#size <= numbersMax) return;
      this.take(oldest);
    }
  }
}
