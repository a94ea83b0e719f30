// Where accounts are spread over machines, one of these may be away, or hang: it takes statements and answers none. Nobody but its own
// accounts may notice. So it is asked something that waits for no lock, by one question at a time whoever has need of it, until it answers.
//
// Away: the coordinator refuses what is for it, at once. Whoever is refused waits a moment for the machine, which may only be starting
// again, without a connection of this process; after that moment its accounts are refused before anything is sent (D-898).
//
// Hanging: each statement would hold a connection of this process until its time is over, and soon nobody would find a free one, whatever
// machine they need. While the question has no answer either, its accounts are refused at once (D-298).

import { Problem } from '../../../domain/problem.ts';
import { storeProblem } from '../db.ts';
import { cancelledState, isTimeout, stateOf } from './postgres-connection.ts';

const askAgainMs = 1_000;
// A machine that was restarted is waited for as long as it takes to ask it this often.
const restartAsks = 10;
const askSoonMs = 100;
// Accounts move from machine to machine, and a process may serve very many of them.
const knownForMs = 30_000;
const knownMax = 100_000;

interface LostWorkersOptions {
  /** Which machine has the account; null when that cannot be said. */
  readonly workerOf: (accountId: number) => Promise<number | null>;
  /** A small question to a machine; false where the coordinator does not reach it. */
  readonly ask: (worker: number) => Promise<boolean>;
}

interface Known {
  readonly worker: number | null;
  readonly untilMs: number;
}

type Outcome = 'answered' | 'away' | 'silent' | 'unknown';

const refusals = {
  away: () => storeProblem('STORE_UNREACHABLE', new Error('The worker of the account is away.')),
  silent: () => storeProblem('STORE_TIMEOUT', new Error('The worker of the account does not answer.')),
};

export class LostWorkers {
  readonly #options: LostWorkersOptions;
  /** Those whose accounts are refused. */
  readonly #lost = new Map<number, keyof typeof refusals>();
  /** Those that are asked until they answer: whether they did so within the time of a restart. */
  readonly #watched = new Map<number, Promise<boolean>>();
  readonly #known = new Map<number, Known>();
  #isClosed = false;

  constructor(options: LostWorkersOptions) {
    this.#options = options;
  }

  /** Does the work of an account, unless the machine that it needs is lost. */
  async around<T>(accountId: number, work: () => Promise<T>): Promise<T> {
    if (this.#lost.size > 0) {
      const lost = this.#lost.get((await this.#workerOf(accountId)) ?? -1);
      if (lost !== undefined) throw refusals[lost]();
    }
    try {
      return await work();
    } catch (error) {
      if (isUnanswered(error)) void this.#watch(accountId);
      throw error;
    }
  }

  /** The coordinator did not reach the machine of the account: whether it is there again within the time of a restart, and of the caller. */
  async comesBack(accountId: number, withinMs: number): Promise<boolean> {
    const { promise: tooLate, resolve } = Promise.withResolvers<boolean>();
    // It keeps a command alive, which has nothing else to do; what is asked meanwhile does not.
    const timer = setTimeout(() => resolve(false), withinMs);
    try {
      return (await Promise.race([this.#watch(accountId), tooLate])) ?? false;
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Null where it cannot be said which machine to ask; never fails. */
  async #watch(accountId: number): Promise<boolean | null> {
    const worker = await this.#workerOf(accountId).catch(() => null);
    if (worker === null) return null;
    const watched = this.#watched.get(worker);
    if (watched !== undefined) return watched;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#watched.set(worker, promise);
    void this.#askUntilAnswered(worker, resolve);
    return promise;
  }

  async #askUntilAnswered(worker: number, tell: (isBack: boolean) => void): Promise<void> {
    for (let asked = 1; !this.#isClosed; asked += 1) {
      const outcome = await this.#ask(worker);
      if (outcome === 'answered') break;
      const isStarting = outcome === 'away' && asked < restartAsks;
      if (!isStarting) tell(false);
      if (!isStarting && outcome !== 'unknown') this.#lost.set(worker, outcome);
      const pauseMs = isStarting ? askSoonMs : askAgainMs;
      await new Promise((resume) => setTimeout(resume, pauseMs).unref());
    }
    this.#watched.delete(worker);
    this.#lost.delete(worker);
    tell(!this.#isClosed);
  }

  /** Where no connection was free to ask on, nothing is known. */
  async #ask(worker: number): Promise<Outcome> {
    try {
      return (await this.#options.ask(worker)) ? 'answered' : 'away';
    } catch (error) {
      if (isUnanswered(error)) return 'silent';
      // A refusal is an answer too: it comes at once.
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

/** Cancelled, by the server or from here, because whoever it asked had not answered; waiting for a connection is something else. */
function isUnanswered(error: unknown): boolean {
  const cause = error instanceof Problem && error.code === 'STORE_TIMEOUT' ? error.cause : error;
  return stateOf(cause) === cancelledState;
}
