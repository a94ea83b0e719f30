// Feedback projects: the list, the definition of one, and its entries. Their errors have bodies of their own.

import type { FastifyInstance } from 'fastify';
import { readDateRange } from '../../domain/dates.ts';
import { projectStatuses } from '../../domain/feedback/definition.ts';
import { emptyProject, showProject } from '../../domain/feedback/views.ts';
import { type Fault, Problem } from '../../domain/problem.ts';
import { projectDataLimits, rowWindow } from '../../domain/window.ts';
import { listProjects, type ProjectSource } from '../../store/feedback/catalogue.ts';
import type { PreparedSource } from '../../store/feedback/sources.ts';
import { invalidRequest } from '../server/input.ts';
import { addRoute, callerOfRequest } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import { answerData, type PageServices } from './data-page.ts';
import { DateText, Question, ResponseRow } from './feedback-schemas.ts';
import type { Listings } from './source-lists.ts';

const ProjectId = Type.Object({
  projectId: Type.Integer({
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The id of a project in the list.',
  }),
});

const ProjectSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    description: Type.String(),
    createdDateTime: Type.String({ format: 'date-time' }),
    modelInstanceId: Type.Union([Type.String(), Type.Null()], {
      description: 'Of the current version; null while there is none.',
    }),
    siteKey: Type.String(),
    status: Type.Enum([...projectStatuses], {
      description: 'DRAFT takes test responses only; INACTIVE keeps its data and takes none.',
    }),
    CQ: Type.Array(Question),
  },
  { $id: 'Project' },
);

const ProjectEntry = Type.Object({
  id: Type.String({ description: 'The responseId.' }),
  responseTime: Type.String({ format: 'date-time' }),
  experienceDate: DateText,
  modelInstanceId: Type.String(),
  url: Type.Union([Type.String(), Type.Null()]),
  locale: Type.Union([Type.String(), Type.Null()]),
  rating: Type.Union([Type.Number(), Type.Null()]),
  topic: Type.Union([Type.String(), Type.Null()]),
  responses: Type.Array(ResponseRow),
  erased: Type.Optional(Type.Boolean()),
});

const ProjectData = Type.Object(
  {
    hasMore: Type.Boolean(),
    items: Type.Array(ProjectEntry),
    total: Type.Integer({ description: 'Entries in the whole range.' }),
  },
  { $id: 'ProjectData' },
);

const listFailures = [401, 403, 406, 429, 500, 502, 503];

interface ProjectServices extends PageServices {
  readonly listings: Listings;
}

export function projectRoutes(app: FastifyInstance, services: ProjectServices): void {
  const { context, listings } = services;
  const shared = { access: { grant: 'r_cx_projects' }, method: 'GET' } as const;

  addRoute(app, {
    ...shared,
    path: '/v1/projects',
    area: 'project',
    query: Type.Object({}),
    document: {
      operationId: 'listProjects',
      summary: 'List all feedback projects of the account',
      description: 'A bare array, ordered by id.',
      tag: 'Projects',
      success: { status: 200, schema: Type.Array(ProjectSchema), description: 'The projects' },
      conditions: [400, ...listFailures],
    },
    async handle(_input, request, reply) {
      const { accountId } = callerOfRequest(request);
      const text = await listings.text(`projects ${accountId}`, async () =>
        (await listProjects(context.db, accountId)).map(show),
      );
      return reply.type('application/json; charset=utf-8').send(text);
    },
  });

  addRoute(app, {
    ...shared,
    path: '/v1/projects/:projectId/definition',
    area: 'project',
    params: ProjectId,
    query: Type.Object({}),
    document: {
      operationId: 'projectDefinition',
      summary: 'Read the definition of a project',
      description: 'The current version.',
      tag: 'Projects',
      success: { status: 200, schema: ProjectSchema, description: 'The project' },
      conditions: [400, 404, ...listFailures],
    },
    async handle({ params: { projectId } }, request) {
      const ready = await findProject(services, callerOfRequest(request).accountId, projectId);
      return show(ready.source as ProjectSource);
    },
  });

  addRoute(app, {
    ...shared,
    path: '/v1/projects/:projectId/data',
    area: 'projectData',
    params: ProjectId,
    query: Type.Object({
      from: DateText,
      to: DateText,
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: projectDataLimits.maxTake,
          description: 'Page size; 100 unless given.',
        }),
      ),
      offset: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, description: 'Rows to pass over; 0 unless given.' }),
      ),
    }),
    document: {
      operationId: 'projectData',
      summary: 'Read the entries of a project for a range of days',
      description:
        'Days are UTC, both ends included. Entries stand in the order of arrival. `offset` counts rows. While there is more, the header Link names the next page.',
      tag: 'Projects',
      success: { status: 200, schema: ProjectData, description: 'One page of entries' },
      answerHeaders: ['Link'],
      conditions: [400, 404, ...listFailures],
    },
    async handle({ params: { projectId }, query }, request, reply) {
      const faults: Fault[] = [];
      const range = readDateRange(query.from, query.to, faults);
      if (faults.length > 0) throw invalidRequest(faults);
      const found = await findProject(services, callerOfRequest(request).accountId, projectId);
      const window = rowWindow(query.offset, query.limit, projectDataLimits, []);
      return answerData(services, request, reply, {
        found,
        range,
        window,
        nextOffset: window.skip + window.take,
        writeItem: (ready) => (cursor, writer, row, stopAt) =>
          cursor.writeProjectEntry(writer, ready.texts(row.surveyNumber), row, stopAt),
        members: (_ready, { total }) => `"total":${total}`,
      });
    },
  });
}

async function findProject(
  { sources }: ProjectServices,
  accountId: number,
  key: number,
): Promise<PreparedSource> {
  const ready = await sources.byName({ accountId, kind: 'project', key });
  if (ready === null) throw new Problem('PROJECT_NOT_FOUND', `No project has the id ${key}.`);
  return ready;
}

function show({ project, surveys, createdAtMs }: ProjectSource): object {
  const created = project.createdDateTime ?? new Date(createdAtMs).toISOString();
  const current = surveys.find(({ definition }) => definition.current)?.definition ?? null;
  return current === null ? emptyProject(project, created) : showProject(project, current, created);
}
