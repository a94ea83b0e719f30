// Searches the comments of a source, newest first by their place in the log, and ends when the page is full or the time is over.
// Whatever the index leads to is read from the log itself and compared there: so a response that was just sent is found at once, and
// nothing is shown of one that was erased a moment ago (D-501).

import sql from 'sql-template-tag';
import type { PreparedSurvey } from '../../domain/feedback/survey.ts';
import { foldInSlices } from '../../domain/fold.ts';
import type { CommentPlace } from '../../domain/insight/comment-cursor.ts';
import type { Filter } from '../../domain/insight/filter.ts';
import { RowText, textsOfPiece } from '../../domain/insight/row-text.ts';
import type { Interruptible } from '../../domain/interruptible.ts';
import type { Db } from '../engine/db.ts';
import type { SearchWork } from '../engine/work/scan-slots.ts';
import { isOver, type WorkBudget } from '../engine/work/work-budget.ts';
import type { PreparedSource, Sources } from '../feedback/sources.ts';
import { CommentCandidates, type CommentConditions } from './comment-candidates.ts';
import { endOfLog, type KeptRow, KeptRows } from './kept-rows.ts';

export interface CommentQuestion extends CommentConditions {
  readonly filter: Filter | null;
}

interface CommentPage {
  /** Where to begin; null for the newest. */
  readonly after: CommentPlace | null;
  readonly limit: number;
}

export interface CommentWork extends SearchWork {
  /** What the caller wants to wait at most; never more than the budget has. */
  readonly withinMs: number;
}

export interface FoundComment {
  readonly seq: number;
  readonly responseId: string;
  readonly submittedAtMs: number;
  readonly survey: PreparedSurvey;
  /** The first line of the row: the scores of a measure, or the members of a project entry. */
  readonly head: string;
  readonly question: number;
  readonly questionId: string;
  readonly text: string;
}

interface FoundComments {
  readonly comments: readonly FoundComment[];
  /** Null when there are no more. */
  readonly next: CommentPlace | null;
  /** False where the time was over before the page was full. */
  readonly isComplete: boolean;
  /** The end of the log when it began. */
  readonly lastSeq: number;
}

const rowsAtOnce = 64;
const rowsAtOnceMin = 8;
/** A page ends behind the comment with which it has so many characters. */
const pageTextLength = 1024 * 1024;
/** Looking at this many rows of the log without reading them is charged like one. */
const rowsPerUnit = 64;

export class CommentSearch {
  readonly #db: Db;
  readonly #sources: Sources;

  constructor(db: Db, sources: Sources) {
    this.#db = db;
    this.#sources = sources;
  }

  /** Searches of one account wait for each other, if many are under way. */
  find(
    ready: PreparedSource,
    question: CommentQuestion,
    page: CommentPage,
    work: CommentWork,
  ): Promise<FoundComments> {
    return work.scans.run(ready.source.accountId, work.budget, () => this.#find(ready, question, page, work));
  }

  async #find(
    ready: PreparedSource,
    question: CommentQuestion,
    { after, limit }: CommentPage,
    { budget, withinMs }: CommentWork,
  ): Promise<FoundComments> {
    const part = budget.part(withinMs);
    const { lastSeq, revision } = await endOfLog(this.#db, ready);
    const known = await this.#sources.atLeast(ready, revision);
    const reader = new CommentReader(this.#db, known, question);
    const candidates = new CommentCandidates(this.#db, known.source, question, lastSeq, limit + 1);
    // One more than asked for: its presence says whether there is a next page.
    const comments: FoundComment[] = [];
    const found = (next: CommentPlace | null, isComplete: boolean): FoundComments => ({
      comments,
      next,
      isComplete,
      lastSeq,
    });
    const atOnce = Math.min(rowsAtOnce, Math.max(rowsAtOnceMin, limit + 1));
    let textLength = 0;
    let place: CommentPlace = after ?? { seq: lastSeq, question: -1 };
    // A store that took over without its last rows may have fewer than the cursor has seen.
    if (place.seq > lastSeq) place = { seq: lastSeq, question: -1 };
    for (;;) {
      const stretch = await candidates.next(place.seq);
      if (stretch === null) return found(null, true);
      budget.spend(Math.ceil((place.seq - stretch.bottom + 1) / rowsPerUnit));
      for (let at = 0; at < stretch.seqs.length; at += atOnce) {
        const seqs = stretch.seqs.slice(at, at + atOnce);
        budget.spend(seqs.length);
        for (const comment of await reader.read(seqs, place, budget)) {
          const isFull = comments.length === limit || textLength > pageTextLength;
          if (isFull) {
            const { seq, question: last } = comments.at(-1)!;
            return found({ seq, question: last }, true);
          }
          comments.push(comment);
          textLength += comment.text.length;
        }
        place = { seq: seqs.at(-1)! - 1, question: -1 };
        // Before the pause, for which all of the time may be too late: then what was found would be lost.
        if (isOver(part)) return found(place, false);
        await budget.pause();
      }
      if (stretch.bottom <= place.seq) place = { seq: stretch.bottom - 1, question: -1 };
      if (place.seq <= 0) continue;
      if (isOver(part)) return found(place, false);
      await budget.pause();
    }
  }
}

/** Reads rows of the log and takes from them the comments that are meant. */
class CommentReader {
  readonly #db: Db;
  readonly #rows: KeptRows;
  readonly #question: CommentQuestion;
  readonly #row = new RowText();

  constructor(db: Db, ready: PreparedSource, question: CommentQuestion) {
    this.#db = db;
    this.#rows = new KeptRows(db, ready, question.filter);
    this.#question = question;
  }

  /** Of these rows, newest first; of the row of the place only the comments behind it. */
  async read(
    seqs: readonly number[],
    place: CommentPlace,
    budget: WorkBudget,
  ): Promise<readonly FoundComment[]> {
    const among = this.#db.dialect.isAmong(sql`seq`, seqs, 'integer');
    const rows = await this.#rows.read(
      sql`seq between ${seqs.at(-1)!} and ${seqs[0]!} and ${among}`,
      seqs.length,
    );
    const comments: FoundComment[] = [];
    for (const row of rows) {
      const values = (await this.#rows.valuesOf(row)) ?? '';
      // To fold a long text takes a while.
      await budget.pause();
      for (const comment of await budget.run(this.#commentsOf(row, values)))
        if (comment.seq !== place.seq || comment.question > place.question) comments.push(comment);
    }
    return comments;
  }

  *#commentsOf(kept: KeptRow, values: string): Interruptible<readonly FoundComment[]> {
    const { seq, day, id, submittedAtMs, external } = kept;
    const { range, part, questionId } = this.#question;
    if (range !== null && (day < range.firstDay || day > range.lastDay)) return [];
    const { survey, holds } = this.#rows.version(kept);
    const row = this.#row;
    row.take(survey, day, values, external);
    if (row.isErased || !holds(row)) return [];
    const comments: FoundComment[] = [];
    for (const question of survey.pieces) {
      if (question.form !== 'open' || (questionId !== null && question.id !== questionId)) continue;
      const piece = row.answerPiece(question);
      const text = piece === null ? '' : (textsOfPiece(piece)[0] ?? '');
      if (text === '' || (part !== null && !(yield* foldInSlices(text)).includes(part))) continue;
      const { id: ofQuestion, index } = question;
      comments.push({
        ...{ seq, responseId: id, submittedAtMs, survey, head: row.head },
        ...{ question: index, questionId: ofQuestion, text },
      });
    }
    return comments;
  }
}
