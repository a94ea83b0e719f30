// /console/api/users: the users of the account, who suspends and deletes them, and why somebody has a role. They are the
// users that identity providers provision; what is changed here is told to nobody there.

import type { FastifyInstance } from 'fastify';
import { groupsShown, userOperations } from '../../../contract/access/users.ts';
import { invalidRequest } from '../../../domain/problem.ts';
import { reactivate, suspend, type User } from '../../../domain/provisioning/user.ts';
import { windowOfStart } from '../../../domain/window.ts';
import { standardFace } from '../../../scim/faces.ts';
import { dropRefusals, refusalsOfUser } from '../../../store/access/admin-refusals.ts';
import { confirmAdmin, restsAsAdmin } from '../../../store/access/admin-rules.ts';
import { findConnection } from '../../../store/access/connections.ts';
import { namesOfActors, namesOfCredentials } from '../../../store/people/audit-reader.ts';
import { isOnlyByProvider, ownCredentials } from '../../../store/people/passwords.ts';
import { type PeopleQuery, searchPeople } from '../../../store/people/people-search.ts';
import { rolesOfUser, rolesOfUsers } from '../../../store/people/role-grants.ts';
import { connectionOfUser } from '../../../store/people/user-connections.ts';
import { groupsOfUser, shownGroupsMax, usersWithin } from '../../../store/provisioning/memberships.ts';
import { removeUser } from '../../../store/provisioning/user-deletion.ts';
import { saveUser } from '../../../store/provisioning/user-saving.ts';
import { searchUsers } from '../../../store/provisioning/users-search.ts';
import { filterLimitsOf, searchWork } from '../../server/request-budget.ts';
import { addOperation } from '../../server/route.ts';
import { changeInConsole, consoleStampOf } from '../console-change.ts';
import { accountOf } from '../console-gate.ts';
import type { ConsoleServices } from '../console-services.ts';
import { shownRoles, shownUser } from './people-schemas.ts';
import { userOfPath } from './user-of-path.ts';

interface AskedPeople {
  readonly search?: string;
  readonly state?: string;
  readonly role?: string;
  readonly order?: string;
}

function peopleAsked({ search, state, role, order = 'oldest' }: AskedPeople): Omit<PeopleQuery, 'window'> {
  return { search, state, role, order } as Omit<PeopleQuery, 'window'>;
}

/** A filter says everything itself, and is answered in the order of creation. */
function refuseBeside(asked: AskedPeople): void {
  const faults = Object.keys(asked).map((field) => ({
    field,
    code: 'INVALID' as const,
    message: `${field} does not go with filter.`,
  }));
  if (faults.length > 0) throw invalidRequest(faults);
}

export function userRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context } = services;
  const { db } = context;
  const limits = filterLimitsOf(context.config);

  const waysOf = async ({ accountId, id: personId }: User) => {
    const person = { accountId, personId };
    const [{ passkeys, passwordChangedAtMs }, connectionId, onlyProvider] = await Promise.all([
      ownCredentials(db, person),
      connectionOfUser(db, accountId, personId),
      isOnlyByProvider(db, accountId),
    ]);
    const connection = connectionId === null ? null : await findConnection(db, accountId, connectionId);
    return {
      passkeys,
      password: passwordChangedAtMs !== null,
      connection: connection === null ? null : { id: connection.id, name: connection.name },
      onlyProvider,
    };
  };
  const whole = async (user: User) => {
    const { accountId, id } = user;
    const [held, groups, signsInBy, adminRests, refused] = await Promise.all([
      rolesOfUser(db, user),
      groupsOfUser(db, accountId, id, groupsShown + 1),
      waysOf(user),
      restsAsAdmin(db, accountId, id),
      refusalsOfUser(db, accountId, id),
    ]);
    const granters = held.flatMap(({ reasons }) =>
      reasons.flatMap((reason) => (reason.through === 'grant' ? [reason.grantedBy] : [])),
    );
    const askers = refused.map(({ actor }) => actor);
    const names = await namesOfActors(db, accountId, [...granters, ...askers]);
    const credentials = await namesOfCredentials(db, accountId, askers);
    const byCredential = new Map(credentials.map(({ id: credential, name }) => [credential, name]));
    return {
      ...shownUser(user),
      profile: user.profile,
      groups: groups.slice(0, groupsShown).map(({ id, displayName }) => ({ id: String(id), displayName })),
      hasMoreGroups: groups.length > groupsShown,
      ...shownRoles(held, names, adminRests),
      adminRests,
      refused: refused.map(({ act, actor, firstAtMs, lastAtMs, times }) => ({
        act,
        by: actor,
        byName: byCredential.get(actor) ?? names.get(actor) ?? null,
        firstAt: new Date(firstAtMs).toISOString(),
        lastAt: new Date(lastAtMs).toISOString(),
        times,
      })),
      signsInBy,
    };
  };

  addOperation(
    app,
    userOperations,
    'GET /users',
    async ({ query: { filter, start, count, ...asked } }, request, reply) => {
      const accountId = accountOf(request);
      const window = windowOfStart(start, count);
      const work = searchWork(services, request, reply);
      if (filter !== undefined) refuseBeside(asked);
      const { total, users } =
        filter === undefined
          ? await searchPeople(db, accountId, { ...peopleAsked(asked), window }, work)
          : await searchUsers(
              db,
              accountId,
              { filter: standardFace.readFilter(filter, limits), sort: null, window },
              work,
            );
      // Whose groups are very many would hold everybody up.
      const told = users.slice(0, await usersWithin(db, accountId, users, shownGroupsMax));
      const held = await rolesOfUsers(db, accountId, told);
      const items = users.map((user, at) => ({
        ...shownUser(user),
        roles: at < told.length ? (held.get(user.id) ?? []) : null,
      }));
      return { total, start: window.skip + 1, items };
    },
  );

  addOperation(app, userOperations, 'GET /users/:id', async ({ params }, request) =>
    whole(await userOfPath(context, accountOf(request), params.id)),
  );

  addOperation(app, userOperations, 'PATCH /users/:id', async ({ params, body: { active } }, request) => {
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
  });

  addOperation(app, userOperations, 'DELETE /users/:id', async ({ params }, request, reply) => {
    const accountId = accountOf(request);
    await changeInConsole(
      () => userOfPath(context, accountId, params.id),
      async ({ id, revision }) => {
        const change = { ...consoleStampOf(context, request), accountId, id, revisionBefore: revision };
        return (await removeUser(db, change)) || null;
      },
    );
    reply.code(204);
    return null;
  });

  addOperation(app, userOperations, 'POST /users/:id/confirm-admin', async ({ params }, request, reply) => {
    const accountId = accountOf(request);
    const { id: userId } = await userOfPath(context, accountId, params.id);
    await db.write(confirmAdmin, { ...consoleStampOf(context, request), accountId, userId });
    reply.code(204);
    return null;
  });

  addOperation(app, userOperations, 'DELETE /users/:id/refused', async ({ params }, request, reply) => {
    const accountId = accountOf(request);
    const { id: userId } = await userOfPath(context, accountId, params.id);
    await db.write(dropRefusals, { ...consoleStampOf(context, request), accountId, userId });
    reply.code(204);
    return null;
  });
}
