// Feedback projects: the list, the definition of one, and its entries.

import { projectStatuses } from '../../domain/feedback/definition.ts';
import { Type } from '../schema.ts';
import { Question, ResponseRow, responseFacts, responseMarks } from './response-row.ts';

export const ProjectId = Type.Object({
  projectId: Type.Integer({ format: 'int64', description: 'The id of a project in the list.' }),
});

export const ProjectSchema = Type.Object(
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

export const ProjectData = Type.Object(
  {
    hasMore: Type.Boolean(),
    items: Type.Array(ProjectEntry),
    total: Type.Integer({ description: 'Entries in the whole range.' }),
  },
  { $id: 'ProjectData' },
);
