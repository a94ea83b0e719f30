// New users on PostgreSQL in one call that commits by itself: one way to the server instead of four. It takes the
// accounts whose counters are free, whose range has ids enough, and where no name, no address and no id to be given is
// taken; the others are left to the long way (new-users.ts), which says of each user what is taken. What the function does
// stands in engine/migrations/0019-watched.ts.
//
// A name that is committed after it has looked is refused by the unique indexes, and the whole is made again the long
// way. A counter that was changed a moment before it was locked is read as it is then: the row is looked at again once
// it is held.
//
// When its answer is lost it is simply made again: what it has kept is found by name, left to the long way, and
// recognised there by the ids of the changes.

import sql, { type Sql } from 'sql-template-tag';
import { retryForMs } from '../../domain/webhooks/webhook.ts';
import type { Steps } from '../engine/db.ts';
import { arrayOf } from '../engine/postgres/postgres-lists.ts';
import { heldUp } from '../engine/work/group-commit.ts';
import { namePartsOf } from './name-parts.ts';
import type { Creation, NewUser, UsersOfAccount } from './new-users.ts';
import { firstUserId, userBlockSize } from './user-ids.ts';
import { reversedKey } from './user-record.ts';

interface CreateUsersQuickly {
  readonly accounts: readonly UsersOfAccount[];
}

/** Of the users of one account: their outcomes; `heldUp` when its counter is not free, or the long way is needed. */
export type QuickOutcome = readonly Creation[] | typeof heldUp | typeof longWay;

export const longWay = 'longWay';

export function* createUsersQuickly({ accounts }: CreateUsersQuickly): Steps<readonly QuickOutcome[]> {
  const plain = accounts.filter(isPlain);
  if (plain.length === 0) return accounts.map(() => longWay);
  const { rows } = yield { whole: quickCreation(plain) };
  const [row] = rows as unknown as readonly { readonly firstIds: readonly (number | string)[] }[];
  return accounts.map((account) => {
    const index = plain.indexOf(account);
    if (index === -1) return longWay;
    const firstId = Number(row!.firstIds[index]);
    if (firstId === 0) return heldUp;
    return firstId > 0 ? account.users.map((_, at) => ({ id: firstId + at })) : longWay;
  });
}

/** Whether no two of the users clash, none belongs to a connection, and none has an address that might be one of the ids that they get. */
function isPlain({ users }: UsersOfAccount): boolean {
  const names = new Set(users.map(({ userNameKey }) => userNameKey));
  const addresses = users.flatMap(({ externalId }) => (externalId === null ? [] : [externalId]));
  return (
    // Which connection they belong to is kept by the long way alone.
    users.every(({ connectionId }) => connectionId === undefined) &&
    names.size === users.length &&
    new Set(addresses).size === addresses.length &&
    !addresses.some((address) => Number(address) >= firstUserId)
  );
}

interface PlacedUser {
  readonly accountId: number;
  /** The place of its account, from 1 on, and its own within it, from 0 on. */
  readonly account: number;
  readonly place: number;
  readonly user: NewUser;
}

function quickCreation(accounts: readonly UsersOfAccount[]): Sql {
  const placed = accounts.flatMap(({ accountId, users }, index) =>
    users.map((user, place): PlacedUser => ({ accountId, account: index + 1, place, user })),
  );
  const emails = placed.flatMap((one) => one.user.emailKeys.map((key) => ({ ...one, key })));
  const integers = (read: (one: PlacedUser) => number): Sql => arrayOf(placed.map(read), 'integer');
  const texts = (read: (one: PlacedUser) => string | null): Sql => arrayOf(placed.map(read), 'text');
  const ofAccounts = (read: (account: UsersOfAccount) => number): Sql =>
    arrayOf(accounts.map(read), 'integer');
  const ofEmails = (read: (email: (typeof emails)[number]) => number): Sql =>
    arrayOf(emails.map(read), 'integer');
  // What both functions are told stands once: the second notes the events of what the first has made (0017-webhooks.ts).
  return sql`
    select note_created_users(
      ${retryForMs}, given.accounts, given.user_accounts, given.places, given.moments, given.change_ids,
      create_users(
        ${firstUserId}, ${userBlockSize},
        given.accounts,
        ${ofAccounts(({ users }) => users.length)},
        given.user_accounts,
        given.places,
        given.moments,
        ${texts(({ user }) => user.userNameKey)},
        ${texts(({ user }) => user.givenNameKey)},
        ${texts(({ user }) => user.familyNameKey)},
        ${texts(({ user }) => reversedKey(user.givenNameKey))},
        ${texts(({ user }) => reversedKey(user.familyNameKey))},
        ${texts(({ user }) => user.displayNameKey)},
        ${texts(({ user }) => user.externalId)},
        ${integers(({ user }) => user.active)},
        ${texts(({ user }) => user.profile)},
        ${texts(({ accountId, user }) => namePartsOf(accountId, user) || null)},
        given.change_ids,
        ${texts(({ user }) => user.actor)},
        ${texts(({ user }) => user.requestId ?? null)},
        ${texts(({ user }) => user.origin ?? null)},
        ${ofEmails(({ account }) => account)},
        ${ofEmails(({ place }) => place)},
        ${arrayOf(
          emails.map(({ key }) => key),
          'text',
        )}
      )
    ) as "firstIds"
    from (
      select ${ofAccounts(({ accountId }) => accountId)} as accounts,
        ${integers(({ account }) => account)} as user_accounts,
        ${integers(({ place }) => place)} as places,
        ${integers(({ user }) => user.nowMs)} as moments,
        ${texts(({ user }) => user.changeId)} as change_ids
    ) as given`;
}
