// How a log is brought to the end of its time: which rows are next, and what is known of those before them. A pass goes
// through the log once for one day and empties what is older. What an earlier pass has emptied is not looked at again,
// so that the pass of the next day looks at the rows of one more day and at those that came in since (D-272).

import type { DateRange } from '../dates.ts';

/** Where a log stands. */
export interface RetentionState {
  /** Rows of before this day are empty, up to `doneSeq`. */
  readonly doneDay: number;
  readonly doneSeq: number;
  /** The pass that is under way: for which day, and how far it has come. */
  readonly pass: { readonly day: number; readonly seq: number } | null;
}

export const untouched: RetentionState = { doneDay: 0, doneSeq: 0, pass: null };

/** As the cursor of a background task. */
export function writeState({ doneDay, doneSeq, pass }: RetentionState): string {
  return [doneDay, doneSeq, ...(pass === null ? [] : [pass.day, pass.seq])].join(' ');
}

export function readState(text: string): RetentionState {
  if (text === '') return untouched;
  const [doneDay = 0, doneSeq = 0, day, seq] = text.split(' ').map(Number);
  return { doneDay, doneSeq, pass: day === undefined || seq === undefined ? null : { day, seq } };
}

/** The first day that is kept. A response stays for this many whole days after its own. */
export function firstKeptDay(today: number, retainDays: number): number {
  return today - retainDays;
}

export interface RetentionStretch {
  /** Rows of before this day are emptied. */
  readonly day: number;
  readonly afterSeq: number;
  readonly lastSeq: number;
  readonly range: DateRange;
}

/** What is to be looked through next; null when there is nothing to do. */
export function nextStretch(
  state: RetentionState,
  keptDay: number,
  lastSeq: number,
): RetentionStretch | null {
  // A store that was restored may have fewer rows than were seen.
  const { doneDay, doneSeq, pass } = state.doneSeq > lastSeq ? untouched : state;
  // A pass for a later day than is wanted now is not gone on with: somebody wants to keep things for longer.
  const isUnderWay = pass !== null && pass.day <= keptDay && pass.seq <= lastSeq;
  if (!isUnderWay && keptDay <= doneDay && lastSeq <= doneSeq) return null;
  const day = isUnderWay ? pass.day : keptDay;
  const afterSeq = isUnderWay ? pass.seq : 0;
  if (afterSeq < doneSeq && doneDay < day)
    return { day, afterSeq, lastSeq: doneSeq, range: { firstDay: doneDay, lastDay: day - 1 } };
  const next = Math.max(afterSeq, doneSeq);
  return { day, afterSeq: next, lastSeq, range: { firstDay: 0, lastDay: day - 1 } };
}

/** Where the log stands when a stretch has been looked through up to a number. */
export function stateAfter(
  state: RetentionState,
  { day }: RetentionStretch,
  throughSeq: number,
  lastSeq: number,
): RetentionState {
  const known = state.doneSeq > lastSeq ? untouched : state;
  if (throughSeq >= lastSeq) return { doneDay: day, doneSeq: lastSeq, pass: null };
  return { ...known, doneDay: Math.min(known.doneDay, day), pass: { day, seq: throughSeq } };
}
