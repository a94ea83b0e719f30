// Gives free pages of the embedded store back to the disk, a few at a time: after a large removal the file would else stay
// as large as it ever was (D-275). Where a server keeps the files, its vacuum does that.

import sql from 'sql-template-tag';
import type { Db, Steps } from '../engine/db.ts';
import type { BackgroundTask } from '../engine/work/background-task.ts';

// 2 MiB: some milliseconds of the write lock.
const pagesAtOnce = 256;
/** Below this many free pages (64 MiB) nothing is given back: they will be used again soon. */
const freeMin = 8_192;
const freeShare = 0.2;
const lookAgainMs = 60_000;

const lookedAt = new WeakMap<Db, number>();

export const freeSpaceTask: BackgroundTask = {
  name: 'free-space',
  about: 'returns free pages of the embedded store to the disk',
  ends: false,
  async scopes({ db, now }) {
    const last = lookedAt.get(db);
    const isDue = last === undefined || Math.abs(now() - last) >= lookAgainMs;
    return db.dialect.freePages !== null && isDue ? [{ accountId: 0, scope: '' }] : [];
  },
  async step({ db, now }) {
    if ((await pagesToRelease(db)) > 0 && (await db.write(releasePages, { pages: pagesAtOnce })) > 0)
      return 'moved';
    lookedAt.set(db, now());
    return 'idle';
  },
};

/** How many free pages are too many; 0 where the store cannot give any back. */
async function pagesToRelease(db: Db): Promise<number> {
  if (db.dialect.freePages === null) return 0;
  const [row] = await db.read<{ free: number; pages: number; mode: number }>(db.dialect.freePages);
  const incremental = 2;
  if (row === undefined || row.mode !== incremental || row.free < freeMin) return 0;
  return Math.max(0, row.free - Math.floor(row.pages * freeShare));
}

/** Says how many pages were given back. */
export function* releasePages({ pages }: { readonly pages: number }): Steps<number> {
  const count = function* count(): Steps<number> {
    const { rows } = yield sql`select freelist_count as free from pragma_freelist_count()`;
    return rows[0]?.free as number;
  };
  const before = yield* count();
  // Its driver takes one step of a statement that returns nothing, and this one frees a page with each.
  for (let page = 0; page < Math.min(pages, before); page += 1) yield sql`pragma incremental_vacuum(1)`;
  return before - (yield* count());
}
