// The last requests of identity providers, for an operator who asks what a provider did. It forgets by itself: after a
// week, and what is beyond the newest thousand of an account.

import sql, { join, type Sql } from 'sql-template-tag';
import type { LogPart } from '../../domain/provisioning/provider-deed.ts';
import { type Db, insertInto, limitOf, type Steps } from '../engine/db.ts';
import { type TrustedMs, trustedNow } from '../engine/trusted-time.ts';

export const requestsKept = 1_000;
export const requestAgeMaxMs = 7 * 86_400_000;

export interface ProvisioningRequest {
  /** The id of the request, as its answer told it. */
  readonly id: string;
  readonly atMs: number;
  /** The API client or the provisioning token. */
  readonly actor: string;
  readonly method: string;
  /** The pattern of the path. */
  readonly route: string;
  readonly status: number;
  /** What stood in the place of the pattern's id. */
  readonly subject: string | null;
  readonly understood: string | null;
  readonly changed: string | null;
  readonly refused: string | null;
}

/** A request of the log with the name of whoever made it; null where that is gone. */
export interface NamedRequest extends ProvisioningRequest {
  readonly who: string | null;
}

export interface KeepRequests {
  readonly accountId: number;
  readonly requests: readonly ProvisioningRequest[];
  readonly nowMs: number;
}

/** Running it twice does no harm: a request that is there already stays as it is. */
export function* keepProvisioningRequests({ accountId, requests, nowMs }: KeepRequests): Steps<void> {
  yield insertInto(
    'provisioning_request',
    requests,
    {
      account_id: ['integer', () => accountId],
      id: ['text', (one) => one.id],
      at: ['integer', (one) => one.atMs],
      actor: ['text', (one) => one.actor],
      method: ['text', (one) => one.method],
      route: ['text', (one) => one.route],
      status: ['integer', (one) => one.status],
      subject: ['text', (one) => one.subject],
      understood: ['text', (one) => one.understood],
      changed: ['text', (one) => one.changed],
      refused: ['text', (one) => one.refused],
    },
    'on conflict (account_id, id) do nothing',
  );
  yield sql`
    delete from provisioning_request
    where account_id = ${accountId} and ${endedRequests(yield* trustedNow(nowMs))}`;
  const { rows } = yield sql`
    select id
    from provisioning_request
    where account_id = ${accountId}
    order by id desc
    limit 1 offset ${limitOf(requestsKept)}`;
  const newestTooMany = rows[0]?.id;
  if (typeof newestTooMany === 'string')
    yield sql`delete from provisioning_request where account_id = ${accountId} and id <= ${newestTooMany}`;
}

export function endedRequests(now: TrustedMs): Sql {
  return sql`at < ${now - requestAgeMaxMs}`;
}

/** What is still of interest, oldest first. */
export async function provisioningRequests(
  db: Db,
  accountId: number,
  nowMs: number,
): Promise<readonly NamedRequest[]> {
  const rows = await db.read<NamedRequest>(sql`
    select request.id, request.at as "atMs", request.actor, request.method, request.route, request.status,
      request.subject, request.understood, request.changed, request.refused,
      coalesce(provisioning_token.name, api_client.name) as who
    from provisioning_request as request
    left join provisioning_token on provisioning_token.id = request.actor
    left join api_client on api_client.id = request.actor
    where request.account_id = ${accountId} and request.at >= ${nowMs - requestAgeMaxMs}
    order by request.id desc
    limit ${limitOf(requestsKept)}`);
  return rows.toReversed();
}

export interface WantedRequests {
  /** Only of these tokens and clients; all of the account where none are named. */
  readonly actors: readonly string[] | null;
  readonly part: LogPart;
  /** Those that are older than the request of this id. */
  readonly before: string | null;
  readonly take: number;
}

/** A page of them, the newest first. */
export async function provisioningRequestPage(
  db: Db,
  accountId: number,
  { actors, part, before, take }: WantedRequests,
  nowMs: number,
): Promise<readonly NamedRequest[]> {
  if (actors?.length === 0) return [];
  const ofActors = actors === null ? sql`` : sql`and request.actor in (${join(actors)})`;
  const older = before === null ? sql`` : sql`and request.id < ${before}`;
  const ofPart = {
    all: sql``,
    changes: sql`and (request.changed is not null or request.refused is not null)`,
    problems: sql`and request.refused is not null`,
  }[part];
  return db.read<NamedRequest>(sql`
    select request.id, request.at as "atMs", request.actor, request.method, request.route, request.status,
      request.subject, request.understood, request.changed, request.refused,
      coalesce(provisioning_token.name, api_client.name) as who
    from provisioning_request as request
    left join provisioning_token on provisioning_token.id = request.actor
    left join api_client on api_client.id = request.actor
    where request.account_id = ${accountId} and request.at >= ${nowMs - requestAgeMaxMs}
      ${ofActors} ${older} ${ofPart}
    order by request.id desc
    limit ${limitOf(take)}`);
}

/** What is known of the requests of one token, as long as they are kept. */
export interface RequestFigures {
  readonly actor: string;
  readonly requests: number;
  readonly refused: number;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
}

export async function requestFigures(
  db: Db,
  accountId: number,
  actors: readonly string[],
  nowMs: number,
): Promise<ReadonlyMap<string, RequestFigures>> {
  if (actors.length === 0) return new Map();
  const rows = await db.read<RequestFigures>(sql`
    select actor, count(*) as requests, sum(case when refused is null then 0 else 1 end) as refused,
      min(at) as "firstAtMs", max(at) as "lastAtMs"
    from provisioning_request
    where account_id = ${accountId} and at >= ${nowMs - requestAgeMaxMs} and actor in (${join(actors)})
    group by actor
    limit ${limitOf(requestsKept)}`);
  return new Map(
    rows.map((row) => [row.actor, { ...row, requests: Number(row.requests), refused: Number(row.refused) }]),
  );
}
