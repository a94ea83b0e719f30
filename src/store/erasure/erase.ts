// Erasure: what a person said goes, what was counted stays (D-48).

import sql from 'sql-template-tag';
import { auditSubject } from '../../domain/access/audit-subject.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import type { Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import { changesOfRuns, type LoggedChange, recordChanges } from '../feedback/change-log.ts';
import { holdAccount } from '../feedback/external-parameters.ts';
import { eraseQuarantined } from '../feedback/quarantine.ts';
import { lookupColumn } from '../feedback/response-lookup.ts';
import { type EmptiedRows, emptied, emptyRows } from './emptied-rows.ts';

export interface EraseResponse extends ChangeStamp {
  readonly accountId: number;
  readonly responseId: string;
}

export type EraseOutcome = 'erased' | 'erasedBefore' | 'unknown';

export interface ErasableRow {
  readonly source_id: number;
  readonly seq: number;
  readonly hash: string | null;
  readonly row_values: string;
  readonly kind: 'measure' | 'project';
  readonly body: string | null;
}

export function* eraseResponse(input: EraseResponse, dialect: Dialect): Steps<EraseOutcome> {
  const { accountId, responseId } = input;
  yield* holdAccount(accountId);
  // A body that was refused waits under the same id, whether or not a response is kept under it (D-289).
  const quarantined = yield* eraseQuarantined(accountId, [responseId], input.nowMs, dialect);
  const audit = auditStatement(input, {
    accountId,
    action: 'response.erase',
    subject: `response ${responseId}`,
  });
  const { rows } = yield sql`
    select response.source_id, response.seq, hash, row_values, kind, ${lookupColumn(accountId, 'response_body', 'body')}
    from response
    join source on source.account_id = ${accountId} and source.source_id = response.source_id
    where response.account_id = ${accountId} and response_id = ${responseId}`;
  const [row] = rows as unknown as ErasableRow[];
  if (row === undefined || row.hash !== null) {
    if (quarantined.length === 0) return row === undefined ? 'unknown' : 'erasedBefore';
    yield audit;
    return 'erased';
  }
  const { source_id: sourceId, kind, seq, row_values: values, body } = row;
  const rowsOfSource = { sourceId, rows: [emptied(kind, { seq, values, body })] };
  yield* emptyRows(dialect, accountId, rowsOfSource, input.changeId);
  yield audit;
  yield* recordChanges(dialect, input, accountId, changesOfRuns(sourceId, 'erased', [seq]));
  return 'erased';
}

export interface FoundBy {
  /** As the audit log names it. */
  readonly source: string;
  /** Its name. */
  readonly parameter: string | null;
  readonly isByDays: boolean;
}

/** One of the slices in which many responses are erased */
export interface EraseSlice extends ChangeStamp {
  readonly accountId: number;
  readonly sources: readonly EmptiedRows[];
  /** For the audit log: by what they were found, without a value that a person gave; null where their ids were listed. */
  readonly foundBy: FoundBy | null;
}

/** Says how many responses were erased: those that somebody else has erased meanwhile are not among them. */
export function* eraseSlice(input: EraseSlice, dialect: Dialect): Steps<number> {
  const { accountId, sources, foundBy } = input;
  yield* holdAccount(accountId);
  const changes: LoggedChange[] = [];
  let erased = 0;
  for (const rowsOfSource of sources) {
    const seqs = yield* emptyRows(dialect, accountId, rowsOfSource, input.changeId);
    changes.push(...changesOfRuns(rowsOfSource.sourceId, 'erased', seqs));
    erased += seqs.length;
  }
  if (erased === 0) return 0;
  yield auditStatement(input, {
    accountId,
    action: 'responses.erase',
    ...(foundBy === null
      ? auditSubject('listed', { count: erased })
      : auditSubject('found', { count: erased, ...foundBy })),
  });
  yield* recordChanges(dialect, input, accountId, changes);
  return erased;
}
