// Users as the API document shows them, made from the table of attributes like everything else about them.

import type { TObject, TSchema } from 'typebox';
import type { Attribute } from '../../scim/attributes.ts';
import { type Face, faces } from '../../scim/faces.ts';
import type { TypeDescription } from '../../scim/resource-type.ts';
import type { SchemaView } from '../../scim/schema-view.ts';
import { Type } from '../schema.ts';
import { schemaName } from './face-traits.ts';

/** The body of a patch, which is the same for all types of a face. */
export function patchSchema(face: Face): TObject {
  return Type.Object(
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
    { $id: schemaName(face, 'PatchRequest') },
  );
}

interface ResourceSchemas {
  readonly resource: TObject;
  readonly draft: TObject;
  readonly list: TObject;
}

/** The resources of a type. */
export function resourceSchemas(face: Face, { name, schemaView }: TypeDescription): ResourceSchemas {
  const resource = resourceSchema(face, schemaView, schemaName(face, name), false);
  return {
    resource,
    draft: resourceSchema(face, schemaView, schemaName(face, `${name}Draft`), true),
    list: listSchema(face, resource, schemaName(face, `${name}List`)),
  };
}

/** Resources of all types in one list. */
export function mixedListSchema(face: Face, types: readonly TypeDescription[]): TObject {
  const resources = types.map((type) => resourceSchemas(face, type).resource);
  return listSchema(face, Type.Union(resources), schemaName(face, 'ResourceList'));
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

function resourceSchema(face: Face, schemaView: SchemaView, $id: string, isDraft: boolean): TObject {
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
      const isThere = isDraft ? attribute.requiredOn.includes(face.name) : isAlwaysShown(face, attribute);
      return [attribute.name, isThere ? schema : Type.Optional(schema)];
    }),
  );
}

/** What every answer has: callers may leave out the rest, and a user of one face lacks what only the other demands. */
function isAlwaysShown(face: Face, { returned, requiredOn, mutability }: Attribute): boolean {
  if (returned === 'always') return true;
  return !face.choosesAttributes && (requiredOn.length === faces.length || mutability === 'readOnly');
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
