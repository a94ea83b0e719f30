// Reads the rows of a range of days, newest days first, slice by slice, and hands each to whoever adds them up. It can end after any
// slice, and knows then of which days it has seen all.
//
// The log is in the order of arrival, and a response may be of any day. The index of blocks says for each full block between which
// days its rows lie: blocks outside of the range are passed over, and the others are read in the order of their last day. So all
// days behind the last day of the next block have been seen. Behind the last full block stand a few rows, which are read first.

import sql, { empty, type Sql } from 'sql-template-tag';
import type { DateRange } from '../../domain/dates.ts';
import { blockSize } from '../../domain/feedback/block.ts';
import { type Db, type Fields, limitOf } from '../engine/db.ts';
import { LogChanged, type SourceId } from '../feedback/log-places.ts';
import { lookupColumn } from '../feedback/response-lookup.ts';

export interface SweptRow {
  readonly day: number;
  readonly surveyNumber: number;
  /** Null of a large row, which is read by itself when its turn comes (`large`). */
  readonly values: string | null;
  readonly external: string | null;
  /** Of a large row: its number. */
  readonly seq?: number;
}

interface SweepRequest {
  readonly source: SourceId;
  readonly range: DateRange;
  /** Whether the external parameters beside the rows are read too, which takes as long again. */
  readonly withExternal: boolean;
  /** No row behind this one is read, where it is given. */
  readonly untilSeq: number | null;
}

const indexedBlocksAtOnce = 4_096;
/** A row of more bytes is read by itself, so that a slice has a bound in bytes. */
const smallRowBytes = 8_192;

/** Rows that are being read. */
interface Slice {
  readonly dayMax: number;
  readonly count: number;
  readonly rows: Promise<readonly SweptRow[]>;
}

interface BlockRow {
  readonly block: number;
  readonly dayMin: number;
  readonly dayMax: number;
}

export class LogSweep {
  readonly #db: Db;
  readonly #request: SweepRequest;
  readonly #blocksAtOnce: number;
  readonly #readsAhead: boolean;
  #ahead: Slice | null = null;
  readonly #rowOf: (fields: Fields) => SweptRow;
  #blocks: BlockRow[] = [];
  /** Blocks from here on are not in the index that was read yet; null before the first look. */
  #indexedTo: number | null = null;
  #isTailRead = false;
  #lastSeq = 0;
  #revision = 0;
  #changeNo = 0;
  #scanned = 0;

  constructor(db: Db, request: SweepRequest) {
    this.#db = db;
    this.#request = request;
    this.#rowOf = request.withExternal ? rowWithExternal : plainRow;
    // Where a statement costs a round trip, it reads more; and the next slice while the one before is looked at.
    this.#blocksAtOnce = db.dialect.hasRoundTrips ? 8 : 4;
    this.#readsAhead = db.dialect.hasRoundTrips;
  }

  /** The end of the log when it began, or the row that was asked for: no row behind it is read. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Of the definition: every row was judged by this one or an older one. */
  get revision(): number {
    return this.#revision;
  }

  /** Of the last change of rows that are there: an erasure, or external parameters. */
  get changeNo(): number {
    return this.#changeNo;
  }

  /** How many rows were looked at. */
  get scanned(): number {
    return this.#scanned;
  }

  /** All rows of the range that are of a day behind this one were handed over. */
  get lastOpenDay(): number {
    const { firstDay, lastDay } = this.#request.range;
    if (!this.#isTailRead || this.#indexedTo !== 0) return lastDay;
    const next = this.#ahead ?? this.#blocks.at(-1);
    return next === undefined ? firstDay - 1 : Math.min(lastDay, next.dayMax);
  }

  async begin(): Promise<void> {
    const { accountId, sourceId } = this.#request.source;
    const [row] = await this.#db.read<{ last_seq: number; revision: number; change_no: number }>(sql`
      select last_seq, revision, change_no
      from log_counter
      where account_id = ${accountId} and source_id = ${sourceId}`);
    this.#lastSeq = Math.min(row?.last_seq ?? 0, this.#request.untilSeq ?? Number.POSITIVE_INFINITY);
    this.#revision = row?.revision ?? 0;
    this.#changeNo = row?.change_no ?? 0;
  }

  /** The id of a response; null where there is none. */
  async idAt(seq: number): Promise<string | null> {
    const { accountId, sourceId } = this.#request.source;
    const [row] = await this.#db.read<{ id: string }>(sql`
      select response_id as id
      from response
      where account_id = ${accountId} and source_id = ${sourceId} and seq = ${seq}`);
    return row?.id ?? null;
  }

  /** The rows behind one, in the place of all: for who has added up those before. */
  async behind(seq: number): Promise<readonly SweptRow[]> {
    this.#isTailRead = true;
    this.#indexedTo = 0;
    this.#scanned += this.#lastSeq - seq;
    return this.#rows(seq, this.#lastSeq);
  }

  /** The rows of one more slice that lie in the range; null when there are no more. */
  async next(): Promise<readonly SweptRow[] | null> {
    const fullBlocks = Math.floor(this.#lastSeq / blockSize);
    this.#indexedTo ??= fullBlocks;
    if (!this.#isTailRead) {
      this.#isTailRead = true;
      const rows = await this.#rows(fullBlocks * blockSize, this.#lastSeq);
      this.#scanned += this.#lastSeq - fullBlocks * blockSize;
      return rows;
    }
    if (this.#indexedTo > 0) {
      await this.#readIndex(this.#indexedTo);
      return [];
    }
    const slice = this.#ahead ?? this.#beginSlice();
    this.#ahead = null;
    if (slice === null) return null;
    const rows = await slice.rows;
    this.#scanned += slice.count;
    if (this.#readsAhead) this.#ahead = this.#beginSlice();
    return rows;
  }

  /** Null when there are no more. */
  #beginSlice(): Slice | null {
    const last = this.#blocks.pop();
    if (last === undefined) return null;
    // Blocks of one day stand behind each other, so that mostly one statement reads several.
    let first = last.block;
    while (last.block - first + 1 < this.#blocksAtOnce && this.#blocks.at(-1)?.block === first - 1)
      first = this.#blocks.pop()!.block;
    const rows = this.#rows(first * blockSize, (last.block + 1) * blockSize);
    // Whoever waits for it is told of a failure; a scan that has ended by then is not.
    rows.catch(() => {});
    return { dayMax: last.dayMax, count: (last.block - first + 1) * blockSize, rows };
  }

  /** Some thousand blocks more; when all are there, they are put in the order in which they are read. */
  async #readIndex(end: number): Promise<void> {
    const { source, range } = this.#request;
    const first = Math.max(0, end - indexedBlocksAtOnce);
    const rows = await this.#db.read<BlockRow>(sql`
      select block, day_min as "dayMin", day_max as "dayMax"
      from log_block
      where account_id = ${source.accountId} and source_id = ${source.sourceId} and block >= ${first} and block < ${end}
        and day_max >= ${range.firstDay} and day_min <= ${range.lastDay}
      order by block
      limit ${limitOf(indexedBlocksAtOnce)}`);
    this.#blocks.push(...rows);
    this.#indexedTo = first;
    if (first === 0) this.#blocks.sort((one, other) => one.dayMax - other.dayMax || one.block - other.block);
  }

  async #rows(afterSeq: number, lastSeq: number): Promise<readonly SweptRow[]> {
    if (lastSeq <= afterSeq) return [];
    const { firstDay, lastDay } = this.#request.range;
    const values = sql`case when octet_length(row_values) <= ${smallRowBytes} then row_values end`;
    using read = await this.#db.readLarge(
      this.#query(sql`seq > ${afterSeq} and seq <= ${lastSeq}`, values),
      this.#rowOf,
    );
    // A standby that took over may lack the last rows.
    if (read.rows.length !== lastSeq - afterSeq) throw new LogChanged();
    const rows: SweptRow[] = [];
    for (const [index, row] of read.rows.entries()) {
      if (row.day < firstDay || row.day > lastDay) continue;
      // The log is dense, so the place of a row says its number.
      rows.push(row.values === null ? { ...row, seq: afterSeq + 1 + index } : row);
    }
    return rows;
  }

  /** The values of a large row. */
  async large({ seq }: SweptRow): Promise<string> {
    if (seq === undefined) throw new Error('The row is not a large one.');
    using read = await this.#db.readLarge(this.#query(sql`seq = ${seq}`, sql`row_values`), this.#rowOf);
    const values = read.rows[0]?.values ?? null;
    if (values === null) throw new LogChanged();
    return values;
  }

  #query(which: Sql, values: Sql): Sql {
    const { source, withExternal } = this.#request;
    const external = withExternal
      ? sql`, ${lookupColumn(source.accountId, 'response_external', 'external')}`
      : empty;
    return sql`
      select day, survey_no, ${values} as row_values ${external}
      from response
      where account_id = ${source.accountId} and source_id = ${source.sourceId} and ${which}
      order by seq`;
  }
}

function plainRow(fields: Fields): SweptRow {
  return {
    day: fields.integer(),
    surveyNumber: fields.integer(),
    values: fields.textOrNull(),
    external: null,
  };
}

function rowWithExternal(fields: Fields): SweptRow {
  return { ...plainRow(fields), external: fields.textOrNull() };
}
