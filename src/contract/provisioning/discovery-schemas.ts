// The documents of discovery as the API document shows them (RFC 7643 sections 5 to 7).

import type { TObject, TSchema } from 'typebox';
import type { Face } from '../../scim/faces.ts';
import { Type } from '../schema.ts';
import { schemaName } from './face-traits.ts';
import { listSchema } from './resource-schemas.ts';

interface DiscoverySchemas {
  readonly serviceProviderConfig: TObject;
  readonly resourceType: TObject;
  readonly resourceTypes: TObject;
  readonly schema: TObject;
  readonly schemas: TObject;
}

const supported = Type.Object({ supported: Type.Boolean() });
const meta = Type.Object(
  { resourceType: Type.String(), location: Type.String() },
  { description: 'What the document is and where it is.' },
);

const ServiceProviderConfig = Type.Object(
  {
    schemas: Type.Array(Type.String()),
    documentationUri: Type.String(),
    patch: supported,
    changePassword: supported,
    bulk: Type.Object({
      supported: Type.Boolean(),
      maxOperations: Type.Integer(),
      maxPayloadSize: Type.Integer({ description: 'In bytes.' }),
    }),
    filter: Type.Object({ supported: Type.Boolean(), maxResults: Type.Integer() }),
    sort: supported,
    etag: supported,
    authenticationSchemes: Type.Array(
      Type.Object({
        type: Type.String(),
        name: Type.String(),
        description: Type.String(),
        specUri: Type.String(),
        documentationUri: Type.String(),
        primary: Type.Boolean(),
      }),
    ),
    meta,
  },
  { $id: 'ServiceProviderConfig' },
);

const attributeParts = {
  name: Type.String(),
  type: Type.String({
    description: 'string, boolean, integer, dateTime, reference, complex or binary.',
  }),
  multiValued: Type.Boolean(),
  description: Type.String(),
  required: Type.Boolean(),
  caseExact: Type.Optional(Type.Boolean()),
  mutability: Type.String({ description: 'readOnly, readWrite, immutable or writeOnly.' }),
  returned: Type.String({ description: 'always, never, default or request.' }),
  uniqueness: Type.String({ description: 'none or server.' }),
  canonicalValues: Type.Optional(Type.Array(Type.String())),
  referenceTypes: Type.Optional(Type.Array(Type.String())),
};

const Schema = Type.Object(
  {
    schemas: Type.Array(Type.String()),
    id: Type.String({ description: 'The URN of the schema.' }),
    name: Type.String(),
    description: Type.String(),
    attributes: Type.Array(
      Type.Object(
        {
          ...attributeParts,
          subAttributes: Type.Optional(
            Type.Array(Type.Object(attributeParts, { $id: 'SubAttribute' }), {
              description: 'The parts of a complex attribute.',
            }),
          ),
        },
        { $id: 'Attribute' },
      ),
    ),
    meta,
  },
  { $id: 'Schema' },
);

export function discoverySchemas(face: Face): DiscoverySchemas {
  const isMerged = face.documents.mergesResourceTypes;
  const extension = isMerged
    ? Type.String({ description: 'The URN of an extension.' })
    : Type.Object({ schema: Type.String(), required: Type.Boolean() });
  const parts: Record<string, TSchema> = {
    schemas: Type.Array(Type.String()),
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    endpoint: Type.String(),
    schema: Type.String({ description: 'The URN of its schema.' }),
    schemaExtensions: Type.Array(extension),
    meta,
  };
  const resourceType = Type.Object(parts, { $id: schemaName(face, 'ResourceType') });
  const list = listSchema(face, resourceType, schemaName(face, 'ResourceTypeList'));
  return {
    serviceProviderConfig: ServiceProviderConfig,
    resourceType,
    // The interface shows one object that is both the list and its one type (D-52b).
    resourceTypes: isMerged
      ? Type.Object(
          { ...(list.properties as Record<string, TSchema>), ...parts },
          { $id: 'ResourceTypeList' },
        )
      : list,
    schema: Schema,
    schemas: listSchema(face, Schema, schemaName(face, 'SchemaList')),
  };
}
