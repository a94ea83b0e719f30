// What one request waits for its store. Each question and each change has limits of its own (time-limit.ts); all of one request together
// may be waited for as long as a single one, so that nobody waits longer because there were several (D-940). Waits are added up, and not
// the time since the request came: what it computes, or waits for elsewhere, has other limits. The sum begins anew with each slice of work
// that goes through the store piece by piece, and is no longer held against anything once the answer begins: an export that is read on
// is no wait for an answer.
//
// What several requests wait for, such as a batch of writes, is done apart from all of them, so that the end of one is not the end of
// the others; each of them waits for it within its own time.

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Sql } from 'sql-template-tag';
import {
  type Change,
  type Db,
  type Fields,
  type LargeAnswer,
  type Row,
  storeProblem,
  type WaitLimits,
} from '../db.ts';
import { threadCpuMs } from './thread-cpu.ts';
import { waitLimits } from './time-limit.ts';

export class RequestWaits {
  #inAllMs: number;
  #waitedMs = 0;
  #underWay = 0;
  #sinceMs = 0;
  #isThreadTimed = false;
  #threadSinceMs = 0;
  #threadMs = 0;

  /** `timeoutMs` is how long a single question may stand still. */
  constructor(timeoutMs: number) {
    this.#inAllMs = waitLimits(timeoutMs).inAllMs;
  }

  /** What is left for all further questions. */
  get leftMs(): number {
    const underWayMs = this.#underWay === 0 ? 0 : performance.now() - this.#sinceMs;
    return this.#inAllMs - this.#waitedMs - underWayMs;
  }

  /** A question may take so long; fails where nothing is left. */
  limitsOf({ stillMs, inAllMs }: WaitLimits): WaitLimits {
    const leftMs = Math.ceil(this.leftMs);
    if (leftMs <= 0) throw tooLate();
    return { stillMs: Math.min(stillMs, leftMs), inAllMs: Math.min(inAllMs, leftMs) };
  }

  /** Counts the wait for an answer that has limits of its own. */
  async during<T>(answer: Promise<T>): Promise<T> {
    this.#begin();
    try {
      return await answer;
    } finally {
      this.#end();
    }
  }

  /** Waits for what is done for several requests, as long as this one may. */
  async until<T>(answer: Promise<T>): Promise<T> {
    if (!Number.isFinite(this.#inAllMs)) return answer;
    const { promise: over, reject } = Promise.withResolvers<never>();
    // The timer may be late because this thread was: what has arrived meanwhile is read first.
    const end = (): void => void setImmediate(() => reject(tooLate()));
    const timer = setTimeout(end, Math.max(1, this.leftMs)).unref();
    try {
      return await this.during(Promise.race([answer, over]));
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * The same for one question that has its limit itself, such as a place in a batch: a request that has not waited yet, as nearly all
   * have not, needs no timer of its own beside it.
   */
  untilOne<T>(answer: Promise<T>): Promise<T> {
    return this.#waitedMs < 1 ? this.during(answer) : this.until(answer);
  }

  /** A piece of work that goes through the store piece by piece is done. */
  beginAnew(): void {
    this.#waitedMs = 0;
    this.#sinceMs = performance.now();
  }

  /** From now on the answer is on its way, and each question has its own limits alone. */
  endWithAnswer(): void {
    this.#inAllMs = Number.POSITIVE_INFINITY;
  }

  /**
   * Processor time that this thread has spent on others while the request waited; counted from the first call on, because only those
   * who hold work against its own time ask for it.
   */
  get threadMsOfOthers(): number {
    if (!this.#isThreadTimed) {
      this.#isThreadTimed = true;
      this.#threadSinceMs = threadCpuMs();
    }
    return this.#threadMs + (this.#underWay === 0 ? 0 : threadCpuMs() - this.#threadSinceMs);
  }

  #begin(): void {
    this.#underWay += 1;
    if (this.#underWay > 1) return;
    this.#sinceMs = performance.now();
    if (this.#isThreadTimed) this.#threadSinceMs = threadCpuMs();
  }

  #end(): void {
    this.#underWay -= 1;
    if (this.#underWay > 0) return;
    this.#waitedMs += performance.now() - this.#sinceMs;
    if (this.#isThreadTimed) this.#threadMs += threadCpuMs() - this.#threadSinceMs;
  }
}

const requests = new AsyncLocalStorage<RequestWaits | null>();

/** Runs a step of a request; whatever it asks the store then counts for this request. */
export function withinRequest(waits: RequestWaits, step: () => void): void {
  requests.run(waits, step);
}

/** The waits of the request that this is done for; null for what is done for nobody or for several. */
export function waitsOfRequest(): RequestWaits | null {
  return requests.getStore() ?? null;
}

/** Work of which several requests need the outcome, or none: it belongs to nobody. */
export function apartFromRequests<T>(work: () => T): T {
  return requests.run(null, work);
}

/** The outcome of such work, for as long as the request that asks for it may wait. */
export function withinWaits<T>(answer: Promise<T>): Promise<T> {
  return waitsOfRequest()?.until(answer) ?? answer;
}

/** The outcome of one question that several share, which has its limit itself. */
export function withinOneWait<T>(answer: Promise<T>): Promise<T> {
  return waitsOfRequest()?.untilOne(answer) ?? answer;
}

/** The store, with every question and change held against the time of the request that it is asked for. */
export function storeOfRequests(plain: Db): Db {
  const limits = waitLimits(plain.limits.timeoutMs);
  return {
    engine: plain.engine,
    // It is learned with the first question.
    get dialect() {
      return plain.dialect;
    },
    limits: plain.limits,
    get encoding() {
      return plain.encoding ?? null;
    },
    async read<R = Row>(query: Sql): Promise<readonly R[]> {
      const waits = waitsOfRequest();
      if (waits === null) return plain.read<R>(query);
      return waits.during(plain.read<R>(query, waits.limitsOf(limits)));
    },
    readLarge<R>(query: Sql, rowOf: (fields: Fields) => R, bytesMax?: number) {
      const waits = waitsOfRequest();
      if (waits === null) return plain.readLarge(query, rowOf, bytesMax);
      const answer: LargeAnswer<R> | Promise<LargeAnswer<R>> = plain.readLarge(
        query,
        rowOf,
        bytesMax,
        waits.limitsOf(limits),
      );
      return answer instanceof Promise ? waits.during(answer) : answer;
    },
    async write<Input extends object, Output>(change: Change<Input, Output>, input: Input, own = limits) {
      const waits = waitsOfRequest();
      if (waits === null) return plain.write(change, input, own);
      return waits.during(plain.write(change, input, waits.limitsOf(own)));
    },
    probe: () => plain.probe(),
    changing: plain.changing,
    figures: () => plain.figures(),
    close: () => plain.close(),
  };
}

function tooLate(): Error {
  return storeProblem(
    'STORE_TIMEOUT',
    new Error('The questions of this request to the store took too long together.'),
  );
}
