// The figures of a feedback project: its rating over time, and what people wrote about.

import { Type } from '../schema.ts';
import {
  Breaks,
  CalendarUnitSchema,
  commonMembers,
  comparedMember,
  compareParameter,
  Difference,
  figuresMembers,
  filterParameters,
  rangeParameters,
  trendMembers,
} from './figures.ts';

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
