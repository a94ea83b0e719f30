// The responses of a source that meet a filter, newest first by their place in the log, a page at a time. A page ends when it is full
// or its time is over; the next one goes on where it ended, so that a walk neither loses nor repeats a response, whatever comes in
// or is erased meanwhile: places in the log never change (D-550).

import sql, { empty, type Sql } from 'sql-template-tag';
import type { DateRange } from '../../domain/dates.ts';
import type { PreparedSurvey } from '../../domain/feedback/survey.ts';
import { type Filter, filterOf } from '../../domain/insight/filter.ts';
import { RowText } from '../../domain/insight/row-text.ts';
import { type Db, limitOf } from '../engine/db.ts';
import { lookupColumn } from '../feedback/response-lookup.ts';
import type { PreparedSource, Sources } from '../feedback/sources.ts';
import type { CommentWork } from './comment-search.ts';
import { preparedVersion } from './figures-reader.ts';
import { LogStretches, type Stretch } from './log-stretches.ts';

export interface ResponseQuestion {
  /** Null for all days. */
  readonly range: DateRange | null;
  readonly filter: Filter | null;
}

export interface ResponsePage {
  /** Rows up to this one are left to be read; null for the end of the log. */
  readonly upToSeq: number | null;
  readonly limit: number;
}

export interface FoundResponse {
  readonly seq: number;
  readonly responseId: string;
  readonly submittedAtMs: number;
  readonly survey: PreparedSurvey;
}

export interface FoundResponses<T> {
  readonly responses: readonly T[];
  /** Where the next page begins; null when there are no more. */
  readonly nextSeq: number | null;
  /** False where the time was over before the page was full. */
  readonly isComplete: boolean;
  /** The end of the log when it began. */
  readonly lastSeq: number;
}

/** Of the time of a request so much is left for what follows the search. */
const reservedShare = 0.1;
/** So many rows of the days are read at once, from a stretch of so many at most. */
const rowsAtOnce = 128;
const stretchSeqs = 8_192;
/** A row of more bytes is read by itself. */
const smallRowBytes = 8_192;
/** Passing over this many rows of other days is charged like looking at one. */
const rowsPerUnit = 64;

export class ResponseSearch {
  readonly #db: Db;
  readonly #sources: Sources;

  constructor(db: Db, sources: Sources) {
    this.#db = db;
    this.#sources = sources;
  }

  /**
   * `show` makes of a row what is kept of it: the row itself is used again for the next one. Searches of one account wait for each
   * other, if many are under way.
   */
  find<T>(
    ready: PreparedSource,
    question: ResponseQuestion,
    page: ResponsePage,
    work: CommentWork,
    show: (found: FoundResponse, row: RowText) => T,
  ): Promise<FoundResponses<T>> {
    return work.scans.run(ready.source.accountId, work.budget, () =>
      this.#find(ready, question, page, work, show),
    );
  }

  async #find<T>(
    ready: PreparedSource,
    question: ResponseQuestion,
    { upToSeq, limit }: ResponsePage,
    { budget, withinMs }: CommentWork,
    show: (found: FoundResponse, row: RowText) => T,
  ): Promise<FoundResponses<T>> {
    const endsAtLeftMs = Math.max(budget.leftMs * reservedShare, budget.leftMs - withinMs);
    const { lastSeq, revision } = await this.#end(ready);
    const known = await this.#sources.atLeast(ready, revision);
    const reader = new RowReader(this.#db, known, question);
    const stretches = new LogStretches(this.#db, known.source, question.range, lastSeq);
    const responses: T[] = [];
    let lastFound = 0;
    // A store that took over without its last rows may have fewer than the cursor has seen.
    let top = Math.min(upToSeq ?? lastSeq, lastSeq);
    for (;;) {
      const stretch = await stretches.below(top);
      if (stretch === null) return { responses, nextSeq: null, isComplete: true, lastSeq };
      const read = await reader.read({
        top: stretch.top,
        bottom: Math.max(stretch.bottom, stretch.top - stretchSeqs + 1),
      });
      budget.spend(read.rows.length + Math.ceil((top - read.bottom + 1) / rowsPerUnit));
      for (const row of read.rows) {
        const found = await reader.look(row);
        if (found === null) continue;
        // One more than asked for: its presence says whether there is a next page.
        if (responses.length === limit)
          return { responses, nextSeq: lastFound - 1, isComplete: true, lastSeq };
        responses.push(show(found, reader.row));
        lastFound = found.seq;
      }
      top = read.bottom - 1;
      await budget.pause();
      if (budget.leftMs <= endsAtLeftMs && top > 0)
        return { responses, nextSeq: top, isComplete: false, lastSeq };
    }
  }

  async #end({ source: { accountId, sourceId } }: PreparedSource) {
    const [row] = await this.#db.read<{ last_seq: number; revision: number }>(sql`
      select last_seq, revision
      from log_counter
      where account_id = ${accountId} and source_id = ${sourceId}`);
    return { lastSeq: row?.last_seq ?? 0, revision: row?.revision ?? 0 };
  }
}

interface KeptRow {
  readonly seq: number;
  readonly day: number;
  readonly number: number;
  readonly id: string;
  readonly submittedAtMs: number;
  /** Null of a large row, which is read by itself. */
  readonly values: string | null;
  readonly external: string | null;
}

interface Version {
  readonly survey: PreparedSurvey;
  readonly holds: (row: RowText) => boolean;
}

class RowReader {
  /** The row that was looked at last. */
  readonly row = new RowText();
  readonly #db: Db;
  readonly #ready: PreparedSource;
  readonly #question: ResponseQuestion;
  readonly #withExternal: boolean;
  readonly #versions = new Map<number, Version>();

  constructor(db: Db, ready: PreparedSource, question: ResponseQuestion) {
    this.#db = db;
    this.#ready = ready;
    this.#question = question;
    this.#withExternal = question.filter?.conditions.some(({ property }) => property.kind === 'epp') ?? false;
  }

  /** The rows of the days in a stretch, newest first; where they are many, from the top down to `bottom`. */
  async read({
    top,
    bottom,
  }: Stretch): Promise<{ readonly rows: readonly KeptRow[]; readonly bottom: number }> {
    const { range } = this.#question;
    const days = range === null ? empty : sql`and day between ${range.firstDay} and ${range.lastDay}`;
    const values = sql`case when octet_length(row_values) <= ${smallRowBytes} then row_values end`;
    const rows = await this.#db.read<KeptRow>(
      this.#query(sql`seq between ${bottom} and ${top} ${days}`, values),
    );
    return { rows, bottom: rows.length === rowsAtOnce ? rows.at(-1)!.seq : bottom };
  }

  /** Null for a response that is not meant. */
  async look({ seq, day, number, id, submittedAtMs, ...kept }: KeptRow): Promise<FoundResponse | null> {
    const { survey, holds } = this.#version(number);
    const values = kept.values ?? (await this.#largeValues(seq));
    if (values === null) return null;
    this.row.take(survey, day, values, kept.external);
    return holds(this.row) ? { seq, responseId: id, submittedAtMs, survey } : null;
  }

  async #largeValues(seq: number): Promise<string | null> {
    const [row] = await this.#db.read<KeptRow>(this.#query(sql`seq = ${seq}`, sql`row_values`));
    return row?.values ?? null;
  }

  #query(which: Sql, values: Sql): Sql {
    const { accountId, sourceId } = this.#ready.source;
    const external = this.#withExternal
      ? lookupColumn(accountId, 'response_external', 'external')
      : sql`cast(null as text) as external`;
    return sql`
      select seq, day, survey_no as number, response_id as id, submitted_at as "submittedAtMs", ${values} as "values",
        ${external}
      from response
      where account_id = ${accountId} and source_id = ${sourceId} and ${which}
      order by seq desc
      limit ${limitOf(rowsAtOnce)}`;
  }

  #version(number: number): Version {
    let version = this.#versions.get(number);
    if (version === undefined) {
      const survey = preparedVersion(this.#ready, number);
      version = { survey, holds: filterOf(this.#question.filter, survey) };
      this.#versions.set(number, version);
    }
    return version;
  }
}
