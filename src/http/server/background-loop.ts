// Runs the tasks of the background, one step at a time, beside the requests of this process. It never has the store for
// itself: after each step it pauses for as long as the step took, and longer while changes of callers wait. What fails is
// tried again, later each time, and told once (D-240).

import type { Context } from '../../context.ts';
import { Problem } from '../../domain/problem.ts';
import {
  type BackgroundTask,
  findTask,
  noteTaskFailure,
  type StepOutcome,
  type TaskScope,
  wholeStore,
} from '../../store/engine/work/background-task.ts';
import { Pauses } from './pauses.ts';

// The start of a process is for its first callers.
const firstRunMs = 500;
// How long one task works before the next has its turn.
const turnMs = 200;
const pauseMinMs = 5;
const pauseMaxMs = 1_000;
// A follower that has caught up looks again after this, and so does who came second.
const idleMs = 1_000;
const retryMinMs = 1_000;
const retryMaxMs = 60_000;
const busyWrites = 100;
const failureLengthMax = 300;

interface Running {
  readonly task: BackgroundTask;
  /** When its next turn is, by the clock that only goes forward. */
  dueMs: number;
  isDone: boolean;
  failures: number;
  /** The parts that failed by our own fault and have not been worked on since (D-771). */
  failed: Set<string>;
}

export class BackgroundLoop {
  readonly #context: Context;
  readonly #running: readonly Running[];
  #loop: Promise<void> | null = null;
  #isStopping = false;
  readonly #pauses = new Pauses();

  constructor(context: Context, tasks: readonly BackgroundTask[]) {
    this.#context = context;
    this.#running = tasks.map((task) => ({ task, dueMs: 0, isDone: false, failures: 0, failed: new Set() }));
  }

  start(): void {
    if (this.#running.length > 0) this.#loop ??= this.#run();
  }

  /** Waits for the step that is under way, and begins none. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#pauses.end();
    await this.#loop;
  }

  async #run(): Promise<void> {
    await this.#pauses.pause(firstRunMs);
    while (!this.#isStopping) {
      const left = this.#running.filter(({ isDone }) => !isDone);
      if (left.length === 0) return;
      for (const one of left)
        if (!this.#isStopping && one.dueMs <= this.#context.elapsedMs()) await this.#turn(one);
      const nextMs = Math.min(...left.map(({ dueMs }) => dueMs));
      await this.#pauses.pause(Math.max(pauseMinMs, nextMs - this.#context.elapsedMs()));
    }
  }

  /** One turn of a task; never fails. */
  async #turn(running: Running): Promise<void> {
    const { task } = running;
    try {
      const outcome = await this.#work(running);
      running.isDone = outcome === 'done';
      running.dueMs =
        this.#context.elapsedMs() +
        (outcome === 'moved' ? 0 : (task.lookMs ?? idleMs) * (0.5 + Math.random()));
      if (running.failures === 0 || running.failed.size > 0) return;
      running.failures = 0;
      this.#context.log.info({ task: task.name }, 'A background task works again.');
      await this.#context.db.write(noteTaskFailure, {
        name: task.name,
        failure: null,
        nowMs: this.#context.now(),
      });
    } catch (error) {
      running.failures += 1;
      const waitMs = Math.min(retryMaxMs, retryMinMs * 2 ** Math.min(running.failures - 1, 10));
      running.dueMs = this.#context.elapsedMs() + waitMs * (0.75 + Math.random() / 2);
      await this.#noteFailure(running, error);
    }
  }

  /** Works for a turn. Moved: there may be more. */
  async #work(running: Running): Promise<StepOutcome> {
    const { task } = running;
    const { config, db, now, newId } = this.#context;
    const context = { config, db, now, newId };
    const untilMs = this.#context.elapsedMs() + turnMs;
    const scopes = task.scopes === undefined ? [wholeStore] : await task.scopes(context);
    running.failed = running.failed.intersection(new Set(scopes.map(scopeText)));
    // From another one each time, so that those that take all of a turn do not always have it.
    const first = Math.floor(Math.random() * scopes.length);
    const failures: unknown[] = [];
    let hasMoved = false;
    let isDone = task.scopes === undefined;
    let worked = 0;
    for (const scope of [...scopes.slice(first), ...scopes.slice(0, first)]) {
      worked += 1;
      try {
        const outcome = await this.#workOn(task, scope, untilMs);
        hasMoved ||= outcome === 'moved';
        isDone &&= outcome === 'done';
        running.failed.delete(scopeText(scope));
      } catch (error) {
        isDone = false;
        failures.push(error);
        if (!isOfStore(error)) running.failed.add(scopeText(scope));
      }
      if (this.#isStopping || this.#context.elapsedMs() > untilMs) break;
    }
    // One part that fails holds up no other. Where accounts are spread, the store may be away for some of them.
    const own = failures.find((error) => !isOfStore(error));
    if (own !== undefined) throw own;
    if (failures.length > 0 && failures.length === worked) throw failures[0];
    return isDone ? 'done' : hasMoved ? 'moved' : 'idle';
  }

  async #workOn(task: BackgroundTask, scope: TaskScope, untilMs: number): Promise<StepOutcome> {
    const { config, db, now, newId } = this.#context;
    for (;;) {
      const at =
        task.hasOwnCursors === true
          ? { ...scope, name: task.name, cursor: '', moves: 0, isDone: false }
          : await findTask(db, task.name, scope);
      if (at.isDone) return 'done';
      const beganMs = this.#context.elapsedMs();
      const outcome = await task.step({ config, db, now, newId }, at);
      if (outcome !== 'moved') return outcome;
      const tookMs = this.#context.elapsedMs() - beganMs;
      const patience = db.figures().writesWaiting > busyWrites ? 10 : 1;
      await this.#pauses.pause(Math.min(pauseMaxMs, Math.max(pauseMinMs, tookMs * patience)));
      if (this.#isStopping || this.#context.elapsedMs() > untilMs) return outcome;
    }
  }

  /** The first of several failures is told, and kept for operators to find; a store that is away is told of elsewhere too. */
  async #noteFailure({ task, failures }: Running, error: unknown): Promise<void> {
    const { log, db, now } = this.#context;
    if (failures === 1) {
      const facts = { code: 'BACKGROUND_TASK_FAILED', err: error, task: task.name };
      const says = 'A background task has failed; it is tried again.';
      if (isOfStore(error)) log.warn(facts, says);
      else log.error(facts, says);
    }
    if (isOfStore(error)) return;
    const failure = String(error instanceof Error ? error.message : error).split('\n', 1)[0]!;
    await db
      .write(noteTaskFailure, { name: task.name, failure: failure.slice(0, failureLengthMax), nowMs: now() })
      // What cannot be kept was told.
      .catch(() => {});
  }
}

function scopeText({ accountId, scope }: TaskScope): string {
  return `${accountId} ${scope}`;
}

function isOfStore(error: unknown): boolean {
  return error instanceof Problem && error.code.startsWith('STORE_');
}
