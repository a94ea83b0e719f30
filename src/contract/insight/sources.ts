// /console/api/sources: the measures and projects of the account, for whoever chooses one; and what a page about one of them has to
// know of it beside its figures.

import { consoleOperations } from '../operation.ts';
import { Type } from '../schema.ts';

const orNull = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });

export const listedMembers = {
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

export const sourceOperations = consoleOperations({
  'GET /sources': {
    access: { people: 'signedIn', ability: 'see scores' },
    document: {
      operationId: 'listSources',
      summary: 'Measures and projects of the account',
      description: 'In the order of their keys.',
      tag: 'Figures',
      success: { status: 200, schema: sourcesSchema, description: 'All of them, up to 1,000.' },
    },
  },
});
