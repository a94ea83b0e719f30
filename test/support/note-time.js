// Loaded in front of each test file by the runner: notes what the file took, so that the end of a run can say which files
// are slow. Processor time is that of the process and of every process that it started and saw end; Linux keeps count of
// that, elsewhere the time that passed stands alone. JavaScript, because it runs before anything else does.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

const folder = process.env.TEST_TIMES_FOLDER;
const [, file] = process.argv;

// A thread is started with what its process was started with, and has an end of its own.
if (
  folder !== undefined &&
  isMainThread &&
  process.env.NODE_TEST_CONTEXT !== undefined &&
  file !== undefined
) {
  process.once('exit', () => {
    const noted = { file, wallSeconds: process.uptime(), processorSeconds: processorSeconds() };
    writeFileSync(join(folder, `${process.pid}-${process.hrtime.bigint()}.json`), JSON.stringify(noted));
  });
}

/** Of this process and of those that it started, once they have ended; null where nobody counts. */
export function processorSeconds() {
  try {
    // The name of the program stands in brackets, and may hold anything; what follows is counted in hundredths of a second.
    const [, counted = ''] = readFileSync('/proc/self/stat', 'utf8').split(/\) (?=[^)]*$)/);
    const [user, system, userOfOthers, systemOfOthers] = counted.split(' ').slice(11, 15).map(Number);
    return (user + system + userOfOthers + systemOfOthers) / 100;
  } catch {
    return null;
  }
}
