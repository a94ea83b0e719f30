// The audit log of one account as a test looks at it: newest first.

import { auditEntries } from '../../src/store/engine/audit-log.ts';
import type { Db } from '../../src/store/engine/db.ts';

export async function auditOf(db: Db, accountId: number | null, take: number) {
  const page = { after: null, isNewestFirst: true, take: 10_000 };
  const entries = await auditEntries(db, { accountId }, page);
  // Tests give ids of their own, whose order is not that of time.
  return entries
    .map((entry) => ({
      accountId: entry.accountId,
      id: entry.changeId,
      atMs: entry.nowMs,
      actor: entry.actor,
      action: entry.action,
      subject: entry.subject,
    }))
    .toSorted((one, other) => other.atMs - one.atMs)
    .slice(0, take);
}
