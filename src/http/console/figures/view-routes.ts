// /console/api/measures/KEY/trend and its neighbours: the figures of a measure or project for people. They take the same
// parameters as the endpoints of the interface with the same names, and give the same answers (docs/insight.md).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerTopics } from '../../../acts/insight/topics.ts';
import { judgeView, type RangeQuery, type ViewRequest } from '../../../acts/insight/views.ts';
import {
  type MeasureView,
  type ProjectView,
  type SourceViewPath,
  sourceViewOperations,
} from '../../../contract/insight/source-views.ts';
import { pathOfKind, sourceKinds } from '../../../domain/feedback/source-kind.ts';
import {
  breakdownTable,
  distributionTable,
  driversTable,
  topicsTable,
  trendTable,
  type ViewTable,
  viewColumns,
} from '../../../domain/insight/view-tables.ts';
import { answerBreakdown } from '../../insight/breakdowns.ts';
import { answerDistribution, answerDrivers, answerMeasureTrend } from '../../insight/measure-views.ts';
import { answerProjectTrend } from '../../insight/project-views.ts';
import { sendView, type ViewServices } from '../../insight/view-requests.ts';
import { addOperation } from '../../server/route.ts';
import type { ConsoleServices } from '../console-services.ts';
import {
  type Asker,
  askerOf,
  type SourceOf,
  sightOf,
  sourceOfAccount,
  sourceOfPath,
} from './console-sources.ts';

export interface ViewKind {
  /** Its query has been read by the schema. */
  readonly answer: (services: ViewServices, asked: ViewRequest<never>) => Promise<object>;
  /** Its answer as a table. */
  readonly rows: (answer: never) => ViewTable;
}

export const views = {
  measure: {
    trend: {
      answer: answerMeasureTrend,
      rows: trendTable,
    },
    distribution: {
      answer: answerDistribution,
      rows: distributionTable,
    },
    drivers: {
      answer: answerDrivers,
      rows: driversTable,
    },
    breakdown: {
      answer: answerBreakdown,
      rows: breakdownTable,
    },
  },
  project: {
    trend: {
      answer: answerProjectTrend,
      rows: trendTable,
    },
    distribution: {
      answer: answerDistribution,
      rows: distributionTable,
    },
    topics: {
      answer: answerTopics,
      rows: topicsTable,
    },
    breakdown: {
      answer: answerBreakdown,
      rows: breakdownTable,
    },
  },
} as const satisfies {
  readonly measure: Readonly<Record<MeasureView, ViewKind>>;
  readonly project: Readonly<Record<ProjectView, ViewKind>>;
};

/** Which view of what is asked for. */
export type ViewName =
  | (SourceOf & { readonly kind: 'measure'; readonly view: MeasureView })
  | (SourceOf & { readonly kind: 'project'; readonly view: ProjectView });

/** A view as its visitor may see it: no open text, and no figure of few, for whoever may not see single responses (D-540). */
export async function answerView<Query extends RangeQuery>(
  services: ConsoleServices,
  { visitor, accountId, work }: Asker,
  { view, ...of }: ViewName,
  query: Query,
): Promise<object> {
  const ready = await sourceOfAccount(services, accountId, of, () => judgeView(query));
  const { mayReadComments, minimum } = sightOf(visitor, query.minimum);
  const { answer } = (views[of.kind] as Readonly<Record<string, ViewKind>>)[view]!;
  return answer(services, { ready, query: { ...query, minimum } as never, work, mayReadComments });
}

export function viewRoutes(app: FastifyInstance, services: ConsoleServices): void {
  for (const kind of sourceKinds)
    for (const [view, { rows }] of Object.entries<ViewKind>(views[kind])) {
      const path = `/${pathOfKind[kind]}/:key/${view}` as SourceViewPath;
      const answerOf = (key: number, asked: RangeQuery, request: FastifyRequest, reply: FastifyReply) =>
        answerView(
          services,
          askerOf(services, request, reply),
          { ...sourceOfPath(request, kind, key), view } as ViewName,
          asked,
        );

      addOperation(
        app,
        sourceViewOperations,
        `GET ${path}`,
        async ({ params: { key }, query: asked }, request, reply) =>
          sendView(services, request, reply, await answerOf(key, asked, request, reply)),
      );

      addOperation(
        app,
        sourceViewOperations,
        `GET ${path}.csv`,
        async ({ params: { key }, query: asked }, request, reply) => {
          const answer = await answerOf(key, asked, request, reply);
          reply.header('content-disposition', `attachment; filename="${kind}-${key}-${view}.csv"`);
          return fileOf([[...viewColumns], ...rows(answer as never)], askerOf(services, request, reply).work);
        },
      );
    }
}

const rowsAtOnce = 500;

/** For spreadsheets: with a byte order mark, and nothing in it is a formula. Between some rows others are served. */
async function fileOf(table: ViewTable, work: Asker['work']): Promise<string> {
  const { stringify } = await import('csv-stringify/sync');
  let text = '';
  for (let at = 0; at < table.length; at += rowsAtOnce) {
    text += stringify(table.slice(at, at + rowsAtOnce), { bom: at === 0, escape_formulas: true });
    await work.pause();
  }
  return text;
}
