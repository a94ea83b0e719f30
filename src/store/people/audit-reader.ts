// The audit log as people read it, on the command line and in the console: entries with the names of whoever acted.

import sql, { join } from 'sql-template-tag';
import type { actorKinds } from '../../domain/access/audit-actor.ts';
import { noteSentence } from '../../domain/access/audit-note.ts';
import type { GroupProfile } from '../../domain/provisioning/group.ts';
import type { KeptAuditDetails } from '../engine/audit.ts';
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
const groupSubject = /^group (\d+)$/;
const credentialSubject = /^((?:sc|pt)_\w+)(?: |$)/;

/** The names of users and operators who acted, and of what they acted on; of API clients and tokens who acted they are there. */
async function withNames(db: Db, entries: readonly AuditEntry[]): Promise<readonly AuditEntry[]> {
  const names = new Map<string, string>();
  const byAccount = Map.groupBy(entries, ({ accountId }) => accountId);
  for (const [accountId, own] of byAccount) {
    if (accountId === null) continue;
    const numbered = (pattern: RegExp, texts: readonly string[]): readonly number[] => [
      ...new Set(texts.flatMap((text) => text.match(pattern)?.[1] ?? []).map(Number)),
    ];
    const subjects = own.map(({ subject }) => subject);
    const users = numbered(userActor, [...own.map(({ actor }) => actor), ...subjects]);
    for (const { id, userName } of await namesOfUsers(db, accountId, users))
      names.set(`${accountId} user ${id}`, userName);
    for (const [id, name] of await namesOfGroups(db, accountId, numbered(groupSubject, subjects)))
      names.set(`${accountId} group ${id}`, name);
    const credentials = [
      ...new Set(subjects.flatMap((subject) => subject.match(credentialSubject)?.[1] ?? [])),
    ];
    for (const { id, name } of await namesOfCredentials(db, accountId, credentials))
      names.set(`${accountId} ${id}`, name);
  }
  return entries.map((entry) => {
    const { accountId, actor, subject } = entry;
    const operator = actor.match(operatorActor)?.[1];
    const actorName = entry.actorName ?? operator ?? names.get(`${accountId} ${actor}`) ?? null;
    const credential = subject.match(credentialSubject)?.[1];
    return { ...entry, actorName, subjectName: names.get(`${accountId} ${credential ?? subject}`) ?? null };
  });
}

/** What whoever acted is called today, by what the log calls them; whoever is gone is not there. */
export async function namesOfActors(
  db: Db,
  accountId: number,
  actors: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(actors.flatMap((actor) => actor.match(userActor)?.[1] ?? []).map(Number))];
  const users = await namesOfUsers(db, accountId, ids);
  return new Map([
    ...users.map(({ id, userName }) => [`user ${id}`, userName] as const),
    ...actors.flatMap((actor) => {
      const [, operator] = actor.match(operatorActor) ?? [];
      return operator === undefined ? [] : [[actor, operator] as const];
    }),
  ]);
}

async function namesOfUsers(db: Db, accountId: number, ids: readonly number[]) {
  if (ids.length === 0) return [];
  const rows = await db.read<UserRow>(sql`
    select ${userColumns}
    from account_user
    where account_user.account_id = ${accountId} and account_user.id in (${join(ids)})`);
  return rows.map((row) => ({ id: row.id, userName: rememberedUserOf(db, row).profile.userName }));
}

export async function namesOfGroups(
  db: Db,
  accountId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.read<{ readonly id: number; readonly profile: string }>(sql`
    select id, profile
    from user_group
    where account_id = ${accountId} and id in (${join(ids)})`);
  return new Map(rows.map(({ id, profile }) => [id, (JSON.parse(profile) as GroupProfile).displayName]));
}

export async function namesOfCredentials(db: Db, accountId: number, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return db.read<{ readonly id: string; readonly name: string }>(sql`
    select id, name
    from api_client
    where account_id = ${accountId} and id in (${join(ids)})
    union all
    select id, name
    from provisioning_token
    where account_id = ${accountId} and id in (${join(ids)})`);
}

/** Undefined also where a later release has written what this one has no words for. */
export function noteOf({ note, noteCode, noteValues = {} }: KeptAuditDetails): string | undefined {
  return noteCode === undefined ? note : (noteSentence({ noteCode, noteValues }) ?? undefined);
}

/** As it is shown. */
export function shownEntry(entry: AuditEntry) {
  const { attributes = [], joined, left, noteCode, noteValues = {} } = entry.details;
  const { subjectCode, subjectValues = {} } = entry.details;
  const note = noteOf(entry.details);
  return {
    at: new Date(entry.nowMs).toISOString(),
    accountId: entry.accountId,
    actor: { kind: kindOf(entry), id: entry.actor, name: entry.actorName },
    action: entry.action,
    subject: entry.subject,
    subjectName: entry.subjectName ?? null,
    ...(subjectCode === undefined ? {} : { subjectCode, subjectValues }),
    attributes,
    ...(joined === undefined ? {} : { joined }),
    ...(left === undefined ? {} : { left }),
    ...(note === undefined ? {} : { note }),
    ...(note === undefined || noteCode === undefined ? {} : { noteCode, noteValues }),
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
