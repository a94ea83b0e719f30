// Erasure: what a person said goes, what was counted stays (D-48).

import sql from 'sql-template-tag';
import { eraseValues } from '../../domain/feedback/row-values.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import type { Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import { recordChanges } from './change-log.ts';
import { holdAccount } from './external-parameters.ts';
import { hashOfBody } from './log.ts';
import { renewMarks } from './log-history.ts';
import { lookupColumn } from './response-lookup.ts';

export interface EraseResponse extends ChangeStamp {
  readonly accountId: number;
  readonly responseId: string;
}

export type EraseOutcome = 'erased' | 'erasedBefore' | 'unknown';

interface ErasableRow {
  readonly source_id: number;
  readonly seq: number;
  readonly hash: string | null;
  readonly row_values: string;
  readonly kind: 'measure' | 'project';
  readonly body: string | null;
}

/**
 * Empties answers, parameters, external parameters and the kept body. Place, day and scores stay, so that pages and
 * totals do not move; the hash of the body stays, so that a retry is still a retry and other content a conflict (D-41).
 */
export function* eraseResponse(input: EraseResponse, dialect: Dialect): Steps<EraseOutcome> {
  const { accountId, responseId } = input;
  yield* dialect.overwriteDeleted();
  yield* holdAccount(accountId);
  const { rows } = yield sql`
    select response.source_id, response.seq, hash, row_values, kind, ${lookupColumn(accountId, 'response_body', 'body')}
    from response
    join source on source.account_id = ${accountId} and source.source_id = response.source_id
    where response.account_id = ${accountId} and response_id = ${responseId}`;
  const [row] = rows as unknown as ErasableRow[];
  if (row === undefined) return 'unknown';
  if (row.hash !== null) return 'erasedBefore';
  const place = sql`account_id = ${accountId} and source_id = ${row.source_id} and seq = ${row.seq}`;
  yield sql`
    update response
    set row_values = ${eraseValues(row.row_values, row.kind)}, hash = ${hashOfBody(row.body ?? '{}')}
    where ${place}`;
  yield sql`delete from response_body where ${place}`;
  yield sql`delete from response_external where ${place}`;
  yield* renewMarks(dialect, { accountId, sourceId: row.source_id }, [row.seq], input.changeId);
  yield auditStatement(input, { accountId, action: 'response.erase', subject: `response ${responseId}` });
  const { source_id: sourceId, seq } = row;
  yield* recordChanges(dialect, input, accountId, [
    { sourceId, kind: 'erased', firstSeq: seq, lastSeq: seq },
  ]);
  return 'erased';
}
