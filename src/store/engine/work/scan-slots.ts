// How many searches may walk through whole accounts at once: so many an account, so that searches of one account wait for
// each other and other accounts do not wait for them, and so many in all, because each holds what it has found so far
// (D-167).

import type { Config } from '../../../config.ts';
import { Problem } from '../../../domain/problem.ts';
import { WorkBudget, WorkQueue } from './work-budget.ts';

export interface ScanLimits {
  readonly perAccount: number;
  readonly inAll: number;
  /** How many searches of an account may wait for a slot. */
  readonly waitingPerAccount: number;
}

interface Waiting {
  readonly accountId: number;
  readonly start: () => void;
}

/** The time that a scan has, waiting for its turn included. */
export type ScanTime = Pick<WorkBudget, 'leftMs' | 'signal' | 'pause' | 'aside'>;

/** What a search is done with: the budget of its request, and the slots that all searches of the process share. */
export interface SearchWork {
  readonly budget: WorkBudget;
  readonly scans: ScanSlots;
}

export class ScanSlots {
  readonly #limits: ScanLimits;
  readonly #running = new Map<number, number>();
  #runningInAll = 0;
  #waiting: Waiting[] = [];

  constructor(limits: ScanLimits) {
    this.#limits = limits;
  }

  /** Runs a scan as soon as there is room for it. It waits no longer than its request has time and its caller is there. */
  async run<T>(accountId: number, budget: ScanTime, scan: () => Promise<T>): Promise<T> {
    // Whoever has gone before this line is not told of again; `pause` throws then.
    if (budget.signal?.aborted) await budget.pause();
    if (this.#hasRoom(accountId)) this.#count(accountId, 1);
    else await this.#waitForSlot(accountId, budget);
    try {
      return await scan();
    } finally {
      this.#count(accountId, -1);
      this.#startNext();
    }
  }

  #hasRoom(accountId: number): boolean {
    const { perAccount, inAll } = this.#limits;
    return this.#runningInAll < inAll && (this.#running.get(accountId) ?? 0) < perAccount;
  }

  #count(accountId: number, change: number): void {
    const running = (this.#running.get(accountId) ?? 0) + change;
    this.#runningInAll += change;
    if (running === 0) this.#running.delete(accountId);
    else this.#running.set(accountId, running);
  }

  async #waitForSlot(accountId: number, budget: ScanTime): Promise<void> {
    const own = this.#waiting.filter((one) => one.accountId === accountId);
    if (own.length >= this.#limits.waitingPerAccount) throw tooManyScans();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const waiting = { accountId, start: () => resolve(true) };
    this.#waiting.push(waiting);
    const giveUp = (): void => {
      this.#waiting = this.#waiting.filter((one) => one !== waiting);
      resolve(false);
    };
    const timer = setTimeout(giveUp, budget.leftMs);
    budget.signal?.addEventListener('abort', giveUp);
    const isStarted = await budget.aside(promise);
    clearTimeout(timer);
    budget.signal?.removeEventListener('abort', giveUp);
    if (isStarted) return;
    // `pause` throws where the caller has gone; otherwise the time of the request is over.
    if (budget.signal?.aborted) await budget.pause();
    throw tooManyScans();
  }

  /** The next scan is counted here and not when it wakes up, so that no other takes its slot in between. */
  #startNext(): void {
    const next = this.#waiting.findIndex(({ accountId }) => this.#hasRoom(accountId));
    if (next === -1) return;
    const [waiting] = this.#waiting.splice(next, 1);
    if (waiting === undefined) return;
    this.#count(waiting.accountId, 1);
    waiting.start();
  }
}

function tooManyScans(): Problem {
  return new Problem(
    'THROTTLED',
    'Too many searches of this account that no index answers are under way. Please retry.',
    { headers: { 'retry-after': '1' } },
  );
}

/** For a process whose only work it is: a command. */
export function patientWork(): SearchWork {
  return {
    budget: new WorkBudget(new WorkQueue(), { timeMs: 3_600_000, units: Number.POSITIVE_INFINITY }),
    scans: new ScanSlots({ perAccount: 1, inAll: 1, waitingPerAccount: 0 }),
  };
}

/** As the settings say. */
export function scanLimits({ scansPerAccount }: Config): ScanLimits {
  return { perAccount: scansPerAccount, inAll: 4 * scansPerAccount, waitingPerAccount: 16 };
}
