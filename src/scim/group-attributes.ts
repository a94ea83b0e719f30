// What a group consists of: the table of attributes.ts for the second resource type of the standard (RFC 7643
// section 4.2). The interface's dialect has no groups, so nothing here is marked for it.

import { type Attribute, grow, line } from './attributes.ts';

export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';

const readOnly = { mutability: 'readOnly' } as const;
/** A membership is there or not there; what it says is never rewritten in place. */
const immutable = { mutability: 'immutable' } as const;

const commonLines = [
  line('schemas', 'The schemas whose attributes the resource has.', {
    type: 'reference',
    referenceTypes: ['uri'],
    multiValued: true,
    requiredOn: ['standard'],
    ...readOnly,
    returned: 'always',
  }),
  line('id', 'The identifier that the service gave to the group.', {
    ...readOnly,
    returned: 'always',
    uniqueness: 'server',
    caseExact: true,
  }),
  line('externalId', 'The identifier that the caller gave to the group.', {
    caseExact: true,
    maxLength: 255,
  }),
  line('meta', 'What the service notes about the record.', {
    type: 'complex',
    ...readOnly,
    of: [
      line('resourceType', 'The kind of the resource.', { ...readOnly, caseExact: true }),
      line('created', 'When the group was created.', { type: 'dateTime', ...readOnly }),
      line('lastModified', 'When the group or its membership was last changed.', {
        type: 'dateTime',
        ...readOnly,
      }),
      line('version', 'The version of the record, as an entity tag.', { ...readOnly, caseExact: true }),
      line('location', 'The address of the record.', {
        type: 'reference',
        referenceTypes: ['uri'],
        ...readOnly,
      }),
    ],
  }),
].map((one) => grow(one, null, null));

/** The attributes of the Group schema itself. */
export const groupOwnAttributes: readonly Attribute[] = [
  // The RFC leaves the name free; Entra ID finds a group again by it and needs it to be one group's alone.
  line('displayName', 'The name of the group; unique in the account without regard to case.', {
    requiredOn: ['standard'],
    uniqueness: 'server',
    maxLength: 255,
  }),
  line('members', 'The users and groups that belong to the group.', {
    type: 'complex',
    multiValued: true,
    // The size of the body is what bounds a request; a group itself may hold more than one request can say.
    maxElements: 50_000,
    of: [
      line('value', 'The identifier of the member.', {
        ...immutable,
        caseExact: true,
        requiredOn: ['standard'],
      }),
      line('$ref', 'The address of the member.', {
        type: 'reference',
        referenceTypes: ['User', 'Group'],
        ...immutable,
        maxLength: 4096,
      }),
      line('display', 'The name of the member, as it is shown to people.', readOnly),
      line('type', 'Whether the member is a user or a group.', {
        canonicalValues: ['User', 'Group'],
        ...immutable,
      }),
    ],
  }),
].map((one) => grow(one, null, groupSchema));

/** Every attribute that stands at the top of a group, in the order in which groups are shown. */
export const groupAttributes: readonly Attribute[] = [
  ...commonLines.filter((attribute) => attribute.name !== 'meta'),
  ...groupOwnAttributes,
  ...commonLines.filter((attribute) => attribute.name === 'meta'),
];

/** A part of the table that code needs by itself. */
function named(name: string): Attribute {
  const found = groupAttributes.find((attribute) => attribute.name === name);
  if (found === undefined) throw new Error(`The table of groups has no ${name}.`);
  return found;
}

export const membersAttribute: Attribute = named('members');
export const displayNameAttribute: Attribute = named('displayName');
export const externalIdAttribute: Attribute = named('externalId');
