// The trusted time in the store: one row, which replicas that serve move forward together. Everything that deletes or empties
// rows by time asks it what the time is, within its own transaction where it has one (D-845).

import sql, { type Sql } from 'sql-template-tag';
import { auditNote } from '../../domain/access/audit-note.ts';
import {
  agreedForMs,
  type ClockState,
  jumpMs,
  type TrustedTime,
} from '../../domain/operations/trusted-time.ts';
import { Problem } from '../../domain/problem.ts';
import { auditStatement, type ChangeStamp } from './audit.ts';
import type { Db, Steps } from './db.ts';

/** A time by which rows may be deleted. It is made here and nowhere else: no wall clock can be taken for it by mistake. */
export type TrustedMs = number & { readonly isTrusted: true };

export interface TrustedTimeRow extends TrustedTime {
  /** How often it was changed: only who knows the number may change it. */
  readonly moves: number;
}

const question: Sql = sql`
  select at as "atMs", claimed_at as "claimedMs", agreed as "agreedMs", moves
  from trusted_time
  where id = 1`;

/** Null where the schema is of before there was one. */
export async function readTrustedTime(db: Db): Promise<TrustedTimeRow | null> {
  const [row] = await db.read<TrustedTimeRow>(question);
  return row ?? null;
}

/**
 * What is now for whoever deletes: the earlier of the trusted time and of the wall clock. While the wall clock is behind, what is
 * written carries its times, and would be too old at once.
 */
export function* trustedNow(nowMs: number): Steps<TrustedMs> {
  const { rows } = yield question;
  return earlierOf((rows as unknown as readonly TrustedTimeRow[])[0], nowMs);
}

/** The same outside of a transaction. */
export async function readTrustedNow(db: Db, nowMs: number): Promise<TrustedMs> {
  return earlierOf((await readTrustedTime(db)) ?? undefined, nowMs);
}

/** Until when something must be kept that is dated from now on: the later of both clocks, so that it does not end too early. */
export function* latestNow(nowMs: number): Steps<number> {
  const { rows } = yield question;
  const [row] = rows as unknown as readonly TrustedTimeRow[];
  return Math.max(nowMs, row?.atMs ?? 0);
}

/** What would be now if the wall clock was believed; only to count what would then be deleted. */
export function ifBelieved(wallMs: number): TrustedMs {
  return wallMs as TrustedMs;
}

/** Without a row nothing is old enough. */
function earlierOf(row: TrustedTimeRow | undefined, nowMs: number): TrustedMs {
  return Math.min(row?.atMs ?? 0, nowMs) as TrustedMs;
}

export async function clockState(db: Db, nowMs: number): Promise<ClockState> {
  const row = await readTrustedTime(db);
  const trusted = row ?? { atMs: nowMs, claimedMs: null, agreedMs: 0 };
  const byMs = jumpMs(trusted.atMs, nowMs);
  const agreedMs =
    trusted.claimedMs !== null && jumpMs(trusted.claimedMs, nowMs) === 0 ? trusted.agreedMs : 0;
  return {
    clockMs: nowMs,
    trustedMs: trusted.atMs,
    jumpMs: byMs,
    believedInMs: byMs === 0 ? null : agreedForMs - agreedMs,
  };
}

export interface MoveTrustedTime extends TrustedTime, ChangeStamp {
  /** As it was read. */
  readonly moves: number;
  /** Of a wall clock that had jumped and is believed from now on: for the audit log. */
  readonly believedFromMs: number | null;
}

/** False where another replica was first. */
export function* moveTrustedTime(input: MoveTrustedTime): Steps<boolean> {
  const { moves, believedFromMs, atMs } = input;
  if ((yield setTime(input, moves)).changed === 0) return false;
  if (believedFromMs !== null)
    yield auditStatement(input, {
      accountId: null,
      action: 'clock.believe',
      subject: 'trusted time',
      details: auditNote('clockBelieved', jumpOf(believedFromMs, atMs)),
    });
  return true;
}

export interface ConfirmClock extends ChangeStamp {
  /** The time that was shown to whoever confirms it, and is now. */
  readonly wallMs: number;
}

/** An operator says that the wall clock is right. Returns the trusted time of before. */
export function* confirmClock(input: ConfirmClock): Steps<number> {
  const { rows } = yield question;
  const [row] = rows as unknown as readonly TrustedTimeRow[];
  if (row === undefined) throw new Problem('CONFLICT', 'The schema of the store is of before this release.');
  const believed = { atMs: input.wallMs, claimedMs: null, agreedMs: 0 };
  if ((yield setTime(believed, row.moves)).changed === 0)
    throw new Problem('CONFLICT', 'The trusted time was just changed by another process. Try again.');
  yield auditStatement(input, {
    accountId: null,
    action: 'clock.confirm',
    subject: 'trusted time',
    details: auditNote('clockConfirmed', jumpOf(row.atMs, input.wallMs)),
  });
  return row.atMs;
}

function setTime({ atMs, claimedMs, agreedMs }: TrustedTime, moves: number): Sql {
  return sql`
    update trusted_time
    set at = ${Math.round(atMs)}, claimed_at = ${claimedMs === null ? null : Math.round(claimedMs)},
      agreed = ${Math.round(agreedMs)}, moves = moves + 1
    where id = 1 and moves = ${moves}`;
}

function jumpOf(fromMs: number, toMs: number) {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}
