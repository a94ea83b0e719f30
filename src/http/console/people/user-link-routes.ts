// One-time links for users: an invitation of somebody new, and a new way in for somebody who is there.

import type { FastifyInstance } from 'fastify';
import {
  demandLinks,
  issueUserLink,
  type LinkMaker,
  type PreparedLink,
} from '../../../acts/access/issue-link.ts';
import { userLinkOperations } from '../../../contract/access/user-links.ts';
import { mayGrantAdmin } from '../../../domain/access/role-rules.ts';
import { createUser } from '../../../domain/provisioning/user.ts';
import { draftOfInvitation } from '../../../scim/invitation.ts';
import { addOperation } from '../../server/route.ts';
import { accountOf, visitorOf } from '../console-gate.ts';
import type { ConsoleServices } from '../console-services.ts';
import { stampOf } from '../visitor-stamp.ts';
import { userOfPath } from './user-of-path.ts';

export function userLinkRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context, address, credentialCache, userCreation } = services;
  const maker = async (): Promise<LinkMaker> => {
    const { secretKey } = await credentialCache.identity();
    return { context, address, secretKey };
  };

  addOperation(app, userLinkOperations, 'POST /users/invite', async ({ body }, request) => {
    const accountId = accountOf(request);
    await demandLinks(context, accountId);
    const stamp = stampOf(context, request);
    const draft = createUser(draftOfInvitation(body), { accountId, id: 0, nowMs: stamp.nowMs });
    const user = await userCreation.create(draft, stamp);
    const link = await issueUserLink(await maker(), stampOf(context, request), user, {
      purpose: 'invite',
      admitsAdmin: mayGrantAdmin(visitorOf(request)),
    });
    return { id: String(user.id), ...shown(link) };
  });

  addOperation(app, userLinkOperations, 'POST /users/:id/link', async ({ params }, request) => {
    const accountId = accountOf(request);
    const user = await userOfPath(context, accountId, params.id);
    const wanted = { purpose: 'reset', admitsAdmin: mayGrantAdmin(visitorOf(request)) } as const;
    return shown(await issueUserLink(await maker(), stampOf(context, request), user, wanted));
  });
}

function shown({ url, expiresAtMs }: PreparedLink) {
  return { url, expiresAt: new Date(expiresAtMs).toISOString() };
}
