// /console/api/openapi.json: what this folder offers, as a document of its own.

import type { FastifyInstance } from 'fastify';
import { consoleDocumentOperations } from '../../contract/operations/console-document.ts';
import { readInstalled } from '../../installation.ts';
import { addOperation } from '../server/route.ts';
import { SharedFile } from '../server/shared-file.ts';

const document = new SharedFile(() => readInstalled('console-openapi.json'));

export function consoleDocumentRoute(app: FastifyInstance): void {
  addOperation(app, consoleDocumentOperations, 'GET /openapi.json', (_input, request, reply) =>
    document.send(request, reply.type('application/json; charset=utf-8')),
  );
}
