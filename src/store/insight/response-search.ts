// The responses of a source that meet a filter, newest first by their place in the log, a page at a time. A page ends when it is full
// or its time is over; the next one goes on where it ended, so that a walk neither loses nor repeats a response, whatever comes in
// or is erased meanwhile: places in the log never change (D-550).

import sql, { empty } from 'sql-template-tag';
import type { DateRange } from '../../domain/dates.ts';
import type { PreparedSurvey } from '../../domain/feedback/survey.ts';
import type { Filter } from '../../domain/insight/filter.ts';
import { RowText } from '../../domain/insight/row-text.ts';
import type { Db } from '../engine/db.ts';
import { isOver } from '../engine/work/work-budget.ts';
import type { PreparedSource, Sources } from '../feedback/sources.ts';
import type { CommentWork } from './comment-search.ts';
import { endOfLog, type KeptRow, KeptRows } from './kept-rows.ts';
import { LogStretches, type Stretch } from './log-stretches.ts';

interface ResponseQuestion {
  /** Null for all days. */
  readonly range: DateRange | null;
  readonly filter: Filter | null;
}

interface ResponsePage {
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

interface FoundResponses<T> {
  readonly responses: readonly T[];
  /** Where the next page begins; null when there are no more. */
  readonly nextSeq: number | null;
  /** False where the time was over before the page was full. */
  readonly isComplete: boolean;
  /** The end of the log when it began. */
  readonly lastSeq: number;
}

/** So many rows of the days are read at once, from a stretch of so many at most. */
const rowsAtOnce = 128;
const stretchSeqs = 8_192;
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
    const part = budget.part(withinMs);
    const { lastSeq, revision } = await endOfLog(this.#db, ready);
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
      if (top <= 0) continue;
      // Before the pause, for which all of the time may be too late: then what was found would be lost.
      if (isOver(part)) return { responses, nextSeq: top, isComplete: false, lastSeq };
      await budget.pause();
    }
  }
}

class RowReader {
  /** The row that was looked at last. */
  readonly row = new RowText();
  readonly #rows: KeptRows;
  readonly #question: ResponseQuestion;

  constructor(db: Db, ready: PreparedSource, question: ResponseQuestion) {
    this.#rows = new KeptRows(db, ready, question.filter);
    this.#question = question;
  }

  /** The rows of the days in a stretch, newest first; where they are many, from the top down to `bottom`. */
  async read({
    top,
    bottom,
  }: Stretch): Promise<{ readonly rows: readonly KeptRow[]; readonly bottom: number }> {
    const { range } = this.#question;
    const days = range === null ? empty : sql`and day between ${range.firstDay} and ${range.lastDay}`;
    const rows = await this.#rows.read(sql`seq between ${bottom} and ${top} ${days}`, rowsAtOnce);
    return { rows, bottom: rows.length === rowsAtOnce ? rows.at(-1)!.seq : bottom };
  }

  /** Null for a response that is not meant. */
  async look(kept: KeptRow): Promise<FoundResponse | null> {
    const { seq, day, id, submittedAtMs, external } = kept;
    const { survey, holds } = this.#rows.version(kept);
    const values = await this.#rows.valuesOf(kept);
    if (values === null) return null;
    this.row.take(survey, day, values, external);
    return holds(this.row) ? { seq, responseId: id, submittedAtMs, survey } : null;
  }
}
