// The thread that scans, for all requests of the process (scan-worker.ts). It is started by the first scan and ends some time after
// the last. A thread that fails, or is ended from outside, fails the scans that it has under way, and the next scan starts another.

import type { Worker } from 'node:worker_threads';
import { type Code, Problem } from '../../domain/problem.ts';
import { startThread } from '../../installation.ts';
import { sharedClockMs } from '../engine/sqlite/sqlite-connection.ts';
import type { ScanRequest, ScanResult } from './scan-job.ts';
import { watchSteps } from './step-watch.ts';

export interface ScanThreadData {
  /** Of the store. */
  readonly address: string;
  readonly timeoutMs: number;
  /** How many steps of scans were made, of which it is told by adding to it. */
  readonly steps: Int32Array;
}

/** What the thread is sent. */
export type ScanMessage =
  | {
      readonly what: 'scan';
      readonly id: number;
      readonly request: ScanRequest;
      /** By the clock that all threads share. */
      readonly deadlineMs: number;
      /** Of processor time. */
      readonly workMs: number;
    }
  /** Ends a scan before its time; where it is wanted, what it has by then is its result. */
  | { readonly what: 'end'; readonly id: number; readonly isWanted: boolean }
  | { readonly what: 'close' };

/** What became of a scan. */
export type ScanEnd =
  | { readonly result: ScanResult }
  /** How many rows were looked at by a scan that ended without a result. */
  | { readonly ended: number }
  | {
      readonly problem: Pick<Problem, 'code' | 'message' | 'headers'> & { readonly cause: string | null };
    }
  | { readonly failure: string };

/** What comes back for every scan, once; with the processor time that it took. */
export type ScanAnswer = { readonly id: number; readonly threadMs: number } & ScanEnd;

interface Waiting {
  readonly resolve: (answer: ScanAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** A page asks for several views one after the other, and a new thread takes longer than a small scan. */
const idleMs = 10_000;
/** What needs more memory fails the scans that are under way, and the process goes on. See table-thread.ts for a larger limit. */
const workerLimits = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 8 };
const closePatienceMs = 2_000;
/** To begin, and to take its turn among others. */
const answerPatienceMs = 10_000;

export class ScanThread {
  readonly #data: ScanThreadData;
  readonly #waiting = new Map<number, Waiting>();
  /** Counted by the thread. */
  readonly #steps: Int32Array;
  #worker: Worker | null = null;
  #idleTimer: NodeJS.Timeout | null = null;
  #lastId = 0;
  #isStopping = false;

  constructor(data: Omit<ScanThreadData, 'steps'>) {
    this.#steps = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    this.#data = { ...data, steps: this.#steps };
  }

  /** Whether there is a thread just now. */
  get isRunning(): boolean {
    return this.#worker !== null;
  }

  /** The result of a scan within so much time. */
  async scan(
    request: ScanRequest,
    { withinMs, workMs }: { readonly withinMs: number; readonly workMs: number },
    signal: AbortSignal | undefined,
  ): Promise<ScanAnswer> {
    const id = ++this.#lastId;
    const worker = this.#started();
    const { promise, resolve, reject } = Promise.withResolvers<ScanAnswer>();
    this.#waiting.set(id, { resolve, reject });
    worker.ref();
    const deadlineMs = sharedClockMs() + withinMs;
    worker.postMessage({ what: 'scan', id, request, deadlineMs, workMs } satisfies ScanMessage);
    const leave = (): void => this.#end(id, false);
    signal?.addEventListener('abort', leave);
    // A step that waits for the store ends by the limits of the store, so a thread that makes none for longer hangs (D-900).
    const patienceMs = withinMs + 2 * this.#data.timeoutMs + answerPatienceMs;
    const endWatch = watchSteps(
      () => this.steps,
      patienceMs,
      () => this.kill(),
    );
    // Whoever left before this line is not told of again.
    if (signal?.aborted || this.#isStopping) this.#end(id, !signal?.aborted);
    try {
      return await promise;
    } finally {
      endWatch();
      signal?.removeEventListener('abort', leave);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#rest();
    }
  }

  /** So many steps the thread has made for all scans. */
  get steps(): number {
    return Atomics.load(this.#steps, 0);
  }

  /** Ends all scans: what they have by now is their result. */
  end(): void {
    this.#isStopping = true;
    for (const id of this.#waiting.keys()) this.#end(id, true);
  }

  /** Ends the thread wherever it is: its scans fail, and the next one starts another. */
  kill(): void {
    void this.#worker?.terminate();
  }

  async stop(): Promise<void> {
    this.end();
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    const worker = this.#worker;
    if (worker === null) return;
    this.#worker = null;
    const exited = new Promise((resume) => worker.once('exit', resume));
    worker.ref();
    worker.postMessage({ what: 'close' } satisfies ScanMessage);
    const timer = setTimeout(() => void worker.terminate(), closePatienceMs);
    await exited;
    clearTimeout(timer);
  }

  #end(id: number, isWanted: boolean): void {
    this.#worker?.postMessage({ what: 'end', id, isWanted } satisfies ScanMessage);
  }

  #started(): Worker {
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    this.#idleTimer = null;
    if (this.#worker !== null) return this.#worker;
    const worker = startThread('scan-worker', {
      name: 'scans',
      workerData: this.#data,
      resourceLimits: workerLimits,
    });
    worker.on('message', (answer: ScanAnswer) => this.#waiting.get(answer.id)?.resolve(answer));
    worker.on('error', (error) => this.#lose(worker, error));
    worker.on('exit', () => this.#lose(worker, new Error('The thread ended.')));
    this.#worker = worker;
    return worker;
  }

  #lose(worker: Worker, cause: unknown): void {
    // A crashed thread tells of both an error and its end; by the second, another one may be there.
    if (this.#worker !== worker) return;
    this.#worker = null;
    for (const { reject } of this.#waiting.values()) reject(scanFailed(cause));
  }

  /** It keeps no process alive that has nothing else to do. */
  #rest(): void {
    const worker = this.#worker;
    if (worker === null) return;
    worker.unref();
    this.#idleTimer = setTimeout(() => {
      if (this.#worker === worker) this.#worker = null;
      worker.postMessage({ what: 'close' } satisfies ScanMessage);
    }, idleMs).unref();
  }
}

export function problemOf(problem: Extract<ScanAnswer, { problem: unknown }>['problem']): Problem {
  const { code, message, headers, cause } = problem;
  return new Problem(code as Code, message, {
    headers,
    cause: cause === null ? undefined : new Error(cause),
  });
}

export function scanFailed(cause: unknown): Problem {
  return new Problem('SCAN_FAILED', 'The scan of the responses broke off. Please retry.', {
    cause,
    headers: { 'retry-after': '1' },
  });
}
