// The trusted time: what everything that deletes or empties rows takes for now (D-845). It moves with the clock that only goes
// forward while somebody serves, and follows the wall clock as long as both are less than a day apart. A wall clock that
// differs by more has jumped: it is believed when an operator says so, or when it has agreed with the other clock for a week.

import { dayMs } from '../dates.ts';

/** A wall clock that differs by no more is followed. */
const followedMs = dayMs;
/** So long a wall clock that has jumped must agree with the clock that only goes forward, while somebody serves. */
export const agreedForMs = 7 * dayMs;
/**
 * More time than this between two looks was not served: the process was stopped, or the machine slept. What the clock that only
 * goes forward says about it differs between machines, so it is left to the wall clock.
 */
export const servedMaxMs = 3_600_000;

export interface TrustedTime {
  readonly atMs: number;
  /** What a wall clock says that has jumped, at the same moment; null while the wall clock is believed. */
  readonly claimedMs: number | null;
  /** How long that has agreed with the clock that only goes forward. */
  readonly agreedMs: number;
}

interface ClockLook {
  /** By the clock that only goes forward, since the trusted time was as it was. */
  readonly servedMs: number;
  readonly wallMs: number;
}

interface NextTrustedTime extends TrustedTime {
  /** Whether a wall clock that had jumped is believed from now on. */
  readonly isBelieved: boolean;
}

export function nextTrustedTime(known: TrustedTime, { servedMs, wallMs }: ClockLook): NextTrustedTime {
  const passedMs = Math.min(Math.max(servedMs, 0), servedMaxMs);
  const atMs = known.atMs + passedMs;
  const believed = { atMs: wallMs, claimedMs: null, agreedMs: 0 };
  if (isNear(wallMs, atMs)) return { ...believed, isBelieved: false };
  const hasAgreed = known.claimedMs !== null && isNear(wallMs, known.claimedMs + passedMs);
  const agreedMs = hasAgreed ? known.agreedMs + passedMs : 0;
  if (agreedMs >= agreedForMs) return { ...believed, isBelieved: true };
  return { atMs, claimedMs: wallMs, agreedMs, isBelieved: false };
}

/** Whether a replica whose wall clock says this must speak against what another one claims. */
export function mayObject({ claimedMs, agreedMs }: TrustedTime, wallMs: number): boolean {
  return claimedMs !== null && agreedMs > 0 && !isNear(wallMs, claimedMs);
}

/** By how much a wall clock has jumped, in milliseconds, backwards below 0; 0 for one that is followed. */
export function jumpMs(trustedMs: number, wallMs: number): number {
  return isNear(wallMs, trustedMs) ? 0 : wallMs - trustedMs;
}

function isNear(oneMs: number, otherMs: number): boolean {
  return Math.abs(oneMs - otherMs) <= followedMs;
}

/** How the clock of whoever asks stands to the trusted time. */
export interface ClockState {
  readonly clockMs: number;
  readonly trustedMs: number;
  /** 0 for a clock that is followed. */
  readonly jumpMs: number;
  /** How much longer somebody must serve until the clock is believed without a word; null where it is followed. */
  readonly believedInMs: number | null;
}

/** As callers and terminals get it. */
export function shownClock({ clockMs, trustedMs, jumpMs: byMs, believedInMs }: ClockState) {
  return {
    clock: new Date(clockMs).toISOString(),
    trusted: new Date(trustedMs).toISOString(),
    jumpSeconds: Math.round(byMs / 1_000),
    believedInSeconds: believedInMs === null ? null : Math.round(believedInMs / 1_000),
  };
}
