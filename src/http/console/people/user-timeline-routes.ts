// /console/api/users/:id/timeline: what was done to a user, by whom, and what an identity provider asked for and did not get.

import type { FastifyInstance } from 'fastify';
import { userTimelineOperations } from '../../../contract/access/user-timeline.ts';
import { WorkQueue } from '../../../store/engine/work/work-budget.ts';
import { shownEntry } from '../../../store/people/audit-reader.ts';
import { type TimelineEntry, userTimeline } from '../../../store/people/user-timeline.ts';
import { addOperation } from '../../server/route.ts';
import { accountOf } from '../console-gate.ts';
import { takeOf } from '../console-page.ts';
import type { ConsoleServices } from '../console-services.ts';
import { userOfPath } from './user-of-path.ts';

export function userTimelineRoutes(app: FastifyInstance, { context }: ConsoleServices): void {
  const queue = new WorkQueue();

  addOperation(
    app,
    userTimelineOperations,
    'GET /users/:id/timeline',
    async ({ params, query: { after = null, limit } }, request) => {
      const user = await userOfPath(context, accountOf(request), params.id);
      const range = { after, take: takeOf(limit), nowMs: context.now() };
      const { entries, next } = await userTimeline(context.db, user, range, () => queue.nextSlice());
      return { items: entries.map(shown), next };
    },
  );
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
