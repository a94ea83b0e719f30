// Digests of the days of a measure or project, by which others compare what they hold (docs/digests.md).

import { serviceOperations } from '../operation.ts';
import { Type } from '../schema.ts';
import { MeasureKey } from './measures.ts';
import { ProjectId } from './projects.ts';
import { DateText } from './response-row.ts';
import { readRefusals } from './source-parameters.ts';

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

const success = { status: 200, schema: Digests, description: 'The digests of the days' } as const;

export const digestOperations = serviceOperations({
  'GET /v1/measures/:measurementKey/digest': {
    access: { grant: 'r_cx_measures' },
    accept: 'required',
    params: MeasureKey,
    query: rangeQuery,
    document: {
      operationId: 'measureDigest',
      summary: 'Read how many respondents each day of a measure has, and the digest of each day',
      description,
      tag: 'Measures',
      success,
    },
    refusals: readRefusals('MEASURE_NOT_FOUND'),
  },
  'GET /v1/projects/:projectId/digest': {
    area: 'projectData',
    access: { grant: 'r_cx_projects' },
    params: ProjectId,
    query: rangeQuery,
    document: {
      operationId: 'projectDigest',
      summary: 'Read how many entries each day of a project has, and the digest of each day',
      description,
      tag: 'Projects',
      success,
    },
    refusals: readRefusals('PROJECT_NOT_FOUND'),
  },
});
