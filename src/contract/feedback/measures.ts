// The measures of an account: the list, the definition of one, and the respondents behind it.

import { channels } from '../../domain/feedback/definition.ts';
import { measureDataLimits, measureListLimits } from '../../domain/window.ts';
import { serviceOperations, tokenRefusals } from '../operation.ts';
import { Type } from '../schema.ts';
import {
  DateText,
  LatentScores,
  Link,
  LinksOfSurvey,
  Question,
  RespondentScores,
  ResponseRow,
  responseFacts,
  responseMarks,
} from './response-row.ts';
import { limitWithin, offsetOf, readRefusals, toggleParameters } from './source-parameters.ts';

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

const MeasuresList = Type.Object(
  {
    hasMore: Type.Boolean({ description: 'Whether there is a further page.' }),
    links: Type.Array(Link, { description: 'self, and next and prev where there are any.' }),
    items: Type.Array(MeasureItem),
  },
  { $id: 'MeasuresList' },
);

const MeasureDefinition = Type.Object(
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

const MeasureData = Type.Object(
  {
    hasMore: Type.Boolean({ description: 'Whether respondents remain behind this page.' }),
    items: Type.Array(Respondent),
    total: Type.Integer({ description: 'Respondents in the whole range.' }),
    summary: Type.Object({ latentScores: Type.Optional(LatentScores) }),
  },
  { $id: 'MeasureData' },
);

const pageNumber = 'Page number, from 0.';

export const measureOperations = serviceOperations({
  'GET /v1/measures': {
    access: { grant: 'r_cx_measures' },
    accept: 'required',
    query: Type.Object({
      offset: offsetOf(pageNumber),
      limit: limitWithin(measureListLimits),
    }),
    document: {
      operationId: 'listMeasures',
      summary: 'List the measures of the account',
      description:
        'Ordered by id. The links of an item work as they are; that to the data covers the last 30 days.',
      tag: 'Measures',
      success: { status: 200, schema: MeasuresList, description: 'One page of measures', as: 'text' },
    },
    refusals: tokenRefusals,
  },
  'GET /v1/measures/:measurementKey/definition': {
    access: { grant: 'r_cx_measures' },
    accept: 'required',
    params: MeasureKey,
    query: Type.Object({
      excludeQuestions: Type.Optional(
        Type.Boolean({ description: 'Leave out the questions; implies excludeAnswers.' }),
      ),
      excludeAnswers: Type.Optional(Type.Boolean({ description: 'Leave out the answers of questions.' })),
    }),
    document: {
      operationId: 'measureDefinition',
      summary: 'Read the definition of a measure',
      description:
        'The current version: latents with their measured questions, custom questions, passed parameters.',
      tag: 'Measures',
      success: { status: 200, schema: MeasureDefinition, description: 'The definition' },
    },
    refusals: readRefusals('MEASURE_NOT_FOUND'),
  },
  'GET /v1/measures/:measurementKey/data': {
    access: { grant: 'r_cx_measures' },
    accept: 'required',
    params: MeasureKey,
    query: Type.Object({
      from: DateText,
      to: DateText,
      ...toggleParameters,
      offset: offsetOf(pageNumber),
      limit: limitWithin(measureDataLimits),
    }),
    document: {
      operationId: 'measureData',
      summary: 'Read the respondents of a measure for a range of days',
      description:
        'Days are UTC, both ends included. Respondents stand in the order of arrival, so a page that was full stays as it was, and a caller who walks the pages while responses keep coming neither misses nor doubles one. While there is more, the header Link names the next page.',
      tag: 'Measures',
      success: { status: 200, schema: MeasureData, description: 'One page of respondents', as: 'slices' },
      answerHeaders: ['Link'],
    },
    refusals: readRefusals('MEASURE_NOT_FOUND'),
  },
});
