// The guard against mass deprovisioning in the store (D-279). A change that suspends or deletes a user for a provider
// counts itself in the row of its account, in its own transaction: the row is held to the commit, so that replicas count
// together, and what is refused is rolled back as a whole. It is the last thing that such a change holds, so that none of
// them waits for another in a circle.

import sql, { type Sql } from 'sql-template-tag';
import { auditNote } from '../../domain/access/audit-note.ts';
import { Problem } from '../../domain/problem.ts';
import {
  type GuardCounts,
  guardLimit,
  isRecent,
  recentCounts,
  usersIn,
  withOneMore,
} from '../../domain/provisioning/user-guard.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import type { Db, Steps } from '../engine/db.ts';

/** What a change of users carries that is made for a provider; an operator's has none, and is never refused. */
export interface Guarded {
  /** How many of a hundred users may be suspended or deleted within an hour. */
  readonly guardPercent?: number | undefined;
}

interface GuardRow {
  readonly counts: string;
  readonly liftedUntilMs: number | null;
}

interface GuardedUser extends Guarded {
  readonly accountId: number;
  readonly id: number;
  readonly nowMs: number;
  readonly isDeletion: boolean;
  /** When this user was counted before. */
  readonly guardedAtMs: number | null;
}

const noCounts = '[]';

/** Counts a user who was just suspended or deleted, or refuses the whole change. */
export function* countInGuard(user: GuardedUser): Steps<void> {
  const { accountId, id, nowMs, isDeletion, guardPercent } = user;
  // Somebody who is suspended and then deleted, or suspended twice, is one user.
  if (guardPercent === undefined || isRecent(user.guardedAtMs, nowMs)) return;
  const held = yield sql`
    insert into user_guard (account_id, counts)
    values (${accountId}, ${noCounts})
    on conflict (account_id) do update
    set counts = user_guard.counts
    returning counts, lifted_until as "liftedUntilMs"`;
  const { counts: text, liftedUntilMs } = held.rows[0] as unknown as GuardRow;
  if (liftedUntilMs !== null && liftedUntilMs > nowMs) return;
  const counts = recentCounts(JSON.parse(text) as GuardCounts, nowMs);
  const { rows } = yield totalOf(accountId);
  const total = Number(rows[0]?.total ?? 0);
  const limit = guardLimit(counts, total, guardPercent);
  if (usersIn(counts) >= limit) throw struck(accountId, limit, guardPercent);
  yield sql`
    update user_guard
    set counts = ${JSON.stringify(withOneMore(counts, nowMs, isDeletion))}
    where account_id = ${accountId}`;
  if (!isDeletion)
    yield sql`update account_user set guarded_at = ${nowMs} where account_id = ${accountId} and id = ${id}`;
}

function totalOf(accountId: number): Sql {
  return sql`select total from user_counter where account_id = ${accountId}`;
}

function struck(accountId: number, limit: number, percent: number): Problem {
  return new Problem(
    'DEPROVISIONING_GUARDED',
    `${limit} users of this account were suspended or deleted within an hour, which is as many as its guard of ${percent} % allows. If it is meant, an operator lifts the guard: soundings account guard ${accountId} --lift.`,
  );
}

/** Notes that the guard has refused something: true for the first time in an hour, when it also goes to the audit log. */
export function* noteGuardStrike(input: ChangeStamp & { readonly accountId: number }): Steps<boolean> {
  const { accountId, nowMs } = input;
  const { rows } = yield sql`
    select struck_at as "struckAtMs"
    from user_guard
    where account_id = ${accountId}`;
  const before = rows[0] as { readonly struckAtMs: number | null } | undefined;
  if (before === undefined || isRecent(before.struckAtMs, nowMs)) return false;
  // Of two replicas that find this together, one changes the row.
  const { changed } = yield sql`
    update user_guard
    set struck_at = ${nowMs}
    where account_id = ${accountId} and coalesce(struck_at, 0) = ${before.struckAtMs ?? 0}`;
  if (changed === 0) return false;
  const details = auditNote('guardStruck');
  yield auditStatement(input, {
    accountId,
    action: 'guard.strike',
    subject: `account ${accountId}`,
    details,
  });
  return true;
}

export interface LiftGuard extends ChangeStamp {
  readonly accountId: number;
  readonly untilMs: number;
}

/** Until then nothing is refused and nothing counted; afterwards it counts from nothing. */
export function* liftGuard(input: LiftGuard): Steps<void> {
  const { accountId, untilMs } = input;
  yield sql`
    insert into user_guard (account_id, counts, lifted_until)
    values (${accountId}, ${noCounts}, ${untilMs})
    on conflict (account_id) do update
    set counts = excluded.counts, lifted_until = excluded.lifted_until, struck_at = null`;
  const details = auditNote('guardLifted', { until: new Date(untilMs).toISOString() });
  yield auditStatement(input, { accountId, action: 'guard.lift', subject: `account ${accountId}`, details });
}

export interface GuardState {
  /** Of the last hour. */
  readonly users: number;
  /** How many there may be; null where the account is not guarded. */
  readonly limit: number | null;
  readonly liftedUntilMs: number | null;
  readonly struckAtMs: number | null;
}

export async function guardState(
  db: Db,
  accountId: number,
  nowMs: number,
  percent: number | null,
): Promise<GuardState> {
  const [row] = await db.read<GuardRow & { struckAtMs: number | null }>(sql`
    select counts, lifted_until as "liftedUntilMs", struck_at as "struckAtMs"
    from user_guard
    where account_id = ${accountId}`);
  const [counter] = await db.read<{ total: number }>(totalOf(accountId));
  const counts = recentCounts(JSON.parse(row?.counts ?? noCounts) as GuardCounts, nowMs);
  const isLifted = row !== undefined && row.liftedUntilMs !== null && row.liftedUntilMs > nowMs;
  return {
    users: usersIn(counts),
    limit: percent === null ? null : guardLimit(counts, counter?.total ?? 0, percent),
    liftedUntilMs: isLifted ? row.liftedUntilMs : null,
    struckAtMs: row !== undefined && isRecent(row.struckAtMs, nowMs) ? row.struckAtMs : null,
  };
}
