// The body of an ingestion request, for the API document. It is read by domain/feedback/response-draft.ts, which names every fault with
// the words of a survey; this is the same form as JSON Schema.

import { type StandardField, standardFields } from '../../domain/feedback/standard-fields.ts';
import { Type } from '../server/schema.ts';

const texts = Type.Record(Type.String(), Type.Array(Type.String()));

function fields(parent: StandardField['parent']): Record<string, ReturnType<typeof Type.Optional>> {
  const types = { text: () => Type.String(), integer: () => Type.Integer(), boolean: () => Type.Boolean() };
  const own = standardFields.filter((field) => field.parent === parent);
  return Object.fromEntries(own.map(({ name, kind }) => [name, Type.Optional(types[kind]())]));
}

export const ResponseBody = Type.Object(
  {
    surveyDefinitionId: Type.String({ description: 'The survey definition that the response answers.' }),
    responseId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description:
          'Unique in the account; made by the service when left out. Send one to make retries safe.',
      }),
    ),
    ...fields(''),
    submissionTimestamp: Type.Optional(
      Type.String({ format: 'date-time', description: 'ISO 8601; now when left out.' }),
    ),
    deviceDetails: Type.Optional(Type.Object(fields('deviceDetails'))),
    integrations: Type.Optional(Type.Object(fields('integrations'))),
    responses: Type.Optional(texts),
    cpps: Type.Optional(
      Type.Object({
        properties: Type.Optional(texts),
        metrics: Type.Optional(Type.Record(Type.String(), Type.Number())),
        data: Type.Optional(Type.Record(Type.String(), Type.String())),
      }),
    ),
    isTest: Type.Optional(
      Type.Boolean({ description: 'Judged in full, answered with the would-be scores, and not kept.' }),
    ),
  },
  { $id: 'SurveyResponse' },
);
