// /console/api/sources: the measures and projects of the account, for whoever chooses one; and what a page about one of them has to
// know of it beside its figures.

import { type SourceKind, sourceKinds } from '../../domain/feedback/source-kind.ts';
import { sourceKey, sourceRefusals } from '../feedback/source-key.ts';
import { consoleOperations } from '../operation.ts';
import { Type } from '../schema.ts';

const orNull = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });

const listedMembers = {
  key: Type.Integer(),
  name: Type.String(),
  active: Type.Boolean({ description: 'Whether it takes responses.' }),
  version: orNull('The current version; null while there is none.'),
  versions: Type.Array(Type.Integer(), { description: 'All of them, in the order in which they were made.' }),
  hasTexts: Type.Boolean({
    description: 'Whether any version has a question that people answer in their own words.',
  }),
};

const listedSource = Type.Object(listedMembers, { $id: 'ListedSource' });

const sourcesSchema = Type.Object(
  {
    measures: Type.Array(listedSource),
    projects: Type.Array(listedSource),
    more: Type.Boolean({
      description: 'Whether the account has more than are listed: 1,000 of both together.',
    }),
  },
  { $id: 'Sources' },
);

export const joinedVersions = Type.Array(Type.Array(Type.Integer()), {
  description: 'Versions whose figures may be joined, in groups.',
});

export const scaleOrNull = Type.Union([Type.Object({ min: Type.Number(), max: Type.Number() }), Type.Null()]);

const named = { id: Type.String(), name: Type.String() };

const sourceFacts = Type.Object(
  {
    ...listedMembers,
    kind: Type.Enum([...sourceKinds]),
    created: Type.String({ format: 'date-time' }),
    latents: Type.Array(Type.Object({ ...named, type: Type.String(), joined: joinedVersions })),
    rating: Type.Union([Type.Object({ ...named, scale: scaleOrNull, joined: joinedVersions }), Type.Null()], {
      description: 'Of a project.',
    }),
    questions: Type.Array(
      Type.Object({
        ...named,
        responseType: Type.String(),
        role: Type.Union([Type.String(), Type.Null()], { description: 'rating or topic.' }),
        answers: Type.Array(Type.Object({ id: Type.String(), text: Type.String() }), {
          description: 'But for the numbers of a scale, whose ids end with them.',
        }),
      }),
      { description: 'Of all versions, each once, as the newest has it.' },
    ),
    parameters: Type.Object({
      custom: Type.Array(Type.String(), { description: 'Names.' }),
      external: Type.Array(Type.String()),
    }),
  },
  { $id: 'SourceFacts' },
);

export const sourceFactsAnswer = { status: 200, schema: sourceFacts, description: 'The facts.' } as const;

const access = { people: 'signedIn', ability: 'see scores' } as const;

const facts = (kind: SourceKind) =>
  ({
    access,
    params: sourceKey,
    document: {
      operationId: `${kind}Facts`,
      summary: `What a page about a ${kind} has to know of it`,
      description: 'Its versions, latents, questions, and the names of its parameters.',
      tag: 'Figures',
      success: sourceFactsAnswer,
    },
    refusals: sourceRefusals(kind),
  }) as const;

export const sourceOperations = consoleOperations({
  'GET /sources': {
    access,
    document: {
      operationId: 'listSources',
      summary: 'Measures and projects of the account',
      description: 'In the order of their keys.',
      tag: 'Figures',
      success: {
        status: 200,
        schema: sourcesSchema,
        description: 'All of them, up to 1,000.',
        as: 'text',
      },
    },
  },
  'GET /measures/:key': facts('measure'),
  'GET /projects/:key': facts('project'),
});
