// What V8's young generation and the system's allocator may keep for themselves. Both are told when a process begins and never again, so
// a service that was begun without it becomes itself once more, as the same process (D-910).

import { wordsOfProcess } from '../../installation.ts';

/**
 * For glibc; nobody else reads these names. By its own rules it has an arena for nearly every thread, and keeps of each twice the largest
 * block that was ever let go: after hashes of passwords, 19 MiB each, some 200 MiB that nobody used. With these a block from 4 MiB on
 * is given back at once. Smaller ones are let go and taken again all the time: the state of zstd for one page has 2 MiB, and to get that
 * from the system each time costs as much as to compress the page.
 */
const largeBytes = String(4 * 2 ** 20);
const allocator = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: largeBytes,
  MALLOC_TRIM_THRESHOLD_: largeBytes,
};
/** MiB of each of its two halves; by itself V8 takes 32. */
const youngOption = '--max-semi-space-size=8';

/** Does not return where the process has to begin once more. Whoever has set one of the names has chosen. */
export function beginWithinBounds(env: NodeJS.ProcessEnv): void {
  if (Object.keys(allocator).some((name) => env[name] !== undefined)) return;
  // Windows has no such call. Who was started with a channel, as by "node --watch", would lose it.
  if (process.execve === undefined || process.platform === 'win32' || process.channel !== undefined) return;
  // Of two the last one is taken: what an operator has set for Node stays.
  const options = [youngOption, env.NODE_OPTIONS].filter(Boolean).join(' ');
  process.execve(process.execPath, [process.execPath, ...wordsOfProcess(process)], {
    ...env,
    ...allocator,
    NODE_OPTIONS: options,
  });
}
