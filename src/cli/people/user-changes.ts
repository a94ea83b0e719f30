// A user suspended, reactivated or deleted by an operator, whoever else changes them meanwhile.

import type { Context } from '../../context.ts';
import { commandLineRights } from '../../domain/access/role-rules.ts';
import { addressOf, reactivate, suspend, type User, userNotFound } from '../../domain/provisioning/user.ts';
import { holdsAdmin } from '../../store/people/role-grants.ts';
import { changeInTurn } from '../../store/provisioning/change-in-turn.ts';
import { removeUser as deleteUser } from '../../store/provisioning/user-deletion.ts';
import { findUserById } from '../../store/provisioning/user-lookup.ts';
import { saveUser } from '../../store/provisioning/user-saving.ts';
import { changeStamp } from '../frame/change-stamp.ts';
import { CommandError, visible } from '../frame/terminal.ts';

const roundsMax = 10;

/** Suspending is how a user is de-provisioned; nothing is deleted (D-57). Returns whether anything changed. */
export async function changeState(context: Context, found: User, active: boolean): Promise<boolean> {
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

/** For good (D-94). The guard against mass deprovisioning is for identity providers: an operator means it. */
export async function removeUser(context: Context, found: User): Promise<{ id: number; wasAdmin: boolean }> {
  const { accountId } = found;
  const read = (): Promise<User> => userAgain(context, found);
  let wasAdmin = false;
  const deleted = await changeInTurn(roundsMax, read, async ({ id, revision }) => {
    wasAdmin = await holdsAdmin(context.db, accountId, id);
    const stamp = { ...changeStamp(context), rights: commandLineRights };
    return (await deleteUser(context.db, { ...stamp, accountId, id, revisionBefore: revision })) ? id : null;
  });
  if (deleted === null) throw busy(addressOf(found));
  return { id: deleted, wasAdmin };
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
