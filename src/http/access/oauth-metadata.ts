// RFC 8414: where an OAuth library finds the token endpoint and what it may ask for.

import type { FastifyInstance } from 'fastify';
import { authorizationServerOperations } from '../../contract/access/authorization-server.ts';
import { scopes } from '../../domain/access/account.ts';
import type { PublicUrl } from '../../domain/operations/public-url.ts';
import { addOperation } from '../server/route.ts';

export function metadataRoutes(app: FastifyInstance, publicUrl: PublicUrl): void {
  addOperation(app, authorizationServerOperations, 'GET /.well-known/oauth-authorization-server', () => ({
    issuer: publicUrl.base,
    token_endpoint: publicUrl.to('/v1/token'),
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    scopes_supported: scopes,
    service_documentation: publicUrl.to('/docs'),
  }));
}
