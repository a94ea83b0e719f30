// A test sign-in: the whole way to the identity provider and back, and nobody is signed in by it. Whoever tests sees once what
// the provider said and whom it means here, or why nobody. What came back is sealed in a cookie of theirs until they have read
// it, so that any replica can show it and the store keeps nothing of it (D-603).

import { Type } from '../schema.ts';
import { matchFaults } from './refusal.ts';

const text = Type.Union([Type.String(), Type.Null()]);

export const testResultSchema = Type.Object(
  {
    connectionId: Type.String(),
    subjectClaim: Type.String({ description: 'The claim that is looked at.' }),
    subject: Type.Union([Type.String(), Type.Null()], { description: 'What it says.' }),
    claims: Type.Array(
      Type.Object({
        name: Type.String(),
        value: Type.String({ description: 'As JSON where it is no text.' }),
        isCut: Type.Boolean({ description: 'The value goes on.' }),
      }),
    ),
    claimsLeftOut: Type.Integer({ description: 'So many more claims came.' }),
    user: Type.Union(
      [
        Type.Object({
          id: Type.String(),
          userName: Type.String(),
          externalId: text,
        }),
        Type.Null(),
      ],
      { description: 'Whom the claims mean; of a refusal, who nearly matches.' },
    ),
    refusal: Type.Union(
      [
        Type.Object({
          code: Type.String(),
          match: Type.Union([Type.Enum([...matchFaults]), Type.Null()]),
          note: Type.String({ description: 'What exactly did not match.' }),
        }),
        Type.Null(),
      ],
      { description: 'Null where they would be let in.' },
    ),
  },
  { $id: 'TestSignIn' },
);
