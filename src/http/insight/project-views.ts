// The figures of a feedback project: its rating over time, how every question was answered, and what people wrote about. The formulas
// are in docs/insight.md.

import type { FastifyInstance } from 'fastify';
import type { CalendarUnit } from '../../domain/dates.ts';
import { JoinGroups } from '../../domain/insight/joining.ts';
import { offeredTopics, showTopics, sumTopics } from '../../domain/insight/topics.ts';
import { ratingTrend } from '../../domain/insight/trend.ts';
import type { Sources } from '../../store/feedback/sources.ts';
import { ProjectId } from '../feedback/projects.ts';
import { readFailures, sourceOfRequest } from '../feedback/source-requests.ts';
import { budgetOf } from '../server/request-budget.ts';
import { addRoute } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import {
  Breaks,
  commonMembers,
  comparedMember,
  compareParameter,
  Difference,
  Distribution,
  figuresMembers,
  rangeParameters,
  trendMembers,
  unitParameter,
} from './insight-schemas.ts';
import { answerDistribution } from './measure-views.ts';
import {
  type ComparedQuery,
  readView,
  sendView,
  type ViewRequest,
  type ViewServices,
} from './view-requests.ts';

const ProjectTrend = Type.Object(
  {
    ...commonMembers,
    unit: unitParameter.unit,
    ...comparedMember,
    rating: Type.Object(trendMembers),
    breaks: Breaks,
  },
  { $id: 'ProjectTrend' },
);

const entriesMembers = {
  entries: Type.Integer({ description: 'Those that name it; the figures are those of their ratings.' }),
  share: Type.Union([Type.Number(), Type.Null()], { description: 'Of all entries that name a topic.' }),
};

const ProjectTopics = Type.Object(
  {
    ...commonMembers,
    ...comparedMember,
    count: Type.Integer({ description: 'Entries that are not erased.' }),
    withTopic: Type.Integer({ description: 'Those of them that name a topic.' }),
    topics: Type.Array(
      Type.Object({
        question: Type.String(),
        id: Type.Union([Type.String(), Type.Null()], {
          description: 'Of the answer; null where people write the topic themselves.',
        }),
        text: Type.String(),
        ...entriesMembers,
        ...figuresMembers,
        comparable: Type.Boolean({
          description: 'False where versions with another rating are added up in it.',
        }),
        compared: Type.Optional(
          Type.Union([
            Type.Object({
              entries: Type.Optional(entriesMembers.entries),
              share: Type.Optional(entriesMembers.share),
              ...figuresMembers,
            }),
            Type.Null(),
          ]),
        ),
        change: Type.Optional(
          Type.Union([
            Type.Object({
              share: Type.Union([Difference, Type.Null()], { description: 'Of the share.' }),
              rating: Type.Union([Difference, Type.Null()], { description: 'Of the mean rating.' }),
            }),
            Type.Null(),
          ]),
        ),
      }),
      { description: 'Named most often first. Topics that are offered and that nobody named are there too.' },
    ),
    withheld: Type.Union([
      Type.Object({ topics: Type.Integer(), count: Type.Integer({ description: 'Their entries.' }) }),
      Type.Null(),
    ]),
  },
  { $id: 'ProjectTopics' },
);

interface ProjectViewServices extends ViewServices {
  readonly sources: Sources;
}

const rangeWords =
  'Days are UTC, both ends included, at most 3,700 of them. How figures are made: docs/insight.md.';

export function projectViewRoutes(app: FastifyInstance, services: ProjectViewServices): void {
  const shared = {
    area: 'projectData',
    access: { grant: 'r_cx_projects' },
    method: 'GET',
    params: ProjectId,
  } as const;

  addRoute(app, {
    ...shared,
    path: '/v1/projects/:projectId/trend',
    query: Type.Object({ ...rangeParameters, ...unitParameter, ...compareParameter }),
    document: {
      operationId: 'projectTrend',
      summary: 'Read the rating of a project over time, with its intervals',
      description: `Mean, spread and 95 % interval of the rating by day, week or month, of the whole range, and of another range to compare it with. ${rangeWords}`,
      tag: 'Projects',
      success: { status: 200, schema: ProjectTrend, description: 'The rating over time' },
      conditions: readFailures,
    },
    async handle({ params: { projectId }, query }, request, reply) {
      const ready = await sourceOfRequest(services.sources, request, 'project', projectId);
      const work = budgetOf(services, request, reply);
      const view = await answerProjectTrend(services, { ready, query, work, mayReadComments: true });
      return sendView(services, request, reply, view);
    },
  });

  addRoute(app, {
    ...shared,
    path: '/v1/projects/:projectId/distribution',
    query: Type.Object(rangeParameters),
    document: {
      operationId: 'projectDistribution',
      summary: 'Read how every question of a project was answered',
      description: `How often each answer was given, by version, and how long people took. ${rangeWords}`,
      tag: 'Projects',
      success: { status: 200, schema: Distribution, description: 'The answers' },
      conditions: readFailures,
    },
    async handle({ params: { projectId }, query }, request, reply) {
      const ready = await sourceOfRequest(services.sources, request, 'project', projectId);
      const work = budgetOf(services, request, reply);
      const view = await answerDistribution(services, { ready, query, work, mayReadComments: true });
      return sendView(services, request, reply, view);
    },
  });

  addRoute(app, {
    ...shared,
    path: '/v1/projects/:projectId/topics',
    query: Type.Object({ ...rangeParameters, ...compareParameter }),
    document: {
      operationId: 'projectTopics',
      summary: 'Read what the entries of a project are about, how it is rated, and what changed',
      description: `How often each topic was named, its share, the ratings of its entries, and the differences from another range. ${rangeWords}`,
      tag: 'Projects',
      success: { status: 200, schema: ProjectTopics, description: 'The topics' },
      conditions: readFailures,
    },
    async handle({ params: { projectId }, query }, request, reply) {
      const ready = await sourceOfRequest(services.sources, request, 'project', projectId);
      const work = budgetOf(services, request, reply);
      const view = await answerTopics(services, { ready, query, work, mayReadComments: true });
      return sendView(services, request, reply, view);
    },
  });
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

export async function answerTopics(
  services: ViewServices,
  asked: ViewRequest<ComparedQuery>,
): Promise<object> {
  const { members, source, now, compared, minimum } = await readView(services, asked);
  const groups = new JoinGroups();
  const sums = await asked.work.run(sumTopics(source, now, groups));
  const before = compared ? await asked.work.run(sumTopics(source, compared, groups)) : compared;
  return { ...members, ...showTopics(sums, before, offeredTopics(source), minimum) };
}
