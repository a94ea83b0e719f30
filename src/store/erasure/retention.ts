// Responses are emptied when they have been kept for as long as their account, measure or project says (D-271, D-272): a
// slice at a time, each in a transaction that also moves the cursor of its log, so that replicas share the work.

import sql from 'sql-template-tag';
import { auditSubject } from '../../domain/access/audit-subject.ts';
import { dayOf, dayText } from '../../domain/dates.ts';
import {
  firstKeptDay,
  nextStretch,
  type RetentionState,
  type RetentionStretch,
  readState,
  stateAfter,
  writeState,
} from '../../domain/feedback/retention.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import { type Db, limitOf, type Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import { readTrustedNow } from '../engine/trusted-time.ts';
import {
  type BackgroundTask,
  findTask,
  moveOf,
  moveTask,
  type TaskContext,
  type TaskCursor,
  type TaskMove,
  type TaskScope,
} from '../engine/work/background-task.ts';
import { changesOfRuns, recordChanges } from '../feedback/change-log.ts';
import { holdAccount } from '../feedback/external-parameters.ts';
import { type EmptiedRow, emptyRows } from './emptied-rows.ts';
import { type LogName, lastSeqOf, nextErasable, type SearchOptions } from './erasable-rows.ts';

export const retentionName = 'retention';
/** Who acts in the audit log. */
const retentionActor = 'retention';

/** A measure or project whose responses have an end. */
export interface RetainedSource extends LogName {
  readonly key: number;
  readonly retainDays: number;
  readonly lastSeq: number;
}

const accountsAtOnce = 100;
const sourcesAtOnce = 500;

/** All of them, in the order of accounts; those of one account where it is named. */
export async function* retainedSources(
  db: Db,
  accountId: number | null = null,
): AsyncGenerator<readonly RetainedSource[]> {
  let last = accountId === null ? 0 : accountId - 1;
  for (;;) {
    const accounts = await db.read<{ id: number; retain_days: number | null }>(sql`
      select id, retain_days
      from account
      where has_retention = 1 and removed_at is null and id > ${last} and id <= ${accountId ?? Number.MAX_SAFE_INTEGER}
      order by id
      limit ${limitOf(accountsAtOnce)}`);
    for (const { id, retain_days: ofAccount } of accounts) yield* sourcesOf(db, id, ofAccount);
    if (accounts.length < accountsAtOnce) return;
    last = accounts.at(-1)!.id;
  }
}

interface SourceRow {
  readonly source_id: number;
  readonly kind: LogName['kind'];
  readonly source_key: number;
  readonly retain_days: number | null;
  readonly last_seq: number;
}

async function* sourcesOf(
  db: Db,
  accountId: number,
  ofAccount: number | null,
): AsyncGenerator<readonly RetainedSource[]> {
  let last = 0;
  for (;;) {
    const rows = await db.read<SourceRow>(sql`
      ${selectSources(accountId)} and source.source_id > ${last}
      order by source.source_id
      limit ${limitOf(sourcesAtOnce)}`);
    yield rows.flatMap((row) => retained(accountId, ofAccount, row));
    if (rows.length < sourcesAtOnce) return;
    last = rows.at(-1)!.source_id;
  }
}

function selectSources(accountId: number) {
  return sql`
    select source.source_id, kind, source_key, retain_days, last_seq
    from source
    join log_counter on log_counter.account_id = ${accountId} and log_counter.source_id = source.source_id
    where source.account_id = ${accountId}`;
}

/** What a source says of its own beats what its account says; 0 is for ever. */
function retained(accountId: number, ofAccount: number | null, row: SourceRow): RetainedSource[] {
  const retainDays = row.retain_days ?? ofAccount ?? 0;
  if (retainDays === 0) return [];
  const { source_id: sourceId, kind, source_key: key, last_seq: lastSeq } = row;
  return [{ accountId, sourceId, kind, key, retainDays, lastSeq }];
}

async function findRetained(db: Db, accountId: number, sourceId: number): Promise<RetainedSource | null> {
  const [account] = await db.read<{ retain_days: number | null }>(sql`
    select retain_days from account where id = ${accountId} and removed_at is null`);
  if (account === undefined) return null;
  const rows = await db.read<SourceRow>(sql`${selectSources(accountId)} and source.source_id = ${sourceId}`);
  return rows.flatMap((row) => retained(accountId, account.retain_days, row))[0] ?? null;
}

/** By the trusted time: a clock that runs ahead must not make anything go for good. */
export async function retentionToday(db: Db, nowMs: number): Promise<number> {
  return dayOf(await readTrustedNow(db, nowMs));
}

const scopePrefix = 'source ';

export function retentionScope({ accountId, sourceId }: Pick<LogName, 'accountId' | 'sourceId'>): TaskScope {
  return { accountId, scope: `${scopePrefix}${sourceId}` };
}

function sourceIdOf({ scope }: TaskScope): number {
  return Number(scope.slice(scopePrefix.length));
}

/** What the next step of a source would look through; null when there is nothing to do. */
function stretchOf(source: RetainedSource, state: RetentionState, today: number): RetentionStretch | null {
  return nextStretch(state, firstKeptDay(today, source.retainDays), source.lastSeq);
}

interface RetentionStep {
  readonly outcome: 'moved' | 'idle' | 'lost';
  /** Responses that were emptied. */
  readonly emptied: number;
}

/** Looks through some more of a log and empties what is too old, a slice at most. */
export async function retentionStep(
  { db, now, newId }: TaskContext,
  known: RetainedSource,
  today: number,
  at: TaskCursor,
  options: SearchOptions = {},
): Promise<RetentionStep> {
  // Asked after the cursor was read, so that it is never behind it.
  const source = { ...known, lastSeq: await lastSeqOf(db, known) };
  const state = readState(at.cursor);
  const stretch = stretchOf(source, state, today);
  if (stretch === null) return { outcome: 'idle', emptied: 0 };
  const { rows, throughSeq } = await nextErasable(db, source, stretch, options);
  const next = stateAfter(state, stretch, throughSeq, source.lastSeq);
  // Responses come in all the time; that they were looked at is not worth a change.
  if (rows.length === 0 && next.pass === null && next.doneDay === state.doneDay)
    return { outcome: 'idle', emptied: 0 };
  const nowMs = now();
  const emptied = await db.write(retainSlice, {
    changeId: newId(),
    nowMs,
    actor: retentionActor,
    accountId: source.accountId,
    sourceId: source.sourceId,
    move: moveOf(at, writeState(next), nowMs),
    rows,
    source: `${source.kind} ${source.key}`,
    day: dayText(stretch.day),
  });
  return emptied === null ? { outcome: 'lost', emptied: 0 } : { outcome: 'moved', emptied };
}

/** Counts what would be emptied on a day, a slice at a time; false where `onSlice` says that it is enough. */
export async function countRetained(
  db: Db,
  known: RetainedSource,
  today: number,
  onSlice: (count: number) => boolean,
): Promise<boolean> {
  const { cursor } = await findTask(db, retentionName, retentionScope(known));
  const source = { ...known, lastSeq: await lastSeqOf(db, known) };
  let state = readState(cursor);
  for (;;) {
    const stretch = stretchOf(source, state, today);
    if (stretch === null) return true;
    const slice = await nextErasable(db, source, stretch, { isOnlyCount: true, pause: nextTurn });
    state = stateAfter(state, stretch, slice.throughSeq, source.lastSeq);
    if (!onSlice(slice.count)) return false;
  }
}

interface RetainSlice extends ChangeStamp {
  readonly accountId: number;
  readonly sourceId: number;
  readonly move: TaskMove;
  readonly rows: readonly EmptiedRow[];
  /** As the audit log names it. */
  readonly source: string;
  /** The first that stays. */
  readonly day: string;
}

/** How many responses were emptied; null when another process has made this step. */
export function* retainSlice(input: RetainSlice, dialect: Dialect): Steps<number | null> {
  const { accountId, sourceId, rows } = input;
  if (!(yield* moveTask(input.move))) return null;
  if (rows.length === 0) return 0;
  yield* holdAccount(accountId);
  const seqs = yield* emptyRows(dialect, accountId, { sourceId, rows }, input.changeId);
  if (seqs.length === 0) return 0;
  yield auditStatement(input, {
    accountId,
    action: 'responses.retain',
    ...auditSubject('retained', { count: seqs.length, source: input.source, day: input.day }),
  });
  yield* recordChanges(dialect, input, accountId, changesOfRuns(sourceId, 'retained', seqs));
  return seqs.length;
}

const lookAgainMs = 60_000;
const scopesAtOnce = 50;

/** What a process has found to do, and when it looked. */
interface Look {
  readonly atMs: number;
  readonly due: Map<string, TaskScope>;
}

const looks = new WeakMap<Db, Look>();

/** Looks once a minute whether there is something to do, and goes on for as long as there is. */
export const retentionTask: BackgroundTask = {
  name: retentionName,
  about: 'erases responses when their retainDays are over',
  ends: false,
  async scopes({ db, now }) {
    let look = looks.get(db);
    // The wall clock may be set in either direction.
    if (look === undefined || (look.due.size === 0 && Math.abs(now() - look.atMs) >= lookAgainMs)) {
      look = { atMs: now(), due: await dueScopes(db, await retentionToday(db, now())) };
      looks.set(db, look);
    }
    return [...look.due.values()].slice(0, scopesAtOnce);
  },
  async step(context, at) {
    const { db, now } = context;
    const source = await findRetained(db, at.accountId, sourceIdOf(at));
    const outcome =
      source === null
        ? 'idle'
        : (await retentionStep(context, source, await retentionToday(db, now()), at, { pause: nextTurn }))
            .outcome;
    if (outcome === 'idle') looks.get(db)?.due.delete(keyOf(at));
    return outcome;
  },
};

/** In another order for each process, so that replicas meet at few logs. */
async function dueScopes(db: Db, today: number): Promise<Map<string, TaskScope>> {
  const due: TaskScope[] = [];
  for await (const sources of retainedSources(db))
    for (const source of sources) {
      const scope = retentionScope(source);
      const { cursor } = await findTask(db, retentionName, scope);
      if (stretchOf(source, readState(cursor), today) !== null) due.push(scope);
    }
  const first = Math.floor(Math.random() * due.length);
  return new Map([...due.slice(first), ...due.slice(0, first)].map((scope) => [keyOf(scope), scope]));
}

function keyOf({ accountId, scope }: TaskScope): string {
  return `${accountId} ${scope}`;
}

/** Requests of this process come first. */
function nextTurn(): Promise<void> {
  return new Promise((resume) => setImmediate(resume));
}
