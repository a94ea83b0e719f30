// Provisioning tokens: long-lived credentials for identity providers that can only paste one. A token opens the users
// of its account and nothing else, ends by itself, and is kept as a keyed hash like the secrets of API clients (D-15).

import sql from 'sql-template-tag';
import type { AccountLimits } from '../../domain/access/account.ts';
import { Problem } from '../../domain/problem.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import type { Db, Steps } from '../engine/db.ts';
import { limitsOf } from './clients.ts';
import { requireAccount } from './known-account.ts';

export interface ProvisioningToken {
  readonly id: string;
  readonly accountId: number;
  readonly name: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** Null while it was not revoked. */
  readonly revokedAtMs: number | null;
}

/** A token together with what its account may ask for. */
export interface TokenOfAccount extends ProvisioningToken {
  readonly accountLimits: AccountLimits | null;
}

const columns = sql`id, account_id as "accountId", name, created_at as "createdAtMs", expires_at as "expiresAtMs",
  revoked_at as "revokedAtMs"`;

/** Found by its hash, which nobody can aim at without the key of the store: no comparison is left to be timed. */
export async function findProvisioningToken(db: Db, secretHash: string): Promise<TokenOfAccount | null> {
  const [row] = await db.read<ProvisioningToken & { limits: string | null }>(sql`
    select ${columns}, (select limits from account where account.id = provisioning_token.account_id) as limits
    from provisioning_token
    where secret_hash = ${secretHash}`);
  if (row === undefined) return null;
  const { limits, ...token } = row;
  return { ...token, accountLimits: limitsOf(limits) };
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

interface TokenChange extends ChangeStamp {
  readonly accountId: number;
  readonly id: string;
}

export interface CreateProvisioningToken extends TokenChange {
  readonly name: string;
  readonly secretHash: string;
  readonly expiresAtMs: number;
}

export function* createProvisioningToken(input: CreateProvisioningToken): Steps<void> {
  yield* requireAccount(input.accountId);
  yield sql`
    insert into provisioning_token (id, account_id, name, secret_hash, created_at, expires_at, revoked_at)
    values (${input.id}, ${input.accountId}, ${input.name}, ${input.secretHash}, ${input.nowMs},
      ${input.expiresAtMs}, null)`;
  yield audited(input, 'provisioning-token.create');
}

/** Returns whether it was live until now. A token of another account is none (D-10). */
export function* revokeProvisioningToken(input: TokenChange): Steps<boolean> {
  const revoked = yield sql`
    update provisioning_token
    set revoked_at = ${input.nowMs}
    where id = ${input.id} and account_id = ${input.accountId} and revoked_at is null`;
  if (revoked.changed > 0) {
    yield audited(input, 'provisioning-token.revoke');
    return true;
  }
  const known = yield sql`
    select id
    from provisioning_token
    where id = ${input.id} and account_id = ${input.accountId}`;
  if (known.rows.length > 0) return false;
  throw new Problem(
    'INVALID_REQUEST',
    `Account ${input.accountId} has no provisioning token ${input.id}. See "soundings provisioning-token list --account ${input.accountId}".`,
  );
}

function audited(input: TokenChange, action: string) {
  return auditStatement(input, { accountId: input.accountId, action, subject: input.id });
}
