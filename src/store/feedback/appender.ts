// Keeps responses by group commit: many of many accounts in one append, each answered after its own commit.

import type { AppendItem } from '../../domain/feedback/judged-draft.ts';
import { type Db, UniqueViolation } from '../engine/db.ts';
import { type BatchOrder, GroupCommit } from '../engine/group-commit.ts';
import { type AppendOutcome, appendResponses, type BatchOutcome } from './log.ts';
import { newMark } from './log-history.ts';

const batchMax = 512;
const attemptsMax = 10;

export class LogAppender {
  readonly #db: Db;
  readonly #commits: GroupCommit<AppendItem, AppendOutcome>;

  constructor(db: Db, onTriedApart: (error: unknown) => void = () => {}) {
    this.#db = db;
    this.#commits = new GroupCommit<AppendItem, AppendOutcome>(db, {
      accountOf: ({ accountId }) => accountId,
      // Close enough: it is kept twice, as it was sent and as values, which are hardly ever longer.
      bytesOf: ({ body }) => 2 * body.length,
      write: (items, order) => this.#write(items, order),
      // An id that is there already is found, whoever kept it.
      isRepeatable: true,
      batchMax,
      onTriedApart,
    });
  }

  append(item: AppendItem): Promise<AppendOutcome> {
    return this.#commits.add(item);
  }

  get waiting(): number {
    return this.#commits.waiting;
  }

  /**
   * An id that was free when it was asked for and taken when it was written: another process kept it meanwhile under
   * another source, or it is our own, committed by an attempt whose answer was lost. It is there by now, so the append
   * is made again, and this time it is asked for every id, our own fresh ones too.
   */
  async #write(
    items: readonly AppendItem[],
    { mayWait, withinMs }: BatchOrder,
  ): Promise<readonly BatchOutcome[]> {
    let asked = items;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const isQuick = attempt === 1 && !mayWait;
        const input = { items: asked, mark: newMark(), mayWait, isQuick };
        const outcomes = await this.#db.write(appendResponses, input, withinMs);
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
}
