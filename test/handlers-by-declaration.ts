// What must not compile: a handler that answers otherwise than its operation declares. Nothing runs this file; `npm run check` fails
// where one of these lines compiles after all (D-1030).

import type { FastifyInstance } from 'fastify';
import { serviceOperations } from '../src/contract/operation.ts';
import { Type } from '../src/contract/schema.ts';
import { addOperation } from '../src/http/server/route.ts';

const document = { operationId: 'example', summary: '', description: '', tag: '' };
const schema = Type.Object({ count: Type.Integer() });
const operations = serviceOperations({
  'GET /value': {
    access: 'anyone',
    document: { ...document, success: { status: 200, schema, description: '' } },
  },
  'GET /text': {
    access: 'anyone',
    document: { ...document, success: { status: 200, schema, description: '', as: 'text' } },
  },
  'GET /empty': {
    access: 'anyone',
    document: { ...document, success: { status: 204, schema: null, description: '' } },
  },
});

export function handlersByDeclaration(app: FastifyInstance): void {
  addOperation(app, operations, 'GET /value', async () => ({ count: 1 }));
  addOperation(app, operations, 'GET /text', async (_input, _request, reply) => reply.send('{"count":1}'));
  addOperation(app, operations, 'GET /empty', async () => null);

  // @ts-expect-error: another value.
  addOperation(app, operations, 'GET /value', async () => ({ count: '1' }));
  // @ts-expect-error: it sends by itself, and nobody holds what it sends against the schema.
  addOperation(app, operations, 'GET /value', (_input, _request, reply) => reply.send({ count: '1' }));
  // @ts-expect-error: the same after a wait.
  addOperation(app, operations, 'GET /value', async (_input, _request, reply) => reply.send({ count: '1' }));
  // @ts-expect-error: the same now and then.
  addOperation(app, operations, 'GET /value', async (_input, request, reply) => {
    if (request.hasLongBody) return reply.send({ count: '1' });
    return { count: 1 };
  });
  // @ts-expect-error: what has no body sends none.
  addOperation(app, operations, 'GET /empty', async (_input, _request, reply) => reply.code(204).send());
}
