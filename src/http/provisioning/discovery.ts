// Discovery: what a face supports, which types it has, and what they consist of (RFC 7644 section 4).

import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { discoveryOperations, documentOperations } from '../../contract/provisioning/discovery.ts';
import type { PublicUrl } from '../../domain/operations/public-url.ts';
import { Problem } from '../../domain/problem.ts';
import { userPageMax } from '../../domain/window.ts';
import {
  findResourceType,
  findSchema,
  resourceTypes,
  schemas,
  serviceProviderConfig,
} from '../../scim/discovery.ts';
import type { Face } from '../../scim/faces.ts';
import type { TypeDescription } from '../../scim/resource-type.ts';
import { addOperation } from '../server/route.ts';
import { bulkLimitsOf } from './bulk.ts';

interface DiscoveryServices {
  readonly context: Context;
  readonly publicUrl: PublicUrl;
}

export function discoveryRoutes(
  app: FastifyInstance,
  { publicUrl, context }: DiscoveryServices,
  face: Face,
  types: readonly TypeDescription[],
): void {
  const operations = discoveryOperations(face);
  addOperation(app, operations, 'GET /ServiceProviderConfig', () =>
    serviceProviderConfig(face, {
      baseUrl: publicUrl.base,
      documentationUri: publicUrl.to('/docs'),
      maxResults: userPageMax,
      bulk: bulkLimitsOf(face, context.config),
    }),
  );
  addOperation(app, operations, 'GET /ResourceTypes', ({ query }) =>
    unfiltered(query, resourceTypes(face, types, publicUrl.base)),
  );
  addOperation(app, operations, 'GET /Schemas', ({ query }) =>
    unfiltered(query, schemas(face, types, publicUrl.base)),
  );
  if (!face.documentsById) return;
  const documents = documentOperations(face);
  addOperation(app, documents, 'GET /ResourceTypes/:id', ({ params, query }) =>
    unfiltered(query, findResourceType(face, types, publicUrl.base, params.id)),
  );
  addOperation(app, documents, 'GET /Schemas/:id', ({ params, query }) =>
    unfiltered(query, findSchema(face, types, publicUrl.base, params.id)),
  );
}

/** A filter that were passed over would say that everything fulfils it; the RFC asks for 403 (section 4). */
function unfiltered<T>(query: object, document: T): T {
  if (!('filter' in query)) return document;
  throw new Problem('FILTER_NOT_ALLOWED', 'The documents of discovery cannot be filtered.');
}
