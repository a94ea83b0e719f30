// /console/api/connections: the connections of the account to identity providers. /console/api/sign-in/ways tells the
// sign-in page which ways there are.

import type { FastifyInstance } from 'fastify';
import { connectionFault } from '../../../acts/access/connection-fault.ts';
import { findingsOf } from '../../../acts/access/connection-findings.ts';
import { callbackPath } from '../../../acts/access/console-address.ts';
import { tokensOfConnection } from '../../../acts/access/token-view.ts';
import { connectionOperations } from '../../../contract/providers/connections.ts';
import { newConnectionId, usualSubjectClaim } from '../../../domain/access/connection.ts';
import { Problem } from '../../../domain/problem.ts';
import { readResourceId } from '../../../domain/provisioning/resource.ts';
import {
  changeConnection,
  connectionSecretPurpose,
  createConnection,
  listConnections,
  openConnections,
  removeConnection,
  setConnectionOnly,
} from '../../../store/access/connections.ts';
import { Sealer } from '../../../store/access/sealer.ts';
import { setUserConnection, usersWithoutWay } from '../../../store/people/user-connections.ts';
import { addOperation } from '../../server/route.ts';
import { accountOf } from '../console-gate.ts';
import type { ConsoleServices } from '../console-services.ts';
import { stampOf } from '../visitor-stamp.ts';
import { demandConnection, noConnection, refuseFaults, shownConnection } from './connection-view.ts';

export function connectionRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context, address, providers } = services;
  const { db } = context;
  const sealer = new Sealer(context);

  addOperation(app, connectionOperations, 'GET /sign-in/ways', async ({ query: { account } }) => {
    const all = account === undefined ? [] : await openConnections(db, account);
    const only = all.some(({ isOnly }) => isOnly);
    const open = all.filter(({ secret, isOnly }) => secret !== null && (isOnly || !only));
    return {
      passwords: !only && context.config.consolePasswords,
      passkeys: !only && (address.isSecure || address.isLoopback),
      connections: open.map(({ id, name }) => ({ id, name })),
      only,
    };
  });

  addOperation(app, connectionOperations, 'GET /connections', async (_input, request) => ({
    connections: (await listConnections(db, accountOf(request))).map(shownConnection),
    callbackUrl: address.to(callbackPath),
  }));

  addOperation(app, connectionOperations, 'POST /connections', async ({ body }, request, reply) => {
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
        secret === undefined ? null : await sealer.seal(connectionSecretPurpose(accountId, id), secret, null),
    });
    reply.code(201);
    return shownConnection(await demandConnection(db, accountId, id));
  });

  addOperation(
    app,
    connectionOperations,
    'PATCH /connections/:id',
    async ({ params: { id }, body }, request) => {
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
  );

  addOperation(
    app,
    connectionOperations,
    'DELETE /connections/:id',
    async ({ params: { id } }, request, reply) => {
      const accountId = accountOf(request);
      if (!(await db.write(removeConnection, { ...stampOf(context, request), accountId, id })))
        throw noConnection(id);
      reply.code(204);
      return null;
    },
  );

  addOperation(
    app,
    connectionOperations,
    'POST /connections/:id/test',
    async ({ params: { id } }, request) => {
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
  );

  addOperation(
    app,
    connectionOperations,
    'PUT /users/:id/connection',
    async ({ params: { id }, body: { connectionId } }, request, reply) => {
      const accountId = accountOf(request);
      const userId = readResourceId(id);
      if (userId === null) throw new Problem('USER_NOT_FOUND', `There is no user ${id}.`);
      await db.write(setUserConnection, { ...stampOf(context, request), accountId, userId, connectionId });
      reply.code(204);
      return null;
    },
  );
}
