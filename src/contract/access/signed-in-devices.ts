// The sessions of the person themselves, and for those who manage users the sessions of others: which there are, and their
// end.

import { signInWays } from '../../domain/access/sign-in-way.ts';
import { consoleOperations, done } from '../operation.ts';
import { Type } from '../schema.ts';
import { userIdParams } from './user-of-path.ts';

const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const sessionsSchema = Type.Object(
  {
    sessions: Type.Array(
      Type.Object({
        id: Type.String(),
        way: Type.Enum([...signInWays], { description: 'How they signed in.' }),
        connectionId: textOrNull('The connection to an identity provider, where that was the way.'),
        createdAt: Type.String({ format: 'date-time' }),
        usedAt: Type.String({ format: 'date-time', description: 'The last use, to the minute.' }),
        origin: textOrNull('The address that they signed in from.'),
        browser: textOrNull('What the browser said of itself.'),
        isThis: Type.Boolean({ description: 'Whether it is the one that asks.' }),
      }),
      { description: 'The newest first.' },
    ),
  },
  { $id: 'Sessions' },
);

const endedSchema = Type.Object({ ended: Type.Integer() }, { $id: 'EndedSessions' });

export const signedInDeviceOperations = consoleOperations({
  'GET /me/sessions': {
    access: { people: 'signedIn' },
    document: {
      operationId: 'listOwnSessions',
      summary: 'Where am I signed in',
      description: 'The sessions of the person who asks.',
      tag: 'Me',
      success: { status: 200, schema: sessionsSchema, description: 'Those that are live.' },
    },
  },
  'DELETE /me/sessions': {
    access: { people: 'signedIn' },
    document: {
      operationId: 'endOtherOwnSessions',
      summary: 'Sign out everywhere else',
      description: 'Every session of the person but the one that asks.',
      tag: 'Me',
      success: { status: 200, schema: endedSchema, description: 'How many have ended.' },
    },
  },
  'DELETE /me/sessions/:id': {
    access: { people: 'signedIn' },
    params: Type.Object({ id: Type.String({ maxLength: 100 }) }),
    document: {
      operationId: 'endOwnSession',
      summary: 'End one of my sessions',
      description: 'Asking twice does no harm: one that has ended has ended.',
      tag: 'Me',
      success: done('The person has no such session any more.'),
    },
  },
  'GET /users/:id/sessions': {
    access: { people: 'signedIn', ability: 'manage users' },
    params: userIdParams,
    document: {
      operationId: 'listUserSessions',
      summary: 'Where a user is signed in',
      description: 'The sessions of a user of the account.',
      tag: 'Users',
      success: { status: 200, schema: sessionsSchema, description: 'Those that are live.' },
    },
    refusals: ['USER_NOT_FOUND'],
  },
  'DELETE /users/:id/sessions': {
    access: { people: 'signedIn', ability: 'manage users' },
    params: userIdParams,
    document: {
      operationId: 'endUserSessions',
      summary: 'Sign a user out everywhere',
      description:
        'They may sign in again: to keep somebody out, suspend them. The sessions of an admin are ended by an admin or an operator.',
      tag: 'Users',
      success: { status: 200, schema: endedSchema, description: 'How many have ended.' },
    },
    refusals: ['USER_NOT_FOUND'],
  },
  'DELETE /users/:id/sessions/:sessionId': {
    access: { people: 'signedIn', ability: 'manage users' },
    params: Type.Object({ ...userIdParams.properties, sessionId: Type.String({ maxLength: 100 }) }),
    document: {
      operationId: 'endUserSession',
      summary: 'End one session of a user',
      description: 'Asking twice does no harm: one that has ended has ended.',
      tag: 'Users',
      success: done('The user has no such session any more.'),
    },
    refusals: ['USER_NOT_FOUND'],
  },
});
