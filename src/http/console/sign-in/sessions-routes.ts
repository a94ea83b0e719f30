// The sessions of the person themselves, and for those who manage users the sessions of others: which there are, and their
// end.

import type { FastifyInstance } from 'fastify';
import { signedInDeviceOperations } from '../../../contract/access/signed-in-devices.ts';
import { actorOf, personIdOf } from '../../../domain/access/visitor.ts';
import { endSessions, type ListedSession, listSessions } from '../../../store/people/sessions.ts';
import { addOperation } from '../../server/route.ts';
import { consoleStampOf } from '../console-change.ts';
import { accountOf, visitorOf } from '../console-gate.ts';
import type { ConsoleServices } from '../console-services.ts';
import { userOfPath } from '../people/user-of-path.ts';
import { stampOf } from '../visitor-stamp.ts';
import { dropSessionCookie } from './session-cookie.ts';

export function sessionsRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context, address } = services;

  addOperation(app, signedInDeviceOperations, 'GET /me/sessions', async (_input, request) => {
    const { person, sessionId } = visitorOf(request);
    return shown(await listSessions(context.db, personIdOf(person), context.now()), sessionId);
  });

  addOperation(app, signedInDeviceOperations, 'DELETE /me/sessions', async (_input, request) => {
    const visitor = visitorOf(request);
    const ended = await context.db.write(endSessions, {
      ...stampOf(context, request),
      ...personIdOf(visitor.person),
      exceptSessionId: visitor.sessionId,
      rights: { admitsAdmin: visitor.admitsAdmin },
      subject: actorOf(visitor),
    });
    return { ended };
  });

  addOperation(
    app,
    signedInDeviceOperations,
    'DELETE /me/sessions/:id',
    async ({ params: { id } }, request, reply) => {
      const visitor = visitorOf(request);
      await context.db.write(endSessions, {
        ...stampOf(context, request),
        ...personIdOf(visitor.person),
        sessionId: id,
        rights: { admitsAdmin: visitor.admitsAdmin },
        subject: actorOf(visitor),
      });
      if (id === visitor.sessionId) dropSessionCookie(reply, address);
      reply.code(204);
      return null;
    },
  );

  addOperation(app, signedInDeviceOperations, 'GET /users/:id/sessions', async ({ params }, request) => {
    const accountId = accountOf(request);
    const { id } = await userOfPath(context, accountId, params.id);
    const sessions = await listSessions(context.db, { accountId, personId: id }, context.now());
    return shown(sessions, visitorOf(request).sessionId);
  });

  addOperation(app, signedInDeviceOperations, 'DELETE /users/:id/sessions', async ({ params }, request) => {
    const accountId = accountOf(request);
    const { id } = await userOfPath(context, accountId, params.id);
    const ended = await context.db.write(endSessions, {
      ...consoleStampOf(context, request),
      accountId,
      personId: id,
      subject: `user ${id}`,
    });
    return { ended };
  });

  addOperation(
    app,
    signedInDeviceOperations,
    'DELETE /users/:id/sessions/:sessionId',
    async ({ params }, request, reply) => {
      const accountId = accountOf(request);
      const { id } = await userOfPath(context, accountId, params.id);
      await context.db.write(endSessions, {
        ...consoleStampOf(context, request),
        accountId,
        personId: id,
        sessionId: params.sessionId,
        subject: `user ${id}`,
      });
      reply.code(204);
      return null;
    },
  );
}

function shown(sessions: readonly ListedSession[], thisId: string) {
  return {
    sessions: sessions.map(({ createdAtMs, usedAtMs, ...session }) => ({
      ...session,
      createdAt: new Date(createdAtMs).toISOString(),
      usedAt: new Date(usedAtMs).toISOString(),
      isThis: session.id === thisId,
    })),
  };
}
