// /console/api/measures/KEY/trend and its neighbours: the figures of a measure or project for people. They take the same
// parameters as the endpoints of the interface with the same names, and give the same answers (docs/insight.md).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import {
  answerBreakdown,
  breakdownQuery,
  MeasureBreakdown,
  ProjectBreakdown,
} from '../insight/breakdowns.ts';
import { Distribution } from '../insight/insight-schemas.ts';
import {
  answerDistribution,
  answerDrivers,
  answerMeasureTrend,
  MeasureDrivers,
  MeasureTrend,
  rangeQuery,
  trendQuery,
} from '../insight/measure-views.ts';
import {
  answerProjectTrend,
  answerTopics,
  ProjectTopics,
  ProjectTrend,
  topicsQuery,
} from '../insight/project-views.ts';
import { type RangeQuery, sendView, type ViewRequest, type ViewServices } from '../insight/view-requests.ts';
import { budgetOf } from '../server/request-budget.ts';
import { addRoute } from '../server/route.ts';
import { consoleDocument } from './console-document.ts';
import { visitorOf } from './console-gate.ts';
import type { ConsoleServices } from './console-services.ts';
import { pathOfKind, type SourceKind, sightOf, sourceKey, sourceOfVisitor } from './console-sources.ts';

interface ViewKind {
  readonly query: TObject;
  readonly schema: TSchema;
  readonly summary: string;
  /** Its query has been read by the schema. */
  readonly answer: (services: ViewServices, asked: ViewRequest<never>) => Promise<object>;
}

const views = {
  measure: {
    trend: {
      query: trendQuery,
      schema: MeasureTrend,
      summary: 'The scores of a measure over time',
      answer: answerMeasureTrend,
    },
    distribution: {
      query: rangeQuery,
      schema: Distribution,
      summary: 'How every question of a measure was answered',
      answer: answerDistribution,
    },
    drivers: {
      query: rangeQuery,
      schema: MeasureDrivers,
      summary: 'Which latents go along with satisfaction',
      answer: answerDrivers,
    },
    breakdown: {
      query: breakdownQuery,
      schema: MeasureBreakdown,
      summary: 'The scores of a measure by groups of responses',
      answer: answerBreakdown,
    },
  },
  project: {
    trend: {
      query: trendQuery,
      schema: ProjectTrend,
      summary: 'The rating of a project over time',
      answer: answerProjectTrend,
    },
    distribution: {
      query: rangeQuery,
      schema: Distribution,
      summary: 'How every question of a project was answered',
      answer: answerDistribution,
    },
    topics: {
      query: topicsQuery,
      schema: ProjectTopics,
      summary: 'What the entries of a project are about',
      answer: answerTopics,
    },
    breakdown: {
      query: breakdownQuery,
      schema: ProjectBreakdown,
      summary: 'The ratings of a project by groups of entries',
      answer: answerBreakdown,
    },
  },
} as const satisfies Readonly<Record<SourceKind, Readonly<Record<string, ViewKind>>>>;

export type MeasureView = keyof (typeof views)['measure'];
export type ProjectView = keyof (typeof views)['project'];

/** Which view of what is asked for. */
export type ViewName =
  | { readonly kind: 'measure'; readonly key: number; readonly view: MeasureView }
  | { readonly kind: 'project'; readonly key: number; readonly view: ProjectView };

/** A view as its visitor may see it: no open text, and no figure of few, for whoever may not see single responses (D-540). */
export async function answerView<Query extends Pick<RangeQuery, 'minimum'>>(
  services: ConsoleServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { kind, key, view }: ViewName,
  query: Query,
): Promise<object> {
  const ready = await sourceOfVisitor(services, request, kind, key);
  const { mayReadComments, minimum } = sightOf(visitorOf(request), query.minimum);
  const work = budgetOf(services, request, reply);
  const { answer } = (views[kind] as Readonly<Record<string, ViewKind>>)[view]!;
  return answer(services, { ready, query: { ...query, minimum } as never, work, mayReadComments });
}

export function viewRoutes(app: FastifyInstance, services: ConsoleServices): void {
  for (const kind of ['measure', 'project'] as const)
    for (const [view, { query, schema, summary }] of Object.entries<ViewKind>(views[kind]))
      addRoute(app, {
        method: 'GET',
        path: `/console/api/${pathOfKind[kind]}/:key/${view}`,
        area: 'console',
        access: { people: 'signedIn', ability: 'see scores' },
        params: sourceKey,
        query,
        document: consoleDocument({
          operationId: `${kind}${view[0]!.toUpperCase()}${view.slice(1)}View`,
          summary,
          description: `Parameters and answer are those of \`/v1/${pathOfKind[kind]}/{key}/${view}\`. Whoever may not see single responses gets no open text, and no figure of fewer than five responses.`,
          tag: 'Figures',
          success: { status: 200, schema, description: 'The figures.' },
          conditions: [404],
        }),
        handle: async ({ params: { key }, query }, request, reply) => {
          const name = { kind, key, view } as ViewName;
          const answer = await answerView(
            services,
            request,
            reply,
            name,
            query as Pick<RangeQuery, 'minimum'>,
          );
          return sendView(services, request, reply, answer);
        },
      });
}
