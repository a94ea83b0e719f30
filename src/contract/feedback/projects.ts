// Feedback projects: the list, the definition of one, and its entries.

import { projectStatuses } from '../../domain/feedback/definition.ts';
import { projectDataLimits } from '../../domain/window.ts';
import { serviceOperations, tokenRefusals } from '../operation.ts';
import { Type } from '../schema.ts';
import { DateText, Question, ResponseRow, responseFacts, responseMarks } from './response-row.ts';
import { limitWithin, offsetOf, readRefusals } from './source-parameters.ts';

export const ProjectId = Type.Object({
  projectId: Type.Integer({ format: 'int64', description: 'The id of a project in the list.' }),
});

const ProjectSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    description: Type.String(),
    createdDateTime: Type.String({ format: 'date-time' }),
    modelInstanceId: Type.Union([Type.String(), Type.Null()], {
      description: 'Of the current version; null while there is none.',
    }),
    siteKey: Type.String(),
    status: Type.Enum([...projectStatuses], {
      description: 'DRAFT takes test responses only; INACTIVE keeps its data and takes none.',
    }),
    CQ: Type.Array(Question),
  },
  { $id: 'Project' },
);

export const ProjectEntry = Type.Object({
  ...responseFacts,
  url: Type.Union([Type.String(), Type.Null()]),
  locale: Type.Union([Type.String(), Type.Null()]),
  rating: Type.Union([Type.Number(), Type.Null()]),
  topic: Type.Union([Type.String(), Type.Null()]),
  responses: Type.Array(ResponseRow),
  ...responseMarks,
});

const ProjectData = Type.Object(
  {
    hasMore: Type.Boolean(),
    items: Type.Array(ProjectEntry),
    total: Type.Integer({ description: 'Entries in the whole range.' }),
  },
  { $id: 'ProjectData' },
);

export const projectOperations = serviceOperations({
  'GET /v1/projects': {
    access: { grant: 'r_cx_projects' },
    area: 'project',
    query: Type.Object({}),
    document: {
      operationId: 'listProjects',
      summary: 'List all feedback projects of the account',
      description: 'A bare array, ordered by id.',
      tag: 'Projects',
      success: { status: 200, schema: Type.Array(ProjectSchema), description: 'The projects', as: 'text' },
    },
    refusals: tokenRefusals,
  },
  'GET /v1/projects/:projectId/definition': {
    access: { grant: 'r_cx_projects' },
    area: 'project',
    params: ProjectId,
    query: Type.Object({}),
    document: {
      operationId: 'projectDefinition',
      summary: 'Read the definition of a project',
      description: 'The current version.',
      tag: 'Projects',
      success: { status: 200, schema: ProjectSchema, description: 'The project' },
    },
    refusals: readRefusals('PROJECT_NOT_FOUND'),
  },
  'GET /v1/projects/:projectId/data': {
    access: { grant: 'r_cx_projects' },
    area: 'projectData',
    params: ProjectId,
    query: Type.Object({
      from: DateText,
      to: DateText,
      limit: limitWithin(projectDataLimits),
      offset: offsetOf('Rows to pass over; 0 unless given.'),
    }),
    document: {
      operationId: 'projectData',
      summary: 'Read the entries of a project for a range of days',
      description:
        'Days are UTC, both ends included. Entries stand in the order of arrival. `offset` counts rows. While there is more, the header Link names the next page.',
      tag: 'Projects',
      success: { status: 200, schema: ProjectData, description: 'One page of entries', as: 'slices' },
      answerHeaders: ['Link'],
    },
    refusals: readRefusals('PROJECT_NOT_FOUND'),
  },
});
