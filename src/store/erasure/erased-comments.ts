// Comments that are left of erased responses (D-858). No release leaves one of a response with its digest that we know of, so that no index is
// kept for them: each process looks through all comments once after its start, and doctor and `soundings repair` when they are asked to.

import sql, { type Sql } from 'sql-template-tag';
import { auditSubject } from '../../domain/access/audit-subject.ts';
import type { SourceKey } from '../../domain/feedback/source-key.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import { type Db, limitOf, type Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { BackgroundTask, StepOutcome, TaskContext } from '../engine/work/background-task.ts';
import { changesOfRuns, recordChanges } from '../feedback/change-log.ts';
import { holdAccount } from '../feedback/external-parameters.ts';
import { eraseQuarantined } from '../feedback/quarantine.ts';
import { takeOutAnswers } from '../insight/insight-erasure.ts';

/** Who mends, for the audit log: a task, or whoever types the command. */
export type MendingActor = Pick<ChangeStamp, 'actor' | 'origin'>;

export const mendingActor = 'mending';
const commentsAtOnce = 5_000;
const rowsAtOnce = 256;
/** No form of figures has this number: whoever added the responses up adds them up anew (D-477). */
export const noForm = 0;

interface CommentLeft {
  readonly seq: number;
  /** Of the response. */
  readonly id: string;
}

interface SourceComments {
  readonly source: SourceKey;
  readonly left: readonly CommentLeft[];
}

/** Each service has its own, which ends: the next start looks again. */
export function erasedComments(): BackgroundTask {
  let looks: AsyncGenerator<readonly SourceComments[]> | null = null;
  const step = async (context: TaskContext): Promise<StepOutcome> => {
    looks ??= commentsLeft(context.db);
    try {
      const look = await looks.next();
      if (look.done === true) return 'done';
      for (const { source, left } of look.value)
        await takeOutComments(context, source, left, { actor: mendingActor });
      return 'moved';
    } catch (error) {
      // A generator that has failed says that it is at its end.
      looks = null;
      throw error;
    }
  };
  return {
    name: 'erased-comments',
    about: 'looks for comments that are left of erased responses',
    ends: false,
    hasOwnCursors: true,
    step,
  };
}

/** Looks through all comments, some at a time, and gives those that are left among these, by their source. */
export async function* commentsLeft(db: Db): AsyncGenerator<readonly SourceComments[]> {
  for (let accountId = await nextAccount(db, 0); accountId !== null; ) {
    yield* commentsLeftOf(db, accountId);
    accountId = await nextAccount(db, accountId);
  }
}

/** Of those with comments. */
async function nextAccount(db: Db, after: number): Promise<number | null> {
  const [row] = await db.read<{ next: number | null }>(sql`
    select min(account_id) as next from comment where account_id > ${after}`);
  return row?.next ?? null;
}

interface Place {
  readonly sourceId: number;
  readonly form: number;
  readonly seq: number;
}

async function* commentsLeftOf(db: Db, accountId: number): AsyncGenerator<readonly SourceComments[]> {
  const place = sql`(comment.source_id, comment.form, comment.seq)`;
  for (let at: Place | undefined = { sourceId: 0, form: 0, seq: 0 }; at !== undefined; ) {
    const from: Sql = sql`
      comment.account_id = ${accountId} and ${place} >= (${at.sourceId}, ${at.form}, ${at.seq})`;
    const [next] = await db.read<Place>(sql`
      select source_id as "sourceId", form, seq
      from comment
      where ${from}
      order by source_id, form, seq
      limit 1 offset ${limitOf(commentsAtOnce)}`);
    const until =
      next === undefined ? sql`` : sql`and ${place} <= (${next.sourceId}, ${next.form}, ${next.seq})`;
    const left = await db.read<CommentLeft & { sourceId: number }>(sql`
      select distinct response.source_id as "sourceId", response.seq, response_id as id
      from comment
      join response on response.account_id = ${accountId} and response.source_id = comment.source_id
        and response.seq = comment.seq
      where ${from} ${until} and hash is not null and digest is not null
      order by response.source_id, response.seq`);
    yield [...Map.groupBy(left, ({ sourceId }) => sourceId)].map(([sourceId, ofSource]) => ({
      source: { accountId, sourceId },
      left: ofSource,
    }));
    at = next;
  }
}

/** How many of them there are, of responses with their digest; no more are counted than are asked for. */
export async function countCommentsLeft(db: Db, most: number): Promise<number> {
  let count = 0;
  for await (const sources of commentsLeft(db)) {
    for (const { left } of sources) count += left.length;
    if (count >= most) return most;
  }
  return count;
}

/** How many comments went. */
export async function takeOutComments(
  { db, now, newId }: TaskContext,
  source: SourceKey,
  left: readonly CommentLeft[],
  by: MendingActor,
): Promise<number> {
  const name = await sourceName(db, source);
  let comments = 0;
  for (let first = 0; first < left.length; first += rowsAtOnce) {
    const some = left.slice(first, first + rowsAtOnce);
    const stamp = { ...by, changeId: newId(), nowMs: now() };
    comments += await db.write(takeOutCommentsLeft, { source, left: some, name, ...stamp });
  }
  return comments;
}

interface CommentsLeft extends ChangeStamp {
  readonly source: SourceKey;
  readonly left: readonly CommentLeft[];
  /** Of the source, for the audit log. */
  readonly name: string;
}

export function* takeOutCommentsLeft(input: CommentsLeft, dialect: Dialect): Steps<number> {
  const { source, left, name } = input;
  const { accountId, sourceId } = source;
  const seqs = left.map(({ seq }) => seq);
  yield* holdAccount(accountId);
  const ids = left.map(({ id }) => id);
  const comments = yield* takeOutErased(dialect, source, seqs, ids, input.nowMs);
  yield auditStatement(input, {
    accountId,
    action: 'responses.mend',
    ...auditSubject('commentsTaken', { count: comments, source: name }),
  });
  yield* recordChanges(dialect, input, accountId, changesOfRuns(sourceId, 'erased', seqs), noForm);
  return comments;
}

export async function sourceName(db: Db, { accountId, sourceId }: SourceKey): Promise<string> {
  const [row] = await db.read<{ kind: string; key: number }>(sql`
    select kind, source_key as key
    from source
    where account_id = ${accountId} and source_id = ${sourceId}`);
  return row === undefined ? `source ${sourceId}` : `${row.kind} ${row.key}`;
}

/** Takes what was said out of everything that is kept beside the log. How many comments there were. */
export function* takeOutErased(
  dialect: Dialect,
  source: SourceKey,
  seqs: readonly number[],
  ids: readonly string[],
  nowMs: number,
): Steps<number> {
  const { accountId, sourceId } = source;
  yield* dialect.overwriteDeleted();
  yield* eraseQuarantined(accountId, ids, nowMs, dialect);
  const places = sql`
    account_id = ${accountId} and source_id = ${sourceId} and ${dialect.isAmong(sql`seq`, seqs, 'integer')}`;
  yield sql`delete from response_body where ${places}`;
  yield sql`delete from response_external where ${places}`;
  const { rows } = yield sql`select count(*) as count from comment where ${places}`;
  yield* takeOutAnswers(dialect, source, [], seqs);
  return rows[0]?.count as number;
}
