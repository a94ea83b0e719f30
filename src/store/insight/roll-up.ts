// Adds the responses of a source up, some at a time: the figures of each day and version, and the open answers (D-475).
//
// Rows and figures are read before the transaction, so that nothing waits for it. That what was read is still so is held by `moves`
// of the cursor: everybody who changes figures of a source, or erases something in its log, counts it up in the same transaction. Of
// several who add up the same rows one is first, and the others have done nothing. A store may have lost its last rows while they
// were read, when a standby took over; so the ids of the rows are looked at once more within the transaction.
//
// Where what was added up cannot be of this log, it is deleted and added up anew: the response at the cursor is another one, or
// a replica of an older release has erased something without taking it out (D-477).
//
// Whoever wants a source to be added up anew opens a further build of the form, which follows the log beside the one that answers
// (rebuild.ts). Of several builds the one that has come furthest answers, and of two that have come as far the later one (D-630).

import sql, { join, type Sql } from 'sql-template-tag';
import type { SourceKey } from '../../domain/feedback/source-key.ts';
import { DayFold } from '../../domain/insight/day-figures.ts';
import { packFigures } from '../../domain/insight/figures.ts';
import { buildStep, form as currentForm, formOfBuild } from '../../domain/insight/layout.ts';
import { type Db, limitOf, type Steps, together } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import { withPauses } from '../engine/work/work-budget.ts';
import { LogChanged } from '../feedback/log-places.ts';
import { type CommentToKeep, commentRows, commentsToKeep, deleteCommentsOfForm } from './comments.ts';
import { dayRows, type PackedDay } from './insight-rows.ts';
import type { SurveyOf, Versions } from './versions.ts';

/** So many rows at a time: some milliseconds, of which the embedded engine reads on the event loop. */
const rowsAtOnce = 512;
/** A row of more bytes is not read together with others. */
const smallRowBytes = 8 * 1024;
/** A step ends behind the row with which its comments have so many characters, and gives way whenever rows had so many (D-742). */
const commentsLengthMax = 1024 * 1024;
const lengthBetweenPauses = 32 * 1024;
/** Rows that are deleted in one transaction. */
const deletedAtOnce = 500;

/** `rolled_seq` of a build that has nothing to be deleted any more, because a later one has taken its place. */
export const nothingLeft = -2;

/** How far the figures of a source have come. */
export interface FiguresReached {
  readonly rolledSeq: number;
  readonly lastSeq: number;
}

/** `moved`: there is more to do. `end`: all rows are added up. `lost`: somebody else was first. `none`: there is no such source. */
export type RollOutcome = 'moved' | 'end' | 'lost' | 'none';

export interface RollStep extends FiguresReached {
  readonly outcome: RollOutcome;
  /** What was added to. */
  readonly build: number;
  /** Rows that this step has added. */
  readonly added: number;
}

export interface RollOptions {
  readonly versions: Versions;
  readonly nowMs: number;
  /** Called between small pieces of work. */
  readonly pause?: () => Promise<void>;
  /** Left out, the build of the form of this release that answers. */
  readonly build?: number;
}

/** Adds some rows of a source up, or does what has to be done before. */
export async function rollUpSome(db: Db, source: SourceKey, options: RollOptions): Promise<RollStep> {
  const { versions, nowMs, pause = async () => {} } = options;
  const { cursor, end, rows } = await readSlice(db, source, options.build);
  const build = cursor?.build ?? options.build ?? currentForm;
  const place = { accountId: source.accountId, sourceId: source.sourceId, form: build };
  if (end === null) return { outcome: 'none', build, added: 0, rolledSeq: 0, lastSeq: 0 };
  const { lastSeq } = end;
  const reached = { build, added: 0, rolledSeq: Math.max(0, cursor?.rolledSeq ?? 0), lastSeq };
  const stepOf = (isMade: boolean): RollStep => ({ ...reached, outcome: isMade ? 'moved' : 'lost' });
  if (cursor === null) {
    // A further build is opened by `rebuildFigures`, and was deleted if it is not there.
    if (build !== formOfBuild(build)) return { ...reached, outcome: 'none' };
    return stepOf(await db.write(openCursor, { ...place, nowMs }));
  }
  const move: CursorMove = { ...place, moves: cursor.moves, nowMs };
  if (cursor.rolledSeq < 0) return stepOf(await db.write(clearFigures, move));
  if (await isOfAnotherLog(db, place, cursor, end, rows)) return stepOf(await db.write(dropFigures, move));
  const behind = rows.filter(({ seq }) => seq > cursor.rolledSeq);
  if (behind.length === 0 && end.changeNo === cursor.changeNo) return { ...reached, outcome: 'end' };
  if (behind.some(({ seq }, at) => seq !== cursor.rolledSeq + 1 + at)) throw new LogChanged();
  await pause();
  const { rows: added, ...folded } = await foldRows(
    db,
    place,
    await versions.of(source, end.revision),
    behind,
    pause,
  );
  const last = added.at(-1) ?? { seq: cursor.rolledSeq, id: cursor.rolledId };
  const isEnd = last.seq === lastSeq;
  const isMade = await db.write(rollUp, {
    ...move,
    rolledSeq: last.seq,
    rolledId: last.id,
    changeNo: end.changeNo,
    afterSeq: cursor.rolledSeq,
    ids: added.map(({ id }) => id),
    ...folded,
  });
  if (!isMade) return { ...reached, outcome: 'lost' };
  return { outcome: isEnd ? 'end' : 'moved', build, added: added.length, rolledSeq: last.seq, lastSeq };
}

export interface FiguresPlace extends SourceKey {
  /** Of a build of the form. */
  readonly form: number;
}

/** The build of a source that answers, as a value of a query; null where there is none. */
export function answeringBuild(
  { accountId, sourceId }: { readonly accountId: number; readonly sourceId: number | Sql },
  forms: readonly number[] = [currentForm],
): Sql {
  return sql`(
    select answering.form
    from insight_cursor as answering
    where answering.account_id = ${accountId} and answering.source_id = ${sourceId} and ${isOfForm(sql`answering.form`, forms)}
    order by answering.rolled_seq desc, answering.form desc
    limit 1
  )`;
}

/** Whether a build is one of these forms. */
export function isOfForm(build: Sql, forms: readonly number[]): Sql {
  return sql`${build} % ${buildStep} in (${join([...forms])})`;
}

interface Cursor {
  readonly build: number;
  readonly rolledSeq: number;
  readonly rolledId: string;
  readonly changeNo: number;
  readonly moves: number;
}

interface End {
  readonly lastSeq: number;
  readonly changeNo: number;
  readonly revision: number;
}

export interface KeptRow {
  readonly seq: number;
  readonly day: number;
  readonly surveyNumber: number;
  readonly id: string;
  /** Null of a large row, which is read by itself. */
  readonly values: string | null;
}

interface SliceRow {
  readonly kind: 'cursor' | 'end' | 'row';
  readonly build: number;
  readonly seq: number;
  readonly day: number;
  readonly number: number;
  readonly id: string;
  readonly text: string | null;
}

interface Slice {
  readonly cursor: Cursor | null;
  readonly end: End | null;
  /** The row at the cursor, and those behind it, in their order. */
  readonly rows: readonly KeptRow[];
}

/** The values of a row if it is small, as a value of a query over `response`. */
export const smallValues: Sql = sql`case when octet_length(row_values) <= ${smallRowBytes} then row_values end`;

/** One statement, so that all of it is of one moment. */
async function readSlice(
  db: Db,
  { accountId, sourceId }: SourceKey,
  build: number | undefined,
): Promise<Slice> {
  const ofSource = sql`account_id = ${accountId} and source_id = ${sourceId}`;
  const isMeant = sql`form = ${build ?? answeringBuild({ accountId, sourceId })}`;
  const rolledSeq = sql`coalesce((select rolled_seq from insight_cursor where ${ofSource} and ${isMeant}), 0)`;
  const found = await db.read<SliceRow>(sql`
    select 'cursor' as kind, form as build, rolled_seq as seq, change_no as day, moves as number, rolled_id as id, '' as text
    from insight_cursor
    where ${ofSource} and ${isMeant}
    union all
    select 'end', 0, last_seq, change_no, revision, '', ''
    from log_counter
    where ${ofSource}
    union all
    select 'row', 0, seq, day, survey_no, response_id, ${smallValues}
    from response
    where ${ofSource} and seq >= ${rolledSeq} and seq <= ${rolledSeq} + ${rowsAtOnce}`);
  let cursor: Cursor | null = null;
  let end: End | null = null;
  const rows: KeptRow[] = [];
  for (const { kind, build: ofCursor, seq, day, number, id, text } of found)
    if (kind === 'row') rows.push({ seq, day, surveyNumber: number, id, values: text });
    else if (kind === 'end') end = { lastSeq: seq, changeNo: day, revision: number };
    else cursor = { build: ofCursor, rolledSeq: seq, rolledId: id, changeNo: day, moves: number };
  rows.sort((one, other) => one.seq - other.seq);
  return { cursor, end, rows };
}

async function isOfAnotherLog(
  db: Db,
  place: FiguresPlace,
  cursor: Cursor,
  end: End,
  rows: readonly KeptRow[],
): Promise<boolean> {
  const { rolledSeq, rolledId } = cursor;
  if (rolledSeq === 0) return false;
  if (rolledSeq > end.lastSeq || rows[0]?.seq !== rolledSeq || rows[0].id !== rolledId) return true;
  if (end.changeNo === cursor.changeNo) return false;
  const found = await db.read(
    unknownErasure(place, sql`${formOfBuild(place.form)}`, sql`${cursor.changeNo}`, sql`${rolledSeq}`),
  );
  return found.length > 0;
}

/** A change behind a number that has erased rows which were added up, and did not take them out. */
export function unknownErasure(
  { accountId, sourceId }: SourceKey,
  form: Sql,
  changeNo: Sql,
  rolledSeq: Sql,
): Sql {
  return sql`
    select change_no as seq
    from log_change
    where account_id = ${accountId} and source_id = ${sourceId} and change_no > ${changeNo}
      and kind <> 'external' and insight_form <> ${form} and first_seq <= ${rolledSeq}
    limit 1`;
}

/** The values of a large row. */
export async function largeValues(db: Db, { accountId, sourceId }: SourceKey, seq: number): Promise<string> {
  const [row] = await db.read<{ text: string }>(sql`
    select row_values as text
    from response
    where account_id = ${accountId} and source_id = ${sourceId} and seq = ${seq}`);
  // A standby that took over meanwhile may lack the last rows.
  if (row === undefined) throw new LogChanged();
  return row.text;
}

interface Folded {
  readonly days: readonly PackedDay[];
  readonly comments: readonly CommentToKeep[];
}

/** What rows make of the figures of their days: all of them, or the first ones where comments are long. */
async function foldRows(
  db: Db,
  place: FiguresPlace,
  surveyOf: SurveyOf,
  behind: readonly KeptRow[],
  pause: () => Promise<void>,
): Promise<Folded & { readonly rows: readonly KeptRow[] }> {
  const { accountId, sourceId, form } = place;
  if (behind.length === 0) return { rows: [], days: [], comments: [] };
  const fold = new DayFold(surveyOf);
  const comments: CommentToKeep[] = [];
  let commentsLength = 0;
  let lengthSincePause = 0;
  let count = 0;
  for (const { seq, day, surveyNumber, values } of behind) {
    if (commentsLength > commentsLengthMax) break;
    const text = values ?? (await largeValues(db, place, seq));
    const row = fold.add(day, surveyNumber, text);
    const kept = row.isErased ? [] : await withPauses(commentsToKeep(row, { seq, day }), pause);
    comments.push(...kept);
    count += 1;
    for (const { folded } of kept) commentsLength += folded.length;
    lengthSincePause += text.length;
    if (lengthSincePause < lengthBetweenPauses) continue;
    lengthSincePause = 0;
    await pause();
  }
  const rows = behind.slice(0, count);
  const days = [...new Set(rows.map(({ day }) => day))];
  const known = await db.read<{ day: number; number: number; figures: string }>(sql`
    select day, survey_no as number, figures
    from insight_day
    where account_id = ${accountId} and source_id = ${sourceId} and form = ${form}
      and ${db.dialect.isAmong(sql`day`, days, 'integer')}`);
  for (const { day, number, figures } of known)
    if (fold.has(day, number)) fold.addPacked(day, number, figures);
  return {
    rows,
    days: fold.days().map(({ day, surveyNumber, figures }) => [day, surveyNumber, packFigures(figures)]),
    comments,
  };
}

// ---- changes

interface OpenCursor extends FiguresPlace {
  readonly nowMs: number;
}

/** The first step of a source adds nothing up: rows are read after it, so that whoever erases meanwhile finds a cursor to move. */
export function* openCursor({ accountId, sourceId, form, nowMs }: OpenCursor): Steps<boolean> {
  const { changed } = yield sql`
    insert into insight_cursor (account_id, source_id, form, rolled_seq, rolled_id, change_no, moves, updated_at)
    select account_id, source_id, cast(${form} as bigint), 0, '', 0, 1, cast(${nowMs} as bigint)
    from log_counter
    where account_id = ${accountId} and source_id = ${sourceId}
    on conflict (account_id, source_id, form) do nothing`;
  return changed > 0;
}

interface CursorMove extends FiguresPlace {
  /** As it was read. */
  readonly moves: number;
  readonly nowMs: number;
}

interface RollUp extends CursorMove, Folded {
  readonly rolledSeq: number;
  readonly rolledId: string;
  readonly changeNo: number;
  /** The ids of the rows behind this number, which were added up. */
  readonly afterSeq: number;
  readonly ids: readonly string[];
}

/** Keeps what rows add up to; false where somebody else was first, or the rows are others now. */
export function* rollUp(input: RollUp): Steps<boolean> {
  const { accountId, sourceId, form, afterSeq, ids } = input;
  const { rows } = yield sql`
    select response_id
    from response
    where account_id = ${accountId} and source_id = ${sourceId}
      and seq > ${afterSeq} and seq <= ${afterSeq + ids.length}
    order by seq
    limit ${limitOf(ids.length)}`;
  if (rows.length !== ids.length || rows.some(({ response_id: id }, at) => id !== ids[at])) return false;
  const { rolledSeq, rolledId, changeNo, moves, nowMs } = input;
  const { changed } = yield sql`
    update insight_cursor
    set rolled_seq = ${rolledSeq}, rolled_id = ${rolledId}, change_no = ${changeNo}, moves = moves + 1, updated_at = ${nowMs}
    where account_id = ${accountId} and source_id = ${sourceId} and form = ${form} and moves = ${moves}`;
  if (changed !== 1) return false;
  if (input.days.length > 0)
    yield together(dayRows(input, form, input.days), commentRows(input, form, input.comments));
  return true;
}

/** What was added up counts for nothing from here on; it is deleted by the steps that follow. */
export function* dropFigures({ accountId, sourceId, form, moves, nowMs }: CursorMove): Steps<boolean> {
  const { changed } = yield sql`
    update insight_cursor
    set rolled_seq = -1, rolled_id = '', moves = moves + 1, updated_at = ${nowMs}
    where account_id = ${accountId} and source_id = ${sourceId} and form = ${form} and moves = ${moves}`;
  return changed === 1;
}

/** Deletes some of what counts for nothing; when there is none left, the source begins anew. */
export function* clearFigures(input: CursorMove, dialect: Dialect): Steps<boolean> {
  const { accountId, sourceId, form, moves, nowMs } = input;
  const ofCursor = sql`account_id = ${accountId} and source_id = ${sourceId} and form = ${form}`;
  const { changed } = yield sql`
    update insight_cursor
    set moves = moves + 1, updated_at = ${nowMs}
    where ${ofCursor} and moves = ${moves} and rolled_seq < 0`;
  if (changed !== 1) return false;
  if (yield* deleteSome(input, dialect)) return true;
  yield sql`update insight_cursor set rolled_seq = 0, change_no = 0 where ${ofCursor}`;
  return true;
}

/** Whether there was something to delete. */
function* deleteSome({ accountId, sourceId, form }: FiguresPlace, dialect: Dialect): Steps<boolean> {
  const ofCursor = sql`account_id = ${accountId} and source_id = ${sourceId} and form = ${form}`;
  yield* dialect.overwriteDeleted();
  const days = yield sql`
    delete from insight_day
    where ${ofCursor} and (day, survey_no) in (
      select day, survey_no
      from insight_day
      where ${ofCursor}
      order by day, survey_no
      limit ${limitOf(deletedAtOnce)}
    )`;
  if (days.changed > 0) return true;
  return (yield* deleteCommentsOfForm({ accountId, sourceId }, form, deletedAtOnce)) > 0;
}

/**
 * Deletes some of a build that nobody reads any more, and at last its cursor; false when there is nothing left of it. The first build
 * of the form of this release keeps its cursor: whoever erases, and whoever opens a build, waits for the other there.
 */
export function* deleteForm(place: FiguresPlace, dialect: Dialect): Steps<boolean> {
  const { accountId, sourceId, form } = place;
  const ofCursor = sql`account_id = ${accountId} and source_id = ${sourceId} and form = ${form}`;
  const { changed: isThere } = yield sql`
    update insight_cursor
    set rolled_seq = -1, rolled_id = '', moves = moves + 1
    where ${ofCursor} and rolled_seq > ${nothingLeft} and form is distinct from ${answeringBuild(place)}`;
  if (isThere === 0) return false;
  if (yield* deleteSome(place, dialect)) return true;
  if (form === currentForm)
    yield sql`update insight_cursor set rolled_seq = ${nothingLeft} where ${ofCursor}`;
  else yield sql`delete from insight_cursor where ${ofCursor}`;
  return true;
}
