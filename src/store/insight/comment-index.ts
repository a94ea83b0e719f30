// Indexes the comments of a log, segment by segment, behind whoever rolls it up (D-498). The comments of a full segment only
// become fewer; so they are read before the transaction, which looks whether they are still as many. The cursor is held
// meanwhile, and whoever deletes comments has changed it first.

import { setImmediate } from 'node:timers/promises';
import sql, { type Sql } from 'sql-template-tag';
import {
  firstSeqOf,
  type PackedSegment,
  SegmentBuilder,
  segmentSeqs,
} from '../../domain/insight/comment-parts.ts';
import type { Db, Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { Pause } from '../feedback/day-digests.ts';
import type { SourceKey } from '../feedback/day-sums.ts';
import { partRows } from './comments.ts';

/** So many rows of the log are asked for their comments at once. */
const seqsAtOnce = 128;

export interface IndexOptions {
  /** Called between small pieces of work. */
  readonly pause?: Pause;
  /** So many full segments may be left for later: they are looked through until then. */
  readonly leave?: number;
}

/** `indexed`: there may be more. `later`: there are some, and not more than may be left. */
export type Indexing = 'indexed' | 'later' | 'none';

/** Indexes the next full segment of a log, if there is one that is not indexed. Several may do so at once: one of them wins. */
export async function indexComments(
  db: Db,
  source: SourceKey,
  form: number,
  { pause = () => setImmediate(), leave = 0 }: IndexOptions = {},
): Promise<Indexing> {
  const { segment, full } = await nextSegment(db, source, form);
  if (segment >= full) return 'none';
  if (full - segment <= leave) return 'later';
  const builder = new SegmentBuilder(segment);
  let comments = 0;
  for (let seq = firstSeqOf(segment); seq < firstSeqOf(segment + 1); seq += seqsAtOnce) {
    await pause();
    const rows = await db.read<{ seq: number; folded: string }>(sql`
      select seq, folded_text as folded
      from comment
      where ${ofForm(source, form)} and seq between ${seq} and ${seq + seqsAtOnce - 1}
      order by seq`);
    comments += rows.length;
    for (const row of rows) builder.add(row.seq, row.folded);
  }
  const work = builder.pack();
  for (;;) {
    const step = work.next();
    if (step.done) {
      await db.write(keepSegment, { ...source, form, segment, comments, packed: step.value });
      return 'indexed';
    }
    await pause();
  }
}

function ofForm({ accountId, sourceId }: SourceKey, form: number): Sql {
  return sql`account_id = ${accountId} and source_id = ${sourceId} and form = ${form}`;
}

/** They are indexed in their order, so the last one says how far it has come. */
async function nextSegment(
  db: Db,
  source: SourceKey,
  form: number,
): Promise<{ readonly segment: number; readonly full: number }> {
  const [row] = await db.read<{ rolled_seq: number; segment: number | null }>(sql`
    select rolled_seq, (select max(segment) from comment_segment where ${ofForm(source, form)}) as segment
    from insight_cursor
    where ${ofForm(source, form)}`);
  return { segment: (row?.segment ?? -1) + 1, full: Math.floor((row?.rolled_seq ?? 0) / segmentSeqs) };
}

export interface KeepSegment extends SourceKey {
  readonly form: number;
  readonly segment: number;
  /** How many comments were read. */
  readonly comments: number;
  readonly packed: PackedSegment;
}

/** Keeps the index of a segment; false where somebody else has done so, or comments went away meanwhile. */
export function* keepSegment(
  { form, segment, comments, packed: { groupBits, groups }, ...source }: KeepSegment,
  dialect: Dialect,
): Steps<boolean> {
  const held = yield* dialect.holdRows({
    table: 'insight_cursor',
    key: ['account_id', 'source_id', 'form'],
    keys: [[source.accountId, source.sourceId, form]],
    columns: ['form', 'rolled_seq'],
    mayWait: true,
  });
  const cursor = held.find((row) => row.form === form);
  // What was rolled up may have been dropped, to be rolled up anew.
  if (cursor === undefined || (cursor.rolled_seq as number) < firstSeqOf(segment + 1) - 1) return false;
  const { rows } = yield sql`
    select count(*) as comments, (
      select count(*) from comment_segment where ${ofForm(source, form)} and segment = ${segment}
    ) as indexed
    from comment
    where ${ofForm(source, form)} and seq >= ${firstSeqOf(segment)} and seq < ${firstSeqOf(segment + 1)}`;
  if (rows[0]?.comments !== comments || rows[0].indexed !== 0) return false;
  yield sql`
    insert into comment_segment (account_id, source_id, form, segment, group_bits)
    values (${source.accountId}, ${source.sourceId}, ${form}, ${segment}, ${groupBits})`;
  if (groups.length > 0) yield partRows(source, form, segment, groups);
  return true;
}
