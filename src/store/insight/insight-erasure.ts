// What erased responses answered is taken out of the figures and comments in the transaction that empties their rows; their
// scores stay (D-48). It works for every form that this release can read. Of a form that it cannot, what was added up of that source
// counts for nothing from here on, and is added up anew by a release that can (D-476). Builds of one form are each as any other (D-630).

import sql from 'sql-template-tag';
import type { SourceKey } from '../../domain/feedback/source-key.ts';
import { DayFold } from '../../domain/insight/day-figures.ts';
import { packFigures } from '../../domain/insight/figures.ts';
import { form, formOfBuild, readableForms } from '../../domain/insight/layout.ts';
import type { Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import { deleteComments } from './comments.ts';
import { dayRows } from './insight-rows.ts';
import { selectVersions, surveysOf } from './versions.ts';

/** A row as it was before it is emptied. */
interface RowBefore {
  readonly seq: number;
  readonly day: number;
  readonly survey_no: number;
  readonly row_values: string;
}

/** The rows among these that are not empty yet. */
export function* answersBefore(
  dialect: Dialect,
  { accountId, sourceId }: SourceKey,
  seqs: readonly number[],
): Steps<readonly RowBefore[]> {
  const { rows } = yield sql`
    select seq, day, survey_no, row_values
    from response
    where account_id = ${accountId} and source_id = ${sourceId} and hash is null
      and ${dialect.isAmong(sql`seq`, seqs, 'integer')}`;
  return rows as unknown as readonly RowBefore[];
}

interface CursorRow {
  readonly form: number;
  readonly rolled_seq: number;
}

/** Of the rows, only those that were emptied count. The cursors are held from here to the commit. */
export function* takeOutAnswers(
  dialect: Dialect,
  source: SourceKey,
  before: readonly RowBefore[],
  emptied: readonly number[],
): Steps<void> {
  const { accountId, sourceId } = source;
  const ofSource = sql`account_id = ${accountId} and source_id = ${sourceId}`;
  // It is made where there is none: whoever begins to add up has read the rows after this, or finds that it was moved.
  yield sql`
    insert into insight_cursor (account_id, source_id, form, rolled_seq, rolled_id, change_no, moves, updated_at)
    values (${accountId}, ${sourceId}, ${form}, 0, '', 0, 1, 0)
    on conflict (account_id, source_id, form) do update
    set moves = insight_cursor.moves + 1`;
  yield sql`update insight_cursor set moves = moves + 1 where ${ofSource} and form <> ${form}`;
  const { rows } = yield sql`select form, rolled_seq from insight_cursor where ${ofSource} order by form`;
  const gone = new Set(emptied);
  for (const cursor of rows as unknown as readonly CursorRow[]) {
    const counted = before.filter(({ seq }) => gone.has(seq) && seq <= cursor.rolled_seq);
    if (counted.length === 0) continue;
    if (readableForms.includes(formOfBuild(cursor.form)))
      yield* takeOutOfForm(dialect, source, cursor.form, counted);
    else yield* forgetForm(dialect, source, cursor.form, counted);
  }
  yield* deleteComments(dialect, source, emptied);
}

function* takeOutOfForm(
  dialect: Dialect,
  source: SourceKey,
  ofForm: number,
  counted: readonly RowBefore[],
): Steps<void> {
  const { accountId, sourceId } = source;
  const ofSource = sql`account_id = ${accountId} and source_id = ${sourceId}`;
  const versions = yield selectVersions(source);
  const fold = new DayFold(surveysOf(versions.rows));
  for (const { day, survey_no: number, row_values: values } of counted) fold.takeAnswers(day, number, values);
  const days = [...new Set(counted.map(({ day }) => day))];
  const known = yield sql`
    select day, survey_no, figures
    from insight_day
    where ${ofSource} and form = ${ofForm} and ${dialect.isAmong(sql`day`, days, 'integer')}`;
  for (const { day, survey_no: number, figures } of known.rows as unknown as readonly KnownDay[])
    if (fold.has(day, number)) fold.addPacked(day, number, figures);
  yield dayRows(
    source,
    ofForm,
    fold.days().map(({ day, surveyNumber, figures }) => [day, surveyNumber, packFigures(figures)]),
  );
}

interface KnownDay {
  readonly day: number;
  readonly survey_no: number;
  readonly figures: string;
}

function* forgetForm(
  dialect: Dialect,
  { accountId, sourceId }: SourceKey,
  ofForm: number,
  counted: readonly RowBefore[],
): Steps<void> {
  const ofCursor = sql`account_id = ${accountId} and source_id = ${sourceId} and form = ${ofForm}`;
  const days = [...new Set(counted.map(({ day }) => day))];
  yield sql`update insight_cursor set rolled_seq = -1, rolled_id = '' where ${ofCursor}`;
  yield sql`delete from insight_day where ${ofCursor} and ${dialect.isAmong(sql`day`, days, 'integer')}`;
}
