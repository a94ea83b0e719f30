// The two faces of the users, as two values of one type (D-03, D-52). What differs between them is here and
// nowhere else: code that has a face never asks which one it is.

import type { Interruptible, Spend } from '../domain/interruptible.ts';
import { type Code, Problem } from '../domain/problem.ts';
import { readResourceId } from '../domain/provisioning/resource.ts';
import { addressOf, replaceUser, type User, type UserDraft, versionOf } from '../domain/provisioning/user.ts';
import type { Value } from '../domain/provisioning/value.ts';
import type { Attribute, FaceName } from './attributes.ts';
import { type BulkLimits, bulkLimits } from './bulk-request.ts';
import { type Filter, type FilterLimits, filterLimits, parseFilter } from './filter.ts';
import { readServiceFaceFilter } from './filter-rules.ts';
import type { Operation } from './operations.ts';
import { patchUser } from './patch.ts';
import { resourceOf, showResource } from './resource.ts';
import {
  type DraftRules,
  keepOmitted,
  type Replacement,
  readDraft,
  readReplacement,
} from './resource-draft.ts';
import { type SchemaView, serviceFaceSchemaView, standardFaceSchemaView } from './schema-view.ts';
import { listResponseSchema, serviceSchema } from './urns.ts';

/** How a path says which user it means; an id that is null belongs to no user. */
export type UserReference =
  | { readonly by: 'address'; readonly address: string }
  | { readonly by: 'id'; readonly id: number | null };

export interface Page {
  readonly totalResults: number;
  readonly startIndex: number;
  readonly resources: readonly Readonly<Record<string, Value>>[];
}

export interface Face {
  /** By which the table of attributes says on which face an attribute is required. No other decision is taken by it. */
  readonly name: FaceName;
  /** What the names of its operations and schemas begin with in the API document. */
  readonly documentPrefix: '' | 'scim';
  readonly path: string;
  readonly contentType: string;
  readonly createStatus: 200 | 201;
  /** Whether a create answers with a Location header. */
  readonly createTellsLocation: boolean;
  readonly listMember: 'resources' | 'Resources';
  readonly operationsMember: 'operations' | 'Operations';
  readonly idType: 'integer' | 'string';
  /** What stands in the path of a user, and what filters may say, in sentences for the API document. */
  readonly addressMeaning: string;
  readonly filterMeaning: string;
  readonly errorBody: 'interface' | 'scim';
  /** Whether a query parameter that the endpoint does not know is passed over (D-24). */
  readonly ignoresUnknownParameters: boolean;
  /** Whether the list of users takes sortBy and sortOrder, or only the search does (D-54). */
  readonly sortsLists: boolean;
  /** Whether discovery needs a token and an Accept header. */
  readonly guardsDiscovery: boolean;
  /** Whether the schema documents name the attributes that all resources have, and extensions are bare URIs. */
  readonly documents: { readonly listsCommonAttributes: boolean; readonly mergesResourceTypes: boolean };
  /** Whether there are users and nothing else. */
  readonly hasUsersAlone: boolean;
  /** Whether a user can go for good; where not, it is suspended. */
  readonly deletes: boolean;
  /** Whether `attributes` and `excludedAttributes` choose what an answer has. */
  readonly choosesAttributes: boolean;
  /** Whether each document of discovery has an address of its own, and a filter on them is refused. */
  readonly documentsById: boolean;
  /** Whether there is an address /Me that stands for the caller, if only to say that no user is known by it. */
  readonly namesMe: boolean;
  /** Null where there is no endpoint for many operations at once. */
  readonly bulk: BulkLimits | null;
  readonly schemaView: SchemaView;

  readFilter(text: string, limits?: FilterLimits): Filter;
  readDraft(body: unknown): UserDraft;
  readReplacement(body: unknown): Replacement;
  readReference(id: string): UserReference;
  replace(user: User, replacement: Replacement, nowMs: number): User;
  patch(user: User, operations: readonly Operation[], nowMs: number, spend: Spend): Interruptible<User>;
  locationOf(user: User, baseUrl: string): string;
  show(user: User, baseUrl: string): Record<string, Value>;
  showList(page: Page): Record<string, Value>;
}

/** The RFC's word for a refusal, on the face whose errors have one. */
export const scimTypes: ReadonlyMap<Code, string> = new Map<Code, string>([
  ['INVALID_FILTER', 'invalidFilter'],
  ['INVALID_PATH', 'invalidPath'],
  ['NO_TARGET', 'noTarget'],
  ['MUTABILITY', 'mutability'],
  ['INVALID_VALUE', 'invalidValue'],
  ['INVALID_REQUEST', 'invalidValue'],
  ['INVALID_PATCH', 'invalidSyntax'],
  ['MALFORMED_JSON', 'invalidSyntax'],
  ['USER_NAME_TAKEN', 'uniqueness'],
  ['EXTERNAL_ID_TAKEN', 'uniqueness'],
  ['GROUP_NAME_TAKEN', 'uniqueness'],
  ['GROUP_EXTERNAL_ID_TAKEN', 'uniqueness'],
  ['INVALID_BULK', 'invalidSyntax'],
  ['TOO_MUCH_WORK', 'tooMany'],
]);

interface Traits extends Omit<Face, Method> {
  readonly rules: Pick<DraftRules, 'lenient' | 'checksSchemas' | 'keptUnlessNamed'>;
  readonly readFilter: Face['readFilter'];
  readonly readReference: Face['readReference'];
  /** Whether patches are held to RFC 7644 where it is stricter than what clients need. */
  readonly isStrict: boolean;
  /** What stands for the user in the path of its own address. */
  readonly segmentOf: (user: User) => string;
  readonly idOf: (user: User) => Value;
}

type Method =
  | 'readFilter'
  | 'readDraft'
  | 'readReplacement'
  | 'readReference'
  | 'replace'
  | 'patch'
  | 'locationOf'
  | 'show'
  | 'showList';

/** The service's own interface at /v1/scim: user provisioning in the style of SCIM. */
export const serviceFace: Face = faceOf({
  name: 'service',
  documentPrefix: '',
  path: '/v1/scim',
  contentType: 'application/json; charset=utf-8',
  createStatus: 200,
  createTellsLocation: false,
  listMember: 'resources',
  operationsMember: 'operations',
  idType: 'integer',
  addressMeaning: 'Its externalId; its internal id only if it has no externalId.',
  filterMeaning:
    'The filter takes userName with eq, and name.givenName and name.familyName with co, sw and ew, combined with and.',
  errorBody: 'interface',
  ignoresUnknownParameters: false,
  sortsLists: false,
  guardsDiscovery: true,
  documents: { listsCommonAttributes: true, mergesResourceTypes: true },
  hasUsersAlone: true,
  deletes: false,
  choosesAttributes: false,
  documentsById: false,
  namesMe: false,
  bulk: null,
  schemaView: serviceFaceSchemaView,
  rules: { lenient: false, checksSchemas: false, keptUnlessNamed: [] },
  isStrict: false,
  readFilter: readServiceFaceFilter,
  // An internal id reaches only a user without an external one (D-50).
  readReference: (address) => ({ by: 'address', address }),
  segmentOf: addressOf,
  idOf: (user) => user.id,
});

/** RFC 7643 and RFC 7644 to the letter at /scim/v2, for identity providers. */
export const standardFace: Face = faceOf({
  name: 'standard',
  documentPrefix: 'scim',
  path: '/scim/v2',
  contentType: 'application/scim+json',
  createStatus: 201,
  createTellsLocation: true,
  listMember: 'Resources',
  operationsMember: 'Operations',
  idType: 'string',
  addressMeaning: 'Its id.',
  filterMeaning: 'The filter takes the whole grammar of RFC 7644 section 3.4.2.2 over every attribute.',
  errorBody: 'scim',
  ignoresUnknownParameters: true,
  sortsLists: true,
  guardsDiscovery: false,
  documents: { listsCommonAttributes: false, mergesResourceTypes: false },
  hasUsersAlone: false,
  deletes: true,
  choosesAttributes: true,
  documentsById: true,
  namesMe: true,
  bulk: bulkLimits,
  schemaView: standardFaceSchemaView,
  // Identity providers do not know it, so that their silence says nothing about it.
  rules: { lenient: true, checksSchemas: true, keptUnlessNamed: [serviceSchema] },
  isStrict: true,
  readFilter: (text, limits = filterLimits) => parseFilter(text, standardFaceSchemaView, limits),
  readReference: (id) => ({ by: 'id', id: readResourceId(id) }),
  segmentOf: (user) => String(user.id),
  idOf: (user) => String(user.id),
});

export const faces: readonly Face[] = [serviceFace, standardFace];

function faceOf({ rules, isStrict, segmentOf, idOf, ...traits }: Traits): Face {
  const { schemaView, name, idType, path } = traits;
  const draftRules: DraftRules = { ...rules, schemaView, face: name, idType };
  const locationOf = (user: User, baseUrl: string): string =>
    `${baseUrl}${path}/Users/${encodeURIComponent(segmentOf(user))}`;
  return {
    ...traits,
    readDraft: (body) => readDraft(body, draftRules),
    readReplacement: (body) => readReplacement(body, draftRules),
    replace: (user, replacement, nowMs) =>
      replaceUser(user, keepOmitted(replacement, user.profile, schemaView), nowMs),
    patch: (user, operations, nowMs, spend) =>
      patchUser(user, operations, { schemaView, face: name, isStrict }, nowMs, spend),
    locationOf,
    show: (user, baseUrl) => ({
      ...showResource(resourceOf(user, locationOf(user, baseUrl), versionOf(user)), schemaView, name),
      id: idOf(user),
    }),
    showList: ({ totalResults, startIndex, resources }) => ({
      schemas: [listResponseSchema],
      totalResults,
      startIndex,
      itemsPerPage: resources.length,
      [traits.listMember]: resources,
    }),
  };
}

/** Any attribute that the face knows and that has an order: of an object, its value counts (D-54). */
export function readSort(sortBy: string, schemaView: SchemaView): Attribute {
  const attribute = schemaView.resolve(sortBy);
  const hasOrder =
    attribute !== null &&
    attribute.returned !== 'never' &&
    (attribute.type !== 'complex' ||
      (!attribute.extension && schemaView.member(attribute, 'value') !== null));
  if (hasOrder) return attribute;
  const message = 'sortBy names no attribute that could be sorted by.';
  throw new Problem('INVALID_REQUEST', message, {
    details: [{ field: 'sortBy', code: 'UNKNOWN', message }],
  });
}
