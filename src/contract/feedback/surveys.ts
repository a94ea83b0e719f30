// /console/api/surveys: the measures and projects of the account as surveys that somebody looks after, the versions of each with what
// changed between them, and whether a version takes responses.

import { sourceKinds } from '../../domain/feedback/source-kind.ts';
import { consoleOperations } from '../operation.ts';
import { pageLimit, pageSchema } from '../page.ts';
import { Type } from '../schema.ts';

export const tag = 'Surveys';

export const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

/** Why nobody can answer now, or that everybody can, or whoever is invited. */
export const surveyStates = ['open', 'invited', 'closed', 'inactive', 'draft', 'none'] as const;

const listedSurvey = Type.Object(
  {
    kind: Type.Enum([...sourceKinds]),
    key: Type.Integer(),
    name: Type.String(),
    state: Type.Enum([...surveyStates], {
      description:
        '`open` for everybody, `invited` for whoever has an invitation, `closed` by its version, `inactive` or `draft` by its measure or project, `none` while it has no version.',
    }),
    surveyId: orNull('Of the current version; null while there is none.'),
    version: Type.Union([Type.Integer(), Type.Null()]),
    title: orNull('The heading of its page.'),
    versions: Type.Integer(),
    languages: Type.Array(Type.String()),
    questions: Type.Integer(),
    responses: Type.Integer({ description: 'Of all versions, erased ones too.' }),
    lastResponse: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    refusedToday: Type.Integer(),
  },
  { $id: 'ListedSurvey' },
);

export const access = { people: 'signedIn', ability: 'edit surveys' } as const;

export const surveyOperations = consoleOperations({
  'GET /surveys': {
    access,
    query: Type.Object({
      after: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description: '`next` of the page before; left out, the first page.',
        }),
      ),
      limit: pageLimit,
    }),
    document: {
      operationId: 'listSurveys',
      summary: 'The surveys of the account',
      description:
        'Every measure and project with its current version, in the order in which they were made, with how many responses they have and whether people can answer.',
      tag,
      success: { status: 200, schema: pageSchema(listedSurvey, 'Surveys'), description: 'A page of them.' },
    },
  },
});
