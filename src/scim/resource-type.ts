// A type of resources as callers see it: its name, its address, and what it consists of. What can be done with its
// resources is said in http/provisioning/resource-type.ts.

import { type SchemaEntry, schemaEntries } from './attributes.ts';
import { groupOwnAttributes } from './group-attributes.ts';
import { groupSchemaView, type SchemaView } from './schema-view.ts';
import { groupSchema } from './urns.ts';

export interface TypeDescription {
  readonly name: string;
  /** Its part of the path, without a slash. */
  readonly endpoint: string;
  readonly description: string;
  /** Its attributes, as the face knows them. */
  readonly schemaView: SchemaView;
  /** The schemas that its attributes come from. */
  readonly schemas: readonly SchemaEntry[];
}

export function describeUsers(schemaView: SchemaView): TypeDescription {
  return {
    name: 'User',
    endpoint: 'Users',
    description: 'The people whom the account lets in.',
    schemaView,
    schemas: schemaEntries,
  };
}

export const groupDescription: TypeDescription = {
  name: 'Group',
  endpoint: 'Groups',
  description: 'Groups of the people whom the account lets in.',
  schemaView: groupSchemaView,
  schemas: [{ urn: groupSchema, name: 'Group', description: 'Group', attributes: groupOwnAttributes }],
};
