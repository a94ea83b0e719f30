// /console/api/users: the users of the account, who suspends and deletes them, and why somebody has a role. They are the
// users that identity providers provision; what is changed here is told to nobody there.

import type { FastifyInstance } from 'fastify';
import { reactivate, suspend, type User } from '../../domain/provisioning/user.ts';
import { windowOfStart } from '../../domain/window.ts';
import { standardFace } from '../../scim/faces.ts';
import { rolesOfUser, rolesOfUsers } from '../../store/access/role-grants.ts';
import { groupsOfUser, shownGroupsMax, usersWithin } from '../../store/provisioning/memberships.ts';
import { deleteUser } from '../../store/provisioning/user-deletion.ts';
import { saveUser } from '../../store/provisioning/user-saving.ts';
import { searchUsers } from '../../store/provisioning/users-search.ts';
import { filterLimitsOf } from '../provisioning/list-request.ts';
import { searchWork } from '../server/request-budget.ts';
import { addRoute } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import { changeInConsole, consoleStampOf } from './console-change.ts';
import { consoleDocument } from './console-document.ts';
import { accountOf } from './console-gate.ts';
import type { ConsoleServices } from './console-services.ts';
import { shownRoles, shownUser, userListSchema, userSchema, windowQuery } from './people-schemas.ts';
import { userIdParams, userOfPath } from './user-of-path.ts';

const groupsShown = 200;

export function userRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context } = services;
  const { db } = context;
  const access = { people: 'signedIn', ability: 'manage users' } as const;
  const limits = filterLimitsOf(context.config);

  const whole = async (user: User) => {
    const [held, groups] = await Promise.all([
      rolesOfUser(db, user),
      groupsOfUser(db, user.accountId, user.id, groupsShown + 1),
    ]);
    return {
      ...shownUser(user),
      profile: user.profile,
      groups: groups.slice(0, groupsShown).map(({ id, displayName }) => ({ id: String(id), displayName })),
      hasMoreGroups: groups.length > groupsShown,
      ...shownRoles(held),
    };
  };

  addRoute(app, {
    method: 'GET',
    path: '/console/api/users',
    area: 'console',
    access,
    query: windowQuery,
    document: consoleDocument({
      operationId: 'listUsers',
      summary: 'The users of the account',
      description: 'In the order of creation, with the roles that each of them has in any way.',
      tag: 'Users',
      success: { status: 200, schema: userListSchema, description: 'A page of users.' },
    }),
    handle: async ({ query: { filter, start, count } }, request, reply) => {
      const accountId = accountOf(request);
      const window = windowOfStart(start, count);
      const asked = {
        filter: filter === undefined ? null : standardFace.readFilter(filter, limits),
        sort: null,
        window,
      };
      const { total, users } = await searchUsers(db, accountId, asked, searchWork(services, request, reply));
      // Whose groups are very many would hold everybody up.
      const told = users.slice(0, await usersWithin(db, accountId, users, shownGroupsMax));
      const held = await rolesOfUsers(db, accountId, told);
      const items = users.map((user, at) => ({
        ...shownUser(user),
        roles: at < told.length ? (held.get(user.id) ?? []) : null,
      }));
      return { total, start: window.skip + 1, items };
    },
  });

  addRoute(app, {
    method: 'GET',
    path: '/console/api/users/:id',
    area: 'console',
    access,
    params: userIdParams,
    document: consoleDocument({
      operationId: 'getUser',
      summary: 'A user',
      description: `With their groups, ${groupsShown} at most, their roles, and for each role the reason.`,
      tag: 'Users',
      success: { status: 200, schema: userSchema, description: 'The user.' },
      conditions: [404],
    }),
    handle: async ({ params }, request) => whole(await userOfPath(context, accountOf(request), params.id)),
  });

  addRoute(app, {
    method: 'PATCH',
    path: '/console/api/users/:id',
    area: 'console',
    access,
    consumes: ['application/json'],
    params: userIdParams,
    body: Type.Object({ active: Type.Boolean() }),
    document: consoleDocument({
      operationId: 'setUserActive',
      summary: 'Suspend or reactivate a user',
      description:
        'Who is suspended is out at the next request, everywhere. A user who is admin is suspended by an admin or an operator, and the last admin of an account without an identity provider is not.',
      tag: 'Users',
      success: { status: 200, schema: userSchema, description: 'The user as they are now.' },
      conditions: [404, 409],
    }),
    handle: async ({ params, body: { active } }, request) => {
      const accountId = accountOf(request);
      const changed = await changeInConsole(
        () => userOfPath(context, accountId, params.id),
        async (user) => {
          const stamp = consoleStampOf(context, request);
          const after = active ? reactivate(user, stamp.nowMs) : suspend(user, stamp.nowMs);
          if (after === user) return user;
          return (await saveUser(db, user, after, stamp)) ? after : null;
        },
      );
      return whole(changed);
    },
  });

  addRoute(app, {
    method: 'DELETE',
    path: '/console/api/users/:id',
    area: 'console',
    access: { ...access, isFresh: true },
    params: userIdParams,
    document: consoleDocument({
      operationId: 'deleteUser',
      summary: 'Delete a user',
      description:
        'For good, with whatever they sign in with. The same holds for admins as when one is suspended.',
      tag: 'Users',
      success: { status: 204, schema: null, description: 'Deleted.' },
      conditions: [404, 409],
    }),
    handle: async ({ params }, request, reply) => {
      const accountId = accountOf(request);
      await changeInConsole(
        () => userOfPath(context, accountId, params.id),
        async ({ id, revision }) => {
          const change = { ...consoleStampOf(context, request), accountId, id, revisionBefore: revision };
          return (await db.write(deleteUser, change)) || null;
        },
      );
      reply.code(204);
      return null;
    },
  });
}
