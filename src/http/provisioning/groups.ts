// Groups, and the search over users and groups at once (RFC 7644 section 3.4.2.1): on the face that has them.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Group, groupVersionOf } from '../../domain/provisioning/group.ts';
import type { Face } from '../../scim/faces.ts';
import { locationOfResource } from '../../scim/groups.ts';
import { type Projection, type ProjectionRequest, readProjection } from '../../scim/projection.ts';
import { groupSchemaView } from '../../scim/schema-view.ts';
import { budgetOf, type SearchServices, searchWork } from '../server/request-budget.ts';
import { addRoute, callerOfRequest } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import { piecesOfList, sendPieces } from '../server/sliced-answer.ts';
import { faceTraits, ifMatch, ifRead, jsonTypes, ofBody } from './face-routes.ts';
import { type GroupWorkServices, groupWork } from './group-work.ts';
import { type Asked, filtering, sorting } from './list-request.ts';
import { demandRead, isKnown, readPreconditions } from './preconditions.ts';
import { actorOf } from './provisioning-log.ts';
import { searchEverything } from './root-search.ts';
import { groupSchemas, userSchemas } from './user-schemas.ts';
import type { UserWork } from './user-work.ts';

interface GroupServices extends GroupWorkServices, SearchServices {}

export function groupRoutes(
  app: FastifyInstance,
  services: GroupServices,
  face: Face,
  users: UserWork,
): void {
  const { publicUrl } = services;
  const shapes = groupSchemas(face);
  const { patch: patchShape } = userSchemas(face);
  const { reading, writing, removing, describe, choice, choosing, chosen } = faceTraits(face);
  const document = describe('Groups');
  const work = groupWork(services);
  const noQuery = Type.Object({});
  const address = Type.Object({ id: Type.String({ description: 'Its id.' }) });
  const searchBody = Type.Object(
    { schemas: Type.Optional(Type.Array(Type.Unknown())), ...filtering, ...sorting, ...chosen },
    { additionalProperties: true },
  );

  const list = async (asked: Asked, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { accountId } = callerOfRequest(request);
    const page = await work.list(accountId, asked, searchWork(services, request, reply));
    return sendPieces(services, request, reply, piecesOfList(face, page));
  };
  const show = (
    group: Group,
    projection: Projection,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const pieces = work.pieces(group, projection, budgetOf(services, request, reply));
    return sendPieces(services, request, reply, pieces);
  };
  addRoute(app, {
    ...reading,
    method: 'POST',
    path: `${face.path}/.search`,
    consumes: jsonTypes,
    query: noQuery,
    body: searchBody,
    document: document('Search', 'Search users and groups at once', shapes.mixedList, {
      description:
        'Users first, then groups; an attribute that one of the types does not have has no value there.',
      conditions: ofBody,
    }),
    async handle({ body }, request, reply) {
      const { accountId } = callerOfRequest(request);
      const searching = searchWork(services, request, reply);
      const works = { users, groups: work };
      const page = await searchEverything(services, face, works, accountId, body as Asked, searching);
      return sendPieces(services, request, reply, piecesOfList(face, page));
    },
  });
  addRoute(app, {
    ...reading,
    method: 'POST',
    path: `${face.path}/Groups/.search`,
    consumes: jsonTypes,
    query: noQuery,
    body: searchBody,
    document: document('SearchGroups', 'Search groups by a body', shapes.list, { conditions: ofBody }),
    handle: ({ body }, request, reply) => list(body as Asked, request, reply),
  });
  addRoute(app, {
    ...reading,
    method: 'GET',
    path: `${face.path}/Groups`,
    query: Type.Object({ ...filtering, ...sorting, ...choosing }),
    document: document('ListGroups', 'List groups', shapes.list, {
      description:
        'In the order of creation, unless another is asked for. A page whose groups have very many members is shorter than asked for; excludedAttributes=members avoids that.',
    }),
    handle: ({ query }, request, reply) => list(query as Asked, request, reply),
  });

  const projectionOf = (query: object) => readProjection(query as ProjectionRequest, groupSchemaView);
  const tag = (group: Group, reply: FastifyReply): void => {
    reply.header('etag', groupVersionOf(group));
  };
  addRoute(app, {
    ...writing,
    method: 'POST',
    path: `${face.path}/Groups`,
    query: choice,
    document: document('CreateGroup', 'Create a group', shapes.group, {
      status: face.createStatus,
      answerHeaders: ['ETag', 'Location'],
      conditions: [409, ...ofBody],
      body: shapes.draft,
    }),
    async handle({ query, body }, request, reply) {
      const projection = projectionOf(query);
      const group = await work.create(actorOf(services, request, reply), body);
      tag(group, reply);
      reply.code(face.createStatus).header('location', locationOfResource('Group', group.id, publicUrl.base));
      return show(group, projection, request, reply);
    },
  });
  addRoute(app, {
    ...reading,
    method: 'GET',
    path: `${face.path}/Groups/:id`,
    params: address,
    query: choice,
    document: document('GetGroup', 'Read a group', shapes.group, {
      answerHeaders: ['ETag'],
      conditions: [304, 404, 412],
      headers: ifRead,
    }),
    async handle({ params, query }, request, reply) {
      const projection = projectionOf(query);
      const preconditions = readPreconditions(request);
      const group = await work.find(callerOfRequest(request).accountId, params.id);
      tag(group, reply);
      if (!isKnown(preconditions, groupVersionOf(group))) {
        demandRead(preconditions, groupVersionOf(group));
        return show(group, projection, request, reply);
      }
      reply.code(304);
      return null;
    },
  });
  addRoute(app, {
    ...writing,
    method: 'PUT',
    path: `${face.path}/Groups/:id`,
    params: address,
    query: choice,
    document: document('ReplaceGroup', 'Replace a group', shapes.group, {
      description: 'Members that are left out leave the group; the externalId stays unless it is given.',
      answerHeaders: ['ETag'],
      conditions: [404, 409, 412, ...ofBody],
      headers: ifMatch,
      body: shapes.draft,
    }),
    async handle({ params, query, body }, request, reply) {
      const projection = projectionOf(query);
      const preconditions = readPreconditions(request);
      const group = await work.replace(actorOf(services, request, reply), params.id, body, preconditions);
      tag(group, reply);
      return show(group, projection, request, reply);
    },
  });
  addRoute(app, {
    ...writing,
    method: 'PATCH',
    path: `${face.path}/Groups/:id`,
    params: address,
    query: choice,
    document: document('PatchGroup', 'Change parts of a group, or its members', shapes.group, {
      description:
        'All operations or none. The answer is 204 with the new version as ETag; 200 with what attributes asks for, where it asks.',
      emptySuccess: 'Done, and attributes asked for nothing; ETag is the new version',
      answerHeaders: ['ETag'],
      conditions: [404, 409, 412, ...ofBody],
      headers: ifMatch,
      body: patchShape,
    }),
    async handle({ params, query, body }, request, reply) {
      const projection = projectionOf(query);
      const preconditions = readPreconditions(request);
      const group = await work.patch(actorOf(services, request, reply), params.id, body, preconditions);
      tag(group, reply);
      if (projection.only !== null) return show(group, projection, request, reply);
      reply.code(204);
      return null;
    },
  });
  addRoute(app, {
    ...removing,
    method: 'DELETE',
    path: `${face.path}/Groups/:id`,
    params: address,
    query: noQuery,
    document: document('DeleteGroup', 'Delete a group', null, {
      description: 'Its members stay; their membership ends.',
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
