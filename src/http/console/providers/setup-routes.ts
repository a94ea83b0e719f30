// /console/api/setup: what whoever has a set-up link can do, and no more: see the addresses to enter at the provider, enter the
// one connection, make its token, look at what came by that, test, and say that they are done. The code comes in a header of
// each request, so no other page can send it along, and no cookie is needed (D-600).

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { connectionFault } from '../../../acts/access/connection-fault.ts';
import { findingsOf } from '../../../acts/access/connection-findings.ts';
import { addressesOf } from '../../../acts/access/provider-addresses.ts';
import { watchedTokens } from '../../../acts/access/token-view.ts';
import { codeHeader, setupOperations } from '../../../contract/providers/setup.ts';
import { newConnectionId } from '../../../domain/access/connection.ts';
import { readLinkCode } from '../../../domain/access/one-time-link.ts';
import { claimOfKind, kindOfIssuer, usualNames } from '../../../domain/access/provider-kind.ts';
import { hashSecret } from '../../../domain/access/secret.ts';
import { Problem } from '../../../domain/problem.ts';
import {
  type Connection,
  connectionSecretPurpose,
  findConnection,
} from '../../../store/access/connections.ts';
import { newTokenByLink } from '../../../store/access/new-credentials.ts';
import { Sealer } from '../../../store/access/sealer.ts';
import {
  changeConnectionByLink,
  createConnectionByLink,
  noteSetupLinkUse,
  type OpenedSetupLink,
  openSetupLink,
  removeSetupLink,
  setupLinkRefused,
} from '../../../store/access/setup-links.ts';
import type { ChangeStamp } from '../../../store/engine/audit.ts';
import { usersWithoutWay } from '../../../store/people/user-connections.ts';
import { addOperation } from '../../server/route.ts';
import type { ConsoleServices } from '../console-services.ts';
import { stampOf } from '../visitor-stamp.ts';
import { refuseFaults, shownConnection } from './connection-view.ts';
import { noTest } from './identity-provider-routes.ts';
import { logPage } from './provider-log-page.ts';
import { TestSignIns } from './test-sign-ins.ts';

const codeLengthMax = 200;

export function setupRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context, address, credentialCache, wrong, providers } = services;
  const { db } = context;
  const sealer = new Sealer(context);
  const testSignIns = new TestSignIns(services);

  addOperation(app, setupOperations, 'GET /setup', async (_input, request) =>
    shownSetup(await linkOf(request)),
  );

  addOperation(app, setupOperations, 'PUT /setup/connection', async ({ body }, request) => {
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
  });

  addOperation(app, setupOperations, 'POST /setup/test', async (_input, request) => {
    const link = await linkOf(request);
    const connection = await demandedConnection(link);
    const { accountId, id } = connection;
    const fault = await providers.within(accountId, () => connectionFault(context, connection));
    const users = await usersWithoutWay(db, accountId, id);
    return { findings: findingsOf({ connection, fault, users, tokens: await tokensOf(link) }) };
  });

  addOperation(app, setupOperations, 'POST /setup/token', async (_input, request, reply) => {
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
  });

  addOperation(app, setupOperations, 'GET /setup/log', async ({ query }, request) => {
    const { accountId, tokenId } = await linkOf(request);
    return logPage(context, accountId, tokenId === null ? [] : [tokenId], query);
  });

  addOperation(app, setupOperations, 'POST /setup/test-sign-in', async (_input, request, reply) => {
    const link = await linkOf(request);
    return testSignIns.begin(reply, await demandedConnection(link), {
      owner: `setup ${link.id}`,
      returnTo: '/setup?tested=1',
      stamp: stampBy(link, request),
    });
  });

  addOperation(app, setupOperations, 'POST /setup/test-sign-in/result', async (_input, request, reply) => {
    const link = await linkOf(request);
    const { id } = await demandedConnection(link);
    const result = await testSignIns.take(request, reply, `setup ${link.id}`, id);
    if (result === null) throw noTest();
    return result;
  });

  addOperation(app, setupOperations, 'POST /setup/finish', async (_input, request, reply) => {
    const link = await linkOf(request);
    const { accountId, id } = link;
    await db.write(removeSetupLink, { ...stampBy(link, request), accountId, id, isDone: true });
    reply.code(204);
    return null;
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
