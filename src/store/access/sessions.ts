// Sessions of people who have signed in. Each request asks for its session, the person and their roles in one question
// that nothing remembers: whoever is suspended, or has lost a role, is out at the next request, on every replica.

import sql, { type Sql } from 'sql-template-tag';
import { abilitiesOf, operatorAbilities, type Role, roles } from '../../domain/access/role.ts';
import { type RoleOfValue, rolesByValue } from '../../domain/access/role-values.ts';
import {
  operatorsAccount,
  type PersonId,
  type SignInWay,
  type Visitor,
} from '../../domain/access/visitor.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import { type Db, limitOf, type Steps } from '../engine/db.ts';
import { rememberedUserOf } from '../provisioning/user-lookup.ts';
import { type UserRow, userColumns } from '../provisioning/user-row.ts';
import { demandOpenWay } from './only-way.ts';
import { demandPassword, type ProvenPassword } from './passwords.ts';
import { roleValuesIn, roleValuesText } from './role-values.ts';

export const sessionIdleMs = 12 * 3_600_000;
export const sessionLongestMs = 7 * 86_400_000;
// A person who signs in more often ends their oldest sessions.
const sessionsMax = 50;

/** Where a session is found: the account stands in the cookie, so that one machine of many can be asked. */
export interface SessionKey {
  readonly accountId: number;
  readonly tokenHash: string;
}

export interface FoundSession {
  readonly visitor: Visitor;
  readonly usedAtMs: number;
}

interface SessionRow {
  readonly session_id: string;
  readonly way: SignInWay;
  readonly connection_id: string | null;
  readonly signed_in_at: number;
  readonly used_at: number;
}

const sessionColumns = sql`session.id as session_id, session.way, session.connection_id, session.signed_in_at,
  session.used_at`;

export function findSession(db: Db, key: SessionKey, nowMs: number): Promise<FoundSession | null> {
  return key.accountId === operatorsAccount
    ? sessionOfOperator(db, key, nowMs)
    : sessionOfUser(db, key, nowMs);
}

function isLive({ accountId, tokenHash }: SessionKey, nowMs: number): Sql {
  return sql`session.account_id = ${accountId} and session.token_hash = ${tokenHash}
    and session.ends_at > ${nowMs} and session.used_at > ${nowMs - sessionIdleMs}`;
}

async function sessionOfUser(db: Db, key: SessionKey, nowMs: number): Promise<FoundSession | null> {
  const { accountId } = key;
  const [row] = await db.read<
    SessionRow &
      UserRow & {
        readonly role_bits: number;
        readonly role_values: string | null;
        readonly account_name: string;
      }
  >(sql`
    select ${sessionColumns}, ${userColumns}, ${roleBitsOf(accountId)} as role_bits,
      ${roleValuesText(accountId)} as role_values, account.name as account_name
    from session
    join account_user on account_user.account_id = ${accountId} and account_user.id = session.person_id
    join account on account.id = ${accountId} and account.removed_at is null
    where ${isLive(key, nowMs)}`);
  if (row === undefined) return null;
  const user = rememberedUserOf(db, row);
  if (!user.profile.active) return null;
  const held = rolesHeld(row.role_bits, rolesByValue(user.profile, roleValuesIn(row.role_values)));
  const person = { kind: 'user', accountId, id: user.id, user } as const;
  return {
    usedAtMs: row.used_at,
    visitor: {
      ...sessionOf(row),
      person,
      account: { id: accountId, name: row.account_name },
      accountId,
      roles: held,
      abilities: abilitiesOf(held),
    },
  };
}

async function sessionOfOperator(db: Db, key: SessionKey, nowMs: number): Promise<FoundSession | null> {
  const [row] = await db.read<
    SessionRow & {
      readonly id: number;
      readonly name: string;
      readonly entered: number | null;
      readonly account_name: string | null;
    }
  >(sql`
    select ${sessionColumns}, operator.id, operator.name, account.id as entered, account.name as account_name
    from session
    join operator on operator.id = session.person_id and operator.disabled_at is null
    left join account on account.id = session.entered_account_id and account.removed_at is null
    where ${isLive(key, nowMs)}`);
  if (row === undefined) return null;
  const { id, name, entered } = row;
  return {
    usedAtMs: row.used_at,
    visitor: {
      ...sessionOf(row),
      person: { kind: 'operator', id, name },
      account: entered === null ? null : { id: entered, name: row.account_name ?? '' },
      accountId: entered,
      roles: new Set(),
      abilities: operatorAbilities(entered !== null),
    },
  };
}

function sessionOf({ session_id, way, connection_id, signed_in_at }: SessionRow) {
  return { sessionId: session_id, way, connectionId: connection_id, signedInAtMs: signed_in_at };
}

/** The roles of the user beside it, each one bit, so that the answer is one number on either engine. */
function roleBitsOf(accountId: number): Sql {
  return sql`(
    select cast(coalesce(sum(distinct case role
      when 'viewer' then 1 when 'analyst' then 2 when 'editor' then 4 when 'identity' then 8 when 'admin' then 16
      else 0 end), 0) as integer)
    from role_grant
    where role_grant.account_id = ${accountId} and (
      (holder_kind = 'user' and holder_id = account_user.id)
      or (holder_kind = 'group' and holder_id in (
        select group_id
        from group_member
        where group_member.account_id = ${accountId} and group_member.member_id = account_user.id)))
  )`;
}

/** Those that were granted, and those that the provider's own roles stand for. */
function rolesHeld(bits: number, byValue: readonly RoleOfValue[]): ReadonlySet<Role> {
  const given = new Set(byValue.map(({ role }) => role));
  return new Set(roles.filter((role, index) => (bits & (1 << index)) !== 0 || given.has(role)));
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
  yield sql`delete from session where account_id = ${accountId} and ends_at <= ${nowMs}`;
  yield sql`
    insert into session (account_id, token_hash, id, person_id, way, connection_id, provider_subject, provider_session,
      entered_account_id, created_at, signed_in_at, used_at, ends_at, origin, browser)
    values (${accountId}, ${input.tokenHash}, ${input.sessionId}, ${personId}, ${input.way},
      ${input.connectionId ?? null}, ${input.providerSubject ?? null}, ${input.providerSession ?? null}, null,
      ${nowMs}, ${input.signedInAtMs ?? nowMs}, ${nowMs}, ${nowMs + sessionLongestMs}, ${input.origin ?? null}, ${input.browser ?? null})`;
  yield sql`
    delete from session
    where account_id = ${accountId} and person_id = ${personId} and id not in (
      select id
      from session
      where account_id = ${accountId} and person_id = ${personId}
      order by id desc
      limit ${limitOf(sessionsMax)})`;
  const by = input.connectionId === undefined ? input.way : `${input.way} ${input.connectionId}`;
  yield auditStatement(input, {
    accountId: accountId === operatorsAccount ? null : accountId,
    action: 'session.create',
    subject: input.actor,
    details: { note: `signed in by ${by}` },
  });
}

export interface SessionUse extends SessionKey {
  readonly usedAtMs: number;
}

/** Running it twice does no harm. */
export function* noteSessionUse(input: { readonly uses: readonly SessionUse[] }): Steps<void> {
  for (const { accountId, tokenHash, usedAtMs } of input.uses)
    yield sql`
      update session
      set used_at = ${usedAtMs}
      where account_id = ${accountId} and token_hash = ${tokenHash} and used_at < ${usedAtMs}`;
}

export interface RenewSession extends ChangeStamp, SessionKey {
  readonly newTokenHash: string;
  /** Given where the person has just proved again who they are. */
  readonly signedInAtMs?: number;
  readonly way?: SignInWay;
  readonly password?: ProvenPassword;
  readonly connectionId?: string;
  readonly providerSubject?: string;
  readonly providerSession?: string;
}

/** The session goes on under another secret: nobody who knew the old one before rights rose has gained any. */
export function* renewSession(input: RenewSession): Steps<boolean> {
  yield* demandPassword(input);
  const { way } = input;
  if (way !== undefined) yield* demandOpenWay(input);
  // A session through a provider that goes on by another way still ends when its person signs out there.
  const by =
    way === undefined
      ? sql``
      : sql`, way = ${way}, connection_id = coalesce(${input.connectionId ?? null}, connection_id),
        provider_subject = coalesce(${input.providerSubject ?? null}, provider_subject),
        provider_session = coalesce(${input.providerSession ?? null}, provider_session)`;
  const { changed } = yield sql`
    update session
    set token_hash = ${input.newTokenHash}, signed_in_at = coalesce(${input.signedInAtMs ?? null}, signed_in_at) ${by}
    where account_id = ${input.accountId} and token_hash = ${input.tokenHash}`;
  if (changed > 0)
    yield auditStatement(input, {
      accountId: input.accountId === operatorsAccount ? null : input.accountId,
      action: 'session.renew',
      subject: input.actor,
      ...(input.way === undefined ? {} : { details: { note: `signed in again by ${input.way}` } }),
    });
  return changed > 0;
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

/** Those that are live, the newest first. */
export function listSessions(
  db: Db,
  { accountId, personId }: PersonId,
  nowMs: number,
): Promise<readonly ListedSession[]> {
  return db.read<ListedSession>(sql`
    select id, way, connection_id as "connectionId", created_at as "createdAtMs", used_at as "usedAtMs", origin, browser
    from session
    where account_id = ${accountId} and person_id = ${personId}
      and ends_at > ${nowMs} and used_at > ${nowMs - sessionIdleMs}
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
}

/** How many have ended. */
export function* endSessions(input: EndSessions): Steps<number> {
  const { accountId, personId, sessionId, exceptSessionId } = input;
  const which = sessionId === undefined ? sql`` : sql`and id = ${sessionId}`;
  const but = exceptSessionId === undefined ? sql`` : sql`and id <> ${exceptSessionId}`;
  const { changed } = yield sql`
    delete from session
    where account_id = ${accountId} and person_id = ${personId} ${which} ${but}`;
  if (changed > 0)
    yield auditStatement(input, {
      accountId: accountId === operatorsAccount ? null : accountId,
      action: 'session.end',
      subject: input.subject,
      details: { note: changed === 1 ? 'one session' : `${changed} sessions` },
    });
  return changed;
}
