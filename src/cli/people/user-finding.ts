// Whom a text means: the id, externalId or userName of a user; for verbs that only show, a mail address too, which is neither unique
// nor proven (D-892).

import type { Context } from '../../context.ts';
import { fold } from '../../domain/fold.ts';
import { readResourceId } from '../../domain/provisioning/resource.ts';
import { type User, userNotFound } from '../../domain/provisioning/user.ts';
import { asValues, isList } from '../../domain/provisioning/value.ts';
import { standardFace } from '../../scim/faces.ts';
import { filterLimits } from '../../scim/filter.ts';
import { patientWork } from '../../store/engine/work/scan-slots.ts';
import { findUser, findUserById, findUserByNameKey } from '../../store/provisioning/user-lookup.ts';
import { searchUsers } from '../../store/provisioning/users-search.ts';
import { demandAccount } from '../frame/account-check.ts';
import { ask } from '../frame/questions.ts';
import { CommandError, visible } from '../frame/terminal.ts';
import type { StoreCall } from '../frame/verb.ts';

/** By what a user is found. */
export type UserKey = 'id' | 'externalId' | 'userName' | 'mail';

export interface FoundUser {
  readonly user: User;
  readonly by: UserKey;
}

/** What a verb about one user was given. */
interface UserInput {
  readonly account: number;
  readonly user: string;
  readonly by: UserKey | undefined;
}

const mailMatchesMax = 100;

/** By which keys, the first one first: externalId and id were an address before there were others. Doctor names admins by their ids. */
const keysTo = {
  show: ['externalId', 'id', 'userName', 'mail'],
  change: ['externalId', 'id', 'userName'],
  changeAdmin: ['id', 'externalId', 'userName'],
} as const satisfies Readonly<Record<string, readonly UserKey[]>>;

/** Everybody whom the text may mean, each once, in the order of the keys. */
export async function usersMeant(
  { db }: Pick<Context, 'db'>,
  accountId: number,
  text: string,
  keys: readonly UserKey[] = keysTo.show,
): Promise<readonly FoundUser[]> {
  const finders: Readonly<Record<UserKey, () => Promise<readonly (User | null)[]>>> = {
    externalId: async () => {
      const user = await findUser(db, accountId, { by: 'address', address: text });
      return user?.profile.externalId === text ? [user] : [];
    },
    id: async () => {
      const id = readResourceId(text);
      return id === null ? [] : [await findUserById(db, accountId, id)];
    },
    userName: async () => [await findUserByNameKey(db, accountId, fold(text))],
    mail: async () => (text.includes('@') ? usersWithMail(db, accountId, text) : []),
  };
  const found: FoundUser[] = [];
  for (const by of keys)
    for (const user of await finders[by]())
      if (user !== null && !found.some((other) => other.user.id === user.id)) found.push({ user, by });
  return found;
}

async function usersWithMail(db: Context['db'], accountId: number, text: string): Promise<readonly User[]> {
  const filter = standardFace.readFilter(`emails.value eq ${JSON.stringify(text)}`, filterLimits);
  const window = { skip: 0, take: mailMatchesMax };
  const { users } = await searchUsers(db, accountId, { filter, sort: null, window }, patientWork());
  return users;
}

/** The one user whom a verb is about. At a terminal an ambiguity is refused. A program gets the user whom it got before there were other keys, and is told. */
export async function userTo(
  purpose: keyof typeof keysTo,
  { terminal, context, input }: StoreCall<UserInput>,
): Promise<FoundUser> {
  const { account: accountId, user: text, by } = input;
  const keys: readonly UserKey[] = keysTo[purpose];
  if (by !== undefined && !keys.includes(by))
    throw new CommandError(`--by ${by} only shows users: a mail address is neither unique nor proven.`);
  const meant = await usersMeant(context, accountId, text, by === undefined ? keys : [by]);
  const [first, ...others] = meant;
  if (first === undefined) {
    await demandAccount(context, accountId);
    throw new CommandError(
      `${visible(userNotFound(text).message)} See "soundings user list --account ${accountId}".`,
    );
  }
  if (others.length === 0) return first;
  const who = meant.map(({ user, by: key }) => `${personText(user)} by ${key}`).join('; ');
  const sentence = `"${visible(text)}" may mean ${meant.length} users: ${who}.`;
  const wasAddress = first.by === 'externalId' || first.by === 'id';
  if (terminal.isInteractive || !wasAddress)
    throw new CommandError(`${sentence} Say which with --by, or name another key.`);
  terminal.tell(`Warning: ${sentence} It is taken for the ${first.by}.`);
  return first;
}

/**
 * Before somebody is granted something, let in or deleted: the person is named, and whoever sits at the terminal says yes. A program
 * says --yes where it named a userName; what it named before needs none.
 */
export async function confirmPerson(
  { terminal, input }: Pick<StoreCall<{ readonly yes: boolean }>, 'terminal' | 'input'>,
  { user, by }: FoundUser,
  what: string,
): Promise<void> {
  if (input.yes) return;
  const sentence = `${what} ${personText(user)}.`;
  if (!terminal.isInteractive) {
    if (by === 'id' || by === 'externalId') return;
    throw new CommandError(`${sentence} Nothing was changed: say --yes.`);
  }
  const typed = await ask(`${sentence} Type yes to go on`);
  if (typed?.trim().toLowerCase() !== 'yes') throw new CommandError('Nothing was changed.');
}

/** Enough to tell one person from another: "ada (Ada Lovelace, ada@acme.example, id 1000000001)". */
export function personText({ id, profile }: User): string {
  const name = asValues(profile.name);
  const names = [name.givenName, name.familyName].filter(Boolean).join(' ');
  const [mail] = isList(profile.emails) ? profile.emails.map((one) => asValues(one).value) : [];
  const facts = [names, mail, `id ${id}`].filter((fact) => fact !== undefined && fact !== '');
  return visible(`${profile.userName} (${facts.join(', ')})`);
}
