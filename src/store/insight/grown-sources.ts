// Which sources have responses that are not added up yet, as far as this process knows (D-478). Appends of this process are noted here
// when they are made, so that nothing has to be looked for. What others have appended, or a process that was killed before it
// added up, is found by looking through all sources now and then, some accounts at a time.

import sql from 'sql-template-tag';
import { buildStep, form as currentForm } from '../../domain/insight/layout.ts';
import { Problem } from '../../domain/problem.ts';
import { accountIds } from '../access/accounts.ts';
import { type Db, limitOf } from '../engine/db.ts';
import type { SourceKey } from '../feedback/day-sums.ts';
import { buildAgeMaxMs } from './builds.ts';
import { answeringBuild, isOfForm, nothingLeft } from './roll-up.ts';

export interface GrownSource extends SourceKey {
  /** By the clock that only goes forward: when the first of its rows came. */
  sinceMs: number;
  rows: number;
  /** It was found behind, and does not wait for more. */
  isDue: boolean;
}

/** So many rows are added up at once; fewer wait for others to come, so that a trickle is not a transaction for each. */
const rowsAtOnce = 256;
const waitMs = 1_000;
const lookAgainMs = 60_000;
/** How long one look for sources that are behind may take. */
const lookForMs = 15;
const sourcesAtOnce = 1_000;
/** Where accounts are spread, one on a machine that is away is asked again after this, and later each time. */
const putOffMinMs = 5_000;
const putOffMaxMs = 300_000;
/** So long after an account could not be looked at the next one is. */
const lookPauseMs = 1_000;

export class GrownSources {
  readonly #sources = new Map<string, GrownSource>();
  /** Sources whose comments wait to be indexed until this process has less to do. */
  readonly #toIndex = new Map<string, SourceKey>();
  /** Sources that could not be reached: until when they wait, and how long they did. */
  readonly #putOff = new Map<string, { readonly untilMs: number; readonly waitMs: number }>();
  /** Accounts that are still to be looked at in this round; null between rounds. */
  #accounts: number[] | null = null;
  #lookAtMs = 0;

  /** Responses were kept. */
  note({ accountId, sourceId }: SourceKey, rows: number): void {
    const key = keyOf(accountId, sourceId);
    const known = this.#sources.get(key);
    if (known === undefined)
      this.#sources.set(key, { accountId, sourceId, sinceMs: performance.now(), rows, isDue: false });
    else known.rows += rows;
  }

  /** It is about to be added up; what comes from now on is noted anew. */
  take({ accountId, sourceId }: SourceKey): GrownSource | null {
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
  giveBack(source: GrownSource): void {
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

  /** Looks at some more accounts, if it is time to; what is found is due at once. */
  async look(db: Db, nowMs: number): Promise<void> {
    const beganMs = performance.now();
    if (beganMs < this.#lookAtMs) return;
    this.#accounts ??= await accountsOf(db);
    while (this.#accounts.length > 0 && performance.now() - beganMs < lookForMs) {
      const behind = await this.#lookAt(db, this.#accounts.pop()!, nowMs);
      for (const { accountId, sourceId, rows } of behind)
        if (!this.#sources.has(keyOf(accountId, sourceId)))
          this.#sources.set(keyOf(accountId, sourceId), {
            accountId,
            sourceId,
            sinceMs: beganMs,
            rows,
            isDue: true,
          });
    }
    if (this.#accounts.length > 0) return;
    this.#accounts = null;
    // At another time in each process.
    this.#lookAtMs = performance.now() + lookAgainMs * (0.75 + Math.random() / 2);
  }

  /** Where accounts are spread, one that cannot be reached holds up no other: the next round asks it again. */
  async #lookAt(db: Db, accountId: number, nowMs: number): ReturnType<typeof sourcesBehind> {
    try {
      return await sourcesBehind(db, accountId, nowMs);
    } catch (error) {
      if (!db.dialect.isSpread || !(error instanceof Problem)) throw error;
      this.#lookAtMs = performance.now() + lookPauseMs;
      return [];
    }
  }
}

function keyOf(accountId: number, sourceId: number): string {
  return `${accountId} ${sourceId}`;
}

const grown = new WeakMap<Db, GrownSources>();

/** What this process knows of a store. */
export function grownSources(db: Db): GrownSources {
  let sources = grown.get(db);
  if (sources === undefined) {
    sources = new GrownSources();
    grown.set(db, sources);
  }
  return sources;
}

/** In an order of its own for each process, so that replicas meet at few of them. */
async function accountsOf(db: Db): Promise<number[]> {
  const ids = await accountIds(db);
  const first = Math.floor(Math.random() * ids.length);
  return [...ids.slice(first), ...ids.slice(0, first)];
}

/** Sources whose cursor is not at the end of their log, those that are added up anew, and those that have something to be deleted. */
async function sourcesBehind(
  db: Db,
  accountId: number,
  nowMs: number,
): Promise<readonly (SourceKey & { readonly rows: number })[]> {
  const answering = answeringBuild({ accountId, sourceId: sql`log_counter.source_id` });
  const isOld = sql`other.updated_at < ${nowMs - buildAgeMaxMs}`;
  const rows = await db.read<{ sourceId: number; rows: number }>(sql`
    select log_counter.source_id as "sourceId", log_counter.last_seq - coalesce(insight_cursor.rolled_seq, 0) as rows
    from log_counter
    left join insight_cursor on insight_cursor.account_id = ${accountId}
      and insight_cursor.source_id = log_counter.source_id and insight_cursor.form = ${answering}
    where log_counter.account_id = ${accountId} and (
      log_counter.last_seq <> coalesce(insight_cursor.rolled_seq, 0)
      or log_counter.change_no <> coalesce(insight_cursor.change_no, 0)
      or exists (
        select 1
        from insight_cursor as other
        where other.account_id = ${accountId} and other.source_id = log_counter.source_id and (
          (${isOfForm(sql`other.form`, [currentForm])} and (
            other.form > insight_cursor.form or other.form < insight_cursor.form and other.rolled_seq > ${nothingLeft}
              and (other.rolled_seq < 0 or ${isOld})
          ))
          or (other.form % ${buildStep} < ${currentForm} and ${isOld})
        )
      )
    )
    order by log_counter.source_id
    limit ${limitOf(sourcesAtOnce)}`);
  return rows.map((row) => ({ accountId, ...row }));
}
