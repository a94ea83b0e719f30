// /console/api/session: who am I, and what may I do; the account that an operator has entered; signing out.

import { accountIdMax } from '../../domain/access/account.ts';
import { signInWays } from '../../domain/access/sign-in-way.ts';
import { consoleOperations, done } from '../operation.ts';
import { Type } from '../schema.ts';
import { abilitySchema, roleSchema } from './people.ts';
import { personSchema } from './shown-person.ts';

const sessionSchema = Type.Object(
  {
    person: personSchema,
    account: Type.Union([Type.Object({ id: Type.Integer(), name: Type.String() }), Type.Null()], {
      description: 'Where they act; null for an operator who has entered none.',
    }),
    roles: Type.Array(roleSchema),
    isAdminWithheld: Type.Boolean({
      description:
        'They are admin, but not here: what they signed in with goes back to a link that somebody without admin made.',
    }),
    isPasskeyDue: Type.Boolean({
      description:
        'A passkey is demanded of operators and admins, and they came without one: they may add one, and nothing else.',
    }),
    abilities: Type.Array(abilitySchema),
    way: Type.Enum([...signInWays], { description: 'How they signed in.' }),
    signedInAt: Type.String({
      format: 'date-time',
      description: 'When they proved who they are; where their provider did not say, when the session began.',
    }),
  },
  { $id: 'Session' },
);

export const sessionOperations = consoleOperations({
  'GET /session': {
    access: { people: 'signedIn' },
    document: {
      operationId: 'getSession',
      summary: 'Who am I',
      description: 'The person, the account they act in, and what they may do there.',
      tag: 'Session',
      success: { status: 200, schema: sessionSchema, description: 'The session of the cookie.' },
    },
  },
  'DELETE /session': {
    access: { people: 'signedIn' },
    document: {
      operationId: 'endSession',
      summary: 'Sign out',
      description: 'The session ends, and its cookie opens nothing any more.',
      tag: 'Session',
      success: done('Signed out.'),
    },
  },
  'POST /session/end-at-provider': {
    access: { people: 'signedIn' },
    document: {
      operationId: 'endSessionAtProvider',
      summary: 'Sign out here, and learn where to sign out at the provider',
      description:
        'The session ends as by DELETE. Where it was made by an identity provider that can be told, the page goes on to the URL; else there is none.',
      tag: 'Session',
      success: {
        status: 200,
        schema: Type.Object({
          url: Type.Union([Type.String(), Type.Null()], {
            description: 'Where the browser goes next; null where the provider has no such address.',
          }),
        }),
        description: 'Signed out here.',
      },
    },
  },
  'PUT /session/account': {
    access: { people: 'signedIn', ability: 'operate' },
    consumes: ['application/json'],
    body: Type.Object({
      accountId: Type.Union([Type.Integer({ minimum: 1, maximum: accountIdMax }), Type.Null()]),
    }),
    document: {
      operationId: 'enterAccount',
      summary: 'Enter or leave an account',
      description:
        "An operator has an admin's abilities within the account until leaving it (null). The audit log of the account says so.",
      tag: 'Session',
      success: done('Entered, or left.'),
    },
  },
});
