// /console/api/openapi.json: what this folder offers, as a document of its own.

import { consoleOperations } from '../operation.ts';
import { Type } from '../schema.ts';

export const consoleDocumentOperations = consoleOperations({
  'GET /openapi.json': {
    access: { people: 'signedIn' },
    document: {
      operationId: 'getConsoleDocument',
      summary: 'This document',
      description: 'OpenAPI 3.1. It changes with the pages of the console.',
      tag: 'Document',
      success: { status: 200, schema: Type.Unknown(), description: 'The document.', as: 'text' },
    },
  },
});
