// Work that one request asks for and that grows with what is stored: scans, walks over members, large patches, bulk.
// A budget bounds it in time and in units, ends it when the caller has gone, and cuts it into slices between which
// everybody else is served. Its time is the processor time of the work itself: what others use meanwhile, and what it waits for a slice
// or for the store, is not its own. By the clock it has ten times as much, so that there is an end whatever happens (D-941).

import type { Interruptible } from '../../../domain/interruptible.ts';
import { Problem } from '../../../domain/problem.ts';
import { waitsOfRequest } from './request-waits.ts';
import { threadCpuMs } from './thread-cpu.ts';

interface WorkLimits {
  /** Processor time of the work. */
  readonly timeMs: number;
  /** What may pass by the clock; ten times as much where it is left out. */
  readonly clockMs?: number;
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

/** Of its processor time so much may pass by the clock. */
const clockShare = 10;
/** Of the time of a request so much is left for what follows a part of its work. */
const reservedShare = 0.1;

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

  /** For work that goes through the store piece by piece: the waits of its request begin anew with each piece (D-940). */
  nextSlice(): Promise<void> {
    waitsOfRequest()?.beginAnew();
    return this.nextTurn();
  }

  /** The same for work that computes only. */
  nextTurn(): Promise<void> {
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
      await this.nextTurn();
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
        this.nextTurn().then(() => this.#runShortOnes());
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

/** What is left of a part. */
export interface WorkPart {
  /** By the clock. */
  readonly withinMs: () => number;
  /** Of processor time. */
  readonly workMs: () => number;
}

export function isOver({ withinMs, workMs }: WorkPart): boolean {
  return withinMs() <= 0 || workMs() <= 0;
}

export class WorkBudget {
  readonly #queue: WorkQueue;
  readonly #limits: WorkLimits;
  readonly #waits = waitsOfRequest();
  readonly #endsAtMs: number;
  /** Of this thread: when the work began, and what others have used since. */
  readonly #threadBeganMs = threadCpuMs();
  readonly #othersBeganMs = this.#waits?.threadMsOfOthers ?? 0;
  #threadMsAside = 0;
  #aside = 0;
  #asideSinceMs = 0;
  #threadMsElsewhere = 0;
  #sliceEndsAtMs: number;
  #ranMs = 0;
  #spent = 0;

  constructor(queue: WorkQueue, limits: WorkLimits) {
    this.#queue = queue;
    this.#limits = limits;
    const nowMs = performance.now();
    this.#endsAtMs = nowMs + (limits.clockMs ?? clockShare * limits.timeMs);
    this.#sliceEndsAtMs = nowMs + sliceMs;
  }

  /** The processor time that the work has used. */
  get #usedMs(): number {
    const othersMs = (this.#waits?.threadMsOfOthers ?? 0) - this.#othersBeganMs + this.#threadMsAside;
    return threadCpuMs() - this.#threadBeganMs - othersMs + this.#threadMsElsewhere;
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
    const clockMs = this.#endsAtMs - performance.now();
    return Math.max(0, Math.min(this.#limits.timeMs - this.#usedMs, clockMs));
  }

  /** A part of what is left, with so much time by the clock; a reserve is left for what follows it. */
  part(withinMs: number): WorkPart {
    const reserveMs = this.leftMs * reservedShare;
    const endsAtMs = performance.now() + withinMs;
    return {
      withinMs: () => Math.max(0, endsAtMs - performance.now()),
      workMs: () => Math.max(0, this.leftMs - reserveMs),
    };
  }

  /** Waits for what is not the work of this budget. */
  async aside<T>(waiting: Promise<T>): Promise<T> {
    this.#aside += 1;
    if (this.#aside === 1) this.#asideSinceMs = threadCpuMs();
    try {
      return await waiting;
    } finally {
      this.#aside -= 1;
      if (this.#aside === 0) this.#threadMsAside += threadCpuMs() - this.#asideSinceMs;
    }
  }

  /** Counts processor time that another thread has used for it. */
  spendElsewhere(threadMs: number): void {
    this.#threadMsElsewhere += threadMs;
  }

  /** To be called between small pieces of work: waits only when this slice is over, and throws when all of it is. */
  async pause(): Promise<void> {
    const nowMs = performance.now();
    if (this.#limits.signal?.aborted) throw abandoned();
    if (nowMs > this.#endsAtMs) throw tooMuchWork();
    if (nowMs < this.#sliceEndsAtMs) return;
    if (this.#usedMs > this.#limits.timeMs) throw tooMuchWork();
    await this.aside(this.#queue.nextSlice());
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
      if (nowMs > this.#endsAtMs || this.#usedMs > this.#limits.timeMs) throw tooMuchWork();
      await this.aside(this.#queue.nextTurn());
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
