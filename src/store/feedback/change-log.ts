// What happens to responses after they have arrived, written down for those who follow a source (change-reader.ts).
//
// A change is numbered under the counter row of its source, which appends hold too: whoever sees number n + 1 sees n, and
// the position of a change (the number of the last response when it was committed) is never before that of an earlier one.
// The counter is taken last in the transaction and everything is written in one statement, so that appends wait as
// little as possible (D-257).

import sql from 'sql-template-tag';
import { form } from '../../domain/insight/layout.ts';
import type { ChangeStamp } from '../engine/audit.ts';
import { insertInto, type Steps, together } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';

/**
 * `external`: external parameters were added or corrected. `erased`: what was said is gone, because somebody asked for
 * that. `retained`: it is gone because it was kept for as long as it should be.
 */
const changeKinds = ['external', 'erased', 'retained'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** It concerns every response from the first number to the last one, both included. */
export interface LoggedChange {
  readonly sourceId: number;
  readonly kind: ChangeKind;
  readonly firstSeq: number;
  readonly lastSeq: number;
}

/**
 * The last step of a change of responses: nothing may be yielded after it. Changes of one source are numbered in the
 * order in which they are handed in.
 */
export function* recordChanges(
  dialect: Dialect,
  { changeId, nowMs }: Pick<ChangeStamp, 'changeId' | 'nowMs'>,
  accountId: number,
  changes: readonly LoggedChange[],
  /** The form of the figures that the answers of the rows were taken out of. */
  insightForm: number = form,
): Steps<void> {
  if (changes.length === 0) return;
  const bySource = Map.groupBy(changes, ({ sourceId }) => sourceId);
  const counters = yield* dialect.holdRows({
    table: 'log_counter',
    key: ['account_id', 'source_id'],
    keys: [...bySource.keys()].sort((one, other) => one - other).map((sourceId) => [accountId, sourceId]),
    columns: ['source_id', 'last_seq', 'change_no'],
    mayWait: true,
  });
  const numbered = (counters as unknown as Counter[]).flatMap(
    ({ source_id: sourceId, last_seq: position, change_no: before }) =>
      bySource.get(sourceId)!.map((change, index) => ({ ...change, number: before + index + 1, position })),
  );
  yield together(
    insertInto('log_change', numbered, {
      account_id: ['integer', () => accountId],
      source_id: ['integer', ({ sourceId }) => sourceId],
      change_no: ['integer', ({ number }) => number],
      position: ['integer', ({ position }) => position],
      kind: ['text', ({ kind }) => kind],
      first_seq: ['integer', ({ firstSeq }) => firstSeq],
      last_seq: ['integer', ({ lastSeq }) => lastSeq],
      at: ['integer', () => nowMs],
      mark: ['text', () => changeId],
      // Whoever empties rows takes their answers out of the figures of this form (insight-erasure.ts).
      insight_form: ['integer', () => insightForm],
    }),
    ...(counters as unknown as Counter[]).map(
      ({ source_id: sourceId }) => sql`
        update log_counter
        set change_no = change_no + ${bySource.get(sourceId)!.length}
        where account_id = ${accountId} and source_id = ${sourceId}`,
    ),
  );
}

interface Counter {
  readonly source_id: number;
  readonly last_seq: number;
  readonly change_no: number;
}

/** One change for each run of numbers without a gap: what is done to thousands of neighbours is one row. */
export function changesOfRuns(
  sourceId: number,
  kind: ChangeKind,
  seqs: readonly number[],
): readonly LoggedChange[] {
  const runs: { sourceId: number; kind: ChangeKind; firstSeq: number; lastSeq: number }[] = [];
  for (const seq of [...seqs].sort((one, other) => one - other)) {
    const run = runs.at(-1);
    if (run !== undefined && seq <= run.lastSeq + 1) run.lastSeq = seq;
    else runs.push({ sourceId, kind, firstSeq: seq, lastSeq: seq });
  }
  return runs;
}
