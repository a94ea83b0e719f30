// API clients: who may ask for a token, and by which secrets.

import sql, { empty } from 'sql-template-tag';
import type { ApiClient, Grant } from '../domain/account.ts';
import { Problem } from '../domain/problem.ts';
import { auditStatement } from './audit.ts';
import type { Db, Steps } from './db.ts';

/** An API client with the keyed hashes of its secrets; two while one is being rotated (D-15). */
export interface ApiClientRecord extends ApiClient {
  readonly secretHashes: readonly string[];
  readonly createdAtMs: number;
}

interface ClientRow {
  readonly id: string;
  readonly account_id: number;
  readonly name: string;
  readonly grants: string;
  readonly disabled: number;
  readonly secret_hash: string;
  readonly older_secret_hash: string | null;
  readonly created_at: number;
}

const columns = sql`id, account_id, name, grants, disabled, secret_hash, older_secret_hash, created_at`;

export async function findClient(db: Db, id: string): Promise<ApiClientRecord | null> {
  const [row] = await db.read<ClientRow>(sql`
    select ${columns}
    from api_client
    where id = ${id}`);
  return row === undefined ? null : fromRow(row);
}

export async function listClients(db: Db, accountId: number | null): Promise<readonly ApiClientRecord[]> {
  const ofAccount = accountId === null ? empty : sql`where account_id = ${accountId}`;
  const rows = await db.read<ClientRow>(sql`
    select ${columns}
    from api_client
    ${ofAccount}
    order by account_id, id
    limit 10000`);
  return rows.map(fromRow);
}

function fromRow(row: ClientRow): ApiClientRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    grants: JSON.parse(row.grants) as Grant[],
    disabled: row.disabled === 1,
    secretHashes:
      row.older_secret_hash === null ? [row.secret_hash] : [row.secret_hash, row.older_secret_hash],
    createdAtMs: row.created_at,
  };
}

interface Order {
  readonly changeId: string;
  readonly nowMs: number;
  readonly actor: string;
}

export interface CreateClient extends Order {
  readonly id: string;
  readonly accountId: number;
  readonly name: string;
  readonly grants: readonly Grant[];
  readonly secretHash: string;
}

export function* createClient(order: CreateClient): Steps<void> {
  const account = yield sql`select id from account where id = ${order.accountId}`;
  if (account.rows.length === 0) {
    throw new Problem(
      'INVALID_REQUEST',
      `There is no account ${order.accountId}. Create it with "soundings apply".`,
    );
  }
  yield sql`
    insert into api_client (${columns})
    values (${order.id}, ${order.accountId}, ${order.name}, ${JSON.stringify(order.grants)}, 0,
      ${order.secretHash}, null, ${order.nowMs})`;
  yield auditStatement({
    accountId: order.accountId,
    ...entry(order),
    action: 'client.create',
    subject: order.id,
  });
}

export interface ChangeClient extends Order {
  readonly id: string;
}

/** The new secret works beside the old one until the rotation is finished. */
export function* rotateClientSecret(order: ChangeClient & { secretHash: string }): Steps<void> {
  const client = yield* clientForChange(order);
  if (client.secretHashes.length > 1) {
    throw new Problem(
      'CONFLICT',
      `Two secrets of ${order.id} are live. End the old one first: rotate ${order.id} --finish.`,
    );
  }
  yield sql`
    update api_client
    set older_secret_hash = secret_hash, secret_hash = ${order.secretHash}
    where id = ${order.id}`;
  yield auditStatement({
    accountId: client.accountId,
    ...entry(order),
    action: 'client.rotate',
    subject: order.id,
  });
}

export function* finishClientRotation(order: ChangeClient): Steps<void> {
  const client = yield* clientForChange(order);
  if (client.secretHashes.length === 1) {
    throw new Problem('CONFLICT', `${order.id} has one secret: there is no rotation to finish.`);
  }
  yield sql`update api_client set older_secret_hash = null where id = ${order.id}`;
  yield auditStatement({
    accountId: client.accountId,
    ...entry(order),
    action: 'client.rotate.finish',
    subject: order.id,
  });
}

export function* setClientDisabled(order: ChangeClient & { disabled: boolean }): Steps<void> {
  const client = yield* clientForChange(order);
  yield sql`update api_client set disabled = ${order.disabled ? 1 : 0} where id = ${order.id}`;
  const action = order.disabled ? 'client.disable' : 'client.enable';
  yield auditStatement({ accountId: client.accountId, ...entry(order), action, subject: order.id });
}

/** Adds and takes away grants; returns those the client has afterwards. */
export function* changeClientGrants(
  order: ChangeClient & { add: readonly Grant[]; remove: readonly Grant[] },
): Steps<readonly Grant[]> {
  const client = yield* clientForChange(order);
  const grants = [...new Set([...client.grants, ...order.add])].filter(
    (grant) => !order.remove.includes(grant),
  );
  yield sql`update api_client set grants = ${JSON.stringify(grants)} where id = ${order.id}`;
  yield auditStatement({
    accountId: client.accountId,
    ...entry(order),
    action: 'client.grants',
    subject: `${order.id} ${grants.join(' ')}`,
  });
  return grants;
}

function* clientForChange({ id }: ChangeClient): Steps<ApiClientRecord> {
  // A change that touches nothing takes the row's lock first, so that two rotations at once do not both pass.
  yield sql`update api_client set name = name where id = ${id}`;
  const { rows } = yield sql`select ${columns} from api_client where id = ${id}`;
  const [row] = rows as unknown as ClientRow[];
  if (row === undefined)
    throw new Problem('INVALID_REQUEST', `There is no API client ${id}. See "soundings client list".`);
  return fromRow(row);
}

function entry(order: Order): { id: string; atMs: number; actor: string } {
  return { id: order.changeId, atMs: order.nowMs, actor: order.actor };
}
