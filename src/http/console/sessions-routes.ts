// The sessions of the person themselves, and for those who manage users the sessions of others: which there are, and their
// end.

import type { FastifyInstance } from 'fastify';
import { actorOf, personIdOf } from '../../domain/access/visitor.ts';
import { endSessions, type ListedSession, listSessions } from '../../store/access/sessions.ts';
import { addRoute } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import { consoleStampOf } from './console-change.ts';
import { consoleDocument } from './console-document.ts';
import { accountOf, visitorOf } from './console-gate.ts';
import type { ConsoleServices } from './console-services.ts';
import { dropSessionCookie } from './session-cookie.ts';
import { userIdParams, userOfPath } from './user-of-path.ts';
import { stampOf } from './visitor-stamp.ts';

const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const sessionsSchema = Type.Object(
  {
    sessions: Type.Array(
      Type.Object({
        id: Type.String(),
        way: Type.String({ description: 'How they signed in.' }),
        connectionId: textOrNull('The connection to an identity provider, where that was the way.'),
        createdAt: Type.String({ format: 'date-time' }),
        usedAt: Type.String({ format: 'date-time', description: 'The last use, to the minute.' }),
        origin: textOrNull('The address that they signed in from.'),
        browser: textOrNull('What the browser said of itself.'),
        isThis: Type.Boolean({ description: 'Whether it is the one that asks.' }),
      }),
      { description: 'The newest first.' },
    ),
  },
  { $id: 'Sessions' },
);

const endedSchema = Type.Object({ ended: Type.Integer() }, { $id: 'EndedSessions' });

export function sessionsRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context, address } = services;
  const own = { area: 'console', access: { people: 'signedIn' } } as const;
  const ofUsers = {
    area: 'console',
    access: { people: 'signedIn', ability: 'manage users' },
    params: userIdParams,
  } as const;

  addRoute(app, {
    ...own,
    method: 'GET',
    path: '/console/api/me/sessions',
    document: consoleDocument({
      operationId: 'listOwnSessions',
      summary: 'Where am I signed in',
      description: 'The sessions of the person who asks.',
      tag: 'Me',
      success: { status: 200, schema: sessionsSchema, description: 'Those that are live.' },
    }),
    async handle(_input, request) {
      const { person, sessionId } = visitorOf(request);
      return shown(await listSessions(context.db, personIdOf(person), context.now()), sessionId);
    },
  });

  addRoute(app, {
    ...own,
    method: 'DELETE',
    path: '/console/api/me/sessions',
    document: consoleDocument({
      operationId: 'endOtherOwnSessions',
      summary: 'Sign out everywhere else',
      description: 'Every session of the person but the one that asks.',
      tag: 'Me',
      success: { status: 200, schema: endedSchema, description: 'How many have ended.' },
    }),
    async handle(_input, request) {
      const visitor = visitorOf(request);
      const ended = await context.db.write(endSessions, {
        ...stampOf(context, request),
        ...personIdOf(visitor.person),
        exceptSessionId: visitor.sessionId,
        rights: { admitsAdmin: visitor.admitsAdmin },
        subject: actorOf(visitor),
      });
      return { ended };
    },
  });

  addRoute(app, {
    ...own,
    method: 'DELETE',
    path: '/console/api/me/sessions/:id',
    params: Type.Object({ id: Type.String({ maxLength: 100 }) }),
    document: consoleDocument({
      operationId: 'endOwnSession',
      summary: 'End one of my sessions',
      description: 'Asking twice does no harm: one that has ended has ended.',
      tag: 'Me',
      success: { status: 204, schema: null, description: 'The person has no such session any more.' },
    }),
    async handle({ params: { id } }, request, reply) {
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
  });

  addRoute(app, {
    ...ofUsers,
    method: 'GET',
    path: '/console/api/users/:id/sessions',
    document: consoleDocument({
      operationId: 'listUserSessions',
      summary: 'Where a user is signed in',
      description: 'The sessions of a user of the account.',
      tag: 'Users',
      success: { status: 200, schema: sessionsSchema, description: 'Those that are live.' },
      conditions: [404],
    }),
    async handle({ params }, request) {
      const accountId = accountOf(request);
      const { id } = await userOfPath(context, accountId, params.id);
      const sessions = await listSessions(context.db, { accountId, personId: id }, context.now());
      return shown(sessions, visitorOf(request).sessionId);
    },
  });

  addRoute(app, {
    ...ofUsers,
    method: 'DELETE',
    path: '/console/api/users/:id/sessions',
    document: consoleDocument({
      operationId: 'endUserSessions',
      summary: 'Sign a user out everywhere',
      description:
        'They may sign in again: to keep somebody out, suspend them. The sessions of an admin are ended by an admin or an operator.',
      tag: 'Users',
      success: { status: 200, schema: endedSchema, description: 'How many have ended.' },
      conditions: [404],
    }),
    async handle({ params }, request) {
      const accountId = accountOf(request);
      const { id } = await userOfPath(context, accountId, params.id);
      const ended = await context.db.write(endSessions, {
        ...consoleStampOf(context, request),
        accountId,
        personId: id,
        subject: `user ${id}`,
      });
      return { ended };
    },
  });

  addRoute(app, {
    ...ofUsers,
    method: 'DELETE',
    path: '/console/api/users/:id/sessions/:sessionId',
    params: Type.Object({ ...userIdParams.properties, sessionId: Type.String({ maxLength: 100 }) }),
    document: consoleDocument({
      operationId: 'endUserSession',
      summary: 'End one session of a user',
      description: 'Asking twice does no harm: one that has ended has ended.',
      tag: 'Users',
      success: { status: 204, schema: null, description: 'The user has no such session any more.' },
      conditions: [404],
    }),
    async handle({ params }, request, reply) {
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
  });
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
