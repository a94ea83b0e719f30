// Entries of the audit log end when they are older than they are to be kept (D-280). A background task goes from account
// to account, the store's own entries first, and forgets a slice at a time; an hour after the last account it begins
// again. Accounts are found in the log itself, so that those that were removed are among them.

import sql, { type Sql } from 'sql-template-tag';
import { dayMs } from '../../domain/dates.ts';
import { endedEntries } from '../engine/audit-log.ts';
import { type Db, limitOf, type Steps } from '../engine/db.ts';
import { readTrustedNow, type TrustedMs } from '../engine/trusted-time.ts';
import {
  type BackgroundTask,
  moveOf,
  moveTask,
  moveTaskAlone,
  type TaskMove,
} from '../engine/work/background-task.ts';

const sliceRows = 1_000;
const accountsAtOnce = 200;
const everyMs = 3_600_000;

/** Where a round stands: behind which account, and, between two rounds, when the next begins. */
interface Place {
  readonly account: number;
  readonly dueMs: number;
}

const beginning: Place = { account: -1, dueMs: 0 };

export const auditEnd: BackgroundTask = {
  name: 'audit-end',
  about: 'deletes audit entries older than SOUNDINGS_AUDIT_KEEP_DAYS',
  ends: false,
  async step(context, at) {
    const { db, config } = context;
    const nowMs = context.now();
    const place = at.cursor === '' ? beginning : (JSON.parse(at.cursor) as Place);
    // A clock that was set back must not end it for long.
    if (config.auditKeepDays === 0 || (nowMs < place.dueMs && place.dueMs <= nowMs + everyMs)) return 'idle';
    const now = await readTrustedNow(db, nowMs);
    const keptMs = config.auditKeepDays * dayMs;
    const { found, last } = await accountToForget(db, place.account, endedEntries(now, keptMs));
    const move = (next: Place): TaskMove => moveOf(at, JSON.stringify(next), nowMs);
    if (found === null) {
      const next =
        last === null ? { account: beginning.account, dueMs: nowMs + everyMs } : { account: last, dueMs: 0 };
      return (await db.write(moveTaskAlone, move(next))) ? 'moved' : 'lost';
    }
    // The same account comes next, until it has nothing to forget.
    const slice = { ...move({ account: found - 1, dueMs: 0 }), of: found, now, keptMs, take: sliceRows };
    return (await db.write(forgetAuditSlice, slice)) === null ? 'lost' : 'moved';
  },
};

/** The next account with something to forget, or how far was looked; null for both behind the last one. */
async function accountToForget(
  db: Db,
  after: number,
  ended: Sql,
): Promise<{ readonly found: number | null; readonly last: number | null }> {
  let last = after;
  for (let looked = 0; looked < accountsAtOnce; looked += 1) {
    const [row] = await db.read<{ next: number | null }>(sql`
      select min(account_id) as next
      from audit
      where account_id > ${last}`);
    if (row === undefined || row.next === null) return { found: null, last: null };
    last = row.next;
    const [old] = await db.read(sql`
      select id
      from audit
      where account_id = ${last} and ${ended}
      order by id
      limit 1`);
    if (old !== undefined) return { found: last, last };
  }
  return { found: null, last };
}

interface AuditSlice extends TaskMove {
  /** The account whose entries go. */
  readonly of: number;
  readonly now: TrustedMs;
  readonly keptMs: number;
  readonly take: number;
}

/** How many went; null when another replica was first. */
export function* forgetAuditSlice(slice: AuditSlice): Steps<number | null> {
  if (!(yield* moveTask(slice))) return null;
  const { changed } = yield sql`
    delete from audit
    where account_id = ${slice.of} and id in (
      select id
      from audit
      where account_id = ${slice.of} and ${endedEntries(slice.now, slice.keptMs)}
      order by id
      limit ${limitOf(slice.take)}
    )`;
  return changed;
}
