// Batches of the group commit that failed and are written once more, split by account. Callers only notice that it takes
// longer, so operators are told: by a count in /metrics, and by a line in the log every ten seconds at most.

import type { Context } from '../../context.ts';

const lineEveryMs = 10_000;

export class FailedBatches {
  readonly #context: Pick<Context, 'log' | 'elapsedMs'>;
  #total = 0;
  #told = 0;
  #toldAtMs = Number.NEGATIVE_INFINITY;

  constructor(context: Pick<Context, 'log' | 'elapsedMs'>) {
    this.#context = context;
  }

  get total(): number {
    return this.#total;
  }

  readonly note = (error: unknown): void => {
    this.#total += 1;
    const nowMs = this.#context.elapsedMs();
    if (nowMs - this.#toldAtMs < lineEveryMs) return;
    const facts = { err: error, batches: this.#total - this.#told };
    this.#context.log.warn(facts, 'A batch could not be written and is tried again in parts.');
    this.#told = this.#total;
    this.#toldAtMs = nowMs;
  };
}
