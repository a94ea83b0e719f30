// Finds sources whose figures are behind their log because of others: what another process has appended, or one that was killed
// before it added up (D-478). All sources are looked through now and then, some accounts at a time.

import sql from 'sql-template-tag';
import type { SourceKey } from '../../domain/feedback/source-key.ts';
import { buildStep, form as currentForm } from '../../domain/insight/layout.ts';
import { Problem } from '../../domain/problem.ts';
import { accountIds } from '../access/accounts.ts';
import { type Db, limitOf } from '../engine/db.ts';
import { rollUpQueue } from '../feedback/roll-up-queue.ts';
import { buildAgeMaxMs } from './builds.ts';
import { answeringBuild, isOfForm, nothingLeft } from './roll-up.ts';

const roundEveryMs = 60_000;
/** How long one look may take. */
const lookForMs = 15;
const sourcesAtOnce = 1_000;
/** So long after an account could not be looked at the next one is. */
const lookPauseMs = 1_000;

/** The rounds of this process through the accounts of a store. */
class Rounds {
  /** Accounts that are still to be looked at in this round; null between rounds. */
  #accounts: number[] | null = null;
  #lookAtMs = 0;

  async look(db: Db, nowMs: number): Promise<void> {
    const beganMs = performance.now();
    if (beganMs < this.#lookAtMs) return;
    const queue = rollUpQueue(db);
    this.#accounts ??= await accountsOf(db);
    while (this.#accounts.length > 0 && performance.now() - beganMs < lookForMs)
      for (const source of await this.#lookAt(db, this.#accounts.pop()!, nowMs))
        queue.addBehind(source, source.rows);
    if (this.#accounts.length > 0) return;
    this.#accounts = null;
    // At another time in each process.
    this.#lookAtMs = performance.now() + roundEveryMs * (0.75 + Math.random() / 2);
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

const roundsOf = new WeakMap<Db, Rounds>();

/** Looks at some more accounts, if it is time to, and queues what it finds. */
export async function queueSourcesBehind(db: Db, nowMs: number): Promise<void> {
  const rounds = roundsOf.get(db) ?? new Rounds();
  roundsOf.set(db, rounds);
  await rounds.look(db, nowMs);
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
