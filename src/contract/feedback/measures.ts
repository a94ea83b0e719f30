// The measures of an account: the list, the definition of one, and the respondents behind it.

import { channels } from '../../domain/feedback/definition.ts';
import { Type } from '../schema.ts';
import {
  LatentScores,
  Link,
  LinksOfSurvey,
  Question,
  RespondentScores,
  ResponseRow,
  responseFacts,
  responseMarks,
} from './response-row.ts';

export const MeasureKey = Type.Object({
  measurementKey: Type.Integer({
    format: 'int32',
    minimum: -(2 ** 31),
    maximum: 2 ** 31 - 1,
    description: 'The id of a measure in the list.',
  }),
});

const MeasureItem = Type.Object({
  id: Type.Integer({ description: 'The measurementKey.' }),
  name: Type.String(),
  active: Type.Boolean(),
  dateCreated: Type.String({ format: 'date-time' }),
  channel: Type.Enum([...channels]),
  factType: Type.Literal('NON_HIERARCHY'),
  modelInstanceId: Type.Union([Type.String(), Type.Null()], {
    description: 'Of the current version; null while there is none.',
  }),
  links: Type.Array(Link),
});

export const MeasuresList = Type.Object(
  {
    hasMore: Type.Boolean({ description: 'Whether there is a further page.' }),
    links: Type.Array(Link, { description: 'self, and next and prev where there are any.' }),
    items: Type.Array(MeasureItem),
  },
  { $id: 'MeasuresList' },
);

export const MeasureDefinition = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    modelInstanceId: Type.Union([Type.String(), Type.Null()]),
    version: Type.Union([Type.Integer(), Type.Null()]),
    links: LinksOfSurvey,
    MQ: Type.Object({
      latents: Type.Array(
        Type.Object({
          id: Type.String(),
          name: Type.String(),
          type: Type.String(),
          questions: Type.Optional(Type.Array(Question)),
        }),
      ),
    }),
    CQ: Type.Array(Question),
    CPP: Type.Array(Question),
    EPP: Type.Array(Question),
  },
  { $id: 'MeasureDefinition' },
);

export const Respondent = Type.Object({
  ...responseFacts,
  latentScores: Type.Optional(RespondentScores),
  responses: Type.Optional(Type.Array(ResponseRow)),
  ...responseMarks,
});

export const MeasureData = Type.Object(
  {
    hasMore: Type.Boolean({ description: 'Whether respondents remain behind this page.' }),
    items: Type.Array(Respondent),
    total: Type.Integer({ description: 'Respondents in the whole range.' }),
    summary: Type.Object({ latentScores: Type.Optional(LatentScores) }),
  },
  { $id: 'MeasureData' },
);
