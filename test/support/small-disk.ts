// Preloaded into a service: while the file that SMALL_DISK names exists, its store may not grow by a page, which is
// how SQLite itself knows a full disk. It needs no rights on the machine and no disk to fill.

import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isMainThread } from 'node:worker_threads';

const marker = process.env.SMALL_DISK ?? '';
const pageCountMax = 4_294_967_294;

if (!isMainThread && marker !== '') {
  const exec = DatabaseSync.prototype.exec;
  DatabaseSync.prototype.exec = function limited(this: DatabaseSync, text: string): void {
    if (text.startsWith('begin')) {
      const limit = existsSync(marker) ? 1 : pageCountMax;
      // A limit below the size counts as the size.
      exec.call(this, `pragma max_page_count = ${limit}`);
    }
    exec.call(this, text);
  };
}
