// Finding the session of a request. Each request asks for its session, the person and their roles in one question that
// nothing remembers: whoever is suspended, or has lost a role, is out at the next request, on every replica. Requests that
// come in the same turn of the event loop ask together.

import sql, { raw, type Sql } from 'sql-template-tag';
import { type Ability, abilitiesOf, operatorAbilities, type Role } from '../../domain/access/role.ts';
import {
  operatorsAccount,
  type PersonId,
  type SignInWay,
  type Visitor,
} from '../../domain/access/visitor.ts';
import type { Db } from '../engine/db.ts';
import { BatchLoader } from '../engine/work/batch-loader.ts';
import { rememberedUserOf } from '../provisioning/user-lookup.ts';
import { type UserRow, userColumns } from '../provisioning/user-row.ts';
import { bitOf, type RoleRow, roleBitsIn, roleColumns, rolesIn } from './role-bits.ts';
import { type SessionKey, sessionIdleMs, supersededForMs, unknownSignIn } from './sessions.ts';

interface FoundSession {
  readonly visitor: Visitor;
  /** Given where the owner has gained roles since the secret was made: they count under a new one (D-399). */
  readonly risen: RisenRights | null;
  readonly usedAtMs: number;
  readonly endsAtMs: number;
}

export interface RisenRights {
  readonly roleBits: number;
  readonly visitor: Visitor;
}

interface SessionRow {
  readonly token_hash: string;
  readonly session_id: string;
  readonly way: SignInWay;
  readonly connection_id: string | null;
  readonly signed_in_at: number;
  readonly began_at: number;
  readonly used_at: number;
  readonly ends_at: number;
  readonly kept_bits: number | null;
  readonly admits_admin: number;
}

const sessionColumns = sql`session.token_hash, session.id as session_id, session.way, session.connection_id,
  session.signed_in_at, session.created_at as began_at, session.used_at, session.ends_at, session.role_bits as kept_bits, session.admits_admin`;

const loader = new BatchLoader<string, FoundSession>(askSessions);

export async function findSession(
  db: Db,
  { accountId, tokenHash }: SessionKey,
  nowMs: number,
): Promise<FoundSession | null> {
  const found = await loader.find(db, accountId, tokenHash);
  if (found === null || hasEnded(found, nowMs)) return null;
  // Whoever still brings the secret of before goes on with the rights of before.
  const isSuperseded = found.endsAtMs <= nowMs + supersededForMs;
  return found.risen !== null && isSuperseded ? { ...found, risen: null } : found;
}

/** The session of that id, for what speaks in its name: its newest secret says what it may do. */
export async function findSessionById(
  db: Db,
  { accountId, personId }: PersonId,
  sessionId: string,
  nowMs: number,
): Promise<Visitor | null> {
  const isOne = sql`session.person_id = ${personId} and session.id = ${sessionId}`;
  const rows = await sessionsOf(db, accountId, isOne);
  const [newest] = rows.map(([, found]) => found).toSorted((a, b) => b.endsAtMs - a.endsAtMs);
  return newest === undefined || hasEnded(newest, nowMs) ? null : newest.visitor;
}

function hasEnded({ endsAtMs, usedAtMs }: FoundSession, nowMs: number): boolean {
  return endsAtMs <= nowMs || usedAtMs <= nowMs - sessionIdleMs;
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
  return new Map(await sessionsOf(db, accountId, isOne));
}

function sessionsOf(db: Db, accountId: number, isOne: Sql): Promise<readonly ByHash[]> {
  return accountId === operatorsAccount
    ? sessionsOfOperators(db, isOne)
    : sessionsOfUsers(db, accountId, isOne);
}

type ByHash = readonly [tokenHash: string, found: FoundSession];

async function sessionsOfUsers(db: Db, accountId: number, isOne: Sql): Promise<readonly ByHash[]> {
  const rows = await db.read<SessionRow & UserRow & RoleRow & { readonly account_name: string }>(sql`
    select ${sessionColumns}, ${userColumns}, ${roleColumns(accountId)}, account.name as account_name
    from session
    join account_user on account_user.account_id = ${accountId} and account_user.id = session.person_id
    join account on account.id = ${accountId} and account.removed_at is null
    where session.account_id = ${accountId} and ${isOne}`);
  return rows.flatMap((row): ByHash[] => {
    const user = rememberedUserOf(db, row);
    if (!user.profile.active) return [];
    const held = roleBitsIn(row, user.profile);
    const withheld = row.admits_admin === 1 ? 0 : held & adminBit;
    const granted = held & ~withheld;
    const kept = row.kept_bits ?? granted;
    const whole: Visitor = {
      ...sessionOf(row),
      person: { kind: 'user', accountId, id: user.id, user },
      account: { id: accountId, name: row.account_name },
      accountId,
      ...rightsOf(granted),
      isAdminWithheld: withheld !== 0,
    };
    const hasRisen = (granted & ~kept) !== 0;
    const found: FoundSession = {
      usedAtMs: row.used_at,
      endsAtMs: row.ends_at,
      visitor: hasRisen ? { ...whole, ...rightsOf(granted & kept) } : whole,
      risen: hasRisen ? { roleBits: granted, visitor: whole } : null,
    };
    return [[row.token_hash, found]];
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
      isAdminWithheld: false,
    };
    return [row.token_hash, { usedAtMs: row.used_at, endsAtMs: row.ends_at, visitor, risen: null }];
  });
}

function sessionOf({ session_id, way, connection_id, signed_in_at, began_at, admits_admin }: SessionRow) {
  return {
    sessionId: session_id,
    way,
    connectionId: connection_id,
    signedInAtMs: signed_in_at === unknownSignIn ? null : signed_in_at,
    beganAtMs: began_at,
    admitsAdmin: admits_admin === 1,
    isPasskeyDue: false,
  };
}

const adminBit = bitOf('admin');

interface Rights {
  readonly roles: ReadonlySet<Role>;
  readonly abilities: ReadonlySet<Ability>;
}

/** There are few sets of roles, so each is made once. */
const rightsByBits = new Map<number, Rights>();

function rightsOf(bits: number): Rights {
  const known = rightsByBits.get(bits);
  if (known !== undefined) return known;
  const held = rolesIn(bits);
  const rights = { roles: new Set(held), abilities: abilitiesOf(held) };
  rightsByBits.set(bits, rights);
  return rights;
}
