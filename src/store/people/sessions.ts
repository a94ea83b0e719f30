// Sessions of people who have signed in: how they begin, go on and end. session-lookup.ts finds them.

import sql, { type Sql } from 'sql-template-tag';
import { auditNote } from '../../domain/access/audit-note.ts';
import type { ActorRights } from '../../domain/access/role-rules.ts';
import { operatorsAccount, type PersonId, type SignInWay } from '../../domain/access/visitor.ts';
import { type ByOwner, refuseForAdmin, refuseWithoutAdmin } from '../access/admin-rules.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import { type Db, limitOf, type Steps } from '../engine/db.ts';
import { type TrustedMs, trustedNow } from '../engine/trusted-time.ts';
import { demandOpenWay } from './only-way.ts';
import { demandPassword, type ProvenPassword } from './passwords.ts';
import { roleBitsOfUser } from './role-bits.ts';

export const sessionIdleMs = 12 * 3_600_000;
export const sessionLongestMs = 7 * 86_400_000;
/** When a session goes on under a new secret because rights rose, requests that are under way may bring the old one. */
export const supersededForMs = 10_000;
/** A person who signs in more often ends their oldest sessions. */
export const sessionsMax = 50;

/** When somebody signed in whose identity provider did not say it: never fresh, for older replicas too (D-822). */
export const unknownSignIn = 0;

/** Where a session is found: the account stands in the cookie, so that one machine of many can be asked. */
export interface SessionKey {
  readonly accountId: number;
  readonly tokenHash: string;
}

export interface CreateSession extends ChangeStamp, PersonId {
  readonly sessionId: string;
  readonly tokenHash: string;
  readonly way: SignInWay;
  readonly connectionId?: string;
  /** What the provider calls the person and its own session, for a sign-out that begins there. */
  readonly providerSubject?: string;
  readonly providerSession?: string;
  readonly browser?: string;
  /** Whether admin counts for whoever signs in by this (D-400). */
  readonly admitsAdmin: boolean;
  /** Where that was the way. */
  readonly password?: ProvenPassword;
  /** When they proved who they are, where that was before now. */
  readonly signedInAtMs?: number;
}

/** Somebody signs in. Whoever was found a moment before may be suspended by now: the next request tells. */
export function* createSession(input: CreateSession): Steps<void> {
  yield* demandPassword(input);
  yield* insertSession(input);
}

/** The statements of a sign-in, for a change that proves by something of its own who it is. */
export function* insertSession(input: CreateSession): Steps<void> {
  const { accountId, personId, nowMs } = input;
  yield* demandOpenWay(input);
  yield sql`delete from session where account_id = ${accountId} and ${endedSessionRows(yield* trustedNow(nowMs))}`;
  yield sql`
    insert into session (account_id, token_hash, id, person_id, way, connection_id, provider_subject, provider_session,
      entered_account_id, created_at, signed_in_at, used_at, ends_at, origin, browser, role_bits, admits_admin)
    values (${accountId}, ${input.tokenHash}, ${input.sessionId}, ${personId}, ${input.way},
      ${input.connectionId ?? null}, ${input.providerSubject ?? null}, ${input.providerSession ?? null}, null,
      ${nowMs}, ${input.signedInAtMs ?? nowMs}, ${nowMs}, ${nowMs + sessionLongestMs}, ${input.origin ?? null},
      ${input.browser ?? null}, ${yield* roleBitsOf(input)}, ${input.admitsAdmin ? 1 : 0})`;
  // Where admin does not count, those in which it does stay (D-819).
  const ofKind = input.admitsAdmin ? sql`` : sql`and admits_admin = 0`;
  yield sql`
    delete from session
    where account_id = ${accountId} and person_id = ${personId} ${ofKind} and id not in (
      select id
      from session
      where account_id = ${accountId} and person_id = ${personId} ${ofKind}
      order by id desc
      limit ${limitOf(sessionsMax)})`;
  yield auditStatement(input, {
    accountId: accountId === operatorsAccount ? null : accountId,
    action: 'session.create',
    subject: input.actor,
    details: auditNote('signedIn', { way: input.way, connection: input.connectionId ?? null }),
  });
}

export function endedSessionRows(now: TrustedMs): Sql {
  return sql`ends_at <= ${now}`;
}

/** Operators have no roles. */
function* roleBitsOf({ accountId, personId }: PersonId): Steps<number | null> {
  return accountId === operatorsAccount ? null : yield* roleBitsOfUser(accountId, personId);
}

export interface SessionUse extends SessionKey {
  readonly usedAtMs: number;
}

/** Running it twice does no harm. In one order always: two replicas that note the same sessions never wait for each other. */
export function* noteSessionUse(input: { readonly uses: readonly SessionUse[] }): Steps<void> {
  const uses = input.uses.toSorted(
    (a, b) => a.accountId - b.accountId || (a.tokenHash < b.tokenHash ? -1 : 1),
  );
  for (const { accountId, tokenHash, usedAtMs } of uses)
    yield sql`
      update session
      set used_at = ${usedAtMs}
      where account_id = ${accountId} and token_hash = ${tokenHash} and used_at < ${usedAtMs}`;
}

export interface RenewSession extends ChangeStamp, SessionKey {
  readonly personId: number;
  readonly newTokenHash: string;
  readonly signedInAtMs: number;
  readonly way: SignInWay;
  readonly admitsAdmin: boolean;
  readonly password?: ProvenPassword;
  readonly connectionId?: string;
  readonly providerSubject?: string;
  readonly providerSession?: string;
}

/** Somebody has proved again who they are, and goes on under another secret. */
export function* renewSession(input: RenewSession): Steps<boolean> {
  yield* demandPassword(input);
  yield* demandOpenWay(input);
  // A session through a provider that goes on by another way still ends when its person signs out there.
  const { changed } = yield sql`
    update session
    set token_hash = ${input.newTokenHash}, signed_in_at = ${input.signedInAtMs}, way = ${input.way},
      connection_id = coalesce(${input.connectionId ?? null}, connection_id),
      provider_subject = coalesce(${input.providerSubject ?? null}, provider_subject),
      provider_session = coalesce(${input.providerSession ?? null}, provider_session),
      role_bits = ${yield* roleBitsOf(input)}, admits_admin = ${input.admitsAdmin ? 1 : 0}
    where account_id = ${input.accountId} and token_hash = ${input.tokenHash}`;
  if (changed > 0)
    yield auditStatement(input, {
      accountId: input.accountId === operatorsAccount ? null : input.accountId,
      action: 'session.renew',
      subject: input.actor,
      details: auditNote('signedInAgain', { way: input.way }),
    });
  return changed > 0;
}

export interface RaiseSession extends ChangeStamp, SessionKey {
  readonly newTokenHash: string;
  readonly roleBits: number;
  /** As it was found: of two requests at once one raises it. */
  readonly endsAtMs: number;
}

/**
 * The owner has gained roles, which count under a new secret alone: whoever knew the old one before has gained nothing. The old
 * one ends soon, so that requests which are under way are not refused (D-399). False where another request was first.
 */
export function* raiseSession(input: RaiseSession): Steps<boolean> {
  const { accountId, tokenHash, endsAtMs, roleBits } = input;
  // Whoever looks it up after another request has raised it may have an earlier time than that one had: the time alone does not tell.
  const { changed } = yield sql`
    update session
    set ends_at = ${input.nowMs + supersededForMs}
    where account_id = ${accountId} and token_hash = ${tokenHash} and ends_at = ${endsAtMs}
      and not exists (
        select 1
        from session as raised
        where raised.account_id = ${accountId} and raised.person_id = session.person_id and raised.id = session.id
          and (raised.role_bits & ${roleBits}) = ${roleBits}
      )`;
  if (changed === 0) return false;
  yield sql`
    insert into session (account_id, token_hash, id, person_id, way, connection_id, provider_subject, provider_session,
      entered_account_id, created_at, signed_in_at, used_at, ends_at, origin, browser, role_bits, admits_admin)
    select account_id, ${input.newTokenHash}, id, person_id, way, connection_id, provider_subject, provider_session,
      entered_account_id, created_at, signed_in_at, used_at, ${endsAtMs}, origin, browser, ${roleBits}, admits_admin
    from session
    where account_id = ${accountId} and token_hash = ${tokenHash}`;
  yield auditStatement(input, {
    accountId,
    action: 'session.renew',
    subject: input.actor,
    details: auditNote('rolesGained'),
  });
  return true;
}

export interface EnterAccount extends ChangeStamp {
  readonly tokenHash: string;
  readonly newTokenHash: string;
  /** Null leaves the account that was entered. */
  readonly enteredAccountId: number | null;
  readonly leftAccountId: number | null;
}

/** An operator enters or leaves an account; the log of that account says so. */
export function* enterAccount(input: EnterAccount): Steps<boolean> {
  const { enteredAccountId, leftAccountId } = input;
  const { changed } = yield sql`
    update session
    set token_hash = ${input.newTokenHash}, entered_account_id = ${enteredAccountId}
    where account_id = ${operatorsAccount} and token_hash = ${input.tokenHash}`;
  if (changed === 0) return false;
  if (leftAccountId !== null)
    yield auditStatement(
      { ...input, changeId: `${input.changeId}-left` },
      { accountId: leftAccountId, action: 'account.leave', subject: input.actor },
    );
  if (enteredAccountId !== null)
    yield auditStatement(input, {
      accountId: enteredAccountId,
      action: 'account.enter',
      subject: input.actor,
    });
  return true;
}

export interface ListedSession {
  readonly id: string;
  readonly way: SignInWay;
  readonly connectionId: string | null;
  readonly createdAtMs: number;
  readonly usedAtMs: number;
  readonly origin: string | null;
  readonly browser: string | null;
}

/** Those that are live and go on, the newest first. */
export function listSessions(
  db: Db,
  { accountId, personId }: PersonId,
  nowMs: number,
): Promise<readonly ListedSession[]> {
  return db.read<ListedSession>(sql`
    select id, way, connection_id as "connectionId", created_at as "createdAtMs", used_at as "usedAtMs", origin, browser
    from session
    where account_id = ${accountId} and person_id = ${personId}
      and ends_at > ${nowMs + supersededForMs} and used_at > ${nowMs - sessionIdleMs}
    order by id desc
    limit ${limitOf(sessionsMax)}`);
}

export interface EndSessions extends ChangeStamp, PersonId {
  /** Which one; left out, all of them. */
  readonly sessionId?: string;
  /** Which one stays. */
  readonly exceptSessionId?: string;
  /** As the audit log names the person. */
  readonly subject: string;
  /** Of whoever ends them; of the person themselves, whether admin counts in the session in which they do. */
  readonly rights: ActorRights | Pick<ByOwner, 'admitsAdmin'>;
}

/** How many have ended. */
export function* endSessions(input: EndSessions): Steps<number> {
  const { accountId, personId, sessionId, exceptSessionId, rights } = input;
  const which = sessionId === undefined ? sql`` : sql`and session.id = ${sessionId}`;
  const but = exceptSessionId === undefined ? sql`` : sql`and session.id <> ${exceptSessionId}`;
  if ('admitsAdmin' in rights)
    yield* refuseWithoutAdmin(
      { accountId, personId, ...rights },
      sql`
        select session.id
        from session
        where session.account_id = ${accountId} and session.person_id = ${personId} ${which} ${but}
          and session.admits_admin = 1`,
    );
  else yield* refuseForAdmin({ accountId, rights }, personId, 'To end the sessions of an admin');
  const { changed } = yield sql`
    delete from session
    where account_id = ${accountId} and person_id = ${personId} ${which} ${but}`;
  if (changed > 0)
    yield auditStatement(input, {
      accountId: accountId === operatorsAccount ? null : accountId,
      action: 'session.end',
      subject: input.subject,
      details: auditNote('sessions', { count: changed }),
    });
  return changed;
}
