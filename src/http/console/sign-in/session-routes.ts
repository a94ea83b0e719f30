// /console/api/session: who am I, and what may I do; the account that an operator has entered; signing out.

import type { FastifyInstance } from 'fastify';
import { sessionOperations } from '../../../contract/access/session.ts';
import { actorOf, personIdOf, type Visitor } from '../../../domain/access/visitor.ts';
import { Problem } from '../../../domain/problem.ts';
import { accountName } from '../../../store/access/accounts.ts';
import { endSessions } from '../../../store/people/sessions.ts';
import { addOperation } from '../../server/route.ts';
import { visitorOf } from '../console-gate.ts';
import type { ConsoleServices } from '../console-services.ts';
import { shownPerson } from '../people/shown-person.ts';
import { stampOf } from '../visitor-stamp.ts';
import { dropSessionCookie } from './session-cookie.ts';

export function sessionRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context, address, signingIn, idTokenHints } = services;

  addOperation(app, sessionOperations, 'GET /session', (_input, request) => shownSession(visitorOf(request)));

  addOperation(app, sessionOperations, 'DELETE /session', async (_input, request, reply) => {
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
  });

  addOperation(
    app,
    sessionOperations,
    'PUT /session/account',
    async ({ body: { accountId } }, request, reply) => {
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
  );
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
