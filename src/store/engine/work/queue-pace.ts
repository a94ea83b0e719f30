// How fast a queue moves, and whether one more could outlive it. At the pace of the last steps a queue may be longer than whoever joins it
// is let wait: then it is told at once to come back, instead of after the longest wait that there is (D-900).

import type { WaitLimits } from '../db.ts';

export class QueuePace {
  readonly #limits: WaitLimits;
  #steppedAtMs = 0;
  #items = 0;
  #tookMs = 0;

  constructor(limits: WaitLimits) {
    this.#limits = limits;
  }

  /** So many items have left the queue together; the oldest of them had joined it then. */
  stepped(items: number, joinedAtMs: number): void {
    const nowMs = performance.now();
    this.#items += items;
    this.#tookMs += nowMs - Math.max(this.#steppedAtMs, joinedAtMs);
    this.#steppedAtMs = nowMs;
    // What was long ago counts ever less.
    if (this.#tookMs > this.#limits.stillMs) {
      this.#items /= 2;
      this.#tookMs /= 2;
    }
  }

  /**
   * Whether one that joins behind so many would wait too long. A short queue says little about a long one, whose items share their
   * steps: so nobody is refused before the first in the queue has itself waited as long as one may stand still.
   */
  isTooLong(ahead: number, oldestAtMs: number): boolean {
    const { stillMs, inAllMs } = this.#limits;
    if (this.#items === 0 || performance.now() - oldestAtMs < stillMs) return false;
    return (ahead * this.#tookMs) / this.#items > inAllMs;
  }
}
