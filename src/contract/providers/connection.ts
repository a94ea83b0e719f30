// A connection to an identity provider as people see it, and what is demanded of one.

import { Type } from '../schema.ts';

export const connectionSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String({ description: 'What the button on the sign-in page says; unique in the account.' }),
    issuer: Type.String(),
    clientId: Type.String(),
    subjectClaim: Type.String({
      description: 'The claim of the ID token that equals the externalId of the user.',
    }),
    hasSecret: Type.Boolean({ description: 'Without one nobody can sign in through it.' }),
    only: Type.Boolean({ description: 'The only way into the account.' }),
    createdAt: Type.String({ format: 'date-time' }),
    testedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When somebody first signed in through it as it is now.',
    }),
  },
  { $id: 'Connection' },
);
