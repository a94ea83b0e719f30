// Work that one request asks for and that grows with what is stored: scans, walks over members, large patches, bulk.
// A budget bounds it in time and in units, ends it when the caller has gone, and cuts it into slices between which
// everybody else is served.

import type { Interruptible } from '../../domain/interruptible.ts';
import { Problem } from '../../domain/problem.ts';

export interface WorkLimits {
  readonly timeMs: number;
  /** What a unit is, is for the work to say: a row looked at, a member compared. */
  readonly units: number;
  /** Aborted when the caller has gone. */
  readonly signal?: AbortSignal;
}

/**
 * After how long a piece of work makes room for others, where it next can. No request is to have the event loop for itself for more than 8 ms:
 * the rest of them is for the piece that is under way by then, and for what else the turn brings (D-921).
 */
export const sliceMs = 4;

// The event loop takes in one new connection a turn, so that a newcomer who finds others ahead needs several turns.
const turnsBetween = 4;

/** Hands out slices of the event loop, one at a time in the order they were asked for, with free turns in between. */
export class WorkQueue {
  #waiting: (() => void)[] = [];
  #isTurning = false;
  /** Short work that waits for its turn. */
  readonly #short: (() => void)[] = [];
  #isRunningShort = false;
  /** When the first short work of this turn of the event loop began. */
  #shortSinceMs: number | null = null;

  nextSlice(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    if (!this.#isTurning) {
      this.#isTurning = true;
      this.#turn(turnsBetween);
    }
    return promise;
  }

  /** Runs pure work that yields wherever it may be interrupted, in slices; also the first waits for its turn. */
  async run<T>(work: Interruptible<T>): Promise<T> {
    for (;;) {
      await this.nextSlice();
      const endsAtMs = performance.now() + sliceMs;
      do {
        const step = work.next();
        if (step.done) return step.value;
      } while (performance.now() < endsAtMs);
    }
  }

  /**
   * Runs work that is short but comes many times at once, in the order it came: as much of it in one turn of the event
   * loop as a slice has time for, and the rest in the slices of later ones.
   */
  runShort<T>(work: () => T): Promise<Awaited<T>> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#short.push(() => {
      try {
        resolve(work());
      } catch (error) {
        reject(error);
      }
    });
    if (!this.#isRunningShort) this.#runShortOnes();
    return promise as Promise<Awaited<T>>;
  }

  #runShortOnes(): void {
    this.#isRunningShort = true;
    if (this.#shortSinceMs === null) {
      this.#shortSinceMs = performance.now();
      setImmediate(() => {
        this.#shortSinceMs = null;
      });
    }
    while (this.#short.length > 0) {
      if (performance.now() - this.#shortSinceMs > sliceMs) {
        this.nextSlice().then(() => this.#runShortOnes());
        return;
      }
      this.#short.shift()?.();
    }
    this.#isRunningShort = false;
  }

  #turn(left: number): void {
    setImmediate(() => {
      if (left > 1) return this.#turn(left - 1);
      this.#waiting.shift()?.();
      this.#isTurning = this.#waiting.length > 0;
      if (this.#isTurning) this.#turn(turnsBetween);
    });
  }
}

export class WorkBudget {
  readonly #queue: WorkQueue;
  readonly #limits: WorkLimits;
  readonly #endsAtMs: number;
  #sliceEndsAtMs: number;
  #ranMs = 0;
  #spent = 0;

  constructor(queue: WorkQueue, limits: WorkLimits) {
    this.#queue = queue;
    this.#limits = limits;
    const nowMs = performance.now();
    this.#endsAtMs = nowMs + limits.timeMs;
    this.#sliceEndsAtMs = nowMs + sliceMs;
  }

  /** Counts what was done, or is about to be; pure code is handed this alone. */
  readonly spend = (units: number): void => {
    this.#spent += units;
    if (this.#spent > this.#limits.units) throw tooMuchWork();
  };

  get spent(): number {
    return this.#spent;
  }

  /** Aborted when the caller has gone; for what waits rather than works. */
  get signal(): AbortSignal | undefined {
    return this.#limits.signal;
  }

  get leftMs(): number {
    return Math.max(0, this.#endsAtMs - performance.now());
  }

  /** To be called between small pieces of work: waits only when this slice is over, and throws when all of it is. */
  async pause(): Promise<void> {
    const nowMs = performance.now();
    if (this.#limits.signal?.aborted) throw abandoned();
    if (nowMs > this.#endsAtMs) throw tooMuchWork();
    if (nowMs < this.#sliceEndsAtMs) return;
    await this.#queue.nextSlice();
    if (this.#limits.signal?.aborted) throw abandoned();
    this.#sliceEndsAtMs = performance.now() + sliceMs;
  }

  /** For a piece of work that is known to be large: waits for a slice of its own, also at the very beginning. */
  async nextSlice(): Promise<void> {
    this.#sliceEndsAtMs = 0;
    await this.pause();
  }

  /**
   * Runs pure work that yields wherever it may be interrupted. Its slices are counted by the time in which it ran:
   * whoever waited for the store in between has given way already.
   */
  async run<T>(work: Interruptible<T>): Promise<T> {
    let startedAtMs = performance.now();
    for (;;) {
      const step = work.next();
      const nowMs = performance.now();
      if (step.done) {
        this.#ranMs += nowMs - startedAtMs;
        return step.value;
      }
      if (this.#ranMs + nowMs - startedAtMs < sliceMs) continue;
      if (nowMs > this.#endsAtMs) throw tooMuchWork();
      await this.#queue.nextSlice();
      if (this.#limits.signal?.aborted) throw abandoned();
      this.#ranMs = 0;
      startedAtMs = performance.now();
      this.#sliceEndsAtMs = startedAtMs + sliceMs;
    }
  }
}

/** Pauses wherever the work may be interrupted. */
export async function withPauses<T>(work: Interruptible<T>, pause: () => Promise<unknown>): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await pause();
  }
}

function tooMuchWork(): Problem {
  return new Problem(
    'TOO_MUCH_WORK',
    'This request asks for more work than one request may use. Please narrow it or split it.',
  );
}

function abandoned(): Problem {
  return new Problem('REQUEST_ABANDONED', 'The caller went away before the answer was ready.');
}
