// /console/api/api-clients: the API clients of the account. A secret is in the answer to whoever asked for it, once.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Grant, grants } from '../../domain/access/account.ts';
import {
  changeClientGrants,
  clientsOf,
  finishClientRotation,
  setClientDisabled,
} from '../../store/access/clients.ts';
import { shownClient } from '../../store/access/credential-views.ts';
import { newApiClient, newClientSecret } from '../../store/access/new-credentials.ts';
import { addRoute } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import { consoleDocument } from './console-document.ts';
import { accountOf } from './console-gate.ts';
import { nameSchema } from './console-names.ts';
import { pageOf, pageQuery, pageSchema } from './console-page.ts';
import type { ConsoleServices } from './console-services.ts';
import { stampOf } from './visitor-stamp.ts';

const tag = 'API clients';
const scopesSchema = Type.Array(Type.Enum([...grants]), { maxItems: grants.length });
const clientParams = Type.Object({ clientId: Type.String({ minLength: 1, maxLength: 100 }) });

const clientSchema = Type.Object(
  {
    clientId: Type.String(),
    accountId: Type.Integer(),
    name: Type.String(),
    scopes: scopesSchema,
    mayChangeAdmins: Type.Boolean({
      description:
        'With w_cx_users it changes users who are admin, and groups that carry admin; fixed when it was made.',
    }),
    disabled: Type.Boolean(),
    liveSecrets: Type.Integer({ description: 'Two while a secret is being rotated.' }),
    created: Type.String({ format: 'date-time' }),
    lastUsed: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'To the minute; null where it was never used.',
    }),
  },
  { $id: 'ApiClient' },
);

const secretSchema = Type.Object(
  { clientId: Type.String(), clientSecret: Type.String({ description: 'It is not shown again.' }) },
  { $id: 'ApiClientSecret' },
);

export function apiClientRoutes(app: FastifyInstance, { context }: ConsoleServices): void {
  const access = { people: 'signedIn', ability: 'manage API clients' } as const;
  const changeOf = (request: FastifyRequest, id: string) => ({
    ...stampOf(context, request),
    accountId: accountOf(request),
    id,
  });

  addRoute(app, {
    method: 'GET',
    path: '/console/api/api-clients',
    area: 'console',
    access,
    query: pageQuery,
    document: consoleDocument({
      operationId: 'listApiClients',
      summary: 'API clients of the account',
      description: 'In the order of their ids, without their secrets.',
      tag,
      success: {
        status: 200,
        schema: pageSchema(clientSchema, 'ApiClients'),
        description: 'A page of them.',
      },
    }),
    handle: ({ query: { after = '', limit } }, request) =>
      pageOf(limit, (take) => clientsOf(context.db, accountOf(request), { after, take }), {
        idOf: ({ id }) => id,
        shown: shownClient,
      }),
  });

  addRoute(app, {
    method: 'POST',
    path: '/console/api/api-clients',
    area: 'console',
    access,
    consumes: ['application/json'],
    body: Type.Object({
      name: nameSchema,
      scopes: Type.Optional(scopesSchema),
      mayChangeAdmins: Type.Optional(
        Type.Boolean({
          description:
            'Whether it changes users who are admin, and groups that carry admin, if it may change users at all. Not unless given, and fixed from then on.',
        }),
      ),
    }),
    document: consoleDocument({
      operationId: 'createApiClient',
      summary: 'Make an API client',
      description: 'Without `scopes` it may do everything. Its secret is in this answer and nowhere else.',
      tag,
      success: {
        status: 201,
        schema: Type.Object(
          {
            clientId: Type.String(),
            clientSecret: Type.String(),
            scopes: scopesSchema,
            mayChangeAdmins: Type.Boolean(),
          },
          { $id: 'NewApiClient' },
        ),
        description: 'The client with its secret.',
      },
    }),
    handle: async ({ body: { name, scopes, mayChangeAdmins = false } }, request, reply) => {
      const accountId = accountOf(request);
      const wanted = { accountId, name: name.trim(), granted: scopes ?? grants, mayChangeAdmins };
      const client = await newApiClient(context, stampOf(context, request), wanted);
      reply.code(201);
      return client;
    },
  });

  addRoute(app, {
    method: 'POST',
    path: '/console/api/api-clients/:clientId/rotate',
    area: 'console',
    access,
    params: clientParams,
    document: consoleDocument({
      operationId: 'rotateApiClient',
      summary: 'A new secret beside the old one',
      description: 'Both work until the rotation is finished.',
      tag,
      success: { status: 200, schema: secretSchema, description: 'The new secret.' },
      conditions: [404, 409],
    }),
    handle: async ({ params: { clientId } }, request) => ({
      clientId,
      clientSecret: await newClientSecret(context, changeOf(request, clientId)),
    }),
  });

  addRoute(app, {
    method: 'POST',
    path: '/console/api/api-clients/:clientId/finish-rotation',
    area: 'console',
    access,
    params: clientParams,
    document: consoleDocument({
      operationId: 'finishApiClientRotation',
      summary: 'End the old secret',
      description: 'Within 5 seconds it opens nothing any more.',
      tag,
      success: { status: 204, schema: null, description: 'Only the newer secret is left.' },
      conditions: [404, 409],
    }),
    handle: async ({ params: { clientId } }, request, reply) => {
      await context.db.write(finishClientRotation, changeOf(request, clientId));
      reply.code(204);
      return null;
    },
  });

  for (const [verb, disabled] of [
    ['disable', true],
    ['enable', false],
  ] as const) {
    addRoute(app, {
      method: 'POST',
      path: `/console/api/api-clients/:clientId/${verb}`,
      area: 'console',
      access,
      params: clientParams,
      document: consoleDocument({
        operationId: `${verb}ApiClient`,
        summary: disabled ? 'Shut an API client out' : 'Let an API client in again',
        description: disabled
          ? 'Its tokens stop working within 5 seconds.'
          : 'Its secrets and the tokens that still live open again what they opened.',
        tag,
        success: { status: 204, schema: null, description: disabled ? 'It is disabled.' : 'It is enabled.' },
        conditions: [404],
      }),
      handle: async ({ params: { clientId } }, request, reply) => {
        await context.db.write(setClientDisabled, { ...changeOf(request, clientId), disabled });
        reply.code(204);
        return null;
      },
    });
  }

  addRoute(app, {
    method: 'PUT',
    path: '/console/api/api-clients/:clientId/grants',
    area: 'console',
    access,
    params: clientParams,
    consumes: ['application/json'],
    body: Type.Object({ scopes: scopesSchema }),
    document: consoleDocument({
      operationId: 'setApiClientGrants',
      summary: 'What an API client may do',
      description: 'Exactly this from now on.',
      tag,
      success: {
        status: 200,
        schema: Type.Object({ clientId: Type.String(), scopes: scopesSchema }, { $id: 'ApiClientGrants' }),
        description: 'What it has now.',
      },
      conditions: [404],
    }),
    handle: async ({ params: { clientId }, body: { scopes } }, request) => {
      const remove = grants.filter((grant) => !scopes.includes(grant));
      const after: readonly Grant[] = await context.db.write(changeClientGrants, {
        ...changeOf(request, clientId),
        add: scopes,
        remove,
      });
      return { clientId, scopes: after };
    },
  });
}
