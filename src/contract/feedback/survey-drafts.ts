// /console/api/surveys/{measures,projects}/{key}/...: the editor of surveys. It reads a measure or project with one version as a
// catalogue has it, says what a draft would change and what is wrong with it, and publishes it by the rules of `soundings apply`.

import type { TUnsafe } from 'typebox';
import type { Phrase } from '../../domain/feedback/catalogue-fault.ts';
import { phraseCodes } from '../../domain/feedback/catalogue-sentences.ts';
import type { SourceKind } from '../../domain/feedback/source-kind.ts';
import { consoleOperations } from '../operation.ts';
import { Type } from '../schema.ts';
import { sourceRefusals } from './source-key.ts';

const tag = 'Survey editor';

const access = { people: 'signedIn', ability: 'edit surveys' } as const;

export const kinds = [
  { kind: 'measure', path: 'measures', code: 'MEASURE_NOT_FOUND', keyMax: 2 ** 31 - 1 },
  { kind: 'project', path: 'projects', code: 'PROJECT_NOT_FOUND', keyMax: Number.MAX_SAFE_INTEGER },
] as const;

const baseSchema = Type.Union([Type.String({ maxLength: 60 }), Type.Null()], {
  description: 'What the draft was begun from; null for a measure or project that is new.',
});

const documentSchema = Type.Record(Type.String(), Type.Unknown(), {
  description: 'The measure or project as it stands in a catalogue, with one version under `surveys`.',
});

const changeSchema = Type.Object({
  kind: Type.Enum(['measure', 'project', 'survey']),
  action: Type.Enum(['create', 'update']),
  name: Type.String({ description: 'The name of the measure or project, the id of the survey.' }),
  changed: Type.Array(Type.String(), { description: 'The members that differ, of an update.' }),
  words: Type.String(),
});

// Nested as deep as phrases are.
const phraseValues = Type.Record(Type.String(), Type.Unknown(), {
  description: 'What stands in the message: texts, numbers, and phrases with a code and values of their own.',
}) as unknown as TUnsafe<Phrase['values']>;

const faultSchema = Type.Object({
  path: Type.String({ description: 'Where in the document, as in surveys[0].questions[2].rules.' }),
  message: Type.String(),
  code: Type.Enum([...phraseCodes], { description: 'What the message says, to be worded elsewhere.' }),
  values: phraseValues,
});

const lastChangeSchema = Type.Union([
  Type.Object({
    at: Type.String({ format: 'date-time' }),
    by: Type.String({ description: 'Who, by name where it is known.' }),
  }),
  Type.Null(),
]);

const planSchema = Type.Object(
  {
    base: baseSchema,
    isStale: Type.Boolean({ description: 'Somebody else has changed it since the draft was begun.' }),
    lastChange: lastChangeSchema,
    changes: Type.Array(changeSchema),
    faults: Type.Array(faultSchema),
  },
  { $id: 'SurveyPlan' },
);

const editedSchema = Type.Object(
  {
    base: Type.String(),
    document: documentSchema,
    versions: Type.Array(
      Type.Object({
        id: Type.String(),
        version: Type.Integer(),
        current: Type.Boolean(),
        hasResponses: Type.Boolean({ description: 'What it asks stays as it is.' }),
      }),
    ),
    nextVersion: Type.Union([Type.Object({ id: Type.String(), version: Type.Integer() }), Type.Null()]),
  },
  { $id: 'EditedSurvey' },
);

const publishedSchema = Type.Object(
  {
    base: Type.String({ description: 'What a next draft is begun from.' }),
    changes: Type.Array(changeSchema),
  },
  { $id: 'PublishedSurvey' },
);

const keyOf = (kind: SourceKind) => {
  const { keyMax } = kinds.find((one) => one.kind === kind)!;
  return Type.Object({ key: Type.Integer({ minimum: 1, maximum: keyMax }) });
};

const capital = (kind: SourceKind): string => (kind === 'measure' ? 'Measure' : 'Project');

const edited = (kind: SourceKind) =>
  ({
    access,
    // One that no catalogue has can be asked for, but not made (D-800).
    params:
      kind === 'measure' ? keyOf(kind) : Type.Object({ key: Type.Integer({ format: 'int64', minimum: 1 }) }),
    query: Type.Object({
      version: Type.Optional(
        Type.String({ maxLength: 128, description: 'The id of a version; the current one unless given.' }),
      ),
    }),
    document: {
      operationId: `edited${capital(kind)}`,
      summary: `A ${kind} for the editor`,
      description: 'As a catalogue has it, with one version of its survey, marked as the current one.',
      tag,
      success: { status: 200, schema: editedSchema, description: 'The document, and what it is based on.' },
    },
    refusals: sourceRefusals(kind),
  }) as const;

const draft = (kind: SourceKind) =>
  ({
    access,
    params: keyOf(kind),
    consumes: ['application/json'],
    body: Type.Object({ document: documentSchema, base: baseSchema }),
  }) as const;

const plan = (kind: SourceKind) =>
  ({
    ...draft(kind),
    document: {
      operationId: `plan${capital(kind)}`,
      summary: `What publishing a draft of a ${kind} would change`,
      description:
        'Nothing is changed. Everything that is wrong with the draft is listed, by itself or beside what is kept.',
      tag,
      success: { status: 200, schema: planSchema, description: 'What would change, and what is wrong.' },
    },
  }) as const;

const publish = (kind: SourceKind) =>
  ({
    ...draft(kind),
    document: {
      operationId: `publish${capital(kind)}`,
      summary: `Publish a draft of a ${kind}`,
      description:
        'All of it or nothing. Where somebody else has changed it since the draft was begun, nothing is changed. The same draft once more changes nothing more, so an answer that was lost can be asked for again.',
      tag,
      success: {
        status: 200,
        schema: publishedSchema,
        description: 'What was changed; nothing where it was so already.',
      },
    },
    refusals: ['SURVEY_CHANGED'],
  }) as const;

export const surveyDraftOperations = consoleOperations({
  'GET /surveys/free-key': {
    access,
    query: Type.Object({ kind: Type.Enum(kinds.map(({ kind }) => kind)) }),
    document: {
      operationId: 'freeSurveyKey',
      summary: 'A number for a new measure or project',
      description: 'One that none of the account has, or had.',
      tag,
      success: {
        status: 200,
        schema: Type.Object({ key: Type.Union([Type.Integer(), Type.Null()]) }, { $id: 'FreeSurveyKey' }),
        description: 'The number; null where the largest is taken.',
      },
    },
  },
  'GET /surveys/measures/:key/document': edited('measure'),
  'GET /surveys/projects/:key/document': edited('project'),
  'POST /surveys/measures/:key/plan': plan('measure'),
  'POST /surveys/projects/:key/plan': plan('project'),
  'POST /surveys/measures/:key/publish': publish('measure'),
  'POST /surveys/projects/:key/publish': publish('project'),
});
