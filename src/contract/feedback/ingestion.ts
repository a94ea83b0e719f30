// One survey response. Its body is read by domain/feedback/response-draft.ts, which names every fault in the words of a survey; here it
// is described.

import { type StandardField, standardFields } from '../../domain/feedback/standard-fields.ts';
import { bodyRefusals, serviceOperations, tokenRefusals } from '../operation.ts';
import { Type } from '../schema.ts';

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

const ResponseBody = Type.Object(
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

const IngestionResult = Type.Object(
  {
    message: Type.String(),
    responseCode: Type.Integer(),
    responseId: Type.String({ description: 'The id under which the response is kept.' }),
    responseType: Type.Literal('SUCCESS'),
    timestamp: Type.String({ format: 'date-time' }),
    preview: Type.Optional(
      Type.Object(
        {
          latentScores: Type.Array(
            Type.Object({
              id: Type.String(),
              name: Type.String(),
              type: Type.String(),
              score: Type.Union([Type.Number(), Type.Null()]),
            }),
          ),
        },
        { description: 'Of a test response: the scores that it would have had.' },
      ),
    ),
  },
  { $id: 'IngestionResult' },
);

export const ingestionOperations = serviceOperations({
  'POST /v1/surveys/ingestion': {
    area: 'ingestion',
    access: 'survey',
    consumes: ['application/json'],
    keepsBodyText: true,
    allowsCrossOrigin: true,
    document: {
      operationId: 'ingestResponse',
      summary: 'Submit one full survey response',
      description:
        'The response is judged by the survey definition it names and is durable before the answer. The same responseId with the same content is the same success again; with other content it is a conflict. Needs the grant `w_cx_responses`, unless the survey is public: then a browser may post without a token.',
      tag: 'Ingestion',
      body: ResponseBody,
      success: {
        status: 200,
        schema: IngestionResult,
        description: 'The response is kept (or, for a test response, would have been)',
      },
    },
    refusals: [
      ...tokenRefusals,
      ...bodyRefusals,
      'INVALID_RESPONSE',
      'SURVEY_NOT_FOUND',
      'RESPONSE_CONFLICT',
    ],
  },
});
