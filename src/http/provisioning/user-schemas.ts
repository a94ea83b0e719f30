// Users as the API document shows them, made from the table of attributes like everything else about them.

import type { TObject, TSchema } from 'typebox';
import type { Attribute } from '../../scim/attributes.ts';
import type { Face } from '../../scim/faces.ts';
import { groupSchemaView, type SchemaView } from '../../scim/schema-view.ts';
import { Type } from '../server/schema.ts';

export interface UserSchemas {
  readonly user: TObject;
  readonly draft: TObject;
  readonly list: TObject;
  readonly patch: TObject;
  readonly serviceProviderConfig: TObject;
  readonly resourceTypes: TObject;
  readonly schemas: TObject;
}

export function userSchemas(face: Face): UserSchemas {
  const prefix = face.name[0]?.toUpperCase() + face.name.slice(1);
  const user = resource(face, face.schemaView, `${prefix}User`, false);
  const listOf = (item: TSchema, $id: string): TObject => listSchema(face, item, $id);
  const supported = Type.Object({ supported: Type.Boolean() });
  const anything = Type.Object({}, { additionalProperties: true });
  const resourceType = {
    schemas: Type.Array(Type.String()),
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    endpoint: Type.String(),
    schema: Type.String(),
    schemaExtensions: Type.Array(face.documents.mergesResourceTypes ? Type.String() : anything),
  };
  const resourceTypes = listOf(Type.Object(resourceType), `${prefix}ResourceTypes`);
  return {
    user,
    draft: resource(face, face.schemaView, `${prefix}UserDraft`, true),
    list: listOf(user, `${prefix}UserList`),
    patch: Type.Object(
      {
        schemas: Type.Array(Type.String()),
        [face.operationsMember]: Type.Array(
          Type.Object({
            op: Type.String({ description: 'add, replace or remove, in any case.' }),
            path: Type.Optional(
              Type.String({ description: 'An attribute, such as active or emails[type eq "work"].value.' }),
            ),
            value: Type.Optional(Type.Unknown({ description: 'What to add or to set.' })),
          }),
        ),
      },
      { $id: `${prefix}Patch` },
    ),
    serviceProviderConfig: Type.Object(
      {
        schemas: Type.Array(Type.String()),
        documentationUri: Type.String(),
        patch: supported,
        changePassword: supported,
        bulk: Type.Object({
          supported: Type.Boolean(),
          maxOperations: Type.Integer(),
          maxPayloadSize: Type.Integer(),
        }),
        filter: Type.Object({ supported: Type.Boolean(), maxResults: Type.Integer() }),
        sort: supported,
        etag: supported,
        authenticationSchemes: Type.Array(anything),
      },
      { $id: `${prefix}ServiceProviderConfig` },
    ),
    resourceTypes: face.documents.mergesResourceTypes
      ? Type.Object(
          { ...(resourceTypes.properties as Record<string, TSchema>), ...resourceType },
          { $id: `${prefix}ResourceTypes` },
        )
      : resourceTypes,
    schemas: listOf(anything, `${prefix}Schemas`),
  };
}

/** Groups as the API document shows them. */
export function groupSchemas(face: Face): { group: TObject; draft: TObject; list: TObject } {
  const prefix = face.name[0]?.toUpperCase() + face.name.slice(1);
  const group = resource(face, groupSchemaView, `${prefix}Group`, false);
  return {
    group,
    draft: resource(face, groupSchemaView, `${prefix}GroupDraft`, true),
    list: listSchema(face, group, `${prefix}GroupList`),
  };
}

export function listSchema(face: Face, item: TSchema, $id: string): TObject {
  return Type.Object(
    {
      schemas: Type.Array(Type.String()),
      totalResults: Type.Integer({ description: 'All that match; more than are in this page, perhaps.' }),
      startIndex: Type.Integer({ description: 'The place of the first of this page, from 1.' }),
      itemsPerPage: Type.Integer({ description: 'How many are in this page.' }),
      [face.listMember]: Type.Array(item),
    },
    { $id },
  );
}

function resource(face: Face, schemaView: SchemaView, $id: string, isDraft: boolean): TObject {
  return Type.Object(members(face, schemaView, schemaView.roots, isDraft), { $id });
}

function members(
  face: Face,
  schemaView: SchemaView,
  attributes: readonly Attribute[],
  isDraft: boolean,
): Record<string, TSchema> {
  const shown = attributes.filter(({ returned }) => isDraft || returned !== 'never');
  return Object.fromEntries(
    shown.map((attribute) => {
      const one = schemaOf(face, schemaView, attribute, isDraft);
      const schema = attribute.multiValued ? Type.Array(one, { description: attribute.description }) : one;
      return [attribute.name, attribute.requiredOn.includes(face.name) ? schema : Type.Optional(schema)];
    }),
  );
}

function schemaOf(face: Face, schemaView: SchemaView, attribute: Attribute, isDraft: boolean): TSchema {
  const traits = attribute.multiValued ? {} : { description: attribute.description };
  const type = attribute.path === 'id' ? face.idType : attribute.type;
  switch (type) {
    case 'complex':
      return Type.Object(members(face, schemaView, schemaView.partsOf(attribute), isDraft), traits);
    case 'boolean':
      return Type.Boolean(traits);
    case 'integer':
      return Type.Integer(traits);
    case 'dateTime':
      return Type.String({ ...traits, format: 'date-time' });
    default:
      return Type.String(traits);
  }
}
