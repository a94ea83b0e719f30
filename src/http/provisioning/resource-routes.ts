// The endpoints of one type of resources on one face (RFC 7644 section 3). What differs between the faces is a member of
// the face (D-03), what differs between the types a member of the type: nothing here asks which of them it has.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { removalOperations, resourceOperations } from '../../contract/provisioning/resources.ts';
import type { Resource } from '../../domain/provisioning/resource.ts';
import type { Face } from '../../scim/faces.ts';
import { type Projection, type ProjectionRequest, readProjection } from '../../scim/projection.ts';
import type { WorkBudget } from '../../store/engine/work/work-budget.ts';
import { budgetOf, type SearchServices, searchWork } from '../server/request-budget.ts';
import { addOperation, callerOfRequest, sendJsonText } from '../server/route.ts';
import { answerPace, piecesOfList, sendPieces } from '../server/sliced-answer.ts';
import { type Asked, askedByBody, askedByQuery } from './list-request.ts';
import { demandRead, isKnown, readPreconditions } from './preconditions.ts';
import { actorOf } from './provisioning-log.ts';
import type { ServedType } from './resource-work.ts';

export function resourceRoutes(
  app: FastifyInstance,
  services: SearchServices,
  face: Face,
  { type, work }: ServedType,
): void {
  const operations = resourceOperations(face, type);

  // ---- Search and list

  const list = async (asked: Asked, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { accountId } = callerOfRequest(request);
    const page = await work.list(accountId, asked, searchWork(services, request, reply));
    return sendPieces(services, request, reply, piecesOfList(face, page));
  };
  addOperation(app, operations, 'POST /.search', ({ body }, request, reply) =>
    list(askedByBody(body, request), request, reply),
  );
  addOperation(app, operations, 'GET ', ({ query }, request, reply) =>
    list(askedByQuery(query, request), request, reply),
  );

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
  addOperation(app, operations, 'POST ', async ({ query, body }, request, reply) => {
    const projection = projectionOf(query);
    const resource = await work.create(actorOf(services, request, reply), body);
    reply.code(face.createStatus);
    if (face.createTellsLocation) reply.header('location', type.locationOf(resource));
    // Nothing else refers yet to what was made just now, so there is nothing to complete.
    return send(resource, projection, request, reply);
  });
  addOperation(app, operations, 'GET /:id', async ({ params, query }, request, reply) => {
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
  });
  addOperation(app, operations, 'PUT /:id', async ({ params, query, body }, request, reply) => {
    const projection = projectionOf(query);
    const preconditions = readPreconditions(request);
    const kept = await work.replace(actorOf(services, request, reply), params.id, body, preconditions);
    return send(await type.complete(kept, projection, pace), projection, request, reply);
  });
  addOperation(app, operations, 'PATCH /:id', async ({ params, query, body }, request, reply) => {
    const projection = projectionOf(query);
    const preconditions = readPreconditions(request);
    const kept = await work.patch(actorOf(services, request, reply), params.id, body, preconditions);
    if (type.answersPatches || projection.only !== null) {
      return send(await type.complete(kept, projection, pace), projection, request, reply);
    }
    reply.code(204).header('etag', type.versionOf(kept));
    return null;
  });
  if (!face.deletes) return;
  addOperation(app, removalOperations(face, type), 'DELETE /:id', async ({ params }, request, reply) => {
    await work.remove(actorOf(services, request, reply), params.id, readPreconditions(request));
    reply.code(204);
    return null;
  });
}
