// /console/api/sign-in/password, /console/api/me and /console/api/me/password: people sign in by a password, and look
// after their own.

import { accountIdMax } from '../../domain/access/account.ts';
import { passwordLengthMax, passwordLengthMin } from '../../domain/access/password-rules.ts';
import { consoleOperations, done } from '../operation.ts';
import { Type } from '../schema.ts';
import { personSchema } from './shown-person.ts';

const meSchema = Type.Object(
  {
    person: personSchema,
    account: Type.Union([Type.Object({ id: Type.Integer(), name: Type.String() }), Type.Null()], {
      description: 'Where they act; null for an operator who has entered none.',
    }),
    hasPassword: Type.Boolean(),
    passwordChangedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    passkeys: Type.Integer({ description: 'How many they have.' }),
  },
  { $id: 'Me' },
);

export const passwordOperations = consoleOperations({
  'POST /sign-in/password': {
    access: { people: 'signingIn' },
    consumes: ['application/json'],
    body: Type.Object({
      account: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: accountIdMax,
          description: 'Of a user. Left out by operators, and where the store has one account.',
        }),
      ),
      name: Type.String({ description: 'The userName of a user, the name of an operator.' }),
      password: Type.String(),
    }),
    document: {
      operationId: 'signInByPassword',
      summary: 'Sign in by a password',
      description:
        'Whoever has a session of their own already goes on with it, and it is fresh from then on. Names that are not known, people who may not sign in and wrong passwords get the same answer after the same time.',
      tag: 'Sign-in',
      success: done('Signed in; the cookie holds the session.'),
    },
    refusals: ['SIGN_IN_REFUSED'],
  },
  'GET /me': {
    access: { people: 'signedIn' },
    document: {
      operationId: 'getMe',
      summary: 'What I sign in with',
      description: 'The person who signed in, and what they have to come back with.',
      tag: 'Me',
      success: { status: 200, schema: meSchema, description: 'The person of the session.' },
    },
  },
  'PUT /me/password': {
    access: { people: 'signedIn' },
    consumes: ['application/json'],
    body: Type.Object({
      password: Type.String({
        description: `${passwordLengthMin} to ${passwordLengthMax} characters of any kind, and none of those that are tried first.`,
      }),
      current: Type.Optional(
        Type.String({
          description:
            'The password of now. Asked for where there is one, unless the session began by a one-time link or a provider; where it is given, it must be right.',
        }),
      ),
    }),
    document: {
      operationId: 'setPassword',
      summary: 'Set or change my password',
      description: 'All other sessions of the person end. Asks for a sign-in of the last 15 minutes.',
      tag: 'Me',
      success: done('Set.'),
    },
    refusals: ['CONFLICT'],
  },
  'DELETE /me/password': {
    access: { people: 'signedIn' },
    document: {
      operationId: 'removePassword',
      summary: 'Remove my password',
      description:
        'Only where a passkey, or a connection to an identity provider, remains to come back with. All other sessions of the person end.',
      tag: 'Me',
      success: done('Removed.'),
    },
    refusals: ['CONFLICT'],
  },
});
