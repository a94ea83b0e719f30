// Time as it passed for the processes that took part. A test that promises milliseconds must not fail because the
// machine had other work: what a thread waited for a processor is not the fault of its program. Linux keeps count of
// that; elsewhere nothing is taken off.

import { existsSync, readdirSync, readFileSync } from 'node:fs';

/**
 * Starts to measure; asked, it gives the time since then, less what each of these processes waited: they wait for each
 * other in turn, so the waits add up, and of each process the thread that waited longest counts.
 */
export function fairClock(...pids: readonly number[]): () => number {
  const startedAtMs = performance.now();
  const before = pids.map(waits);
  return () => {
    let unfairMs = 0;
    for (const [index, pid] of pids.entries()) {
      const grown = [...waits(pid)].map(([thread, ms]) => ms - (before[index]?.get(thread) ?? 0));
      unfairMs += Math.max(0, ...grown);
    }
    return performance.now() - startedAtMs - unfairMs;
  };
}

/** How long each thread of a process has waited for a processor so far. */
function waits(pid: number): Map<string, number> {
  const found = new Map<string, number>();
  const folder = `/proc/${pid}/task`;
  if (!existsSync(folder)) return found;
  for (const thread of readdirSync(folder)) {
    try {
      const [, waitedNs = '0'] = readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ');
      found.set(thread, Number(waitedNs) / 1e6);
    } catch {
      // The thread has ended meanwhile.
    }
  }
  return found;
}
