// An answer for anybody, without credentials, that takes more than a fraction of a millisecond or asks the store. Callers
// who ask while it is being made share it. Beyond a rate that no honest caller reaches, the last answer is given again
// until the next one may be made, a twentieth of a second later (D-184).

import { apartFromRequests, withinWaits } from '../../store/engine/work/request-waits.ts';

const burst = 20;
const perSecond = 20;

export class SharedAnswer<T> {
  readonly #make: () => Promise<T>;
  readonly #elapsedMs: () => number;
  #making: Promise<T> | null = null;
  #last: { readonly answer: T } | null = null;
  #left = burst;
  #countedAtMs: number;

  constructor(make: () => Promise<T>, elapsedMs: () => number) {
    this.#make = make;
    this.#elapsedMs = elapsedMs;
    this.#countedAtMs = elapsedMs();
  }

  async get(): Promise<T> {
    if (this.#making !== null) return withinWaits(this.#making);
    const nowMs = this.#elapsedMs();
    this.#left = Math.min(burst, this.#left + ((nowMs - this.#countedAtMs) / 1_000) * perSecond);
    this.#countedAtMs = nowMs;
    if (this.#left < 1 && this.#last !== null) return this.#last.answer;
    this.#left = Math.max(0, this.#left - 1);
    const make = async (): Promise<T> => {
      try {
        const answer = await this.#make();
        this.#last = { answer };
        return answer;
      } finally {
        this.#making = null;
      }
    };
    this.#making = apartFromRequests(make);
    return withinWaits(this.#making);
  }
}
