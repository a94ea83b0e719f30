// The body of an ingestion request as JSON Schema, for the API document. It is read by
// domain/feedback/response-draft.ts, which names every fault in the words of a survey.

import { Type } from '../../contract/schema.ts';
import { type StandardField, standardFields } from '../../domain/feedback/standard-fields.ts';

function fields(parent: StandardField['parent']): Record<string, ReturnType<typeof Type.Optional>> {
  const types = {
    text: () => Type.String(),
    integer: (options: object) => Type.Integer({ format: 'int64', ...options }),
    boolean: () => Type.Boolean(),
  };
  const own = standardFields.filter((field) => field.parent === parent);
  return Object.fromEntries(
    own.map(({ name, kind }) => [name, Type.Optional(types[kind](descriptions[name] ?? {}))]),
  );
}

const descriptions: Readonly<Record<string, { readonly description: string }>> = {
  completionTimeInMs: {
    description:
      'How long it took, in milliseconds. Kept as it was sent; one below 0 or of more than 15 digits is no time, and is left out of the figures of time.',
  },
};

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
    responses: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String()), {
        description:
          'The answers: from the id of a question to a list of texts. A question with choices takes the ids of answers (several only where it is answered by check boxes), a scale takes a number written as a text, an open question takes the text itself.',
      }),
    ),
    cpps: Type.Optional(
      Type.Object(
        {
          properties: Type.Optional(
            Type.Record(Type.String(), Type.Array(Type.String()), {
              description: 'Parameters that have several texts as their value.',
            }),
          ),
          metrics: Type.Optional(
            Type.Record(Type.String(), Type.Number(), {
              description: 'Parameters that are numbers, such as the value of a cart.',
            }),
          ),
          data: Type.Optional(
            Type.Record(Type.String(), Type.String(), {
              description: 'Parameters that are one text, such as the segment of a customer.',
            }),
          ),
        },
        {
          description:
            'Custom passed parameters: what the page knows about the visit, by name. A name that the survey does not declare is kept all the same; one that is sent in several of the three groups is one parameter with all of its values.',
        },
      ),
    ),
    isTest: Type.Optional(
      Type.Boolean({ description: 'Judged in full, answered with the would-be scores, and not kept.' }),
    ),
  },
  { $id: 'SurveyResponse' },
);
