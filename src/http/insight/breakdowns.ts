// Scores of a measure, or ratings of a project, by groups of responses: by an answer, a passed parameter, a device, a weekday. The
// responses are looked through, newest days first, within the time that the caller gives (store/insight/scanner.ts).

import type { FastifyInstance } from 'fastify';
import {
  filterOfRequest,
  insightRange,
  judgeView,
  type RangeQuery,
  refuseFaults,
  ScanTime,
  textsOf,
  type ViewRequest,
  viewSourceOf,
} from '../../acts/insight/views.ts';
import { breakdownOperations, groupsDefault } from '../../contract/insight/breakdowns.ts';
import { readGroupProperty, showGroups } from '../../domain/insight/breakdown-view.ts';
import type { Fault } from '../../domain/problem.ts';
import type { Sources } from '../../store/feedback/sources.ts';
import { sourceOfRequest } from '../feedback/source-requests.ts';
import { budgetOf } from '../server/request-budget.ts';
import { addOperation } from '../server/route.ts';
import { sendView, type ViewServices } from './view-requests.ts';

interface BreakdownServices extends ViewServices {
  readonly sources: Sources;
}

export function breakdownRoutes(app: FastifyInstance, services: BreakdownServices): void {
  addOperation(
    app,
    breakdownOperations,
    'GET /v1/measures/:measurementKey/breakdown',
    async ({ params: { measurementKey }, query }, request, reply) => {
      const ready = await sourceOfRequest(services.sources, request, 'measure', measurementKey, () =>
        judgeView(query),
      );
      const work = budgetOf(services, request, reply);
      const view = await answerBreakdown(services, { ready, query, work, mayReadComments: true });
      return sendView(services, request, reply, view);
    },
  );

  addOperation(
    app,
    breakdownOperations,
    'GET /v1/projects/:projectId/breakdown',
    async ({ params: { projectId }, query }, request, reply) => {
      const ready = await sourceOfRequest(services.sources, request, 'project', projectId, () =>
        judgeView(query),
      );
      const work = budgetOf(services, request, reply);
      const view = await answerBreakdown(services, { ready, query, work, mayReadComments: true });
      return sendView(services, request, reply, view);
    },
  );
}

interface BreakdownQuery extends RangeQuery {
  readonly by: string;
  readonly limit?: number;
}

export async function answerBreakdown(
  { scanner, minimums }: ViewServices,
  asked: ViewRequest<BreakdownQuery>,
): Promise<object> {
  const { ready, query, work, mayReadComments } = asked;
  const { source } = ready;
  const faults: Fault[] = [];
  const { range } = insightRange(query, faults);
  const surveys = source.surveys.map((kept) => ready.prepared(kept));
  const property = readGroupProperty(query.by, { kind: source.kind, surveys, mayReadComments }, faults);
  const filter = filterOfRequest(asked, faults);
  refuseFaults(faults);
  if (property === null) throw new Error('What to group by has a fault that was not named.');
  const time = new ScanTime(work, query.within);
  const minimum = await minimums.inForce(source.accountId, query.minimum);
  const { limit = groupsDefault } = query;
  const by = { property, limit, minimum, order: 'count' } as const;
  const scan = await scanner.groups(ready, range, by, filter, time.left());
  const viewSource = viewSourceOf(scan.ready);
  const shown = showGroups({ source: viewSource, kind: source.kind, property, minimum }, scan.result);
  return {
    ...textsOf(range),
    minimum,
    complete: scan.isComplete,
    covered: scan.covered === null ? null : textsOf(scan.covered),
    position: scan.lastSeq,
    by: query.by,
    ...shown,
  };
}
