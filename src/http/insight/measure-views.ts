// The figures of a measure: its latents over time, how every question was answered, and what goes along with satisfaction. The
// formulas are in docs/insight.md.

import type { FastifyInstance } from 'fastify';
import {
  type ComparedQuery,
  judgeView,
  type RangeQuery,
  readView,
  type ViewRequest,
} from '../../acts/insight/views.ts';
import { driversNote, measureViewOperations } from '../../contract/insight/measure-views.ts';
import type { CalendarUnit } from '../../domain/dates.ts';
import { distributionOf } from '../../domain/insight/distribution.ts';
import { driversOf } from '../../domain/insight/drivers.ts';
import { latentTrends } from '../../domain/insight/trend.ts';
import type { Sources } from '../../store/feedback/sources.ts';
import { sourceOfRequest } from '../feedback/source-requests.ts';
import { budgetOf } from '../server/request-budget.ts';
import { addOperation } from '../server/route.ts';
import { sendView, type ViewServices } from './view-requests.ts';

interface MeasureViewServices extends ViewServices {
  readonly sources: Sources;
}

export function measureViewRoutes(app: FastifyInstance, services: MeasureViewServices): void {
  addOperation(
    app,
    measureViewOperations,
    'GET /v1/measures/:measurementKey/trend',
    async ({ params: { measurementKey }, query }, request, reply) => {
      const ready = await sourceOfRequest(services.sources, request, 'measure', measurementKey, () =>
        judgeView(query),
      );
      const work = budgetOf(services, request, reply);
      const view = await answerMeasureTrend(services, { ready, query, work, mayReadComments: true });
      return sendView(services, request, reply, view);
    },
  );

  addOperation(
    app,
    measureViewOperations,
    'GET /v1/measures/:measurementKey/distribution',
    async ({ params: { measurementKey }, query }, request, reply) => {
      const ready = await sourceOfRequest(services.sources, request, 'measure', measurementKey, () =>
        judgeView(query),
      );
      const work = budgetOf(services, request, reply);
      const view = await answerDistribution(services, { ready, query, work, mayReadComments: true });
      return sendView(services, request, reply, view);
    },
  );

  addOperation(
    app,
    measureViewOperations,
    'GET /v1/measures/:measurementKey/drivers',
    async ({ params: { measurementKey }, query }, request, reply) => {
      const ready = await sourceOfRequest(services.sources, request, 'measure', measurementKey, () =>
        judgeView(query),
      );
      const work = budgetOf(services, request, reply);
      const view = await answerDrivers(services, { ready, query, work, mayReadComments: true });
      return sendView(services, request, reply, view);
    },
  );
}

interface TrendQuery extends ComparedQuery {
  readonly unit?: CalendarUnit;
}

export async function answerMeasureTrend(
  services: ViewServices,
  asked: ViewRequest<TrendQuery>,
): Promise<object> {
  const { members, ...view } = await readView(services, asked);
  const { unit = 'day' } = asked.query;
  const { compared, ...common } = members;
  const trend = await asked.work.run(latentTrends({ ...view, unit }));
  return { ...common, unit, ...(compared !== undefined && { compared }), ...trend };
}

/** Of a measure or a project. */
export async function answerDistribution(
  services: ViewServices,
  asked: ViewRequest<RangeQuery>,
): Promise<object> {
  const { members, source, now, minimum } = await readView(services, asked, { areDaysJoined: true });
  return { ...members, ...(await asked.work.run(distributionOf(source, now, minimum))) };
}

export async function answerDrivers(services: ViewServices, asked: ViewRequest<RangeQuery>): Promise<object> {
  const { members, source, now, minimum } = await readView(services, asked);
  return { ...members, ...(await asked.work.run(driversOf(source, now, minimum))), note: driversNote };
}
