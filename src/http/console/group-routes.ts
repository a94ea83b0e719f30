// /console/api/groups: the groups of the account and who belongs to them.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Fault, Problem } from '../../domain/problem.ts';
import { changeGroup, createGroup, groupNotFound } from '../../domain/provisioning/group.ts';
import { readResourceId } from '../../domain/provisioning/resource.ts';
import { userPageMax, userPageUsual, windowOfStart } from '../../domain/window.ts';
import { type Filter, parseFilter } from '../../scim/filter.ts';
import { groupSchemaView } from '../../scim/schema-view.ts';
import { namesOfActors } from '../../store/access/audit-reader.ts';
import { grantsOf, rolesOfGroups } from '../../store/access/role-grants.ts';
import {
  addGroup,
  type CountedGroup,
  deleteGroup,
  findCountedGroup,
  type PlainStep,
  saveGroup,
} from '../../store/provisioning/groups.ts';
import { searchGroups } from '../../store/provisioning/groups-search.ts';
import { memberPage } from '../../store/provisioning/memberships.ts';
import type { SearchSort } from '../../store/provisioning/search-order.ts';
import { filterLimitsOf } from '../provisioning/list-request.ts';
import { invalidRequest } from '../server/input.ts';
import { searchWork } from '../server/request-budget.ts';
import { addRoute } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import { changeInConsole, consoleStampOf } from './console-change.ts';
import { consoleDocument } from './console-document.ts';
import { accountOf, visitorOf } from './console-gate.ts';
import type { ConsoleServices } from './console-services.ts';
import { demandFresh } from './fresh-sign-in.ts';
import {
  groupListSchema,
  groupSchema,
  shownGrant,
  shownGroup,
  shownMember,
  windowQuery,
} from './people-schemas.ts';

const membersMax = 1_000;
const idLengthMax = 20;
const memberIds = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: idLengthMax }), { maxItems: membersMax, description }));
const nameLengthMax = 255;
const displayName = Type.String({ minLength: 1, maxLength: nameLengthMax });

const groupQuery = Type.Object({
  ...windowQuery.properties,
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'A part of the name; then they stand in the order of their names.',
    }),
  ),
});
const byName: SearchSort = { attribute: groupSchemaView.resolve('displayName')!, descending: false };

export const groupIdParams = Type.Object({
  id: Type.String({ description: 'The internal id of the group.' }),
});

export function groupRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context } = services;
  const { db } = context;
  const access = { people: 'signedIn', ability: 'manage users' } as const;
  const limits = filterLimitsOf(context.config);

  const filterOf = (filter: string | undefined, search: string | undefined): Filter | null => {
    if (filter !== undefined && search !== undefined)
      throw invalidRequest([
        { field: 'search', code: 'INVALID', message: 'search does not go with filter.' },
      ]);
    if (filter !== undefined) return parseFilter(filter, groupSchemaView, limits);
    if (search === undefined || search === '') return null;
    return { kind: 'compare', attribute: byName.attribute, operator: 'co', value: search };
  };
  const groupOfPath = async (request: FastifyRequest, text: string): Promise<CountedGroup> => {
    const found = await findCountedGroup(db, accountOf(request), readResourceId(text));
    if (found === null) throw groupNotFound(text);
    return found;
  };
  const whole = async (counted: CountedGroup, after: number, count: number) => {
    const { group, memberCount } = counted;
    const { accountId, id } = group;
    const [grants, members] = await Promise.all([
      grantsOf(db, accountId, { kind: 'group', id }),
      memberPage(db, accountId, id, after, count + 1),
    ]);
    const shown = members.slice(0, count);
    const names = await namesOfActors(
      db,
      accountId,
      grants.map(({ grantedBy }) => grantedBy),
    );
    return {
      ...shownGroup(group, memberCount),
      roles: grants.map((grant) => shownGrant(grant, names)),
      members: shown.map(shownMember),
      next: members.length > count ? String(shown.at(-1)!.id) : null,
    };
  };

  addRoute(app, {
    method: 'GET',
    path: '/console/api/groups',
    area: 'console',
    access,
    query: groupQuery,
    document: consoleDocument({
      operationId: 'listGroups',
      summary: 'The groups of the account',
      description:
        'With the roles that each of them carries, in the order of creation unless they are searched.',
      tag: 'Groups',
      success: { status: 200, schema: groupListSchema, description: 'A page of groups.' },
    }),
    handle: async ({ query: { filter, search, start, count } }, request, reply) => {
      const accountId = accountOf(request);
      const window = windowOfStart(start, count);
      const asked = {
        filter: filterOf(filter, search?.trim()),
        // Those that are looked for by a person stand in the order of their names.
        sort: search === undefined ? null : byName,
        window,
        baseUrl: services.address.base,
      };
      const { total, groups } = await searchGroups(
        db,
        accountId,
        asked,
        searchWork(services, request, reply),
      );
      const held = await rolesOfGroups(
        db,
        accountId,
        groups.map(({ group }) => group.id),
      );
      const items = groups.map(({ group, memberCount }) => ({
        ...shownGroup(group, memberCount),
        roles: held.get(group.id) ?? [],
      }));
      return { total, start: window.skip + 1, items };
    },
  });

  addRoute(app, {
    method: 'POST',
    path: '/console/api/groups',
    area: 'console',
    access,
    consumes: ['application/json'],
    body: Type.Object({ displayName, members: memberIds('Internal ids of users and groups.') }),
    document: consoleDocument({
      operationId: 'createGroup',
      summary: 'Create a group',
      description: 'It carries no role until one is granted to it.',
      tag: 'Groups',
      success: { status: 201, schema: groupSchema, description: 'The group.' },
      conditions: [409],
    }),
    handle: async ({ body }, request, reply) => {
      const stamp = consoleStampOf(context, request);
      const accountId = accountOf(request);
      const members = membersIn('members', body.members ?? []);
      const unnumbered = createGroup(
        { displayName: body.displayName },
        { accountId, id: 0, nowMs: stamp.nowMs },
      );
      const group = await addGroup(db, unnumbered, members, stamp);
      reply.code(201);
      return whole({ group, memberCount: members.length }, 0, userPageUsual);
    },
  });

  addRoute(app, {
    method: 'GET',
    path: '/console/api/groups/:id',
    area: 'console',
    access,
    params: groupIdParams,
    query: Type.Object({
      after: Type.Optional(
        Type.Integer({ minimum: 1, description: '`next` of the page of members before.' }),
      ),
      count: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: userPageMax,
          description: `How many members at most; ${userPageUsual} unless given.`,
        }),
      ),
    }),
    document: consoleDocument({
      operationId: 'getGroup',
      summary: 'A group',
      description: 'With its roles and a page of its members, in the order of their ids.',
      tag: 'Groups',
      success: { status: 200, schema: groupSchema, description: 'The group.' },
      conditions: [404],
    }),
    handle: async ({ params, query: { after = 0, count = userPageUsual } }, request) =>
      whole(await groupOfPath(request, params.id), after, count),
  });

  addRoute(app, {
    method: 'PATCH',
    path: '/console/api/groups/:id',
    area: 'console',
    access,
    consumes: ['application/json'],
    params: groupIdParams,
    body: Type.Object({
      displayName: Type.Optional(displayName),
      add: memberIds('Who joins. Who is there already stays.'),
      remove: memberIds('Who leaves.'),
    }),
    document: consoleDocument({
      operationId: 'changeGroup',
      summary: 'Rename a group, or change who belongs to it',
      description:
        'All or nothing. A group that carries admin is changed by an admin or an operator; the members of one that carries any role only after a fresh sign-in.',
      tag: 'Groups',
      success: { status: 200, schema: groupSchema, description: 'The group as it is now.' },
      conditions: [404, 409],
    }),
    handle: async ({ params, body }, request) => {
      const add = membersIn('add', body.add ?? []);
      const remove = membersIn('remove', body.remove ?? []).map(({ id }) => id);
      const members: readonly PlainStep[] =
        add.length + remove.length === 0 ? [] : [{ kind: 'change', add, remove }];
      await changeInConsole(
        () => groupOfPath(request, params.id),
        async ({ group }) => {
          const stamp = consoleStampOf(context, request);
          const { displayName: name = group.profile.displayName } = body;
          const after = changeGroup(group, { ...group.profile, displayName: name }, stamp.nowMs);
          if (after === group && members.length === 0) return group;
          if (members.length > 0) {
            const held = await rolesOfGroups(db, group.accountId, [group.id]);
            if (held.size > 0) demandFresh(visitorOf(request), stamp.nowMs);
          }
          return saveGroup(db, { before: group, after, members, isBound: false }, stamp);
        },
      );
      return whole(await groupOfPath(request, params.id), 0, userPageUsual);
    },
  });

  addRoute(app, {
    method: 'DELETE',
    path: '/console/api/groups/:id',
    area: 'console',
    access,
    params: groupIdParams,
    document: consoleDocument({
      operationId: 'deleteGroup',
      summary: 'Delete a group',
      description:
        'Its members stay, without the roles that they had through it. One that carries admin is deleted by an admin or an operator.',
      tag: 'Groups',
      success: { status: 204, schema: null, description: 'Deleted.' },
      conditions: [404, 409],
    }),
    handle: async ({ params }, request, reply) => {
      await changeInConsole(
        () => groupOfPath(request, params.id),
        async ({ group: { accountId, id, revision } }) => {
          const change = { ...consoleStampOf(context, request), accountId, id, revisionBefore: revision };
          return (await db.write(deleteGroup, change)) || null;
        },
      );
      reply.code(204);
      return null;
    },
  });
}

/** Each once; whether they are users or groups is found out by the store. */
function membersIn(field: string, texts: readonly string[]) {
  const faults: Fault[] = [];
  const ids = new Set<number>();
  for (const [at, text] of texts.entries()) {
    const id = readResourceId(text);
    if (id !== null) ids.add(id);
    else {
      const message = `${field}[${at}] is not the id of a user or group.`;
      faults.push({ field: `${field}[${at}]`, code: 'UNKNOWN', message });
    }
  }
  if (faults.length > 0)
    throw new Problem('INVALID_REQUEST', 'Not all members are ids.', { details: faults });
  return [...ids].map((id) => ({ id, type: null }));
}
