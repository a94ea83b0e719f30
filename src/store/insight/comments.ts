// Comments as they are kept for searching, and how they come and go (D-498).
//
// Whoever rolls rows up writes their comments in the transaction that moves the cursor:
//
//     yield commentRows(source, form, rows.flatMap((row) => commentsToKeep(given, row)));
//
// and calls `indexComments` (comment-index.ts) behind it, outside of any transaction. Whoever empties rows deletes their comments
// in the same transaction, having counted up `moves` of the cursors of the source first, in every form:
//
//     yield* deleteComments(dialect, source, seqs);
//
// Both are true for rows that have no comments too.

import sql, { type Sql } from 'sql-template-tag';
import {
  blockOf,
  blockSeqs,
  firstSeqOf,
  firstSeqOfSpan,
  groupOf,
  partHashes,
  type Span,
  segmentOf,
  segmentsOfSpan,
  spanOfNumber,
  withoutPlaces,
} from '../../domain/insight/comment-parts.ts';
import { commentsOfRow, foldedComment } from '../../domain/insight/comment-text.ts';
import type { GivenRow } from '../../domain/insight/given-answers.ts';
import type { ManyRows, Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { SourceKey } from '../feedback/day-sums.ts';
import { deleteFirst } from '../feedback/removal.ts';

export interface CommentToKeep {
  readonly seq: number;
  readonly day: number;
  readonly questionId: string;
  readonly folded: string;
}

/** The comments of a row that was just read into `given`. */
export function commentsToKeep(
  given: Pick<GivenRow, 'survey' | 'texts'>,
  { seq, day }: { readonly seq: number; readonly day: number },
): readonly CommentToKeep[] {
  return commentsOfRow(given).map(({ questionId, text }) => ({
    seq,
    day,
    questionId,
    folded: foldedComment(text),
  }));
}

/** To be written where there are any. Written again, they are the same. */
export function commentRows(
  { accountId, sourceId }: SourceKey,
  form: number,
  comments: readonly CommentToKeep[],
): ManyRows {
  return {
    table: 'comment',
    columns: [
      ['account_id', 'integer'],
      ['source_id', 'integer'],
      ['form', 'integer'],
      ['seq', 'integer'],
      ['question_id', 'text'],
      ['day', 'integer'],
      ['folded_text', 'text'],
    ],
    rows: comments.map(({ seq, questionId, day, folded }) => [
      accountId,
      sourceId,
      form,
      seq,
      questionId,
      day,
      folded,
    ]),
    onConflict: 'on conflict (account_id, source_id, form, seq, question_id) do nothing',
  };
}

interface GoneRow {
  readonly form: number;
  readonly seq: number;
  readonly folded_text: string;
}

/** Deletes the comments of some rows, in every form, and takes these rows out of the index. */
export function* deleteComments(dialect: Dialect, source: SourceKey, seqs: readonly number[]): Steps<void> {
  if (seqs.length === 0) return;
  const { accountId, sourceId } = source;
  // The bounds lead PostgreSQL to the rows, whatever it thinks of the list.
  const [first, last] = seqs.reduce(
    ([least, most], seq) => [Math.min(least, seq), Math.max(most, seq)] as const,
    [seqs[0]!, seqs[0]!] as const,
  );
  const these = sql`
    account_id = ${accountId} and source_id = ${sourceId} and seq between ${first} and ${last}
      and ${dialect.isAmong(sql`seq`, seqs, 'integer')}`;
  const { rows } = yield sql`select form, seq, folded_text from comment where ${these}`;
  if (rows.length === 0) return;
  yield sql`delete from comment where ${these}`;
  const bySegment = Map.groupBy(
    rows as unknown as readonly GoneRow[],
    ({ form, seq }) => `${form} ${segmentOf(seq)}`,
  );
  for (const gone of bySegment.values()) yield* takeOutOfSegment(dialect, source, gone);
  const byForm = Map.groupBy(rows as unknown as readonly GoneRow[], ({ form }) => form);
  for (const gone of byForm.values()) yield* takeOutOfSpans(dialect, source, gone);
}

function* takeOutOfSegment(
  dialect: Dialect,
  { accountId, sourceId }: SourceKey,
  gone: readonly GoneRow[],
): Steps<void> {
  const { form, seq } = gone[0]!;
  const segment = segmentOf(seq);
  const ofSegment = sql`
    account_id = ${accountId} and source_id = ${sourceId} and form = ${form} and segment = ${segment}`;
  const found = yield sql`select group_bits from comment_segment where ${ofSegment}`;
  const groupBits = (found.rows[0]?.group_bits ?? null) as number | null;
  if (groupBits === null) return;
  const groups = new Set<number>();
  for (const { folded_text: folded } of gone)
    for (const hash of partHashes(folded)) groups.add(groupOf(hash, groupBits));
  const concerned = sql`${ofSegment} and ${dialect.isAmong(sql`part_group`, [...groups], 'integer')}`;
  const { rows } = yield sql`select part_group, parts from comment_part where ${concerned}`;
  const places = new Set(gone.map((row) => row.seq - firstSeqOf(segment)));
  const left = rows
    .map(
      ({ part_group, parts }) =>
        [part_group as number, withoutPlaces(parts as string, (place) => places.has(place))] as const,
    )
    .filter(([, parts]) => parts !== '');
  yield sql`delete from comment_part where ${concerned}`;
  if (left.length > 0) yield partRows({ accountId, sourceId }, form, segment, left);
}

/** A block of a span keeps what the comments have that are left in it. */
function* takeOutOfSpans(dialect: Dialect, source: SourceKey, gone: readonly GoneRow[]): Steps<void> {
  const { accountId, sourceId } = source;
  const { form } = gone[0]!;
  const ofForm = sql`account_id = ${accountId} and source_id = ${sourceId} and form = ${form}`;
  const { rows } = yield sql`
    select segment, group_bits
    from comment_segment
    where ${ofForm} and segment < 0 and group_bits is not null
    order by segment`;
  for (const { segment, group_bits: groupBits } of rows as unknown as readonly SpanRow[]) {
    const span = spanOfNumber(segment);
    const [first, end] = segmentsOfSpan(span);
    const ofSpan = gone.filter(({ seq }) => seq >= firstSeqOf(first) && seq < firstSeqOf(end));
    if (ofSpan.length === 0) continue;
    const blocks = Map.groupBy(ofSpan, ({ seq }) => blockOf(span, seq));
    const goneFrom = yield* hashesGone(dialect, ofForm, span, blocks);
    const groups = [...new Set([...goneFrom.keys()].map((hash) => groupOf(hash, groupBits)))];
    if (groups.length === 0) continue;
    const concerned = sql`
      ${ofForm} and segment = ${segment} and ${dialect.isAmong(sql`part_group`, groups, 'integer')}`;
    const found = yield sql`select part_group, parts from comment_part where ${concerned}`;
    const left = found.rows
      .map(({ part_group, parts }) => {
        const isGone = (place: number, hash: number): boolean => goneFrom.get(hash)?.has(place) ?? false;
        return [part_group as number, withoutPlaces(parts as string, isGone)] as const;
      })
      .filter(([, parts]) => parts !== '');
    yield sql`delete from comment_part where ${concerned}`;
    if (left.length > 0) yield partRows(source, form, segment, left);
  }
}

interface SpanRow {
  readonly segment: number;
  readonly group_bits: number;
}

/** By hash, the blocks of a span in which no comment has it any more. */
function* hashesGone(
  dialect: Dialect,
  ofForm: Sql,
  span: Span,
  blocks: ReadonlyMap<number, readonly GoneRow[]>,
): Steps<ReadonlyMap<number, ReadonlySet<number>>> {
  const seqs = [...blocks.keys()].flatMap((block) =>
    Array.from({ length: blockSeqs }, (_, at) => firstSeqOfSpan(span) + block * blockSeqs + at),
  );
  const { rows } = yield sql`
    select seq, folded_text
    from comment
    where ${ofForm} and seq between ${Math.min(...seqs)} and ${Math.max(...seqs)}
      and ${dialect.isAmong(sql`seq`, seqs, 'integer')}`;
  const left = Map.groupBy(rows as unknown as readonly GoneRow[], ({ seq }) => blockOf(span, seq));
  const goneFrom = new Map<number, Set<number>>();
  for (const [block, gone] of blocks) {
    const stays = hashesOf(left.get(block) ?? []);
    for (const hash of hashesOf(gone)) {
      if (stays.has(hash)) continue;
      const places = goneFrom.get(hash);
      if (places === undefined) goneFrom.set(hash, new Set([block]));
      else places.add(block);
    }
  }
  return goneFrom;
}

function hashesOf(comments: readonly Pick<GoneRow, 'folded_text'>[]): ReadonlySet<number> {
  const hashes = new Set<number>();
  for (const { folded_text: folded } of comments) for (const hash of partHashes(folded)) hashes.add(hash);
  return hashes;
}

export function partRows(
  { accountId, sourceId }: SourceKey,
  form: number,
  segment: number,
  groups: readonly (readonly [group: number, parts: string])[],
): ManyRows {
  return {
    table: 'comment_part',
    columns: [
      ['account_id', 'integer'],
      ['source_id', 'integer'],
      ['form', 'integer'],
      ['segment', 'integer'],
      ['part_group', 'integer'],
      ['parts', 'text'],
    ],
    rows: groups.map(([group, parts]) => [accountId, sourceId, form, segment, group, parts]),
  };
}

/**
 * Deletes some of what a form of before has, whose cursor is gone by then; the number of rows, 0 when nothing is left. Comments
 * go first: an index is only written for comments that are there.
 */
export function* deleteCommentsOfForm(
  { accountId, sourceId }: SourceKey,
  form: number,
  rowsMax: number,
): Steps<number> {
  const ofForm = sql`account_id = ${accountId} and source_id = ${sourceId} and form = ${form}`;
  const comments = yield* deleteFirst('comment', ofForm, ['seq', 'question_id'], rowsMax);
  if (comments > 0) return comments;
  const segments = yield* deleteFirst('comment_segment', ofForm, ['segment'], rowsMax);
  return segments + (yield* deleteFirst('comment_part', ofForm, ['segment', 'part_group'], rowsMax));
}
