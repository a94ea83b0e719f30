// soundings user ...: the users of an account, for operators.

import type { Context } from '../context.ts';
import { commandLineRights } from '../domain/access/role-rules.ts';
import { addressOf, reactivate, suspend, type User, userNotFound } from '../domain/provisioning/user.ts';
import { asValues, isList, isValues, type Values } from '../domain/provisioning/value.ts';
import { type Window, windowOfStart } from '../domain/window.ts';
import { serviceFace } from '../scim/faces.ts';
import { filterLimits } from '../scim/filter.ts';
import { holdsAdmin } from '../store/people/role-grants.ts';
import { changeInTurn } from '../store/provisioning/change-in-turn.ts';
import { patientWork } from '../store/provisioning/scan-slots.ts';
import { removeUser as deleteUser } from '../store/provisioning/user-deletion.ts';
import { findUserById } from '../store/provisioning/user-lookup.ts';
import { saveUser } from '../store/provisioning/user-saving.ts';
import { searchUsers } from '../store/provisioning/users-search.ts';
import { demandAccount } from './account-check.ts';
import { warnWithoutAdmin } from './admin-warning.ts';
import { changeStamp } from './change-stamp.ts';
import { type Flags, withContext } from './open-context.ts';
import { accountIdOf, type OfAccount, printsJson } from './options.ts';
import { CommandError, type Terminal, table, visible } from './terminal.ts';
import { confirmPerson, type FindOptions, type FoundUser, usersMeant, userTo } from './user-finding.ts';

const roundsMax = 10;

export async function listUsers(
  terminal: Terminal,
  flags: Flags,
  options: OfAccount & { filter?: string; start?: string; count?: string },
  text?: string,
): Promise<void> {
  const accountId = accountIdOf(options.account);
  if (text !== undefined && options.filter !== undefined)
    throw new CommandError('Name a user or --filter, not both.');
  const window = windowOfStart(wholeNumber('--start', options.start), wholeNumber('--count', options.count));
  const filter = options.filter === undefined ? null : serviceFace.readFilter(options.filter, filterLimits);
  await withContext(terminal, flags, async (context) => {
    const { total, users } =
      text === undefined
        ? await searchUsers(context.db, accountId, { filter, sort: null, window }, patientWork())
        : pageOf(await usersMeant(context, accountId, text), window);
    if (total === 0) await demandAccount(context, accountId);
    if (options.json === true) {
      const page = { totalResults: total, startIndex: window.skip + 1, resources: users.map(shown(context)) };
      return terminal.print(JSON.stringify(serviceFace.showList(page)));
    }
    if (users.length > 0) {
      const rows = users.map((user) => [
        user.profile.externalId ?? String(user.id),
        user.profile.active ? 'active' : 'suspended',
        user.profile.userName,
        new Date(user.createdMs).toISOString(),
      ]);
      terminal.print(table([['ADDRESS', 'STATE', 'USER NAME', 'CREATED'], ...rows]));
    }
    const last = window.skip + users.length;
    const more = last < total && users.length > 0 ? `; go on with --start ${last + 1}` : '';
    terminal.tell(`${users.length} of ${total} users${more}.`);
  });
}

function pageOf(meant: readonly FoundUser[], { skip, take }: Window): { total: number; users: User[] } {
  return { total: meant.length, users: meant.slice(skip, skip + take).map(({ user }) => user) };
}

export async function showUser(
  terminal: Terminal,
  flags: Flags,
  text: string,
  options: OfAccount & FindOptions,
): Promise<void> {
  const accountId = accountIdOf(options.account);
  await withContext(terminal, flags, async (context) => {
    const { user } = await userTo('show', terminal, context, accountId, text, options);
    const resource = shown(context)(user);
    if (printsJson(terminal, options))
      return terminal.print(JSON.stringify(resource, null, options.json === true ? 0 : 2));
    const { schemas: _schemas, ...facts } = resource;
    terminal.print(table(factsIn(facts)));
  });
}

/** What stands in a resource, one line for each value: "name.givenName", "emails (work)". */
function factsIn(values: Values, path = ''): string[][] {
  return Object.entries(values).flatMap(([name, value]) => {
    const at = `${path}${name}`;
    if (value === undefined) return [];
    if (isList(value))
      return value.flatMap((one) => {
        const { value: inner, type } = asValues(one);
        if (inner === undefined) return isValues(one) ? factsIn(one, `${at}.`) : [[at, String(one)]];
        return [[type === undefined ? at : `${at} (${type})`, String(inner)]];
      });
    // The name of an extension is of no use to a reader.
    if (isValues(value)) return factsIn(value, name.startsWith('urn:') ? '' : `${at}.`);
    return [[at, String(value)]];
  });
}

/** Suspending is how a user is de-provisioned; nothing is deleted (D-57). */
export async function setUserActive(
  terminal: Terminal,
  flags: Flags,
  address: string,
  { active, ...options }: OfAccount & FindOptions & { active: boolean },
): Promise<void> {
  const accountId = accountIdOf(options.account);
  await withContext(terminal, flags, async (context) => {
    const { user } = await userTo('change', terminal, context, accountId, address, options);
    const { id } = user;
    const changed = await changeState(context, user, active);
    if (changed && !active && (await holdsAdmin(context.db, accountId, id)))
      await warnWithoutAdmin(terminal, context, accountId);
    if (options.json === true) return terminal.print(JSON.stringify({ address, active, changed }));
    const state = active ? 'active' : 'suspended';
    const who = visible(address);
    terminal.print(changed ? `${who} is ${state} now.` : `${who} was ${state} already.`);
  });
}

/** For good (D-94). The guard against mass deprovisioning is for identity providers: an operator means it. */
export async function removeUser(
  terminal: Terminal,
  flags: Flags,
  address: string,
  options: OfAccount & FindOptions,
): Promise<void> {
  const accountId = accountIdOf(options.account);
  await withContext(terminal, flags, async (context) => {
    const found = await userTo('change', terminal, context, accountId, address, options);
    await confirmPerson(terminal, found, 'This deletes for good', options);
    const read = (): Promise<User> => userAgain(context, found.user);
    let wasAdmin = false;
    const deleted = await changeInTurn(roundsMax, read, async ({ id, revision }) => {
      wasAdmin = await holdsAdmin(context.db, accountId, id);
      const stamp = { ...changeStamp(context), rights: commandLineRights };
      return (await deleteUser(context.db, { ...stamp, accountId, id, revisionBefore: revision }))
        ? id
        : null;
    });
    if (deleted === null) throw busy(address);
    if (wasAdmin) await warnWithoutAdmin(terminal, context, accountId);
    if (options.json === true) return terminal.print(JSON.stringify({ address, id: deleted, deleted: true }));
    terminal.print(`${visible(address)} is deleted.`);
  });
}

async function changeState(context: Context, found: User, active: boolean): Promise<boolean> {
  const read = (): Promise<User> => userAgain(context, found);
  const changed = await changeInTurn(roundsMax, read, async (user) => {
    const stamp = { ...changeStamp(context), rights: commandLineRights };
    const after = active ? reactivate(user, stamp.nowMs) : suspend(user, stamp.nowMs);
    if (after === user) return false;
    return (await saveUser(context.db, user, after, stamp)) || null;
  });
  if (changed !== null) return changed;
  throw busy(addressOf(found));
}

function busy(address: string): CommandError {
  return new CommandError(`${visible(address)} is being changed by others all the time. Try again.`);
}

/** As it is now: it may have been changed or deleted since it was found. */
async function userAgain({ db }: Context, { accountId, id }: User): Promise<User> {
  const user = await findUserById(db, accountId, id);
  if (user !== null) return user;
  throw userNotFound(String(id));
}

const shown = (context: Context) => (user: User) => serviceFace.show(user, context.config.publicUrl);

export function wholeNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new CommandError(`${option} must be a whole number, not "${text}".`);
}
