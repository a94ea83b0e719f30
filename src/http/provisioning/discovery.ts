// Discovery: what a face supports, which types it has, and what they consist of (RFC 7644 section 4).

import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { Type } from '../../contract/schema.ts';
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
import { addRoute } from '../server/route.ts';
import { bulkLimitsOf } from './bulk.ts';
import { discoverySchemas } from './discovery-schemas.ts';
import { faceTraits } from './face-traits.ts';

interface DiscoveryServices {
  readonly context: Context;
  readonly publicUrl: PublicUrl;
}

const refusedFilter = Type.Optional(
  Type.String({ description: 'Refused: these documents cannot be filtered.' }),
);

export function discoveryRoutes(
  app: FastifyInstance,
  { publicUrl, context }: DiscoveryServices,
  face: Face,
  types: readonly TypeDescription[],
): void {
  const { common, describe } = faceTraits(face);
  const document = describe('Users');
  const shapes = discoverySchemas(face);
  const discovery = {
    ...common,
    access: face.guardsDiscovery ? ({ grant: 'r_cx_users' } as const) : ('anyone' as const),
    accept: face.guardsDiscovery ? ('required' as const) : ('optional' as const),
    method: 'GET' as const,
    query: Type.Object(face.documentsById ? { filter: refusedFilter } : {}),
  };
  addRoute(app, {
    ...discovery,
    path: `${face.path}/ServiceProviderConfig`,
    document: document('GetServiceProviderConfig', 'What is supported', shapes.serviceProviderConfig, {
      description: 'What this address supports, by the words of RFC 7643 section 5.',
    }),
    handle: () =>
      serviceProviderConfig(face, {
        baseUrl: publicUrl.base,
        documentationUri: publicUrl.to('/docs'),
        maxResults: userPageMax,
        bulk: bulkLimitsOf(face, context.config),
      }),
  });
  addRoute(app, {
    ...discovery,
    path: `${face.path}/ResourceTypes`,
    document: document('ListResourceTypes', 'The types of resources', shapes.resourceTypes),
    handle: ({ query }) => unfiltered(query, resourceTypes(face, types, publicUrl.base)),
  });
  addRoute(app, {
    ...discovery,
    path: `${face.path}/Schemas`,
    document: document('ListSchemas', 'The attributes of the types', shapes.schemas),
    handle: ({ query }) => unfiltered(query, schemas(face, types, publicUrl.base)),
  });
  if (!face.documentsById) return;
  const one = { ...discovery, params: Type.Object({ id: Type.String({ description: 'Its id.' }) }) };
  addRoute(app, {
    ...one,
    path: `${face.path}/ResourceTypes/:id`,
    document: document('GetResourceType', 'One type of resources', shapes.resourceType, {
      conditions: [404],
    }),
    handle: ({ params, query }) =>
      unfiltered(query, findResourceType(face, types, publicUrl.base, params.id)),
  });
  addRoute(app, {
    ...one,
    path: `${face.path}/Schemas/:id`,
    document: document('GetSchema', 'The attributes of one schema', shapes.schema, { conditions: [404] }),
    handle: ({ params, query }) => unfiltered(query, findSchema(face, types, publicUrl.base, params.id)),
  });
}

/** A filter that were passed over would say that everything fulfils it; the RFC asks for 403 (section 4). */
function unfiltered<T>(query: object, document: T): T {
  if (!('filter' in query)) return document;
  throw new Problem('FILTER_NOT_ALLOWED', 'The documents of discovery cannot be filtered.');
}
