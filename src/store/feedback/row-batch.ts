// Rows of the log on their way to another thread: a list for each member, because a list of texts is copied sooner than a
// list of objects.

import type { NumberedRow } from '../../domain/feedback/row-cells.ts';
import type { LogRow } from './log-reader.ts';

export interface RowBatch {
  readonly seqs: readonly number[];
  readonly surveyNumbers: readonly number[];
  readonly responseIds: readonly string[];
  readonly submittedAtMs: readonly number[];
  readonly values: readonly string[];
  readonly externals: readonly (string | null)[];
  readonly digests: readonly string[];
}

/** A copy: nothing of the rows is looked at afterwards. */
export function packRows(rows: readonly LogRow[], digests: readonly string[]): RowBatch {
  return {
    seqs: rows.map(({ seq }) => seq),
    surveyNumbers: rows.map(({ surveyNumber }) => surveyNumber),
    responseIds: rows.map(({ responseId }) => responseId),
    submittedAtMs: rows.map(({ submittedAtMs }) => submittedAtMs),
    values: rows.map(({ values }) =>
      typeof values === 'string' ? values : values.source.toString('utf8', values.begin, values.end),
    ),
    externals: rows.map(({ external }) => external),
    digests,
  };
}

/** How long the texts of the rows are; the rest of a row is short. */
export function charactersOf({ values, externals }: RowBatch): number {
  const ofValues = values.reduce((sum, text) => sum + text.length, 0);
  return externals.reduce((sum, text) => sum + (text?.length ?? 0), ofValues);
}

export function rowOfBatch(batch: RowBatch, index: number): NumberedRow {
  return {
    seq: batch.seqs[index]!,
    surveyNumber: batch.surveyNumbers[index]!,
    responseId: batch.responseIds[index]!,
    submittedAtMs: batch.submittedAtMs[index]!,
    values: batch.values[index]!,
    external: batch.externals[index]!,
    digest: batch.digests[index]!,
  };
}
