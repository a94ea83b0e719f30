// The figures of a feedback project: its rating over time, how every question was answered, and what people wrote about. The formulas
// are in docs/insight.md.

import type { FastifyInstance } from 'fastify';
import { answerTopics } from '../../acts/insight/topics.ts';
import { type ComparedQuery, judgeView, readView, type ViewRequest } from '../../acts/insight/views.ts';
import { projectViewOperations } from '../../contract/insight/project-views.ts';
import type { CalendarUnit } from '../../domain/dates.ts';
import { ratingTrend } from '../../domain/insight/trend.ts';
import type { Sources } from '../../store/feedback/sources.ts';
import { sourceOfRequest } from '../feedback/source-requests.ts';
import { budgetOf } from '../server/request-budget.ts';
import { addOperation } from '../server/route.ts';
import { answerDistribution } from './measure-views.ts';
import { sendView, type ViewServices } from './view-requests.ts';

interface ProjectViewServices extends ViewServices {
  readonly sources: Sources;
}

export function projectViewRoutes(app: FastifyInstance, services: ProjectViewServices): void {
  addOperation(
    app,
    projectViewOperations,
    'GET /v1/projects/:projectId/trend',
    async ({ params: { projectId }, query }, request, reply) => {
      const ready = await sourceOfRequest(services.sources, request, 'project', projectId, () =>
        judgeView(query),
      );
      const work = budgetOf(services, request, reply);
      const view = await answerProjectTrend(services, { ready, query, work, mayReadComments: true });
      return sendView(services, request, reply, view);
    },
  );

  addOperation(
    app,
    projectViewOperations,
    'GET /v1/projects/:projectId/distribution',
    async ({ params: { projectId }, query }, request, reply) => {
      const ready = await sourceOfRequest(services.sources, request, 'project', projectId, () =>
        judgeView(query),
      );
      const work = budgetOf(services, request, reply);
      const view = await answerDistribution(services, { ready, query, work, mayReadComments: true });
      return sendView(services, request, reply, view);
    },
  );

  addOperation(
    app,
    projectViewOperations,
    'GET /v1/projects/:projectId/topics',
    async ({ params: { projectId }, query }, request, reply) => {
      const ready = await sourceOfRequest(services.sources, request, 'project', projectId, () =>
        judgeView(query),
      );
      const work = budgetOf(services, request, reply);
      const view = await answerTopics(services, { ready, query, work, mayReadComments: true });
      return sendView(services, request, reply, view);
    },
  );
}

interface TrendQuery extends ComparedQuery {
  readonly unit?: CalendarUnit;
}

export async function answerProjectTrend(
  services: ViewServices,
  asked: ViewRequest<TrendQuery>,
): Promise<object> {
  const { members, ...view } = await readView(services, asked);
  const { unit = 'day' } = asked.query;
  const { compared, ...common } = members;
  const trend = await asked.work.run(ratingTrend({ ...view, unit }));
  return { ...common, unit, ...(compared !== undefined && { compared }), ...trend };
}
