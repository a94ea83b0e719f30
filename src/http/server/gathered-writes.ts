// What is noted beside the requests gathers in memory and is written together, some time after the first of it. There is
// one write at a time: what comes while the store is slow waits with whoever gathers it, who says how much may wait.

import { apartFromRequests } from '../../store/engine/work/request-waits.ts';

export class GatheredWrites {
  readonly #everyMs: number;
  readonly #hasWaiting: () => boolean;
  readonly #write: () => Promise<void>;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> | null = null;

  /** `write` takes everything that waits, and never fails: what is lost is told where it was gathered. */
  constructor(everyMs: number, hasWaiting: () => boolean, write: () => Promise<void>) {
    this.#everyMs = everyMs;
    this.#hasWaiting = hasWaiting;
    this.#write = write;
  }

  /** Called for everything that is noted. */
  soon(): void {
    if (this.#timer !== null || this.#writing !== null || !this.#hasWaiting()) return;
    const write = (): void => {
      this.#timer = null;
      this.#writing = this.#write().finally(() => {
        this.#writing = null;
        this.soon();
      });
    };
    this.#timer = apartFromRequests(() => setTimeout(write, this.#everyMs)).unref();
  }

  /** Writes what waits now, behind the write that is under way. */
  async now(): Promise<void> {
    await this.#writing;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#hasWaiting()) await this.#write();
  }
}
