// Where accounts are spread over machines, one of these may hang: it takes statements and answers none. Each would hold
// a connection of this process until its time is over, and soon nobody would find a free one, whatever machine they need.
// So when a statement had no answer in time, the machine of its account is asked something that waits for no lock; while
// that has no answer either, statements for its accounts are refused at once, and it is asked again and again (D-298).

import { Problem } from '../../domain/problem.ts';
import { storeProblem } from './db.ts';
import { isTimeout, stateOf } from './postgres-connection.ts';

const askAgainMs = 1_000;
// Accounts move from machine to machine, and a process may serve very many of them.
const knownForMs = 30_000;
const knownMax = 100_000;
// What the coordinator says when the limit of time that a statement was given is over.
const cancelledState = '57014';

export interface HungWorkersOptions {
  /** Which machine has the account; null when that cannot be said. */
  readonly workerOf: (accountId: number) => Promise<number | null>;
  /** A small question to a machine. */
  readonly ask: (worker: number) => Promise<unknown>;
}

interface Known {
  readonly worker: number | null;
  readonly untilMs: number;
}

export class HungWorkers {
  readonly #options: HungWorkersOptions;
  readonly #hung = new Set<number>();
  readonly #asking = new Set<number>();
  readonly #known = new Map<number, Known>();
  #isClosed = false;

  constructor(options: HungWorkersOptions) {
    this.#options = options;
  }

  /** Does the work of an account, unless the machine that it needs hangs. */
  async around<T>(accountId: number, work: () => Promise<T>): Promise<T> {
    if (this.#hung.size > 0 && this.#hung.has((await this.#workerOf(accountId)) ?? -1))
      throw storeProblem('STORE_TIMEOUT', new Error('The worker of the account does not answer.'));
    try {
      return await work();
    } catch (error) {
      if (isUnanswered(error)) void this.#watch(accountId);
      throw error;
    }
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Asks until there is an answer; never fails. */
  async #watch(accountId: number): Promise<void> {
    const worker = await this.#workerOf(accountId).catch(() => null);
    if (worker === null || this.#asking.has(worker)) return;
    this.#asking.add(worker);
    while (!this.#isClosed) {
      const outcome = await this.#ask(worker);
      if (outcome === 'answered') break;
      if (outcome === 'silent') this.#hung.add(worker);
      await new Promise((resume) => setTimeout(resume, askAgainMs).unref());
    }
    this.#asking.delete(worker);
    this.#hung.delete(worker);
  }

  /** A refusal is an answer too: it comes at once. Where no connection was free to ask on, nothing is known. */
  async #ask(worker: number): Promise<'answered' | 'silent' | 'unknown'> {
    try {
      await this.#options.ask(worker);
      return 'answered';
    } catch (error) {
      if (isUnanswered(error)) return 'silent';
      return isTimeout(error) ? 'unknown' : 'answered';
    }
  }

  async #workerOf(accountId: number): Promise<number | null> {
    const nowMs = performance.now();
    const known = this.#known.get(accountId);
    if (known !== undefined && nowMs < known.untilMs) return known.worker;
    const worker = await this.#options.workerOf(accountId);
    if (this.#known.size >= knownMax) this.#known.clear();
    this.#known.set(accountId, { worker, untilMs: nowMs + knownForMs });
    return worker;
  }
}

/** Cancelled by the server, because whoever it asked had not answered; waiting for a connection is something else. */
function isUnanswered(error: unknown): boolean {
  const cause = error instanceof Problem && error.code === 'STORE_TIMEOUT' ? error.cause : error;
  return stateOf(cause) === cancelledState;
}
