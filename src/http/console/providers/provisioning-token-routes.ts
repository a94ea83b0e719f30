// /console/api/provisioning-tokens: what an administrator pastes into an identity provider. A token is in the answer to
// whoever made it, once.

import type { FastifyInstance } from 'fastify';
import { provisioningTokenOperations } from '../../../contract/access/provisioning-tokens.ts';
import { shownToken } from '../../../store/access/credential-views.ts';
import { newProvisioningToken } from '../../../store/access/new-credentials.ts';
import {
  listProvisioningTokens,
  revokeProvisioningToken,
} from '../../../store/access/provisioning-tokens.ts';
import { settledTokens } from '../../../store/access/token-marks.ts';
import { addOperation } from '../../server/route.ts';
import { consoleStampOf } from '../console-change.ts';
import { accountOf } from '../console-gate.ts';
import { pageOf } from '../console-page.ts';
import type { ConsoleServices } from '../console-services.ts';
import { stampOf } from '../visitor-stamp.ts';

export function provisioningTokenRoutes(app: FastifyInstance, { context }: ConsoleServices): void {
  const tokensOf = async (accountId: number, page: { readonly after: string; readonly take: number }) =>
    settledTokens(context.db, await listProvisioningTokens(context.db, accountId, page));

  addOperation(
    app,
    provisioningTokenOperations,
    'GET /provisioning-tokens',
    ({ query: { after = '', limit } }, request) =>
      pageOf(limit, (take) => tokensOf(accountOf(request), { after, take }), {
        idOf: ({ id }) => id,
        shown: (token) => shownToken(token, context.now()),
      }),
  );

  addOperation(
    app,
    provisioningTokenOperations,
    'POST /provisioning-tokens',
    async ({ body }, request, reply) => {
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
  );

  addOperation(
    app,
    provisioningTokenOperations,
    'DELETE /provisioning-tokens/:tokenId',
    async ({ params: { tokenId } }, request, reply) => {
      const change = { ...stampOf(context, request), accountId: accountOf(request), id: tokenId };
      await context.db.write(revokeProvisioningToken, change);
      reply.code(204);
      return null;
    },
  );
}
