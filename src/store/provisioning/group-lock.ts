// The lock of an account's groups, their members and the roles of everybody.

import sql from 'sql-template-tag';
import type { Steps } from '../engine/db.ts';

/** Locks the row that every change of groups of the account holds, and makes it where there is none. */
export function* holdGroups(accountId: number): Steps<void> {
  const lock = sql`update group_counter set total = total where account_id = ${accountId}`;
  const { changed } = yield lock;
  if (changed > 0) return;
  yield sql`
    insert into group_counter (account_id, total)
    values (${accountId}, 0)
    on conflict (account_id) do nothing`;
  yield lock;
}
