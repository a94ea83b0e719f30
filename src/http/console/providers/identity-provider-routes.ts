// /console/api/providers: what the pages of identity providers need at once, and what these providers did. A page that waits
// for the first request of a provider asks here again and again, so it is a few small questions.

import type { FastifyInstance } from 'fastify';
import { addressesOf } from '../../../acts/access/provider-addresses.ts';
import { shownSetupLink } from '../../../acts/access/setup-link-view.ts';
import { tokensOfConnection, watchedTokens } from '../../../acts/access/token-view.ts';
import { identityProviderOperations } from '../../../contract/providers/identity-providers.ts';
import { kindOfIssuer } from '../../../domain/access/provider-kind.ts';
import { Problem } from '../../../domain/problem.ts';
import { listConnections } from '../../../store/access/connections.ts';
import { findSetupLink } from '../../../store/access/setup-links.ts';
import { addOperation } from '../../server/route.ts';
import { accountOf, visitorOf } from '../console-gate.ts';
import type { ConsoleServices } from '../console-services.ts';
import { stampOf } from '../visitor-stamp.ts';
import { demandConnection, shownConnection } from './connection-view.ts';
import { logPage } from './provider-log-page.ts';
import { TestSignIns } from './test-sign-ins.ts';

export function identityProviderRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context, address } = services;
  const { db } = context;
  const testSignIns = new TestSignIns(services);

  addOperation(app, identityProviderOperations, 'GET /providers', (_input, request) =>
    all(accountOf(request)),
  );

  addOperation(app, identityProviderOperations, 'GET /providers/:id', ({ params: { id } }, request) =>
    one(accountOf(request), id),
  );

  addOperation(
    app,
    identityProviderOperations,
    'GET /provisioning-log',
    async ({ query: { connection, token, ...question } }, request) => {
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
  );

  addOperation(
    app,
    identityProviderOperations,
    'POST /connections/:id/test-sign-in',
    async ({ params: { id } }, request, reply) => {
      const connection = await demandConnection(db, accountOf(request), id);
      return testSignIns.begin(reply, connection, {
        owner: `session ${visitorOf(request).sessionId}`,
        returnTo: `/console/provider/${id}?tested=1`,
        stamp: stampOf(context, request),
      });
    },
  );

  addOperation(
    app,
    identityProviderOperations,
    'POST /connections/:id/test-sign-in/result',
    async ({ params: { id } }, request, reply) => {
      await demandConnection(db, accountOf(request), id);
      const owner = `session ${visitorOf(request).sessionId}` as const;
      const result = await testSignIns.take(request, reply, owner, id);
      if (result === null) throw noTest();
      return result;
    },
  );

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
