// One-time links as they are kept: at most one of a person, so that a new one ends the one before. The change that uses
// a link up makes the session too: of two who open it at the same moment, on whatever replicas, one is let in.

import sql, { type Sql } from 'sql-template-tag';
import { auditNote } from '../../domain/access/audit-note.ts';
import type { LinkPurpose } from '../../domain/access/one-time-link.ts';
import { operatorsAccount, type Person, type PersonId } from '../../domain/access/visitor.ts';
import { Problem } from '../../domain/problem.ts';
import { carriesAdmin } from '../access/admin-rules.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import type { Db, Steps } from '../engine/db.ts';
import { type TrustedMs, trustedNow } from '../engine/trusted-time.ts';
import { rememberedUserOf } from '../provisioning/user-lookup.ts';
import { type UserRow, userColumns } from '../provisioning/user-row.ts';
import { type CreateSession, insertSession } from './sessions.ts';

/** Where a link is found. */
export interface LinkKey {
  readonly accountId: number;
  readonly codeHash: string;
}

interface FoundLink {
  readonly person: Person;
  /** Whether they have a passkey or a password to come back with. */
  readonly hasCredential: boolean;
  /** Whether admin counts for whoever comes by it. */
  readonly admitsAdmin: boolean;
}

function isLive({ accountId, codeHash }: LinkKey, nowMs: number): Sql {
  return sql`one_time_link.account_id = ${accountId} and one_time_link.code_hash = ${codeHash}
    and one_time_link.expires_at > ${nowMs}`;
}

/** Whether the person whose id this is has a passkey or a password: 0 or 1. */
function credentialOf(accountId: number, personId: Sql): Sql {
  return sql`case
    when exists (select 1 from passkey where passkey.account_id = ${accountId} and passkey.person_id = ${personId}) then 1
    when exists (select 1 from password where password.account_id = ${accountId} and password.person_id = ${personId}) then 1
    else 0 end`;
}

/** A link that would let somebody in now: it is live, and so is whoever it is for. */
export function findLink(db: Db, key: LinkKey, nowMs: number): Promise<FoundLink | null> {
  return key.accountId === operatorsAccount ? linkOfOperator(db, key, nowMs) : linkOfUser(db, key, nowMs);
}

async function linkOfOperator(db: Db, key: LinkKey, nowMs: number): Promise<FoundLink | null> {
  const [row] = await db.read<{ id: number; name: string; has_credential: number }>(sql`
    select operator.id, operator.name, ${credentialOf(operatorsAccount, sql`operator.id`)} as has_credential
    from one_time_link
    join operator on operator.id = one_time_link.person_id and operator.disabled_at is null
    where ${isLive(key, nowMs)}`);
  if (row === undefined) return null;
  const { id, name } = row;
  return {
    person: { kind: 'operator', id, name },
    hasCredential: row.has_credential === 1,
    admitsAdmin: true,
  };
}

async function linkOfUser(db: Db, key: LinkKey, nowMs: number): Promise<FoundLink | null> {
  const { accountId } = key;
  const [row] = await db.read<UserRow & { has_credential: number; admits_admin: number }>(sql`
    select ${userColumns}, ${credentialOf(accountId, sql`account_user.id`)} as has_credential,
      one_time_link.admits_admin
    from one_time_link
    join account_user on account_user.account_id = ${accountId} and account_user.id = one_time_link.person_id
    join account on account.id = ${accountId} and account.removed_at is null
    where ${isLive(key, nowMs)} and not ${hasOnlyProvider(accountId)}`);
  if (row === undefined) return null;
  const user = rememberedUserOf(db, row);
  if (!user.profile.active) return null;
  return {
    person: { kind: 'user', accountId, id: user.id, user },
    hasCredential: row.has_credential === 1,
    admitsAdmin: row.admits_admin === 1,
  };
}

function hasOnlyProvider(accountId: number): Sql {
  return sql`exists (
    select 1 from connection where connection.account_id = ${accountId} and connection.is_only = 1)`;
}

interface NewLink extends PersonId {
  readonly codeHash: string;
  readonly purpose: LinkPurpose;
  readonly expiresAtMs: number;
  /** False where somebody made it who is neither admin nor operator, and could use it themselves (D-400). */
  readonly admitsAdmin: boolean;
}

export interface CreateLink extends ChangeStamp, NewLink {
  /** As the audit log names the person. */
  readonly subject: string;
}

/** Takes the place of the link that the person had. That of an admin is made by whoever may change admins. */
export function* createLink(input: CreateLink): Steps<void> {
  if (!input.admitsAdmin) {
    const { rows } = yield carriesAdmin(input.accountId, { kind: 'user', id: input.personId });
    if (rows.length > 0)
      throw new Problem(
        'ABILITY_MISSING',
        'This user is an admin: the link would make you one. An admin or an operator can make it.',
      );
  }
  yield* insertLink(input, input.nowMs);
  yield auditStatement(input, {
    accountId: input.accountId === operatorsAccount ? null : input.accountId,
    action: 'link.create',
    subject: input.subject,
    details: auditNote('link', {
      purpose: input.purpose,
      until: new Date(input.expiresAtMs).toISOString(),
      admitsAdmin: input.admitsAdmin,
    }),
  });
}

/** The statements of a new link, for a change that says in words of its own what it is for. */
export function* insertLink(
  { accountId, personId, codeHash, purpose, expiresAtMs, admitsAdmin }: NewLink,
  nowMs: number,
): Steps<void> {
  yield sql`
    delete from one_time_link
    where account_id = ${accountId} and ${endedLinks(yield* trustedNow(nowMs))}`;
  yield sql`
    insert into one_time_link (account_id, code_hash, person_id, purpose, created_at, expires_at, admits_admin)
    values (${accountId}, ${codeHash}, ${personId}, ${purpose}, ${nowMs}, ${expiresAtMs}, ${admitsAdmin ? 1 : 0})
    on conflict (account_id, person_id) do update
      set code_hash = excluded.code_hash, purpose = excluded.purpose, created_at = excluded.created_at,
        expires_at = excluded.expires_at, admits_admin = excluded.admits_admin`;
}

export function endedLinks(now: TrustedMs): Sql {
  return sql`expires_at <= ${now}`;
}

interface SignInByLink extends CreateSession {
  readonly codeHash: string;
  /** The session that they had in this browser, which the new one goes on from. */
  readonly endsSessionId?: string;
}

/** Uses the link up and begins the session. False where somebody else was first, or the link has ended. */
export function* signInByLink(input: SignInByLink): Steps<boolean> {
  const { accountId, personId, codeHash, nowMs, endsSessionId } = input;
  const { changed } = yield sql`
    delete from one_time_link
    where account_id = ${accountId} and code_hash = ${codeHash} and person_id = ${personId} and expires_at > ${nowMs}`;
  if (changed === 0) return false;
  if (endsSessionId !== undefined)
    yield sql`
      delete from session
      where account_id = ${accountId} and person_id = ${personId} and id = ${endsSessionId}`;
  yield* insertSession(input);
  return true;
}
