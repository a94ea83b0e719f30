// What people wrote, newest first, and what contains a part of a text.

import type { TProperties } from 'typebox';
import { commentCursorLengthMax } from '../../domain/insight/comment-cursor.ts';
import { hitsMax } from '../../domain/insight/comment-hits.ts';
import { MeasureKey } from '../feedback/measures.ts';
import { ProjectEntry, ProjectId } from '../feedback/projects.ts';
import { DateText } from '../feedback/response-row.ts';
import { readRefusals } from '../feedback/source-parameters.ts';
import { serviceOperations } from '../operation.ts';
import { pairOf, Type } from '../schema.ts';
import { filterParameters, minimumMax } from './figures.ts';

const partLengthMax = 200;

export const commentLimits = { defaultTake: 50, maxTake: 200 };

export const CommentQuery = Type.Object({
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: partLengthMax,
      description:
        'A part that the comment contains, as it is typed: capitals, width and composed letters make no difference. All comments unless given.',
    }),
  ),
  from: Type.Optional(DateText),
  to: Type.Optional(DateText),
  question: Type.Optional(
    Type.String({ minLength: 1, maxLength: 300, description: 'The id of an open question.' }),
  ),
  ...filterParameters,
  minimum: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: minimumMax,
      description: 'As for figures; single comments are never withheld.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: commentLimits.maxTake,
      description: `Page size; ${commentLimits.defaultTake} unless given.`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: commentCursorLengthMax,
      description: '`next` of the page before, of the same question.',
    }),
  ),
});

const DayOrNull = Type.Union([DateText, Type.Null()]);

const itemMembers = {
  id: Type.String({ description: 'The responseId.' }),
  responseTime: Type.String({ format: 'date-time' }),
  version: Type.Integer({ description: 'Of the survey that was answered.' }),
  question: Type.String({ description: 'The id of the question that it answers.' }),
  text: Type.String(),
  hits: Type.Array(pairOf(Type.Integer({ minimum: 0 })), {
    maxItems: hitsMax,
    description: `Where \`q\` stands in the text: begin and end in UTF-16 units, the end not included; the first ${hitsMax} of them. Empty without \`q\`.`,
  }),
};

function commentsSchema<Members extends TProperties>(id: string, members: Members) {
  return Type.Object(
    {
      from: DayOrNull,
      to: DayOrNull,
      minimum: Type.Integer({ description: 'The number in force for figures; it withholds no comment.' }),
      complete: Type.Boolean({
        description:
          'False where the time was over before the page was full: `next` goes on where the search ended.',
      }),
      covered: Type.Union([Type.Object({ from: DateText, to: DateText }), Type.Null()], {
        description:
          'The days that were asked for, once everything behind the cursor was looked through; null before that, and where no days were asked for.',
      }),
      position: Type.Integer({ description: 'The position in the log when the search began.' }),
      items: Type.Array(Type.Object({ ...itemMembers, ...members }), {
        description: 'Newest first, by the place of the response in the log.',
      }),
      next: Type.Union([Type.String(), Type.Null()], {
        description: 'The cursor of the next page; null when there are no more.',
      }),
    },
    { $id: id },
  );
}

export const MeasureComments = commentsSchema('MeasureComments', {
  scores: Type.Array(Type.Object({ id: Type.String(), score: Type.Number() }), {
    description: 'The latent scores of the response.',
  }),
});

export const ProjectComments = commentsSchema('ProjectComments', {
  rating: ProjectEntry.properties.rating,
  topic: ProjectEntry.properties.topic,
});

const description =
  'Open answers, newest first. A part of three and more characters is found by an index; a shorter one, and everything that a filter asks, by looking through the comments within the time. A comment that was just sent is found at once. A walk by `next` neither loses nor repeats a comment, whatever comes in or is erased meanwhile.';

export const commentOperations = serviceOperations({
  'GET /v1/measures/:measurementKey/comments': {
    access: { grant: 'r_cx_measures' },
    accept: 'required',
    params: MeasureKey,
    query: CommentQuery,
    document: {
      operationId: 'measureComments',
      summary: 'Read and search what respondents of a measure wrote',
      description,
      tag: 'Measures',
      success: { status: 200, schema: MeasureComments, description: 'One page of comments' },
    },
    refusals: readRefusals('MEASURE_NOT_FOUND'),
  },
  'GET /v1/projects/:projectId/comments': {
    area: 'projectData',
    access: { grant: 'r_cx_projects' },
    params: ProjectId,
    query: CommentQuery,
    document: {
      operationId: 'projectComments',
      summary: 'Read and search what people wrote to a project',
      description,
      tag: 'Projects',
      success: { status: 200, schema: ProjectComments, description: 'One page of comments' },
    },
    refusals: readRefusals('PROJECT_NOT_FOUND'),
  },
});
