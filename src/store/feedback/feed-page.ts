// One page of what happened to a source: its entries, and the rows of the log that they show, read a slice at a time, so
// that what is in memory has a bound whatever the rows hold. Rows are nearly always small: many are read at once, and one
// that is too large comes without its values and is then read by itself (as in log-reader.ts, D-177).

import sql, { type Sql } from 'sql-template-tag';
import type { FeedCursor, FeedPlace } from '../../domain/feedback/feed-cursor.ts';
import { type Db, type Fields, type LargeAnswer, limitOf } from '../engine/db.ts';
import type { EndedChange } from './change-end.ts';
import type { ChangeKind } from './change-log.ts';
import { LogChanged } from './log-places.ts';
import {
  type LogRow,
  mayHaveExternal,
  noRows,
  type ReadableSource,
  type RowIfSmall,
  rowIfSmall,
  rowOf,
  rowSliceBytes,
  rowsAtOnce,
} from './log-reader.ts';
import { digestOf, lookupColumn } from './response-lookup.ts';

const rowBytesAtOnce = rowSliceBytes / rowsAtOnce;
/** Where digests are made on the event loop, from bodies of any size: fewer, so that others are served in between (D-924). */
const digestsAtOnce = 24;

/** Where a log ends: of the counter. */
export interface FeedEnd extends FeedPlace {
  /** Of the source's definition: every row up to the end was judged by this revision or an older one. */
  readonly revision: number;
  /** The last of the changes that are no longer kept. */
  readonly ended: EndedChange;
}

/** An entry, without the row of the log that it shows. */
export type FeedEntry =
  | { readonly kind: 'response'; readonly position: number; readonly firstSeq: number }
  | {
      readonly kind: ChangeKind;
      readonly position: number;
      readonly changeNo: number;
      /** The responses that it concerns, from the first to the last one. */
      readonly firstSeq: number;
      readonly lastSeq: number;
      readonly atMs: number;
      readonly responseId: string | null;
    };

/** A row of the log, with the digest of the response (D-250). */
export type FeedRow = LogRow & { readonly digest: string };

type FeedRowIfSmall = RowIfSmall & { readonly digest: string | null };

/** With its row, if it shows one. */
export interface ShownEntry {
  readonly entry: FeedEntry;
  readonly row: FeedRow | null;
}

export class FeedPage implements Disposable {
  readonly end: FeedEnd;
  /** Behind the last entry. */
  readonly nextCursor: FeedCursor;
  readonly hasMore: boolean;
  readonly #db: Db;
  readonly #source: ReadableSource;
  readonly #mayHaveExternal: boolean;
  #left: readonly FeedEntry[];
  /** Rows that are known to be read by themselves, so that those behind them are not asked how large they are each time. */
  readonly #large = new Set<number>();
  #slice: LargeAnswer<unknown> = noRows;
  #rows: readonly ShownEntry[] = [];

  constructor(
    db: Db,
    source: ReadableSource,
    end: FeedEnd,
    entries: readonly FeedEntry[],
    nextCursor: FeedCursor,
    hasMore: boolean,
  ) {
    this.#db = db;
    this.#source = source;
    this.#left = entries;
    this.#mayHaveExternal = mayHaveExternal(source, end);
    this.end = end;
    this.nextCursor = nextCursor;
    this.hasMore = hasMore;
  }

  /** The entries of the slice in hand. What is bytes in them must not be looked at after the next one was asked for. */
  get rows(): readonly ShownEntry[] {
    return this.#rows;
  }

  get isLast(): boolean {
    return this.#left.length === 0;
  }

  /** Reads the next slice; false when there is none. Only a server is waited for. */
  next(): boolean | Promise<boolean> {
    this[Symbol.dispose]();
    if (this.isLast) return false;
    const near = this.#left.slice(0, this.#db.dialect.hasRoundTrips ? rowsAtOnce : digestsAtOnce);
    const large = near.findIndex((entry) => this.#large.has(entry.firstSeq) && showsRow(entry));
    if (large === 0) return this.#takeLarge(near[0]!);
    const entries = large < 0 ? near : near.slice(0, large);
    const seqs = [...new Set(entries.filter(showsRow).map(({ firstSeq }) => firstSeq))].sort(
      (one, other) => one - other,
    );
    if (seqs.length === 0) return this.#take(entries, new Map());
    const answer = this.#db.readLarge(this.#query(seqs, rowBytesAtOnce), feedRowIfSmall);
    return answer instanceof Promise
      ? answer.then((slice) => this.#takeSmall(entries, seqs, slice))
      : this.#takeSmall(entries, seqs, answer);
  }

  /** Reads the first slice where it comes from a server; else the code that shows the rows reads it. */
  async readAhead(): Promise<void> {
    if (this.#db.dialect.hasRoundTrips) await this.next();
  }

  [Symbol.dispose](): void {
    this.#slice[Symbol.dispose]();
    this.#slice = noRows;
    this.#rows = [];
  }

  /** The slice ends before the first row that is too large; where that comes first, it is read by itself. */
  #takeSmall(
    entries: readonly FeedEntry[],
    seqs: readonly number[],
    slice: LargeAnswer<FeedRowIfSmall>,
  ): boolean | Promise<boolean> {
    this.#slice = slice;
    check(slice.rows, seqs);
    const rows = new Map(slice.rows.map((row) => [row.seq, row]));
    for (const { seq, values } of slice.rows) if (values === null) this.#large.add(seq);
    const large = entries.findIndex((entry) => showsRow(entry) && this.#large.has(entry.firstSeq));
    if (large !== 0)
      return this.#take(large < 0 ? entries : entries.slice(0, large), rows as Map<number, FeedRow>);
    this[Symbol.dispose]();
    return this.#takeLarge(entries[0]!);
  }

  #takeLarge(entry: FeedEntry): boolean | Promise<boolean> {
    const answer = this.#db.readLarge(this.#query([entry.firstSeq], null), feedRow);
    const take = (one: LargeAnswer<FeedRow>): boolean => {
      this.#slice = one;
      check(one.rows, [entry.firstSeq]);
      return this.#take([entry], new Map([[entry.firstSeq, one.rows[0]!]]));
    };
    return answer instanceof Promise ? answer.then(take) : take(answer);
  }

  #take(entries: readonly FeedEntry[], rows: ReadonlyMap<number, FeedRow>): boolean {
    this.#rows = entries.map((entry) => ({
      entry,
      row: showsRow(entry) ? (rows.get(entry.firstSeq) ?? null) : null,
    }));
    this.#left = this.#left.slice(entries.length);
    return true;
  }

  /** With a limit, a row whose texts are larger comes without them. */
  #query(seqs: readonly number[], bytesMax: number | null): Sql {
    const { accountId, sourceId } = this.#source;
    const [first, last] = [seqs[0]!, seqs.at(-1)!];
    const these =
      last - first === seqs.length - 1
        ? sql`response.seq between ${first} and ${last}`
        : this.#db.dialect.isAmong(sql`response.seq`, seqs, 'integer');
    // Made from the whole body, it is dearer than all else of a row: one that is read by itself later has it then.
    const digest = within(bytesMax, sql`octet_length(row_values)`, digestOf(this.#db.dialect, accountId));
    const ofSource = sql`response.account_id = ${accountId} and response.source_id = ${sourceId}`;
    if (!this.#mayHaveExternal)
      return sql`
        select seq, survey_no, response_id, submitted_at, ${within(bytesMax, sql`octet_length(row_values)`, sql`row_values`)} as row_values,
          cast(null as text) as external, ${digest} as digest
        from response
        where ${ofSource} and ${these}
        order by seq
        limit ${limitOf(seqs.length)}`;
    // What stands beside a row is looked up once, and then asked how large it is.
    return sql`
      with found as materialized (
        select response.seq, survey_no, response_id, submitted_at, row_values,
          ${lookupColumn(accountId, 'response_external', 'external')}, ${digest} as digest
        from response
        where ${ofSource} and ${these}
      )
      select seq, survey_no, response_id, submitted_at,
        ${within(bytesMax, sql`octet_length(row_values) + coalesce(octet_length(external), 0)`, sql`row_values`)} as row_values,
        ${bytesMax === null ? sql`external` : sql`case when coalesce(octet_length(external), 0) <= ${bytesMax} then external end as external`},
        digest
      from found
      order by seq
      limit ${limitOf(seqs.length)}`;
  }
}

function feedRowIfSmall(fields: Fields): FeedRowIfSmall {
  return { ...rowIfSmall(fields), digest: fields.textOrNull() };
}

function feedRow(fields: Fields): FeedRow {
  return { ...rowOf(fields), digest: fields.text() };
}

function within(bytesMax: number | null, bytes: Sql, value: Sql): Sql {
  return bytesMax === null ? value : sql`case when ${bytes} <= ${bytesMax} then ${value} end`;
}

/** An erased response shows nothing, and what concerns many would show too much. */
function showsRow({ kind }: FeedEntry): boolean {
  return kind === 'response' || kind === 'external';
}

function check(rows: readonly Pick<LogRow, 'seq'>[], seqs: readonly number[]): void {
  const isRight = rows.length === seqs.length && rows.every(({ seq }, index) => seq === seqs[index]);
  if (!isRight) throw new LogChanged();
}
