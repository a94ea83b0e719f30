// How many pages of data may be under way at once, from the reading of their rows until their last byte is sent: they are
// most of the memory that callers can make the service use. A request for which there is no room waits, accounts taking
// turns, and is refused when that takes too long. One account may use half of the room.

import type { ServerResponse } from 'node:http';
import { Problem } from '../../domain/problem.ts';

/** What one page under way takes at most, roughly: what was written of it first, a slice of rows, and the next piece. */
const pageBytes = 3 * 1024 * 1024;
const waitMaxMs = 5_000;
const waitingMax = 4_096;

interface Waiting {
  readonly enter: (leave: () => void) => void;
}

export class PageMemory {
  readonly #pagesMax: number;
  readonly #accountMax: number;
  readonly #waitMaxMs: number;
  /** Pages under way, by account. */
  readonly #held = new Map<number, number>();
  #heldInAll = 0;
  /** Requests that wait, by account; the account whose turn is next comes first. */
  readonly #waiting = new Map<number, Set<Waiting>>();
  #waitingInAll = 0;

  constructor(bytesMax: number, patienceMs = waitMaxMs) {
    this.#pagesMax = Math.max(2, Math.floor(bytesMax / pageBytes));
    this.#accountMax = Math.ceil(this.#pagesMax / 2);
    this.#waitMaxMs = patienceMs;
  }

  /** Whether a request waits for room. */
  get hasWaiting(): boolean {
    return this.#waitingInAll > 0;
  }

  get pages(): number {
    return this.#heldInAll;
  }

  /** Takes room for one page of an account; it is given back when the answer has been sent or `leave` is called. */
  async enter(accountId: number, answer: ServerResponse): Promise<() => void> {
    const hasRoom = this.#hasRoom(accountId);
    const leave = hasRoom ? this.#take(accountId) : await this.#wait(accountId, answer);
    if (answer.closed) leave();
    else answer.once('close', leave);
    return leave;
  }

  #hasRoom(accountId: number): boolean {
    return this.#heldInAll < this.#pagesMax && (this.#held.get(accountId) ?? 0) < this.#accountMax;
  }

  #take(accountId: number): () => void {
    this.#heldInAll += 1;
    this.#held.set(accountId, (this.#held.get(accountId) ?? 0) + 1);
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      this.#heldInAll -= 1;
      const held = (this.#held.get(accountId) ?? 1) - 1;
      if (held === 0) this.#held.delete(accountId);
      else this.#held.set(accountId, held);
      this.#admitNext();
    };
  }

  #wait(accountId: number, answer: ServerResponse): Promise<() => void> {
    if (this.#waitingInAll >= waitingMax) return Promise.reject(noRoom());
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        enter: (leave) => {
          end();
          resolve(leave);
        },
      };
      // The Problem is made only when a request is refused: nearly every request is let in, and making an error with its
      // stack takes longer than everything else in this function.
      const giveUp = (problem: () => Problem) => (): void => {
        end();
        reject(problem());
      };
      const timer = setTimeout(giveUp(noRoom), this.#waitMaxMs);
      const abandon = giveUp(abandoned);
      answer.once('close', abandon);
      const queue = this.#waiting.get(accountId) ?? new Set();
      this.#waiting.set(accountId, queue.add(waiting));
      this.#waitingInAll += 1;
      const end = (): void => {
        clearTimeout(timer);
        answer.off('close', abandon);
        queue.delete(waiting);
        if (queue.size === 0 && this.#waiting.get(accountId) === queue) this.#waiting.delete(accountId);
        this.#waitingInAll -= 1;
      };
    });
  }

  #admitNext(): void {
    for (const [accountId, queue] of this.#waiting) {
      if (!this.#hasRoom(accountId)) continue;
      const [next] = queue;
      if (next === undefined) continue;
      next.enter(this.#take(accountId));
      // The other accounts come before the next request of this one.
      if (this.#waiting.delete(accountId) && queue.size > 0) this.#waiting.set(accountId, queue);
      return;
    }
  }
}

function abandoned(): Problem {
  return new Problem('REQUEST_ABANDONED', 'The caller went away before there was room.');
}

function noRoom(): Problem {
  return new Problem(
    'TOO_MANY_PAGES',
    'More pages of data are being read than the service holds at once. Please retry.',
    { headers: { 'retry-after': '1' } },
  );
}
