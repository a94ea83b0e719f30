// /console/api/refused: responses that were refused, by survey, cause and day; what one of them said, where the quarantine has it; and
// judging them once more. What people wrote is shown to whoever may see responses.

import { refusalsKept } from '../../domain/feedback/refusal.ts';
import { sourceKinds } from '../../domain/feedback/source-kind.ts';
import { consoleOperations } from '../operation.ts';
import { pageAfter, pageLimit, pageSchema } from '../page.ts';
import { Type } from '../schema.ts';

const tag = 'Refused responses';

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const sourceSchema = Type.Union(
  [
    Type.Object({
      kind: Type.Enum([...sourceKinds]),
      key: Type.Integer(),
      name: Type.String(),
      version: Type.Integer(),
    }),
    Type.Null(),
  ],
  { description: 'Null for a survey that is not known to whoever sent to it.' },
);

const surveyId = orNull('Null where the survey is not known to whoever sent to it.');

const groupsSchema = Type.Object(
  {
    from: Type.String({ description: 'The first day, UTC.' }),
    to: Type.String(),
    refused: Type.Integer({ description: 'Of all groups, also of those that are not listed.' }),
    groups: Type.Array(
      Type.Object({
        surveyId,
        source: sourceSchema,
        cause: Type.String({ description: 'The code of the error, or of its first fault.' }),
        refused: Type.Integer(),
        days: Type.Array(Type.Object({ day: Type.String(), refused: Type.Integer() }), {
          description: 'Those with any.',
        }),
        waiting: Type.Integer({
          description:
            'Bodies in the quarantine that are refused for this cause now, which can be judged again.',
        }),
        waitingUntil: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
          description: 'When the oldest of them goes.',
        }),
      }),
      { description: 'What was refused most first, 200 at most.' },
    ),
    moreGroups: Type.Integer(),
  },
  { $id: 'RefusedGroups' },
);

const faultSchema = Type.Object({ field: Type.String(), code: Type.String() });

const refusalMembers = {
  id: Type.String({ description: 'Of the request.' }),
  at: Type.String({ format: 'date-time' }),
  surveyId,
  sender: orNull('The name of the API client; null for who came without a token.'),
  status: Type.Integer(),
  code: Type.String(),
  cause: Type.String(),
  faults: Type.Array(faultSchema),
  moreFaults: Type.Integer(),
};

const refusalSchema = Type.Object(refusalMembers, { $id: 'RefusedResponse' });

const waitingSchema = Type.Object({
  id: Type.String(),
  at: Type.String({ format: 'date-time' }),
  faults: Type.Array(faultSchema),
  moreFaults: Type.Integer(),
});

const bodySchema = Type.Object(
  {
    id: Type.String(),
    at: Type.String({ format: 'date-time' }),
    surveyId: Type.String(),
    cause: Type.String(),
    faults: Type.Array(faultSchema),
    moreFaults: Type.Integer(),
    until: Type.String({ format: 'date-time', description: 'Then it is forgotten.' }),
    body: Type.String({ description: 'As it was sent.' }),
  },
  { $id: 'RefusedBody' },
);

const redriveSchema = Type.Object(
  {
    accepted: Type.Integer(),
    keptBefore: Type.Integer({ description: 'Kept already: somebody has sent them again meanwhile.' }),
    refused: Type.Array(Type.Object({ cause: Type.String(), count: Type.Integer() }), {
      description: 'Refused once more, by their new causes.',
    }),
    next: orNull('Send it as `after` to go on; null where nothing is left.'),
  },
  { $id: 'Redriven' },
);

const daysMax = 90;

const access = { people: 'signedIn', ability: 'edit surveys' } as const;

export const refusedResponseOperations = consoleOperations({
  'GET /refused': {
    access,
    query: Type.Object({
      days: Type.Optional(
        Type.Integer({ minimum: 1, maximum: daysMax, description: 'With today; 30 unless given.' }),
      ),
    }),
    document: {
      operationId: 'listRefused',
      summary: 'Responses that were refused',
      description: 'How many, by survey, cause and day.',
      tag,
      success: { status: 200, schema: groupsSchema, description: 'The groups.' },
    },
  },
  'GET /refused/responses': {
    access,
    query: Type.Object({
      surveyId: Type.Optional(
        Type.String({ maxLength: 128, description: 'Of this survey; empty for those that are not known.' }),
      ),
      cause: Type.Optional(Type.String({ maxLength: 100 })),
      after: pageAfter,
      limit: pageLimit,
    }),
    document: {
      operationId: 'listRefusedResponses',
      summary: 'The last responses that were refused',
      description: `The newest first, of the last ${refusalsKept} of the account: when, by whom, and which fields. Never what was answered.`,
      tag,
      success: {
        status: 200,
        schema: pageSchema(refusalSchema, 'RefusedResponses'),
        description: 'A page of them.',
      },
    },
  },
  'GET /refused/bodies': {
    access,
    query: Type.Object({
      surveyId: Type.String({ minLength: 1, maxLength: 128 }),
      cause: Type.String({ minLength: 1, maxLength: 100 }),
      after: pageAfter,
      limit: pageLimit,
    }),
    document: {
      operationId: 'listRefusedBodies',
      summary: 'Refused responses that can be judged again',
      description:
        'Of one survey and cause, the newest first: when, and which fields. Never what was answered.',
      tag,
      success: {
        status: 200,
        schema: pageSchema(waitingSchema, 'RefusedBodies'),
        description: 'A page of them.',
      },
    },
  },
  'GET /refused/bodies/:id': {
    access,
    params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) }),
    document: {
      operationId: 'refusedBody',
      summary: 'What a refused response said',
      description:
        'Of surveys with `quarantine: true`, for a week; also asks for the ability to see responses.',
      tag,
      success: { status: 200, schema: bodySchema, description: 'The body as it was sent.' },
    },
    refusals: ['RESPONSE_NOT_FOUND'],
  },
  'POST /refused/redrive': {
    access,
    consumes: ['application/json'],
    body: Type.Object(
      {
        surveyId: Type.String({ minLength: 1, maxLength: 128 }),
        cause: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
        id: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Only this one.' })),
        as: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 128,
            description: 'The version that judges, instead of the one that was named.',
          }),
        ),
        dryRun: Type.Optional(Type.Boolean({ description: 'Say what would happen, and change nothing.' })),
        after: Type.Optional(Type.String({ maxLength: 100, description: '`next` of the answer before.' })),
      },
      { additionalProperties: false },
    ),
    document: {
      operationId: 'redriveRefused',
      summary: 'Judge refused responses once more',
      description:
        'By the survey as it is now, in the order in which they came. What is accepted is a response like any other; what is refused stays, with its new cause. An answer tells how far it came within some seconds, and where to go on.',
      tag,
      success: { status: 200, schema: redriveSchema, description: 'What became of them.' },
    },
    refusals: ['RESPONSE_NOT_FOUND'],
  },
});
