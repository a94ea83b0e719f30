// Exports of measures and projects: the responses of a range of days as a file.

import { type ExportFormat, exportFormats } from '../../domain/feedback/export-format.ts';
import { serviceOperations } from '../operation.ts';
import { Type } from '../schema.ts';
import { MeasureKey } from './measures.ts';
import { ProjectId } from './projects.ts';
import { DateText } from './response-row.ts';
import { readRefusals, toggleParameters } from './source-parameters.ts';

/** The content type of each format. */
export const exportTypes: Readonly<Record<ExportFormat, string>> = {
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
  parquet: 'application/vnd.apache.parquet',
};

const position = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }));

const exportParameters = {
  from: DateText,
  to: DateText,
  format: Type.Enum([...exportFormats], {
    description: 'ndjson: a line an item; csv: a row a response; parquet: the same with types.',
  }),
  after: position('Rows behind this position of the log alone: to go on where an export was cut.'),
  until: position('Rows up to this position alone; the end of the log unless given.'),
  header: Type.Optional(
    Type.Boolean({ description: 'Of csv: whether the names of the columns come first; true unless given.' }),
  ),
  spreadsheet: Type.Optional(
    Type.Boolean({
      description: 'Of csv: a byte order mark, and no text that would be taken for a formula.',
    }),
  ),
};

const ExportedFile = Type.Unknown({
  description: 'The file, in the format that was asked for. Its columns are explained in docs/export.md.',
});

const documentOf = (what: 'measure' | 'project', of: string) =>
  ({
    summary: `Export the ${of} of a ${what} for a range of days as a file`,
    description:
      'Rows stand in the order of arrival, those that were there when the export began; each has its `position`. The headers say how many there are and where the log ended. The answer comes in chunks: without its end it is not whole. To go on with NDJSON or CSV, drop what stands behind the last whole row and ask again with `after` as the position of that row and `until` as the end position of the first answer.',
    success: { status: 200, schema: ExportedFile, description: 'The file', as: 'file' },
    typeExamples: {
      [exportTypes.csv]: 'id,responseTime,experienceDate\n',
      [exportTypes.parquet]: 'PAR1...PAR1',
    },
    answerHeaders: ['Export-Rows', 'Export-End-Position'],
  }) as const;

export const exportOperations = serviceOperations({
  'GET /v1/measures/:measurementKey/export': {
    accept: 'required',
    produces: Object.values(exportTypes),
    access: { grant: 'r_cx_measures' },
    params: MeasureKey,
    query: Type.Object({ ...exportParameters, ...toggleParameters }),
    document: { ...documentOf('measure', 'respondents'), operationId: 'exportMeasure', tag: 'Measures' },
    refusals: readRefusals('MEASURE_NOT_FOUND'),
  },
  'GET /v1/projects/:projectId/export': {
    accept: 'required',
    produces: Object.values(exportTypes),
    area: 'projectData',
    access: { grant: 'r_cx_projects' },
    params: ProjectId,
    query: Type.Object(exportParameters),
    document: { ...documentOf('project', 'entries'), operationId: 'exportProject', tag: 'Projects' },
    refusals: readRefusals('PROJECT_NOT_FOUND'),
  },
});
