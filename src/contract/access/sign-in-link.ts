// POST /console/api/sign-in/link: whoever opens a one-time link is signed in by it, once.

import { consoleOperations } from '../operation.ts';
import { Type } from '../schema.ts';
import { personSchema } from './shown-person.ts';

const codeLengthMax = 200;

const signedIn = Type.Object(
  {
    person: personSchema,
    mustAddCredential: Type.Boolean({
      description: 'Whether they have neither a passkey nor a password, and so no way to come back.',
    }),
  },
  { $id: 'SignedInByLink' },
);

export const signInLinkOperations = consoleOperations({
  'POST /sign-in/link': {
    access: { people: 'signingIn' },
    consumes: ['application/json'],
    body: Type.Object({ code: Type.String({ maxLength: codeLengthMax }) }),
    document: {
      operationId: 'signInByLink',
      summary: 'Sign in by a one-time link',
      description: 'The code is what stands behind the # of the link. It works once.',
      tag: 'Sign-in',
      success: { status: 200, schema: signedIn, description: 'Signed in; the cookie is set.' },
    },
    refusals: ['SIGN_IN_REFUSED'],
  },
});
