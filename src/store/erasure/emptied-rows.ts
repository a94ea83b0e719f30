// Rows of the log that are emptied: by erasure, whoever asks for it, and by the end of their time. What a person said goes;
// place, day and scores stay, so that pages and totals do not move (D-48).

import sql from 'sql-template-tag';
import { digestOfBody } from '../../domain/feedback/digest.ts';
import { eraseValues } from '../../domain/feedback/row-values.ts';
import type { Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import { hashOfBody } from '../feedback/log.ts';
import { renewMarks } from '../feedback/log-history.ts';
import { answersBefore, takeOutAnswers } from '../insight/insight-erasure.ts';

/** What stays of a row. It is worked out before the transaction: a body never changes for as long as it is there. */
export interface EmptiedRow {
  readonly seq: number;
  /** Of the body, so that a retry is still a retry and other content a conflict (D-41). */
  readonly hash: string;
  /** Of the body too, so that no digest of a day changes (D-251). */
  readonly digest: string;
  readonly values: string;
  /** Of the values before. */
  readonly length: number;
}

export interface EmptiedRows {
  readonly sourceId: number;
  readonly rows: readonly EmptiedRow[];
}

interface FullRow {
  readonly seq: number;
  readonly values: string;
  readonly body: string | null;
}

export function emptied(kind: 'measure' | 'project', { seq, values, body }: FullRow): EmptiedRow {
  const text = body ?? '{}';
  return {
    ...{ seq, hash: hashOfBody(text), digest: digestOfBody(text) },
    ...{ values: eraseValues(values, kind), length: values.length },
  };
}

/** Rows whose values have so many characters are read at once before they are emptied, and one in any case (D-776). */
const lengthAtOnce = 2 * 1024 * 1024;

/**
 * Empties answers, parameters, external parameters and the kept body, takes them out of what is added up, and says which rows
 * were not empty before. The account is held by whoever calls, so that nothing is added to a response meanwhile (`holdAccount`).
 */
export function* emptyRows(
  dialect: Dialect,
  accountId: number,
  { sourceId, rows }: EmptiedRows,
  changeId: string,
): Steps<readonly number[]> {
  if (rows.length === 0) return [];
  yield* dialect.overwriteDeleted();
  const changed: number[] = [];
  for (const some of slicesOf(rows))
    changed.push(...(yield* emptySlice(dialect, accountId, { sourceId, rows: some }, changeId)));
  return changed;
}

function* slicesOf(rows: readonly EmptiedRow[]): Generator<readonly EmptiedRow[]> {
  let some: EmptiedRow[] = [];
  let length = 0;
  for (const row of rows) {
    if (some.length > 0 && length + row.length > lengthAtOnce) {
      yield some;
      some = [];
      length = 0;
    }
    some.push(row);
    length += row.length;
  }
  if (some.length > 0) yield some;
}

function* emptySlice(
  dialect: Dialect,
  accountId: number,
  { sourceId, rows }: EmptiedRows,
  changeId: string,
): Steps<readonly number[]> {
  const source = { accountId, sourceId };
  const before = yield* answersBefore(
    dialect,
    source,
    rows.map(({ seq }) => seq),
  );
  const changed = yield* dialect.changeRows({
    table: 'response',
    accountId,
    sourceId,
    columns: [
      ['row_values', 'text'],
      ['hash', 'text'],
      ['digest', 'text'],
    ],
    rows: rows.map(({ seq, values, hash, digest }) => [seq, values, hash, digest] as const),
    // Only an erased response has its hash in the log.
    check: sql`response.hash is null`,
  });
  if (changed.length === 0) return [];
  const places = sql`
    account_id = ${accountId} and source_id = ${sourceId} and ${dialect.isAmong(sql`seq`, changed, 'integer')}`;
  yield sql`delete from response_body where ${places}`;
  yield sql`delete from response_external where ${places}`;
  yield* renewMarks(dialect, source, changed, changeId);
  yield* takeOutAnswers(dialect, source, before, changed);
  return changed;
}
