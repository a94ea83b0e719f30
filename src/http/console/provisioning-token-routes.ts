// /console/api/provisioning-tokens: what an administrator pastes into an identity provider. A token is in the answer to
// whoever made it, once.

import type { FastifyInstance } from 'fastify';
import { shownToken } from '../../store/access/credential-views.ts';
import { newProvisioningToken, tokenDaysMax, tokenDaysUsual } from '../../store/access/new-credentials.ts';
import { listProvisioningTokens, revokeProvisioningToken } from '../../store/access/provisioning-tokens.ts';
import { settledTokens } from '../../store/access/token-marks.ts';
import { addRoute } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import { consoleStampOf } from './console-change.ts';
import { consoleDocument } from './console-document.ts';
import { accountOf } from './console-gate.ts';
import { nameSchema } from './console-names.ts';
import { pageOf, pageQuery, pageSchema } from './console-page.ts';
import type { ConsoleServices } from './console-services.ts';
import { tokenSchema } from './token-view.ts';
import { stampOf } from './visitor-stamp.ts';

const tag = 'Provisioning tokens';
const moment = Type.String({ format: 'date-time' });

export function provisioningTokenRoutes(app: FastifyInstance, { context }: ConsoleServices): void {
  const access = { people: 'signedIn', ability: 'manage users' } as const;
  const tokensOf = async (accountId: number, page: { readonly after: string; readonly take: number }) =>
    settledTokens(context.db, await listProvisioningTokens(context.db, accountId, page));

  addRoute(app, {
    method: 'GET',
    path: '/console/api/provisioning-tokens',
    area: 'console',
    access,
    query: pageQuery,
    document: consoleDocument({
      operationId: 'listProvisioningTokens',
      summary: 'Provisioning tokens of the account',
      description: 'In the order of their ids, those that have ended too; without the tokens themselves.',
      tag,
      success: {
        status: 200,
        schema: pageSchema(tokenSchema, 'ProvisioningTokens'),
        description: 'A page of them.',
      },
    }),
    handle: ({ query: { after = '', limit } }, request) =>
      pageOf(limit, (take) => tokensOf(accountOf(request), { after, take }), {
        idOf: ({ id }) => id,
        shown: (token) => shownToken(token, context.now()),
      }),
  });

  addRoute(app, {
    method: 'POST',
    path: '/console/api/provisioning-tokens',
    area: 'console',
    access,
    consumes: ['application/json'],
    body: Type.Object({
      name: nameSchema,
      days: Type.Optional(
        Type.Integer({ minimum: 1, maximum: tokenDaysMax, description: `${tokenDaysUsual} unless given.` }),
      ),
      readOnly: Type.Optional(Type.Boolean()),
      mayChangeAdmins: Type.Optional(
        Type.Boolean({
          description:
            'Whether it changes users who are admin, and groups that carry admin; an admin or an operator says so. Not unless given, and fixed from then on.',
        }),
      ),
      connection: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description: 'The id of a connection of the account: users whom the token makes belong to it.',
        }),
      ),
    }),
    document: consoleDocument({
      operationId: 'createProvisioningToken',
      summary: 'Make a provisioning token',
      description:
        'The token is in this answer and nowhere else. One that may change admins is made by an admin or an operator.',
      tag,
      success: {
        status: 201,
        schema: Type.Object(
          {
            id: Type.String(),
            token: Type.String(),
            expires: moment,
            readOnly: Type.Boolean(),
            mayChangeAdmins: Type.Boolean(),
          },
          { $id: 'NewProvisioningToken' },
        ),
        description: 'The token.',
      },
    }),
    handle: async ({ body }, request, reply) => {
      const { name, days, readOnly: isReadOnly = false, connection: connectionId } = body;
      const mayChangeAdmins = !isReadOnly && body.mayChangeAdmins === true;
      const stamp = consoleStampOf(context, request);
      const { id, secret, expiresAtMs } = await newProvisioningToken(context, stamp, {
        accountId: accountOf(request),
        name: name.trim(),
        days,
        isReadOnly,
        ...(connectionId !== undefined && { connectionId }),
        mayChangeAdmins,
      });
      reply.code(201);
      const expires = new Date(expiresAtMs).toISOString();
      return { id, token: secret, expires, readOnly: isReadOnly, mayChangeAdmins };
    },
  });

  addRoute(app, {
    method: 'DELETE',
    path: '/console/api/provisioning-tokens/:tokenId',
    area: 'console',
    access,
    params: Type.Object({ tokenId: Type.String({ minLength: 1, maxLength: 100 }) }),
    document: consoleDocument({
      operationId: 'revokeProvisioningToken',
      summary: 'Revoke a provisioning token',
      description: 'It stops working within 5 seconds. Revoking it again changes nothing.',
      tag,
      success: { status: 204, schema: null, description: 'It is revoked.' },
      conditions: [404],
    }),
    handle: async ({ params: { tokenId } }, request, reply) => {
      const change = { ...stampOf(context, request), accountId: accountOf(request), id: tokenId };
      await context.db.write(revokeProvisioningToken, change);
      reply.code(204);
      return null;
    },
  });
}
