// /console/api/live: whether anything moved in the account. Pages ask it every few seconds, with the tag that they have.

import type { FastifyInstance } from 'fastify';
import { liveOperations } from '../../../contract/operations/live.ts';
import { addOperation } from '../../server/route.ts';
import { visitorOf } from '../console-gate.ts';
import type { ConsoleServices } from '../console-services.ts';
import { liveTag } from './live-tag.ts';

export function liveRoutes(app: FastifyInstance, { context }: ConsoleServices): void {
  addOperation(app, liveOperations, 'GET /live', async (_input, request, reply) => {
    const tag = await liveTag(context, visitorOf(request));
    reply.header('etag', tag);
    if (request.headers['if-none-match'] === tag) {
      reply.code(304);
      return null;
    }
    return { tag };
  });
}
