// /console/api/setup-link: the link that hands the set-up of an identity provider to whoever looks after that provider and has
// no user here. Whoever has it says who everybody is, so admins alone make one (D-601).

import type { FastifyInstance } from 'fastify';
import { setupLinkOperations } from '../../../contract/providers/setup-links.ts';
import { linkCodeOf } from '../../../domain/access/one-time-link.ts';
import { kindOfIssuer } from '../../../domain/access/provider-kind.ts';
import { hashSecret } from '../../../domain/access/secret.ts';
import { setupLinkDays } from '../../../domain/access/setup-link.ts';
import { dayMs } from '../../../domain/dates.ts';
import { createSetupLink, findSetupLink, removeSetupLink } from '../../../store/access/setup-links.ts';
import { addOperation } from '../../server/route.ts';
import { accountOf } from '../console-gate.ts';
import type { ConsoleServices } from '../console-services.ts';
import { stampOf } from '../visitor-stamp.ts';
import { demandConnection } from './connection-view.ts';

export function setupLinkRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context, address, credentialCache } = services;

  addOperation(app, setupLinkOperations, 'POST /setup-link', async ({ body }, request, reply) => {
    const { kind, connection, days = setupLinkDays.usual, mayChangeAdmins = false } = body;
    const accountId = accountOf(request);
    const known = connection === undefined ? null : await demandConnection(context.db, accountId, connection);
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
  });

  addOperation(app, setupLinkOperations, 'DELETE /setup-link', async (_input, request, reply) => {
    const accountId = accountOf(request);
    const link = await findSetupLink(context.db, accountId, context.now());
    if (link !== null)
      await context.db.write(removeSetupLink, {
        ...stampOf(context, request),
        accountId,
        id: link.id,
        isDone: false,
      });
    reply.code(204);
    return null;
  });
}
