// What can be done with users on a face, apart from how a request says it: endpoints of their own and the operations
// of a bulk request do the same things.

import type { Context } from '../../context.ts';
import { Problem } from '../../domain/problem.ts';
import {
  createUser,
  type User,
  userNotFound,
  type Values,
  versionOf,
} from '../../domain/provisioning/user.ts';
import { windowOfStart } from '../../domain/window.ts';
import { groupsAttribute } from '../../scim/attributes.ts';
import { changesInWords } from '../../scim/explain.ts';
import type { Face, Page } from '../../scim/faces.ts';
import { filterLimits } from '../../scim/filter.ts';
import type { Patch } from '../../scim/operations.ts';
import { type Projection, project, readProjection, shows } from '../../scim/projection.ts';
import { resourceOf } from '../../scim/resource.ts';
import type { WorkBudget } from '../../store/engine/work-budget.ts';
import {
  shownGroupsMax,
  usersWithin,
  withGroups,
  withOwnGroups,
} from '../../store/provisioning/memberships.ts';
import type { SearchWork } from '../../store/provisioning/scan-slots.ts';
import type { UserCreation } from '../../store/provisioning/user-creation.ts';
import { deleteUser } from '../../store/provisioning/user-deletion.ts';
import { findUser, findUserById } from '../../store/provisioning/user-lookup.ts';
import { keepUser } from '../../store/provisioning/users.ts';
import { searchUsers, type UserQuery } from '../../store/provisioning/users-search.ts';
import type { PublicUrl } from '../server/public-url.ts';
import type { Asked } from './list-request.ts';
import { demandVersion, type Preconditions } from './preconditions.ts';

/** Each round one of the writers succeeds, so a round more than there could be writers at once. */
export const changeAttemptsMax = 64;

export interface Actor {
  readonly accountId: number;
  readonly apiClientId: string;
  /** What its request may use. */
  readonly budget: WorkBudget;
  /** Hears how its patch was read. */
  readonly tellPatch?: (patch: Patch) => void;
  /** Hears, in words, what was changed for it. */
  readonly tell?: (change: string | null) => void;
}

export interface UserWork {
  find(accountId: number, id: string): Promise<User>;
  create(actor: Actor, body: unknown): Promise<User>;
  replace(actor: Actor, id: string, body: unknown, preconditions: Preconditions): Promise<User>;
  patch(actor: Actor, id: string, body: unknown, preconditions: Preconditions): Promise<User>;
  remove(actor: Actor, id: string, preconditions: Preconditions): Promise<void>;
  /** The user with its groups where the projection shows them: what is shown of it, and its version, follow from this. */
  withShownGroups(user: User, projection: Projection, budget: () => WorkBudget): Promise<User>;
  /** What is shown of a user that has its groups. */
  shown(user: User, projection: Projection): Values;
  /** The same as JSON. */
  text(user: User, projection: Projection): string;
  list(accountId: number, asked: Asked, searching: SearchWork): Promise<Page>;
  /**
   * As many of the users, from the first on, as show no more groups than a page may: it is then shorter than was asked
   * for, as the RFC allows, and says so in itemsPerPage (D-97).
   */
  showPage(
    accountId: number,
    users: readonly User[],
    projection: Projection,
    budget: WorkBudget,
  ): Promise<Page['resources']>;
}

export interface UserWorkServices {
  readonly context: Context;
  readonly publicUrl: PublicUrl;
  readonly userCreation: UserCreation;
}

export function userWork(services: UserWorkServices, face: Face): UserWork {
  const { context, publicUrl, userCreation } = services;
  const { config, db } = context;
  const limits = { ...filterLimits, maxBytes: config.filterLimitBytes, maxTerms: config.filterLimitTerms };
  const hasGroups = face.schemaView.knows(groupsAttribute);

  const find = async (accountId: number, id: string): Promise<User> => {
    const reference = face.readReference(id);
    const user = await findUser(db, accountId, reference);
    if (user !== null) return user;
    const couldBeId = reference.by === 'address' && /^[1-9]\d{9,15}$/.test(id);
    throw userNotFound(id, couldBeId ? await findUserById(db, accountId, Number(id)) : null);
  };

  /** Read, decide, keep at the revision that was read; whoever comes second decides anew (D-58). */
  const change = async <T>(
    accountId: number,
    id: string,
    preconditions: Preconditions,
    attempt: (user: User) => Promise<T | null>,
  ): Promise<T> => {
    for (let round = 1; round <= changeAttemptsMax; round += 1) {
      const user = await find(accountId, id);
      demandVersion(preconditions, versionOf(user));
      const done = await attempt(user);
      if (done !== null) return done;
    }
    throw new Problem('CONFLICT', 'Too many changes of this user at once. Please retry.');
  };
  const keep =
    (actor: Actor, decide: (user: User, nowMs: number) => User | Promise<User>) =>
    async (user: User): Promise<User | null> => {
      const nowMs = context.now();
      const after = await decide(user, nowMs);
      if (after === user) return user;
      const stamp = { changeId: context.newId(), nowMs, actor: actor.apiClientId };
      if (!(await keepUser(db, user, after, stamp))) return null;
      actor.tell?.(changesInWords(user.profile, after.profile));
      return after;
    };

  const showOne = (user: User, projection: Projection): Values =>
    chosen(face.show(user, publicUrl.base), projection);

  // With the user, which is the same one as long as it is remembered at its revision and belongs to no group.
  const texts = new WeakMap<User, string>();
  const textOf = (user: User, projection: Projection): string => {
    if (!isWhole(projection)) return JSON.stringify(showOne(user, projection));
    const known = texts.get(user);
    if (known !== undefined) return known;
    const text = JSON.stringify(showOne(user, projection));
    texts.set(user, text);
    return text;
  };

  const isInGroups = (projection: Projection): boolean => hasGroups && shows(projection, groupsAttribute);
  const inGroups: UserWork['withShownGroups'] = async (user, projection, budget) =>
    isInGroups(projection) ? withOwnGroups(db, user, publicUrl.base, budget) : user;

  const showPage: UserWork['showPage'] = async (accountId, users, projection, budget) => {
    const withThem = async (): Promise<readonly User[]> => {
      const some = users.slice(0, await usersWithin(db, accountId, users, shownGroupsMax));
      return withGroups(db, accountId, some, publicUrl.base, budget, shownGroupsMax);
    };
    const shown: Values[] = [];
    for (const user of isInGroups(projection) ? await withThem() : users) {
      await budget.pause();
      shown.push(showOne(user, projection));
    }
    return shown as Page['resources'];
  };

  return {
    find,
    showPage,
    async create({ accountId, apiClientId, tell }, body) {
      const draft = face.readDraft(body);
      const nowMs = context.now();
      // The id is given by the store, with the commit.
      const unnumbered = createUser(draft, { accountId, id: 0, nowMs });
      const stamp = { changeId: context.newId(), nowMs, actor: apiClientId };
      const user = await userCreation.create(unnumbered, stamp);
      tell?.(`created user ${user.id}`);
      return user;
    },
    replace(actor, id, body, preconditions) {
      const replacement = face.readReplacement(body);
      const attempt = keep(actor, (before, nowMs) => face.replace(before, replacement, nowMs));
      return change(actor.accountId, id, preconditions, attempt);
    },
    async patch(actor, id, body, preconditions) {
      const { budget } = actor;
      const patch = await budget.run(face.readPatch(body, config.patchLimitOperations));
      actor.tellPatch?.(patch);
      const attempt = keep(actor, (before, nowMs) =>
        budget.run(face.patch(before, patch.operations, nowMs, budget.spend)),
      );
      return change(actor.accountId, id, preconditions, attempt);
    },
    async remove({ accountId, apiClientId, tell }, id, preconditions) {
      await change(accountId, id, preconditions, async (user) => {
        const stamp = { changeId: context.newId(), nowMs: context.now(), actor: apiClientId };
        const place = { accountId, id: user.id, revisionBefore: user.revision };
        return (await db.write(deleteUser, { ...stamp, ...place })) || null;
      });
      tell?.(`deleted user ${id}`);
    },
    withShownGroups: inGroups,
    shown: showOne,
    text: textOf,
    async list(accountId, asked, searching) {
      const { filter, sortBy, sortOrder, startIndex, count } = asked;
      const projection = readProjection(asked, face.schemaView);
      const window = windowOfStart(startIndex, count);
      const query: UserQuery = {
        filter: filter === undefined ? null : face.readFilter(filter, limits),
        sort:
          sortBy === undefined
            ? null
            : { attribute: face.readSort(sortBy), descending: sortOrder === 'descending' },
        window,
        view: (user) => resourceOf(user, face.locationOf(user, publicUrl.base)),
        groupsAt: publicUrl.base,
      };
      const page = await searchUsers(db, accountId, query, searching);
      return {
        totalResults: page.total,
        startIndex: window.skip + 1,
        resources: await showPage(accountId, page.users, projection, searching.budget),
      };
    },
  };
}

/** Whoever chose nothing gets the document as it is. */
export function chosen(shown: Values, projection: Projection): Record<string, NonNullable<Values[string]>> {
  return isWhole(projection)
    ? (shown as Record<string, NonNullable<Values[string]>>)
    : project(shown, projection);
}

function isWhole({ only, without }: Projection): boolean {
  return only === null && without.size === 0;
}
