// /console/api/access-token: a token for fifteen minutes, with which whoever is signed in tries the interface by hand.

import type { FastifyInstance } from 'fastify';
import { grantsOfPerson, personTokenSeconds } from '../../domain/access/person-token.ts';
import { abilitiesWithToken } from '../../domain/access/role.ts';
import { actorOf, personIdOf } from '../../domain/access/visitor.ts';
import { noteAccessToken } from '../../store/access/person-token-note.ts';
import { addRoute } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import { consoleDocument } from './console-document.ts';
import { accountOf, visitorOf } from './console-gate.ts';
import type { ConsoleServices } from './console-services.ts';
import { stampOf } from './visitor-stamp.ts';

const tokenSchema = Type.Object(
  {
    token: Type.String({ description: 'For the header Authorization: Bearer.' }),
    expires: Type.String({ format: 'date-time' }),
    grants: Type.Array(Type.String(), { description: 'What it opens under /v1.' }),
  },
  { $id: 'PersonToken' },
);

export function accessTokenRoutes(app: FastifyInstance, { context, accessTokens }: ConsoleServices): void {
  addRoute(app, {
    method: 'POST',
    path: '/console/api/access-token',
    area: 'console',
    access: { people: 'signedIn', ability: abilitiesWithToken },
    document: consoleDocument({
      operationId: 'createAccessToken',
      summary: 'A token to try the interface by hand',
      description:
        'It speaks for the person for fifteen minutes and reads what they may read. It ends with the session that it was made in, and is refused as soon as they are suspended or lose the role. Programs use an API client of their own.',
      tag: 'Session',
      success: { status: 201, schema: tokenSchema, description: 'The token, shown once.' },
    }),
    handle: async (_input, request, reply) => {
      const visitor = visitorOf(request);
      const { person, abilities, sessionId } = visitor;
      const accountId = accountOf(request);
      const grants = grantsOfPerson(abilities);
      const token = await accessTokens.issueToPerson(
        { id: personIdOf(person), accountId, sessionId },
        grants,
      );
      const stamp = stampOf(context, request);
      await context.db.write(noteAccessToken, { ...stamp, accountId, subject: actorOf(visitor), grants });
      reply.code(201);
      const expires = new Date(stamp.nowMs + personTokenSeconds * 1_000).toISOString();
      return { token, expires, grants };
    },
  });
}
