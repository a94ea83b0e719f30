// Connections of accounts to identity providers: where people are sent to sign in, and the sealed secret that Soundings
// is known by there (D-350).

import sql from 'sql-template-tag';
import { auditNote } from '../../domain/access/audit-note.ts';
import { type ConnectionFacts, connectionsPerAccount } from '../../domain/access/connection.ts';
import { Problem } from '../../domain/problem.ts';
import { type AuditDetails, auditStatement, type ChangeStamp } from '../engine/audit.ts';
import { type Db, limitOf, type Steps } from '../engine/db.ts';
import { requireAccount } from './known-account.ts';

export interface Connection extends ConnectionFacts {
  readonly accountId: number;
  readonly id: string;
  /** Sealed; null where none was set yet, and then nobody signs in through it. */
  readonly secret: string | null;
  /** It and its like are the only way into the account. */
  readonly isOnly: boolean;
  readonly createdAtMs: number;
  /** When somebody first signed in through it as it is now; null before. */
  readonly testedAtMs: number | null;
}

type ConnectionRow = Omit<Connection, 'isOnly'> & { readonly isOnly: number };

const columns = sql`account_id as "accountId", id, name, issuer, client_id as "clientId",
  subject_claim as "subjectClaim", secret, is_only as "isOnly", created_at as "createdAtMs", tested_at as "testedAtMs"`;

function connectionOf(row: ConnectionRow): Connection {
  return { ...row, isOnly: row.isOnly === 1 };
}

export async function listConnections(db: Db, accountId: number): Promise<readonly Connection[]> {
  const rows = await db.read<ConnectionRow>(sql`
    select ${columns}
    from connection
    where account_id = ${accountId}
    order by name, id
    limit ${limitOf(connectionsPerAccount)}`);
  return rows.map(connectionOf);
}

export async function findConnection(db: Db, accountId: number, id: string): Promise<Connection | null> {
  const [row] = await db.read<ConnectionRow>(sql`
    select ${columns}
    from connection
    where account_id = ${accountId} and id = ${id}`);
  return row === undefined ? null : connectionOf(row);
}

/** Those of all accounts that were not removed, so many at most. */
export async function connectionsOfAll(db: Db, take: number): Promise<readonly Connection[]> {
  const rows = await db.read<ConnectionRow>(sql`
    select ${columns}
    from connection
    where account_id in (select account.id from account where account.removed_at is null)
    order by account_id, id
    limit ${limitOf(take)}`);
  return rows.map(connectionOf);
}

/** Those of an account that is there and has not been removed. */
export async function openConnections(db: Db, accountId: number): Promise<readonly Connection[]> {
  const [account] = await db.read(sql`
    select id
    from account
    where id = ${accountId} and removed_at is null`);
  return account === undefined ? [] : listConnections(db, accountId);
}

/** What the secret of a connection is bound to when it is sealed. */
export function connectionSecretPurpose(accountId: number, id: string): string {
  return `secret of connection ${id} of account ${accountId}`;
}

export async function connectionSecretsSealedBy(db: Db, kid: string): Promise<number> {
  const [row] = await db.read<{ count: number }>(sql`
    select count(*) as count
    from connection
    where secret_kid = ${kid}`);
  return row?.count ?? 0;
}

interface SealedSecret {
  readonly kid: string;
  readonly text: string;
}

interface ConnectionChange extends ChangeStamp {
  readonly accountId: number;
  readonly id: string;
}

export interface CreateConnection extends ConnectionChange, ConnectionFacts {
  readonly secret: SealedSecret | null;
}

export function* createConnection(input: CreateConnection): Steps<void> {
  const { accountId, id, name, secret } = input;
  yield* requireAccount(accountId);
  const { rows } = yield sql`select name from connection where account_id = ${accountId} limit 1000`;
  if (rows.some((row) => row.name === name))
    throw new Problem('CONFLICT', `Account ${accountId} has a connection of the name ${name} already.`);
  if (rows.length >= connectionsPerAccount)
    throw new Problem(
      'CONFLICT',
      `Account ${accountId} has ${rows.length} connections already, which is the most.`,
    );
  yield sql`
    insert into connection (account_id, id, name, issuer, client_id, subject_claim, secret, secret_kid, is_only,
      created_at)
    values (${accountId}, ${id}, ${name}, ${input.issuer}, ${input.clientId}, ${input.subjectClaim},
      ${secret?.text ?? null}, ${secret?.kid ?? null}, 0, ${input.nowMs})`;
  const { issuer, subjectClaim: claim } = input;
  yield audited(input, 'connection.create', auditNote('connectionFacts', { issuer, claim }));
}

export interface ChangeConnection extends ConnectionChange, Partial<ConnectionFacts> {
  readonly secret?: SealedSecret;
}

/**
 * False where there is no such connection. Another issuer, client or claim names other people: nobody has signed in
 * through that one yet, and so it cannot be the only way in.
 */
export function* changeConnection(input: ChangeConnection): Steps<boolean> {
  const { accountId, id, secret } = input;
  const { rows } = yield sql`
    select name, issuer, client_id as "clientId", subject_claim as "subjectClaim"
    from connection
    where account_id = ${accountId} and id = ${id}`;
  const [before] = rows as unknown as readonly ConnectionFacts[];
  if (before === undefined) return false;
  const after: ConnectionFacts = {
    name: input.name ?? before.name,
    issuer: input.issuer ?? before.issuer,
    clientId: input.clientId ?? before.clientId,
    subjectClaim: input.subjectClaim ?? before.subjectClaim,
  };
  if (after.name !== before.name) {
    const { rows: named } = yield sql`
      select id
      from connection
      where account_id = ${accountId} and name = ${after.name}`;
    if (named.length > 0)
      throw new Problem(
        'CONFLICT',
        `Account ${accountId} has a connection of the name ${after.name} already.`,
      );
  }
  yield sql`
    update connection
    set name = ${after.name}, issuer = ${after.issuer}, client_id = ${after.clientId},
      subject_claim = ${after.subjectClaim}
    where account_id = ${accountId} and id = ${id}`;
  const isOther = namesOthers(before, after);
  if (isOther) yield* beginAnew(accountId, id);
  if (secret !== undefined)
    yield sql`
      update connection
      set secret = ${secret.text}, secret_kid = ${secret.kid}
      where account_id = ${accountId} and id = ${id}`;
  const changed = [
    ...Object.keys(after).filter(
      (key) => after[key as keyof ConnectionFacts] !== before[key as keyof ConnectionFacts],
    ),
    ...(secret === undefined ? [] : ['secret']),
  ];
  yield auditStatement(input, {
    accountId,
    action: 'connection.update',
    subject: `connection ${id}`,
    details: { attributes: changed },
  });
  return true;
}

export function namesOthers(before: ConnectionFacts, after: ConnectionFacts): boolean {
  return (
    before.issuer !== after.issuer ||
    before.clientId !== after.clientId ||
    before.subjectClaim !== after.subjectClaim
  );
}

/** Whoever signed in through what it was before signs in again. */
export function* beginAnew(accountId: number, id: string): Steps<void> {
  yield sql`
    update connection
    set tested_at = null, is_only = 0
    where account_id = ${accountId} and id = ${id}`;
  yield sql`delete from session where account_id = ${accountId} and connection_id = ${id}`;
}

/** Whether there was one. Its users belong to none from then on, and those who signed in through it are out. */
export function* removeConnection(input: ConnectionChange): Steps<boolean> {
  const { accountId, id } = input;
  const { changed } = yield sql`delete from connection where account_id = ${accountId} and id = ${id}`;
  if (changed === 0) return false;
  yield sql`delete from session where account_id = ${accountId} and connection_id = ${id}`;
  yield sql`delete from user_connection where account_id = ${accountId} and connection_id = ${id}`;
  yield sql`delete from used_logout where account_id = ${accountId} and connection_id = ${id}`;
  yield sql`
    update provisioning_token
    set connection_id = null
    where account_id = ${accountId} and connection_id = ${id}`;
  yield audited(input, 'connection.remove');
  return true;
}

/** How many sessions of other ways have ended; null where there is no such connection. */
export function* setConnectionOnly(
  input: ConnectionChange & { readonly isOnly: boolean },
): Steps<number | null> {
  const { accountId, id, isOnly } = input;
  const { rows } = yield sql`
    select tested_at as "testedAtMs"
    from connection
    where account_id = ${accountId} and id = ${id}`;
  const [row] = rows as unknown as readonly { readonly testedAtMs: number | null }[];
  if (row === undefined) return null;
  if (isOnly && row.testedAtMs === null)
    throw new Problem(
      'CONFLICT',
      'Nobody has signed in through this connection yet, as it is now. Sign in through it once, so that the account is not shut for everybody.',
    );
  yield sql`
    update connection
    set is_only = ${isOnly ? 1 : 0}
    where account_id = ${accountId} and id = ${id}`;
  yield audited(input, 'connection.only', auditNote(isOnly ? 'onlyWay' : 'otherWays'));
  if (!isOnly) return 0;
  const { changed } = yield sql`
    delete from session
    where account_id = ${accountId} and (way <> 'provider' or connection_id is null or connection_id not in (
      select id
      from connection
      where account_id = ${accountId} and is_only = 1))`;
  return changed;
}

function audited(input: ConnectionChange, action: string, details: AuditDetails = {}) {
  const { accountId, id } = input;
  return auditStatement(input, { accountId, action, subject: `connection ${id}`, details });
}
