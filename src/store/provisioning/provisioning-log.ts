// The last requests of identity providers, for an operator who asks what a provider did. It forgets by itself: after a
// week, and what is beyond the newest thousand of an account.

import sql from 'sql-template-tag';
import { type Db, limitOf, type Steps } from '../engine/db.ts';

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
  yield {
    table: 'provisioning_request',
    columns: [
      ['account_id', 'integer'],
      ['id', 'text'],
      ['at', 'integer'],
      ['actor', 'text'],
      ['method', 'text'],
      ['route', 'text'],
      ['status', 'integer'],
      ['subject', 'text'],
      ['understood', 'text'],
      ['changed', 'text'],
      ['refused', 'text'],
    ],
    rows: requests.map((one) => [
      accountId,
      one.id,
      one.atMs,
      one.actor,
      one.method,
      one.route,
      one.status,
      one.subject,
      one.understood,
      one.changed,
      one.refused,
    ]),
    onConflict: 'on conflict (account_id, id) do nothing',
  };
  yield sql`
    delete from provisioning_request
    where account_id = ${accountId} and at < ${nowMs - requestAgeMaxMs}`;
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
