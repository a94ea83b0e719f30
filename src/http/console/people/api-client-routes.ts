// /console/api/api-clients: the API clients of the account. A secret is in the answer to whoever asked for it, once.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { apiClientOperations } from '../../../contract/access/api-clients.ts';
import { type Grant, grants } from '../../../domain/access/account.ts';
import {
  changeClientGrants,
  clientsOf,
  finishClientRotation,
  setClientDisabled,
} from '../../../store/access/clients.ts';
import { shownClient } from '../../../store/access/credential-views.ts';
import { newApiClient, newClientSecret } from '../../../store/access/new-credentials.ts';
import { addOperation } from '../../server/route.ts';
import { accountOf } from '../console-gate.ts';
import { pageOf } from '../console-page.ts';
import type { ConsoleServices } from '../console-services.ts';
import { stampOf } from '../visitor-stamp.ts';

export function apiClientRoutes(app: FastifyInstance, { context }: ConsoleServices): void {
  const changeOf = (request: FastifyRequest, id: string) => ({
    ...stampOf(context, request),
    accountId: accountOf(request),
    id,
  });

  addOperation(app, apiClientOperations, 'GET /api-clients', ({ query: { after = '', limit } }, request) =>
    pageOf(limit, (take) => clientsOf(context.db, accountOf(request), { after, take }), {
      idOf: ({ id }) => id,
      shown: shownClient,
    }),
  );

  addOperation(
    app,
    apiClientOperations,
    'POST /api-clients',
    async ({ body: { name, scopes, mayChangeAdmins = false } }, request, reply) => {
      const accountId = accountOf(request);
      const wanted = { accountId, name: name.trim(), granted: scopes ?? grants, mayChangeAdmins };
      const client = await newApiClient(context, stampOf(context, request), wanted);
      reply.code(201);
      return client;
    },
  );

  addOperation(
    app,
    apiClientOperations,
    'POST /api-clients/:clientId/rotate',
    async ({ params: { clientId } }, request) => ({
      clientId,
      clientSecret: await newClientSecret(context, changeOf(request, clientId)),
    }),
  );

  addOperation(
    app,
    apiClientOperations,
    'POST /api-clients/:clientId/finish-rotation',
    async ({ params: { clientId } }, request, reply) => {
      await context.db.write(finishClientRotation, changeOf(request, clientId));
      reply.code(204);
      return null;
    },
  );

  for (const [key, disabled] of [
    ['POST /api-clients/:clientId/disable', true],
    ['POST /api-clients/:clientId/enable', false],
  ] as const)
    addOperation(app, apiClientOperations, key, async ({ params: { clientId } }, request, reply) => {
      await context.db.write(setClientDisabled, { ...changeOf(request, clientId), disabled });
      reply.code(204);
      return null;
    });

  addOperation(
    app,
    apiClientOperations,
    'PUT /api-clients/:clientId/grants',
    async ({ params: { clientId }, body: { scopes } }, request) => {
      const remove = grants.filter((grant) => !scopes.includes(grant));
      const after: readonly Grant[] = await context.db.write(changeClientGrants, {
        ...changeOf(request, clientId),
        add: scopes,
        remove,
      });
      return { clientId, scopes: after };
    },
  );
}
