// Keeps responses by group commit: many of many accounts in one append, each answered after its own commit.
//
// A commit waits for a disk, which takes as long for one response as for five hundred. So responses that arrive while an
// append is under way are gathered, and the next append takes them all (group-commit.ts has the queue, its bounds, and
// what happens to a batch that fails). What is special to responses stands here: what to do when a response id that was
// free a moment ago is taken when it is written, and that an append may always be made again, because a response that is
// kept already is recognised by its id.
//
// On PostgreSQL the first attempt is one call to a function that commits by itself (quick-append.ts). It takes nearly
// every batch; what it leaves goes the long way, statement by statement (log.ts).

import type { AppendItem } from '../../domain/feedback/judged-draft.ts';
import { type Db, UniqueViolation } from '../engine/db.ts';
import { type AttemptLimits, GroupCommit } from '../engine/work/group-commit.ts';
import { type AppendOutcome, appendResponses, type BatchOutcome } from './log.ts';
import { newMark } from './log-history.ts';
import { rollUpQueue } from './roll-up-queue.ts';

const batchMax = 512;
const attemptsMax = 10;

export class LogAppender extends GroupCommit<AppendItem, AppendOutcome> {
  constructor(db: Db, onBatchSplit: (error: unknown) => void = () => {}) {
    super(db, { batchMax, isRepeatable: true }, onBatchSplit);
  }

  /** Close enough: it is kept twice, as it was sent and as values, which are hardly ever longer. */
  protected override bytesOf({ body }: AppendItem): number {
    return 2 * body.length;
  }

  /**
   * An id that was free when it was asked for and taken when it was written: another process kept it meanwhile under
   * another source, or it is our own, committed by an attempt whose answer was lost. It is there by now, so the append
   * is made again, and this time it is asked for every id, our own fresh ones too.
   */
  protected override async write(
    items: readonly AppendItem[],
    { mayWait, ...limits }: AttemptLimits,
  ): Promise<readonly BatchOutcome[]> {
    let asked = items;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const isQuick = attempt === 1 && (!mayWait || this.db.dialect.isSpread);
        const input = { items: asked, mark: newMark(), mayWait, isQuick };
        const outcomes = await this.db.write(appendResponses, input, limits);
        queueForRollUp(this.db, asked, outcomes);
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

function queueForRollUp(db: Db, items: readonly AppendItem[], outcomes: readonly BatchOutcome[]): void {
  const queue = rollUpQueue(db);
  let first = 0;
  let kept = 0;
  // Those of one source mostly follow each other.
  for (let at = 0; at < items.length; at += 1) {
    const item = items[at]!;
    if (item.sourceId !== items[first]!.sourceId || item.accountId !== items[first]!.accountId) {
      if (kept > 0) queue.add(items[first]!, kept);
      first = at;
      kept = 0;
    }
    if (outcomes[at] === 'kept') kept += 1;
  }
  if (kept > 0) queue.add(items[first]!, kept);
}
