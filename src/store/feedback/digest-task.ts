// Works out the digests of the responses that were there before there were digests (D-252). It goes from account to
// account and from source to source. The digests of a log say themselves how far they have come, and are moved on from
// there by whoever is first; so the cursor of the task only tells which sources need not be looked at any more.

import { setImmediate } from 'node:timers/promises';
import sql, { raw } from 'sql-template-tag';
import { blockSize } from '../../domain/feedback/block.ts';
import type { SourceKey } from '../../domain/feedback/source-key.ts';
import type { Db } from '../engine/db.ts';
import { type BackgroundTask, moveOf, moveTaskAlone } from '../engine/work/background-task.ts';
import { advanceDigests } from './day-digests.ts';

const accountsAtOnce = 100;
/** Some blocks each: a step should take some ten milliseconds, and a small source is done with less. */
const slicesAtOnce = 4;

const beginning: SourceKey = { accountId: 0, sourceId: 0 };

export const digestTask: BackgroundTask = {
  name: 'digests',
  about: 'makes the digests that older responses lack',
  ends: true,
  async step({ db, now }, at) {
    const place = at.cursor === '' ? beginning : (JSON.parse(at.cursor) as SourceKey);
    const { behind, next } = await sourceBehind(db, place);
    if (behind !== null)
      for (let slice = 0; slice < slicesAtOnce; slice += 1) {
        const { digestedSeq, fullSeq } = await advanceDigests(db, behind, () => setImmediate());
        if (digestedSeq >= fullSeq) break;
      }
    const isDone = behind === null && next === null;
    const cursor = JSON.stringify(behind ?? next ?? place);
    // While it works on one source there is nothing to move.
    if (!isDone && cursor === at.cursor) return 'moved';
    const isMoved = await db.write(moveTaskAlone, moveOf(at, cursor, now(), isDone));
    return !isMoved ? 'lost' : isDone ? 'done' : 'moved';
  },
};

interface Found {
  /** A source whose digests lack a full block. */
  readonly behind: SourceKey | null;
  /** From where to look on where none was found; null when everything was looked at. */
  readonly next: SourceKey | null;
}

/** The first source from a place on whose digests are behind, among some accounts. */
async function sourceBehind(db: Db, { accountId: first, sourceId }: SourceKey): Promise<Found> {
  const accounts = await db.read<{ id: number }>(sql`
    select id from account where id >= ${first} order by id limit ${accountsAtOnce}`);
  for (const { id } of accounts) {
    const after = id === first ? sourceId : 0;
    // SQLite's driver binds numbers as floating-point ones, and a division by such a parameter is no whole number.
    const [row] = await db.read<{ source_id: number }>(sql`
      select source_id
      from log_counter
      where account_id = ${id} and source_id >= ${after}
        and last_seq / ${raw(String(blockSize))} > digested_seq / ${raw(String(blockSize))}
      order by source_id
      limit 1`);
    if (row !== undefined) return { behind: { accountId: id, sourceId: row.source_id }, next: null };
  }
  const last = accounts.at(-1);
  const isEnd = accounts.length < accountsAtOnce;
  return { behind: null, next: isEnd ? null : { accountId: last!.id + 1, sourceId: 0 } };
}
