// User provisioning. Everything that differs between the two faces is a member of the face (D-03): this file is
// called once for each and never asks which one it has.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../domain/problem.ts';
import { type User, versionOf } from '../../domain/provisioning/user.ts';
import type { Face } from '../../scim/faces.ts';
import { type ProjectionRequest, readProjection } from '../../scim/projection.ts';
import type { WorkBudget } from '../../store/engine/work-budget.ts';
import { budgetOf, type SearchServices, searchWork } from '../server/request-budget.ts';
import { addRoute, callerOfRequest, sendJsonText } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import { answerPace, groupsAtOnce, piecesOfList, sendPieces, userPieces } from '../server/sliced-answer.ts';
import { bulkLimitsOf, bulkRoutes } from './bulk.ts';
import { discoveryRoutes } from './discovery.ts';
import { faceTraits, ifMatch, ifRead, jsonTypes, ofBody } from './face-routes.ts';
import { groupRoutes } from './groups.ts';
import { type Asked, filtering, sorting } from './list-request.ts';
import { demandRead, isKnown, readPreconditions } from './preconditions.ts';
import { actorOf } from './provisioning-log.ts';
import { userSchemas } from './user-schemas.ts';
import { type UserWorkServices, userWork } from './user-work.ts';

interface UserServices extends UserWorkServices, SearchServices {}

export function userRoutes(app: FastifyInstance, services: UserServices, face: Face): void {
  const { publicUrl } = services;
  const shapes = userSchemas(face);
  const traits = faceTraits(face);
  const { reading, writing, removing, choice, choosing, chosen } = traits;
  const work = userWork(services, face);
  const document = traits.describe('Users');
  const noQuery = Type.Object({});
  const address = Type.Object({ id: Type.String({ description: face.addressMeaning }) });

  discoveryRoutes(app, services, face);

  // ---- Search and list

  const list = async (asked: Asked, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { accountId } = callerOfRequest(request);
    const page = await work.list(accountId, asked, searchWork(services, request, reply));
    const pieced = { ...page, resources: page.resources.map(userPieces) };
    return sendPieces(services, request, reply, piecesOfList(face, pieced));
  };
  addRoute(app, {
    ...reading,
    method: 'POST',
    path: `${face.path}/Users/.search`,
    consumes: jsonTypes,
    query: noQuery,
    body: Type.Object(
      { schemas: Type.Optional(Type.Array(Type.Unknown())), ...filtering, ...sorting, ...chosen },
      { additionalProperties: face.ignoresUnknownParameters },
    ),
    document: document('SearchUsers', 'Search users by a body', shapes.list, { conditions: ofBody }),
    handle: ({ body }, request, reply) => list(body as Asked, request, reply),
  });
  addRoute(app, {
    ...reading,
    method: 'GET',
    path: `${face.path}/Users`,
    query: Type.Object({ ...filtering, ...(face.sortsLists ? sorting : {}), ...choosing }),
    document: document('ListUsers', 'List users', shapes.list, {
      description: `In the order of creation, unless another is asked for. ${face.filterMeaning}`,
    }),
    handle: ({ query }, request, reply) => list(query as Asked, request, reply),
  });

  // ---- One user

  const projectionOf = (query: object) => readProjection(query as ProjectionRequest, face.schemaView);
  const send = async (
    user: User,
    query: object,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const projection = projectionOf(query);
    reply.header('etag', versionOf(user));
    if (user.groups.length <= groupsAtOnce) return sendJsonText(request, reply, work.text(user, projection));
    return sendPieces(services, request, reply, userPieces(work.shown(user, projection))());
  };
  // What has been changed is shown, whatever the change has left of the budget of its request.
  const pace = (): WorkBudget => answerPace(services);
  const show = async (
    user: User,
    query: object,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> =>
    send(await work.withShownGroups(user, projectionOf(query), pace), query, request, reply);
  addRoute(app, {
    ...writing,
    method: 'POST',
    path: `${face.path}/Users`,
    query: choice,
    document: document('CreateUser', 'Create a user', shapes.user, {
      status: face.createStatus,
      answerHeaders: face.createTellsLocation ? ['ETag', 'Location'] : ['ETag'],
      conditions: [409, ...ofBody],
      body: shapes.draft,
    }),
    async handle({ query, body }, request, reply) {
      projectionOf(query);
      const user = await work.create(actorOf(services, request, reply), body);
      reply.code(face.createStatus);
      if (face.createTellsLocation) reply.header('location', face.locationOf(user, publicUrl.base));
      // Nobody has put a user that was made just now into a group yet.
      return send(user, query, request, reply);
    },
  });
  addRoute(app, {
    ...reading,
    method: 'GET',
    path: `${face.path}/Users/:id`,
    params: address,
    query: choice,
    document: document('GetUser', 'Read a user', shapes.user, {
      answerHeaders: ['ETag'],
      conditions: [304, 404, 412],
      headers: ifRead,
    }),
    async handle({ params, query }, request, reply) {
      const preconditions = readPreconditions(request);
      const found = await work.find(callerOfRequest(request).accountId, params.id);
      const budget = (): WorkBudget => budgetOf(services, request, reply);
      const user = await work.withShownGroups(found, projectionOf(query), budget);
      if (!isKnown(preconditions, versionOf(user))) {
        demandRead(preconditions, versionOf(user));
        return send(user, query, request, reply);
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
    query: choice,
    document: document('ReplaceUser', 'Replace a user', shapes.user, {
      description:
        'An optional attribute that is left out is cleared; the state and the externalId stay unless they are given.',
      answerHeaders: ['ETag'],
      conditions: [404, 409, 412, ...ofBody],
      headers: ifMatch,
      body: shapes.draft,
    }),
    async handle({ params, query, body }, request, reply) {
      projectionOf(query);
      const preconditions = readPreconditions(request);
      const user = await work.replace(actorOf(services, request, reply), params.id, body, preconditions);
      return show(user, query, request, reply);
    },
  });
  addRoute(app, {
    ...writing,
    method: 'PATCH',
    path: `${face.path}/Users/:id`,
    params: address,
    query: choice,
    document: document('PatchUser', 'Change parts of a user', shapes.user, {
      description:
        'All operations or none. Setting active to false suspends the user: that is how it is de-provisioned.',
      answerHeaders: ['ETag'],
      conditions: [404, 409, 412, ...ofBody],
      headers: ifMatch,
      body: shapes.patch,
    }),
    async handle({ params, query, body }, request, reply) {
      projectionOf(query);
      const preconditions = readPreconditions(request);
      const user = await work.patch(actorOf(services, request, reply), params.id, body, preconditions);
      return show(user, query, request, reply);
    },
  });
  if (face.deletes) {
    addRoute(app, {
      ...removing,
      method: 'DELETE',
      path: `${face.path}/Users/:id`,
      params: address,
      query: noQuery,
      document: document('DeleteUser', 'Delete a user', null, {
        description: 'For good: its personal data is gone, its userName and externalId are free again.',
        status: 204,
        conditions: [404, 412],
        headers: ifMatch,
      }),
      async handle({ params }, request, reply) {
        await work.remove(actorOf(services, request, reply), params.id, readPreconditions(request));
        reply.code(204);
        return null;
      },
    });
  }

  if (face.namesMe) meRoutes(app, face);
  if (face.resourceTypes.includes('Group')) groupRoutes(app, services, face, work);
  const bulk = bulkLimitsOf(face, services.context.config);
  if (bulk !== null) bulkRoutes(app, services, face, work, bulk);
}

/** Nobody signs in here, so nobody is «me» (RFC 7644 section 3.11, D-143). */
function meRoutes(app: FastifyInstance, face: Face): void {
  const { common } = faceTraits(face);
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
    addRoute(app, {
      ...common,
      method,
      path: `${face.path}/Me`,
      access: { grant: 'r_cx_users' },
      handle() {
        throw new Problem('ME_NOT_SUPPORTED', 'Users do not sign in here, so that /Me stands for nobody.');
      },
    });
  }
}
