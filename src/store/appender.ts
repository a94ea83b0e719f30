// Group commit: responses that arrive while an append is under way share the next one, and each is answered after its
// own commit. The queue is bounded; a full one says so instead of growing.

import { Problem } from '../domain/problem.ts';
import { type Db, storeProblem, UniqueViolation } from './db.ts';
import { type AppendItem, type AppendOutcome, appendResponses } from './log.ts';
import { newMark } from './log-history.ts';

const batchMax = 512;
const waitingMax = 10_000;
const attemptsMax = 10;
// How many are sent at once, though this turn of the event loop may bring more, and how many batches are under way. On
// the embedded engine this keeps the writer's thread busy beside this one: neither waits for the other. On PostgreSQL a
// batch costs more than what is in it, and two would only hold each other's counters up.
const pace = {
  sqlite: { fullBatch: 16, underWayMax: 2 },
  postgres: { fullBatch: batchMax, underWayMax: 1 },
};

interface Waiting {
  readonly item: AppendItem;
  readonly resolve: (outcome: AppendOutcome) => void;
  readonly reject: (error: unknown) => void;
}

export class LogAppender {
  readonly #db: Db;
  #waiting: Waiting[] = [];
  #underWay = 0;
  #isCalled = false;

  constructor(db: Db) {
    this.#db = db;
  }

  append(item: AppendItem): Promise<AppendOutcome> {
    if (this.#waiting.length >= waitingMax) return Promise.reject(storeProblem('WRITE_QUEUE_FULL', null));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#waiting.length >= pace[this.#db.engine].fullBatch) this.#send();
      if (this.#isCalled) return;
      this.#isCalled = true;
      // What this turn of the event loop brings goes together.
      setImmediate(() => {
        this.#isCalled = false;
        this.#send();
      });
    });
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  #send(): void {
    while (this.#waiting.length > 0 && this.#underWay < pace[this.#db.engine].underWayMax) {
      const batch = this.#waiting.slice(0, batchMax);
      this.#waiting = this.#waiting.slice(batchMax);
      this.#underWay += 1;
      void this.#carryOut(batch).finally(() => {
        this.#underWay -= 1;
        this.#send();
      });
    }
  }

  /** A batch that fails for another reason than the store is halved, until the one at fault stands alone. */
  async #carryOut(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await this.#write(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index]!);
    } catch (error) {
      if (batch.length === 1 || error instanceof Problem) {
        for (const { reject } of batch) reject(error);
        if (isStoreFailure(error)) this.#failWaiting(error);
        return;
      }
      const middle = batch.length >> 1;
      await this.#carryOut(batch.slice(0, middle));
      await this.#carryOut(batch.slice(middle));
    }
  }

  /**
   * An id that was free when it was asked for and taken when it was written: another process kept it meanwhile under
   * another source, or it is our own, committed by an attempt whose answer was lost. It is there by now, so the append
   * is made again, and this time it is asked for every id, our own fresh ones too.
   */
  async #write(items: readonly AppendItem[]): Promise<readonly AppendOutcome[]> {
    let asked = items;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const outcomes = await this.#db.write(appendResponses, {
          engine: this.#db.engine,
          items: asked,
          mark: newMark(),
        });
        // Nobody else knows a fresh id: whatever is kept under it is this very response.
        return outcomes.map((outcome, index) =>
          outcome === 'repeated' && items[index]!.isFreshId ? 'kept' : outcome,
        );
      } catch (error) {
        if (!(error instanceof UniqueViolation) || attempt >= attemptsMax) throw error;
        asked = items.map((item) => ({ ...item, isFreshId: false }));
      }
    }
  }

  /** Those who came while the store was given its time have waited for it too: another wait would be too long. */
  #failWaiting(error: unknown): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { reject } of waiting) reject(error);
  }
}

function isStoreFailure(error: unknown): boolean {
  return (
    error instanceof Problem &&
    (error.condition === 'downstreamError' || error.condition === 'serviceUnavailable')
  );
}
