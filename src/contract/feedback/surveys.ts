// /console/api/surveys: the measures and projects of the account as surveys that somebody looks after, the versions of each with what
// changed between them, and whether a version takes responses.

import { type SourceKind, sourceKinds } from '../../domain/feedback/source-kind.ts';
import { differenceKinds, differingThings } from '../../domain/feedback/survey-difference.ts';
import { consoleOperations, done } from '../operation.ts';
import { pageLimit, pageSchema } from '../page.ts';
import { Type } from '../schema.ts';
import { sourceKey, sourceRefusals } from './source-key.ts';

const tag = 'Surveys';

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

/** Why nobody can answer now, or that everybody can, or whoever is invited. */
export const surveyStates = ['open', 'invited', 'closed', 'inactive', 'draft', 'none'] as const;
export type SurveyState = (typeof surveyStates)[number];

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

export const versionsShown = 100;
export const differencesShown = 100;

const difference = Type.Object(
  {
    what: Type.Enum([...differenceKinds]),
    of: Type.Enum([...differingThings]),
    id: Type.String(),
    name: Type.String(),
    members: Type.Array(Type.String()),
  },
  { $id: 'SurveyDifference' },
);

const versionSchema = Type.Object({
  surveyId: Type.String(),
  version: Type.Integer(),
  current: Type.Boolean(),
  public: Type.Boolean(),
  closed: Type.Boolean(),
  languages: Type.Array(Type.String()),
  questions: Type.Integer(),
  responses: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Null while they are still being added up.',
  }),
  firstDay: orNull('Of its responses.'),
  lastDay: orNull('Of its responses.'),
  differences: Type.Array(difference, {
    description: 'From the version before it; none for the first.',
  }),
  moreDifferences: Type.Integer({ description: 'How many are not listed.' }),
});

const surveyVersions = Type.Object(
  {
    kind: Type.Enum([...sourceKinds]),
    key: Type.Integer(),
    name: Type.String(),
    state: Type.Enum([...surveyStates]),
    created: Type.String({ format: 'date-time' }),
    responses: Type.Integer(),
    lastResponse: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    versions: Type.Array(versionSchema, { description: `The newest first, ${versionsShown} at most.` }),
    moreVersions: Type.Integer(),
  },
  { $id: 'SurveyVersions' },
);

const access = { people: 'signedIn', ability: 'edit surveys' } as const;

const versions = (kind: SourceKind) =>
  ({
    access,
    params: sourceKey,
    document: {
      operationId: `${kind}SurveyVersions`,
      summary: `The versions of the survey of a ${kind}`,
      description: 'Each with its responses and with what it asks otherwise than the version before.',
      tag,
      success: { status: 200, schema: surveyVersions, description: 'The versions.' },
    },
    refusals: sourceRefusals(kind),
  }) as const;

const closed = (kind: SourceKind) =>
  ({
    access,
    params: Type.Object({
      ...sourceKey.properties,
      surveyId: Type.String({ minLength: 1, maxLength: 128 }),
    }),
    consumes: ['application/json'],
    body: Type.Object({ closed: Type.Boolean() }, { additionalProperties: false }),
    document: {
      operationId: `close${kind === 'measure' ? 'Measure' : 'Project'}Survey`,
      summary: 'Close a version of a survey, or open it again',
      description:
        'As `closed` of the catalogue says it: a closed version shows a notice instead of its page and takes no responses.',
      tag,
      success: done('It is so now.'),
    },
    refusals: [...sourceRefusals(kind), 'CONFLICT'],
  }) as const;

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
  'GET /surveys/measures/:key': versions('measure'),
  'GET /surveys/projects/:key': versions('project'),
  'PUT /surveys/measures/:key/versions/:surveyId/closed': closed('measure'),
  'PUT /surveys/projects/:key/versions/:surveyId/closed': closed('project'),
});
