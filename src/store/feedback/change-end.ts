// Changes of a log end when they are older than they are to be kept (D-894): whole days, a slice at a time, always the oldest ones,
// so that those that are left are numbered without a gap. The newest change of a source stays, and so does every change that somebody
// who follows the log has not passed: the roll-up, or a webhook.
//
// How far the changes of a source have ended is kept as the cursor of the task, in the transaction that deletes them: the number, the
// position and the mark of the last one. By these a reader knows whether something behind its cursor is gone (change-reader.ts).

import sql, { type Sql } from 'sql-template-tag';
import { dayMs, dayOf } from '../../domain/dates.ts';
import { Problem } from '../../domain/problem.ts';
import { accountIds } from '../access/accounts.ts';
import { type Db, limitOf, type Steps } from '../engine/db.ts';
import { readTrustedNow, type TrustedMs } from '../engine/trusted-time.ts';
import {
  type BackgroundTask,
  findTask,
  moveOf,
  moveTask,
  type TaskMove,
  type TaskScope,
} from '../engine/work/background-task.ts';
import { webhookTask } from '../webhooks/follower-name.ts';
import type { SourceId } from './log-places.ts';

export const changeEndName = 'change-end';

const sliceRows = 1_000;
const sourcesAtOnce = 500;
const scopesAtOnce = 50;
const lookAgainMs = 3_600_000;

/** The last change of a source that is gone; all zero where none is. */
export interface EndedChange {
  readonly changeNo: number;
  readonly position: number;
}

export function changeEndScope({ accountId, sourceId }: SourceId): TaskScope {
  return { accountId, scope: `${scopePrefix}${sourceId}` };
}

const scopePrefix = 'source ';

function sourceOf({ accountId, scope }: TaskScope): SourceId {
  return { accountId, sourceId: Number(scope.slice(scopePrefix.length)) };
}

/** The cursor of a source, which is empty before anything has ended: number, position, mark. */
export function readEndedChange(cursor: string): EndedChange {
  const [changeNo = 0, position = 0] = cursor.split(' ', 2).map(Number);
  return { changeNo, position };
}

export function markOfEnded(cursor: string): string {
  return cursor.split(' ').slice(2).join(' ');
}

/** Changes that were kept for as long as they are: so many whole days behind their own. */
export function endedChanges(now: TrustedMs, keptDays: number): Sql {
  return sql`at < ${endedBeforeMs(now, keptDays)}`;
}

function endedBeforeMs(now: TrustedMs, keptDays: number): number {
  return (dayOf(now) - keptDays) * dayMs;
}

/** What a process has found to do, and when it looked. */
interface Look {
  readonly atMs: number;
  readonly due: Map<string, TaskScope>;
}

const looks = new WeakMap<Db, Look>();

/** Looks once an hour for sources whose oldest change has ended. */
export const changeEnd: BackgroundTask = {
  name: changeEndName,
  about: 'deletes changes of the feed older than SOUNDINGS_CHANGES_DAYS',
  ends: false,
  async scopes({ config, db, now }) {
    if (config.changesDays === 0) return [];
    const nowMs = now();
    let look = looks.get(db);
    // The wall clock may be set in either direction.
    if (look === undefined || (look.due.size === 0 && Math.abs(nowMs - look.atMs) >= lookAgainMs)) {
      look = { atMs: nowMs, due: await dueScopes(db, await readTrustedNow(db, nowMs), config.changesDays) };
      looks.set(db, look);
    }
    return [...look.due.values()].slice(0, scopesAtOnce);
  },
  async step({ config, db, now }, at) {
    const nowMs = now();
    const source = sourceOf(at);
    const trusted = await readTrustedNow(db, nowMs);
    const last = await lastEnded(
      db,
      source,
      readEndedChange(at.cursor).changeNo,
      trusted,
      config.changesDays,
    );
    if (last === null) {
      looks.get(db)?.due.delete(keyOf(at));
      return 'idle';
    }
    const cursor = `${last.changeNo} ${last.position} ${last.mark}`;
    const slice = {
      ...source,
      move: moveOf(at, cursor, nowMs),
      lastNo: last.changeNo,
      now: trusted,
      keptDays: config.changesDays,
    };
    return (await db.write(endChanges, slice)) === null ? 'lost' : 'moved';
  },
};

interface ChangeSlice extends SourceId {
  readonly move: TaskMove;
  /** The last change that goes; none behind the place of before and up to here is younger. */
  readonly lastNo: number;
  readonly now: TrustedMs;
  readonly keptDays: number;
}

/** How many went; null when another replica was first. */
export function* endChanges(slice: ChangeSlice): Steps<number | null> {
  const { accountId, sourceId, lastNo, now, keptDays } = slice;
  if (!(yield* moveTask(slice.move))) return null;
  const { changed } = yield sql`
    delete from log_change
    where account_id = ${accountId} and source_id = ${sourceId} and change_no <= ${lastNo}
      and ${endedChanges(now, keptDays)}`;
  return changed;
}

interface ChangeRow extends EndedChange {
  readonly mark: string;
  readonly atMs: number;
}

/** The last change of the next slice; null when none has ended. One that is younger holds back those behind it. */
async function lastEnded(
  db: Db,
  source: SourceId,
  after: number,
  now: TrustedMs,
  keptDays: number,
): Promise<ChangeRow | null> {
  const { accountId, sourceId } = source;
  const rows = await db.read<ChangeRow>(sql`
    select change_no as "changeNo", position, mark, at as "atMs"
    from log_change
    where account_id = ${accountId} and source_id = ${sourceId}
      and change_no > ${after} and change_no <= ${await lastPassed(db, source)}
    order by change_no
    limit ${limitOf(sliceRows)}`);
  const beforeMs = endedBeforeMs(now, keptDays);
  const young = rows.findIndex(({ atMs }) => atMs >= beforeMs);
  return (young < 0 ? rows : rows.slice(0, young)).at(-1) ?? null;
}

/** The last change that nobody needs any more: not the newest one, and none that somebody who follows the log has not passed. */
async function lastPassed(db: Db, source: SourceId): Promise<number> {
  const { accountId, sourceId } = source;
  // Where nothing is added up yet, the rows are read as they are by then.
  const rows = await db.read<{ changeNo: number | null }>(sql`
    select change_no - 1 as "changeNo"
    from log_counter
    where account_id = ${accountId} and source_id = ${sourceId}
    union all
    select min(change_no)
    from insight_cursor
    where account_id = ${accountId} and source_id = ${sourceId} and rolled_seq > 0`);
  const numbers = rows.flatMap(({ changeNo }) => (changeNo === null ? [] : [Number(changeNo)]));
  const followed = await db.read(sql`
    select 1 as found
    from webhook
    where account_id = ${accountId} and events like '% response.%'
    limit 1`);
  if (followed.length > 0) {
    const { cursor } = await findTask(db, webhookTask, changeEndScope(source));
    numbers.push(Number(cursor.split(' ')[1] ?? 0));
  }
  return rows.length === 0 ? 0 : Math.min(...numbers);
}

/** In another order for each process, so that replicas meet at few logs. */
async function dueScopes(db: Db, now: TrustedMs, keptDays: number): Promise<Map<string, TaskScope>> {
  const due: TaskScope[] = [];
  for (const accountId of await accountIds(db)) {
    for (const sourceId of await dueSources(db, accountId, endedChanges(now, keptDays)))
      due.push(changeEndScope({ accountId, sourceId }));
    await nextTurn();
  }
  const first = Math.floor(Math.random() * due.length);
  return new Map([...due.slice(first), ...due.slice(0, first)].map((scope) => [keyOf(scope), scope]));
}

/** Sources whose oldest change has ended, and is not their newest one. */
async function dueSources(db: Db, accountId: number, ended: Sql): Promise<readonly number[]> {
  try {
    return await endedSources(db, accountId, ended);
  } catch (error) {
    // Where accounts are spread, one that cannot be reached holds up no other: the next look asks it again.
    if (db.dialect.isSpread && error instanceof Problem) return [];
    throw error;
  }
}

async function endedSources(db: Db, accountId: number, ended: Sql): Promise<readonly number[]> {
  const due: number[] = [];
  for (let last = 0; ; ) {
    const rows = await db.read<{ sourceId: number; isDue: number }>(sql`
      select source.source_id as "sourceId", (
        select count(*)
        from (
          select change_no, at
          from log_change
          where log_change.account_id = ${accountId} and log_change.source_id = source.source_id
          order by change_no
          limit 1
        ) as oldest
        where ${ended} and oldest.change_no < log_counter.change_no
      ) as "isDue"
      from source
      join log_counter on log_counter.account_id = ${accountId} and log_counter.source_id = source.source_id
      where source.account_id = ${accountId} and source.source_id > ${last} and log_counter.change_no > 1
      order by source.source_id
      limit ${limitOf(sourcesAtOnce)}`);
    due.push(...rows.filter(({ isDue }) => isDue > 0).map(({ sourceId }) => sourceId));
    if (rows.length < sourcesAtOnce) return due;
    last = rows.at(-1)!.sourceId;
    await nextTurn();
  }
}

function keyOf({ accountId, scope }: TaskScope): string {
  return `${accountId} ${scope}`;
}

/** Requests of this process come first. */
function nextTurn(): Promise<void> {
  return new Promise((resume) => setImmediate(resume));
}
