// soundings user ...: the users of an account, for operators.

import type { Context } from '../context.ts';
import { commandLineRights } from '../domain/access/role-rules.ts';
import { reactivate, suspend, type User, userNotFound } from '../domain/provisioning/user.ts';
import { windowOfStart } from '../domain/window.ts';
import { serviceFace } from '../scim/faces.ts';
import { filterLimits } from '../scim/filter.ts';
import { holdsAdmin } from '../store/access/role-grants.ts';
import { changeInTurn } from '../store/provisioning/change-in-turn.ts';
import { patientWork } from '../store/provisioning/scan-slots.ts';
import { removeUser as deleteUser } from '../store/provisioning/user-deletion.ts';
import { findUser } from '../store/provisioning/user-lookup.ts';
import { saveUser } from '../store/provisioning/user-saving.ts';
import { searchUsers } from '../store/provisioning/users-search.ts';
import { warnWithoutAdmin } from './admin-warning.ts';
import { changeStamp } from './change-stamp.ts';
import { type Flags, withContext } from './open-context.ts';
import { accountIdOf, type OfAccount } from './options.ts';
import { CommandError, type Terminal, table, visible } from './terminal.ts';

const roundsMax = 10;

export async function listUsers(
  terminal: Terminal,
  flags: Flags,
  options: OfAccount & { filter?: string; start?: string; count?: string },
): Promise<void> {
  const accountId = accountIdOf(options.account);
  const window = windowOfStart(wholeNumber('--start', options.start), wholeNumber('--count', options.count));
  const filter = options.filter === undefined ? null : serviceFace.readFilter(options.filter, filterLimits);
  await withContext(terminal, flags, async (context) => {
    const { total, users } = await searchUsers(
      context.db,
      accountId,
      { filter, sort: null, window },
      patientWork(),
    );
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

export async function showUser(
  terminal: Terminal,
  flags: Flags,
  address: string,
  options: OfAccount,
): Promise<void> {
  const accountId = accountIdOf(options.account);
  await withContext(terminal, flags, async (context) => {
    const resource = shown(context)(await userAt(context, accountId, address));
    terminal.print(JSON.stringify(resource, null, options.json === true ? 0 : 2));
  });
}

/** Suspending is how a user is de-provisioned; nothing is deleted (D-57). */
export async function setUserActive(
  terminal: Terminal,
  flags: Flags,
  address: string,
  { active, ...options }: OfAccount & { active: boolean },
): Promise<void> {
  const accountId = accountIdOf(options.account);
  await withContext(terminal, flags, async (context) => {
    const { id } = await userAt(context, accountId, address);
    const changed = await changeState(context, accountId, address, active);
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
  options: OfAccount,
): Promise<void> {
  const accountId = accountIdOf(options.account);
  await withContext(terminal, flags, async (context) => {
    const read = (): Promise<User> => userAt(context, accountId, address);
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

async function changeState(
  context: Context,
  accountId: number,
  address: string,
  active: boolean,
): Promise<boolean> {
  const read = (): Promise<User> => userAt(context, accountId, address);
  const changed = await changeInTurn(roundsMax, read, async (user) => {
    const stamp = { ...changeStamp(context), rights: commandLineRights };
    const after = active ? reactivate(user, stamp.nowMs) : suspend(user, stamp.nowMs);
    if (after === user) return false;
    return (await saveUser(context.db, user, after, stamp)) || null;
  });
  if (changed !== null) return changed;
  throw busy(address);
}

function busy(address: string): CommandError {
  return new CommandError(`${visible(address)} is being changed by others all the time. Try again.`);
}

export async function userAt(context: Context, accountId: number, address: string): Promise<User> {
  const user = await findUser(context.db, accountId, serviceFace.readReference(address));
  if (user !== null) return user;
  throw new CommandError(
    `${visible(userNotFound(address).message)} See "soundings user list --account ${accountId}".`,
  );
}

const shown = (context: Context) => (user: User) => serviceFace.show(user, context.config.publicUrl);

export function wholeNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new CommandError(`${option} must be a whole number, not "${text}".`);
}
