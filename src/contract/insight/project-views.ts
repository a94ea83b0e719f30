// The figures of a feedback project: its rating over time, and what people wrote about.

import { ProjectId } from '../feedback/projects.ts';
import { readRefusals } from '../feedback/source-parameters.ts';
import { serviceOperations } from '../operation.ts';
import { Type } from '../schema.ts';
import {
  Breaks,
  CalendarUnitSchema,
  commonMembers,
  comparedMember,
  compareParameter,
  Difference,
  Distribution,
  figuresMembers,
  filterParameters,
  rangeParameters,
  trendMembers,
} from './figures.ts';
import { rangeQuery, trendQuery } from './measure-views.ts';

export const ProjectTrend = Type.Object(
  {
    ...commonMembers,
    unit: CalendarUnitSchema,
    ...comparedMember,
    rating: Type.Object(trendMembers),
    breaks: Breaks,
  },
  { $id: 'ProjectTrend' },
);

const entriesMembers = {
  entries: Type.Integer({ description: 'Those that name it; the figures are those of their ratings.' }),
  share: Type.Union([Type.Number(), Type.Null()], { description: 'Of all entries that name a topic.' }),
};

const pagesMax = 100;

const pagesParameter = {
  pages: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: pagesMax,
      description:
        'So many of the pages with the lowest mean rating too, of those with at least five ratings. They are found by looking through the entries.',
    }),
  ),
};

export const ProjectTopics = Type.Object(
  {
    ...commonMembers,
    ...comparedMember,
    count: Type.Integer({ description: 'Entries that are not erased.' }),
    withTopic: Type.Integer({ description: 'Those of them that name a topic.' }),
    topics: Type.Array(
      Type.Object({
        question: Type.String(),
        id: Type.Union([Type.String(), Type.Null()], {
          description: 'Of the answer; null where people write the topic themselves.',
        }),
        text: Type.String(),
        ...entriesMembers,
        ...figuresMembers,
        comparable: Type.Boolean({
          description: 'False where versions with another rating are added up in it.',
        }),
        compared: Type.Optional(
          Type.Union([
            Type.Object({
              entries: Type.Optional(entriesMembers.entries),
              share: Type.Optional(entriesMembers.share),
              ...figuresMembers,
            }),
            Type.Null(),
          ]),
        ),
        change: Type.Optional(
          Type.Union([
            Type.Object({
              share: Type.Union([Difference, Type.Null()], { description: 'Of the share.' }),
              rating: Type.Union([Difference, Type.Null()], { description: 'Of the mean rating.' }),
            }),
            Type.Null(),
          ]),
        ),
      }),
      { description: 'Named most often first. Topics that are offered and that nobody named are there too.' },
    ),
    other: Type.Union(
      [
        Type.Object({
          topics: Type.Union([Type.Integer(), Type.Null()], { description: 'Null where it is not known.' }),
          count: Type.Integer({ description: 'Their entries.' }),
        }),
        Type.Null(),
      ],
      {
        description: 'Where people write topics themselves: those beyond the 200 that were named most often.',
      },
    ),
    withheld: Type.Union([
      Type.Object({ topics: Type.Integer(), count: Type.Integer({ description: 'Their entries.' }) }),
      Type.Null(),
    ]),
    pages: Type.Optional(
      Type.Array(Type.Object({ url: Type.String(), ...figuresMembers, comparable: Type.Boolean() }), {
        description: 'The lowest mean first. An address is told without what stands behind ? or #.',
      }),
    ),
    pagesComplete: Type.Optional(Type.Boolean()),
    pagesCovered: Type.Optional(commonMembers.covered),
  },
  { $id: 'ProjectTopics' },
);

export const topicsQuery = Type.Object({
  ...rangeParameters,
  ...compareParameter,
  ...filterParameters,
  ...pagesParameter,
});

const rangeWords =
  'Days are UTC, both ends included, at most 3,700 of them. How figures are made: docs/insight.md.';

export const projectViewOperations = serviceOperations({
  'GET /v1/projects/:projectId/trend': {
    area: 'projectData',
    access: { grant: 'r_cx_projects' },
    params: ProjectId,
    query: trendQuery,
    document: {
      operationId: 'projectTrend',
      summary: 'Read the rating of a project over time, with its intervals',
      description: `Mean, spread and 95 % interval of the rating by day, week or month, of the whole range, and of another range to compare it with. ${rangeWords}`,
      tag: 'Projects',
      success: { status: 200, schema: ProjectTrend, description: 'The rating over time', as: 'slices' },
    },
    refusals: readRefusals('PROJECT_NOT_FOUND'),
  },
  'GET /v1/projects/:projectId/distribution': {
    area: 'projectData',
    access: { grant: 'r_cx_projects' },
    params: ProjectId,
    query: rangeQuery,
    document: {
      operationId: 'projectDistribution',
      summary: 'Read how every question of a project was answered',
      description: `How often each answer was given, by version, and how long people took. ${rangeWords}`,
      tag: 'Projects',
      success: { status: 200, schema: Distribution, description: 'The answers', as: 'slices' },
    },
    refusals: readRefusals('PROJECT_NOT_FOUND'),
  },
  'GET /v1/projects/:projectId/topics': {
    area: 'projectData',
    access: { grant: 'r_cx_projects' },
    params: ProjectId,
    query: topicsQuery,
    document: {
      operationId: 'projectTopics',
      summary: 'Read what the entries of a project are about, how it is rated, and what changed',
      description: `How often each topic was named, its share, the ratings of its entries, and the differences from another range. ${rangeWords}`,
      tag: 'Projects',
      success: { status: 200, schema: ProjectTopics, description: 'The topics', as: 'slices' },
    },
    refusals: readRefusals('PROJECT_NOT_FOUND'),
  },
});
