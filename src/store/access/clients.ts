// API clients: who may ask for a token, and by which secrets.

import sql from 'sql-template-tag';
import type { AccountLimits, ApiClient, Grant } from '../../domain/access/account.ts';
import { auditNote } from '../../domain/access/audit-note.ts';
import { Problem } from '../../domain/problem.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import { type Db, limitOf, type Steps } from '../engine/db.ts';
import { requireAccount } from './known-account.ts';

/** An API client with the keyed hashes of its secrets; two while one is being rotated (D-15). */
export interface ApiClientRecord extends ApiClient {
  readonly secretHashes: readonly string[];
  readonly createdAtMs: number;
}

export interface ListedClient extends ApiClientRecord {
  /** To the minute; null where it was never used, or not since this is noted (D-590). */
  readonly usedAtMs: number | null;
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
  readonly may_change_admins: number;
  /** Only where it is asked for together with its account. */
  readonly limits?: string | null;
}

const columns = sql`id, account_id, name, grants, disabled, secret_hash, older_secret_hash, created_at,
  may_change_admins`;

export async function findClient(db: Db, id: string): Promise<ApiClientRecord | null> {
  const [row] = await db.read<ClientRow>(sql`
    select ${columns}, (select limits from account where account.id = api_client.account_id) as limits
    from api_client
    where id = ${id}`);
  return row === undefined ? null : fromRow(row);
}

const listedMax = 10_000;

export async function listClients(db: Db, accountId: number | null): Promise<readonly ListedClient[]> {
  if (accountId !== null) return clientsOf(db, accountId, { after: '', take: listedMax });
  const rows = await db.read<ListedRow>(sql`
    select ${columns}, ${lastUse}
    from api_client
    ${withUse}
    order by account_id, id
    limit ${limitOf(listedMax)}`);
  return rows.map(listedOf);
}

/** Those of an account behind an id, in the order of their ids. */
export async function clientsOf(
  db: Db,
  accountId: number,
  { after, take }: { readonly after: string; readonly take: number },
): Promise<readonly ListedClient[]> {
  const rows = await db.read<ListedRow>(sql`
    select ${columns}, ${lastUse}
    from api_client
    ${withUse}
    where account_id = ${accountId} and id > ${after}
    order by id
    limit ${limitOf(take)}`);
  return rows.map(listedOf);
}

// The table of uses knows tokens and clients alike: no id of the one is ever an id of the other.
const lastUse = sql`provisioning_token_use.used_at as "usedAtMs"`;
const withUse = sql`left join provisioning_token_use on provisioning_token_use.token_id = api_client.id`;

type ListedRow = ClientRow & Pick<ListedClient, 'usedAtMs'>;

const listedOf = (row: ListedRow): ListedClient => ({ ...fromRow(row), usedAtMs: row.usedAtMs });

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
    mayChangeAdmins: row.may_change_admins === 1,
    accountLimits: limitsOf(row.limits),
  };
}

/** The limits of an account as its row has them. */
export function limitsOf(text: string | null | undefined): AccountLimits | null {
  return text ? (JSON.parse(text) as AccountLimits) : null;
}

export interface CreateClient extends ChangeStamp {
  readonly id: string;
  readonly accountId: number;
  readonly name: string;
  readonly grants: readonly Grant[];
  readonly secretHash: string;
  /** Those who make API clients are admins and operators. */
  readonly mayChangeAdmins: boolean;
}

export function* createClient(input: CreateClient): Steps<void> {
  yield* requireAccount(input.accountId);
  yield sql`
    insert into api_client (${columns})
    values (${input.id}, ${input.accountId}, ${input.name}, ${JSON.stringify(input.grants)}, 0,
      ${input.secretHash}, null, ${input.nowMs}, ${input.mayChangeAdmins ? 1 : 0})`;
  const details = input.mayChangeAdmins ? auditNote('mayChangeAdmins') : {};
  yield auditStatement(input, {
    accountId: input.accountId,
    action: 'client.create',
    subject: input.id,
    details,
  });
}

export interface ChangeClient extends ChangeStamp {
  readonly id: string;
  /** Where it is given, a client of another account is none (D-10). */
  readonly accountId?: number;
}

/** The new secret works beside the old one until the rotation is finished. */
export function* rotateClientSecret(input: ChangeClient & { secretHash: string }): Steps<void> {
  const client = yield* clientForChange(input);
  if (client.secretHashes.length > 1) {
    throw new Problem(
      'CONFLICT',
      `Two secrets of ${input.id} are live. Finish that rotation first, which ends the older one: in the console, or by "soundings client rotate ${input.id} --finish".`,
    );
  }
  yield sql`
    update api_client
    set older_secret_hash = secret_hash, secret_hash = ${input.secretHash}
    where id = ${input.id}`;
  yield auditStatement(input, { accountId: client.accountId, action: 'client.rotate', subject: input.id });
}

export function* finishClientRotation(input: ChangeClient): Steps<void> {
  const client = yield* clientForChange(input);
  if (client.secretHashes.length === 1) {
    throw new Problem('CONFLICT', `${input.id} has one secret: there is no rotation to finish.`);
  }
  yield sql`update api_client set older_secret_hash = null where id = ${input.id}`;
  yield auditStatement(input, {
    accountId: client.accountId,
    action: 'client.rotate.finish',
    subject: input.id,
  });
}

export function* setClientDisabled(input: ChangeClient & { disabled: boolean }): Steps<void> {
  const client = yield* clientForChange(input);
  yield sql`update api_client set disabled = ${input.disabled ? 1 : 0} where id = ${input.id}`;
  const action = input.disabled ? 'client.disable' : 'client.enable';
  yield auditStatement(input, { accountId: client.accountId, action, subject: input.id });
}

/** Adds and takes away grants; returns those the client has afterwards. */
export function* changeClientGrants(
  input: ChangeClient & { add: readonly Grant[]; remove: readonly Grant[] },
): Steps<readonly Grant[]> {
  const client = yield* clientForChange(input);
  const grants = [...new Set([...client.grants, ...input.add])].filter(
    (grant) => !input.remove.includes(grant),
  );
  yield sql`update api_client set grants = ${JSON.stringify(grants)} where id = ${input.id}`;
  yield auditStatement(input, {
    accountId: client.accountId,
    action: 'client.grants',
    subject: `${input.id} ${grants.join(' ')}`,
  });
  return grants;
}

function* clientForChange({ id, accountId }: ChangeClient): Steps<ApiClientRecord> {
  // A change that touches nothing takes the row's lock first, so that two rotations at once do not both pass.
  yield sql`update api_client set name = name where id = ${id}`;
  const { rows } = yield sql`select ${columns} from api_client where id = ${id}`;
  const [row] = rows as unknown as ClientRow[];
  if (row !== undefined && (accountId === undefined || row.account_id === accountId)) return fromRow(row);
  throw new Problem(
    'API_CLIENT_NOT_FOUND',
    accountId === undefined
      ? `There is no API client ${id}. See "soundings client list".`
      : 'The account has no API client with this id.',
  );
}
