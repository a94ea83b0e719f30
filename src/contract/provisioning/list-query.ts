// What a caller may ask of a list: which resources, in which order, and which window of them (D-54).

import type { TObject, TSchema } from 'typebox';
import { userPageMax } from '../../domain/window.ts';
import type { Face } from '../../scim/faces.ts';
import { Type } from '../schema.ts';

export const filtering = {
  filter: Type.Optional(Type.String({ description: 'Which of them; all of them unless given.' })),
  startIndex: Type.Optional(
    Type.Integer({ format: 'int64', description: 'The first result, from 1; below 1 counts as 1.' }),
  ),
  count: Type.Optional(
    Type.Integer({
      format: 'int64',
      description: `The most results; 100 unless given, at most ${userPageMax}, below 0 counts as 0.`,
    }),
  ),
};

export const sorting = {
  sortBy: Type.Optional(Type.String({ description: 'An attribute; what does not have it comes last.' })),
  sortOrder: Type.Optional(Type.Enum(['ascending', 'descending'])),
};

/** The body of a search, which says what the query of a list would. */
export function searchBody(face: Face, attributesInBody: Readonly<Record<string, TSchema>>): TObject {
  return Type.Object(
    {
      schemas: Type.Optional(Type.Array(Type.Unknown(), { description: 'Not looked at.' })),
      ...filtering,
      ...sorting,
      ...attributesInBody,
    },
    { additionalProperties: face.ignoresUnknownParameters },
  );
}
