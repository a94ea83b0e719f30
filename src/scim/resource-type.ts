// A type of resources as callers see it: its name, its address, and what it consists of. What can be done with its
// resources is said in http/provisioning/resource-type.ts.

import type { Code } from '../domain/problem.ts';
import { type SchemaEntry, schemaEntries } from './attributes.ts';
import { groupOwnAttributes } from './group-attributes.ts';
import { groupSchemaView, type SchemaView } from './schema-view.ts';
import { groupSchema } from './urns.ts';

/** Sentences for the API document. */
interface TypeTexts {
  readonly address: string;
  readonly list: string;
  readonly replace: string;
  readonly patchSummary: string;
  readonly patch: string;
  readonly remove: string;
}

export interface TypeDescription {
  readonly name: string;
  /** Its part of the path, without a slash. */
  readonly endpoint: string;
  readonly description: string;
  /** Its attributes, as the face knows them. */
  readonly schemaView: SchemaView;
  /** The schemas that its attributes come from. */
  readonly schemas: readonly SchemaEntry[];
  readonly texts: TypeTexts;
  /** Whether the list takes sortBy and sortOrder, or only the search does (D-54). */
  readonly sortsLists: boolean;
  /** Whether a patch is answered by the resource even where nothing of it was asked for (D-98). */
  readonly answersPatches: boolean;
  /** How an address at which there is none is refused, and a name that another has. */
  readonly notFound: Code;
  readonly nameTaken: Code;
}

/** What a face says of its users. */
interface UserTraits extends Pick<TypeDescription, 'schemaView' | 'sortsLists'> {
  readonly addressMeaning: string;
  readonly filterMeaning: string;
}

export function describeUsers(face: UserTraits): TypeDescription {
  return {
    name: 'User',
    endpoint: 'Users',
    description: 'The people whom the account lets in.',
    schemaView: face.schemaView,
    schemas: schemaEntries,
    texts: {
      address: face.addressMeaning,
      list: face.filterMeaning,
      replace:
        'An optional attribute that is left out is cleared; the state and the externalId stay unless they are given.',
      patchSummary: 'Change parts of a user',
      patch:
        'All operations or none. Setting active to false suspends the user: that is how it is de-provisioned.',
      remove: 'For good: its personal data is gone, its userName and externalId are free again.',
    },
    sortsLists: face.sortsLists,
    answersPatches: true,
    notFound: 'USER_NOT_FOUND',
    nameTaken: 'USER_NAME_TAKEN',
  };
}

export const groupDescription: TypeDescription = {
  name: 'Group',
  endpoint: 'Groups',
  description: 'Groups of the people whom the account lets in.',
  schemaView: groupSchemaView,
  schemas: [{ urn: groupSchema, name: 'Group', description: 'Group', attributes: groupOwnAttributes }],
  texts: {
    address: 'Its id.',
    list: 'A page whose groups have very many members is shorter than asked for; excludedAttributes=members avoids that.',
    replace: 'Members that are left out leave the group; the externalId stays unless it is given.',
    patchSummary: 'Change parts of a group, or its members',
    patch:
      'All operations or none. The answer is 204 with the new version as ETag; 200 with what attributes asks for, where it asks.',
    remove: 'Its members stay; their membership ends.',
  },
  sortsLists: true,
  answersPatches: false,
  notFound: 'GROUP_NOT_FOUND',
  nameTaken: 'GROUP_NAME_TAKEN',
};
