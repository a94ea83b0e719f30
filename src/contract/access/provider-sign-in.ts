// Sign-in by the identity provider of an account: the way there and the way back, which are pages that a browser opens, and what a
// provider sends of a sign-out.

import { accountIdMax } from '../../domain/access/account.ts';
import { consoleWayOperations } from '../operation.ts';
import { Type } from '../schema.ts';

const ofConnection = Type.Object({
  account: Type.Integer({ minimum: 1, maximum: accountIdMax }),
  connection: Type.String({ minLength: 1, maxLength: 100 }),
});

const returnLengthMax = 1_000;

const page = { produces: ['text/html', 'application/json'] } as const;

export const providerSignInOperations = consoleWayOperations({
  'GET /sign-in/provider/:account/:connection': {
    ...page,
    access: { people: 'signingIn' },
    params: ofConnection,
    query: Type.Object({
      return: Type.Optional(Type.String({ maxLength: returnLengthMax })),
      fresh: Type.Optional(Type.Enum(['1'])),
    }),
  },
  'GET /callback': {
    ...page,
    access: { people: 'signingIn', isExemptFromOrigin: true },
    // Providers add parameters of their own.
    unknownQuery: 'ignored',
  },
  'POST /logout/:account/:connection': {
    access: { people: 'signingIn', isExemptFromOrigin: true },
    params: ofConnection,
  },
});
