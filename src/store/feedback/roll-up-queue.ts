// The sources that have responses which are not added up yet, as far as this process knows (D-478): its own appends are queued when
// they are made, so that nothing has to be looked for. store/insight/sources-behind.ts queues what others have appended.

import type { SourceKey } from '../../domain/feedback/source-key.ts';
import type { Db } from '../engine/db.ts';

interface QueuedSource extends SourceKey {
  /** By the clock that only goes forward: when the first of its rows came. */
  sinceMs: number;
  rows: number;
  /** It was found behind, and does not wait for more. */
  isDue: boolean;
}

/** So many rows are added up at once; fewer wait for others to come, so that a trickle is not a transaction for each. */
const rowsAtOnce = 256;
const waitMs = 1_000;
/** Where accounts are spread, one on a machine that is away is asked again after this, and later each time. */
const putOffMinMs = 5_000;
const putOffMaxMs = 300_000;

class RollUpQueue {
  readonly #sources = new Map<string, QueuedSource>();
  /** Sources whose comments wait to be indexed until this process has less to do. */
  readonly #toIndex = new Map<string, SourceKey>();
  /** Sources that could not be reached: until when they wait, and how long they did. */
  readonly #putOff = new Map<string, { readonly untilMs: number; readonly waitMs: number }>();

  /** Responses were appended. */
  add({ accountId, sourceId }: SourceKey, rows: number): void {
    const key = keyOf(accountId, sourceId);
    const known = this.#sources.get(key);
    if (known === undefined)
      this.#sources.set(key, { accountId, sourceId, sinceMs: performance.now(), rows, isDue: false });
    else known.rows += rows;
  }

  /** The source was found behind: it is due at once. */
  addBehind({ accountId, sourceId }: SourceKey, rows: number): void {
    const key = keyOf(accountId, sourceId);
    if (!this.#sources.has(key))
      this.#sources.set(key, { accountId, sourceId, sinceMs: performance.now(), rows, isDue: true });
  }

  /** It is about to be added up; what comes from now on is noted anew. */
  take({ accountId, sourceId }: SourceKey): QueuedSource | null {
    const key = keyOf(accountId, sourceId);
    const known = this.#sources.get(key);
    this.#sources.delete(key);
    this.#toIndex.delete(key);
    return known ?? null;
  }

  /** There may be segments of it to index, when there is less to do. */
  indexLater({ accountId, sourceId }: SourceKey): void {
    this.#toIndex.set(keyOf(accountId, sourceId), { accountId, sourceId });
  }

  /** Not all of it was added up. */
  giveBack(source: QueuedSource): void {
    const key = keyOf(source.accountId, source.sourceId);
    const since = this.#sources.get(key);
    this.#sources.set(key, { ...source, rows: source.rows + (since?.rows ?? 0), isDue: true });
  }

  /** It lies on a machine that does not answer, and must not take the turns of those that can be reached (D-691). */
  putOff({ accountId, sourceId }: SourceKey): void {
    const key = keyOf(accountId, sourceId);
    const waitMs = Math.min(putOffMaxMs, 2 * (this.#putOff.get(key)?.waitMs ?? putOffMinMs / 2));
    this.#putOff.set(key, { untilMs: performance.now() + waitMs, waitMs });
  }

  /** It has answered. */
  isThere({ accountId, sourceId }: SourceKey): void {
    this.#putOff.delete(keyOf(accountId, sourceId));
  }

  #isPutOff(key: string, nowMs: number): boolean {
    const known = this.#putOff.get(key);
    return known !== undefined && nowMs < known.untilMs;
  }

  /** Those that should be added up now, and those whose index has waited for a process that is not busy. */
  due(isBusy: boolean): readonly SourceKey[] {
    const nowMs = performance.now();
    const due: SourceKey[] = [];
    for (const [key, source] of this.#sources)
      if (
        (source.isDue || source.rows >= rowsAtOnce || nowMs - source.sinceMs >= waitMs) &&
        !this.#isPutOff(key, nowMs)
      )
        due.push(source);
    if (isBusy) return due;
    for (const [key, source] of this.#toIndex)
      if (!this.#sources.has(key) && !this.#isPutOff(key, nowMs)) due.push(source);
    return due;
  }

  /** Rows that this process knows of and that are not added up. */
  get rows(): number {
    let rows = 0;
    for (const source of this.#sources.values()) rows += source.rows;
    return rows;
  }

  /** How long the oldest of them waits. */
  get lagSeconds(): number {
    let sinceMs = Number.POSITIVE_INFINITY;
    for (const source of this.#sources.values()) sinceMs = Math.min(sinceMs, source.sinceMs);
    return Math.max(0, performance.now() - sinceMs) / 1_000 || 0;
  }
}

function keyOf(accountId: number, sourceId: number): string {
  return `${accountId} ${sourceId}`;
}

const queues = new WeakMap<Db, RollUpQueue>();

/** What this process knows of a store. */
export function rollUpQueue(db: Db): RollUpQueue {
  let queue = queues.get(db);
  if (queue === undefined) {
    queue = new RollUpQueue();
    queues.set(db, queue);
  }
  return queue;
}
