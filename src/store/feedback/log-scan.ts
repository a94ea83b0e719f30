// Reading all rows of a range, page by page, as they were counted when the reading began. The log only grows at its end,
// so a position says which rows there were: no transaction and no connection is held while whoever takes the rows is slow.
// Rows that are erased meanwhile are read as erased.

import type { DateRange } from '../../domain/dates.ts';
import { LogChanged, type LogPlaces, type LogSnapshot, type SourceId } from './log-places.ts';
import type { LogPage, RangeFacts } from './log-reader.ts';

/** Which rows of the range, by their positions in the log. */
export interface ScanBounds {
  /** Rows behind this position. */
  readonly after: number;
  /** Rows up to this position; null for the end of the log. */
  readonly until: number | null;
}

interface ScannedLog {
  readonly places: LogPlaces;
  readonly source: SourceId;
  readonly range: DateRange;
  readonly snapshot: LogSnapshot;
  readonly lastSeq: number;
}

export class LogScan {
  readonly facts: RangeFacts;
  /** How many rows it has. */
  readonly total: number;
  /** The last position of the log when it began, or the one that was asked for where that is smaller. */
  readonly endSeq: number;
  readonly #log: ScannedLog;
  readonly #skip: number;
  readonly #pageOf: (seqs: readonly number[]) => Promise<LogPage>;

  static async begin(
    log: ScannedLog,
    facts: RangeFacts,
    { after, until }: ScanBounds,
    pageOf: (seqs: readonly number[]) => Promise<LogPage>,
  ): Promise<LogScan> {
    const { places, source, range, snapshot, lastSeq } = log;
    const countUpTo = (seq: number): Promise<number> =>
      places.countUpTo(source, snapshot, lastSeq, range, seq);
    const endSeq = Math.min(until ?? lastSeq, lastSeq);
    const upToEnd = endSeq === lastSeq ? facts.total : await countUpTo(endSeq);
    const skip = after === 0 ? 0 : await countUpTo(Math.min(after, endSeq));
    return new LogScan(log, facts, skip, upToEnd - skip, endSeq, pageOf);
  }

  private constructor(
    log: ScannedLog,
    facts: RangeFacts,
    skip: number,
    total: number,
    endSeq: number,
    pageOf: (seqs: readonly number[]) => Promise<LogPage>,
  ) {
    this.facts = facts;
    this.total = total;
    this.endSeq = endSeq;
    this.#log = log;
    this.#skip = skip;
    this.#pageOf = pageOf;
  }

  /** The last position of the log when it began. */
  get lastSeq(): number {
    return this.#log.lastSeq;
  }

  /**
   * Some of its rows, of which none is read yet. Where the store has lost rows since it began (a standby took over without
   * them), their numbers are those of other rows, and the reading fails rather than mix the two.
   */
  async page(skip: number, take: number): Promise<LogPage> {
    const { places, source, range, snapshot, lastSeq } = this.#log;
    if (!(await places.hasStill(source, snapshot))) throw new LogChanged();
    const seqs = await places.locate(source, snapshot, lastSeq, range, this.#skip + skip, take);
    if (seqs.length !== take) throw new LogChanged();
    return this.#pageOf(seqs);
  }
}
