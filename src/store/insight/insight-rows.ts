// The rows in which figures are kept, as changes write them.

import type { SourceKey } from '../../domain/feedback/source-key.ts';
import { insertInto, type ManyRows } from '../engine/db.ts';

/** The figures of one day and version, packed. */
export type PackedDay = readonly [day: number, surveyNumber: number, figures: string];

/** Days with the figures that they have now, in the place of those that they had. */
export function dayRows(
  { accountId, sourceId }: SourceKey,
  form: number,
  days: readonly PackedDay[],
): ManyRows {
  return insertInto(
    'insight_day',
    days,
    {
      account_id: ['integer', () => accountId],
      source_id: ['integer', () => sourceId],
      form: ['integer', () => form],
      day: ['integer', ([day]) => day],
      survey_no: ['integer', ([, number]) => number],
      figures: ['text', ([, , figures]) => figures],
    },
    `on conflict (account_id, source_id, form, day, survey_no) do update
      set figures = excluded.figures`,
  );
}
