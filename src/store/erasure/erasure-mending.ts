// Mends what an older release leaves undone when it erases a response on the newer schema, as after a roll-back (D-858): its comment stays in
// the index, its answers stay in the figures, nobody who follows the source is told, and the digest of its day is that of a body
// which is gone. Such a release cannot leave a note; but it keeps no digest of the response either, and by that it is found.
//
// A log is mended day by day. First what was said goes. Then the digest of the day is folded anew, some blocks at a time, and how far that
// has come is kept in the cursor of the task. The last transaction keeps the digest, gives the responses theirs, which is the
// hash of D-41 (D-251), and tells those who follow. Only then are they no longer found; so whoever is killed leaves nothing undone.

import sql, { type Sql } from 'sql-template-tag';
import { auditNote } from '../../domain/access/audit-note.ts';
import { auditSubject } from '../../domain/access/audit-subject.ts';
import { dayText } from '../../domain/dates.ts';
import { blockSize } from '../../domain/feedback/block.ts';
import { DayDigests } from '../../domain/feedback/digest.ts';
import type { SourceKey } from '../../domain/feedback/source-key.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import { type Db, limitOf, type Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import {
  type BackgroundTask,
  findTask,
  moveOf,
  moveTask,
  moveTaskAlone,
  type StepOutcome,
  type TaskContext,
  type TaskCursor,
  type TaskMove,
} from '../engine/work/background-task.ts';
import { changesOfRuns, recordChanges } from '../feedback/change-log.ts';
import { rowDigests } from '../feedback/day-digests.ts';
import { holdAccount } from '../feedback/external-parameters.ts';
import { renewMarks } from '../feedback/log-history.ts';
import {
  commentsLeft,
  type MendingActor,
  mendingActor,
  noForm,
  sourceName,
  takeOutComments,
  takeOutErased,
} from './erased-comments.ts';

export const mendingName = 'erasures';
/** An older replica may serve beside this one for as long as a roll-out takes. */
const lookMs = 600_000;
const sourcesAtOnce = 100;
const rowsAtOnce = 256;
const blocksAtOnce = 4;

/** The condition of the index of step 30, word for word: neither engine uses it otherwise. */
const isUnmended = sql`hash is not null and digest is null`;

export const erasureMending: BackgroundTask = {
  name: mendingName,
  about: 'mends responses that an older release has erased',
  ends: false,
  lookMs,
  scopes: async ({ db }) =>
    (await unmendedSources(db)).map(({ accountId, sourceId }) => ({ accountId, scope: String(sourceId) })),
  step: async (context, at) => (await mendSome(context, at)).outcome,
};

/** Sources with responses to be mended: the first ones, in the order of accounts. */
export async function unmendedSources(db: Db): Promise<readonly SourceKey[]> {
  const sources: SourceKey[] = [];
  let last = 0;
  while (sources.length < sourcesAtOnce) {
    const [row] = await db.read<{ next: number | null }>(sql`
      select min(account_id) as next
      from response
      where account_id > ${last} and ${isUnmended}`);
    if (row === undefined || row.next === null) break;
    const accountId = row.next;
    const found = await db.read<{ source_id: number }>(sql`
      select distinct source_id
      from response
      where account_id = ${accountId} and ${isUnmended}
      order by source_id
      limit ${limitOf(sourcesAtOnce)}`);
    sources.push(...found.map(({ source_id: sourceId }) => ({ accountId, sourceId })));
    last = accountId;
  }
  return sources.slice(0, sourcesAtOnce);
}

/** How many of them there are; no more are counted than are asked for. */
export async function countUnmended(db: Db, most: number): Promise<number> {
  let count = 0;
  for (const { accountId, sourceId } of await unmendedSources(db)) {
    const [row] = await db.read<{ count: number }>(sql`
      select count(*) as count
      from (
        select 1
        from response
        where account_id = ${accountId} and source_id = ${sourceId} and ${isUnmended}
        limit ${limitOf(most)}
      ) as unmended`);
    count += row?.count ?? 0;
    if (count >= most) return most;
  }
  return count;
}

/** Where the mending of a log stands. */
interface MendedDay {
  readonly day: number;
  /** The responses of the day that were found when its digest was begun: one that is erased meanwhile has a day of its own. */
  readonly seqs: readonly number[];
  /** The digest over the responses of the day up to this one. */
  readonly seq: number;
  readonly digest: string;
  readonly count: number;
}

export interface MendingStep {
  readonly outcome: StepOutcome;
  /** Of this step: comments that went, and the day that is mended now. */
  readonly comments: number;
  readonly mended: { readonly day: string; readonly responses: number; readonly isChanged: boolean } | null;
}

interface UnmendedRow {
  readonly seq: number;
  readonly day: number;
  readonly id: string;
}

/** One step for a source: the scope is its number. */
export async function mendSome(
  { db, now, newId }: TaskContext,
  at: TaskCursor,
  by: MendingActor = { actor: mendingActor },
): Promise<MendingStep> {
  const nothing: MendingStep = { outcome: 'idle', comments: 0, mended: null };
  const source: SourceKey = { accountId: at.accountId, sourceId: Number(at.scope) };
  const rows = await db.read<UnmendedRow>(unmendedRows(source));
  if (rows.length === 0) return nothing;
  const state = at.cursor === '' ? null : (JSON.parse(at.cursor) as MendedDay);
  const isFound = state?.seqs.some((seq) => rows.some((row) => row.seq === seq));
  const stamp: ChangeStamp = { ...by, changeId: newId(), nowMs: now() };
  if (state === null || !isFound) {
    const { day } = rows[0]!;
    const these = rows.filter((row) => row.day === day);
    const begun: MendedDay = { day, seqs: these.map(({ seq }) => seq), seq: 0, digest: '', count: 0 };
    const move = moveOf(at, JSON.stringify(begun), stamp.nowMs);
    const ids = these.map(({ id }) => id);
    const comments = await db.write(beginMending, { source, seqs: begun.seqs, ids, move, ...stamp });
    return comments === null ? { ...nothing, outcome: 'lost' } : { ...nothing, outcome: 'moved', comments };
  }
  const { folded, digestedSeq, isEnd } = await foldOn(db, source, state);
  if (!isEnd) {
    const isMoved = await db.write(moveTaskAlone, moveOf(at, JSON.stringify(folded), stamp.nowMs));
    return { ...nothing, outcome: isMoved ? 'moved' : 'lost' };
  }
  const outcome = await db.write(endMending, {
    ...{ source, folded, digestedSeq, name: await sourceName(db, source), ...stamp },
    move: moveOf(at, '', stamp.nowMs),
  });
  if (outcome === null) return { ...nothing, outcome: 'lost' };
  return { ...nothing, outcome: 'moved', mended: { day: dayText(state.day), ...outcome } };
}

function unmendedRows({ accountId, sourceId }: SourceKey): Sql {
  return sql`
    select seq, day, response_id as id
    from response
    where account_id = ${accountId} and source_id = ${sourceId} and ${isUnmended}
    order by seq
    limit ${limitOf(rowsAtOnce)}`;
}

/** Folds the responses of the day in some more blocks, as far as digests are kept. */
async function foldOn(
  db: Db,
  source: SourceKey,
  state: MendedDay,
): Promise<{ readonly folded: MendedDay; readonly digestedSeq: number; readonly isEnd: boolean }> {
  const { accountId, sourceId } = source;
  const { day } = state;
  const [counter] = await db.read<{ digested_seq: number }>(sql`
    select digested_seq
    from log_counter
    where account_id = ${accountId} and source_id = ${sourceId}`);
  const digestedSeq = counter?.digested_seq ?? 0;
  const blocks = await db.read<{ block: number }>(sql`
    select block
    from log_block
    where account_id = ${accountId} and source_id = ${sourceId}
      and block >= ${Math.floor(state.seq / blockSize)} and block < ${Math.floor(digestedSeq / blockSize)}
      and day_min <= ${day} and day_max >= ${day}
    order by block
    limit ${limitOf(blocksAtOnce)}`);
  const digests = new DayDigests([[day, { digest: state.digest, count: state.count }]]);
  for (const { block } of blocks)
    for await (const rows of rowDigests(
      db,
      source,
      [block * blockSize, (block + 1) * blockSize],
      async () => {},
    ))
      for (const row of rows) if (row.day === day) digests.add(row);
  const isEnd = blocks.length < blocksAtOnce;
  const last = blocks.at(-1);
  const seq = isEnd ? digestedSeq : last === undefined ? state.seq : (last.block + 1) * blockSize;
  const [[, digest]] = digests.entries() as [readonly [number, { digest: string; count: number }]];
  return { folded: { ...state, seq, ...digest }, digestedSeq, isEnd };
}

interface MendingBegin extends ChangeStamp {
  readonly source: SourceKey;
  readonly seqs: readonly number[];
  /** Of the responses. */
  readonly ids: readonly string[];
  readonly move: TaskMove;
}

/** Takes out what a person said, wherever the older release did not know of it. How many comments went; null: somebody else was first. */
export function* beginMending(input: MendingBegin, dialect: Dialect): Steps<number | null> {
  const { source, seqs, ids, move, nowMs } = input;
  const { accountId } = source;
  if (!(yield* moveTask(move))) return null;
  yield* holdAccount(accountId);
  return yield* takeOutErased(dialect, source, seqs, ids, nowMs);
}

interface MendingEnd extends ChangeStamp {
  readonly source: SourceKey;
  readonly folded: MendedDay;
  /** Up to here the digest of the day goes. */
  readonly digestedSeq: number;
  /** For the audit log. */
  readonly name: string;
  readonly move: TaskMove;
}

/** Keeps the digest of the day and those of the responses, and tells of them. Null: somebody else was first, or blocks were filled. */
export function* endMending(
  input: MendingEnd,
  dialect: Dialect,
): Steps<{ readonly responses: number; readonly isChanged: boolean } | null> {
  const { source, folded, digestedSeq, name, move } = input;
  const { accountId, sourceId } = source;
  const { day, digest, count } = folded;
  yield* holdAccount(accountId);
  const [counter] = yield* dialect.holdRows({
    table: 'log_counter',
    key: ['account_id', 'source_id'],
    keys: [[accountId, sourceId]],
    columns: ['digested_seq'],
    mayWait: true,
  });
  // The digest then goes on from where it has come: the cursor stays.
  if (counter?.digested_seq !== digestedSeq) return null;
  if (!(yield* moveTask(move))) return null;
  const ofDay = sql`account_id = ${accountId} and source_id = ${sourceId} and day = ${day}`;
  const { changed } = yield sql`
    update log_day
    set digest = ${digest}, digested = ${count}
    where ${ofDay} and digested > 0 and digest <> ${digest}`;
  const isChanged = changed > 0;
  const { rows } = yield sql`
    select seq
    from response
    where account_id = ${accountId} and source_id = ${sourceId} and ${isUnmended}
      and ${dialect.isAmong(sql`seq`, folded.seqs, 'integer')}`;
  const seqs = rows.map(({ seq }) => seq as number);
  yield sql`
    update response
    set digest = ${dialect.hexOfHash(sql`response.hash`)}
    where account_id = ${accountId} and source_id = ${sourceId} and ${isUnmended}
      and ${dialect.isAmong(sql`seq`, seqs, 'integer')}`;
  yield* renewMarks(dialect, source, seqs, input.changeId);
  const mended = auditSubject('mended', { count: seqs.length, source: name, day: dayText(day) });
  yield auditStatement(input, {
    accountId,
    action: 'responses.mend',
    subject: mended.subject,
    details: { ...mended.details, ...(isChanged && auditNote('digestChanged', { day: dayText(day) })) },
  });
  yield* recordChanges(dialect, input, accountId, changesOfRuns(sourceId, 'erased', seqs), noForm);
  return { responses: seqs.length, isChanged };
}

/** What was mended of a source. */
export interface MendedSource extends SourceKey {
  readonly name: string;
  readonly responses: number;
  readonly comments: number;
  readonly days: readonly string[];
  readonly daysWithNewDigest: readonly string[];
}

/** All of it at once, for whoever does not want to wait for the tasks. */
export async function* mendAll(context: TaskContext, by: MendingActor): AsyncGenerator<MendedSource> {
  const { db } = context;
  for (let sources = await unmendedSources(db); sources.length > 0; sources = await unmendedSources(db))
    for (const source of sources) yield await mendSource(context, source, by);
  for await (const sources of commentsLeft(db))
    for (const { source, left } of sources) {
      const name = await sourceName(db, source);
      const comments = await takeOutComments(context, source, left, by);
      yield { ...source, name, responses: left.length, comments, days: [], daysWithNewDigest: [] };
    }
}

async function mendSource(context: TaskContext, source: SourceKey, by: MendingActor): Promise<MendedSource> {
  const scope = { accountId: source.accountId, scope: String(source.sourceId) };
  const done = { responses: 0, comments: 0, days: [] as string[], daysWithNewDigest: [] as string[] };
  for (;;) {
    const at = await findTask(context.db, mendingName, scope);
    const { outcome, comments, mended } = await mendSome(context, at, by);
    if (outcome === 'idle') return { ...source, name: await sourceName(context.db, source), ...done };
    done.comments += comments;
    if (mended === null) continue;
    done.responses += mended.responses;
    done.days.push(mended.day);
    if (mended.isChanged) done.daysWithNewDigest.push(mended.day);
  }
}
