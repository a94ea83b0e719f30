// Discovery: what a face supports, which types it has, and what they consist of (RFC 7644 section 4).

import type { Face } from '../../scim/faces.ts';
import { Type } from '../schema.ts';
import { discoverySchemas } from './discovery-schemas.ts';
import { faceOperations, faceTraits } from './face-traits.ts';

const refusedFilter = Type.Optional(
  Type.String({ description: 'Refused: these documents cannot be filtered.' }),
);

function discoveryTraits(face: Face) {
  const { common, describe } = faceTraits(face);
  return {
    shapes: discoverySchemas(face),
    refusals: face.documentsById ? (['FILTER_NOT_ALLOWED'] as const) : [],
    document: describe('Users'),
    discovery: {
      ...common,
      access: face.guardsDiscovery ? ({ grant: 'r_cx_users' } as const) : ('anyone' as const),
      accept: face.guardsDiscovery ? ('required' as const) : ('optional' as const),
      query: Type.Object(face.documentsById ? { filter: refusedFilter } : {}),
    },
  };
}

export function discoveryOperations(face: Face) {
  const { shapes, document, discovery, refusals } = discoveryTraits(face);
  return faceOperations(face, {
    'GET /ServiceProviderConfig': {
      ...discovery,
      document: document('GetServiceProviderConfig', 'What is supported', shapes.serviceProviderConfig, {
        description: 'What this address supports, by the words of RFC 7643 section 5.',
      }),
    },
    'GET /ResourceTypes': {
      ...discovery,
      document: document('ListResourceTypes', 'The types of resources', shapes.resourceTypes),
      refusals,
    },
    'GET /Schemas': {
      ...discovery,
      document: document('ListSchemas', 'The attributes of the types', shapes.schemas),
      refusals,
    },
  });
}

/** On a face whose documents have addresses of their own. */
export function documentOperations(face: Face) {
  const { shapes, document, discovery } = discoveryTraits(face);
  const one = {
    ...discovery,
    params: Type.Object({ id: Type.String({ description: 'Its id.' }) }),
    refusals: ['FILTER_NOT_ALLOWED', 'SCHEMA_NOT_FOUND'],
  } as const;
  return faceOperations(face, {
    'GET /ResourceTypes/:id': {
      ...one,
      document: document('GetResourceType', 'One type of resources', shapes.resourceType),
    },
    'GET /Schemas/:id': {
      ...one,
      document: document('GetSchema', 'The attributes of one schema', shapes.schema),
    },
  });
}
