// Whether too many users of an account were suspended or deleted within an hour. An identity provider that is set up
// wrongly takes everybody's access away as fast as it can; the guard stops it, and asks an operator.

const minuteMs = 60_000;
const windowMinutes = 60;

/** Fewer than so many are never too many: small accounts change by large parts. */
const guardedAtLeast = 20;

/** Users who were suspended or deleted, by the minute; of the deleted alone it is also told. */
export type GuardCounts = readonly (readonly [minute: number, users: number, deleted: number])[];

/** What is left of them at this moment: those of the last hour. */
export function recentCounts(counts: GuardCounts, nowMs: number): GuardCounts {
  const first = Math.floor(nowMs / minuteMs) - windowMinutes + 1;
  return counts.filter(([minute]) => minute >= first);
}

/** Whether a moment lies within the last hour. */
export function isRecent(ms: number | null, nowMs: number): boolean {
  return ms !== null && ms > nowMs - windowMinutes * minuteMs;
}

export function usersIn(counts: GuardCounts): number {
  return counts.reduce((sum, [, users]) => sum + users, 0);
}

/** How many users may be suspended or deleted within an hour, of an account that has so many now. */
export function guardLimit(counts: GuardCounts, total: number, percent: number): number {
  const before = total + counts.reduce((sum, [, , deleted]) => sum + deleted, 0);
  return Math.max(guardedAtLeast, Math.ceil((before * percent) / 100));
}

/** The counts with one user more. */
export function withOneMore(counts: GuardCounts, nowMs: number, isDeletion: boolean): GuardCounts {
  const minute = Math.floor(nowMs / minuteMs);
  const deleted = isDeletion ? 1 : 0;
  const known = counts.find((one) => one[0] === minute);
  if (known === undefined) return [...counts, [minute, 1, deleted]];
  return counts.map((one) => (one === known ? [minute, known[1] + 1, known[2] + deleted] : one));
}
