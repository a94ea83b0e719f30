// /console/api/api-clients: the API clients of the account. A secret is in the answer to whoever asked for it, once.

import { grants } from '../../domain/access/account.ts';
import { nameSchema } from '../name.ts';
import { consoleOperations, done } from '../operation.ts';
import { pageQuery, pageSchema } from '../page.ts';
import { Type } from '../schema.ts';

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

const access = { people: 'signedIn', ability: 'manage API clients' } as const;

export const apiClientOperations = consoleOperations({
  'GET /api-clients': {
    access,
    query: pageQuery,
    document: {
      operationId: 'listApiClients',
      summary: 'API clients of the account',
      description: 'In the order of their ids, without their secrets.',
      tag,
      success: {
        status: 200,
        schema: pageSchema(clientSchema, 'ApiClients'),
        description: 'A page of them.',
      },
    },
  },
  'POST /api-clients': {
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
    document: {
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
    },
  },
  'POST /api-clients/:clientId/rotate': {
    access,
    params: clientParams,
    document: {
      operationId: 'rotateApiClient',
      summary: 'A new secret beside the old one',
      description: 'Both work until the rotation is finished.',
      tag,
      success: { status: 200, schema: secretSchema, description: 'The new secret.' },
    },
    refusals: ['API_CLIENT_NOT_FOUND', 'CONFLICT'],
  },
  'POST /api-clients/:clientId/finish-rotation': {
    access,
    params: clientParams,
    document: {
      operationId: 'finishApiClientRotation',
      summary: 'End the old secret',
      description: 'Within 5 seconds it opens nothing any more.',
      tag,
      success: done('Only the newer secret is left.'),
    },
    refusals: ['API_CLIENT_NOT_FOUND', 'CONFLICT'],
  },
  'POST /api-clients/:clientId/disable': {
    access,
    params: clientParams,
    document: {
      operationId: 'disableApiClient',
      summary: 'Shut an API client out',
      description: 'Its tokens stop working within 5 seconds.',
      tag,
      success: done('It is disabled.'),
    },
    refusals: ['API_CLIENT_NOT_FOUND'],
  },
  'POST /api-clients/:clientId/enable': {
    access,
    params: clientParams,
    document: {
      operationId: 'enableApiClient',
      summary: 'Let an API client in again',
      description: 'Its secrets and the tokens that still live open again what they opened.',
      tag,
      success: done('It is enabled.'),
    },
    refusals: ['API_CLIENT_NOT_FOUND'],
  },
  'PUT /api-clients/:clientId/grants': {
    access,
    params: clientParams,
    consumes: ['application/json'],
    body: Type.Object({ scopes: scopesSchema }),
    document: {
      operationId: 'setApiClientGrants',
      summary: 'What an API client may do',
      description: 'Exactly this from now on.',
      tag,
      success: {
        status: 200,
        schema: Type.Object({ clientId: Type.String(), scopes: scopesSchema }, { $id: 'ApiClientGrants' }),
        description: 'What it has now.',
      },
    },
    refusals: ['API_CLIENT_NOT_FOUND'],
  },
});
