// New users on PostgreSQL in one statement that commits by itself: one way to the server instead of four. It takes the
// accounts whose counters are free, whose range has ids enough, and where no name, no address and no id to be given is
// taken; the others are left to the long way (users.ts), which says of each user what is taken.
//
// All parts of a statement see the same moment, so this one could miss a name that was committed while it was sent; the
// unique indexes refuse such a name, and the whole is made again the long way. A counter that was changed a moment
// before it was locked is read as it is then: the row is looked at again once it is held.
//
// When its answer is lost it is simply made again: what it has kept is found by name, left to the long way, and
// recognised there by the ids of the changes.

import sql, { type Sql } from 'sql-template-tag';
import type { Steps } from '../engine/db.ts';
import { heldUp } from '../engine/group-commit.ts';
import { arrayOf } from '../engine/postgres-lists.ts';
import { namePartsOf } from './name-parts.ts';
import { reversedKey } from './user-record.ts';
import { blockSize, type Creation, firstUserId, type NewUser, type UsersOfAccount } from './users.ts';

export interface CreateUsersQuickly {
  readonly accounts: readonly UsersOfAccount[];
}

/** Of the users of one account: their outcomes; `heldUp` when its counter is not free, or the long way is needed. */
export type QuickOutcome = readonly Creation[] | typeof heldUp | typeof longWay;

export const longWay = 'longWay';

interface QuickRow {
  readonly accountId: number;
  readonly firstId: number;
  readonly isKept: number;
}

export function* createUsersQuickly({ accounts }: CreateUsersQuickly): Steps<readonly QuickOutcome[]> {
  const plain = accounts.filter(isPlain);
  if (plain.length === 0) return accounts.map(() => longWay);
  const { rows } = yield { whole: quickCreation(plain) };
  const held = new Map((rows as unknown as QuickRow[]).map((row) => [row.accountId, row]));
  return accounts.map((account) => {
    if (!plain.includes(account)) return longWay;
    const row = held.get(account.accountId);
    if (row === undefined) return heldUp;
    return row.isKept === 1 ? account.users.map((_, at) => ({ id: row.firstId + at })) : longWay;
  });
}

/** Whether no two of the users clash, and none has an address that might be one of the ids that they get. */
function isPlain({ users }: UsersOfAccount): boolean {
  const names = new Set(users.map(({ userNameKey }) => userNameKey));
  const addresses = users.flatMap(({ externalId }) => (externalId === null ? [] : [externalId]));
  return (
    names.size === users.length &&
    new Set(addresses).size === addresses.length &&
    !addresses.some((address) => Number(address) >= firstUserId)
  );
}

interface PlacedUser {
  readonly accountId: number;
  readonly place: number;
  readonly user: NewUser;
}

function quickCreation(accounts: readonly UsersOfAccount[]): Sql {
  const placed = accounts.flatMap(({ accountId, users }) =>
    users.map((user, place): PlacedUser => ({ accountId, place, user })),
  );
  const column = (type: 'integer' | 'text', read: (one: PlacedUser) => number | string | null): Sql =>
    arrayOf(placed.map(read), type);
  const ofAccount = (read: (account: UsersOfAccount) => number): Sql =>
    arrayOf(accounts.map(read), 'integer');
  const parts = column('text', ({ accountId, user }) => namePartsOf(accountId, user) || null);
  return sql`
    with wanted as (
      select *
      from unnest(${ofAccount(({ accountId }) => accountId)}, ${ofAccount(({ users }) => users.length)})
        as wanted (account_id, added)
    ),
    held as materialized (
      select user_counter.account_id, user_counter.next_id, wanted.added,
        user_counter.next_id + wanted.added - 1 <= user_counter.end_id as fits
      from wanted
      join user_counter on user_counter.account_id = wanted.account_id
      order by user_counter.account_id
      for update of user_counter skip locked
    ),
    given as materialized (
      select *
      from unnest(
        ${column('integer', ({ accountId }) => accountId)},
        ${column('integer', ({ place }) => place)},
        ${column('integer', ({ user }) => user.nowMs)},
        ${column('text', ({ user }) => user.userNameKey)},
        ${column('text', ({ user }) => user.givenNameKey)},
        ${column('text', ({ user }) => user.familyNameKey)},
        ${column('text', ({ user }) => reversedKey(user.givenNameKey))},
        ${column('text', ({ user }) => reversedKey(user.familyNameKey))},
        ${column('text', ({ user }) => user.displayNameKey)},
        ${column('text', ({ user }) => user.externalId)},
        ${column('integer', ({ user }) => user.active)},
        ${column('text', ({ user }) => user.profile)},
        ${parts},
        ${column('text', ({ user }) => user.changeId)},
        ${column('text', ({ user }) => user.actor)}
      ) as given (account_id, place, at, user_name_key, given_name_key, family_name_key, given_name_reversed,
        family_name_reversed, display_name_key, external_id, active, profile, parts, change_id, actor)
    ),
    taken as materialized (${takenPart()}),
    fit as materialized (
      select account_id, next_id, added
      from held
      where fits and account_id not in (select account_id from taken)
    ),
    made as materialized (
      select given.*, fit.next_id + given.place as id
      from given
      join fit using (account_id)
    ),
    users_kept as (
      insert into account_user (account_id, id, revision, created_at, modified_at, address, user_name_key,
        given_name_key, family_name_key, given_name_reversed, family_name_reversed, display_name_key, external_id,
        active, keys_revision, parts_revision, profile)
      select account_id, id, 1, at, at, coalesce(external_id, id::text), user_name_key, given_name_key,
        family_name_key, given_name_reversed, family_name_reversed, display_name_key, external_id, active, 1, 1, profile
      from made
    ),
    parts_kept as (
      insert into user_name_part (account_id, user_id, parts)
      select account_id, id, parts
      from made
      where parts is not null
    ),
    ${emailsPart(placed)}
    audit_kept as (
      insert into audit (account_id, id, at, actor, action, subject)
      select account_id, change_id, at, actor, 'user.create', 'user ' || id
      from made
    ),
    blocks_kept as (
      insert into user_block (account_id, block, users)
      select account_id, (next_id - ${firstUserId}) / ${blockSize}, added
      from fit
      on conflict (account_id, block) do update set users = user_block.users + excluded.users
    ),
    counters_kept as (
      update user_counter
      set next_id = fit.next_id + fit.added, total = user_counter.total + fit.added
      from fit
      where user_counter.account_id = fit.account_id
    )
    select held.account_id as "accountId", held.next_id as "firstId", fit.account_id is not null as "isKept"
    from held
    left join fit on fit.account_id = held.account_id`;
}

/** The accounts where a name, an address or an id is taken. Not joins: they might read all users (D-126). */
function takenPart(): Sql {
  return sql`
    select distinct account_id
    from given
    join held using (account_id)
    where (
      select account_user.id
      from account_user
      where account_user.account_id = given.account_id and account_user.user_name_key = given.user_name_key
    ) is not null
    or (
      select account_user.id
      from account_user
      where account_user.account_id = given.account_id and account_user.address = given.external_id
    ) is not null
    or (
      select account_user.id
      from account_user
      where account_user.account_id = given.account_id and account_user.address = (held.next_id + given.place)::text
    ) is not null`;
}

function emailsPart(placed: readonly PlacedUser[]): Sql {
  const emails = placed.flatMap(({ accountId, place, user }) =>
    user.emailKeys.map((key) => ({ accountId, place, key })),
  );
  return sql`
    emails_kept as (
      insert into user_email (account_id, user_id, value_key)
      select account_id, fit.next_id + email.place, email.value_key
      from unnest(
        ${arrayOf(
          emails.map(({ accountId }) => accountId),
          'integer',
        )},
        ${arrayOf(
          emails.map(({ place }) => place),
          'integer',
        )},
        ${arrayOf(
          emails.map(({ key }) => key),
          'text',
        )}
      ) as email (account_id, place, value_key)
      join fit using (account_id)
    ),`;
}
