// Work that nobody waits for leaves the processors to whoever answers callers. A process that runs at a lower priority already, or in a
// sandbox, may be refused to change it; then the work is done at the priority that it has (D-721).

import { getPriority, setPriority } from 'node:os';

const lowPriority = 10;
/** A third of what somebody of usual priority has beside it, and on a busy machine still that: enough for what must end some time. */
export const backupPriority = 5;

/** Of the whole process; on Linux of the thread that calls. */
export function lowerPriority(to = lowPriority): void {
  try {
    // A process that was started at a lower priority stays there.
    if (getPriority() < to) setPriority(to);
  } catch {
    // It is a courtesy, and no reason to fail.
  }
}

/** Of the thread that calls, where threads have one of their own, as on Linux: those who answer callers come first. */
export function lowerThreadPriority(to = lowPriority): void {
  if (process.platform === 'linux') lowerPriority(to);
}
