// The endpoints of one type of resources on one face (RFC 7644 section 3). What differs between the faces is a member of
// the face (D-03), what differs between the types a member of the type: nothing here asks which of them it has.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from '../../contract/schema.ts';
import type { Resource } from '../../domain/provisioning/resource.ts';
import type { Face } from '../../scim/faces.ts';
import { type Projection, type ProjectionRequest, readProjection } from '../../scim/projection.ts';
import type { WorkBudget } from '../../store/engine/work/work-budget.ts';
import { budgetOf, type SearchServices, searchWork } from '../server/request-budget.ts';
import { addRoute, callerOfRequest, sendJsonText } from '../server/route.ts';
import { answerPace, piecesOfList, sendPieces } from '../server/sliced-answer.ts';
import { faceTraits, ifMatch, ifRead, jsonTypes, ofBody } from './face-traits.ts';
import { type Asked, askedByBody, askedByQuery, filtering, searchBody, sorting } from './list-request.ts';
import { demandRead, isKnown, readPreconditions } from './preconditions.ts';
import { actorOf } from './provisioning-log.ts';
import { patchSchema, resourceSchemas } from './resource-schemas.ts';
import type { ServedType } from './resource-work.ts';

export function resourceRoutes(
  app: FastifyInstance,
  services: SearchServices,
  face: Face,
  { type, work }: ServedType,
): void {
  const { name, endpoint, texts } = type;
  const [one, many] = [name.toLowerCase(), endpoint.toLowerCase()];
  const shapes = resourceSchemas(face, type);
  const { reading, writing, removing, describe, attributesQuerySchema, attributesQuery, attributesInBody } =
    faceTraits(face);
  const document = describe(endpoint);
  const path = `${face.path}/${endpoint}`;
  const pathOfOne = `${path}/:id`;
  const noQuery = Type.Object({});
  const address = Type.Object({ id: Type.String({ description: texts.address }) });

  // ---- Search and list

  const list = async (asked: Asked, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { accountId } = callerOfRequest(request);
    const page = await work.list(accountId, asked, searchWork(services, request, reply));
    return sendPieces(services, request, reply, piecesOfList(face, page));
  };
  addRoute(app, {
    ...reading,
    method: 'POST',
    path: `${path}/.search`,
    consumes: jsonTypes,
    query: noQuery,
    body: searchBody(face, attributesInBody),
    keepsBodyText: true,
    document: document(`Search${endpoint}`, `Search ${many} by a body`, shapes.list, { conditions: ofBody }),
    handle: ({ body }, request, reply) => list(askedByBody(body, request), request, reply),
  });
  addRoute(app, {
    ...reading,
    method: 'GET',
    path,
    query: Type.Object({ ...filtering, ...(type.sortsLists ? sorting : {}), ...attributesQuery }),
    document: document(`List${endpoint}`, `List ${many}`, shapes.list, {
      description: `In the order of creation, unless another is asked for. ${texts.list}`,
    }),
    handle: ({ query }, request, reply) => list(askedByQuery(query, request), request, reply),
  });

  // ---- One resource

  const projectionOf = (query: object) => readProjection(query as ProjectionRequest, type.schemaView);
  const send = async (
    resource: Resource,
    projection: Projection,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    reply.header('etag', type.versionOf(resource));
    const shown = type.show(resource, projection, () => budgetOf(services, request, reply));
    return typeof shown === 'string'
      ? sendJsonText(request, reply, shown)
      : sendPieces(services, request, reply, shown);
  };
  // What has been changed is shown, whatever the change has left of the budget of its request.
  const pace = (): WorkBudget => answerPace(services);
  addRoute(app, {
    ...writing,
    method: 'POST',
    path,
    query: attributesQuerySchema,
    document: document(`Create${name}`, `Create a ${one}`, shapes.resource, {
      status: face.createStatus,
      answerHeaders: face.createTellsLocation ? ['ETag', 'Location'] : ['ETag'],
      conditions: [409, ...ofBody],
      body: shapes.draft,
    }),
    async handle({ query, body }, request, reply) {
      const projection = projectionOf(query);
      const resource = await work.create(actorOf(services, request, reply), body);
      reply.code(face.createStatus);
      if (face.createTellsLocation) reply.header('location', type.locationOf(resource));
      // Nothing else refers yet to what was made just now, so there is nothing to complete.
      return send(resource, projection, request, reply);
    },
  });
  addRoute(app, {
    ...reading,
    method: 'GET',
    path: pathOfOne,
    params: address,
    query: attributesQuerySchema,
    document: document(`Get${name}`, `Read a ${one}`, shapes.resource, {
      answerHeaders: ['ETag'],
      conditions: [304, 404, 412],
      headers: ifRead,
    }),
    async handle({ params, query }, request, reply) {
      const projection = projectionOf(query);
      const preconditions = readPreconditions(request);
      const found = await type.find(callerOfRequest(request).accountId, params.id);
      const resource = await type.complete(found, projection, () => budgetOf(services, request, reply));
      const version = type.versionOf(resource);
      reply.header('etag', version);
      if (!isKnown(preconditions, version)) {
        demandRead(preconditions, version);
        return send(resource, projection, request, reply);
      }
      reply.code(304);
      return null;
    },
  });
  addRoute(app, {
    ...writing,
    method: 'PUT',
    path: pathOfOne,
    params: address,
    query: attributesQuerySchema,
    document: document(`Replace${name}`, `Replace a ${one}`, shapes.resource, {
      description: texts.replace,
      answerHeaders: ['ETag'],
      conditions: [404, 409, 412, ...ofBody],
      headers: ifMatch,
      body: shapes.draft,
    }),
    async handle({ params, query, body }, request, reply) {
      const projection = projectionOf(query);
      const preconditions = readPreconditions(request);
      const kept = await work.replace(actorOf(services, request, reply), params.id, body, preconditions);
      return send(await type.complete(kept, projection, pace), projection, request, reply);
    },
  });
  addRoute(app, {
    ...writing,
    method: 'PATCH',
    path: pathOfOne,
    params: address,
    query: attributesQuerySchema,
    document: document(`Patch${name}`, texts.patchSummary, shapes.resource, {
      description: texts.patch,
      ...(type.answersPatches ? {} : { emptySuccess: emptyPatch }),
      answerHeaders: ['ETag'],
      conditions: [404, 409, 412, ...ofBody],
      headers: ifMatch,
      body: patchSchema(face),
    }),
    async handle({ params, query, body }, request, reply) {
      const projection = projectionOf(query);
      const preconditions = readPreconditions(request);
      const kept = await work.patch(actorOf(services, request, reply), params.id, body, preconditions);
      if (type.answersPatches || projection.only !== null) {
        return send(await type.complete(kept, projection, pace), projection, request, reply);
      }
      reply.code(204).header('etag', type.versionOf(kept));
      return null;
    },
  });
  if (!face.deletes) return;
  addRoute(app, {
    ...removing,
    method: 'DELETE',
    path: pathOfOne,
    params: address,
    query: noQuery,
    document: document(`Delete${name}`, `Delete a ${one}`, null, {
      description: texts.remove,
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

const emptyPatch = 'Done, and attributes asked for nothing; ETag is the new version';
