// Addresses of names, as the machine knows them. Node asks for two names at a time in the whole process, and the connections
// of the store wait in the same line: a name whose servers do not answer is therefore asked for once for all who want it,
// and not again for a minute.

import { type LookupAddress, lookup } from 'node:dns';

const slowMs = 1_000;
const rememberedMs = 60_000;
const namesMax = 10_000;

type Answer = (error: Error | null, found: readonly LookupAddress[]) => void;
export type Ask = (hostname: string, answer: Answer) => void;

const askTheMachine: Ask = (hostname, answer) => {
  lookup(hostname, { all: true }, (error, found) => answer(error, found));
};

export class SharedLookup {
  readonly #ask: Ask;
  readonly #elapsedMs: () => number;
  readonly #waiting = new Map<string, Answer[]>();
  /** Names that failed slowly, and when. */
  readonly #failed = new Map<string, { readonly atMs: number; readonly error: Error }>();

  constructor(ask: Ask = askTheMachine, elapsedMs: () => number = () => performance.now()) {
    this.#ask = ask;
    this.#elapsedMs = elapsedMs;
  }

  find(hostname: string, answer: Answer): void {
    const failed = this.#failed.get(hostname);
    if (failed !== undefined && this.#elapsedMs() - failed.atMs < rememberedMs) {
      // As any lookup, it answers later and never at once.
      setImmediate(() => answer(failed.error, []));
      return;
    }
    const waiting = this.#waiting.get(hostname);
    if (waiting !== undefined) {
      waiting.push(answer);
      return;
    }
    this.#waiting.set(hostname, [answer]);
    const beganMs = this.#elapsedMs();
    this.#ask(hostname, (error, found) => {
      const answers = this.#waiting.get(hostname) ?? [];
      this.#waiting.delete(hostname);
      this.#failed.delete(hostname);
      const atMs = this.#elapsedMs();
      if (error !== null && atMs - beganMs >= slowMs) {
        if (this.#failed.size >= namesMax) this.#failed.clear();
        this.#failed.set(hostname, { atMs, error });
      }
      for (const one of answers) one(error, found);
    });
  }
}
