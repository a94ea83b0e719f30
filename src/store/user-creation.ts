// Creating users at the pace of a crowd. Every create of an account holds its counter row to the commit, so one
// after the other would wait for one disk after the other; by group commit they share it.

import type { User } from '../domain/user.ts';
import { type Db, UniqueViolation } from './db.ts';
import { type BatchOrder, GroupCommit, type heldUp } from './group-commit.ts';
import { recordOf } from './user-record.ts';
import { type Creation, createUsers, type NewUser, type Order, taken } from './users.ts';

const batchMax = 256;
const attemptsMax = 5;

interface NewUserOfAccount extends NewUser {
  readonly accountId: number;
}

export class UserCreation {
  readonly #db: Db;
  readonly #commits: GroupCommit<NewUserOfAccount, Creation>;

  constructor(db: Db, onTriedApart: (error: unknown) => void = () => {}) {
    this.#db = db;
    this.#commits = new GroupCommit<NewUserOfAccount, Creation>(db, {
      accountOf: ({ accountId }) => accountId,
      // The keys repeat what is in the profile.
      bytesOf: ({ profile }) => 2 * profile.length,
      write: (users, order) => this.#write(users, order),
      // A user that was kept by a commit whose answer was lost would be refused as one whose name is taken.
      isRepeatable: false,
      batchMax,
      onTriedApart,
    });
  }

  /** The user as it is kept, with its own id in place of the one it was tried with. */
  async create(user: User, order: Order): Promise<User> {
    const { accountId } = user;
    const creation = await this.#commits.add({ ...recordOf(user), ...order, accountId });
    if ('taken' in creation) throw taken(creation.taken);
    return { ...user, id: creation.id };
  }

  async #write(
    users: readonly NewUserOfAccount[],
    { mayWait, withinMs }: BatchOrder,
  ): Promise<readonly (Creation | typeof heldUp)[]> {
    const byAccount = Map.groupBy(users, ({ accountId }) => accountId);
    const accounts = [...byAccount].map(([accountId, ofAccount]) => ({ accountId, users: ofAccount }));
    const changeId = users.map((user) => user.changeId);
    const input = { engine: this.#db.engine, changeId, accounts, mayWait };
    for (let attempt = 1; ; attempt += 1) {
      try {
        const creations = await this.#db.write(createUsers, input, withinMs);
        const outcomes = new Map(
          accounts.flatMap(({ users: ofAccount }, index) =>
            ofAccount.map((user, at) => [user, creations[index]![at]!] as const),
          ),
        );
        return users.map((user) => outcomes.get(user)!);
      } catch (error) {
        // A user that was renamed meanwhile took a name between the look and the write: look again.
        if (!(error instanceof UniqueViolation) || attempt >= attemptsMax) throw error;
      }
    }
  }
}
