// Users, on either face. Their groups are kept elsewhere and read only where they are shown.

import type { Context } from '../../context.ts';
import type { PublicUrl } from '../../domain/operations/public-url.ts';
import { readResourceId } from '../../domain/provisioning/resource.ts';
import {
  createUser,
  stateChange,
  type User,
  type UserDraft,
  userNotFound,
  versionOf,
} from '../../domain/provisioning/user.ts';
import type { Values } from '../../domain/provisioning/value.ts';
import { groupsAttribute } from '../../scim/attributes.ts';
import { changesInWords } from '../../scim/explain.ts';
import type { Face } from '../../scim/faces.ts';
import type { Operation } from '../../scim/operations.ts';
import { isWhole, type Projection, projected, shows } from '../../scim/projection.ts';
import { resourceOf } from '../../scim/resource.ts';
import type { Replacement } from '../../scim/resource-draft.ts';
import { describeUsers } from '../../scim/resource-type.ts';
import { withdrawRefusals } from '../../store/access/admin-refusals.ts';
import {
  shownGroupsMax,
  usersWithin,
  withGroups,
  withOwnGroups,
} from '../../store/provisioning/memberships.ts';
import type { UserCreation } from '../../store/provisioning/user-creation.ts';
import { removeUser } from '../../store/provisioning/user-deletion.ts';
import { findUser, findUserById } from '../../store/provisioning/user-lookup.ts';
import { saveUser } from '../../store/provisioning/user-saving.ts';
import { searchUsers } from '../../store/provisioning/users-search.ts';
import { type Pieces, whole } from '../server/sliced-answer.ts';
import type { PendingChange, ResourceType } from './resource-type.ts';

export interface UserServices {
  readonly context: Context;
  readonly publicUrl: PublicUrl;
  readonly userCreation: UserCreation;
}

export function userType(
  services: UserServices,
  face: Face,
): ResourceType<User, UserDraft, Replacement, PendingUserChange> {
  const { context, publicUrl, userCreation } = services;
  const { db } = context;
  const hasGroups = face.schemaView.knows(groupsAttribute);
  const showsGroups = (projection: Projection): boolean => hasGroups && shows(projection, groupsAttribute);
  const shown = (user: User, projection: Projection) =>
    projected(face.show(user, publicUrl.base), projection);
  // With the user, which is the same one as long as it is remembered at its revision and belongs to no group.
  const shownTexts = new WeakMap<User, string>();

  return {
    ...describeUsers(face),

    readFilter: face.readFilter,
    readDraft: (body) => face.readDraft(body),
    readReplacement: (body) => face.readReplacement(body),

    replace: (before, replacement, nowMs) => ({
      before,
      after: face.replace(before, replacement, nowMs),
      saysActive: replacement.draft.active === true,
    }),
    // Setting `active` to false, here or by a replace, suspends the user; `save` writes it.
    async patch(before, { operations, nowMs, budget }) {
      const after = await budget.run(face.patch(before, operations, nowMs, budget.spend));
      return after === before ? null : { before, after, saysActive: saysState(operations) };
    },
    // That somebody is active who should have been suspended takes it back (D-814).
    async noteUnchanged({ accountId, id, profile }, { operations }, { actor }) {
      if (profile.active && saysState(operations))
        await db.write(withdrawRefusals, { accountId, userId: id, actor });
    },
    changesInWords: ({ before, after }) => changesInWords(before.profile, after.profile),
    changeOf: ({ before, after }) => stateChange(before, after) ?? 'changed',

    async find(accountId, address) {
      const reference = face.readReference(address);
      const user = await findUser(db, accountId, reference);
      if (user !== null) return user;
      // A user with an external id is not found by the internal one, and the caller is told so (D-50).
      const id = reference.by === 'address' ? readResourceId(address) : null;
      throw userNotFound(address, id === null ? null : await findUserById(db, accountId, id));
    },
    // The id is given by the store, with the commit.
    add: (accountId, draft, stamp) =>
      userCreation.create(createUser(draft, { accountId, id: 0, nowMs: stamp.nowMs }), stamp),
    save: async ({ before, after, saysActive }, stamp) =>
      (await saveUser(db, before, after, { ...stamp, saysActive })) ? after : null,
    remove({ accountId, id, revision }, stamp) {
      return removeUser(db, { ...stamp, accountId, id, revisionBefore: revision });
    },
    async findPage(accountId, query, projection, searching) {
      const { budget } = searching;
      const view = (user: User) => resourceOf(user, face.locationOf(user, publicUrl.base));
      const asked = { ...query, view, groupsAt: publicUrl.base };
      const { total, users } = await searchUsers(db, accountId, asked, searching);
      const withThem = async (): Promise<readonly User[]> => {
        const some = users.slice(0, await usersWithin(db, accountId, users, shownGroupsMax));
        return withGroups(db, accountId, some, publicUrl.base, budget, shownGroupsMax);
      };
      const resources = [];
      for (const user of showsGroups(projection) ? await withThem() : users) {
        await budget.pause();
        resources.push(userPieces(shown(user, projection)));
      }
      return { total, resources };
    },

    versionOf,
    locationOf: (user) => face.locationOf(user, publicUrl.base),
    complete: async (user, projection, budget) =>
      showsGroups(projection) ? withOwnGroups(db, user, publicUrl.base, budget) : user,
    show(user, projection) {
      if (user.groups.length > groupsAtOnce) return userPieces(shown(user, projection))();
      if (!isWhole(projection)) return JSON.stringify(shown(user, projection));
      const known = shownTexts.get(user) ?? JSON.stringify(shown(user, projection));
      shownTexts.set(user, known);
      return known;
    },
  };
}

/** A change of a user, and whether the request has named the state rather than left it. */
interface PendingUserChange extends PendingChange<User> {
  readonly saysActive: boolean;
}

function saysState(operations: readonly Operation[]): boolean {
  return operations.some(({ op, path }) => op !== 'remove' && path.attribute.path === 'active');
}

const groupsAtOnce = 500;

/** A user as it is shown. One that belongs to thousands of groups is written some hundred groups at a time. */
function userPieces(shown: Values): Pieces {
  const { groups, ...rest } = shown;
  if (!Array.isArray(groups) || groups.length <= groupsAtOnce) return whole(shown);
  return async function* text() {
    // The id is always shown, so that there is a member before the groups.
    yield `${JSON.stringify(rest).slice(0, -1)},"groups":[`;
    for (let at = 0; at < groups.length; at += groupsAtOnce)
      yield `${at === 0 ? '' : ','}${JSON.stringify(groups.slice(at, at + groupsAtOnce)).slice(1, -1)}`;
    yield ']}';
  };
}
