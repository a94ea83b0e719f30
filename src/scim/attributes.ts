// The one table of what a user consists of. Validation, filters, patch paths, sorting and the discovery
// documents are all made from it. Groups have a table of their own (group-attributes.ts), made of the same lines.
//
// The table is the User of RFC 7643 in full, its enterprise extension, and the service's own extension. The
// service face (/v1/scim) knows a part of it, marked `onServiceFace` (D-52); the standard face (/scim/v2) knows all.
// Names are found through Maps only: a name that a caller sends is never used to look into an object.

import { enterpriseSchema, serviceSchema, userSchema } from './urns.ts';

type AttributeType = 'string' | 'boolean' | 'integer' | 'dateTime' | 'reference' | 'complex' | 'binary';
export type FaceName = 'service' | 'standard';

export interface Attribute {
  /** The member's own name, in the spelling of the schema. */
  readonly name: string;
  /** The whole name, as filters and paths write it: `name.givenName`, `urn:...:User:manager.value`. */
  readonly path: string;
  /** The schema that defines it; null for the attributes common to all resources. */
  readonly schema: string | null;
  readonly parent: Attribute | null;
  /** True of the object that holds all attributes of an extension, whose name is a URN. */
  readonly extension: boolean;
  readonly type: AttributeType;
  readonly multiValued: boolean;
  readonly requiredOn: readonly FaceName[];
  readonly onServiceFace: boolean;
  readonly mutability: 'readWrite' | 'readOnly' | 'writeOnly' | 'immutable';
  readonly returned: 'always' | 'default' | 'request' | 'never';
  readonly uniqueness: 'none' | 'server';
  readonly caseExact: boolean;
  readonly canonicalValues: readonly string[];
  readonly referenceTypes: readonly string[];
  /** In characters; every text that is kept has a limit. */
  readonly maxLength: number;
  /** How many elements a list may have in one request, so that patches cannot make a user grow for ever. */
  readonly maxElements: number;
  readonly description: string;
  readonly subAttributes: readonly Attribute[];
}

/** A line of the table: only what differs from a plain optional text of the core schema. */
interface Line {
  readonly name: string;
  readonly description: string;
  readonly type?: AttributeType;
  readonly multiValued?: true;
  readonly requiredOn?: readonly FaceName[];
  readonly onServiceFace?: true;
  readonly mutability?: Attribute['mutability'];
  readonly returned?: Attribute['returned'];
  readonly uniqueness?: 'server';
  readonly caseExact?: true;
  readonly canonicalValues?: readonly string[];
  readonly referenceTypes?: readonly string[];
  readonly maxLength?: number;
  readonly maxElements?: number;
  readonly extension?: true;
  readonly of?: readonly Line[];
}

export const line = (
  name: string,
  description: string,
  traits: Omit<Line, 'name' | 'description'> = {},
): Line => ({ name, description, ...traits });

const both: readonly FaceName[] = ['service', 'standard'];
const serviceFaceOnly: readonly FaceName[] = ['service'];
const readOnly = { mutability: 'readOnly' } as const;
/** Names are searched through an index of their folded form, which bounds them more tightly than other texts. */
const indexed = { maxLength: 255 } as const;

const primary = line('primary', 'Whether this value is the preferred one; at most one is.', {
  type: 'boolean',
});
const display = line('display', 'The value as it should be shown to people.');
const typed = (...canonicalValues: readonly string[]): Line =>
  line('type', 'What the value is used for.', { canonicalValues });

/** The shape most lists share: a value, how to show it, its kind, and whether it is preferred. */
const list = (
  name: string,
  description: string,
  value: Line,
  type: Line,
  traits: Partial<Line> = {},
): Line => ({
  ...line(name, description, { type: 'complex', multiValued: true, of: [value, display, type, primary] }),
  ...traits,
});

/**
 * The lines that every type has (RFC 7643 section 3.1). The noun is what a resource of the type is called;
 * `onServiceFace` counts for users alone, because the service face has no other type.
 */
export function commonLines(
  noun: string,
  { externalId = {}, lastModified = `When the ${noun} was last changed.` }: CommonTraits = {},
): readonly Line[] {
  return [
    line('schemas', 'The schemas whose attributes the resource has.', {
      type: 'reference',
      referenceTypes: ['uri'],
      multiValued: true,
      requiredOn: both,
      onServiceFace: true,
      ...readOnly,
      returned: 'always',
    }),
    line('id', `The identifier that the service gave to the ${noun}.`, {
      onServiceFace: true,
      ...readOnly,
      returned: 'always',
      uniqueness: 'server',
      caseExact: true,
    }),
    line('externalId', `The identifier that the caller gave to the ${noun}.`, {
      onServiceFace: true,
      caseExact: true,
      maxLength: 255,
      ...externalId,
    }),
    line('meta', 'What the service notes about the record.', {
      type: 'complex',
      requiredOn: serviceFaceOnly,
      onServiceFace: true,
      ...readOnly,
      of: [
        line('resourceType', 'The kind of the resource.', {
          onServiceFace: true,
          ...readOnly,
          caseExact: true,
        }),
        line('created', `When the ${noun} was created.`, {
          type: 'dateTime',
          onServiceFace: true,
          ...readOnly,
        }),
        line('lastModified', lastModified, { type: 'dateTime', onServiceFace: true, ...readOnly }),
        line('version', 'The version of the record, as an entity tag.', {
          onServiceFace: true,
          ...readOnly,
          caseExact: true,
        }),
        line('location', 'The address of the record.', {
          type: 'reference',
          referenceTypes: ['uri'],
          onServiceFace: true,
          ...readOnly,
        }),
      ],
    }),
  ];
}

/** In what the lines of one type differ from those of another. */
interface CommonTraits {
  readonly externalId?: Partial<Line>;
  readonly lastModified?: string;
}

const coreLines: readonly Line[] = [
  line('userName', 'The name that identifies the user; unique in the account without regard to case.', {
    requiredOn: both,
    onServiceFace: true,
    uniqueness: 'server',
    ...indexed,
  }),
  line('name', "The parts of the user's name.", {
    type: 'complex',
    requiredOn: serviceFaceOnly,
    onServiceFace: true,
    of: [
      line('formatted', 'The whole name, ready to be shown.', indexed),
      line('familyName', 'The family name, in most Western languages the last name.', {
        onServiceFace: true,
        ...indexed,
      }),
      line('givenName', 'The given name, in most Western languages the first name.', {
        onServiceFace: true,
        ...indexed,
      }),
      line('middleName', 'The middle names.', indexed),
      line('honorificPrefix', 'What stands before the name, such as a title.', indexed),
      line('honorificSuffix', 'What stands after the name.', indexed),
    ],
  }),
  line('displayName', 'The name to show for the user.'),
  line('nickName', 'What the user is called among people who know them.'),
  line('profileUrl', 'The address of a page about the user.', {
    type: 'reference',
    referenceTypes: ['external'],
    maxLength: 4096,
  }),
  line('title', "The user's title at work."),
  line('userType', 'How the user relates to the organisation.'),
  line('preferredLanguage', 'The languages the user reads, as in Accept-Language.'),
  line('locale', 'The locale for dates, numbers and currency.'),
  line('timezone', 'The time zone, by its name in the IANA database.'),
  line('active', 'True: active. False: suspended, which is how a user is de-provisioned.', {
    type: 'boolean',
    onServiceFace: true,
  }),
  line(
    'password',
    'Accepted and discarded: users choose a password in the console, or sign in through their provider.',
    {
      mutability: 'writeOnly',
      returned: 'never',
      caseExact: true,
    },
  ),
  line('emails', 'E-mail addresses.', {
    type: 'complex',
    multiValued: true,
    requiredOn: serviceFaceOnly,
    onServiceFace: true,
    of: [
      line('value', 'The e-mail address.', { onServiceFace: true, requiredOn: serviceFaceOnly }),
      display,
      { ...typed('work', 'home', 'other'), onServiceFace: true },
      { ...primary, onServiceFace: true },
    ],
  }),
  list(
    'phoneNumbers',
    'Telephone numbers.',
    line('value', 'The telephone number.', { onServiceFace: true, requiredOn: serviceFaceOnly }),
    { ...typed('work', 'home', 'mobile', 'fax', 'pager', 'other'), onServiceFace: true },
    { onServiceFace: true },
  ),
  list(
    'ims',
    'Addresses for instant messages.',
    line('value', 'The address.'),
    typed('aim', 'gtalk', 'icq', 'xmpp', 'msn', 'skype', 'qq', 'yahoo'),
  ),
  list(
    'photos',
    'Addresses of pictures of the user.',
    line('value', 'The address of the picture.', {
      type: 'reference',
      referenceTypes: ['external'],
      maxLength: 4096,
    }),
    typed('photo', 'thumbnail'),
  ),
  line('addresses', 'Postal addresses.', {
    type: 'complex',
    multiValued: true,
    of: [
      line('formatted', 'The whole address, ready to be shown.'),
      line('streetAddress', 'Street, house number and what belongs to them.'),
      line('locality', 'The city or locality.'),
      line('region', 'The state or region.'),
      line('postalCode', 'The postal code.'),
      line('country', 'The country, as a two-letter code of ISO 3166-1.'),
      typed('work', 'home', 'other'),
      primary,
    ],
  }),
  line('groups', 'The groups the user belongs to; changed through the groups.', {
    type: 'complex',
    multiValued: true,
    ...readOnly,
    of: [
      line('value', 'The identifier of the group.', { ...readOnly, caseExact: true }),
      line('$ref', 'The address of the group.', {
        type: 'reference',
        referenceTypes: ['Group'],
        ...readOnly,
      }),
      line('display', 'The name of the group.', readOnly),
      line('type', 'Whether the user is a member itself or through another group.', {
        canonicalValues: ['direct', 'indirect'],
        ...readOnly,
      }),
    ],
  }),
  list('entitlements', 'What the user is entitled to.', line('value', 'The entitlement.'), typed()),
  list('roles', 'The roles the user has.', line('value', 'The role.'), typed()),
  list(
    'x509Certificates',
    'Certificates issued to the user.',
    line('value', 'The certificate, DER in Base64.', { type: 'binary', caseExact: true, maxLength: 16_384 }),
    typed(),
  ),
];

const enterpriseLines: readonly Line[] = [
  line('employeeNumber', 'The number or code that the organisation gave to the user.'),
  line('costCenter', 'The cost centre.'),
  line('organization', 'The organisation.'),
  line('division', 'The division.'),
  line('department', 'The department.'),
  line('manager', "The user's manager.", {
    type: 'complex',
    of: [
      line('value', 'The identifier of the manager.', { caseExact: true }),
      line('$ref', 'The address of the manager.', {
        type: 'reference',
        referenceTypes: ['User'],
        maxLength: 4096,
      }),
      line('displayName', "The manager's display name.", readOnly),
    ],
  }),
];

const serviceLines: readonly Line[] = [
  line('clientId', 'The customer that the user belongs to; the account where it is not sent.', {
    type: 'integer',
    onServiceFace: true,
  }),
  line('authenticationProvider', 'The internal identifier of what authenticates the user.', {
    onServiceFace: true,
    caseExact: true,
  }),
];

export interface SchemaEntry {
  readonly urn: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
}

const extension = (urn: string, description: string, of: readonly Line[], traits: Partial<Line>): Line => ({
  ...line(urn, description, { type: 'complex', extension: true, of }),
  ...traits,
});

/** Attributes common to all resources; RFC 7643 leaves them out of the User schema. */
export const commonAttributes: readonly Attribute[] = commonLines('user', {
  externalId: { uniqueness: 'server' },
}).map((one) => grow(one, null, null));
const coreAttributes: readonly Attribute[] = coreLines.map((one) => grow(one, null, userSchema));
const enterprise = grow(
  extension(enterpriseSchema, 'What an enterprise notes about its people.', enterpriseLines, {}),
  null,
  enterpriseSchema,
);
const service = grow(
  extension(serviceSchema, 'What this service notes about a user.', serviceLines, { onServiceFace: true }),
  null,
  serviceSchema,
);

/** Every attribute that stands at the top of a user, in the order in which users are shown. */
export const rootAttributes: readonly Attribute[] = inOrder(commonAttributes, [
  ...coreAttributes,
  enterprise,
  service,
]);

/** The attributes of a type in the order in which they are shown: what is noted about the record comes last. */
export function inOrder(common: readonly Attribute[], own: readonly Attribute[]): readonly Attribute[] {
  const isMeta = ({ name }: Attribute): boolean => name === 'meta';
  return [...common.filter((one) => !isMeta(one)), ...own, ...common.filter(isMeta)];
}

/** The one attribute that is not kept with the user: it follows from the groups. */
export const groupsAttribute: Attribute = rootAttributes.find((attribute) => attribute.name === 'groups')!;

export const schemaEntries: readonly SchemaEntry[] = [
  { urn: userSchema, name: 'User', description: 'User account', attributes: coreAttributes },
  {
    urn: enterpriseSchema,
    name: 'EnterpriseUser',
    description: enterprise.description,
    attributes: enterprise.subAttributes,
  },
  {
    urn: serviceSchema,
    name: 'ServiceUser',
    description: service.description,
    attributes: service.subAttributes,
  },
];

/** Makes a line of the table an attribute that knows its parent, its parts and its whole name. */
export function grow(from: Line, parent: Attribute | null, schema: string | null): Attribute {
  const subAttributes: Attribute[] = [];
  const attribute: Attribute = {
    name: from.name,
    path: pathBelow(parent, from.name),
    schema,
    parent,
    extension: from.extension ?? false,
    type: from.type ?? 'string',
    multiValued: from.multiValued ?? false,
    requiredOn: from.requiredOn ?? [],
    onServiceFace: from.onServiceFace ?? false,
    mutability: from.mutability ?? 'readWrite',
    returned: from.returned ?? 'default',
    uniqueness: from.uniqueness ?? 'none',
    // Addresses differ by case, whatever they point to.
    caseExact: from.caseExact ?? from.type === 'reference',
    canonicalValues: from.canonicalValues ?? [],
    referenceTypes: from.referenceTypes ?? [],
    maxLength: from.maxLength ?? 1024,
    maxElements: from.maxElements ?? 100,
    description: from.description,
    subAttributes,
  };
  for (const one of from.of ?? []) subAttributes.push(grow(one, attribute, schema));
  return Object.freeze(attribute);
}

function pathBelow(parent: Attribute | null, name: string): string {
  if (parent === null) return name;
  return parent.extension ? `${parent.path}:${name}` : `${parent.path}.${name}`;
}
