// What another system knows of responses that are there already, as CSV or NDJSON.

import { serviceOperations } from '../operation.ts';
import { Type } from '../schema.ts';
import { MeasureKey } from './measures.ts';
import { readRefusals } from './source-parameters.ts';

export const externalBodyBytes = 4 * 1024 * 1024;

export const linesMax = 50_000;

export const skippedMax = 1_000;

export const csv = 'text/csv';

const ndjson = 'application/x-ndjson';

const ExternalResult = Type.Object(
  {
    applied: Type.Boolean({ description: 'False where it was only asked what would change.' }),
    changed: Type.Integer({ description: 'Responses that have a value now that they did not have.' }),
    unchanged: Type.Integer({ description: 'Responses that had everything already.' }),
    skippedCount: Type.Integer({
      description: 'Lines whose response is not known to the measure, or erased.',
    }),
    skipped: Type.Array(
      Type.Object({
        line: Type.Integer(),
        responseId: Type.String(),
        reason: Type.Enum(['unknown', 'erased']),
      }),
      { description: `The first ${skippedMax} of these lines.` },
    ),
  },
  { $id: 'ExternalParametersResult' },
);

export const externalParameterOperations = serviceOperations({
  'POST /v1/measures/:measurementKey/external-parameters': {
    access: { grant: 'w_cx_responses' },
    consumes: [ndjson, csv],
    readsBytes: true,
    params: MeasureKey,
    query: Type.Object({
      replace: Type.Optional(
        Type.Boolean({ description: 'Let a value take the place of another one that is there.' }),
      ),
      dryRun: Type.Optional(Type.Boolean({ description: 'Say what would change, and change nothing.' })),
    }),
    document: {
      operationId: 'appendExternalParameters',
      summary: 'Append or correct external parameters of responses that are there',
      description: `NDJSON with a member \`responseId\` and one for each parameter, or CSV with such columns; parameters go by their name or id, and an empty value or null says nothing. At most ${linesMax} lines and ${externalBodyBytes / 1024 / 1024} MiB. All of it is checked first: with a fault nothing is changed, and the faults are named with their lines. Then it is written in slices of 1,000 lines; if that breaks off, send the same again.`,
      tag: 'Measures',
      body: Type.String({ description: 'Lines in UTF-8.' }),
      bodyExamples: { [csv]: 'responseId,loyalty_tier\nmy-first-response,gold\n' },
      success: { status: 200, schema: ExternalResult, description: 'What was changed' },
    },
    refusals: [...readRefusals('MEASURE_NOT_FOUND'), 'CONFLICT', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  },
});
