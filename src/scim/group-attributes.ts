// What a group consists of: the table of attributes.ts for the second resource type of the standard (RFC 7643
// section 4.2). The service face has no groups, so nothing here is marked for it.

import { type Attribute, commonLines, grow, inOrder, line } from './attributes.ts';
import { groupSchema } from './urns.ts';

const readOnly = { mutability: 'readOnly' } as const;
/** A membership is there or not there; what it says is never rewritten in place. */
const immutable = { mutability: 'immutable' } as const;

const commonAttributes: readonly Attribute[] = commonLines('group', {
  lastModified: 'When the group or its membership was last changed.',
}).map((one) => grow(one, null, null));

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
export const groupAttributes: readonly Attribute[] = inOrder(commonAttributes, groupOwnAttributes);

/** A part of the table that code needs by itself. */
function named(name: string): Attribute {
  const found = groupAttributes.find((attribute) => attribute.name === name);
  if (found === undefined) throw new Error(`The table of groups has no ${name}.`);
  return found;
}

export const membersAttribute: Attribute = named('members');
export const displayNameAttribute: Attribute = named('displayName');
export const externalIdAttribute: Attribute = named('externalId');
