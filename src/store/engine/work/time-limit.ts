// How long a question or a change may take. The limit counts from the last step that was made for it: an answer, an item of the queue
// before it, a look at the server that finds it at work. What stands still for that long is late; what moves is not, up to ten times
// the limit in all (D-900).

import type { WaitLimits } from '../db.ts';

/** Nothing waits longer than so many times the limit, whatever moves. */
const limitsInAll = 10;
// Whether it moves is asked before the limit is over, so that the answer is there by then.
const askedAfter = 2 / 3;

export function waitLimits(timeoutMs: number): WaitLimits {
  return { stillMs: timeoutMs, inAllMs: timeoutMs * limitsInAll };
}

export class TimeLimit {
  readonly stillMs: number;
  readonly beganAtMs: number;
  readonly endsAtMs: number;
  #steppedAtMs: number;

  constructor({ stillMs, inAllMs }: WaitLimits) {
    this.stillMs = stillMs;
    this.beganAtMs = performance.now();
    this.endsAtMs = this.beganAtMs + inAllMs;
    this.#steppedAtMs = this.beganAtMs;
  }

  stepped(): void {
    this.#steppedAtMs = performance.now();
  }

  /** What is left without a further step, in whole milliseconds; at least one. */
  get leftMs(): number {
    return wholeMs(Math.min(this.#steppedAtMs + this.stillMs, this.endsAtMs));
  }

  /** What is left whatever moves. */
  get leftInAllMs(): number {
    return wholeMs(this.endsAtMs);
  }

  get isOver(): boolean {
    return performance.now() >= this.endsAtMs;
  }
}

function wholeMs(untilMs: number): number {
  return Math.max(1, Math.ceil(untilMs - performance.now()));
}

/** What moves for all who wait for the same thing. */
export class Movement {
  readonly #whole: Movement | null;
  #steps = 0;
  #late = 0;

  /** It may be part of a whole, which then moves as well. */
  constructor(whole: Movement | null = null) {
    this.#whole = whole;
  }

  /** Somebody was answered, or is being worked for. */
  stepped(): void {
    this.#steps += 1;
    this.#whole?.stepped();
  }

  /** The time of somebody was over. */
  ended(): void {
    this.#late += 1;
    this.#whole?.ended();
  }

  /**
   * Tells at each call whether a step was made since the one before, and nobody was late: whoever waits behind those who wait for a
   * lock must not wait longer than they do.
   */
  since(): () => boolean {
    let [steps, late] = [this.#steps, this.#late];
    return () => {
      const hasMoved = this.#steps !== steps && this.#late === late;
      [steps, late] = [this.#steps, this.#late];
      return hasMoved;
    };
  }
}

interface Waiting {
  readonly limit: TimeLimit;
  /** Whether a step was made since it was last asked; asked only when most of the limit has passed. */
  readonly isMoving: () => boolean | Promise<boolean>;
  readonly tooLate: () => Error;
  /** What somebody else has to say first when the limit is over. */
  readonly graceMs?: number;
}

/** Settles as the work does, or fails when that has stood still for too long, or has taken too long in all. */
export async function whileMoving<T>(
  work: Promise<T>,
  { limit, isMoving, tooLate, graceMs = 0 }: Waiting,
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout;
  let isSettled = false;
  const wait = (): void => {
    const isEnding = limit.leftInAllMs <= limit.stillMs;
    timer = isEnding
      ? setTimeout(look, limit.leftInAllMs + graceMs, true)
      : setTimeout(look, limit.leftMs * askedAfter, false);
  };
  const look = async (isLast: boolean): Promise<void> => {
    // The timer may be late because this thread was: what has arrived meanwhile is read first.
    await new Promise((resume) => setImmediate(resume));
    if (isSettled) return;
    const moves = limit.isOver ? null : await movesWithin(limit.stillMs * (1 - askedAfter));
    if (isSettled) return;
    if (moves === true) {
      limit.stepped();
      wait();
    } else if (moves === false && !isLast) timer = setTimeout(look, limit.leftMs + graceMs, true);
    else reject(tooLate());
  };
  /** Null where there is no word in time. */
  const movesWithin = async (ms: number): Promise<boolean | null> => {
    const answer = isMoving();
    if (typeof answer === 'boolean') return answer;
    const { promise: silence, resolve } = Promise.withResolvers<null>();
    timer = setTimeout(resolve, Math.max(ms, limit.leftMs) + graceMs, null);
    const moves = await Promise.race([answer, silence]);
    clearTimeout(timer);
    return moves;
  };
  wait();
  try {
    return await Promise.race([work, late]);
  } finally {
    isSettled = true;
    clearTimeout(timer!);
  }
}
