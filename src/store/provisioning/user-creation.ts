// Creating users when many are created at once. Every create of an account holds its counter row to the commit, so that
// each would wait for the disk once more; by group commit they share it.

import type { User } from '../../domain/provisioning/user.ts';
import type { ChangeStamp } from '../engine/audit.ts';
import { againIfTaken, type Db, UniqueViolation, type WaitLimits } from '../engine/db.ts';
import { type AttemptLimits, GroupCommit, heldUp } from '../engine/work/group-commit.ts';
import { type Creation, createUsers, type NewUser, type UsersOfAccount } from './new-users.ts';
import { createUsersQuickly, longWay, type QuickOutcome } from './quick-creation.ts';
import { taken } from './user-clashes.ts';
import { recordOf } from './user-record.ts';

const batchMax = 256;

interface NewUserOfAccount extends NewUser {
  readonly accountId: number;
}

export class UserCreation extends GroupCommit<NewUserOfAccount, Creation> {
  constructor(db: Db, onBatchSplit: (error: unknown) => void = () => {}) {
    // A user that was kept by a commit whose answer was lost would be refused as one whose name is taken.
    super(db, { batchMax, isRepeatable: false }, onBatchSplit);
  }

  /** The keys repeat what is in the profile. */
  protected override bytesOf({ profile }: NewUserOfAccount): number {
    return 2 * profile.length;
  }

  /** The user as it is kept, with its own id in place of the one it was tried with. */
  async create(user: User, stamp: ChangeStamp & Pick<NewUser, 'connectionId'>): Promise<User> {
    const { accountId } = user;
    const creation = await this.add({ ...recordOf(user), ...stamp, accountId });
    if ('taken' in creation) throw taken(creation.taken);
    return { ...user, id: creation.id };
  }

  protected override async write(
    users: readonly NewUserOfAccount[],
    { mayWait, ...limits }: AttemptLimits,
  ): Promise<readonly (Creation | typeof heldUp)[]> {
    const byAccount = Map.groupBy(users, ({ accountId }) => accountId);
    const accounts = [...byAccount].map(([accountId, ofAccount]) => ({ accountId, users: ofAccount }));
    const endsAtMs = performance.now() + limits.inAllMs;
    // The function takes users of many accounts; there is none for the worker of an account.
    const { hasWholeWrites, isSpread } = this.db.dialect;
    const isQuick = hasWholeWrites && !isSpread && !mayWait;
    const outcomes = isQuick ? await this.#writeQuickly(accounts, limits) : accounts.map(() => longWay);
    const isAnyKept = outcomes.some(Array.isArray);
    const left = accounts.filter((_, index) => outcomes[index] === longWay);
    // What is kept is answered now, and must not share the failure of others: those take the long way by themselves.
    const creations =
      isAnyKept || left.length === 0
        ? []
        : await this.#writeSlowly(left, mayWait, {
            ...limits,
            inAllMs: Math.max(1, endsAtMs - performance.now()),
          });
    const byUser = new Map<NewUser, Creation | typeof heldUp>();
    for (const [index, account] of accounts.entries()) {
      const outcome = outcomes[index]!;
      const ofUsers = Array.isArray(outcome) ? outcome : creations[left.indexOf(account)];
      for (const [at, user] of account.users.entries()) byUser.set(user, ofUsers?.[at] ?? heldUp);
    }
    return users.map((user) => byUser.get(user)!);
  }

  /** A name that was taken while the statement was on its way: nothing of it is kept. */
  async #writeQuickly(
    accounts: readonly UsersOfAccount[],
    limits: WaitLimits,
  ): Promise<readonly QuickOutcome[]> {
    try {
      return await this.db.write(createUsersQuickly, { accounts }, limits);
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      return accounts.map(() => longWay);
    }
  }

  #writeSlowly(
    accounts: readonly UsersOfAccount[],
    mayWait: boolean,
    limits: WaitLimits,
  ): Promise<readonly (readonly (Creation | typeof heldUp)[])[]> {
    return againIfTaken(() => this.db.write(createUsers, { accounts, mayWait }, limits));
  }
}
