// /console/api/measures/KEY/trend and its neighbours: the figures of a measure or project for people. They take the same
// parameters as the endpoints of the interface with the same names, and give the same answers (docs/insight.md).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import { Distribution } from '../../contract/insight/figures.ts';
import { Type } from '../../contract/schema.ts';
import { pathOfKind, type SourceKind, sourceKinds } from '../../domain/feedback/source-kind.ts';
import {
  breakdownTable,
  distributionTable,
  driversTable,
  topicsTable,
  trendTable,
  type ViewTable,
  viewColumns,
} from '../../domain/insight/view-tables.ts';
import {
  answerBreakdown,
  breakdownQuery,
  MeasureBreakdown,
  ProjectBreakdown,
} from '../insight/breakdowns.ts';
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
import {
  judgeView,
  type RangeQuery,
  sendView,
  type ViewRequest,
  type ViewServices,
} from '../insight/view-requests.ts';
import { addRoute } from '../server/route.ts';
import { consoleDocument } from './console-document.ts';
import type { ConsoleServices } from './console-services.ts';
import {
  type Asker,
  askerOf,
  type SourceOf,
  sightOf,
  sourceKey,
  sourceOfAccount,
  sourceOfPath,
} from './console-sources.ts';

export interface ViewKind {
  readonly query: TObject;
  readonly schema: TSchema;
  readonly summary: string;
  /** Its query has been read by the schema. */
  readonly answer: (services: ViewServices, asked: ViewRequest<never>) => Promise<object>;
  /** Its answer as a table. */
  readonly rows: (answer: never) => ViewTable;
}

export const views = {
  measure: {
    trend: {
      query: trendQuery,
      schema: MeasureTrend,
      summary: 'The scores of a measure over time',
      answer: answerMeasureTrend,
      rows: trendTable,
    },
    distribution: {
      query: rangeQuery,
      schema: Distribution,
      summary: 'How every question of a measure was answered',
      answer: answerDistribution,
      rows: distributionTable,
    },
    drivers: {
      query: rangeQuery,
      schema: MeasureDrivers,
      summary: 'Which latents go along with satisfaction',
      answer: answerDrivers,
      rows: driversTable,
    },
    breakdown: {
      query: breakdownQuery,
      schema: MeasureBreakdown,
      summary: 'The scores of a measure by groups of responses',
      answer: answerBreakdown,
      rows: breakdownTable,
    },
  },
  project: {
    trend: {
      query: trendQuery,
      schema: ProjectTrend,
      summary: 'The rating of a project over time',
      answer: answerProjectTrend,
      rows: trendTable,
    },
    distribution: {
      query: rangeQuery,
      schema: Distribution,
      summary: 'How every question of a project was answered',
      answer: answerDistribution,
      rows: distributionTable,
    },
    topics: {
      query: topicsQuery,
      schema: ProjectTopics,
      summary: 'What the entries of a project are about',
      answer: answerTopics,
      rows: topicsTable,
    },
    breakdown: {
      query: breakdownQuery,
      schema: ProjectBreakdown,
      summary: 'The ratings of a project by groups of entries',
      answer: answerBreakdown,
      rows: breakdownTable,
    },
  },
} as const satisfies Readonly<Record<SourceKind, Readonly<Record<string, ViewKind>>>>;

export type MeasureView = keyof (typeof views)['measure'];
export type ProjectView = keyof (typeof views)['project'];

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

const csvType = 'text/csv';

export function viewRoutes(app: FastifyInstance, services: ConsoleServices): void {
  for (const kind of sourceKinds)
    for (const [view, { query, schema, summary, rows }] of Object.entries<ViewKind>(views[kind])) {
      const shared = {
        method: 'GET',
        area: 'console',
        access: { people: 'signedIn', ability: 'see scores' },
        params: sourceKey,
        query,
      } as const;
      const operationId = `${kind}${view[0]!.toUpperCase()}${view.slice(1)}`;
      const ofInterface = `/v1/${pathOfKind[kind]}/{key}/${view}`;
      const answerOf = (key: number, asked: object, request: FastifyRequest, reply: FastifyReply) =>
        answerView(
          services,
          askerOf(services, request, reply),
          { ...sourceOfPath(request, kind, key), view } as ViewName,
          asked as RangeQuery,
        );

      addRoute(app, {
        ...shared,
        path: `/console/api/${pathOfKind[kind]}/:key/${view}`,
        document: consoleDocument({
          operationId: `${operationId}View`,
          summary,
          description: `Parameters and answer are those of \`${ofInterface}\`. Whoever may not see single responses gets no open text, and no figure of fewer than five responses.`,
          tag: 'Figures',
          success: { status: 200, schema, description: 'The figures.' },
          conditions: [404],
        }),
        handle: async ({ params: { key }, query: asked }, request, reply) =>
          sendView(services, request, reply, await answerOf(key, asked, request, reply)),
      });

      addRoute(app, {
        ...shared,
        path: `/console/api/${pathOfKind[kind]}/:key/${view}.csv`,
        produces: [csvType],
        document: consoleDocument({
          operationId: `${operationId}File`,
          summary: `${summary}, as a file`,
          description: `The figures of \`${view}\` with the same parameters, a row each, with the columns of a report (docs/insight.md).`,
          tag: 'Figures',
          success: {
            status: 200,
            schema: Type.Unknown({
              description: 'The file: UTF-8 with a byte order mark, a header, no formulas.',
            }),
            description: 'The file.',
          },
          typeExamples: { [csvType]: `${viewColumns.join(',')}\n` },
          conditions: [404],
        }),
        handle: async ({ params: { key }, query: asked }, request, reply) => {
          const answer = await answerOf(key, asked, request, reply);
          reply.header('content-disposition', `attachment; filename="${kind}-${key}-${view}.csv"`);
          return fileOf([[...viewColumns], ...rows(answer as never)], askerOf(services, request, reply).work);
        },
      });
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
