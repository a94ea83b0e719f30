// Feedback projects: the list, the definition of one, and its entries. Their errors have bodies of their own.

import type { FastifyInstance } from 'fastify';
import { ProjectData, ProjectId, ProjectSchema } from '../../contract/feedback/projects.ts';
import { DateText } from '../../contract/feedback/response-row.ts';
import { limitWithin, offsetOf } from '../../contract/feedback/source-parameters.ts';
import { Type } from '../../contract/schema.ts';
import { emptyProject, showProject } from '../../domain/feedback/views.ts';
import { projectDataLimits, rowWindow } from '../../domain/window.ts';
import { currentSurvey, listProjects, type ProjectSource } from '../../store/feedback/catalogue.ts';
import type { RangeFacts } from '../../store/feedback/log-reader.ts';
import { addRoute, callerOfRequest, sendJsonText } from '../server/route.ts';
import { answerData, type PageServices } from './data-page.ts';
import type { SourceLists } from './source-lists.ts';
import { daysOf, listFailures, readFailures, sourceOfRequest } from './source-requests.ts';

interface ProjectServices extends PageServices {
  readonly sourceLists: SourceLists;
}

export function projectRoutes(app: FastifyInstance, services: ProjectServices): void {
  const { context, sources, sourceLists } = services;
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
      conditions: listFailures,
    },
    async handle(_input, request, reply) {
      const { accountId } = callerOfRequest(request);
      const text = await sourceLists.text(`projects ${accountId}`, async () =>
        (await listProjects(context.db, accountId)).map(show),
      );
      return sendJsonText(request, reply, text);
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
      conditions: readFailures,
    },
    async handle({ params: { projectId } }, request) {
      const { source } = await sourceOfRequest(sources, request, 'project', projectId);
      return show(source as ProjectSource);
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
      limit: limitWithin(projectDataLimits),
      offset: offsetOf('Rows to pass over; 0 unless given.'),
    }),
    document: {
      operationId: 'projectData',
      summary: 'Read the entries of a project for a range of days',
      description:
        'Days are UTC, both ends included. Entries stand in the order of arrival. `offset` counts rows. While there is more, the header Link names the next page.',
      tag: 'Projects',
      success: { status: 200, schema: ProjectData, description: 'One page of entries' },
      answerHeaders: ['Link'],
      conditions: readFailures,
    },
    async handle({ params: { projectId }, query }, request, reply) {
      const range = daysOf(query);
      const found = await sourceOfRequest(sources, request, 'project', projectId);
      const window = rowWindow(query.offset, query.limit, projectDataLimits);
      return answerData(services, request, reply, {
        found,
        range,
        window,
        nextOffset: window.skip + window.take,
        writeItem: (ready) => (cursor, writer, row, stopAt) =>
          cursor.writeProjectEntry(writer, ready.texts(row.surveyNumber), row, stopAt),
        members: (_ready, facts) => projectMembers(facts),
      });
    },
  });
}

/** What stands behind the entries of a page. */
export function projectMembers({ total }: RangeFacts): string {
  return `"total":${total}`;
}

function show(source: ProjectSource): object {
  const { project, createdAtMs } = source;
  const created = project.createdDateTime ?? new Date(createdAtMs).toISOString();
  const current = currentSurvey(source);
  return current === null ? emptyProject(project, created) : showProject(project, current, created);
}
