// Which connection a user belongs to: that of the provisioning token that made them, else the first that they signed in
// by (D-353). Another one of the account does not let them in.

import sql, { type Sql } from 'sql-template-tag';
import { type AuditNote, auditNote } from '../../domain/access/audit-note.ts';
import type { PersonId } from '../../domain/access/visitor.ts';
import { Problem } from '../../domain/problem.ts';
import { hasRestingGrant } from '../access/admin-rules.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import { type Db, limitOf, type Steps } from '../engine/db.ts';
import { type TrustedMs, trustedNow } from '../engine/trusted-time.ts';
import { type CreateSession, insertSession, type RenewSession, renewSession } from './sessions.ts';

/** Null where they belong to none yet. */
export async function connectionOfUser(db: Db, accountId: number, userId: number): Promise<string | null> {
  const [row] = await db.read<{ connectionId: string }>(sql`
    select connection_id as "connectionId"
    from user_connection
    where account_id = ${accountId} and user_id = ${userId}`);
  return row?.connectionId ?? null;
}

export interface SignInByProvider extends CreateSession {
  readonly connectionId: string;
}

/**
 * The session of somebody who was sent back by a provider. All that may have changed since they were found is looked at
 * once more here: the connection is still there, they belong to it, and it may be entered through.
 */
export function* signInByProvider(
  input: SignInByProvider,
): Steps<'otherConnection' | 'connectionGone' | null> {
  const refusal = yield* joinConnection(input);
  if (refusal !== null) return refusal;
  const admitsAdmin = yield* isKnownToProvider(input);
  yield* insertSession({ ...input, admitsAdmin });
  return null;
}

function* joinConnection(
  input: ChangeStamp & {
    readonly accountId: number;
    readonly personId: number;
    readonly connectionId: string;
  },
): Steps<'otherConnection' | 'connectionGone' | null> {
  const { accountId, personId, connectionId, nowMs } = input;
  const { rows: known } = yield sql`
    select id
    from connection
    where account_id = ${accountId} and id = ${connectionId}`;
  if (known.length === 0) return 'connectionGone';
  yield sql`
    insert into user_connection (account_id, user_id, connection_id)
    values (${accountId}, ${personId}, ${connectionId})
    on conflict (account_id, user_id) do nothing`;
  const { rows } = yield sql`
    select connection_id as "connectionId"
    from user_connection
    where account_id = ${accountId} and user_id = ${personId}`;
  if (rows[0]?.connectionId !== connectionId) return 'otherConnection';
  yield sql`
    update connection
    set tested_at = coalesce(tested_at, ${nowMs})
    where account_id = ${accountId} and id = ${connectionId}`;
  return null;
}

export interface RenewByProvider extends RenewSession {
  readonly connectionId: string;
}

/** Somebody who has a session proves by the provider again who they are. */
export function* renewByProvider(
  input: RenewByProvider,
): Steps<'otherConnection' | 'connectionGone' | 'ended' | null> {
  const refusal = yield* joinConnection(input);
  if (refusal !== null) return refusal;
  const admitsAdmin = yield* isKnownToProvider(input);
  return (yield* renewSession({ ...input, admitsAdmin })) ? null : 'ended';
}

/**
 * Whether admin counts in a session by a provider. Where the grant rests, the provider may speak of somebody else than whom
 * it was given to: what they have begun or added by then stays without admin when it is confirmed (D-815).
 */
function* isKnownToProvider(input: PersonId & { readonly admitsAdmin: boolean }): Steps<boolean> {
  return input.admitsAdmin && !(yield* hasRestingGrant(input.accountId, input.personId));
}

export interface SetUserConnection extends ChangeStamp {
  readonly accountId: number;
  readonly userId: number;
  /** Null for none: the next one that they sign in by. */
  readonly connectionId: string | null;
}

/** An administrator says which connection somebody belongs to; their sessions through another one end. */
export function* setUserConnection(input: SetUserConnection): Steps<void> {
  const { accountId, userId, connectionId } = input;
  const { rows: users } = yield sql`
    select id
    from account_user
    where account_id = ${accountId} and id = ${userId}`;
  if (users.length === 0) throw new Problem('USER_NOT_FOUND', `Account ${accountId} has no user ${userId}.`);
  if (connectionId !== null) {
    const { rows } = yield sql`
      select id
      from connection
      where account_id = ${accountId} and id = ${connectionId}`;
    if (rows.length === 0)
      throw new Problem('INVALID_REQUEST', `Account ${accountId} has no connection ${connectionId}.`);
  }
  yield sql`delete from user_connection where account_id = ${accountId} and user_id = ${userId}`;
  if (connectionId !== null)
    yield sql`
      insert into user_connection (account_id, user_id, connection_id)
      values (${accountId}, ${userId}, ${connectionId})`;
  yield sql`
    delete from session
    where account_id = ${accountId} and person_id = ${userId} and way = 'provider'
      and (connection_id is null or connection_id <> ${connectionId ?? ''})`;
  yield auditStatement(input, {
    accountId,
    action: 'user.connection',
    subject: `user ${userId}`,
    details: auditNote('belongsTo', { connection: connectionId }),
  });
}

const sliceUsers = 10_000;

/** Active users who cannot come in through a connection: without an externalId, or of another connection. */
export interface UsersWithoutWay {
  readonly users: number;
  readonly withoutExternalId: number;
  readonly ofOtherConnection: number;
}

/** In slices, so that nobody waits for a large account. */
export async function usersWithoutWay(
  db: Db,
  accountId: number,
  connectionId: string,
): Promise<UsersWithoutWay> {
  const sum = { users: 0, withoutExternalId: 0, ofOtherConnection: 0 };
  let last = 0;
  for (;;) {
    const [slice] = await db.read<{
      last: number | null;
      users: number | null;
      without: number | null;
      other: number | null;
    }>(sql`
      select max(slice.id) as last, sum(slice.is_active) as users,
        sum(case when slice.is_active = 1 and slice.has_external = 0 then 1 else 0 end) as without,
        sum(case when slice.is_active = 1 and slice.has_external = 1
          and slice.connection_id <> ${connectionId} then 1 else 0 end) as other
      from (
        select id, coalesce(active, 1) as is_active,
          case when address = cast(id as text) then 0 else 1 end as has_external, (
            select user_connection.connection_id
            from user_connection
            where user_connection.account_id = ${accountId} and user_connection.user_id = account_user.id
          ) as connection_id
        from account_user
        where account_id = ${accountId} and id > ${last}
        order by id
        limit ${limitOf(sliceUsers)}) as slice`);
    if (slice === undefined || slice.last === null) return sum;
    last = Number(slice.last);
    sum.users += Number(slice.users);
    sum.withoutExternalId += Number(slice.without);
    sum.ofOtherConnection += Number(slice.other);
  }
}

export interface LogOutByProvider extends ChangeStamp {
  readonly accountId: number;
  readonly connectionId: string;
  /** Of the token that told it. It is taken once, and forgotten when it has expired. */
  readonly jti: string;
  readonly endsAtMs: number;
  readonly providerSubject?: string;
  readonly providerSession?: string;
}

function endedLogouts(now: TrustedMs): Sql {
  return sql`ends_at <= ${now}`;
}

/** How many sessions have ended; null where the token was taken before. */
export function* logOutByProvider(input: LogOutByProvider): Steps<number | null> {
  const { accountId, connectionId, providerSubject, providerSession } = input;
  yield sql`
    delete from used_logout
    where account_id = ${accountId} and connection_id = ${connectionId} and ${endedLogouts(yield* trustedNow(input.nowMs))}`;
  const { changed: isNew } = yield sql`
    insert into used_logout (account_id, connection_id, jti, ends_at)
    values (${accountId}, ${connectionId}, ${input.jti}, ${input.endsAtMs})
    on conflict (account_id, connection_id, jti) do nothing`;
  if (isNew === 0) return null;
  const ofSubject = providerSubject === undefined ? sql`` : sql`and provider_subject = ${providerSubject}`;
  const ofSession = providerSession === undefined ? sql`` : sql`and provider_session = ${providerSession}`;
  const { changed } = yield sql`
    delete from session
    where account_id = ${accountId} and connection_id = ${connectionId} ${ofSubject} ${ofSession}`;
  if (changed > 0)
    yield auditStatement(input, {
      accountId,
      action: 'session.end',
      subject: `connection ${connectionId}`,
      details: auditNote('sessionsByProvider', { count: changed }),
    });
  return changed;
}

export interface NoteRefusal extends ChangeStamp {
  readonly accountId: number;
  readonly connectionId: string;
  readonly note: AuditNote;
}

/** So that an administrator can help: what did not match, when somebody was not let in. */
export function* noteRefusedSignIn(input: NoteRefusal): Steps<void> {
  yield auditStatement(input, {
    accountId: input.accountId,
    action: 'session.refuse',
    subject: `connection ${input.connectionId}`,
    details: input.note,
  });
}

/** Somebody looks what a provider says of them; nobody is signed in by that. */
export function* noteTestSignIn(input: Omit<NoteRefusal, 'note'>): Steps<void> {
  yield auditStatement(input, {
    accountId: input.accountId,
    action: 'connection.test',
    subject: `connection ${input.connectionId}`,
    details: auditNote('testSignIn'),
  });
}
