// RFC 8414: where an OAuth library finds the token endpoint and what it may ask for.

import { serviceOperations } from '../operation.ts';
import { Type } from '../schema.ts';

const Metadata = Type.Object(
  {
    issuer: Type.String(),
    token_endpoint: Type.String(),
    grant_types_supported: Type.Array(Type.String()),
    response_types_supported: Type.Array(Type.String()),
    token_endpoint_auth_methods_supported: Type.Array(Type.String()),
    scopes_supported: Type.Array(Type.String()),
    service_documentation: Type.String(),
  },
  { $id: 'AuthorizationServerMetadata' },
);

export const authorizationServerOperations = serviceOperations({
  'GET /.well-known/oauth-authorization-server': {
    access: 'anyone',
    unknownQuery: 'ignored',
    document: {
      operationId: 'authorizationServerMetadata',
      summary: 'Metadata of the authorization server (RFC 8414)',
      description: 'For OAuth 2.0 libraries that discover the token endpoint by themselves.',
      tag: 'Token',
      success: { status: 200, schema: Metadata, description: 'The metadata' },
    },
    refusals: ['INVALID_REQUEST', 'NOT_ACCEPTABLE', 'INTERNAL_ERROR', 'MAINTENANCE'],
  },
});
