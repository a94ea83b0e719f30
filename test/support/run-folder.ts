// Where a run of tests has its temporary files: in memory, where the system has a folder for that, so that nobody waits for a
// disk (D-786). What dies in a test is a process, never the machine, so a file in memory is as safe as one on a disk.

import { readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const inMemory = '/dev/shm';
/** A run has some 3 GB at its largest: the log of PostgreSQL, stores, profiles of browsers. */
const neededBytes = 8 * 2 ** 30;

export function runFolderParent(env: NodeJS.ProcessEnv = process.env): string {
  const isChosen = ['TMPDIR', 'TMP', 'TEMP'].some((name) => env[name] !== undefined);
  return !isChosen && hasRoomInMemory() ? inMemory : tmpdir();
}

function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    const mounted = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .findLast(([, place]) => place === inMemory);
    // The programs of PostgreSQL are copied there, and run from there.
    const isUsable = mounted?.[2] === 'tmpfs' && !mounted[3]?.split(',').includes('noexec');
    return isUsable && bavail * bsize >= neededBytes && process.availableMemory() >= neededBytes;
  } catch {
    return false;
  }
}
