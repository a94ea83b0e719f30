// The audit log as people read it, on the command line and in the console: entries with the names of whoever acted.

import sql, { join } from 'sql-template-tag';
import { commandLine } from '../engine/audit.ts';
import {
  type AuditEntry,
  type AuditFilter,
  type AuditPlace,
  auditEntries,
  entryBehind,
} from '../engine/audit-log.ts';
import type { Db } from '../engine/db.ts';
import { rememberedUserOf } from '../provisioning/user-lookup.ts';
import { type UserRow, userColumns } from '../provisioning/user-row.ts';

/** Some entries from a place on: see auditEntries. */
export async function readAudit(
  db: Db,
  filter: AuditFilter,
  range: { readonly after: AuditPlace | null; readonly isNewestFirst: boolean; readonly take: number },
): Promise<readonly AuditEntry[]> {
  return withNames(db, await auditEntries(db, filter, range));
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** The id of the change behind which the next page begins; null where there is nothing more. */
  readonly next: string | null;
}

// Entries that are looked at in one statement, and statements for one page.
const sliceEntries = 1_000;
const slicesMax = 50;

/**
 * A page of the log of an account, the newest first. An account may have millions of entries and somebody two of them, so
 * that a page may end before it is full, with a place to go on from (D-393).
 */
export async function auditPage(
  db: Db,
  filter: AuditFilter & { readonly accountId: number },
  { after, take }: { readonly after: string | null; readonly take: number },
  betweenSlices: () => Promise<void>,
): Promise<AuditPage> {
  const { accountId } = filter;
  const entries: AuditEntry[] = [];
  let place = after;
  for (let slice = 0; slice < slicesMax; slice += 1) {
    if (slice > 0) await betweenSlices();
    const from = place === null ? null : { changeId: place, accountId };
    const lastId = await entryBehind(db, filter, place, sliceEntries);
    // One more than is shown tells whether there is a next page.
    const wanted = take + 1 - entries.length;
    const found = await auditEntries(
      db,
      { ...filter, ...(lastId === null ? {} : { lastId }) },
      { after: from, isNewestFirst: true, take: wanted },
    );
    entries.push(...found);
    if (entries.length > take) {
      const shown = entries.slice(0, take);
      return { entries: await withNames(db, shown), next: shown.at(-1)!.changeId };
    }
    if (lastId === null) return { entries: await withNames(db, entries), next: null };
    place = lastId;
  }
  return { entries: await withNames(db, entries), next: place };
}

const userActor = /^user (\d+)$/;
const operatorActor = /^operator (.+)$/s;

/** The names of users and operators who acted; of API clients and tokens they are there already. */
async function withNames(db: Db, entries: readonly AuditEntry[]): Promise<readonly AuditEntry[]> {
  const wanted = new Map<number, Set<number>>();
  for (const { accountId, actor } of entries) {
    const [, id] = actor.match(userActor) ?? [];
    if (id === undefined || accountId === null) continue;
    wanted.set(accountId, (wanted.get(accountId) ?? new Set()).add(Number(id)));
  }
  const names = new Map<string, string>();
  for (const [accountId, ids] of wanted)
    for (const { id, userName } of await namesOfUsers(db, accountId, [...ids]))
      names.set(`${accountId} user ${id}`, userName);
  return entries.map((entry) => {
    const operator = entry.actor.match(operatorActor)?.[1];
    const actorName = entry.actorName ?? operator ?? names.get(`${entry.accountId} ${entry.actor}`) ?? null;
    return { ...entry, actorName };
  });
}

async function namesOfUsers(db: Db, accountId: number, ids: readonly number[]) {
  const rows = await db.read<UserRow>(sql`
    select ${userColumns}
    from account_user
    where account_user.account_id = ${accountId} and account_user.id in (${join(ids)})`);
  return rows.map((row) => ({ id: row.id, userName: rememberedUserOf(db, row).profile.userName }));
}

export const actorKinds = ['user', 'operator', 'provisioningToken', 'apiClient'] as const;

/** As it is shown. */
export function shownEntry(entry: AuditEntry) {
  const { attributes = [], joined, left, note } = entry.details;
  return {
    at: new Date(entry.nowMs).toISOString(),
    accountId: entry.accountId,
    actor: { kind: kindOf(entry), id: entry.actor, name: entry.actorName },
    action: entry.action,
    subject: entry.subject,
    attributes,
    ...(joined === undefined ? {} : { joined }),
    ...(left === undefined ? {} : { left }),
    ...(note === undefined ? {} : { note }),
    requestId: entry.requestId ?? null,
    from: entry.origin ?? null,
    changeId: entry.changeId,
  };
}

/** Whoever types commands is an operator as well as whoever signs in as one. */
function kindOf({ actor }: AuditEntry): (typeof actorKinds)[number] {
  if (actor === commandLine || operatorActor.test(actor)) return 'operator';
  if (userActor.test(actor)) return 'user';
  return actor.startsWith('pt_') ? 'provisioningToken' : 'apiClient';
}
