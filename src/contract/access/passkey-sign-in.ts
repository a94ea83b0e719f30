// /console/api/sign-in/passkey: options for the browser, and what the authenticator has signed.

import { consoleOperations, done } from '../operation.ts';
import { Type } from '../schema.ts';
import { assertionSchema, requestOptionsSchema } from './passkey.ts';

export const passkeySignInOperations = consoleOperations({
  'POST /sign-in/passkey/options': {
    access: { people: 'signingIn' },
    consumes: ['application/json'],
    body: Type.Object({}),
    document: {
      operationId: 'getPasskeySignInOptions',
      summary: 'What an authenticator has to sign',
      description:
        'Options for navigator.credentials.get, the same for everybody. Their challenge is sealed in a cookie of this browser, can be answered once, and ends after five minutes.',
      tag: 'Sign-in',
      success: { status: 200, schema: requestOptionsSchema, description: 'The options.' },
    },
    refusals: ['SIGN_IN_REFUSED'],
  },
  'POST /sign-in/passkey': {
    access: { people: 'signingIn' },
    consumes: ['application/json'],
    body: Type.Object({ response: assertionSchema }),
    document: {
      operationId: 'signInByPasskey',
      summary: 'Sign in by a passkey',
      description:
        'What the authenticator gave for the options. Whoever has a session and signs in again goes on with it, and it is fresh.',
      tag: 'Sign-in',
      success: done('Signed in; the session is in the cookie.'),
    },
    refusals: ['SIGN_IN_REFUSED'],
  },
});
