// What a face answers for all of its types: the search over them (RFC 7644 section 3.4.3), many operations in one request
// (section 3.7), and /Me (section 3.11), which stands for nobody (D-143).

import type { BulkLimits } from '../../scim/bulk-request.ts';
import type { Face } from '../../scim/faces.ts';
import type { TypeDescription } from '../../scim/resource-type.ts';
import { bodyRefusals } from '../operation.ts';
import { Type } from '../schema.ts';
import { faceOperations, faceTraits, inSlices, jsonTypes } from './face-traits.ts';
import { searchBody } from './list-query.ts';
import { mixedListSchema } from './resource-schemas.ts';

export function rootSearchOperations(face: Face, types: readonly TypeDescription[]) {
  const { reading, describe, attributesInBody } = faceTraits(face);
  return faceOperations(face, {
    'POST /.search': {
      ...reading,
      consumes: jsonTypes,
      query: Type.Object({}),
      body: searchBody(face, attributesInBody),
      keepsBodyText: true,
      document: inSlices(
        describe('Groups')('Search', 'Search users and groups at once', mixedListSchema(face, types), {
          description:
            'Users first, then groups; an attribute that one of the types does not have has no value there.',
        }),
      ),
      refusals: bodyRefusals,
    },
  });
}

const operation = {
  method: Type.String({ description: 'POST, PUT, PATCH or DELETE.' }),
  bulkId: Type.Optional(
    Type.String({ description: 'The name under which others refer to what this creates.' }),
  ),
  version: Type.Optional(Type.String({ description: 'The version that the resource must still have.' })),
};

const bulkBody = Type.Object(
  {
    schemas: Type.Array(Type.String()),
    failOnErrors: Type.Optional(Type.Integer({ description: 'How many failures end the run.' })),
    Operations: Type.Array(
      Type.Object({
        ...operation,
        path: Type.String({ description: '/Users or /Groups, with an id behind it unless for POST.' }),
        data: Type.Optional(Type.Unknown({ description: 'The body of the operation.' })),
      }),
    ),
  },
  { $id: 'BulkRequest' },
);

const bulkAnswer = Type.Object(
  {
    schemas: Type.Array(Type.String()),
    Operations: Type.Array(
      Type.Object({
        ...operation,
        location: Type.Optional(Type.String({ description: 'Where the resource is.' })),
        status: Type.String({ description: 'What the operation would have been answered with alone.' }),
        response: Type.Optional(Type.Unknown({ description: 'The error of an operation that failed.' })),
      }),
    ),
  },
  { $id: 'BulkAnswer' },
);

export function bulkOperations(face: Face, { maxOperations }: BulkLimits) {
  const { writing, describe } = faceTraits(face);
  return faceOperations(face, {
    'POST /Bulk': {
      ...writing,
      query: Type.Object({}),
      document: describe('Bulk')('Bulk', 'Many operations in one request', bulkAnswer, {
        description: `At most ${maxOperations} operations, each for itself; failOnErrors ends the run after so many failures. Operations refer to what others create by bulkId.`,
        body: bulkBody,
      }),
      refusals: bodyRefusals,
    },
  });
}

export function meOperations(face: Face) {
  const me = { ...faceTraits(face).common, access: { grant: 'r_cx_users' } } as const;
  return faceOperations(face, {
    'GET /Me': me,
    'POST /Me': me,
    'PUT /Me': me,
    'PATCH /Me': me,
    'DELETE /Me': me,
  });
}
