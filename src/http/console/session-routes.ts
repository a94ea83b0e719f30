// /console/api/session: who am I, and what may I do; the account that an operator has entered; signing out.

import type { FastifyInstance } from 'fastify';
import { accountIdMax } from '../../domain/access/account.ts';
import { actorOf, personIdOf, type Visitor } from '../../domain/access/visitor.ts';
import { Problem } from '../../domain/problem.ts';
import { accountName } from '../../store/access/accounts.ts';
import { endSessions } from '../../store/access/sessions.ts';
import { addRoute } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import { consoleDocument } from './console-document.ts';
import { visitorOf } from './console-gate.ts';
import type { ConsoleServices } from './console-services.ts';
import { dropSessionCookie } from './session-cookie.ts';
import { personSchema, shownPerson } from './shown-person.ts';
import { stampOf } from './visitor-stamp.ts';

const sessionSchema = Type.Object(
  {
    person: personSchema,
    account: Type.Union([Type.Object({ id: Type.Integer(), name: Type.String() }), Type.Null()], {
      description: 'Where they act; null for an operator who has entered none.',
    }),
    roles: Type.Array(Type.String()),
    isAdminWithheld: Type.Boolean({
      description:
        'They are admin, but not here: what they signed in with goes back to a link that somebody without admin made.',
    }),
    isPasskeyDue: Type.Boolean({
      description:
        'A passkey is demanded of operators and admins, and they came without one: they may add one, and nothing else.',
    }),
    abilities: Type.Array(Type.String()),
    way: Type.String({ description: 'How they signed in.' }),
    signedInAt: Type.String({
      format: 'date-time',
      description: 'When they proved who they are; where their provider did not say, when the session began.',
    }),
  },
  { $id: 'Session' },
);

export function sessionRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context, address, signingIn, idTokenHints } = services;

  addRoute(app, {
    method: 'GET',
    path: '/console/api/session',
    area: 'console',
    access: { people: 'signedIn' },
    document: consoleDocument({
      operationId: 'getSession',
      summary: 'Who am I',
      description: 'The person, the account they act in, and what they may do there.',
      tag: 'Session',
      success: { status: 200, schema: sessionSchema, description: 'The session of the cookie.' },
    }),
    handle: (_input, request) => shownSession(visitorOf(request)),
  });

  addRoute(app, {
    method: 'DELETE',
    path: '/console/api/session',
    area: 'console',
    access: { people: 'signedIn' },
    document: consoleDocument({
      operationId: 'endSession',
      summary: 'Sign out',
      description: 'The session ends, and its cookie opens nothing any more.',
      tag: 'Session',
      success: { status: 204, schema: null, description: 'Signed out.' },
    }),
    handle: async (_input, request, reply) => {
      const visitor = visitorOf(request);
      const { sessionId } = visitor;
      const change = { ...stampOf(context, request), ...personIdOf(visitor.person), sessionId };
      await context.db.write(endSessions, {
        ...change,
        rights: { admitsAdmin: visitor.admitsAdmin },
        subject: actorOf(visitor),
      });
      dropSessionCookie(reply, address);
      if (visitor.connectionId !== null) idTokenHints.drop(reply);
      reply.code(204);
      return null;
    },
  });

  addRoute(app, {
    method: 'PUT',
    path: '/console/api/session/account',
    area: 'console',
    access: { people: 'signedIn', ability: 'operate' },
    consumes: ['application/json'],
    body: Type.Object({
      accountId: Type.Union([Type.Integer({ minimum: 1, maximum: accountIdMax }), Type.Null()]),
    }),
    document: consoleDocument({
      operationId: 'enterAccount',
      summary: 'Enter or leave an account',
      description:
        "An operator has an admin's abilities within the account until leaving it (null). The audit log of the account says so.",
      tag: 'Session',
      success: { status: 204, schema: null, description: 'Entered, or left.' },
    }),
    handle: async ({ body: { accountId } }, request, reply) => {
      if (accountId !== null && (await accountName(context.db, accountId)) === null)
        throw new Problem('INVALID_REQUEST', `There is no account ${accountId}.`, {
          details: [{ field: 'accountId', code: 'UNKNOWN', message: 'names no account.' }],
        });
      await signingIn.enter(
        request,
        reply,
        { visitor: visitorOf(request), key: request.sessionKey! },
        accountId,
      );
      reply.code(204);
      return null;
    },
  });
}

/** As the pages know it. */
export function shownSession({
  person,
  account,
  roles,
  isAdminWithheld,
  isPasskeyDue,
  abilities,
  way,
  signedInAtMs,
  beganAtMs,
}: Visitor) {
  return {
    person: shownPerson(person),
    account,
    roles: [...roles],
    isAdminWithheld,
    isPasskeyDue,
    abilities: [...abilities],
    way,
    signedInAt: new Date(signedInAtMs ?? beganAtMs).toISOString(),
  };
}
