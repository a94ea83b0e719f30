// /console/api/access-token: a token for fifteen minutes, with which whoever is signed in tries the interface by hand.

import type { FastifyInstance } from 'fastify';
import { personalTokenOperations } from '../../../contract/access/personal-token.ts';
import { grantsOfPerson, personTokenSeconds } from '../../../domain/access/person-token.ts';
import { actorOf, personIdOf } from '../../../domain/access/visitor.ts';
import { noteAccessToken } from '../../../store/access/person-token-note.ts';
import { addOperation } from '../../server/route.ts';
import { accountOf, visitorOf } from '../console-gate.ts';
import type { ConsoleServices } from '../console-services.ts';
import { stampOf } from '../visitor-stamp.ts';

export function accessTokenRoutes(app: FastifyInstance, { context, accessTokens }: ConsoleServices): void {
  addOperation(app, personalTokenOperations, 'POST /access-token', async (_input, request, reply) => {
    const visitor = visitorOf(request);
    const { person, abilities, sessionId } = visitor;
    const accountId = accountOf(request);
    const grants = grantsOfPerson(abilities);
    const token = await accessTokens.issueToPerson({ id: personIdOf(person), accountId, sessionId }, grants);
    const stamp = stampOf(context, request);
    await context.db.write(noteAccessToken, { ...stamp, accountId, subject: actorOf(visitor), grants });
    reply.code(201);
    const expires = new Date(stamp.nowMs + personTokenSeconds * 1_000).toISOString();
    return { token, expires, grants };
  });
}
