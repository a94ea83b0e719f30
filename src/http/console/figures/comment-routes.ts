// /console/api/measures/KEY/comments and its neighbours: what people wrote, for those who may see it, by the handler of the interface.

import type { FastifyInstance } from 'fastify';
import { sourceResponseOperations } from '../../../contract/insight/source-responses.ts';
import { pathOfKind, sourceKinds } from '../../../domain/feedback/source-kind.ts';
import { answerComments, commentWork, judgeQuestion } from '../../insight/comments.ts';
import { addOperation } from '../../server/route.ts';
import { accountOf } from '../console-gate.ts';
import type { ConsoleServices } from '../console-services.ts';
import { sourceOfVisitor } from './console-sources.ts';

export function consoleCommentRoutes(app: FastifyInstance, services: ConsoleServices): void {
  for (const kind of sourceKinds)
    addOperation(
      app,
      sourceResponseOperations,
      `GET /${pathOfKind[kind]}/:key/comments`,
      async ({ params: { key }, query }, request, reply) => {
        const ready = await sourceOfVisitor(services, request, kind, key, () =>
          judgeQuestion({ accountId: accountOf(request), kind, key }, query),
        );
        return answerComments(services, { ready, query, work: commentWork(services, request, reply, query) });
      },
    );
}
