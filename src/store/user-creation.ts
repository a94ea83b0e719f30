// Creating users at the pace of a crowd. Every create of an account holds its counter row to the commit, so one
// after the other would wait for one disk after the other; instead those that arrive while a commit runs share
// the next one, and each is answered after its own.

import { Problem } from '../domain/problem.ts';
import type { User } from '../domain/user.ts';
import { type Db, storeProblem, UniqueViolation } from './db.ts';
import { recordOf } from './user-record.ts';
import { type Creation, createUsers, type NewUser, type Order, taken } from './users.ts';

const batchSizeMax = 256;
const waitingMax = 10_000;
const attemptsMax = 5;

interface Waiting {
  readonly user: NewUser;
  readonly resolve: (creation: Creation) => void;
  readonly reject: (error: unknown) => void;
}

export class UserCreation {
  readonly #db: Db;
  /** Those of an account that wait; the account is there as long as one of its batches is under way. */
  readonly #waiting = new Map<number, Waiting[]>();
  #count = 0;

  constructor(db: Db) {
    this.#db = db;
  }

  /** The user as it is kept, with its own id in place of the one it was tried with. */
  async create(user: User, order: Order): Promise<User> {
    const creation = await this.#place(user.accountId, { ...recordOf(user), ...order });
    if ('taken' in creation) throw taken(creation.taken);
    return { ...user, id: creation.id };
  }

  #place(accountId: number, user: NewUser): Promise<Creation> {
    if (this.#count >= waitingMax) return Promise.reject(storeProblem('WRITE_QUEUE_FULL', null));
    this.#count += 1;
    return new Promise((resolve, reject) => {
      const queue = this.#waiting.get(accountId);
      if (queue !== undefined) queue.push({ user, resolve, reject });
      else {
        this.#waiting.set(accountId, [{ user, resolve, reject }]);
        // Not at once: requests that were read together may share the first commit too.
        setImmediate(() => void this.#work(accountId));
      }
    });
  }

  async #work(accountId: number): Promise<void> {
    const queue = this.#waiting.get(accountId) ?? [];
    while (queue.length > 0) {
      const batch = queue.splice(0, batchSizeMax);
      this.#count -= batch.length;
      await this.#carryOut(accountId, batch);
    }
    this.#waiting.delete(accountId);
  }

  async #carryOut(accountId: number, batch: readonly Waiting[]): Promise<void> {
    try {
      const creations = await this.#write(accountId, batch);
      for (const [at, { resolve }] of batch.entries()) resolve(creations[at]!);
    } catch (error) {
      // A failure of the store concerns all. Anything else may be the fault of one, who then fails alone.
      const isShared = error instanceof Problem || batch.length === 1;
      if (isShared) for (const { reject } of batch) reject(error);
      else for (const one of batch) await this.#carryOut(accountId, [one]);
    }
  }

  async #write(accountId: number, batch: readonly Waiting[]): Promise<readonly Creation[]> {
    const users = batch.map(({ user }) => user);
    const input = { engine: this.#db.engine, changeId: users[0]!.changeId, accountId, users };
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#db.write(createUsers, input);
      } catch (error) {
        // A user that was renamed meanwhile took a name between the look and the write: look again.
        if (!(error instanceof UniqueViolation) || attempt >= attemptsMax) throw error;
      }
    }
  }
}
