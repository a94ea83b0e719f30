// /console/api/live: whether anything moved in the account. Pages ask it every few seconds, with the tag that they have.

import type { FastifyInstance } from 'fastify';
import { addRoute } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import { consoleDocument } from './console-document.ts';
import { visitorOf } from './console-gate.ts';
import type { ConsoleServices } from './console-services.ts';
import { liveTag } from './live-tag.ts';

const liveSchema = Type.Object({ tag: Type.String() }, { $id: 'Live' });

export function liveRoutes(app: FastifyInstance, { context }: ConsoleServices): void {
  addRoute(app, {
    method: 'GET',
    path: '/console/api/live',
    area: 'console',
    access: { people: 'signedIn' },
    document: consoleDocument({
      operationId: 'getLive',
      summary: 'Whether anything moved',
      description:
        'The tag of what the visitor sees, made of counters of the account, of its catalogue and of the visitor’s abilities. With that tag in If-None-Match the answer is 304 until something moves.',
      tag: 'Session',
      success: { status: 200, schema: liveSchema, description: 'Something moved, or no tag was sent.' },
      answerHeaders: ['ETag'],
      headers: Type.Object({ 'If-None-Match': Type.Optional(Type.String()) }),
      conditions: [304],
    }),
    handle: async (_input, request, reply) => {
      const tag = await liveTag(context, visitorOf(request));
      reply.header('etag', tag);
      if (request.headers['if-none-match'] === tag) {
        reply.code(304);
        return null;
      }
      return { tag };
    },
  });
}
