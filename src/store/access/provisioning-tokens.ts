// Provisioning tokens: long-lived credentials for identity providers that can only paste one. A token opens the users
// of its account and nothing else, ends by itself, and is kept as a keyed hash like the secrets of API clients (D-15).

import sql from 'sql-template-tag';
import type { AccountLimits } from '../../domain/access/account.ts';
import { auditNote } from '../../domain/access/audit-note.ts';
import { adminsOnly, type ByActor } from '../../domain/access/role-rules.ts';
import { Problem } from '../../domain/problem.ts';
import { type AuditDetails, auditStatement, type ChangeStamp } from '../engine/audit.ts';
import { type Db, insertInto, limitOf, type Steps } from '../engine/db.ts';
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
  /** It reads users, and changes none. */
  readonly isReadOnly: boolean;
  /** Whether it may change users who are admin, and groups that carry admin; null until that is found (D-813). */
  readonly mayChangeAdmins: boolean | null;
  /** The connection that users belong to who are made with it (D-353). */
  readonly connectionId: string | null;
}

export interface ListedToken extends ProvisioningToken {
  /** To the minute; null where it was never used, or not since this is noted. */
  readonly usedAtMs: number | null;
}

/**
 * What stands before the hash of a token that only reads. Replicas of a release that knows no such tokens look for the
 * bare hash: they do not find it, and refuse what they would otherwise let change users.
 */
const readOnlyMark = 'read-only:';

/**
 * The same for a token that somebody made who may not change admins: a release of before would let it change them, and does
 * not find it (D-812).
 */
const withoutAdminsMark = 'without-admins:';

/** A token together with what its account may ask for. */
export interface TokenOfAccount extends ProvisioningToken {
  readonly accountLimits: AccountLimits | null;
}

type TokenRow = Omit<ProvisioningToken, 'isReadOnly' | 'mayChangeAdmins'> & {
  readonly secretHash: string;
  readonly mark: number | null;
};

const columns = sql`id, account_id as "accountId", name, created_at as "createdAtMs", expires_at as "expiresAtMs",
  revoked_at as "revokedAtMs", secret_hash as "secretHash", connection_id as "connectionId",
  may_change_admins as mark`;

function tokenOf<R extends TokenRow>({
  secretHash,
  mark,
  ...token
}: R): Omit<R, 'secretHash' | 'mark'> & { isReadOnly: boolean; mayChangeAdmins: boolean | null } {
  const isReadOnly = secretHash.startsWith(readOnlyMark);
  return { ...token, isReadOnly, mayChangeAdmins: mark === null ? null : mark === 1 };
}

/** Found by its hash, which nobody can aim at without the key of the store: no comparison is left to be timed. */
export async function findProvisioningToken(db: Db, secretHash: string): Promise<TokenOfAccount | null> {
  const [row] = await db.read<TokenRow & { limits: string | null }>(sql`
    select ${columns}, (select limits from account where account.id = provisioning_token.account_id) as limits
    from provisioning_token
    where secret_hash in (${secretHash}, ${readOnlyMark + secretHash}, ${withoutAdminsMark + secretHash})`);
  if (row === undefined) return null;
  const { limits, ...token } = tokenOf(row);
  return { ...token, accountLimits: limitsOf(limits) };
}

const listedMax = 10_000;

/** Those of an account behind an id, in the order of their ids. */
export async function listProvisioningTokens(
  db: Db,
  accountId: number,
  { after, take }: { readonly after: string; readonly take: number } = { after: '', take: listedMax },
): Promise<readonly ListedToken[]> {
  const rows = await db.read<TokenRow & { usedAtMs: number | null }>(sql`
    select ${columns}, used_at as "usedAtMs"
    from provisioning_token
    left join provisioning_token_use on provisioning_token_use.token_id = provisioning_token.id
    where account_id = ${accountId} and id > ${after}
    order by id
    limit ${limitOf(take)}`);
  return rows.map(tokenOf);
}

/** Live tokens of all accounts that end before this moment, the next to end first. */
export async function tokensEnding(
  db: Db,
  nowMs: number,
  beforeMs: number,
  take: number,
): Promise<readonly ProvisioningToken[]> {
  const rows = await db.read<TokenRow>(sql`
    select ${columns}
    from provisioning_token
    where revoked_at is null and expires_at > ${nowMs} and expires_at < ${beforeMs}
    order by expires_at, id
    limit ${limitOf(take)}`);
  return rows.map(tokenOf);
}

/** Running it twice does no harm. In the order of ids, so that replicas do not wait for each other. */
export function* noteTokenUse(input: {
  readonly uses: readonly { readonly tokenId: string; readonly usedAtMs: number }[];
}): Steps<void> {
  yield insertInto(
    'provisioning_token_use',
    input.uses.toSorted((one, other) => (one.tokenId < other.tokenId ? -1 : 1)),
    {
      token_id: ['text', ({ tokenId }) => tokenId],
      used_at: ['integer', ({ usedAtMs }) => usedAtMs],
    },
    `on conflict (token_id) do update
      set used_at = excluded.used_at
      where provisioning_token_use.used_at < excluded.used_at`,
  );
}

interface TokenChange extends ChangeStamp {
  readonly accountId: number;
  readonly id: string;
}

export interface CreateProvisioningToken extends TokenChange, ByActor {
  readonly name: string;
  readonly secretHash: string;
  readonly expiresAtMs: number;
  readonly isReadOnly?: boolean;
  readonly mayChangeAdmins: boolean;
  readonly connectionId?: string;
}

/** Whether it may change admins is fixed from now on; only whoever may do so themselves says yes (D-812). */
export function* createProvisioningToken(input: CreateProvisioningToken): Steps<void> {
  const { rights, mayChangeAdmins, connectionId = null } = input;
  if (mayChangeAdmins && !rights.mayChangeAdmins)
    throw adminsOnly('To make a provisioning token that may change admins');
  yield* requireAccount(input.accountId);
  if (connectionId !== null) yield* requireConnection(input.accountId, connectionId);
  const mark = input.isReadOnly === true ? readOnlyMark : rights.mayChangeAdmins ? '' : withoutAdminsMark;
  yield sql`
    insert into provisioning_token (id, account_id, name, secret_hash, created_at, expires_at, revoked_at,
      connection_id, may_change_admins)
    values (${input.id}, ${input.accountId}, ${input.name}, ${mark + input.secretHash}, ${input.nowMs},
      ${input.expiresAtMs}, null, ${connectionId}, ${mayChangeAdmins && input.isReadOnly !== true ? 1 : 0})`;
  const may = input.isReadOnly === true ? 'readOnly' : mayChangeAdmins ? 'mayChangeAdmins' : null;
  yield audited(input, 'provisioning-token.create', may === null ? {} : auditNote(may));
}

function* requireConnection(accountId: number, connectionId: string): Steps<void> {
  const { rows } = yield sql`
    select id
    from connection
    where account_id = ${accountId} and id = ${connectionId}`;
  if (rows.length > 0) return;
  throw new Problem(
    'INVALID_REQUEST',
    `Account ${accountId} has no connection ${connectionId}. See "soundings connection list --account ${accountId}".`,
    { details: [{ field: 'connection', code: 'UNKNOWN', message: 'names no connection of the account.' }] },
  );
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
    'PROVISIONING_TOKEN_NOT_FOUND',
    `Account ${input.accountId} has no provisioning token with this id. See "soundings provisioning-token list --account ${input.accountId}".`,
  );
}

function audited(input: TokenChange, action: string, details: AuditDetails = {}) {
  return auditStatement(input, { accountId: input.accountId, action, subject: input.id, details });
}
