// /console/api/openapi.json: what this folder offers, as a document of its own.

import type { FastifyInstance } from 'fastify';
import { readInstalled } from '../../installation.ts';
import { addRoute } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import { SharedFile } from '../server/shared-file.ts';
import { consoleDocument } from './console-document.ts';

const document = new SharedFile(() => readInstalled('console-openapi.json'));

export function consoleDocumentRoute(app: FastifyInstance): void {
  addRoute(app, {
    method: 'GET',
    path: '/console/api/openapi.json',
    area: 'console',
    access: { people: 'signedIn' },
    document: consoleDocument({
      operationId: 'getConsoleDocument',
      summary: 'This document',
      description: 'OpenAPI 3.1. It changes with the pages of the console.',
      tag: 'Document',
      success: { status: 200, schema: Type.Unknown(), description: 'The document.' },
    }),
    handle: (_input, request, reply) => document.send(request, reply.type('application/json; charset=utf-8')),
  });
}
