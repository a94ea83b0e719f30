// /console/api/setup: what whoever has a set-up link can do, and no more: see the addresses to enter at the provider, enter the
// one connection, make its token, look at what came by that, test, and say that they are done. The code comes in a header of
// each request, so no other page can send it along, and no cookie is needed (D-600).

import { providerKinds } from '../../domain/access/provider-kind.ts';
import { watchedTokenSchema } from '../access/provisioning-token.ts';
import { consoleOperations, done } from '../operation.ts';
import { Type } from '../schema.ts';
import { addressesSchema } from './addresses.ts';
import { connectionSchema } from './connection.ts';
import { findingsSchema } from './findings.ts';
import { logPageSchema, logQuery } from './log-page.ts';
import { testResultSchema } from './test-sign-in.ts';

const tag = 'Set-up by a link';

export const codeHeader = 'setup-code';

const moment = Type.String({ format: 'date-time' });

const setupSchema = Type.Object(
  {
    account: Type.String({ description: 'What the account is called.' }),
    kind: Type.Enum([...providerKinds]),
    connection: Type.Union([connectionSchema, Type.Null()], { description: 'Null until it is entered.' }),
    tokens: Type.Array(watchedTokenSchema, { description: 'That of this set-up; none until it is made.' }),
    addresses: addressesSchema,
    expiresAt: Type.String({ format: 'date-time', description: 'When the link ends.' }),
  },
  { $id: 'ProviderSetup' },
);

const headers = Type.Object({
  [codeHeader]: Type.String({ description: 'What stands behind the # of the link.' }),
});

export const setupOperations = consoleOperations({
  'GET /setup': {
    access: { people: 'signingIn' },
    document: {
      operationId: 'getSetup',
      summary: 'The set-up that a link is for',
      description: 'With all that has to be entered at the provider.',
      tag,
      headers,
      success: { status: 200, schema: setupSchema, description: 'The set-up.' },
    },
  },
  'PUT /setup/connection': {
    access: { people: 'signingIn' },
    consumes: ['application/json'],
    body: Type.Object({
      name: Type.Optional(Type.String()),
      issuer: Type.String(),
      clientId: Type.String(),
      subjectClaim: Type.Optional(Type.String()),
      secret: Type.Optional(Type.String({ description: 'It is sealed, and never shown again.' })),
    }),
    document: {
      operationId: 'enterSetupConnection',
      summary: 'Enter the connection of the set-up',
      description: 'Or change it, as long as nobody has signed in through it.',
      tag,
      headers,
      success: { status: 200, schema: setupSchema, description: 'The set-up.' },
    },
    refusals: ['CONNECTION_NOT_FOUND', 'CONFLICT'],
  },
  'POST /setup/test': {
    access: { people: 'signingIn' },
    document: {
      operationId: 'testSetup',
      summary: 'Ask the provider, and say what is missing',
      description: 'As of a connection in the console.',
      tag,
      headers,
      success: {
        status: 200,
        schema: Type.Object({ findings: findingsSchema }, { $id: 'SetupFindings' }),
        description: 'What was found.',
      },
    },
    refusals: ['CONNECTION_NOT_FOUND'],
  },
  'POST /setup/token': {
    access: { people: 'signingIn' },
    document: {
      operationId: 'createSetupToken',
      summary: 'Make the provisioning token of the set-up',
      description: 'It is in this answer and nowhere else. One that was made by the link before ends.',
      tag,
      headers,
      success: {
        status: 201,
        schema: Type.Object(
          { id: Type.String(), token: Type.String(), expires: moment },
          { $id: 'SetupToken' },
        ),
        description: 'The token.',
      },
    },
  },
  'GET /setup/log': {
    access: { people: 'signingIn' },
    query: Type.Object(logQuery),
    document: {
      operationId: 'listSetupDeeds',
      summary: 'What came by the token of the set-up',
      description: 'The newest first.',
      tag,
      headers,
      success: { status: 200, schema: logPageSchema, description: 'A page of it.' },
    },
  },
  'POST /setup/test-sign-in': {
    access: { people: 'signingIn' },
    document: {
      operationId: 'beginSetupTestSignIn',
      summary: 'Begin a sign-in that lets nobody in',
      description: 'The browser comes back to the page of the set-up, where the result is read once.',
      tag,
      headers,
      success: {
        status: 200,
        schema: Type.Object({ url: Type.String() }, { $id: 'SetupTestSignInBegun' }),
        description: 'Where to go.',
      },
    },
    refusals: ['CONNECTION_NOT_FOUND'],
  },
  'POST /setup/test-sign-in/result': {
    access: { people: 'signingIn' },
    document: {
      operationId: 'readSetupTestSignIn',
      summary: 'What the test sign-in has found',
      description: 'It is read once, in the browser that made the test, within 10 minutes.',
      tag,
      headers,
      success: { status: 200, schema: testResultSchema, description: 'The claims, and whom they mean.' },
    },
    refusals: ['CONNECTION_NOT_FOUND'],
  },
  'POST /setup/finish': {
    access: { people: 'signingIn' },
    document: {
      operationId: 'finishSetup',
      summary: 'The set-up is done',
      description: 'The link ends; what was set up stays.',
      tag,
      headers,
      success: done('The link has ended.'),
    },
  },
});
