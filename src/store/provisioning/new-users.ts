// New users of many accounts in one change.

import { auditRows, type ChangeStamp } from '../engine/audit.ts';
import { insertInto, type ManyRows, type Steps, together } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import { heldUp } from '../engine/work/group-commit.ts';
import { createdEvents, eventRows, type NewEvent } from '../webhooks/user-events.ts';
import { partRows } from './name-parts.ts';
import { userConnectionRows } from './new-user-connections.ts';
import { type TakenAttribute, takenAmong } from './user-clashes.ts';
import { blockOf, type Counter, lockCounters, nextIds, takeIds } from './user-ids.ts';
import { emailRows, reversedKey, type UserRecord } from './user-record.ts';

export interface NewUser extends UserRecord, ChangeStamp {
  /** The connection to an identity provider that the user belongs to from the first moment on (D-353). */
  readonly connectionId?: string;
}

/** New users of one account. */
export interface UsersOfAccount {
  readonly accountId: number;
  readonly users: readonly NewUser[];
}

interface CreateUsers {
  readonly accounts: readonly UsersOfAccount[];
  /** Whether to wait for a counter that another transaction holds; if not, the users of that account are `heldUp`. */
  readonly mayWait?: boolean;
}

/** What became of one of the users: its id, or what of it is taken already. */
export type Creation = { readonly id: number } | { readonly taken: readonly TakenAttribute[] };

interface Placed {
  readonly id: number;
  readonly user: NewUser;
}

/**
 * Creates users together, many of many accounts. The counter rows of the accounts are locked first and held to the
 * commit, so that ids appear in their order (D-50); only later statements look for what is taken, because a look taken
 * before the wait for a lock would miss what was committed meanwhile. The outcomes are those of each account in turn.
 * A user whose change is in the audit log already was kept by a commit whose answer was lost, and has its id from there;
 * so the whole may be made again, and needs no id by which to look it up.
 */
export function* createUsers(
  input: CreateUsers,
  dialect: Dialect,
): Steps<readonly (readonly (Creation | typeof heldUp)[])[]> {
  const { mayWait = true } = input;
  const inOrder = input.accounts.toSorted((one, other) => one.accountId - other.accountId);
  const counters = yield* lockCounters(
    dialect,
    inOrder.map(({ accountId }) => accountId),
    mayWait,
  );
  const creations = new Map<number, readonly Creation[]>();
  const rows: ManyRows[][] = [];
  const events: NewEvent[] = [];
  for (const { accountId, users } of inOrder) {
    const counter = counters.get(accountId);
    if (counter === undefined) continue;
    const places = yield* placeUsers(dialect, accountId, counter, users, mayWait);
    if (places === heldUp) continue;
    const { outcomes, placed } = places;
    creations.set(accountId, outcomes);
    if (placed.length === 0) continue;
    const ids = placed.map(({ id }) => id);
    events.push(...(yield* createdEvents(accountId, placed)));
    rows.push([
      ...userRows(dialect, accountId, placed),
      blockRows(accountId, ids),
      counterRow(accountId, ids.length, counter),
    ]);
  }
  if (rows.length > 0) yield together(...joined(rows), eventRows(events));
  return input.accounts.map(({ accountId, users }) => creations.get(accountId) ?? users.map(() => heldUp));
}

/** Which of the users can be made, and the id of each of those; `heldUp` when that needs a range and may not wait. */
function* placeUsers(
  dialect: Dialect,
  accountId: number,
  counter: Counter,
  users: readonly NewUser[],
  mayWait: boolean,
): Steps<{ outcomes: readonly Creation[]; placed: readonly Placed[] } | typeof heldUp> {
  const wanted = users.flatMap(({ externalId }) => (externalId === null ? [] : [externalId]));
  // Nearly always the ids come from the range that the account has, so they are asked for along with the rest.
  const likely = nextIds(counter, users.length);
  const { names, addresses, made } = yield* takenAmong(
    dialect,
    accountId,
    users.map(({ userNameKey }) => userNameKey),
    [...wanted, ...likely.map(String)],
    users.map(({ changeId }) => changeId),
  );
  const known = { ids: new Set(likely), taken: new Set(addresses) };
  const creations: (Creation | { readonly place: number })[] = [];
  const accepted: NewUser[] = [];
  for (const user of users) {
    const madeId = made.get(user.changeId);
    if (madeId !== undefined) {
      creations.push({ id: madeId });
      continue;
    }
    const taken: TakenAttribute[] = [];
    if (names.has(user.userNameKey)) taken.push('userName');
    if (user.externalId !== null && addresses.has(user.externalId)) taken.push('externalId');
    creations.push(taken.length > 0 ? { taken } : { place: accepted.length });
    if (taken.length > 0) continue;
    names.add(user.userNameKey);
    if (user.externalId !== null) addresses.add(user.externalId);
    accepted.push(user);
  }
  const ids = yield* takeIds(dialect, accountId, counter, accepted.length, new Set(wanted), {
    known,
    mayWait,
  });
  if (ids === heldUp) return heldUp;
  return {
    outcomes: creations.map((creation) => ('place' in creation ? { id: ids[creation.place]! } : creation)),
    placed: accepted.map((user, at) => ({ id: ids[at]!, user })),
  };
}

/** The rows of each table, from many lists of the same tables. */
function joined(lists: readonly (readonly ManyRows[])[]): ManyRows[] {
  const [first = [], ...others] = lists;
  return first.map((rows, table) => ({
    ...rows,
    rows: [...rows.rows, ...others.flatMap((other) => other[table]!.rows)],
  }));
}

function userRows(dialect: Dialect, accountId: number, placed: readonly Placed[]): ManyRows[] {
  const records = placed.map(({ id, user }) => [id, user] as const);
  const users: ManyRows = insertInto('account_user', placed, {
    account_id: ['integer', () => accountId],
    id: ['integer', ({ id }) => id],
    revision: ['integer', () => 1],
    created_at: ['integer', ({ user }) => user.nowMs],
    modified_at: ['integer', ({ user }) => user.nowMs],
    address: ['text', ({ id, user }) => user.externalId ?? String(id)],
    user_name_key: ['text', ({ user }) => user.userNameKey],
    given_name_key: ['text', ({ user }) => user.givenNameKey],
    family_name_key: ['text', ({ user }) => user.familyNameKey],
    given_name_reversed: ['text', ({ user }) => reversedKey(user.givenNameKey)],
    family_name_reversed: ['text', ({ user }) => reversedKey(user.familyNameKey)],
    display_name_key: ['text', ({ user }) => user.displayNameKey],
    external_id: ['text', ({ user }) => user.externalId],
    active: ['integer', ({ user }) => user.active],
    keys_revision: ['integer', () => 1],
    parts_revision: ['integer', () => 1],
    profile: ['text', ({ user }) => user.profile],
  });
  const audit = auditRows(
    placed.map(({ id, user }) => [user, { accountId, action: 'user.create', subject: `user ${id}` }]),
  );
  return [
    users,
    partRows(dialect, accountId, records),
    emailRows(accountId, records),
    userConnectionRows(accountId, placed),
    audit,
  ];
}

function blockRows(accountId: number, ids: readonly number[]): ManyRows {
  const counts = new Map<number, number>();
  for (const id of ids) counts.set(blockOf(id), (counts.get(blockOf(id)) ?? 0) + 1);
  return insertInto(
    'user_block',
    [...counts],
    {
      account_id: ['integer', () => accountId],
      block: ['integer', ([block]) => block],
      users: ['integer', ([, count]) => count],
    },
    'on conflict (account_id, block) do update set users = user_block.users + excluded.users',
  );
}

function counterRow(accountId: number, count: number, counter: Counter): ManyRows {
  return insertInto(
    'user_counter',
    [counter],
    {
      account_id: ['integer', () => accountId],
      next_id: ['integer', ({ nextId }) => nextId],
      end_id: ['integer', ({ endId }) => endId],
      total: ['integer', () => count],
    },
    `on conflict (account_id) do update
      set next_id = excluded.next_id, end_id = excluded.end_id, total = user_counter.total + excluded.total`,
  );
}
