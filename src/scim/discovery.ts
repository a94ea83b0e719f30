// The three documents that tell a caller what a face can do, made from the table of attributes (D-52b).

import { Problem } from '../domain/problem.ts';
import type { Value } from '../domain/provisioning/value.ts';
import { type Attribute, commonAttributes, type SchemaEntry } from './attributes.ts';
import type { Face } from './faces.ts';
import type { TypeDescription } from './resource-type.ts';
import type { SchemaView } from './schema-view.ts';
import {
  listResponseSchema,
  resourceTypeSchema,
  schemaSchema,
  serviceProviderConfigSchema,
  userSchema,
} from './urns.ts';

type Document = Record<string, Value>;

interface DiscoveryFacts {
  readonly baseUrl: string;
  /** A page for people that exists. */
  readonly documentationUri: string;
  /** The most users that one page may have (D-54). */
  readonly maxResults: number;
  /** Null where the face has no bulk endpoint. */
  readonly bulk: { readonly maxOperations: number; readonly maxPayloadBytes: number } | null;
}

export function serviceProviderConfig(face: Face, facts: DiscoveryFacts): Document {
  const { baseUrl, documentationUri, maxResults, bulk } = facts;
  return {
    schemas: [serviceProviderConfigSchema],
    documentationUri,
    patch: { supported: true },
    // Passwords are chosen in the console alone.
    changePassword: { supported: false },
    bulk: {
      supported: bulk !== null,
      maxOperations: bulk?.maxOperations ?? 0,
      maxPayloadSize: bulk?.maxPayloadBytes ?? 0,
    },
    filter: { supported: true, maxResults },
    sort: { supported: true },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'OAuth 2.0 bearer token',
        description: 'An access token of the token endpoint, sent in the Authorization header.',
        specUri: 'https://www.rfc-editor.org/info/rfc6750',
        documentationUri,
        primary: true,
      },
    ],
    meta: {
      resourceType: 'ServiceProviderConfig',
      location: `${baseUrl}${face.path}/ServiceProviderConfig`,
    },
  };
}

/** Where a document is found: at an address of its own, or in the list of all. */
function documentAddress(face: Face, baseUrl: string, list: 'ResourceTypes' | 'Schemas', id: string): string {
  const ofAll = `${baseUrl}${face.path}/${list}`;
  return face.documentsById ? `${ofAll}/${id}` : ofAll;
}

function resourceTypeDocument(face: Face, type: TypeDescription, baseUrl: string): Document {
  const { name, endpoint, description, schemaView } = type;
  const extensions = schemaView.roots.filter((root) => root.extension).map((root) => root.name);
  return {
    schemas: [resourceTypeSchema],
    id: name,
    name,
    endpoint: `/${endpoint}`,
    description,
    schema: schemaView.schema,
    schemaExtensions: face.documents.mergesResourceTypes
      ? extensions
      : extensions.map((schema) => ({ schema, required: false })),
    meta: { resourceType: 'ResourceType', location: documentAddress(face, baseUrl, 'ResourceTypes', name) },
  };
}

/**
 * The interface shows one resource type where the endpoint's name says a list: its face answers with one object
 * that is both (D-52b). The standard answers with the list.
 */
export function resourceTypes(face: Face, types: readonly TypeDescription[], baseUrl: string): Document {
  const resources = types.map((type) => resourceTypeDocument(face, type, baseUrl));
  const list = face.showList({ totalResults: resources.length, startIndex: 1, resources });
  if (!face.documents.mergesResourceTypes) return list;
  return {
    ...list,
    ...resources[0],
    schemas: [resourceTypeSchema, listResponseSchema],
  };
}

/** One resource type by its id, for `/ResourceTypes/{id}`; ids are names and are compared as they are. */
export function findResourceType(
  face: Face,
  types: readonly TypeDescription[],
  baseUrl: string,
  id: string,
): Document {
  const type = types.find(({ name }) => name === id);
  if (type === undefined) throw new Problem('SCHEMA_NOT_FOUND', `No resource type has the id "${id}".`);
  return resourceTypeDocument(face, type, baseUrl);
}

export function schemas(face: Face, types: readonly TypeDescription[], baseUrl: string): Document {
  const documents = schemaDocuments(face, types, baseUrl);
  return face.showList({ totalResults: documents.length, startIndex: 1, resources: documents });
}

/** One schema by its URN, for `/Schemas/{id}`; URNs are the same in any case. */
export function findSchema(
  face: Face,
  types: readonly TypeDescription[],
  baseUrl: string,
  urn: string,
): Document {
  const found = schemaDocuments(face, types, baseUrl).find(
    ({ id }) => String(id).toLowerCase() === urn.toLowerCase(),
  );
  if (found === undefined) throw new Problem('SCHEMA_NOT_FOUND', `No schema has the id "${urn}".`);
  return found;
}

/** The schemas of which the face knows anything. */
export function schemaDocuments(
  face: Face,
  types: readonly TypeDescription[],
  baseUrl: string,
): readonly Document[] {
  return types
    .flatMap(({ schemas: entries, schemaView }) =>
      entries.map((entry) => ({ entry, schemaView, attributes: attributesOf(face, entry, schemaView) })),
    )
    .filter(({ attributes }) => attributes.length > 0)
    .map(({ entry, schemaView, attributes }) => ({
      schemas: [schemaSchema],
      id: entry.urn,
      name: entry.name,
      description: entry.description,
      attributes: attributes.map((attribute) => attributeDocument(face, schemaView, attribute)),
      meta: { resourceType: 'Schema', location: documentAddress(face, baseUrl, 'Schemas', entry.urn) },
    }));
}

function attributesOf(face: Face, entry: SchemaEntry, schemaView: SchemaView): readonly Attribute[] {
  const common = face.documents.listsCommonAttributes && entry.urn === userSchema ? commonAttributes : [];
  return [...common, ...entry.attributes].filter((attribute) => schemaView.knows(attribute));
}

function attributeDocument(face: Face, schemaView: SchemaView, attribute: Attribute): Document {
  const parts = schemaView.partsOf(attribute);
  // The id is the one attribute whose type depends on the face.
  const type = attribute.path === 'id' ? face.idType : attribute.type;
  return {
    name: attribute.name,
    type,
    multiValued: attribute.multiValued,
    description: attribute.description,
    required: attribute.requiredOn.includes(face.name),
    ...(type === 'string' || type === 'reference' || type === 'binary'
      ? { caseExact: attribute.caseExact }
      : {}),
    mutability: attribute.mutability,
    returned: attribute.returned,
    uniqueness: attribute.uniqueness,
    ...(attribute.canonicalValues.length > 0 ? { canonicalValues: attribute.canonicalValues } : {}),
    ...(attribute.referenceTypes.length > 0 ? { referenceTypes: attribute.referenceTypes } : {}),
    ...(parts.length > 0
      ? { subAttributes: parts.map((part) => attributeDocument(face, schemaView, part)) }
      : {}),
  };
}
