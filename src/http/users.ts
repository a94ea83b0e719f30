// User provisioning. Everything that differs between the two faces is a member of the face (D-03): this file is
// called once for each and never asks which one it has.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type, { type TSchema } from 'typebox';
import { Problem } from '../domain/problem.ts';
import { createUser, type User, userNotFound, versionOf } from '../domain/user.ts';
import { userPageMax, windowOfStart } from '../domain/window.ts';
import { resourceTypes, schemas, serviceProviderConfig } from '../scim/discovery.ts';
import type { Face } from '../scim/faces.ts';
import { filterLimits } from '../scim/filter.ts';
import { findUser, findUserById, keepUser } from '../store/users.ts';
import { searchUsers } from '../store/users-search.ts';
import type { Rooms } from './app.ts';
import { demandVersion, isKnown, type Preconditions, readPreconditions } from './preconditions.ts';
import { addRoute, callerOfRequest, type RouteDocument } from './route.ts';
import { userSchemas } from './user-schemas.ts';

const jsonTypes = ['application/json', 'application/scim+json'];
/** Each round one of the writers succeeds, so a round more than there could be writers at once. */
const changeAttemptsMax = 64;

const refusals = [400, 401, 403, 406, 429, 500, 502, 503];
const ofBody = [413, 415];

export function userRoutes(app: FastifyInstance, rooms: Rooms, face: Face): void {
  const { house, publicUrl, userCreation } = rooms;
  const { config, db } = house;
  const shapes = userSchemas(face);
  const [usualType = ''] = face.contentType.split(';');
  const common = {
    area: face.errorBody === 'scim' ? 'scim' : 'service',
    produces: [usualType, ...jsonTypes.filter((type) => type !== usualType)],
    unknownQuery: face.ignoresUnknownParameters ? 'ignored' : 'refused',
  } as const;
  const reading = { ...common, access: { grant: 'r_cx_users' } } as const;
  const writing = { ...common, access: { grant: 'w_cx_users' }, consumes: jsonTypes } as const;
  const noQuery = Type.Object({});
  const address = Type.Object({
    id: Type.String({ description: 'Its externalId; its internal id only if it has no externalId.' }),
  });
  const document = (
    operation: string,
    summary: string,
    schema: TSchema,
    rest: Partial<RouteDocument> & { readonly status?: number } = {},
  ): RouteDocument => ({
    operationId: `${face.name}${operation}`,
    summary,
    description: rest.description ?? `${summary}.`,
    tag: `Users at ${face.path}`,
    success: { status: rest.status ?? 200, schema, description: 'OK' },
    conditions: [...(rest.conditions ?? []), ...refusals].sort((a, b) => a - b),
    ...(rest.headers === undefined ? {} : { headers: rest.headers }),
    ...(rest.body === undefined ? {} : { body: rest.body }),
  });

  // ---- Discovery

  const discovery = {
    ...common,
    access: face.guardsDiscovery ? reading.access : ('anyone' as const),
    accept: face.guardsDiscovery ? ('required' as const) : ('optional' as const),
    method: 'GET' as const,
    query: noQuery,
  };
  const supports = 'What this address supports, by the words of RFC 7643 section 5.';
  addRoute(app, {
    ...discovery,
    path: `${face.path}/ServiceProviderConfig`,
    document: document('ServiceProviderConfig', 'What is supported', shapes.serviceProviderConfig, {
      description: supports,
    }),
    handle: () =>
      serviceProviderConfig(face, {
        baseUrl: publicUrl.base,
        documentationUri: publicUrl.to('/docs'),
        maxResults: userPageMax,
        bulk: null,
      }),
  });
  addRoute(app, {
    ...discovery,
    path: `${face.path}/ResourceTypes`,
    document: document('ResourceTypes', 'The types of resources: users', shapes.resourceTypes),
    handle: () => resourceTypes(face, publicUrl.base),
  });
  addRoute(app, {
    ...discovery,
    path: `${face.path}/Schemas`,
    document: document('Schemas', 'The attributes of users', shapes.schemas),
    handle: () => schemas(face, publicUrl.base),
  });

  // ---- Search and list

  const limits = { ...filterLimits, maxBytes: config.filterLimitBytes, maxTerms: config.filterLimitTerms };
  const list = async (accountId: number, asked: Asked): Promise<object> => {
    const { filter, sortBy, sortOrder, startIndex, count } = asked;
    const window = windowOfStart(startIndex, count);
    const page = await searchUsers(db, accountId, {
      filter: filter === undefined ? null : face.readFilter(filter, limits),
      sort:
        sortBy === undefined
          ? null
          : { attribute: face.readSort(sortBy), descending: sortOrder === 'descending' },
      window,
    });
    return face.showList({
      totalResults: page.total,
      startIndex: window.skip + 1,
      resources: page.users.map((user) => face.show(user, publicUrl.base)),
    });
  };
  const filtering = {
    filter: Type.Optional(Type.String({ description: 'Which users; all of them unless given.' })),
    startIndex: Type.Optional(
      Type.Integer({ description: 'The first result, from 1; below 1 counts as 1.' }),
    ),
    count: Type.Optional(
      Type.Integer({
        description: `The most results; 100 unless given, at most ${userPageMax}, below 0 counts as 0.`,
      }),
    ),
  };
  const sorting = {
    sortBy: Type.Optional(Type.String({ description: 'An attribute; users without it come last.' })),
    sortOrder: Type.Optional(Type.Enum(['ascending', 'descending'])),
  };
  addRoute(app, {
    ...reading,
    method: 'POST',
    path: `${face.path}/Users/.search`,
    consumes: jsonTypes,
    query: noQuery,
    body: Type.Object(
      { schemas: Type.Optional(Type.Array(Type.Unknown())), ...filtering, ...sorting },
      { additionalProperties: face.ignoresUnknownParameters },
    ),
    document: document('SearchUsers', 'Search users by a body', shapes.list, { conditions: ofBody }),
    handle: ({ body }, request) => list(callerOfRequest(request).accountId, body),
  });
  addRoute(app, {
    ...reading,
    method: 'GET',
    path: `${face.path}/Users`,
    query: Type.Object(face.sortsLists ? { ...filtering, ...sorting } : filtering),
    document: document('ListUsers', 'List users', shapes.list, {
      description:
        'In the order of creation. The filter takes userName with eq, and name.givenName and name.familyName with co, sw and ew, combined with and.',
    }),
    handle: ({ query }, request) => list(callerOfRequest(request).accountId, query as Asked),
  });

  // ---- One user

  const show = (user: User, reply: FastifyReply): object => {
    reply.header('etag', versionOf(user));
    return face.show(user, publicUrl.base);
  };
  const find = async (accountId: number, id: string): Promise<User> => {
    const reference = face.readReference(id);
    const user = await findUser(db, accountId, reference);
    if (user !== null) return user;
    const couldBeId = reference.by === 'address' && /^[1-9]\d{9,15}$/.test(id);
    throw userNotFound(id, couldBeId ? await findUserById(db, accountId, Number(id)) : null);
  };
  /** Read, decide, keep at the revision that was read; whoever comes second decides anew (D-58). */
  const change = async (
    request: FastifyRequest,
    id: string,
    decide: (user: User, nowMs: number) => User,
  ): Promise<User> => {
    const { accountId, apiClientId } = callerOfRequest(request);
    const preconditions: Preconditions = readPreconditions(request);
    for (let attempt = 1; attempt <= changeAttemptsMax; attempt += 1) {
      const user = await find(accountId, id);
      demandVersion(preconditions, versionOf(user));
      const nowMs = house.now();
      const after = decide(user, nowMs);
      if (after === user) return user;
      const order = { changeId: house.newId(), nowMs, actor: apiClientId };
      if (await keepUser(db, user, after, order)) return after;
    }
    throw new Problem('CONFLICT', 'Too many changes of this user at once. Please retry.');
  };
  const versions = Type.Object({
    'If-Match': Type.Optional(Type.String({ description: 'Only if the user is at one of these versions.' })),
  });

  addRoute(app, {
    ...writing,
    method: 'POST',
    path: `${face.path}/Users`,
    query: noQuery,
    document: document('CreateUser', 'Create a user', shapes.user, {
      status: face.createStatus,
      conditions: [409, ...ofBody],
      body: shapes.draft,
    }),
    async handle({ body }, request, reply) {
      const { accountId, apiClientId } = callerOfRequest(request);
      const draft = face.readDraft(body);
      const nowMs = house.now();
      // The id is given by the store, with the commit.
      const unnumbered = createUser(draft, { accountId, id: 0, nowMs });
      const order = { changeId: house.newId(), nowMs, actor: apiClientId };
      const user = await userCreation.create(unnumbered, order);
      reply.code(face.createStatus);
      if (face.createTellsLocation) reply.header('location', face.locationOf(user, publicUrl.base));
      return show(user, reply);
    },
  });
  addRoute(app, {
    ...reading,
    method: 'GET',
    path: `${face.path}/Users/:id`,
    params: address,
    query: noQuery,
    document: document('GetUser', 'Read a user', shapes.user, {
      conditions: [304, 404],
      headers: Type.Object({
        'If-None-Match': Type.Optional(Type.String({ description: 'Versions that the caller has already.' })),
      }),
    }),
    async handle({ params }, request, reply) {
      const preconditions = readPreconditions(request);
      const user = await find(callerOfRequest(request).accountId, params.id);
      if (!isKnown(preconditions, versionOf(user))) {
        demandVersion(preconditions, versionOf(user));
        return show(user, reply);
      }
      reply.code(304).header('etag', versionOf(user));
      return null;
    },
  });
  addRoute(app, {
    ...writing,
    method: 'PUT',
    path: `${face.path}/Users/:id`,
    params: address,
    query: noQuery,
    document: document('ReplaceUser', 'Replace a user', shapes.user, {
      description:
        'An optional attribute that is left out is cleared; the state and the externalId stay unless they are given.',
      conditions: [404, 409, 412, ...ofBody],
      headers: versions,
      body: shapes.draft,
    }),
    async handle({ params, body }, request, reply) {
      const draft = face.readDraft(body);
      const user = await change(request, params.id, (before, nowMs) => face.replace(before, draft, nowMs));
      return show(user, reply);
    },
  });
  addRoute(app, {
    ...writing,
    method: 'PATCH',
    path: `${face.path}/Users/:id`,
    params: address,
    query: noQuery,
    document: document('PatchUser', 'Change parts of a user', shapes.user, {
      description:
        'All operations or none. Setting active to false suspends the user: that is how it is de-provisioned.',
      conditions: [404, 409, 412, ...ofBody],
      headers: versions,
      body: shapes.patch,
    }),
    async handle({ params, body }, request, reply) {
      const operations = face.readOperations(body, config.patchLimitOperations);
      const user = await change(request, params.id, (before, nowMs) => face.patch(before, operations, nowMs));
      return show(user, reply);
    },
  });
}

interface Asked {
  readonly filter?: string;
  readonly sortBy?: string;
  readonly sortOrder?: string;
  readonly startIndex?: number;
  readonly count?: number;
}
