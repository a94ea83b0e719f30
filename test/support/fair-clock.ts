// Time as it passed for a process. A test that promises milliseconds must not fail because the machine had other work:
// what a thread waited for a processor is not the fault of its program. Linux keeps count of that; elsewhere nothing
// is taken off.

import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Starts to measure; asked, it gives the time since then, less the longest wait of any thread of these processes. */
export function fairClock(...pids: readonly number[]): () => number {
  const startedAtMs = performance.now();
  const before = waits(pids);
  return () => {
    let longestMs = 0;
    for (const [thread, ms] of waits(pids)) longestMs = Math.max(longestMs, ms - (before.get(thread) ?? 0));
    return performance.now() - startedAtMs - longestMs;
  };
}

function waits(pids: readonly number[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const pid of pids) {
    const folder = `/proc/${pid}/task`;
    if (!existsSync(folder)) continue;
    for (const thread of readdirSync(folder)) {
      try {
        const [, waitedNs = '0'] = readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ');
        found.set(`${pid} ${thread}`, Number(waitedNs) / 1e6);
      } catch {
        // The thread has ended meanwhile.
      }
    }
  }
  return found;
}
