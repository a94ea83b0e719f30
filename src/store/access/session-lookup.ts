// Finding the session of a request. Each request asks for its session, the person and their roles in one question that
// nothing remembers: whoever is suspended, or has lost a role, is out at the next request, on every replica. Requests that
// come in the same turn of the event loop ask together.

import sql, { raw, type Sql } from 'sql-template-tag';
import { type Ability, abilitiesOf, operatorAbilities, type Role, roles } from '../../domain/access/role.ts';
import { rolesByValue } from '../../domain/access/role-values.ts';
import { operatorsAccount, type SignInWay, type Visitor } from '../../domain/access/visitor.ts';
import { BatchLoader } from '../engine/batch-loader.ts';
import type { Db } from '../engine/db.ts';
import { rememberedUserOf } from '../provisioning/user-lookup.ts';
import { type UserRow, userColumns } from '../provisioning/user-row.ts';
import { roleValuesIn, roleValuesText } from './role-values.ts';
import { type SessionKey, sessionIdleMs } from './sessions.ts';

export interface FoundSession {
  readonly visitor: Visitor;
  readonly usedAtMs: number;
  readonly endsAtMs: number;
}

interface SessionRow {
  readonly token_hash: string;
  readonly session_id: string;
  readonly way: SignInWay;
  readonly connection_id: string | null;
  readonly signed_in_at: number;
  readonly used_at: number;
  readonly ends_at: number;
}

const sessionColumns = sql`session.token_hash, session.id as session_id, session.way, session.connection_id,
  session.signed_in_at, session.used_at, session.ends_at`;

const loader = new BatchLoader<string, FoundSession>(askSessions);

export async function findSession(
  db: Db,
  { accountId, tokenHash }: SessionKey,
  nowMs: number,
): Promise<FoundSession | null> {
  const found = await loader.find(db, accountId, tokenHash);
  if (found === null || found.endsAtMs <= nowMs || found.usedAtMs <= nowMs - sessionIdleMs) return null;
  return found;
}

async function askSessions(
  db: Db,
  accountId: number,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, FoundSession>> {
  const isOne =
    hashes.length === 1
      ? sql`session.token_hash = ${hashes[0]}`
      : db.dialect.isAmong(raw('session.token_hash'), hashes, 'text');
  const found =
    accountId === operatorsAccount
      ? await sessionsOfOperators(db, isOne)
      : await sessionsOfUsers(db, accountId, isOne);
  return new Map(found);
}

type ByHash = readonly [tokenHash: string, found: FoundSession];

async function sessionsOfUsers(db: Db, accountId: number, isOne: Sql): Promise<readonly ByHash[]> {
  const rows = await db.read<
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
    where session.account_id = ${accountId} and ${isOne}`);
  return rows.flatMap((row): ByHash[] => {
    const user = rememberedUserOf(db, row);
    if (!user.profile.active) return [];
    // Those that were granted, and those that the provider's own roles stand for.
    let bits = row.role_bits;
    if (row.role_values !== null)
      for (const { role } of rolesByValue(user.profile, roleValuesIn(row.role_values)))
        bits |= 1 << roles.indexOf(role);
    const visitor: Visitor = {
      ...sessionOf(row),
      person: { kind: 'user', accountId, id: user.id, user },
      account: { id: accountId, name: row.account_name },
      accountId,
      ...rightsOf(bits),
    };
    return [[row.token_hash, { usedAtMs: row.used_at, endsAtMs: row.ends_at, visitor }]];
  });
}

async function sessionsOfOperators(db: Db, isOne: Sql): Promise<readonly ByHash[]> {
  const rows = await db.read<
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
    where session.account_id = ${operatorsAccount} and ${isOne}`);
  return rows.map((row): ByHash => {
    const { id, name, entered } = row;
    const visitor: Visitor = {
      ...sessionOf(row),
      person: { kind: 'operator', id, name },
      account: entered === null ? null : { id: entered, name: row.account_name ?? '' },
      accountId: entered,
      roles: new Set(),
      abilities: operatorAbilities(entered !== null),
    };
    return [row.token_hash, { usedAtMs: row.used_at, endsAtMs: row.ends_at, visitor }];
  });
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

interface Rights {
  readonly roles: ReadonlySet<Role>;
  readonly abilities: ReadonlySet<Ability>;
}

/** There are few sets of roles, so each is made once. */
const rightsByBits = new Map<number, Rights>();

function rightsOf(bits: number): Rights {
  const known = rightsByBits.get(bits);
  if (known !== undefined) return known;
  const held = roles.filter((_, index) => (bits & (1 << index)) !== 0);
  const rights = { roles: new Set(held), abilities: abilitiesOf(held) };
  rightsByBits.set(bits, rights);
  return rights;
}
