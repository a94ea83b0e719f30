// /console/api/users/:id/timeline: what was done to a user, by whom, and what an identity provider asked for and did not get.

import type { FastifyInstance } from 'fastify';
import { shownEntry } from '../../store/access/audit-reader.ts';
import { type TimelineEntry, userTimeline } from '../../store/access/user-timeline.ts';
import { WorkQueue } from '../../store/engine/work-budget.ts';
import { addRoute } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import { entrySchema } from './audit-routes.ts';
import { consoleDocument } from './console-document.ts';
import { accountOf } from './console-gate.ts';
import { pageQuery, pageSchema, takeOf } from './console-page.ts';
import type { ConsoleServices } from './console-services.ts';
import { userIdParams, userOfPath } from './user-of-path.ts';

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const timelineSchema = Type.Object(
  {
    at: Type.String({ format: 'date-time' }),
    id: Type.String({ description: 'Of the change, or of the request where nothing was changed.' }),
    change: Type.Union([entrySchema, Type.Null()], {
      description: 'Null where a provider asked for something and nothing was changed.',
    }),
    group: Type.Union(
      [
        Type.Object({
          id: Type.String(),
          displayName: orNull('Null for a group that is gone.'),
          joined: Type.Boolean({ description: 'False where the user left it.' }),
        }),
        Type.Null(),
      ],
      { description: 'The group that the user joined or left.' },
    ),
    request: Type.Union(
      [
        Type.Object({
          id: Type.String(),
          who: orNull('The name of the token or the API client.'),
          method: Type.String(),
          status: Type.Integer(),
          understood: orNull('What was asked for, as it was read.'),
          changed: orNull('What it changed.'),
          refused: orNull('Why it was refused.'),
        }),
        Type.Null(),
      ],
      { description: 'What the provider asked for; known for a week at most.' },
    ),
  },
  { $id: 'TimelineEntry' },
);

export function userTimelineRoutes(app: FastifyInstance, { context }: ConsoleServices): void {
  const queue = new WorkQueue();

  addRoute(app, {
    method: 'GET',
    path: '/console/api/users/:id/timeline',
    area: 'console',
    access: { people: 'signedIn', ability: 'manage users' },
    params: userIdParams,
    query: pageQuery,
    document: consoleDocument({
      operationId: 'getUserTimeline',
      summary: 'What was done to a user',
      description:
        'The newest first: changes by identity providers and by people, sign-ins, groups that they joined and left, and what a provider asked for in vain. A page may hold fewer than asked for, even none, and still have a next one.',
      tag: 'Users',
      success: {
        status: 200,
        schema: pageSchema(timelineSchema, 'UserTimeline'),
        description: 'A page of it.',
      },
      conditions: [404],
    }),
    handle: async ({ params, query: { after = null, limit } }, request) => {
      const user = await userOfPath(context, accountOf(request), params.id);
      const range = { after, take: takeOf(limit), nowMs: context.now() };
      const { entries, next } = await userTimeline(context.db, user, range, () => queue.nextSlice());
      return { items: entries.map(shown), next };
    },
  });
}

function shown({ atMs, id, change, group, request }: TimelineEntry) {
  return {
    at: new Date(atMs).toISOString(),
    id,
    change: change === null ? null : shownEntry(change),
    group: group === null ? null : { ...group, id: String(group.id) },
    request:
      request === null
        ? null
        : {
            id: request.id,
            who: request.who,
            method: request.method,
            status: request.status,
            understood: request.understood,
            changed: request.changed,
            refused: request.refused,
          },
  };
}
