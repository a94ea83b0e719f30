// /console/api/connections: the connections of the account to identity providers. /console/api/sign-in/ways tells the
// sign-in page which ways there are.

import { accountIdMax } from '../../domain/access/account.ts';
import { consoleOperations, done } from '../operation.ts';
import { Type } from '../schema.ts';
import { connectionSchema } from './connection.ts';
import { findingsSchema } from './findings.ts';

const listSchema = Type.Object({
  connections: Type.Array(connectionSchema),
  callbackUrl: Type.String({ description: 'What the provider must be told as the redirect URI.' }),
});

const testSchema = Type.Object({
  callbackUrl: Type.String(),
  logoutUrl: Type.String({ description: 'For the back-channel logout of the provider.' }),
  fault: Type.Union([Type.String(), Type.Null()], { description: 'What is wrong with the provider.' }),
  activeUsers: Type.Integer(),
  withoutExternalId: Type.Integer({ description: 'Active users whom nobody can be linked with.' }),
  ofOtherConnection: Type.Integer({ description: 'Active users who belong to another connection.' }),
  findings: findingsSchema,
});

const params = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });

const members = {
  name: Type.String(),
  issuer: Type.String(),
  clientId: Type.String(),
  subjectClaim: Type.Optional(Type.String()),
  secret: Type.Optional(Type.String({ description: 'It is sealed, and never shown again.' })),
};

// Whoever names a provider says who everybody is: that is for admins, though others manage users (D-356).
const changing = { people: 'signedIn', ability: 'manage API clients' } as const;

const reading = { people: 'signedIn', ability: 'manage users' } as const;

export const connectionOperations = consoleOperations({
  'GET /sign-in/ways': {
    access: { people: 'signingIn' },
    query: Type.Object({ account: Type.Optional(Type.Integer({ minimum: 1, maximum: accountIdMax })) }),
    document: {
      operationId: 'listSignInWays',
      summary: 'Which ways to sign in there are',
      description:
        'Of an account, or without one of the operators. An account that is not there looks like one without connections.',
      tag: 'Sign-in',
      success: {
        status: 200,
        schema: Type.Object(
          {
            passwords: Type.Boolean(),
            passkeys: Type.Boolean(),
            connections: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
            only: Type.Boolean({ description: 'The account is entered through these connections alone.' }),
          },
          { $id: 'SignInWays' },
        ),
        description: 'The ways.',
      },
    },
    refusals: ['SIGN_IN_REFUSED'],
  },
  'GET /connections': {
    access: reading,
    document: {
      operationId: 'listConnections',
      summary: 'The connections to identity providers',
      description: 'Without their secrets.',
      tag: 'Connections',
      success: { status: 200, schema: listSchema, description: 'The connections, by name.' },
    },
  },
  'POST /connections': {
    access: changing,
    consumes: ['application/json'],
    body: Type.Object(members),
    document: {
      operationId: 'createConnection',
      summary: 'Connect the account to an identity provider',
      description: 'The provider is not asked yet: see the test of the connection.',
      tag: 'Connections',
      success: { status: 201, schema: connectionSchema, description: 'The connection.' },
    },
    refusals: ['CONFLICT'],
  },
  'PATCH /connections/:id': {
    access: changing,
    params,
    consumes: ['application/json'],
    body: Type.Object({
      ...members,
      name: Type.Optional(members.name),
      issuer: Type.Optional(members.issuer),
      clientId: Type.Optional(members.clientId),
      only: Type.Optional(
        Type.Boolean({
          description: 'Shuts all other ways into the account, after somebody has signed in by this one.',
        }),
      ),
    }),
    document: {
      operationId: 'changeConnection',
      summary: 'Change a connection',
      description:
        'What is left out stays. Another issuer, client or claim ends the sessions through it, and it is no longer the only way in.',
      tag: 'Connections',
      success: { status: 200, schema: connectionSchema, description: 'The connection.' },
    },
    refusals: ['CONNECTION_NOT_FOUND', 'CONFLICT'],
  },
  'DELETE /connections/:id': {
    access: changing,
    params,
    document: {
      operationId: 'removeConnection',
      summary: 'Remove a connection',
      description: 'Whoever signed in through it is out, and its users belong to no connection.',
      tag: 'Connections',
      success: done('Removed.'),
    },
    refusals: ['CONNECTION_NOT_FOUND'],
  },
  'POST /connections/:id/test': {
    access: changing,
    params,
    document: {
      operationId: 'testConnection',
      summary: 'Ask the provider, and count whom it lets in',
      description:
        'Fetches the metadata of the provider now, and counts users who have no way in through it.',
      tag: 'Connections',
      success: { status: 200, schema: testSchema, description: 'What was found.' },
    },
    refusals: ['CONNECTION_NOT_FOUND'],
  },
  'PUT /users/:id/connection': {
    access: changing,
    params,
    consumes: ['application/json'],
    body: Type.Object({ connectionId: Type.Union([Type.String(), Type.Null()]) }),
    document: {
      operationId: 'setUserConnection',
      summary: 'Which connection a user belongs to',
      description: 'By the internal id of the user; null for the next one that they sign in by.',
      tag: 'Connections',
      success: done('So it is.'),
    },
    refusals: ['USER_NOT_FOUND'],
  },
});
