// The figures of a measure: its latents over time, how every question was answered, and what goes along with satisfaction. The
// formulas are in docs/insight.md.

import type { FastifyInstance } from 'fastify';
import { MeasureKey } from '../../contract/feedback/measures.ts';
import { Distribution } from '../../contract/insight/figures.ts';
import {
  driversNote,
  MeasureDrivers,
  MeasureTrend,
  rangeQuery,
  trendQuery,
} from '../../contract/insight/measure-views.ts';
import type { CalendarUnit } from '../../domain/dates.ts';
import { distributionOf } from '../../domain/insight/distribution.ts';
import { driversOf } from '../../domain/insight/drivers.ts';
import { latentTrends } from '../../domain/insight/trend.ts';
import type { Sources } from '../../store/feedback/sources.ts';
import { readFailures, sourceOfRequest } from '../feedback/source-requests.ts';
import { budgetOf } from '../server/request-budget.ts';
import { addRoute } from '../server/route.ts';
import {
  type ComparedQuery,
  judgeView,
  type RangeQuery,
  readView,
  sendView,
  type ViewRequest,
  type ViewServices,
} from './view-requests.ts';

interface MeasureViewServices extends ViewServices {
  readonly sources: Sources;
}

const rangeWords =
  'Days are UTC, both ends included, at most 3,700 of them. How figures are made: docs/insight.md.';

export function measureViewRoutes(app: FastifyInstance, services: MeasureViewServices): void {
  const shared = {
    area: 'service',
    access: { grant: 'r_cx_measures' },
    accept: 'required',
    method: 'GET',
    params: MeasureKey,
  } as const;

  addRoute(app, {
    ...shared,
    path: '/v1/measures/:measurementKey/trend',
    query: trendQuery,
    document: {
      operationId: 'measureTrend',
      summary: 'Read the scores of a measure over time, with their intervals',
      description: `Mean, spread and 95 % interval of each latent by day, week or month, of the whole range, and of another range to compare it with. Versions whose questions, scales or weights differ are never joined in one point. ${rangeWords}`,
      tag: 'Measures',
      success: { status: 200, schema: MeasureTrend, description: 'The scores over time' },
      conditions: readFailures,
    },
    async handle({ params: { measurementKey }, query }, request, reply) {
      const ready = await sourceOfRequest(services.sources, request, 'measure', measurementKey, () =>
        judgeView(query),
      );
      const work = budgetOf(services, request, reply);
      const view = await answerMeasureTrend(services, { ready, query, work, mayReadComments: true });
      return sendView(services, request, reply, view);
    },
  });

  addRoute(app, {
    ...shared,
    path: '/v1/measures/:measurementKey/distribution',
    query: rangeQuery,
    document: {
      operationId: 'measureDistribution',
      summary: 'Read how every question of a measure was answered',
      description: `How often each answer was given, by version, and how long people took. ${rangeWords}`,
      tag: 'Measures',
      success: { status: 200, schema: Distribution, description: 'The answers' },
      conditions: readFailures,
    },
    async handle({ params: { measurementKey }, query }, request, reply) {
      const ready = await sourceOfRequest(services.sources, request, 'measure', measurementKey, () =>
        judgeView(query),
      );
      const work = budgetOf(services, request, reply);
      const view = await answerDistribution(services, { ready, query, work, mayReadComments: true });
      return sendView(services, request, reply, view);
    },
  });

  addRoute(app, {
    ...shared,
    path: '/v1/measures/:measurementKey/drivers',
    query: rangeQuery,
    document: {
      operationId: 'measureDrivers',
      summary: 'Read which latents of a measure go along with satisfaction',
      description: `Mean of each latent, and the correlation of its scores with those of satisfaction: association, not cause. ${rangeWords}`,
      tag: 'Measures',
      success: {
        status: 200,
        schema: MeasureDrivers,
        description: 'The latents, by the strength of the association',
      },
      conditions: readFailures,
    },
    async handle({ params: { measurementKey }, query }, request, reply) {
      const ready = await sourceOfRequest(services.sources, request, 'measure', measurementKey, () =>
        judgeView(query),
      );
      const work = budgetOf(services, request, reply);
      const view = await answerDrivers(services, { ready, query, work, mayReadComments: true });
      return sendView(services, request, reply, view);
    },
  });
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
