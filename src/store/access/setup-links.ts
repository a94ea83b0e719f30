// Set-up links: whoever has one connects an identity provider to the account, and does nothing else there. An account has one
// at a time. The code is kept as a keyed hash; the link ends by itself, when whoever uses it is done, and when an admin says so.

import sql from 'sql-template-tag';
import { auditNote } from '../../domain/access/audit-note.ts';
import type { ProviderKind } from '../../domain/access/provider-kind.ts';
import type { ActorRights } from '../../domain/access/role-rules.ts';
import { Problem } from '../../domain/problem.ts';
import { type AuditDetails, auditStatement, type ChangeStamp } from '../engine/audit.ts';
import type { Db, Steps } from '../engine/db.ts';
import {
  type ChangeConnection,
  type CreateConnection,
  changeConnection,
  createConnection,
} from './connections.ts';
import { requireAccount } from './known-account.ts';
import {
  type CreateProvisioningToken,
  createProvisioningToken,
  revokeProvisioningToken,
} from './provisioning-tokens.ts';

export interface SetupLink {
  readonly accountId: number;
  readonly id: string;
  readonly kind: ProviderKind;
  /** The connection that is set up; null until there is one. */
  readonly connectionId: string | null;
  /** The token that was made by the link; null until there is one. */
  readonly tokenId: string | null;
  /** Whether its maker has said that the token may change admins: 1 or 0. */
  readonly mayChangeAdmins: number;
  readonly createdBy: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly usedAtMs: number | null;
}

export interface OpenedSetupLink extends SetupLink {
  readonly accountName: string;
}

export interface SetupLinkKey {
  readonly accountId: number;
  readonly codeHash: string;
}

const columns = sql`setup_link.account_id as "accountId", setup_link.id, setup_link.kind,
  setup_link.connection_id as "connectionId", setup_link.token_id as "tokenId",
  setup_link.may_change_admins as "mayChangeAdmins",
  setup_link.created_by as "createdBy", setup_link.created_at as "createdAtMs",
  setup_link.expires_at as "expiresAtMs", setup_link.used_at as "usedAtMs"`;

/** The link that a code opens now. */
export async function openSetupLink(
  db: Db,
  { accountId, codeHash }: SetupLinkKey,
  nowMs: number,
): Promise<OpenedSetupLink | null> {
  const [row] = await db.read<OpenedSetupLink>(sql`
    select ${columns}, account.name as "accountName"
    from setup_link
    join account on account.id = ${accountId} and account.removed_at is null
    where setup_link.account_id = ${accountId} and setup_link.code_hash = ${codeHash}
      and setup_link.expires_at > ${nowMs}`);
  return row ?? null;
}

/** The live link of an account, for those who manage it. */
export async function findSetupLink(db: Db, accountId: number, nowMs: number): Promise<SetupLink | null> {
  const [row] = await db.read<SetupLink>(sql`
    select ${columns}
    from setup_link
    where account_id = ${accountId} and expires_at > ${nowMs}`);
  return row ?? null;
}

interface OfAccount extends ChangeStamp {
  readonly accountId: number;
}

export interface CreateSetupLink extends OfAccount {
  readonly id: string;
  readonly codeHash: string;
  readonly kind: ProviderKind;
  readonly connectionId: string | null;
  readonly expiresAtMs: number;
  readonly mayChangeAdmins: boolean;
}

/** Takes the place of the link that the account had. */
export function* createSetupLink(input: CreateSetupLink): Steps<void> {
  const { accountId, id, codeHash, kind, connectionId, expiresAtMs, actor, nowMs } = input;
  yield* requireAccount(accountId);
  if (connectionId !== null) {
    const { rows } = yield sql`
      select id
      from connection
      where account_id = ${accountId} and id = ${connectionId}`;
    if (rows.length === 0)
      throw new Problem('CONNECTION_NOT_FOUND', `The account has no connection ${connectionId}.`);
  }
  yield sql`
    insert into setup_link (account_id, id, code_hash, kind, connection_id, token_id, created_by, created_at,
      expires_at, used_at, may_change_admins)
    values (${accountId}, ${id}, ${codeHash}, ${kind}, ${connectionId}, null, ${actor}, ${nowMs}, ${expiresAtMs}, null,
      ${input.mayChangeAdmins ? 1 : 0})
    on conflict (account_id) do update
      set id = excluded.id, code_hash = excluded.code_hash, kind = excluded.kind,
        connection_id = excluded.connection_id, token_id = null, created_by = excluded.created_by,
        created_at = excluded.created_at, expires_at = excluded.expires_at, used_at = null,
        may_change_admins = excluded.may_change_admins`;
  const { mayChangeAdmins } = input;
  const until = new Date(expiresAtMs).toISOString();
  yield audited(input, 'setup-link.create', id, auditNote('setupLink', { until, mayChangeAdmins }));
}

/** Whether there was one. */
export function* removeSetupLink(
  input: OfAccount & { readonly id: string; readonly isDone: boolean },
): Steps<boolean> {
  const { accountId, id, isDone } = input;
  const { changed } = yield sql`delete from setup_link where account_id = ${accountId} and id = ${id}`;
  if (changed === 0) return false;
  yield audited(input, 'setup-link.end', id, auditNote(isDone ? 'setupLinkDone' : 'setupLinkTakenBack'));
  return true;
}

/** What a change by a link carries: the link must be live in the transaction itself, whatever was found before. */
interface ByLink {
  readonly linkId: string;
}

/** The audit log says when the link was first used: from then on it is somebody who acts. */
export function* noteSetupLinkUse(input: OfAccount & ByLink): Steps<void> {
  const { accountId, linkId, nowMs } = input;
  const { changed } = yield sql`
    update setup_link
    set used_at = ${nowMs}
    where account_id = ${accountId} and id = ${linkId} and used_at is null`;
  if (changed > 0) yield audited(input, 'setup-link.use', linkId, auditNote('setupLinkOpened'));
}

export function* createConnectionByLink(input: CreateConnection & ByLink): Steps<void> {
  const { accountId, id, linkId } = input;
  yield* liveLink(input);
  yield* createConnection(input);
  yield sql`
    update setup_link
    set connection_id = ${id}
    where account_id = ${accountId} and id = ${linkId}`;
}

/** Only of the link's own connection, and only while nobody has signed in through it (D-602). */
export function* changeConnectionByLink(input: ChangeConnection & ByLink): Steps<void> {
  const { accountId, id } = input;
  const { connectionId } = yield* liveLink(input);
  const { rows } = yield sql`
    select tested_at as "testedAtMs"
    from connection
    where account_id = ${accountId} and id = ${id}`;
  if (connectionId !== id || rows[0] === undefined)
    throw new Problem('CONNECTION_NOT_FOUND', 'The connection of this set-up is no longer there.');
  if (rows[0].testedAtMs !== null)
    throw new Problem(
      'CONFLICT',
      'People sign in through this connection already, so it is not changed by a set-up link any more. Ask an admin of the account.',
    );
  yield* changeConnection(input);
}

type NewTokenByLink = Omit<CreateProvisioningToken, 'rights' | 'mayChangeAdmins'> & ByLink;

/** A token is shown once: whoever makes another has lost the one before, which ends. It may what the maker of the link said. */
export function* createTokenByLink(input: NewTokenByLink & { readonly revocationId: string }): Steps<void> {
  const { accountId, id, linkId, revocationId } = input;
  const { tokenId, mayChangeAdmins } = yield* liveLink(input);
  // Each entry of the audit log has an id of its own.
  if (tokenId !== null) yield* revokeProvisioningToken({ ...input, changeId: revocationId, id: tokenId });
  // Links are made by admins and operators alone (D-601).
  const rights: ActorRights = { face: 'interface', mayChangeAdmins: true };
  yield* createProvisioningToken({ ...input, rights, mayChangeAdmins: mayChangeAdmins === 1 });
  yield sql`
    update setup_link
    set token_id = ${id}
    where account_id = ${accountId} and id = ${linkId}`;
}

type LiveLink = Pick<SetupLink, 'connectionId' | 'tokenId' | 'mayChangeAdmins'>;

function* liveLink({ accountId, linkId, nowMs }: OfAccount & ByLink): Steps<LiveLink> {
  const { rows } = yield sql`
    select connection_id as "connectionId", token_id as "tokenId", may_change_admins as "mayChangeAdmins"
    from setup_link
    where account_id = ${accountId} and id = ${linkId} and expires_at > ${nowMs}`;
  const [link] = rows as unknown as readonly LiveLink[];
  if (link === undefined) throw setupLinkRefused();
  return link;
}

/** One sentence for whatever is the matter, as of one-time links (D-322). */
export function setupLinkRefused(): Problem {
  return new Problem(
    'SIGN_IN_REFUSED',
    'This set-up link opens nothing: it has ended, was taken back, or a newer one took its place. Ask whoever sent it for another.',
  );
}

function audited(input: OfAccount, action: string, id: string, details: AuditDetails) {
  const { accountId } = input;
  return auditStatement(input, { accountId, action, subject: `set-up link ${id}`, details });
}
