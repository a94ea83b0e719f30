// Digests of the days of a measure or project, by which others compare what they hold (docs/digests.md).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MeasureKey } from '../../contract/feedback/measures.ts';
import { ProjectId } from '../../contract/feedback/projects.ts';
import { DateText } from '../../contract/feedback/response-row.ts';
import { Type } from '../../contract/schema.ts';
import { type DateRange, dayText } from '../../domain/dates.ts';
import { Problem } from '../../domain/problem.ts';
import type { DigestReader } from '../../store/feedback/digest-reader.ts';
import type { PreparedSource, Sources } from '../../store/feedback/sources.ts';
import { invalidRequest } from '../server/input.ts';
import { type BudgetServices, budgetOf } from '../server/request-budget.ts';
import { addRoute } from '../server/route.ts';
import { daysOf, readFailures, sourceOfRequest } from './source-requests.ts';

/** Nearly three years: an answer of some hundred kilobytes at most. */
export const digestDaysMax = 1_000;

const HexDigest = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256 as hexadecimal digits, made as docs/digests.md says.',
});

const Digests = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        day: DateText,
        count: Type.Integer({ minimum: 1, description: 'The responses of the day, erased ones included.' }),
        digest: HexDigest,
      }),
      { description: 'The days that have responses, in their order.' },
    ),
    position: Type.Integer({
      description:
        'The responses that the measure or project has in all: counts and digests are true at this point of its log.',
    }),
    mark: Type.Union([Type.String(), Type.Null()], {
      description:
        'Of whatever brought the last response. Another one at the same position means that the store has lost responses since, and has others in their place. Null where a replica of an older release brought it.',
    }),
  },
  { $id: 'Digests' },
);

const rangeQuery = Type.Object({ from: DateText, to: DateText });

const description = `Days are UTC, both ends included, at most ${digestDaysMax.toLocaleString('en-US')} of them. A day without responses is left out. Erasure and retention change neither count nor digest; a response that comes late changes its own day alone. A store that has just been upgraded may answer 503 with Retry-After until the digests of older responses are worked out.`;

interface DigestServices extends BudgetServices {
  readonly sources: Sources;
  readonly digestReader: DigestReader;
}

export function digestRoutes(app: FastifyInstance, services: DigestServices): void {
  const { sources } = services;
  const success = { status: 200, schema: Digests, description: 'The digests of the days' } as const;

  addRoute(app, {
    area: 'service',
    access: { grant: 'r_cx_measures' },
    accept: 'required',
    method: 'GET',
    path: '/v1/measures/:measurementKey/digest',
    params: MeasureKey,
    query: rangeQuery,
    document: {
      operationId: 'measureDigest',
      summary: 'Read how many respondents each day of a measure has, and the digest of each day',
      description,
      tag: 'Measures',
      success,
      conditions: readFailures,
    },
    async handle({ params: { measurementKey }, query }, request, reply) {
      const range = boundedDaysOf(query);
      const found = await sourceOfRequest(sources, request, 'measure', measurementKey);
      return answer(services, request, reply, found, range);
    },
  });

  addRoute(app, {
    area: 'projectData',
    access: { grant: 'r_cx_projects' },
    method: 'GET',
    path: '/v1/projects/:projectId/digest',
    params: ProjectId,
    query: rangeQuery,
    document: {
      operationId: 'projectDigest',
      summary: 'Read how many entries each day of a project has, and the digest of each day',
      description,
      tag: 'Projects',
      success,
      conditions: readFailures,
    },
    async handle({ params: { projectId }, query }, request, reply) {
      const range = boundedDaysOf(query);
      const found = await sourceOfRequest(sources, request, 'project', projectId);
      return answer(services, request, reply, found, range);
    },
  });
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
): Promise<object> {
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
