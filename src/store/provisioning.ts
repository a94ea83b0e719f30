// Provisioning tokens: long-lived credentials for identity providers that can only paste one. A token opens the users
// of its account and nothing else, ends by itself, and is kept as a keyed hash like the secrets of API clients (D-15).

import sql from 'sql-template-tag';
import { Problem } from '../domain/problem.ts';
import { auditStatement } from './audit.ts';
import type { Db, Steps } from './db.ts';

export interface ProvisioningToken {
  readonly id: string;
  readonly accountId: number;
  readonly name: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** Null while it was not revoked. */
  readonly revokedAtMs: number | null;
}

const columns = sql`id, account_id as "accountId", name, created_at as "createdAtMs", expires_at as "expiresAtMs",
  revoked_at as "revokedAtMs"`;

/** Found by its hash, which nobody can aim at without the key of the store: no comparison is left to be timed. */
export async function findProvisioningToken(db: Db, secretHash: string): Promise<ProvisioningToken | null> {
  const [token] = await db.read<ProvisioningToken>(sql`
    select ${columns}
    from provisioning_token
    where secret_hash = ${secretHash}`);
  return token ?? null;
}

export async function listProvisioningTokens(
  db: Db,
  accountId: number,
): Promise<readonly ProvisioningToken[]> {
  return db.read<ProvisioningToken>(sql`
    select ${columns}
    from provisioning_token
    where account_id = ${accountId}
    order by id
    limit 10000`);
}

interface Order {
  readonly changeId: string;
  readonly nowMs: number;
  readonly actor: string;
  readonly accountId: number;
  readonly id: string;
}

export interface CreateProvisioningToken extends Order {
  readonly name: string;
  readonly secretHash: string;
  readonly expiresAtMs: number;
}

export function* createProvisioningToken(order: CreateProvisioningToken): Steps<void> {
  const account = yield sql`select id from account where id = ${order.accountId}`;
  if (account.rows.length === 0) {
    throw new Problem(
      'INVALID_REQUEST',
      `There is no account ${order.accountId}. Create it with "soundings apply".`,
    );
  }
  yield sql`
    insert into provisioning_token (id, account_id, name, secret_hash, created_at, expires_at, revoked_at)
    values (${order.id}, ${order.accountId}, ${order.name}, ${order.secretHash}, ${order.nowMs},
      ${order.expiresAtMs}, null)`;
  yield audited(order, 'provisioning-token.create');
}

/** Returns whether it was live until now. A token of another account is none (D-10). */
export function* revokeProvisioningToken(order: Order): Steps<boolean> {
  const revoked = yield sql`
    update provisioning_token
    set revoked_at = ${order.nowMs}
    where id = ${order.id} and account_id = ${order.accountId} and revoked_at is null`;
  if (revoked.changed > 0) {
    yield audited(order, 'provisioning-token.revoke');
    return true;
  }
  const known = yield sql`
    select id
    from provisioning_token
    where id = ${order.id} and account_id = ${order.accountId}`;
  if (known.rows.length > 0) return false;
  throw new Problem(
    'INVALID_REQUEST',
    `Account ${order.accountId} has no provisioning token ${order.id}. See "soundings provisioning-token list --account ${order.accountId}".`,
  );
}

function audited({ accountId, changeId, nowMs, actor, id }: Order, action: string) {
  return auditStatement({ accountId, id: changeId, atMs: nowMs, actor, action, subject: id });
}
