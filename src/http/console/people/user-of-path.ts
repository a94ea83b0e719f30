// The user that a path of the console names, by the internal id: the pages of the console know it, and it never changes.

import type { Context } from '../../../context.ts';
import { readResourceId } from '../../../domain/provisioning/resource.ts';
import { type User, userNotFound } from '../../../domain/provisioning/user.ts';
import { findUserById } from '../../../store/provisioning/user-lookup.ts';

/** What belongs to another account does not exist (D-10). */
export async function userOfPath({ db }: Context, accountId: number, text: string): Promise<User> {
  const id = readResourceId(text);
  const user = id === null ? null : await findUserById(db, accountId, id);
  if (user === null) throw userNotFound(text);
  return user;
}
