// /console/api/provisioning-tokens: what an administrator pastes into an identity provider. A token is in the answer to
// whoever made it, once.

import { tokenDaysMax, tokenDaysUsual } from '../../domain/access/credential-bounds.ts';
import { nameSchema } from '../name.ts';
import { consoleOperations, done } from '../operation.ts';
import { pageQuery, pageSchema } from '../page.ts';
import { Type } from '../schema.ts';
import { tokenSchema } from './provisioning-token.ts';

const tag = 'Provisioning tokens';

const moment = Type.String({ format: 'date-time' });

const access = { people: 'signedIn', ability: 'manage users' } as const;

export const provisioningTokenOperations = consoleOperations({
  'GET /provisioning-tokens': {
    access,
    query: pageQuery,
    document: {
      operationId: 'listProvisioningTokens',
      summary: 'Provisioning tokens of the account',
      description: 'In the order of their ids, those that have ended too; without the tokens themselves.',
      tag,
      success: {
        status: 200,
        schema: pageSchema(tokenSchema, 'ProvisioningTokens'),
        description: 'A page of them.',
      },
    },
  },
  'POST /provisioning-tokens': {
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
    document: {
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
    },
  },
  'DELETE /provisioning-tokens/:tokenId': {
    access,
    params: Type.Object({ tokenId: Type.String({ minLength: 1, maxLength: 100 }) }),
    document: {
      operationId: 'revokeProvisioningToken',
      summary: 'Revoke a provisioning token',
      description: 'It stops working within 5 seconds. Revoking it again changes nothing.',
      tag,
      success: done('It is revoked.'),
    },
    refusals: ['PROVISIONING_TOKEN_NOT_FOUND'],
  },
});
