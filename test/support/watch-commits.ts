// Loaded into a service before its own code (node --import): looks over the shoulder of every SQLite connection, in
// every thread. Each commit leaves a line with the `synchronous` of its connection; while the file `stall` is there, a
// commit does not get through, as on a disk that hangs.

import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const folder = process.env.WATCH_COMMITS_FOLDER ?? '';
const never = new Int32Array(new SharedArrayBuffer(4));
const { exec } = DatabaseSync.prototype;

DatabaseSync.prototype.exec = function watchedExec(text: string): void {
  if (folder !== '' && text === 'commit') {
    const { synchronous } = this.prepare('pragma synchronous').get() as { synchronous: number };
    appendFileSync(join(folder, 'commits'), `${synchronous}\n`);
    while (existsSync(join(folder, 'stall'))) {
      writeFileSync(join(folder, 'stalled'), '');
      Atomics.wait(never, 0, 0, 5);
    }
  }
  exec.call(this, text);
};
