// One-time links for users: an invitation of somebody new, and a new way in for somebody who is there.

import type { FastifyInstance } from 'fastify';
import { mayGrantAdmin } from '../../domain/access/role-rules.ts';
import { createUser } from '../../domain/provisioning/user.ts';
import { draftOfInvitation } from '../../scim/invitation.ts';
import { addRoute } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import { consoleDocument } from './console-document.ts';
import { accountOf, visitorOf } from './console-gate.ts';
import type { ConsoleServices } from './console-services.ts';
import { demandLinks, issueUserLink, type LinkMaker, type PreparedLink } from './issue-link.ts';
import { userIdParams, userOfPath } from './user-of-path.ts';
import { stampOf } from './visitor-stamp.ts';

const text = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 1_000, description }));

const linkMembers = {
  url: Type.String({
    description: 'To be handed to the person by a way that nobody else reads. Shown this once.',
  }),
  expiresAt: Type.String({ format: 'date-time' }),
};

export function userLinkRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context, address, credentialCache, userCreation } = services;
  const shared = {
    method: 'POST',
    area: 'console',
    access: { people: 'signedIn', ability: 'manage users' },
  } as const;
  const maker = async (): Promise<LinkMaker> => {
    const { secretKey } = await credentialCache.identity();
    return { context, address, secretKey };
  };

  addRoute(app, {
    ...shared,
    path: '/console/api/users/invite',
    consumes: ['application/json'],
    body: Type.Object({
      userName: Type.String({ minLength: 1, maxLength: 1_000 }),
      externalId: text('By which an identity provider will know them, if one is connected later.'),
      givenName: text('Their first name.'),
      familyName: text('Their last name.'),
      email: text('Where to write to them. Nothing is sent.'),
    }),
    document: consoleDocument({
      operationId: 'inviteUser',
      summary: 'Invite a user',
      description:
        'Creates the user as an identity provider would, with a link that signs them in once, within 7 days.',
      tag: 'Users',
      success: {
        status: 200,
        schema: Type.Object(
          { id: Type.String({ description: 'The internal id.' }), ...linkMembers },
          { $id: 'InvitedUser' },
        ),
        description: 'The user is there.',
      },
      conditions: [409],
    }),
    async handle({ body }, request) {
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
    },
  });

  addRoute(app, {
    ...shared,
    path: '/console/api/users/:id/link',
    params: userIdParams,
    document: consoleDocument({
      operationId: 'createUserLink',
      summary: 'Make a link that signs a user in once',
      description:
        'For somebody who has lost their passkey or password; it works for 24 hours and ends the link before it. That of an admin is made by an admin or an operator.',
      tag: 'Users',
      success: {
        status: 200,
        schema: Type.Object(linkMembers, { $id: 'UserLink' }),
        description: 'The link.',
      },
      conditions: [404, 409],
    }),
    async handle({ params }, request) {
      const accountId = accountOf(request);
      const user = await userOfPath(context, accountId, params.id);
      const wanted = { purpose: 'reset', admitsAdmin: mayGrantAdmin(visitorOf(request)) } as const;
      return shown(await issueUserLink(await maker(), stampOf(context, request), user, wanted));
    },
  });
}

function shown({ url, expiresAtMs }: PreparedLink) {
  return { url, expiresAt: new Date(expiresAtMs).toISOString() };
}
