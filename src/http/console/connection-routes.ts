// /console/api/connections: the connections of the account to identity providers. /console/api/sign-in/ways tells the
// sign-in page which ways there are.

import type { FastifyInstance } from 'fastify';
import { accountIdMax } from '../../domain/access/account.ts';
import { newConnectionId, usualSubjectClaim } from '../../domain/access/connection.ts';
import { Problem } from '../../domain/problem.ts';
import { readResourceId } from '../../domain/provisioning/resource.ts';
import {
  changeConnection,
  connectionSecretPurpose,
  createConnection,
  listConnections,
  openConnections,
  removeConnection,
  setConnectionOnly,
} from '../../store/access/connections.ts';
import { Sealer } from '../../store/access/sealer.ts';
import { setUserConnection, usersWithoutWay } from '../../store/access/user-connections.ts';
import { addRoute } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import { connectionFault } from './connection-fault.ts';
import { findingsOf, findingsSchema } from './connection-findings.ts';
import {
  connectionSchema,
  demandConnection,
  noConnection,
  refuseFaults,
  shownConnection,
} from './connection-view.ts';
import { callbackPath } from './console-address.ts';
import { consoleDocument } from './console-document.ts';
import { accountOf } from './console-gate.ts';
import type { ConsoleServices } from './console-services.ts';
import { tokensOfConnection } from './token-view.ts';
import { stampOf } from './visitor-stamp.ts';

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

export function connectionRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context, address, providers } = services;
  const { db } = context;
  const sealer = new Sealer(context);

  addRoute(app, {
    method: 'GET',
    path: '/console/api/sign-in/ways',
    area: 'console',
    access: { people: 'signingIn' },
    query: Type.Object({ account: Type.Optional(Type.Integer({ minimum: 1, maximum: accountIdMax })) }),
    document: consoleDocument({
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
    }),
    handle: async ({ query: { account } }) => {
      const all = account === undefined ? [] : await openConnections(db, account);
      const only = all.some(({ isOnly }) => isOnly);
      const open = all.filter(({ secret, isOnly }) => secret !== null && (isOnly || !only));
      return {
        passwords: !only && context.config.consolePasswords,
        passkeys: !only && (address.isSecure || address.isLoopback),
        connections: open.map(({ id, name }) => ({ id, name })),
        only,
      };
    },
  });

  addRoute(app, {
    method: 'GET',
    path: '/console/api/connections',
    area: 'console',
    access: reading,
    document: consoleDocument({
      operationId: 'listConnections',
      summary: 'The connections to identity providers',
      description: 'Without their secrets.',
      tag: 'Connections',
      success: { status: 200, schema: listSchema, description: 'The connections, by name.' },
    }),
    handle: async (_input, request) => ({
      connections: (await listConnections(db, accountOf(request))).map(shownConnection),
      callbackUrl: address.to(callbackPath),
    }),
  });

  addRoute(app, {
    method: 'POST',
    path: '/console/api/connections',
    area: 'console',
    access: changing,
    consumes: ['application/json'],
    body: Type.Object(members),
    document: consoleDocument({
      operationId: 'createConnection',
      summary: 'Connect the account to an identity provider',
      description: 'The provider is not asked yet: see the test of the connection.',
      tag: 'Connections',
      success: { status: 201, schema: connectionSchema, description: 'The connection.' },
      conditions: [409],
    }),
    handle: async ({ body }, request, reply) => {
      refuseFaults(body);
      const accountId = accountOf(request);
      const id = newConnectionId(context);
      const { secret, name, issuer, clientId, subjectClaim = usualSubjectClaim } = body;
      await db.write(createConnection, {
        ...stampOf(context, request),
        accountId,
        id,
        name: name.trim(),
        issuer,
        clientId,
        subjectClaim,
        secret:
          secret === undefined
            ? null
            : await sealer.seal(connectionSecretPurpose(accountId, id), secret, null),
      });
      reply.code(201);
      return shownConnection(await demandConnection(db, accountId, id));
    },
  });

  addRoute(app, {
    method: 'PATCH',
    path: '/console/api/connections/:id',
    area: 'console',
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
    document: consoleDocument({
      operationId: 'changeConnection',
      summary: 'Change a connection',
      description:
        'What is left out stays. Another issuer, client or claim ends the sessions through it, and it is no longer the only way in.',
      tag: 'Connections',
      success: { status: 200, schema: connectionSchema, description: 'The connection.' },
      conditions: [404, 409],
    }),
    handle: async ({ params: { id }, body }, request) => {
      refuseFaults(body);
      const accountId = accountOf(request);
      await demandConnection(db, accountId, id);
      const { secret, only, name, ...facts } = body;
      if (Object.keys(body).some((key) => key !== 'only'))
        await db.write(changeConnection, {
          ...stampOf(context, request),
          ...facts,
          ...(name !== undefined && { name: name.trim() }),
          accountId,
          id,
          ...(secret !== undefined && {
            secret: await sealer.seal(connectionSecretPurpose(accountId, id), secret, null),
          }),
        });
      const shown = shownConnection(await demandConnection(db, accountId, id));
      if (only === undefined || only === shown.only) return shown;
      // The last of all, because it may end the session that asks.
      await db.write(setConnectionOnly, { ...stampOf(context, request), accountId, id, isOnly: only });
      return { ...shown, only };
    },
  });

  addRoute(app, {
    method: 'DELETE',
    path: '/console/api/connections/:id',
    area: 'console',
    access: changing,
    params,
    document: consoleDocument({
      operationId: 'removeConnection',
      summary: 'Remove a connection',
      description: 'Whoever signed in through it is out, and its users belong to no connection.',
      tag: 'Connections',
      success: { status: 204, schema: null, description: 'Removed.' },
      conditions: [404],
    }),
    handle: async ({ params: { id } }, request, reply) => {
      const accountId = accountOf(request);
      if (!(await db.write(removeConnection, { ...stampOf(context, request), accountId, id })))
        throw noConnection(id);
      reply.code(204);
      return null;
    },
  });

  addRoute(app, {
    method: 'POST',
    path: '/console/api/connections/:id/test',
    area: 'console',
    access: changing,
    params,
    document: consoleDocument({
      operationId: 'testConnection',
      summary: 'Ask the provider, and count whom it lets in',
      description:
        'Fetches the metadata of the provider now, and counts users who have no way in through it.',
      tag: 'Connections',
      success: { status: 200, schema: testSchema, description: 'What was found.' },
      conditions: [404],
    }),
    handle: async ({ params: { id } }, request) => {
      const accountId = accountOf(request);
      const connection = await demandConnection(db, accountId, id);
      const fault = await providers.within(accountId, () => connectionFault(context, connection));
      const { users, ...without } = await usersWithoutWay(db, accountId, id);
      const tokens = await tokensOfConnection(context, accountId, id);
      return {
        callbackUrl: address.to(callbackPath),
        logoutUrl: address.to(`/console/logout/${accountId}/${id}`),
        fault: fault?.says ?? null,
        activeUsers: users,
        ...without,
        findings: findingsOf({ connection, fault, users: { users, ...without }, tokens }),
      };
    },
  });

  addRoute(app, {
    method: 'PUT',
    path: '/console/api/users/:id/connection',
    area: 'console',
    access: changing,
    params,
    consumes: ['application/json'],
    body: Type.Object({ connectionId: Type.Union([Type.String(), Type.Null()]) }),
    document: consoleDocument({
      operationId: 'setUserConnection',
      summary: 'Which connection a user belongs to',
      description: 'By the internal id of the user; null for the next one that they sign in by.',
      tag: 'Connections',
      success: { status: 204, schema: null, description: 'So it is.' },
      conditions: [404],
    }),
    handle: async ({ params: { id }, body: { connectionId } }, request, reply) => {
      const accountId = accountOf(request);
      const userId = readResourceId(id);
      if (userId === null) throw new Problem('USER_NOT_FOUND', `There is no user ${id}.`);
      await db.write(setUserConnection, { ...stampOf(context, request), accountId, userId, connectionId });
      reply.code(204);
      return null;
    },
  });
}
