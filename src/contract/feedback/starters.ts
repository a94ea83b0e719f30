// /console/api/starters: surveys to begin with, published with one click as `soundings apply` would publish a file.

import { sourceKinds } from '../../domain/feedback/source-kind.ts';
import { starterLanguages, starterNames } from '../../domain/feedback/starters.ts';
import { consoleOperations } from '../operation.ts';
import { Type } from '../schema.ts';

const tag = 'Surveys';

const place = { kind: Type.Enum([...sourceKinds]), key: Type.Integer() };

const starterSchema = Type.Object({
  name: Type.Enum([...starterNames]),
  ...place,
  state: Type.Enum(['free', 'published', 'taken'], {
    description: '`taken` where the account has something else under this key.',
  }),
});

const publishedSchema = Type.Object(
  {
    ...place,
    surveyId: Type.String(),
    isNew: Type.Boolean({ description: 'False where it was published before.' }),
  },
  { $id: 'PublishedStarter' },
);

const access = { people: 'signedIn', ability: 'edit surveys' } as const;

export const starterOperations = consoleOperations({
  'GET /starters': {
    access,
    document: {
      operationId: 'listStarters',
      summary: 'Surveys to begin with',
      description: 'Which there are, where each would stand, and whether that place is free.',
      tag,
      success: {
        status: 200,
        schema: Type.Object({ items: Type.Array(starterSchema) }, { $id: 'Starters' }),
        description: 'All of them.',
      },
    },
  },
  'POST /starters/:name': {
    access,
    params: Type.Object({ name: Type.Enum([...starterNames]) }),
    consumes: ['application/json'],
    body: Type.Object(
      {
        language: Type.Optional(
          Type.Enum([...starterLanguages], {
            description: 'Of its own texts; the others are translations. English unless given.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    document: {
      operationId: 'publishStarter',
      summary: 'Publish a survey to begin with',
      description:
        'It is public and takes responses at once. Published before, it stays as it is; where the account has something else under its key nothing is changed.',
      tag,
      success: { status: 200, schema: publishedSchema, description: 'Where it stands.' },
    },
    refusals: ['CONFLICT'],
  },
});
