// /console/api/providers: what the pages of identity providers need at once, and what these providers did. A page that waits
// for the first request of a provider asks here again and again, so it is a few small questions.

import { providerKinds } from '../../domain/access/provider-kind.ts';
import { watchedTokenSchema } from '../access/provisioning-token.ts';
import { consoleOperations } from '../operation.ts';
import { Type } from '../schema.ts';
import { addressesSchema } from './addresses.ts';
import { connectionSchema } from './connection.ts';
import { logPageSchema, logQuery } from './log-page.ts';
import { setupLinkSchema } from './setup-link.ts';
import { testResultSchema } from './test-sign-in.ts';

const tag = 'Identity providers';

const params = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });

const providerSchema = Type.Object(
  {
    connection: connectionSchema,
    kind: Type.Enum([...providerKinds], { description: 'By its address.' }),
    tokens: Type.Array(watchedTokenSchema, { description: 'Those that belong to the connection.' }),
  },
  { $id: 'IdentityProvider' },
);

const shared = {
  addresses: addressesSchema,
  setupLink: Type.Union([setupLinkSchema, Type.Null()], { description: 'The one that is live.' }),
};

const access = { people: 'signedIn', ability: 'manage users' } as const;

export const identityProviderOperations = consoleOperations({
  'GET /providers': {
    access,
    document: {
      operationId: 'listIdentityProviders',
      summary: 'The identity providers of the account',
      description:
        'Each connection with the provisioning tokens that belong to it, and the tokens of no connection. Of tokens that have ended only those of the last 30 days.',
      tag,
      success: {
        status: 200,
        schema: Type.Object(
          { providers: Type.Array(providerSchema), tokens: Type.Array(watchedTokenSchema), ...shared },
          { $id: 'IdentityProviders' },
        ),
        description: 'The providers, by name.',
      },
    },
  },
  'GET /providers/:id': {
    access,
    params,
    document: {
      operationId: 'getIdentityProvider',
      summary: 'One identity provider',
      description: 'By the id of its connection, with all that has to be entered at the provider.',
      tag,
      success: {
        status: 200,
        schema: Type.Object({ ...providerSchema.properties, ...shared }, { $id: 'IdentityProviderSetup' }),
        description: 'The provider.',
      },
    },
    refusals: ['CONNECTION_NOT_FOUND'],
  },
  'GET /provisioning-log': {
    access,
    query: Type.Object({
      ...logQuery,
      connection: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'Only of the tokens of this connection.' }),
      ),
      token: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'Only of this token or API client.' }),
      ),
    }),
    document: {
      operationId: 'listProviderDeeds',
      summary: 'What identity providers did',
      description:
        'The last requests, of seven days and 1,000 of an account at most, the newest first. Requests without a valid token reach no account and are not here.',
      tag,
      success: { status: 200, schema: logPageSchema, description: 'A page of them.' },
    },
  },
  'POST /connections/:id/test-sign-in': {
    access,
    params,
    document: {
      operationId: 'beginTestSignIn',
      summary: 'Begin a sign-in that lets nobody in',
      description:
        'The browser goes to the address, to the provider and back to the page of the connection, where the result is read once.',
      tag,
      success: {
        status: 200,
        schema: Type.Object({ url: Type.String() }, { $id: 'TestSignInBegun' }),
        description: 'Where to go.',
      },
    },
    refusals: ['CONNECTION_NOT_FOUND'],
  },
  'POST /connections/:id/test-sign-in/result': {
    access,
    params,
    document: {
      operationId: 'readTestSignIn',
      summary: 'What the test sign-in has found',
      description: 'It is read once, in the browser that made the test, within 10 minutes.',
      tag,
      success: { status: 200, schema: testResultSchema, description: 'The claims, and whom they mean.' },
    },
    refusals: ['CONNECTION_NOT_FOUND'],
  },
});
