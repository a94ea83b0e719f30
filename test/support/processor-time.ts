// How much of the processors a process has used.

import { readFileSync } from 'node:fs';

/** Of a process, this one unless named, and of those that it started, once they have ended; null where nobody counts. */
export function processorSeconds(pid: number | 'self' = 'self'): number | null {
  try {
    // The name of the program stands in brackets, and may hold anything; what follows is counted in hundredths of a second.
    const [, counted = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=[^)]*$)/);
    const [user = 0, system = 0, userOfOthers = 0, systemOfOthers = 0] = counted
      .split(' ')
      .slice(11, 15)
      .map(Number);
    return (user + system + userOfOthers + systemOfOthers) / 100;
  } catch {
    return null;
  }
}
