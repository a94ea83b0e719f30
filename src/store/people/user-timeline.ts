// What was done to a user, by the identity provider and by people, the newest first: the audit log tells what changed, and
// the log of the provider's requests what it asked for and what it was refused (D-592).

import sql, { empty, join, type Sql } from 'sql-template-tag';
import { addressOf, type User } from '../../domain/provisioning/user.ts';
import type { AuditEntry } from '../engine/audit-log.ts';
import { type Db, limitOf } from '../engine/db.ts';
import { type NamedRequest, requestAgeMaxMs } from '../provisioning/provisioning-log.ts';
import { auditPage, namesOfGroups } from './audit-reader.ts';

export interface TimelineEntry {
  readonly atMs: number;
  /** Of the change, or of the request where nothing was changed. */
  readonly id: string;
  /** Null where the provider asked for something and nothing was changed. */
  readonly change: AuditEntry | null;
  /** The group that the user joined or left. */
  readonly group: {
    readonly id: number;
    readonly displayName: string | null;
    readonly joined: boolean;
  } | null;
  /** What the provider asked for; known for a week at most. */
  readonly request: NamedRequest | null;
}

interface Timeline {
  readonly entries: readonly TimelineEntry[];
  readonly next: string | null;
}

/** No more requests than this stand on a page. */
const requestsMax = 1_000;

export async function userTimeline(
  db: Db,
  user: User,
  { after, take, nowMs }: { readonly after: string | null; readonly take: number; readonly nowMs: number },
  betweenSlices: () => Promise<void>,
): Promise<Timeline> {
  const { accountId, id } = user;
  const page = await auditPage(db, { accountId, aboutUser: id }, { after, take }, betweenSlices);
  const groups = await namesOfGroups(db, accountId, page.entries.flatMap(groupIn));
  const changed = page.entries.flatMap(({ requestId }) => requestId ?? []);
  const [asked, unchanged] = await Promise.all([
    changed.length === 0 ? [] : requestsWhere(db, user, nowMs, sql`request.id in (${join(changed)})`),
    requestsWhere(db, user, nowMs, inVain(user, after, page.next)),
  ]);
  const byId = new Map(asked.map((one) => [one.id, one]));
  const changes = page.entries.map((change): TimelineEntry => {
    const request = byId.get(change.requestId ?? '') ?? null;
    const [groupId] = groupIn(change);
    const group =
      groupId === undefined
        ? null
        : {
            id: groupId,
            displayName: groups.get(groupId) ?? null,
            joined: change.details.joined?.ids.includes(id) ?? false,
          };
    return { atMs: change.nowMs, id: change.changeId, change, group, request };
  });
  const others = unchanged.map(
    (request): TimelineEntry => ({ atMs: request.atMs, id: request.id, change: null, group: null, request }),
  );
  const entries = [...changes, ...others].toSorted(
    (one, other) => other.atMs - one.atMs || (one.id < other.id ? 1 : -1),
  );
  return { entries, next: page.next };
}

function groupIn({ subject }: AuditEntry): readonly number[] {
  const [, id] = subject.match(/^group (\d+)$/) ?? [];
  return id === undefined ? [] : [Number(id)];
}

/**
 * What providers asked to change of the user, by whatever they named them, and nothing was: refused, or so already. The ids
 * of changes and of requests both begin with their time, so that one place divides both logs.
 */
function inVain(user: User, after: string | null, next: string | null): Sql {
  const names = [...new Set([String(user.id), addressOf(user)])];
  return sql`request.subject in (${join(names)}) and request.route like ${'%/Users/:id'}
    and request.method <> 'GET' and request.changed is null
    ${after === null ? empty : sql`and request.id < ${after}`}
    ${next === null ? empty : sql`and request.id > ${next}`}`;
}

function requestsWhere(
  db: Db,
  { accountId }: User,
  nowMs: number,
  where: Sql,
): Promise<readonly NamedRequest[]> {
  return db.read<NamedRequest>(sql`
    select request.id, request.at as "atMs", request.actor, request.method, request.route, request.status,
      request.subject, request.understood, request.changed, request.refused,
      coalesce(provisioning_token.name, api_client.name) as who
    from provisioning_request as request
    left join provisioning_token on provisioning_token.id = request.actor
    left join api_client on api_client.id = request.actor
    where request.account_id = ${accountId} and request.at >= ${nowMs - requestAgeMaxMs} and ${where}
    order by request.id desc
    limit ${limitOf(requestsMax)}`);
}
