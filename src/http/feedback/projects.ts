// Feedback projects: the list, the definition of one, and its entries. Their errors have bodies of their own.

import type { FastifyInstance } from 'fastify';
import { projectOperations } from '../../contract/feedback/projects.ts';
import { emptyProject, type ShownProject, showProject } from '../../domain/feedback/views.ts';
import { projectDataLimits, rowWindow } from '../../domain/window.ts';
import { currentSurvey, listProjects, type ProjectSource } from '../../store/feedback/catalogue.ts';
import type { RangeFacts } from '../../store/feedback/log-reader.ts';
import { addOperation, callerOfRequest, sendJsonText } from '../server/route.ts';
import { answerData, type PageServices } from './data-page.ts';
import type { SourceLists } from './source-lists.ts';
import { daysOf, sourceOfRequest } from './source-requests.ts';

interface ProjectServices extends PageServices {
  readonly sourceLists: SourceLists;
}

export function projectRoutes(app: FastifyInstance, services: ProjectServices): void {
  const { context, sources, sourceLists } = services;
  addOperation(app, projectOperations, 'GET /v1/projects', async (_input, request, reply) => {
    const { accountId } = callerOfRequest(request);
    const text = await sourceLists.text(`projects ${accountId}`, async () =>
      (await listProjects(context.db, accountId)).map(show),
    );
    return sendJsonText(request, reply, text);
  });

  addOperation(
    app,
    projectOperations,
    'GET /v1/projects/:projectId/definition',
    async ({ params: { projectId } }, request) => {
      const { source } = await sourceOfRequest(sources, request, 'project', projectId);
      return show(source as ProjectSource);
    },
  );

  addOperation(
    app,
    projectOperations,
    'GET /v1/projects/:projectId/data',
    async ({ params: { projectId }, query }, request, reply) => {
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
  );
}

/** What stands behind the entries of a page. */
export function projectMembers({ total }: RangeFacts): string {
  return `"total":${total}`;
}

function show(source: ProjectSource): ShownProject {
  const { project, createdAtMs } = source;
  const created = project.createdDateTime ?? new Date(createdAtMs).toISOString();
  const current = currentSurvey(source);
  return current === null ? emptyProject(project, created) : showProject(project, current, created);
}
