// /console/api/setup-link: the link that hands the set-up of an identity provider to whoever looks after that provider and has
// no user here. Whoever has it says who everybody is, so admins alone make one (D-601).

import type { FastifyInstance } from 'fastify';
import { linkCodeOf } from '../../domain/access/one-time-link.ts';
import { kindOfIssuer, providerKinds } from '../../domain/access/provider-kind.ts';
import { hashSecret } from '../../domain/access/secret.ts';
import { setupLinkDays } from '../../domain/access/setup-link.ts';
import { dayMs } from '../../domain/dates.ts';
import { createSetupLink, findSetupLink, removeSetupLink } from '../../store/access/setup-links.ts';
import { addRoute } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import { demandConnection } from './connection-view.ts';
import { consoleDocument } from './console-document.ts';
import { accountOf } from './console-gate.ts';
import type { ConsoleServices } from './console-services.ts';
import { stampOf } from './visitor-stamp.ts';

const tag = 'Identity providers';

export function setupLinkRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context, address, credentialCache } = services;
  const access = { people: 'signedIn', ability: 'manage API clients' } as const;

  addRoute(app, {
    method: 'POST',
    path: '/console/api/setup-link',
    area: 'console',
    access,
    consumes: ['application/json'],
    body: Type.Object({
      kind: Type.Optional(Type.Enum([...providerKinds], { description: 'Of a new connection.' })),
      connection: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'A connection that is there already.' }),
      ),
      days: Type.Optional(
        Type.Integer({
          minimum: setupLinkDays.min,
          maximum: setupLinkDays.max,
          description: `How long it works; ${setupLinkDays.usual} unless given.`,
        }),
      ),
      mayChangeAdmins: Type.Optional(
        Type.Boolean({
          description:
            'Whether the token that is made by it changes users who are admin, and groups that carry admin. Not unless given.',
        }),
      ),
    }),
    document: consoleDocument({
      operationId: 'createSetupLink',
      summary: 'Make a set-up link',
      description:
        'It takes the place of the one before. Whoever has it can enter the connection, make a provisioning token and see what came by it, and nothing else.',
      tag,
      success: {
        status: 201,
        schema: Type.Object(
          {
            url: Type.String({
              description: 'To be handed over by a way that nobody else reads. Shown this once.',
            }),
            expiresAt: Type.String({ format: 'date-time' }),
          },
          { $id: 'NewSetupLink' },
        ),
        description: 'The link.',
      },
      conditions: [404],
    }),
    handle: async ({ body }, request, reply) => {
      const { kind, connection, days = setupLinkDays.usual, mayChangeAdmins = false } = body;
      const accountId = accountOf(request);
      const known =
        connection === undefined ? null : await demandConnection(context.db, accountId, connection);
      const stamp = stampOf(context, request);
      const secret = context.newSecret();
      const { secretKey } = await credentialCache.identity();
      const expiresAtMs = stamp.nowMs + days * dayMs;
      await context.db.write(createSetupLink, {
        ...stamp,
        accountId,
        id: `sl_${context.newId().replaceAll('-', '')}`,
        codeHash: hashSecret(secret, secretKey),
        kind: kind ?? (known === null ? 'other' : kindOfIssuer(known.issuer)),
        connectionId: known?.id ?? null,
        expiresAtMs,
        mayChangeAdmins,
      });
      reply.code(201);
      const url = address.to(`/setup#${linkCodeOf({ accountId, secret })}`);
      return { url, expiresAt: new Date(expiresAtMs).toISOString() };
    },
  });

  addRoute(app, {
    method: 'DELETE',
    path: '/console/api/setup-link',
    area: 'console',
    access,
    document: consoleDocument({
      operationId: 'endSetupLink',
      summary: 'Take the set-up link back',
      description: 'What was set up by it stays. Where there is none, nothing changes.',
      tag,
      success: { status: 204, schema: null, description: 'There is none any more.' },
    }),
    handle: async (_input, request, reply) => {
      const accountId = accountOf(request);
      const link = await findSetupLink(context.db, accountId, context.now());
      if (link !== null)
        await context.db.write(removeSetupLink, {
          ...stampOf(context, request),
          accountId,
          id: link.id,
          note: 'taken back',
        });
      reply.code(204);
      return null;
    },
  });
}
