// The users of an account: found by address, kept whole, changed only at the revision they were read at.

import sql, { empty, raw, type Sql } from 'sql-template-tag';
import { Problem } from '../../domain/problem.ts';
import { addressOf, type Profile, stateChange, type User } from '../../domain/provisioning/user.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import { type Db, type ManyRows, type Row, type Steps, together, UniqueViolation } from '../engine/db.ts';
import type { Dialect, RowsToHold } from '../engine/dialect.ts';
import { heldUp } from '../engine/group-commit.ts';
import { partRows, replaceParts } from './name-parts.ts';
import { emailRows, recordOf, replaceEmails, reversedKey, type UserRecord } from './user-record.ts';

export interface UserRow {
  readonly account_id: number;
  readonly id: number;
  readonly revision: number;
  readonly created_at: number;
  readonly modified_at: number;
  readonly profile: string;
}

export const userColumns = sql`
  account_user.account_id, account_user.id, account_user.revision,
  account_user.created_at, account_user.modified_at, account_user.profile`;

export function userOf(row: UserRow): User {
  return {
    accountId: row.account_id,
    id: row.id,
    revision: row.revision,
    createdMs: row.created_at,
    lastModifiedMs: row.modified_at,
    profile: JSON.parse(row.profile) as Profile,
    groups: [],
  };
}

export interface NewUser extends UserRecord, ChangeStamp {}

/** New users of one account. */
export interface UsersOfAccount {
  readonly accountId: number;
  readonly users: readonly NewUser[];
}

export interface CreateUsers {
  readonly accounts: readonly UsersOfAccount[];
  /** Whether to wait for a counter that another transaction holds; if not, the users of that account are `heldUp`. */
  readonly mayWait?: boolean;
}

export type TakenAttribute = 'userName' | 'externalId';

/** What became of one of the users: its id, or what of it is taken already. */
export type Creation = { readonly id: number } | { readonly taken: readonly TakenAttribute[] };

/** Ids of one block lie together, and a range is one block: its count is all that a page needs to pass it. */
export const blockSize = 1024;
export const firstUserId = 1_000_000_001;

export const blockOf = (id: number): number => Math.floor((id - firstUserId) / blockSize);

/** How the audit log names a user, in front of the id. */
const subjectPrefix = 'user ';

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
  const counters = yield* lockCounters(dialect, inOrder, mayWait);
  const creations = new Map<number, readonly Creation[]>();
  const rows: ManyRows[][] = [];
  for (const { accountId, users } of inOrder) {
    const counter = counters.get(accountId);
    if (counter === undefined) continue;
    const places = yield* placeUsers(dialect, accountId, counter, users, mayWait);
    if (places === heldUp) continue;
    const { outcomes, placed } = places;
    creations.set(accountId, outcomes);
    if (placed.length === 0) continue;
    const ids = placed.map(({ id }) => id);
    rows.push([
      ...userRows(dialect, accountId, placed),
      blockRows(accountId, ids),
      counterRow(accountId, ids.length, counter),
    ]);
  }
  if (rows.length > 0) yield together(...joined(rows));
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
  const likely = candidates(counter, users.length);
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

export interface Counter {
  nextId: number;
  endId: number;
}

interface CounterRow {
  readonly account_id: number;
  readonly next_id: number;
  readonly end_id: number;
}

/**
 * The counters of accounts, in their input. Without waiting, those that another transaction holds are left out, and so
 * are those of accounts that have none yet.
 */
function* lockCounters(
  dialect: Dialect,
  accounts: readonly UsersOfAccount[],
  mayWait: boolean,
): Steps<Map<number, Counter>> {
  const counters = new Map<number, Counter>();
  if (mayWait) {
    for (const { accountId } of accounts) counters.set(accountId, yield* lockCounter(accountId));
    return counters;
  }
  const rows = yield* dialect.holdRows({
    table: 'user_counter',
    key: ['account_id'],
    keys: accounts.map(({ accountId }) => [accountId]),
    columns: ['account_id', 'next_id', 'end_id'],
    mayWait,
  });
  for (const row of rows as unknown as readonly CounterRow[])
    counters.set(row.account_id, { nextId: row.next_id, endId: row.end_id });
  return counters;
}

export function* lockCounter(accountId: number): Steps<Counter> {
  const lock = sql`
    update user_counter
    set total = total
    where account_id = ${accountId}
    returning next_id as "nextId", end_id as "endId"`;
  const { rows } = yield lock;
  if (rows.length > 0) return { ...(rows[0] as unknown as Counter) };
  yield sql`
    insert into user_counter (account_id, next_id, end_id, total)
    values (${accountId}, 1, 0, 0)
    on conflict (account_id) do nothing`;
  const { rows: made } = yield lock;
  return { ...(made[0] as unknown as Counter) };
}

/** What is taken, and, where an answer may have been lost, the users that these very changes have made before. */
function* takenAmong(
  dialect: Dialect,
  accountId: number,
  nameKeys: readonly string[],
  addresses: readonly string[],
  changeIds: readonly string[] = [],
): Steps<{ names: Set<string>; addresses: Set<string>; made: Map<string, number> }> {
  const madeBefore =
    !dialect.mayLoseAnswers || changeIds.length === 0
      ? empty
      : sql`
        union all
        select subject, id
        from audit
        where account_id = ${accountId} and ${dialect.isAmong(sql`id`, changeIds, 'text')}`;
  const { rows } = yield sql`
    select 'name' as kind, user_name_key as value
    from account_user
    where account_id = ${accountId} and ${dialect.isAmong(sql`user_name_key`, nameKeys, 'text')}
    union all
    select 'address', address
    from account_user
    where account_id = ${accountId} and ${dialect.isAmong(sql`address`, addresses, 'text')}
    ${madeBefore}`;
  const of = (kind: string): Set<string> =>
    new Set((rows as Row[]).filter((row) => row.kind === kind).map((row) => row.value as string));
  const made = new Map(
    (rows as Row[])
      .filter(({ kind }) => String(kind).startsWith(subjectPrefix))
      .map(({ kind, value }) => [value as string, Number(String(kind).slice(subjectPrefix.length))]),
  );
  return { names: of('name'), addresses: of('address'), made };
}

/** The next ids of the account's range, as far as it goes. */
function candidates({ nextId, endId }: Counter, count: number): number[] {
  const end = Math.min(endId, nextId + count - 1);
  return Array.from({ length: Math.max(0, end - nextId + 1) }, (_, at) => nextId + at);
}

/** Ids of which it has been asked already whether they are somebody's address, and the addresses that are. */
interface KnownIds {
  readonly ids: ReadonlySet<number>;
  readonly taken: ReadonlySet<string>;
}

/** The one row from which all accounts take their ranges. */
const storeRange: RowsToHold = {
  table: 'user_range',
  key: ['id'],
  keys: [[1]],
  columns: ['id'],
  mayWait: false,
};

interface TakingIds {
  readonly known: KnownIds;
  /** Whether to wait for the ranges of the store, which are one row for all accounts. */
  readonly mayWait: boolean;
}

/**
 * The next free ids of the account: from its range, then from ranges of the store; taken addresses are skipped. `heldUp`
 * when another transaction has the ranges and this one may not wait for it.
 */
function* takeIds(
  dialect: Dialect,
  accountId: number,
  counter: Counter,
  count: number,
  reserved: ReadonlySet<string>,
  { known, mayWait }: TakingIds,
): Steps<readonly number[] | typeof heldUp> {
  const ids: number[] = [];
  while (ids.length < count) {
    if (counter.nextId > counter.endId) {
      if (!mayWait && (yield* dialect.holdRows(storeRange)).length === 0) return heldUp;
      const { rows } = yield sql`
        update user_range
        set next_id = next_id + ${blockSize}
        where id = 1
        returning next_id as "nextId"`;
      const { nextId } = rows[0] as { readonly nextId: number };
      counter.nextId = nextId - blockSize;
      counter.endId = nextId - 1;
    }
    const next = candidates(counter, count - ids.length);
    const taken = next.every((id) => known.ids.has(id))
      ? known.taken
      : (yield* takenAmong(dialect, accountId, [], next.map(String))).addresses;
    ids.push(...next.filter((id) => !taken.has(String(id)) && !reserved.has(String(id))));
    counter.nextId += next.length;
  }
  return ids;
}

/** The next free id of the account, of which the counter is held. */
export function* takeId(dialect: Dialect, accountId: number, counter: Counter): Steps<number> {
  const known = { ids: new Set<number>(), taken: new Set<string>() };
  const ids = yield* takeIds(dialect, accountId, counter, 1, new Set(), { known, mayWait: true });
  if (ids === heldUp) throw new Error('A change that may wait was held up.');
  return ids[0]!;
}

function userRows(dialect: Dialect, accountId: number, placed: readonly Placed[]): ManyRows[] {
  const records = placed.map(({ id, user }) => [id, user] as const);
  const users: ManyRows = {
    table: 'account_user',
    columns: [
      ['account_id', 'integer'],
      ['id', 'integer'],
      ['revision', 'integer'],
      ['created_at', 'integer'],
      ['modified_at', 'integer'],
      ['address', 'text'],
      ['user_name_key', 'text'],
      ['given_name_key', 'text'],
      ['family_name_key', 'text'],
      ['given_name_reversed', 'text'],
      ['family_name_reversed', 'text'],
      ['display_name_key', 'text'],
      ['external_id', 'text'],
      ['active', 'integer'],
      ['keys_revision', 'integer'],
      ['parts_revision', 'integer'],
      ['profile', 'text'],
    ],
    rows: placed.map(({ id, user }) => [
      accountId,
      id,
      1,
      user.nowMs,
      user.nowMs,
      user.externalId ?? String(id),
      user.userNameKey,
      user.givenNameKey,
      user.familyNameKey,
      reversedKey(user.givenNameKey),
      reversedKey(user.familyNameKey),
      user.displayNameKey,
      user.externalId,
      user.active,
      1,
      1,
      user.profile,
    ]),
  };
  const audit: ManyRows = {
    table: 'audit',
    columns: [
      ['account_id', 'integer'],
      ['id', 'text'],
      ['at', 'integer'],
      ['actor', 'text'],
      ['action', 'text'],
      ['subject', 'text'],
    ],
    rows: placed.map(({ id, user }) => [
      accountId,
      user.changeId,
      user.nowMs,
      user.actor,
      'user.create',
      `user ${id}`,
    ]),
  };
  return [users, partRows(dialect, accountId, records), emailRows(accountId, records), audit];
}

function blockRows(accountId: number, ids: readonly number[]): ManyRows {
  const counts = new Map<number, number>();
  for (const id of ids) counts.set(blockOf(id), (counts.get(blockOf(id)) ?? 0) + 1);
  return {
    table: 'user_block',
    columns: [
      ['account_id', 'integer'],
      ['block', 'integer'],
      ['users', 'integer'],
    ],
    rows: [...counts].map(([block, count]) => [accountId, block, count]),
    onConflict: 'on conflict (account_id, block) do update set users = user_block.users + excluded.users',
  };
}

function counterRow(accountId: number, count: number, { nextId, endId }: Counter): ManyRows {
  return {
    table: 'user_counter',
    columns: [
      ['account_id', 'integer'],
      ['next_id', 'integer'],
      ['end_id', 'integer'],
      ['total', 'integer'],
    ],
    rows: [[accountId, nextId, endId, count]],
    onConflict: `on conflict (account_id) do update
      set next_id = excluded.next_id, end_id = excluded.end_id, total = user_counter.total + excluded.total`,
  };
}

export interface SaveUser extends ChangeStamp, UserRecord {
  readonly accountId: number;
  readonly id: number;
  readonly address: string;
  /** The revision that must still be there. */
  readonly revisionBefore: number;
  readonly isReaddressed: boolean;
  readonly isRenamed: boolean;
  readonly isRemailed: boolean;
  readonly action: string;
}

/** As `laterOf` of the domain: a change is never before the one it follows, whatever the clock says (D-180). */
export function laterSql(nowMs: number): Sql {
  return sql`case when modified_at > ${nowMs} then modified_at else ${nowMs} end`;
}

/** False when another writer was first: the user is no longer at the revision that was read (D-58). */
export function* saveUser(input: SaveUser, dialect: Dialect): Steps<boolean> {
  const { accountId, id, givenNameKey: given, familyNameKey: family } = input;
  if (input.isReaddressed) yield* refuseTaken(input);
  // What is not written now is right only if it was right before (D-93).
  const revisionOf = (column: string, isWritten: boolean): Sql =>
    isWritten
      ? sql`${input.revisionBefore + 1}`
      : sql`case when ${raw(column)} = ${input.revisionBefore} then revision + 1 else null end`;
  const { changed } = yield sql`
    update account_user
    set revision = ${input.revisionBefore + 1}, modified_at = ${laterSql(input.nowMs)},
      address = ${input.address},
      user_name_key = ${input.userNameKey}, given_name_key = ${given}, family_name_key = ${family},
      given_name_reversed = ${reversedKey(given)},
      family_name_reversed = ${reversedKey(family)},
      display_name_key = ${input.displayNameKey}, external_id = ${input.externalId}, active = ${input.active},
      keys_revision = ${revisionOf('keys_revision', input.isRemailed)},
      parts_revision = ${revisionOf('parts_revision', input.isRenamed)}, profile = ${input.profile}
    where account_id = ${accountId} and id = ${id} and revision = ${input.revisionBefore}`;
  if (changed === 0) return false;
  if (input.isRenamed) yield* replaceParts(dialect, accountId, [[id, input]]);
  if (input.isRemailed) yield* replaceEmails(accountId, id, input);
  yield auditStatement(input, { accountId, action: input.action, subject: `user ${id}` });
  return true;
}

function* refuseTaken({ accountId, id, userNameKey, address }: SaveUser): Steps<void> {
  const { rows } = yield sql`
    select 'userName' as taken
    from account_user
    where account_id = ${accountId} and user_name_key = ${userNameKey} and id <> ${id}
    union all
    select 'externalId'
    from account_user
    where account_id = ${accountId} and address = ${address} and id <> ${id}`;
  if (rows.length > 0) throw taken(rows.map((row) => row.taken as TakenAttribute));
}

/** D-51: a clash names the attribute, and both where both clash. */
export function taken(attributes: readonly TakenAttribute[]): Problem {
  const sentences = {
    userName: 'Another user of the account has this userName.',
    externalId: 'Another user of the account is addressed by this externalId.',
  };
  const code = attributes.includes('userName') ? 'USER_NAME_TAKEN' : 'EXTERNAL_ID_TAKEN';
  return new Problem(code, attributes.map((attribute) => sentences[attribute]).join(' '), {
    details: attributes.map((field) => ({ field, code: 'TAKEN', message: sentences[field] })),
  });
}

const attemptsMax = 5;

/**
 * Keeps a changed user, unless another writer was first. A name that was taken between the look and the write
 * shows as a violation; looked at again, it is the ordinary refusal.
 */
export async function keepUser(db: Db, before: User, after: User, stamp: ChangeStamp): Promise<boolean> {
  const [old, record] = [recordOf(before), recordOf(after)];
  const input: SaveUser = {
    ...record,
    ...stamp,
    accountId: after.accountId,
    id: after.id,
    address: addressOf(after),
    revisionBefore: before.revision,
    isReaddressed: old.userNameKey !== record.userNameKey || addressOf(before) !== addressOf(after),
    isRenamed: old.givenNameKey !== record.givenNameKey || old.familyNameKey !== record.familyNameKey,
    isRemailed: old.emailKeys.join('\n') !== record.emailKeys.join('\n'),
    action: actions[stateChange(before, after) ?? 'changed'],
  };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.write(saveUser, input);
    } catch (error) {
      if (!(error instanceof UniqueViolation) || attempt >= attemptsMax) throw error;
    }
  }
}

/** What the audit log calls a change (D-57). */
const actions = { suspended: 'user.suspend', reactivated: 'user.reactivate', changed: 'user.change' };
