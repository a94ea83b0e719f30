// The rows in which figures are kept, as changes write them.

import type { SourceKey } from '../../domain/feedback/source-key.ts';
import type { ManyRows } from '../engine/db.ts';

/** The figures of one day and version, packed. */
export type PackedDay = readonly [day: number, surveyNumber: number, figures: string];

/** Days with the figures that they have now, in the place of those that they had. */
export function dayRows(
  { accountId, sourceId }: SourceKey,
  form: number,
  days: readonly PackedDay[],
): ManyRows {
  return {
    table: 'insight_day',
    columns: [
      ['account_id', 'integer'],
      ['source_id', 'integer'],
      ['form', 'integer'],
      ['day', 'integer'],
      ['survey_no', 'integer'],
      ['figures', 'text'],
    ],
    rows: days.map(([day, number, figures]) => [accountId, sourceId, form, day, number, figures]),
    onConflict: `on conflict (account_id, source_id, form, day, survey_no) do update
      set figures = excluded.figures`,
  };
}
