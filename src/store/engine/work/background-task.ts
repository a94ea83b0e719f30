// Work in the background that is done in many small steps: what rows of before need after a step of the schema, and what
// follows a log for ever. Each step is one transaction that does a piece of the work and moves the task's cursor, so a
// process that is killed leaves nothing half done, and the next one goes on where the cursor stands. All replicas may run
// the same task: the cursor is moved only from where it was read (`moves`), and whoever is second does nothing (D-240).
//
// A reader must be right before a task is done: it asks `findTask` how far the work has come, and adds the rest itself.

import sql from 'sql-template-tag';
import type { Config } from '../../../config.ts';
import { type Db, limitOf, type Steps } from '../db.ts';

/** What a task works on at a time: the whole store, or a part of an account that has a cursor of its own. */
export interface TaskScope {
  readonly accountId: number;
  readonly scope: string;
}

/** No account can be 0: it stands for the store itself, as in the audit log. */
export const wholeStore: TaskScope = { accountId: 0, scope: '' };

export interface TaskCursor extends TaskScope {
  readonly name: string;
  /** Where the work stands, in the words of the task; empty before the first step. */
  readonly cursor: string;
  /** How often it was moved: only who knows the number may move it. */
  readonly moves: number;
  readonly isDone: boolean;
}

/** What a step is handed. Everything that it needs of the clock or of chance comes from here. */
export interface TaskContext {
  readonly config: Config;
  readonly db: Db;
  readonly now: () => number;
  readonly newId: () => string;
}

/**
 * `moved`: there may be more to do. `idle`: nothing to do now, and nothing was written. `done`: the cursor says that the
 * task has ended. `lost`: another replica has made this step, and nothing was written.
 */
export type StepOutcome = 'moved' | 'idle' | 'done' | 'lost';

export interface BackgroundTask {
  /** Never changes: the cursor is kept under it. */
  readonly name: string;
  /** For people, such as "deletes expired refused responses". */
  readonly about: string;
  /** Whether it ends, or follows for ever what others write. */
  readonly ends: boolean;
  /** How soon it is asked again when it had nothing to do, in milliseconds, where that is not about a second. */
  readonly lookMs?: number;
  /** It keeps no cursor here, because what it works on has cursors of its own: none is asked for. */
  readonly hasOwnCursors?: true;
  /** The parts that have something to do, some at a time; where it is missing the task has one cursor for the whole store. */
  readonly scopes?: (context: TaskContext) => Promise<readonly TaskScope[]>;
  /**
   * One step: reads what it needs, then hands one change to `write` that does the piece of work and yields `moveTask` as
   * its first statements. It takes some ten milliseconds, and never more than the store's limit for a change.
   */
  readonly step: (context: TaskContext, at: TaskCursor) => Promise<StepOutcome>;
}

/** Part of the input of every change that is a step of a task. */
export interface TaskMove extends TaskScope {
  readonly name: string;
  /** As it was read. */
  readonly moves: number;
  /** Where the work stands after this step. */
  readonly cursor: string;
  readonly isDone: boolean;
  readonly nowMs: number;
}

export function moveOf(at: TaskCursor, cursor: string, nowMs: number, isDone = false): TaskMove {
  const { accountId, name, scope, moves } = at;
  return { accountId, name, scope, moves, cursor, isDone, nowMs };
}

/**
 * Moves the cursor, if nobody else has; false when the step is somebody else's, and then the change must do nothing. The
 * row is held to the commit, so two replicas never do the same piece at once.
 */
export function* moveTask(move: TaskMove): Steps<boolean> {
  const { accountId, name, scope, cursor, moves, nowMs } = move;
  const doneAtMs = move.isDone ? nowMs : null;
  const { changed } =
    moves === 0
      ? yield sql`
          insert into background_task (account_id, name, scope, cursor, moves, updated_at, done_at, failures)
          values (${accountId}, ${name}, ${scope}, ${cursor}, 1, ${nowMs}, ${doneAtMs}, 0)
          on conflict (account_id, name, scope) do update
          set cursor = excluded.cursor, moves = 1, updated_at = excluded.updated_at, done_at = excluded.done_at
          where background_task.moves = 0`
      : yield sql`
          update background_task
          set cursor = ${cursor}, moves = moves + 1, updated_at = ${nowMs}, done_at = ${doneAtMs}
          where account_id = ${accountId} and name = ${name} and scope = ${scope} and moves = ${moves}`;
  return changed === 1;
}

/** A step that does nothing but move the cursor. */
export function* moveTaskAlone(move: TaskMove): Steps<boolean> {
  return yield* moveTask(move);
}

/** How far a task has come; a task that nobody has begun stands at its beginning. */
export async function findTask(
  db: Db,
  name: string,
  { accountId, scope }: TaskScope = wholeStore,
): Promise<TaskCursor> {
  const [row] = await db.read<{ cursor: string; moves: number; doneAtMs: number | null }>(sql`
    select cursor, moves, done_at as "doneAtMs"
    from background_task
    where account_id = ${accountId} and name = ${name} and scope = ${scope}`);
  return {
    accountId,
    name,
    scope,
    cursor: row?.cursor ?? '',
    moves: row?.moves ?? 0,
    isDone: typeof row?.doneAtMs === 'number',
  };
}

interface TaskFailure {
  readonly name: string;
  /** One line; null when it works again. */
  readonly failure: string | null;
  readonly nowMs: number;
}

/** Kept in the row of the whole store, whichever part has failed: that is where operators look. */
export function* noteTaskFailure({ name, failure, nowMs }: TaskFailure): Steps<void> {
  const { accountId, scope } = wholeStore;
  const failures = failure === null ? 0 : 1;
  yield sql`
    insert into background_task (account_id, name, scope, cursor, moves, updated_at, failures, failed_at, failure)
    values (${accountId}, ${name}, ${scope}, '', 0, ${nowMs}, ${failures}, ${failure === null ? null : nowMs}, ${failure})
    on conflict (account_id, name, scope) do update
    set failures = case when excluded.failures = 0 then 0 else background_task.failures + 1 end,
      failed_at = excluded.failed_at,
      failure = excluded.failure`;
}

/** A task as `migrate --status` and `doctor` show it. */
export interface TaskStatus {
  readonly name: string;
  readonly about: string;
  readonly state: 'waits' | 'runs' | 'follows' | 'done' | 'fails';
  readonly cursor: string;
  readonly updatedAt: string | null;
  readonly doneAt: string | null;
  readonly failures: number;
  readonly failure: string | null;
}

interface TaskRow {
  readonly name: string;
  readonly cursor: string;
  readonly updatedAtMs: number;
  readonly doneAtMs: number | null;
  readonly failedAtMs: number | null;
  readonly failures: number;
  readonly failure: string | null;
}

const tasksMax = 1_000;
// What fails is tried again every minute at least: an older failure is that of a process that is gone.
const failureOverMs = 600_000;

/** The tasks of this release, in their order. Where the store has no table for them yet, all of them wait. */
export async function taskStatuses(
  db: Db,
  tasks: readonly BackgroundTask[],
  nowMs: number,
): Promise<readonly TaskStatus[]> {
  const [found] = await db.read<{ name: string | null }>(db.dialect.hasTable('background_task'));
  const rows =
    typeof found?.name !== 'string'
      ? []
      : await db.read<TaskRow>(sql`
          select name, cursor, updated_at as "updatedAtMs", done_at as "doneAtMs", failed_at as "failedAtMs", failures, failure
          from background_task
          where account_id = ${wholeStore.accountId} and scope = ${wholeStore.scope}
          order by name
          limit ${limitOf(tasksMax)}`);
  const rowByName = new Map(rows.map((row) => [row.name, row]));
  return tasks.map((task) => statusOf(task, rowByName.get(task.name), nowMs));
}

function statusOf(
  { name, about, ends }: BackgroundTask,
  row: TaskRow | undefined,
  nowMs: number,
): TaskStatus {
  const { doneAtMs = null, failedAtMs = null } = row ?? {};
  const hasFailed = doneAtMs === null && failedAtMs !== null && nowMs - failedAtMs < failureOverMs;
  const begun = ends ? (row === undefined ? 'waits' : 'runs') : 'follows';
  return {
    name,
    about,
    state: doneAtMs !== null ? 'done' : hasFailed ? 'fails' : begun,
    cursor: row?.cursor ?? '',
    updatedAt: row === undefined ? null : new Date(row.updatedAtMs).toISOString(),
    doneAt: doneAtMs === null ? null : new Date(doneAtMs).toISOString(),
    failures: hasFailed ? (row?.failures ?? 0) : 0,
    failure: hasFailed ? (row?.failure ?? null) : null,
  };
}
