// Digests of the days of a measure or project, by which others compare what they hold (docs/digests.md).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { digestDaysMax, digestOperations } from '../../contract/feedback/digests.ts';
import type { AnswerOf } from '../../contract/operation.ts';
import { type DateRange, dayText } from '../../domain/dates.ts';
import { invalidRequest, Problem } from '../../domain/problem.ts';
import type { DigestReader } from '../../store/feedback/digest-reader.ts';
import type { PreparedSource, Sources } from '../../store/feedback/sources.ts';
import { type BudgetServices, budgetOf } from '../server/request-budget.ts';
import { addOperation } from '../server/route.ts';
import { daysOf, sourceOfRequest } from './source-requests.ts';

interface DigestServices extends BudgetServices {
  readonly sources: Sources;
  readonly digestReader: DigestReader;
}

export function digestRoutes(app: FastifyInstance, services: DigestServices): void {
  const { sources } = services;
  addOperation(
    app,
    digestOperations,
    'GET /v1/measures/:measurementKey/digest',
    async ({ params: { measurementKey }, query }, request, reply) => {
      const range = boundedDaysOf(query);
      const found = await sourceOfRequest(sources, request, 'measure', measurementKey);
      return answer(services, request, reply, found, range);
    },
  );

  addOperation(
    app,
    digestOperations,
    'GET /v1/projects/:projectId/digest',
    async ({ params: { projectId }, query }, request, reply) => {
      const range = boundedDaysOf(query);
      const found = await sourceOfRequest(sources, request, 'project', projectId);
      return answer(services, request, reply, found, range);
    },
  );
}

function boundedDaysOf(query: { readonly from: string; readonly to: string }): DateRange {
  const range = daysOf(query);
  const days = range.lastDay - range.firstDay + 1;
  if (days <= digestDaysMax) return range;
  const most = digestDaysMax.toLocaleString('en-US');
  throw invalidRequest([
    {
      field: 'to',
      code: 'RANGE_TOO_LONG',
      message: `The range has ${days.toLocaleString('en-US')} days; at most ${most} can be asked for at once.`,
    },
  ]);
}

async function answer(
  services: DigestServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { source }: PreparedSource,
  range: DateRange,
): Promise<AnswerOf<(typeof digestOperations)['all']['GET /v1/measures/:measurementKey/digest']>> {
  const outcome = await services.digestReader.read(source, range, budgetOf(services, request, reply));
  if ('reached' in outcome) {
    const { digestedSeq, fullSeq } = outcome.reached;
    throw new Problem(
      'DIGESTS_NOT_READY',
      `The digests of older responses are being worked out: ${digestedSeq} of ${fullSeq} are done. Please retry.`,
      { headers: { 'retry-after': '5' } },
    );
  }
  const { days, lastSeq, mark } = outcome.digests;
  return {
    items: days.map(([day, { count, digest }]) => ({ day: dayText(day), count, digest })),
    position: lastSeq,
    mark,
  };
}
