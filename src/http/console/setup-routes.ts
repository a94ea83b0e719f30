// /console/api/setup: what whoever has a set-up link can do, and no more: see the addresses to enter at the provider, enter the
// one connection, make its token, look at what came by that, test, and say that they are done. The code comes in a header of
// each request, so no other page can send it along, and no cookie is needed (D-600).

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { newConnectionId } from '../../domain/access/connection.ts';
import { readLinkCode } from '../../domain/access/one-time-link.ts';
import { claimOfKind, kindOfIssuer, providerKinds, usualNames } from '../../domain/access/provider-kind.ts';
import { hashSecret } from '../../domain/access/secret.ts';
import { Problem } from '../../domain/problem.ts';
import { type Connection, connectionSecretPurpose, findConnection } from '../../store/access/connections.ts';
import { newTokenByLink } from '../../store/access/new-credentials.ts';
import { Sealer } from '../../store/access/sealer.ts';
import {
  changeConnectionByLink,
  createConnectionByLink,
  noteSetupLinkUse,
  type OpenedSetupLink,
  openSetupLink,
  removeSetupLink,
  setupLinkRefused,
} from '../../store/access/setup-links.ts';
import { usersWithoutWay } from '../../store/access/user-connections.ts';
import type { ChangeStamp } from '../../store/engine/audit.ts';
import { addRoute } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import { connectionFault } from './connection-fault.ts';
import { findingsOf, findingsSchema } from './connection-findings.ts';
import { connectionSchema, refuseFaults, shownConnection } from './connection-view.ts';
import { consoleDocument } from './console-document.ts';
import type { ConsoleServices } from './console-services.ts';
import { noTest } from './identity-provider-routes.ts';
import { addressesOf, addressesSchema } from './provider-addresses.ts';
import { logPage, logPageSchema, logQuery } from './provider-log-page.ts';
import { TestSignIns, testResultSchema } from './test-sign-ins.ts';
import { watchedTokenSchema, watchedTokens } from './token-view.ts';
import { stampOf } from './visitor-stamp.ts';

const tag = 'Set-up by a link';
const codeHeader = 'setup-code';
const codeLengthMax = 200;
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

export function setupRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context, address, credentialCache, wrong, providers } = services;
  const { db } = context;
  const sealer = new Sealer(context);
  const testSignIns = new TestSignIns(services);
  const shared = { area: 'console', access: { people: 'signingIn' } } as const;
  const headers = Type.Object({
    [codeHeader]: Type.String({ description: 'What stands behind the # of the link.' }),
  });

  addRoute(app, {
    ...shared,
    method: 'GET',
    path: '/console/api/setup',
    document: consoleDocument({
      operationId: 'getSetup',
      summary: 'The set-up that a link is for',
      description: 'With all that has to be entered at the provider.',
      tag,
      headers,
      success: { status: 200, schema: setupSchema, description: 'The set-up.' },
    }),
    handle: async (_input, request) => shownSetup(await linkOf(request)),
  });

  addRoute(app, {
    ...shared,
    method: 'PUT',
    path: '/console/api/setup/connection',
    consumes: ['application/json'],
    body: Type.Object({
      name: Type.Optional(Type.String()),
      issuer: Type.String(),
      clientId: Type.String(),
      subjectClaim: Type.Optional(Type.String()),
      secret: Type.Optional(Type.String({ description: 'It is sealed, and never shown again.' })),
    }),
    document: consoleDocument({
      operationId: 'enterSetupConnection',
      summary: 'Enter the connection of the set-up',
      description: 'Or change it, as long as nobody has signed in through it.',
      tag,
      headers,
      success: { status: 200, schema: setupSchema, description: 'The set-up.' },
      conditions: [404, 409],
    }),
    handle: async ({ body }, request) => {
      const link = await linkOf(request);
      refuseFaults(body);
      const { accountId, id: linkId, kind } = link;
      const known = await connectionOf(link);
      const { secret, name, subjectClaim, ...facts } = body;
      const id = known?.id ?? newConnectionId(context);
      const sealed =
        secret === undefined ? null : await sealer.seal(connectionSecretPurpose(accountId, id), secret, null);
      const stamp = { ...stampBy(link, request), linkId, accountId, id };
      if (known === null)
        await db.write(createConnectionByLink, {
          ...stamp,
          ...facts,
          name: name?.trim() ?? usualNames[kind],
          subjectClaim: subjectClaim ?? claimOfKind(kindOfIssuer(facts.issuer)),
          secret: sealed,
        });
      else
        await db.write(changeConnectionByLink, {
          ...stamp,
          ...facts,
          ...(name !== undefined && { name: name.trim() }),
          ...(subjectClaim !== undefined && { subjectClaim }),
          ...(sealed !== null && { secret: sealed }),
        });
      return shownSetup({ ...link, connectionId: id });
    },
  });

  addRoute(app, {
    ...shared,
    method: 'POST',
    path: '/console/api/setup/test',
    document: consoleDocument({
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
      conditions: [404],
    }),
    handle: async (_input, request) => {
      const link = await linkOf(request);
      const connection = await demandedConnection(link);
      const { accountId, id } = connection;
      const fault = await providers.within(accountId, () => connectionFault(context, connection));
      const users = await usersWithoutWay(db, accountId, id);
      return { findings: findingsOf({ connection, fault, users, tokens: await tokensOf(link) }) };
    },
  });

  addRoute(app, {
    ...shared,
    method: 'POST',
    path: '/console/api/setup/token',
    document: consoleDocument({
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
    }),
    handle: async (_input, request, reply) => {
      const link = await linkOf(request);
      const connection = await connectionOf(link);
      const { id, secret, expiresAtMs } = await newTokenByLink(context, stampBy(link, request), link.id, {
        accountId: link.accountId,
        name: connection?.name ?? usualNames[link.kind],
        isReadOnly: false,
        ...(connection !== null && { connectionId: connection.id }),
      });
      reply.code(201);
      return { id, token: secret, expires: new Date(expiresAtMs).toISOString() };
    },
  });

  addRoute(app, {
    ...shared,
    method: 'GET',
    path: '/console/api/setup/log',
    query: Type.Object(logQuery),
    document: consoleDocument({
      operationId: 'listSetupDeeds',
      summary: 'What came by the token of the set-up',
      description: 'The newest first.',
      tag,
      headers,
      success: { status: 200, schema: logPageSchema, description: 'A page of it.' },
    }),
    handle: async ({ query }, request) => {
      const { accountId, tokenId } = await linkOf(request);
      return logPage(context, accountId, tokenId === null ? [] : [tokenId], query);
    },
  });

  addRoute(app, {
    ...shared,
    method: 'POST',
    path: '/console/api/setup/test-sign-in',
    document: consoleDocument({
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
      conditions: [404],
    }),
    handle: async (_input, request, reply) => {
      const link = await linkOf(request);
      return testSignIns.begin(reply, await demandedConnection(link), {
        owner: `setup ${link.id}`,
        returnTo: '/setup?tested=1',
        stamp: stampBy(link, request),
      });
    },
  });

  addRoute(app, {
    ...shared,
    method: 'POST',
    path: '/console/api/setup/test-sign-in/result',
    document: consoleDocument({
      operationId: 'readSetupTestSignIn',
      summary: 'What the test sign-in has found',
      description: 'It is read once, in the browser that made the test, within 10 minutes.',
      tag,
      headers,
      success: { status: 200, schema: testResultSchema, description: 'The claims, and whom they mean.' },
      conditions: [404],
    }),
    handle: async (_input, request, reply) => {
      const link = await linkOf(request);
      const { id } = await demandedConnection(link);
      const result = await testSignIns.take(request, reply, `setup ${link.id}`, id);
      if (result === null) throw noTest();
      return result;
    },
  });

  addRoute(app, {
    ...shared,
    method: 'POST',
    path: '/console/api/setup/finish',
    document: consoleDocument({
      operationId: 'finishSetup',
      summary: 'The set-up is done',
      description: 'The link ends; what was set up stays.',
      tag,
      headers,
      success: { status: 204, schema: null, description: 'The link has ended.' },
    }),
    handle: async (_input, request, reply) => {
      const link = await linkOf(request);
      const { accountId, id } = link;
      await db.write(removeSetupLink, { ...stampBy(link, request), accountId, id, note: 'done' });
      reply.code(204);
      return null;
    },
  });

  /** Wrong codes are counted by network, as all wrong credentials are. */
  async function linkOf(request: FastifyRequest): Promise<OpenedSetupLink> {
    const sent = request.headers[codeHeader];
    const code = typeof sent === 'string' && sent.length <= codeLengthMax ? readLinkCode(sent) : null;
    if (code === null) throw wrong.refusal(request.ip, setupLinkRefused());
    const { secretKey } = await credentialCache.identity();
    const key = { accountId: code.accountId, codeHash: hashSecret(code.secret, secretKey) };
    const link = await wrong.lookUp(request.ip, key.codeHash, () => openSetupLink(db, key, context.now()));
    if (link === null) throw wrong.refusal(request.ip, setupLinkRefused());
    if (link.usedAtMs === null)
      await db.write(noteSetupLinkUse, {
        ...stampBy(link, request),
        accountId: link.accountId,
        linkId: link.id,
      });
    return link;
  }

  /** The audit log names the link, which nobody but its holder can be. */
  function stampBy({ id }: OpenedSetupLink, request: FastifyRequest): ChangeStamp {
    return stampOf(context, request, `set-up link ${id}`);
  }

  async function connectionOf({ accountId, connectionId }: OpenedSetupLink): Promise<Connection | null> {
    return connectionId === null ? null : findConnection(db, accountId, connectionId);
  }

  async function demandedConnection(link: OpenedSetupLink): Promise<Connection> {
    const connection = await connectionOf(link);
    if (connection === null) throw new Problem('CONNECTION_NOT_FOUND', 'The connection is not entered yet.');
    return connection;
  }

  function tokensOf({ accountId, tokenId }: OpenedSetupLink) {
    return tokenId === null
      ? Promise.resolve([])
      : watchedTokens(context, accountId, ({ id }) => id === tokenId);
  }

  async function shownSetup(link: OpenedSetupLink) {
    const { accountId, accountName, kind, expiresAtMs } = link;
    const [connection, tokens] = await Promise.all([connectionOf(link), tokensOf(link)]);
    return {
      account: accountName,
      kind: connection === null ? kind : kindOrSaid(connection.issuer, kind),
      connection: connection === null ? null : shownConnection(connection),
      tokens,
      addresses: addressesOf(address, accountId, connection?.id ?? null),
      expiresAt: new Date(expiresAtMs).toISOString(),
    };
  }
}

/** A provider under a name of its own is what the link says it is. */
function kindOrSaid(issuer: string, said: OpenedSetupLink['kind']): OpenedSetupLink['kind'] {
  const kind = kindOfIssuer(issuer);
  return kind === 'other' ? said : kind;
}
