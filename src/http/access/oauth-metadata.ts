// RFC 8414: where an OAuth library finds the token endpoint and what it may ask for.

import type { FastifyInstance } from 'fastify';
import { Type } from '../../contract/schema.ts';
import { scopes } from '../../domain/access/account.ts';
import type { PublicUrl } from '../server/public-url.ts';
import { addRoute } from '../server/route.ts';

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

export function metadataRoutes(app: FastifyInstance, publicUrl: PublicUrl): void {
  addRoute(app, {
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    area: 'service',
    access: 'anyone',
    unknownQuery: 'ignored',
    document: {
      operationId: 'authorizationServerMetadata',
      summary: 'Metadata of the authorization server (RFC 8414)',
      description: 'For OAuth 2.0 libraries that discover the token endpoint by themselves.',
      tag: 'Token',
      success: { status: 200, schema: Metadata, description: 'The metadata' },
      conditions: [400, 406, 500, 503],
    },
    handle: () => ({
      issuer: publicUrl.base,
      token_endpoint: publicUrl.to('/v1/token'),
      grant_types_supported: ['client_credentials'],
      response_types_supported: [],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      scopes_supported: scopes,
      service_documentation: publicUrl.to('/docs'),
    }),
  });
}
