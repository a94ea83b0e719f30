// Where the rows of a range of days may stand in a log, for those who read it from its end: the index of blocks says between which
// days the rows of a full block lie, so that whole groups of blocks are passed over.

import sql from 'sql-template-tag';
import type { DateRange } from '../../domain/dates.ts';
import { blockSize } from '../../domain/feedback/block.ts';
import type { SourceKey } from '../../domain/feedback/source-key.ts';
import type { Db } from '../engine/db.ts';

/** Rows from `bottom` to `top` of the log. */
export interface Stretch {
  readonly top: number;
  readonly bottom: number;
}

const blocksAtOnce = 4_096;

export class LogStretches {
  readonly #db: Db;
  readonly #source: SourceKey;
  readonly #range: DateRange | null;
  readonly #lastSeq: number;
  /** By groups of blocks: the first and the last block that may have rows of the days. */
  readonly #blocksOfDays = new Map<number, readonly [number, number] | null>();

  constructor(db: Db, source: SourceKey, range: DateRange | null, lastSeq: number) {
    this.#db = db;
    this.#source = source;
    this.#range = range;
    this.#lastSeq = lastSeq;
  }

  /** The rows at and below one of them that may be of the days, as far as they lie together; null when there are none. */
  async below(top: number): Promise<Stretch | null> {
    if (top < 1) return null;
    if (this.#range === null) return { top, bottom: 1 };
    const fullBlocks = Math.floor(this.#lastSeq / blockSize);
    for (let highest = top; highest > 0; ) {
      const block = Math.floor((highest - 1) / blockSize);
      if (block >= fullBlocks) return { top: highest, bottom: fullBlocks * blockSize + 1 };
      const group = Math.floor(block / blocksAtOnce);
      const blocks = await this.#blocksWithDays(group, this.#range);
      const below = group * blocksAtOnce * blockSize;
      if (blocks === null || blocks[0] * blockSize >= highest) {
        highest = below;
        continue;
      }
      const [first, last] = blocks;
      return { top: Math.min(highest, (last + 1) * blockSize), bottom: first * blockSize + 1 };
    }
    return null;
  }

  async #blocksWithDays(group: number, { firstDay, lastDay }: DateRange) {
    const known = this.#blocksOfDays.get(group);
    if (known !== undefined) return known;
    const { accountId, sourceId } = this.#source;
    const first = group * blocksAtOnce;
    const these = sql`
      from log_block
      where account_id = ${accountId} and source_id = ${sourceId}
        and block >= ${first} and block < ${first + blocksAtOnce}
        and day_max >= ${firstDay} and day_min <= ${lastDay}`;
    // From either end, and not through all that lies between: most ask for days that begin or end where the log does.
    const [row] = await this.#db.read<{ first: number | null; last: number | null }>(sql`
      select (select block ${these} order by block limit 1) as first,
        (select block ${these} order by block desc limit 1) as last`);
    const blocks =
      row === undefined || row.first === null || row.last === null ? null : ([row.first, row.last] as const);
    this.#blocksOfDays.set(group, blocks);
    return blocks;
  }
}
