// /console/api/openapi.json: what this folder offers, as a document of its own. It is made from the contract when somebody first asks
// for it, in slices, because it is as long as all declarations together (D-1031).

import type { FastifyInstance } from 'fastify';
import { consoleDocumentOperations } from '../../../contract/operations/console-document.ts';
import type { Interruptible } from '../../../domain/interruptible.ts';
import { programVersion } from '../../../domain/version.ts';
import { CompressedText } from '../../server/compressed-text.ts';
import { consoleDocument } from '../../server/document.ts';
import { jsonPieces } from '../../server/json-pieces.ts';
import { addOperation, type DeclaredEndpoint } from '../../server/route.ts';
import { answerPace, type SlicingServices } from '../../server/sliced-answer.ts';

export function consoleDocumentRoute(app: FastifyInstance, services: SlicingServices): void {
  const document = new CompressedText(() => answerPace(services).run(documentBytes(app.endpoints)));
  addOperation(app, consoleDocumentOperations, 'GET /openapi.json', (_input, request, reply) =>
    document.send(request, reply.type('application/json; charset=utf-8')),
  );
}

function* documentBytes(endpoints: readonly DeclaredEndpoint[]): Interruptible<Buffer> {
  const ofConsole = endpoints.filter(({ area }) => area === 'console');
  const document = yield* consoleDocument(ofConsole, programVersion);
  const pieces: Buffer[] = [];
  // Down to the operations and the named schemas.
  for (const piece of jsonPieces(document, 3)) {
    pieces.push(Buffer.from(piece));
    yield;
  }
  return Buffer.concat([...pieces, Buffer.from('\n')]);
}
