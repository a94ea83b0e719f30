// The end of what was refused: bodies of the quarantine after a week, the list after a month, counts after some 400 days.
// Whoever refuses more of an account does this beside it; this task does it where nothing is refused any more (D-287).

import sql from 'sql-template-tag';
import { type Db, limitOf, type Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import { readTrustedNow, type TrustedMs, trustedNow } from '../engine/trusted-time.ts';
import { type BackgroundTask, moveOf, moveTaskAlone } from '../engine/work/background-task.ts';
import { endedBodies, forgetQuarantined } from './quarantine.ts';
import { endedCounts, endedRefusals, forgetOldRefusals, noAccount } from './refusals.ts';

const roundEveryMs = 3_600_000;
const accountsAtOnce = 100;

/** In the middle of a round, the last account that was looked at; between two rounds, when the last one ended. */
type Cursor = { readonly afterAccount: number } | { readonly endedAtMs: number };

const beginning: Cursor = { afterAccount: noAccount - 1 };

export const forgetRefused: BackgroundTask = {
  name: 'refused.forget',
  about: 'deletes expired refused responses',
  ends: false,
  async step({ db, now }, at) {
    const nowMs = now();
    let cursor = at.cursor === '' ? beginning : (JSON.parse(at.cursor) as Cursor);
    if ('endedAtMs' in cursor) {
      // A clock that was set back must not put it off for longer than a round.
      if (Math.abs(nowMs - cursor.endedAtMs) < roundEveryMs) return 'idle';
      cursor = beginning;
    }
    const trusted = await readTrustedNow(db, nowMs);
    const accounts = await accountsAfter(db, cursor.afterAccount);
    for (const accountId of accounts)
      if (await hasOldRefusals(db, accountId, trusted))
        while (await db.write(forgetOfAccount, { accountId, nowMs })) {
          // Some at a time, so that nobody waits long for it.
        }
    const last = accounts.at(-1);
    const next: Cursor = last === undefined ? { endedAtMs: nowMs } : { afterAccount: last };
    return (await db.write(moveTaskAlone, moveOf(at, JSON.stringify(next), nowMs))) ? 'moved' : 'lost';
  },
};

async function accountsAfter(db: Db, id: number): Promise<readonly number[]> {
  const rows = await db.read<{ id: number }>(sql`
    select id
    from account
    where id > ${id}
    order by id
    limit ${limitOf(accountsAtOnce)}`);
  const ids = rows.map((row) => row.id);
  // What belongs to nobody comes first.
  return id < noAccount ? [noAccount, ...ids] : ids;
}

/** Three small questions, because each names its table by itself: so they are asked of one machine where accounts are spread. */
async function hasOldRefusals(db: Db, accountId: number, now: TrustedMs): Promise<boolean> {
  const questions = [
    sql`
      select 1 as found
      from quarantined_response
      where account_id = ${accountId} and ${endedBodies(now)}
      limit 1`,
    sql`
      select 1 as found
      from refused_count
      where account_id = ${accountId} and ${endedCounts(now)}
      limit 1`,
    // Its rows are a thousand at most.
    sql`
      select 1 as found
      from refused_response
      where account_id = ${accountId} and ${endedRefusals(now)}
      limit 1`,
  ];
  for (const question of questions) if ((await db.read(question)).length > 0) return true;
  return false;
}

/** True while there may be more. */
export function* forgetOfAccount(
  { accountId, nowMs }: { readonly accountId: number; readonly nowMs: number },
  dialect: Dialect,
): Steps<boolean> {
  const now = yield* trustedNow(nowMs);
  yield* forgetOldRefusals(accountId, now);
  return yield* forgetQuarantined(accountId, now, dialect);
}
