// Indexes the comments of a log, segment by segment, behind whoever rolls it up (D-498), and what several segments have once more
// for all of them together (D-522). The comments of a full segment only become fewer; so they are read before the transaction, which
// looks whether they are still as many. The cursor is held meanwhile, and whoever deletes comments has changed it first.

import { setImmediate } from 'node:timers/promises';
import sql, { type Sql } from 'sql-template-tag';
import type { SourceKey } from '../../domain/feedback/source-key.ts';
import {
  firstSeqOf,
  numberOfSpan,
  type PackedSegment,
  SegmentBuilder,
  type Span,
  SpanBuilder,
  segmentSeqs,
  segmentsOfSpan,
  spanLevel,
  spanOfNumber,
} from '../../domain/insight/comment-parts.ts';
import { type Db, limitOf, type Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import { withPauses } from '../engine/work/work-budget.ts';
import type { Pause } from '../feedback/day-digests.ts';
import { largeComment, partRows, smallFolded } from './comments.ts';

/** So many rows of the log are asked for their comments at once, and so many rows of the index for their lists. */
const seqsAtOnce = 128;
const groupsAtOnce = 64;
interface IndexOptions {
  /** Called between small pieces of work. */
  readonly pause?: Pause;
  /** So many full segments may be left for later: they are looked through until then. */
  readonly leave?: number;
  /** How many segments a span has, as a power of 2. */
  readonly level?: number;
}

/** `indexed`: there may be more. `later`: there are some, and not more than may be left. */
export type Indexing = 'indexed' | 'later' | 'none';

/** Indexes the next full segment of a log, or span, if there is one that is not indexed. Several may do so at once: one wins. */
export async function indexComments(
  db: Db,
  source: SourceKey,
  form: number,
  { pause = () => setImmediate(), leave = 0, level = spanLevel }: IndexOptions = {},
): Promise<Indexing> {
  const { segment, full, span } = await nextToIndex(db, source, form);
  const hasSpan = segmentsOfSpan({ level, index: span })[1] <= segment;
  if (segment >= full && !hasSpan) return 'none';
  if (full - segment <= leave && leave > 0) return 'later';
  if (segment < full) await indexSegment(db, source, form, segment, pause);
  // Where something was erased meanwhile it is made when the source has grown: somebody may erase all the time.
  else if (!(await indexSpan(db, source, form, { level, index: span }, pause))) return 'none';
  return 'indexed';
}

async function indexSegment(
  db: Db,
  source: SourceKey,
  form: number,
  segment: number,
  pause: Pause,
): Promise<void> {
  const builder = new SegmentBuilder(segment);
  let comments = 0;
  for await (const { seq, folded } of commentsOf(db, source, form, segment, pause)) {
    comments += 1;
    if (!builder.isTooMuch) builder.add(seq, folded);
  }
  const packed = await withPauses(builder.pack(), pause);
  await db.write(keepSegment, { ...source, form, segment, comments, packed });
}

/** The comments of a segment, in the order of their rows. */
export async function* commentsOf(
  db: Db,
  source: SourceKey,
  form: number,
  segment: number,
  pause: Pause,
): AsyncGenerator<{ readonly seq: number; readonly folded: string }> {
  for (let seq = firstSeqOf(segment); seq < firstSeqOf(segment + 1); seq += seqsAtOnce) {
    await pause();
    const rows = await db.read<{ seq: number; id: string; folded: string | null }>(sql`
      select seq, question_id as id, ${smallFolded} as folded
      from comment
      where ${ofForm(source, form)} and seq between ${seq} and ${seq + seqsAtOnce - 1}
      order by seq`);
    for (const { seq: ofRow, id, folded } of rows)
      if (folded !== null) yield { seq: ofRow, folded };
      else {
        await pause();
        const large = await largeComment(db, { ...source, form }, ofRow, id);
        if (large !== null) yield { seq: ofRow, folded: large };
      }
  }
}

async function indexSpan(
  db: Db,
  source: SourceKey,
  form: number,
  span: Span,
  pause: Pause,
): Promise<boolean> {
  const changeNo = await changeNumber(db, source);
  const packed = await withPauses((await spanOfStore(db, source, form, span, pause)).pack(), pause);
  return db.write(keepSpan, { ...source, form, span, changeNo, packed });
}

async function changeNumber(db: Db, { accountId, sourceId }: SourceKey): Promise<number> {
  const [row] = await db.read<{ change_no: number }>(sql`
    select change_no
    from log_counter
    where account_id = ${accountId} and source_id = ${sourceId}`);
  return row?.change_no ?? 0;
}

/** What the segments of a span have, from their lists; from the comments themselves where there are none. */
export async function spanOfStore(
  db: Db,
  source: SourceKey,
  form: number,
  span: Span,
  pause: Pause,
): Promise<SpanBuilder> {
  const builder = new SpanBuilder(span);
  const [first, end] = segmentsOfSpan(span);
  const rows = await db.read<{ segment: number; group_bits: number | null }>(sql`
    select segment, group_bits
    from comment_segment
    where ${ofForm(source, form)} and segment >= ${first} and segment < ${end}
    order by segment
    limit ${limitOf(end - first)}`);
  for (const { segment, group_bits: groupBits } of rows) {
    if (builder.isTooMuch) break;
    if (groupBits === null)
      for await (const { seq, folded } of commentsOf(db, source, form, segment, pause)) {
        builder.addComment(seq, folded);
        if (builder.isTooMuch) break;
      }
    else
      for (let group = 0; group < 2 ** groupBits && !builder.isTooMuch; group += groupsAtOnce) {
        await pause();
        for (const { parts } of await partsOf(db, source, form, segment, [group, group + groupsAtOnce]))
          builder.addParts(segment, parts);
      }
  }
  return builder;
}

/** The rows of the index of a segment or span whose groups lie from the first to before the last. */
export function partsOf(
  db: Db,
  source: SourceKey,
  form: number,
  segment: number,
  [first, end]: readonly [number, number],
): Promise<readonly { readonly group: number; readonly parts: string }[]> {
  return db.read<{ group: number; parts: string }>(sql`
    select part_group as "group", parts
    from comment_part
    where ${ofForm(source, form)} and segment = ${segment} and part_group >= ${first} and part_group < ${end}
    order by part_group
    limit ${limitOf(end - first)}`);
}

export function ofForm({ accountId, sourceId }: SourceKey, form: number): Sql {
  return sql`account_id = ${accountId} and source_id = ${sourceId} and form = ${form}`;
}

/** They are indexed in their order, so the last ones say how far it has come. */
async function nextToIndex(
  db: Db,
  source: SourceKey,
  form: number,
): Promise<{ readonly segment: number; readonly full: number; readonly span: number }> {
  const [row] = await db.read<{ rolled_seq: number; segment: number | null; span: number | null }>(sql`
    select rolled_seq,
      (select max(segment) from comment_segment where ${ofForm(source, form)}) as segment,
      (select min(segment) from comment_segment where ${ofForm(source, form)}) as span
    from insight_cursor
    where ${ofForm(source, form)}`);
  const span = row?.span ?? 0;
  return {
    segment: (row?.segment ?? -1) + 1,
    full: Math.floor((row?.rolled_seq ?? 0) / segmentSeqs),
    span: span < 0 ? spanOfNumber(span).index + 1 : 0,
  };
}

/** Whether everything before a row is rolled up; the cursor is held to the commit. */
function* holdCursor(
  dialect: Dialect,
  { accountId, sourceId }: SourceKey,
  form: number,
  before: number,
): Steps<boolean> {
  const held = yield* dialect.holdRows({
    table: 'insight_cursor',
    key: ['account_id', 'source_id', 'form'],
    keys: [[accountId, sourceId, form]],
    columns: ['form', 'rolled_seq'],
    mayWait: true,
  });
  const cursor = held.find((row) => row.form === form);
  // What was rolled up may have been dropped, to be rolled up anew.
  return cursor !== undefined && (cursor.rolled_seq as number) >= before - 1;
}

function* keepPacked(
  source: SourceKey,
  form: number,
  number: number,
  { groupBits, groups }: PackedSegment,
): Steps<void> {
  yield sql`
    insert into comment_segment (account_id, source_id, form, segment, group_bits)
    values (${source.accountId}, ${source.sourceId}, ${form}, ${number}, ${groupBits})`;
  if (groups.length > 0) yield partRows(source, form, number, groups);
}

interface KeepSegment extends SourceKey {
  readonly form: number;
  readonly segment: number;
  /** How many comments were read. */
  readonly comments: number;
  readonly packed: PackedSegment;
}

/** Keeps the index of a segment; false where somebody else has done so, or comments went away meanwhile. */
export function* keepSegment(
  { form, segment, comments, packed, ...source }: KeepSegment,
  dialect: Dialect,
): Steps<boolean> {
  if (!(yield* holdCursor(dialect, source, form, firstSeqOf(segment + 1)))) return false;
  const { rows } = yield sql`
    select count(*) as comments, (
      select count(*) from comment_segment where ${ofForm(source, form)} and segment = ${segment}
    ) as indexed
    from comment
    where ${ofForm(source, form)} and seq >= ${firstSeqOf(segment)} and seq < ${firstSeqOf(segment + 1)}`;
  if (rows[0]?.comments !== comments || rows[0].indexed !== 0) return false;
  yield* keepPacked(source, form, segment, packed);
  return true;
}

interface KeepSpan extends SourceKey {
  readonly form: number;
  readonly span: Span;
  /** The number of the last change of the log before anything was read. */
  readonly changeNo: number;
  readonly packed: PackedSegment;
}

/** Keeps the index of a span; false where somebody else has done so, or something of the log was erased meanwhile. */
export function* keepSpan(
  { form, span, changeNo, packed, ...source }: KeepSpan,
  dialect: Dialect,
): Steps<boolean> {
  const [first, end] = segmentsOfSpan(span);
  if (!(yield* holdCursor(dialect, source, form, firstSeqOf(end)))) return false;
  const { accountId, sourceId } = source;
  const number = numberOfSpan(span);
  const { rows } = yield sql`
    select (
      select count(*) from comment_segment where ${ofForm(source, form)} and segment = ${number}
    ) as indexed, (
      select count(*) from comment_segment
      where ${ofForm(source, form)} and segment >= ${first} and segment < ${end}
    ) as segments, (
      select count(*) from log_change
      where account_id = ${accountId} and source_id = ${sourceId} and change_no > ${changeNo} and kind <> 'external'
        and first_seq < ${firstSeqOf(end)}
    ) as erasures`;
  if (rows[0]?.indexed !== 0 || rows[0].segments !== end - first || rows[0].erasures !== 0) return false;
  yield* keepPacked(source, form, number, packed);
  return true;
}
