// /console/api/providers: what the pages of identity providers need at once, and what these providers did. A page that waits
// for the first request of a provider asks here again and again, so it is a few small questions.

import type { FastifyInstance } from 'fastify';
import { kindOfIssuer, providerKinds } from '../../domain/access/provider-kind.ts';
import { Problem } from '../../domain/problem.ts';
import { listConnections } from '../../store/access/connections.ts';
import { findSetupLink } from '../../store/access/setup-links.ts';
import { addRoute } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import { connectionSchema, demandConnection, shownConnection } from './connection-view.ts';
import { consoleDocument } from './console-document.ts';
import { accountOf, visitorOf } from './console-gate.ts';
import type { ConsoleServices } from './console-services.ts';
import { addressesOf, addressesSchema } from './provider-addresses.ts';
import { logPage, logPageSchema, logQuery } from './provider-log-page.ts';
import { setupLinkSchema, shownSetupLink } from './setup-link-view.ts';
import { TestSignIns, testResultSchema } from './test-sign-ins.ts';
import { tokensOfConnection, watchedTokenSchema, watchedTokens } from './token-view.ts';
import { stampOf } from './visitor-stamp.ts';

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

export function identityProviderRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context, address, firstData } = services;
  const { db } = context;
  const testSignIns = new TestSignIns(services);
  const access = { people: 'signedIn', ability: 'manage users' } as const;

  // The pages begin with them.
  firstData.set('providers', ({ visitor: { accountId } }) => ({ '/providers': () => all(accountId!) }));
  firstData.set('provider', ({ visitor: { accountId }, params: { id = '' } }) =>
    id === 'new'
      ? { '/providers': () => all(accountId!) }
      : { [`/providers/${encodeURIComponent(id)}`]: () => one(accountId!, id) },
  );

  addRoute(app, {
    method: 'GET',
    path: '/console/api/providers',
    area: 'console',
    access,
    document: consoleDocument({
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
    }),
    handle: (_input, request) => all(accountOf(request)),
  });

  addRoute(app, {
    method: 'GET',
    path: '/console/api/providers/:id',
    area: 'console',
    access,
    params,
    document: consoleDocument({
      operationId: 'getIdentityProvider',
      summary: 'One identity provider',
      description: 'By the id of its connection, with all that has to be entered at the provider.',
      tag,
      success: {
        status: 200,
        schema: Type.Object({ ...providerSchema.properties, ...shared }, { $id: 'IdentityProviderSetup' }),
        description: 'The provider.',
      },
      conditions: [404],
    }),
    handle: ({ params: { id } }, request) => one(accountOf(request), id),
  });

  addRoute(app, {
    method: 'GET',
    path: '/console/api/provisioning-log',
    area: 'console',
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
    document: consoleDocument({
      operationId: 'listProviderDeeds',
      summary: 'What identity providers did',
      description:
        'The last requests, of seven days and 1,000 of an account at most, the newest first. Requests without a valid token reach no account and are not here.',
      tag,
      success: { status: 200, schema: logPageSchema, description: 'A page of them.' },
    }),
    handle: async ({ query: { connection, token, ...question } }, request) => {
      const accountId = accountOf(request);
      const ofConnection =
        connection === undefined
          ? null
          : (await tokensOfConnection(context, accountId, connection)).map(({ id }) => id);
      const actors =
        token === undefined
          ? ofConnection
          : [token].filter((one) => ofConnection === null || ofConnection.includes(one));
      return logPage(context, accountId, actors, question);
    },
  });

  addRoute(app, {
    method: 'POST',
    path: '/console/api/connections/:id/test-sign-in',
    area: 'console',
    access,
    params,
    document: consoleDocument({
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
      conditions: [404],
    }),
    handle: async ({ params: { id } }, request, reply) => {
      const connection = await demandConnection(db, accountOf(request), id);
      return testSignIns.begin(reply, connection, {
        owner: `session ${visitorOf(request).sessionId}`,
        returnTo: `/console/provider/${id}?tested=1`,
        stamp: stampOf(context, request),
      });
    },
  });

  addRoute(app, {
    method: 'POST',
    path: '/console/api/connections/:id/test-sign-in/result',
    area: 'console',
    access,
    params,
    document: consoleDocument({
      operationId: 'readTestSignIn',
      summary: 'What the test sign-in has found',
      description: 'It is read once, in the browser that made the test, within 10 minutes.',
      tag,
      success: { status: 200, schema: testResultSchema, description: 'The claims, and whom they mean.' },
      conditions: [404],
    }),
    handle: async ({ params: { id } }, request, reply) => {
      await demandConnection(db, accountOf(request), id);
      const owner = `session ${visitorOf(request).sessionId}` as const;
      const result = await testSignIns.take(request, reply, owner, id);
      if (result === null) throw noTest();
      return result;
    },
  });

  async function all(accountId: number) {
    const [connections, tokens, link] = await Promise.all([
      listConnections(db, accountId),
      watchedTokens(context, accountId),
      findSetupLink(db, accountId, context.now()),
    ]);
    const known = new Set(connections.map(({ id }) => id));
    return {
      providers: connections.map((connection) => ({
        connection: shownConnection(connection),
        kind: kindOfIssuer(connection.issuer),
        tokens: tokens.filter((token) => token.connection === connection.id),
      })),
      tokens: tokens.filter(({ connection }) => connection === null || !known.has(connection)),
      addresses: addressesOf(address, accountId, null),
      setupLink: link === null ? null : shownSetupLink(link),
    };
  }

  async function one(accountId: number, id: string) {
    const connection = await demandConnection(db, accountId, id);
    const [tokens, link] = await Promise.all([
      tokensOfConnection(context, accountId, id),
      findSetupLink(db, accountId, context.now()),
    ]);
    return {
      connection: shownConnection(connection),
      kind: kindOfIssuer(connection.issuer),
      tokens,
      addresses: addressesOf(address, accountId, id),
      setupLink: link === null ? null : shownSetupLink(link),
    };
  }
}

export function noTest(): Problem {
  return new Problem(
    'CONNECTION_NOT_FOUND',
    'There is no result of a test sign-in: it was read already, or none was made.',
  );
}
