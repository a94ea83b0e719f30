// Reads the audit log. The id of a change is a UUID of version 7, which
// begins with its time: the order of the ids is that of the changes, and a range of days is a range of ids, so that both
// are found by the key. Clocks of several machines differ a little, so a range of ids is taken wider, and `at` decides.

import sql, { empty, join, type Sql } from 'sql-template-tag';
import { type ChangeStamp, type KeptAuditDetails, wholeStore } from './audit.ts';
import { type Db, limitOf } from './db.ts';
import type { TrustedMs } from './trusted-time.ts';

export interface AuditEntry extends ChangeStamp {
  /** Null for what concerns the whole store. */
  readonly accountId: number | null;
  /** Of whoever acted; null where they are gone or have none. */
  readonly actorName: string | null;
  readonly action: string;
  readonly subject: string;
  /** What the subject is called today, where it is a user, a group, an API client or a token that is still there. */
  readonly subjectName?: string | null;
  readonly details: KeptAuditDetails;
  /** How many people were invited; null where a release of before wrote it, and for all else. */
  readonly invited?: number | null;
}

export interface AuditFilter {
  /** Of one account; null for the store itself; undefined for all of it. */
  readonly accountId?: number | null;
  readonly actor?: string;
  /** An action, or the first words of several: `user` is `user.create`, `user.suspend` and so on. */
  readonly action?: string;
  readonly subject?: string;
  /** What was done to a user, and their joining and leaving of groups, so far as the log names members (D-592). */
  readonly aboutUser?: number;
  readonly fromMs?: number;
  /** The first moment that is not wanted any more. */
  readonly toMs?: number;
  /** Entries with ids before this one are not looked at. */
  readonly lastId?: string;
}

/** A place in the log. One change may have entries in many accounts, so that the id alone is none. */
export interface AuditPlace {
  readonly changeId: string;
  readonly accountId: number | null;
}

interface AuditRow {
  readonly accountId: number;
  readonly changeId: string;
  readonly nowMs: number;
  readonly actor: string;
  readonly actorName: string | null;
  readonly action: string;
  readonly subject: string;
  readonly requestId: string | null;
  readonly origin: string | null;
  readonly details: string | null;
  readonly invited: number | null;
}

const clocksDifferMs = 60_000;

/** Some entries in the order of time, from a place on: the next ones, or, `newest`, those before it, the latest first. */
export async function auditEntries(
  db: Db,
  filter: AuditFilter,
  { after, isNewestFirst, take }: { after: AuditPlace | null; isNewestFirst: boolean; take: number },
): Promise<readonly AuditEntry[]> {
  const conditions = [...conditionsOf(filter), ...(after === null ? [] : [behind(after, isNewestFirst)])];
  const where = conditions.length === 0 ? empty : sql`where ${join(conditions, ' and ')}`;
  const rows = await db.read<AuditRow>(sql`
    select audit.account_id as "accountId", audit.id as "changeId", audit.at as "nowMs", audit.actor, audit.action,
      audit.subject, audit.request_id as "requestId", audit.origin, audit.details, audit.invited,
      coalesce(provisioning_token.name, api_client.name) as "actorName"
    from audit
    left join provisioning_token on provisioning_token.id = audit.actor
    left join api_client on api_client.id = audit.actor
    ${where}
    order by ${isNewestFirst ? sql`audit.id desc, audit.account_id desc` : sql`audit.id, audit.account_id`}
    limit ${limitOf(take)}`);
  return rows.map(({ accountId, requestId, origin, details, ...entry }) => ({
    ...entry,
    accountId: accountId === wholeStore ? null : accountId,
    ...(requestId === null ? {} : { requestId }),
    ...(origin === null ? {} : { origin }),
    details: details === null ? {} : (JSON.parse(details) as KeptAuditDetails),
  }));
}

/**
 * The id of the entry that lies so many behind a place in the log of an account, the newest first and whatever they say;
 * null where there are not so many. It costs as much as that many steps along an index.
 */
export async function entryBehind(
  db: Db,
  { accountId, fromMs, toMs }: AuditFilter & { readonly accountId: number },
  after: string | null,
  count: number,
): Promise<string | null> {
  const range = {
    accountId,
    ...(fromMs === undefined ? {} : { fromMs }),
    ...(toMs === undefined ? {} : { toMs }),
  };
  const conditions = [...conditionsOf(range), ...(after === null ? [] : [sql`audit.id < ${after}`])];
  const [row] = await db.read<{ readonly id: string }>(sql`
    select audit.id
    from audit
    where ${join(conditions, ' and ')}
    order by audit.id desc
    limit 1 offset ${limitOf(count - 1)}`);
  return row?.id ?? null;
}

function conditionsOf(filter: AuditFilter): Sql[] {
  const { accountId, actor, action, subject, aboutUser, fromMs, toMs, lastId } = filter;
  const conditions: Sql[] = [];
  if (accountId !== undefined) conditions.push(sql`audit.account_id = ${accountId ?? wholeStore}`);
  if (lastId !== undefined) conditions.push(sql`audit.id >= ${lastId}`);
  if (actor !== undefined) conditions.push(sql`audit.actor = ${actor}`);
  if (subject !== undefined) conditions.push(sql`audit.subject = ${subject}`);
  if (aboutUser !== undefined) conditions.push(isAboutUser(aboutUser));
  // A dot is followed by what sorts behind it and before a slash, so that this needs no pattern.
  if (action !== undefined)
    conditions.push(
      sql`(audit.action = ${action} or (audit.action > ${`${action}.`} and audit.action < ${`${action}/`}))`,
    );
  if (fromMs !== undefined)
    conditions.push(sql`audit.at >= ${fromMs} and audit.id >= ${firstIdAt(fromMs - clocksDifferMs)}`);
  if (toMs !== undefined)
    conditions.push(sql`audit.at < ${toMs} and audit.id < ${firstIdAt(toMs + clocksDifferMs)}`);
  return conditions;
}

/** Members stand in the details as a list of numbers without blanks, which a pattern tells from all other numbers. */
function isAboutUser(id: number): Sql {
  const patterns = [`%[${id},%`, `%,${id},%`, `%,${id}]%`, `%[${id}]%`];
  const isNamed = join(
    patterns.map((pattern) => sql`audit.details like ${pattern}`),
    ' or ',
  );
  return sql`(audit.subject = ${`user ${id}`}
    or (audit.action > 'group.' and audit.action < 'group/' and (${isNamed})))`;
}

function behind({ changeId, accountId }: AuditPlace, isNewestFirst: boolean): Sql {
  const place = sql`(${changeId}, ${accountId ?? wholeStore})`;
  return isNewestFirst
    ? sql`(audit.id, audit.account_id) < ${place}`
    : sql`(audit.id, audit.account_id) > ${place}`;
}

/** The least UUID of version 7 of a moment. */
export function firstIdAt(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** Of one account: entries that are older than they are to be kept. */
export function endedEntries(now: TrustedMs, keptMs: number): Sql {
  const beforeMs = now - keptMs;
  return sql`id < ${firstIdAt(beforeMs + clocksDifferMs)} and at < ${beforeMs}`;
}
