// Client credentials for an access token, in the two kinds of call (D-14).

import { basicScope, scopes } from '../../domain/access/account.ts';
import { bodyRefusals, serviceOperations, usualRefusals } from '../operation.ts';
import { Type } from '../schema.ts';

export const grantType = 'client_credentials';

const TokenResponse = Type.Object(
  {
    access_token: Type.String({
      description: 'Goes into the header Authorization: Bearer of every further call.',
    }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Union([Type.String(), Type.Integer()], {
      description: 'Seconds left: a text in answer to the query call, a number in answer to the form call.',
    }),
    scope: Type.String({ description: 'The scope that was asked for.' }),
  },
  { $id: 'TokenResponse' },
);

/** Empty in the query call, whose Content-Type is required all the same. */
const TokenForm = Type.Object(
  {
    grant_type: Type.Optional(Type.String()),
    scope: Type.Optional(Type.String()),
    client_id: Type.Optional(Type.String()),
    client_secret: Type.Optional(Type.String()),
  },
  {
    description:
      'Empty when scope and grant_type are in the query: each may be given in one place only. The content type is required in either case.',
  },
);

export const tokenOperations = serviceOperations({
  'POST /v1/token': {
    area: 'token',
    access: 'apiClient',
    unknownQuery: 'ignored',
    document: {
      operationId: 'issueToken',
      summary: 'Exchange client credentials for an access token',
      description:
        'Credentials come as HTTP Basic. `scope` and `grant_type` come in the query, or in a form body as OAuth 2.0 libraries send them; a form may carry the credentials as client_id and client_secret, and may leave the scope out.',
      tag: 'Token',
      query: Type.Object({
        grant_type: Type.String({ description: `Always ${grantType}.`, examples: [grantType] }),
        scope: Type.String({
          description: `One or more of ${scopes.join(', ')}, separated by spaces.`,
          examples: [basicScope],
        }),
      }),
      body: TokenForm,
      success: { status: 200, schema: TokenResponse, description: 'The token' },
    },
    refusals: ['INVALID_REQUEST', 'INVALID_CLIENT', 'SCOPE_NOT_GRANTED', ...bodyRefusals, ...usualRefusals],
  },
});
