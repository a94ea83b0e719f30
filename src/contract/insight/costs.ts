// What it will take to read the data of a range, page by page.

import { sampledRowsMax } from '../../domain/insight/pull-cost.ts';
import { measureDataLimits, projectDataLimits } from '../../domain/window.ts';
import { MeasureKey } from '../feedback/measures.ts';
import { ProjectId } from '../feedback/projects.ts';
import { DateText } from '../feedback/response-row.ts';
import { limitWithin, readRefusals, toggleParameters } from '../feedback/source-parameters.ts';
import { serviceOperations } from '../operation.ts';
import { Type } from '../schema.ts';

export const PullCost = Type.Object(
  {
    from: DateText,
    to: DateText,
    rows: Type.Integer({ description: 'Responses of the range, erased ones included; counted.' }),
    pages: Type.Integer({ description: 'Pages of data that have rows, of the size that was asked for.' }),
    requests: Type.Integer({ description: 'One for each page, and one where there is none.' }),
    bytes: Type.Object({
      estimate: Type.Integer({ description: 'Bodies of all pages together.' }),
      of: Type.Literal('uncompressed JSON'),
      sampled: Type.Integer({
        description: `So many rows were read for it, ${sampledRowsMax} at most, spread evenly over the range. Where these are all rows, the bytes are exact.`,
      }),
    }),
  },
  { $id: 'PullCost' },
);

const description = `Days are UTC, both ends included. How many rows there are is known without reading them; how many bytes they have is estimated from ${sampledRowsMax} of them, so the answer takes the same time whatever the range. The parameters are those of data.`;

const success = { status: 200, schema: PullCost, description: 'What it will take' } as const;

export const costOperations = serviceOperations({
  'GET /v1/measures/:measurementKey/cost': {
    access: { grant: 'r_cx_measures' },
    accept: 'required',
    params: MeasureKey,
    query: Type.Object({
      from: DateText,
      to: DateText,
      ...toggleParameters,
      limit: limitWithin(measureDataLimits),
    }),
    document: {
      operationId: 'measureCost',
      summary: 'Ask how many pages and bytes the data of a measure has for a range of days',
      description,
      tag: 'Measures',
      success,
    },
    refusals: readRefusals('MEASURE_NOT_FOUND'),
  },
  'GET /v1/projects/:projectId/cost': {
    area: 'projectData',
    access: { grant: 'r_cx_projects' },
    params: ProjectId,
    query: Type.Object({ from: DateText, to: DateText, limit: limitWithin(projectDataLimits) }),
    document: {
      operationId: 'projectCost',
      summary: 'Ask how many pages and bytes the data of a project has for a range of days',
      description,
      tag: 'Projects',
      success,
    },
    refusals: readRefusals('PROJECT_NOT_FOUND'),
  },
});
