// A semaphore: so many may hold it at once, and whoever comes when all places are taken waits in order, up to a deadline.

interface Waiting {
  readonly resolve: (release: () => void) => void;
  readonly timer: NodeJS.Timeout;
}

export class Semaphore {
  readonly #tooLate: () => Error;
  readonly #waiting = new Set<Waiting>();
  #free: number;

  constructor(places: number, tooLate: () => Error) {
    this.#free = places;
    this.#tooLate = tooLate;
  }

  /** What gives the place back, where there is one at once. */
  acquireFree(): (() => void) | null {
    if (this.#free === 0) return null;
    this.#free -= 1;
    return () => this.#release();
  }

  /** Resolves with what gives the place back; rejects when the time is over before there was one. */
  acquire(deadlineMs: number): Promise<() => void> {
    const release = this.acquireFree();
    if (release !== null) return Promise.resolve(release);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => {
          this.#waiting.delete(waiting);
          reject(this.#tooLate());
        },
        Math.max(1, deadlineMs - performance.now()),
      );
      const waiting = { resolve, timer };
      this.#waiting.add(waiting);
    });
  }

  #release(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    clearTimeout(next.timer);
    next.resolve(() => this.#release());
  }
}
