// /console/api/measures/KEY/comments and its neighbours: what people wrote, for those who may see it, by the handler of the interface.

import type { FastifyInstance } from 'fastify';
import { pathOfKind, sourceKinds } from '../../domain/feedback/source-kind.ts';
import {
  answerComments,
  CommentQuery,
  commentWork,
  judgeQuestion,
  MeasureComments,
  ProjectComments,
} from '../insight/comments.ts';
import { addRoute } from '../server/route.ts';
import { consoleDocument } from './console-document.ts';
import { accountOf } from './console-gate.ts';
import type { ConsoleServices } from './console-services.ts';
import { sourceKey, sourceOfVisitor } from './console-sources.ts';

export function consoleCommentRoutes(app: FastifyInstance, services: ConsoleServices): void {
  for (const kind of sourceKinds)
    addRoute(app, {
      method: 'GET',
      path: `/console/api/${pathOfKind[kind]}/:key/comments`,
      area: 'console',
      access: { people: 'signedIn', ability: 'see responses' },
      params: sourceKey,
      query: CommentQuery,
      document: consoleDocument({
        operationId: `${kind}CommentList`,
        summary: `What people wrote to a ${kind}, newest first`,
        description: `Parameters and answer are those of \`/v1/${pathOfKind[kind]}/{key}/comments\`.`,
        tag: 'Responses',
        success: {
          status: 200,
          schema: kind === 'measure' ? MeasureComments : ProjectComments,
          description: 'A page of comments.',
        },
        conditions: [404],
      }),
      async handle({ params: { key }, query }, request, reply) {
        const ready = await sourceOfVisitor(services, request, kind, key, () =>
          judgeQuestion({ accountId: accountOf(request), kind, key }, query),
        );
        return answerComments(services, { ready, query, work: commentWork(services, request, reply, query) });
      },
    });
}
