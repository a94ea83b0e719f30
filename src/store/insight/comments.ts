// Comments as they are kept for searching, and how they come and go (D-498).
//
// Whoever rolls rows up writes their comments in the transaction that moves the cursor:
//
//     for (const row of rows) comments.push(...(await withPauses(commentsToKeep(given, row), pause)));
//     yield commentRows(source, form, comments);
//
// and calls `indexComments` (comment-index.ts) behind it, outside of any transaction. Whoever empties rows deletes their comments
// in the same transaction, having counted up `moves` of the cursors of the source first, in every form:
//
//     yield* deleteComments(dialect, source, seqs);
//
// Both are true for rows that have no comments too.

import sql, { type Sql } from 'sql-template-tag';
import type { SourceKey } from '../../domain/feedback/source-key.ts';
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
import type { Interruptible } from '../../domain/interruptible.ts';
import { type Db, insertInto, type ManyRows, type Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import { deleteFirst } from '../feedback/removal.ts';

export interface CommentToKeep {
  readonly seq: number;
  readonly day: number;
  readonly questionId: string;
  readonly folded: string;
}

/** The comments of a row that was just read into `given`. */
export function* commentsToKeep(
  given: Pick<GivenRow, 'survey' | 'texts'>,
  { seq, day }: { readonly seq: number; readonly day: number },
): Interruptible<readonly CommentToKeep[]> {
  const comments: CommentToKeep[] = [];
  for (const { questionId, text } of commentsOfRow(given))
    comments.push({ seq, day, questionId, folded: yield* foldedComment(text) });
  return comments;
}

/** To be written where there are any. Written again, they are the same. */
export function commentRows(
  { accountId, sourceId }: SourceKey,
  form: number,
  comments: readonly CommentToKeep[],
): ManyRows {
  return insertInto(
    'comment',
    comments,
    {
      account_id: ['integer', () => accountId],
      source_id: ['integer', () => sourceId],
      form: ['integer', () => form],
      seq: ['integer', ({ seq }) => seq],
      question_id: ['text', ({ questionId }) => questionId],
      day: ['integer', ({ day }) => day],
      folded_text: ['text', ({ folded }) => folded],
    },
    'on conflict (account_id, source_id, form, seq, question_id) do nothing',
  );
}

/** A comment of more bytes is read by itself, and searches look at it in the log alone (D-742). */
const smallCommentBytes = 16 * 1024;

/** Whether a comment is small, as a condition of a query over `comment`. */
export const isSmallComment: Sql = sql`octet_length(folded_text) <= ${smallCommentBytes}`;

/** The text of a small comment, as a value of such a query; null of another one. */
export const smallFolded: Sql = sql`case when ${isSmallComment} then folded_text end`;

/** The text of one comment; null where it has gone. */
export async function largeComment(
  db: Db,
  { form, ...source }: SourceKey & { readonly form: number },
  seq: number,
  questionId: string,
): Promise<string | null> {
  const [row] = await db.read<{ folded: string }>(sql`
    select folded_text as folded
    from comment
    where ${ofBuild(source, form)} and seq = ${seq} and question_id = ${questionId}`);
  return row?.folded ?? null;
}

function ofBuild({ accountId, sourceId }: SourceKey, form: number): Sql {
  return sql`account_id = ${accountId} and source_id = ${sourceId} and form = ${form}`;
}

// ---- comments that go

/** The texts of so many bytes are read at once, and of one comment in any case: an erasure is of up to a thousand responses (D-776). */
const goneBytesMax = 1024 * 1024;
/** Of so many blocks the comments that stay are read at once, the small ones. */
const blocksAtOnce = 64;

interface GoneComment {
  readonly form: number;
  readonly seq: number;
  readonly bytes: number;
}

interface FoldedRow {
  readonly seq: number;
  readonly folded: string;
}

/** Deletes the comments of some rows, in every form, and takes these rows out of the index. */
export function* deleteComments(dialect: Dialect, source: SourceKey, seqs: readonly number[]): Steps<void> {
  if (seqs.length === 0) return;
  const { accountId, sourceId } = source;
  const these = sql`account_id = ${accountId} and source_id = ${sourceId} and ${rowsAmong(dialect, seqs)}`;
  const { rows } =
    yield sql`select form, seq, octet_length(folded_text) as bytes from comment where ${these}`;
  if (rows.length === 0) return;
  const byForm = Map.groupBy(rows as unknown as readonly GoneComment[], ({ form }) => form);
  for (const [form, gone] of byForm) {
    const lists = yield* listsWith(dialect, source, form, gone);
    // Where the text is in no list, nobody has to know it.
    const listed = gone.filter(({ seq }) => lists.some(({ first, end }) => seq >= first && seq < end));
    for (const some of slicesOf(listed)) yield* takeOut(dialect, source, form, lists, some);
  }
  yield sql`delete from comment where ${these}`;
}

/** The bounds lead PostgreSQL to the rows, whatever it thinks of the list. */
function rowsAmong(dialect: Dialect, seqs: readonly number[]): Sql {
  let [first, last] = [seqs[0]!, seqs[0]!];
  for (const seq of seqs) {
    if (seq < first) first = seq;
    if (seq > last) last = seq;
  }
  return sql`seq between ${first} and ${last} and ${dialect.isAmong(sql`seq`, seqs, 'integer')}`;
}

/** A segment or span that has lists: its rows from `first` to before `end`. */
interface Lists {
  readonly number: number;
  readonly groupBits: number;
  readonly first: number;
  readonly end: number;
}

/** Of the segments of these comments, and of all spans, those that have lists. */
function* listsWith(
  dialect: Dialect,
  source: SourceKey,
  form: number,
  gone: readonly GoneComment[],
): Steps<readonly Lists[]> {
  const segments = [...new Set(gone.map(({ seq }) => segmentOf(seq)))];
  const { rows } = yield sql`
    select segment, group_bits
    from comment_segment
    where ${ofBuild(source, form)} and group_bits is not null
      and (segment < 0 or ${dialect.isAmong(sql`segment`, segments, 'integer')})
    order by segment`;
  return rows.map((row) => {
    const number = row.segment as number;
    const [from, until] = number < 0 ? segmentsOfSpan(spanOfNumber(number)) : [number, number + 1];
    return {
      ...{ number, groupBits: row.group_bits as number },
      ...{ first: firstSeqOf(from), end: firstSeqOf(until) },
    };
  });
}

/** The rows of these comments, in pieces whose texts are read at once. */
function* slicesOf(comments: readonly GoneComment[]): Generator<readonly number[]> {
  let seqs = new Set<number>();
  let bytes = 0;
  for (const comment of comments) {
    if (bytes > 0 && bytes + comment.bytes > goneBytesMax && !seqs.has(comment.seq)) {
      yield [...seqs];
      seqs = new Set();
      bytes = 0;
    }
    seqs.add(comment.seq);
    bytes += comment.bytes;
  }
  if (seqs.size > 0) yield [...seqs];
}

/** Deletes the comments of some rows, and takes them out of the lists that have them. */
function* takeOut(
  dialect: Dialect,
  source: SourceKey,
  form: number,
  lists: readonly Lists[],
  seqs: readonly number[],
): Steps<void> {
  const these = sql`${ofBuild(source, form)} and ${rowsAmong(dialect, seqs)}`;
  const { rows } = yield sql`select seq, folded_text as folded from comment where ${these}`;
  const gone = rows as unknown as readonly FoldedRow[];
  yield sql`delete from comment where ${these}`;
  for (const some of lists) {
    const its = gone.filter(({ seq }) => seq >= some.first && seq < some.end);
    if (its.length === 0) continue;
    if (some.number < 0) yield* takeOutOfSpan(dialect, source, form, some, its);
    else yield* takeOutOfSegment(dialect, source, form, some, its);
  }
}

function* takeOutOfSegment(
  dialect: Dialect,
  source: SourceKey,
  form: number,
  lists: Lists,
  gone: readonly FoldedRow[],
): Steps<void> {
  const places = new Set(gone.map(({ seq }) => seq - lists.first));
  yield* rewriteLists(dialect, source, form, lists, hashesOf(gone), (place) => places.has(place));
}

/** A block of a span keeps what the comments have that are left in it. */
function* takeOutOfSpan(
  dialect: Dialect,
  source: SourceKey,
  form: number,
  lists: Lists,
  gone: readonly FoldedRow[],
): Steps<void> {
  const span = spanOfNumber(lists.number);
  const blocks = [...Map.groupBy(gone, ({ seq }) => blockOf(span, seq))];
  const goneFrom = new Map<number, Set<number>>();
  for (let at = 0; at < blocks.length; at += blocksAtOnce) {
    const hashes = new Map(blocks.slice(at, at + blocksAtOnce).map(([block, its]) => [block, hashesOf(its)]));
    yield* withoutThoseLeft(dialect, ofBuild(source, form), span, hashes);
    for (const [block, its] of hashes)
      for (const hash of its) {
        const places = goneFrom.get(hash);
        if (places === undefined) goneFrom.set(hash, new Set([block]));
        else places.add(block);
      }
  }
  const isGone = (place: number, hash: number): boolean => goneFrom.get(hash)?.has(place) ?? false;
  yield* rewriteLists(dialect, source, form, lists, goneFrom.keys(), isGone);
}

/** Takes away from what blocks had what the comments have that are left in them. */
function* withoutThoseLeft(
  dialect: Dialect,
  ofForm: Sql,
  span: Span,
  hashes: ReadonlyMap<number, Set<number>>,
): Steps<void> {
  const seqs = [...hashes.keys()].flatMap((block) =>
    Array.from({ length: blockSeqs }, (_, at) => firstSeqOfSpan(span) + block * blockSeqs + at),
  );
  const { rows } = yield sql`
    select seq, question_id, ${smallFolded} as folded
    from comment
    where ${ofForm} and ${rowsAmong(dialect, seqs)}`;
  for (const { seq, question_id: id, folded } of rows as unknown as readonly LeftRow[]) {
    let text = folded;
    if (text === null) {
      const large = yield sql`
        select folded_text from comment where ${ofForm} and seq = ${seq} and question_id = ${id}`;
      text = large.rows[0]!.folded_text as string;
    }
    const ofBlock = hashes.get(blockOf(span, seq))!;
    for (const hash of partHashes(text)) ofBlock.delete(hash);
  }
}

interface LeftRow {
  readonly seq: number;
  readonly question_id: string;
  readonly folded: string | null;
}

/** Writes the rows of the index that have some groups of characters without the places that are gone. */
function* rewriteLists(
  dialect: Dialect,
  source: SourceKey,
  form: number,
  { number, groupBits }: Lists,
  hashes: Iterable<number>,
  isGone: (place: number, hash: number) => boolean,
): Steps<void> {
  const groups = new Set<number>();
  for (const hash of hashes) groups.add(groupOf(hash, groupBits));
  if (groups.size === 0) return;
  const concerned = sql`
    ${ofBuild(source, form)} and segment = ${number} and ${dialect.isAmong(sql`part_group`, [...groups], 'integer')}`;
  const { rows } = yield sql`select part_group, parts from comment_part where ${concerned}`;
  const left = rows
    .map(({ part_group, parts }) => [part_group as number, withoutPlaces(parts as string, isGone)] as const)
    .filter(([, parts]) => parts !== '');
  yield sql`delete from comment_part where ${concerned}`;
  if (left.length > 0) yield partRows(source, form, number, left);
}

function hashesOf(comments: readonly FoldedRow[]): Set<number> {
  const hashes = new Set<number>();
  for (const { folded } of comments) for (const hash of partHashes(folded)) hashes.add(hash);
  return hashes;
}

export function partRows(
  { accountId, sourceId }: SourceKey,
  form: number,
  segment: number,
  groups: readonly (readonly [group: number, parts: string])[],
): ManyRows {
  return insertInto('comment_part', groups, {
    account_id: ['integer', () => accountId],
    source_id: ['integer', () => sourceId],
    form: ['integer', () => form],
    segment: ['integer', () => segment],
    part_group: ['integer', ([group]) => group],
    parts: ['text', ([, parts]) => parts],
  });
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
  const ofForm = ofBuild({ accountId, sourceId }, form);
  const comments = yield* deleteFirst('comment', ofForm, ['seq', 'question_id'], rowsMax);
  if (comments > 0) return comments;
  const segments = yield* deleteFirst('comment_segment', ofForm, ['segment'], rowsMax);
  return segments + (yield* deleteFirst('comment_part', ofForm, ['segment', 'part_group'], rowsMax));
}
