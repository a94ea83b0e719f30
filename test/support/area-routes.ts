// Endpoints of the areas that have none of their own yet, and endpoints that fail on purpose. Each lies below the
// path of its area, so that it stays out of the way of the real ones to come.

import type { FastifyInstance } from 'fastify';
import sql, { raw } from 'sql-template-tag';
import Type from 'typebox';
import { type Area, addRoute, areas, beat, type Code, type Context, codes, Problem } from './mounted.ts';

/** One reading endpoint an area, all of which take `count` and nothing else. */
export const readingPaths: Readonly<Record<Exclude<Area, 'token'>, string>> = {
  service: '/v1/scim/mounted',
  ingestion: '/v1/surveys/ingestion/mounted',
  project: '/v1/projects/mounted',
  projectData: '/v1/projects/7/data/mounted',
  scim: '/scim/v2/mounted',
  console: '/console/api/mounted',
};

export const ingestionLimitBytes = 256 * 1024;
export const bugText = 'select secret from /srv/soundings/store.ts';

export function mountAreas(app: FastifyInstance, context: Context): void {
  for (const [area, path] of Object.entries(readingPaths) as [Exclude<Area, 'token'>, string][]) {
    addRoute(app, {
      method: 'GET',
      path: path.replace('/7/', '/:projectId/'),
      area,
      access: { grant: 'r_cx_users' },
      produces: area === 'scim' ? ['application/scim+json', 'application/json'] : ['application/json'],
      unknownQuery: area === 'scim' ? 'ignored' : 'refused',
      query: Type.Object({
        count: Type.Optional(Type.Integer({ minimum: 0, maximum: 200 })),
        active: Type.Optional(Type.Boolean()),
      }),
      ...(area === 'projectData' ? { params: Type.Object({ projectId: Type.Integer() }) } : {}),
      handle: ({ query }) => ({ area, ...(query as object) }),
    });
    addRoute(app, {
      method: 'POST',
      path: `${path.replace('/7/', '/:projectId/')}/write`,
      area,
      access: { grant: 'w_cx_responses' },
      consumes: ['application/json'],
      ...(area === 'ingestion' ? { bodyLimitBytes: ingestionLimitBytes } : {}),
      body: Type.Object({
        surveyDefinitionId: Type.String({ minLength: 1, maxLength: 20_000 }),
        pageVisits: Type.Optional(Type.String()),
        completionTimeInMs: Type.Optional(Type.Integer()),
        isTest: Type.Optional(Type.Boolean()),
        emails: Type.Optional(Type.Array(Type.Object({ value: Type.String() }))),
      }),
      async handle({ body }) {
        await keepText(context, body.surveyDefinitionId);
        return { kept: body.surveyDefinitionId };
      },
    });
  }
  for (const area of areas) {
    addRoute(app, {
      method: 'GET',
      path: `/mounted/throws/${area}/:code`,
      area,
      access: 'anyone',
      handle(_input, request) {
        const { code } = request.params as { code: string };
        if (!(code in codes)) throw new Error(`${bugText} ${code}`);
        throw new Problem(code as Code, 'Thrown on purpose.');
      },
    });
  }
  addRoute(app, {
    method: 'POST',
    path: '/mounted/echo',
    area: 'service',
    access: 'anyone',
    consumes: ['application/json'],
    body: Type.Unknown(),
    handle: ({ body }) => ({ body }),
  });
  addRoute(app, {
    method: 'GET',
    path: '/mounted/text/:bytes',
    area: 'service',
    access: 'anyone',
    params: Type.Object({ bytes: Type.Integer() }),
    produces: ['text/plain'],
    handle: ({ params }) => 'The same again. '.repeat(params.bytes / 16 + 1).slice(0, params.bytes),
  });
  addRoute(app, {
    method: 'GET',
    path: '/mounted/fails/sql',
    area: 'service',
    access: 'anyone',
    handle: () => context.db.read(raw('select secret_column from no_such_table')),
  });
}

/** A text into the store and out again, whatever the engine makes of it. */
async function keepText(context: Context, text: string): Promise<void> {
  // As new as it is: the heartbeat of the service forgets what is old, at any moment.
  await context.db.write(beat, { replica: text, nowMs: Date.now(), forgetBeforeMs: 0 });
  const [row] = await context.db.read<{ replica: string }>(sql`
    select replica
    from heartbeat
    where replica = ${text}`);
  if (row?.replica !== text) throw new Error('The text was not kept as it came.');
}
