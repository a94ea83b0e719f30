// /console/api/overview: every measure and project of the account with one figure each, some of them at a time. However many responses
// there are, it reads what was added up by day, for all of a page by one statement.

import { sourceKinds } from '../../domain/feedback/source-kind.ts';
import { consoleOperations } from '../operation.ts';
import { Type } from '../schema.ts';
import {
  Breaks,
  CalendarUnitSchema,
  commonMembers,
  comparedMember,
  compareParameter,
  rangeParameters,
  trendMembers,
} from './figures.ts';
import { joinedVersions, scaleOrNull } from './sources.ts';

export const rowsUsual = 50;

const rowsMost = 100;

const numberOrNull = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });

const overviewRowSchema = Type.Object(
  {
    kind: Type.Enum([...sourceKinds]),
    key: Type.Integer(),
    name: Type.String(),
    active: Type.Boolean({ description: 'Whether it takes responses.' }),
    version: numberOrNull('The current version; null while there is none.'),
    figure: Type.Union(
      [
        Type.Object({
          id: Type.String({ description: 'A latent, or `rating`.' }),
          name: Type.String(),
          scale: scaleOrNull,
          joined: joinedVersions,
        }),
        Type.Null(),
      ],
      {
        description:
          'Satisfaction of a measure, or its first latent; the rating of a project. Null where there is none.',
      },
    ),
    responses: Type.Optional(Type.Integer({ description: 'In the range; absent while they are added up.' })),
    reached: Type.Optional(
      Type.Object(
        { added: Type.Integer(), of: Type.Integer() },
        { description: 'Older responses are being added up: so many are done. There are no figures yet.' },
      ),
    ),
    trend: Type.Union([Type.Object({ ...trendMembers, breaks: Breaks }), Type.Null()]),
    lastResponse: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When the response that came last was sent.',
    }),
    refusedToday: numberOrNull('Null for whoever may not see refused responses.'),
  },
  { $id: 'OverviewRow' },
);

export const { from, to, minimum } = commonMembers;

const overviewSchema = Type.Object(
  {
    ...{ from, to, minimum },
    unit: CalendarUnitSchema,
    ...comparedMember,
    items: Type.Array(overviewRowSchema),
    next: Type.Union([Type.String(), Type.Null()], {
      description: 'Where the next page begins; null where there is nothing more.',
    }),
  },
  { $id: 'Overview' },
);

const overviewQuery = Type.Object({
  ...rangeParameters,
  ...compareParameter,
  after: Type.Optional(
    Type.Integer({ minimum: 0, description: '`next` of the page before; left out, the first page.' }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: rowsMost,
      description: `How many at most; ${rowsUsual} unless given, fewer where the range is long.`,
    }),
  ),
});

export const overviewOperations = consoleOperations({
  'GET /overview': {
    access: { people: 'signedIn', ability: 'see scores' },
    query: overviewQuery,
    document: {
      operationId: 'overview',
      summary: 'Every measure and project with its main figure',
      description:
        'In the order in which they were made. Scores and ratings are those of `trend` of the interface, with the same intervals; points are by day, from 63 days on by week, from 431 days on by month.',
      tag: 'Figures',
      success: { status: 200, schema: overviewSchema, description: 'A page of them.' },
    },
  },
});
