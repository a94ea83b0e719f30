// Batches of the group commit that failed and are written once more, split by account. Callers notice no more than that
// it takes longer, so an operator must hear of it otherwise: a count in /metrics, and a line in the log now and then.

import type { House } from '../house.ts';

const lineEveryMs = 10_000;

export class FailedBatches {
  readonly #house: Pick<House, 'log' | 'elapsedMs'>;
  #total = 0;
  #told = 0;
  #toldAtMs = Number.NEGATIVE_INFINITY;

  constructor(house: Pick<House, 'log' | 'elapsedMs'>) {
    this.#house = house;
  }

  get total(): number {
    return this.#total;
  }

  readonly note = (error: unknown): void => {
    this.#total += 1;
    const nowMs = this.#house.elapsedMs();
    if (nowMs - this.#toldAtMs < lineEveryMs) return;
    const facts = { err: error, batches: this.#total - this.#told };
    this.#house.log.warn(facts, 'A batch could not be written and is tried again in parts.');
    this.#told = this.#total;
    this.#toldAtMs = nowMs;
  };
}
