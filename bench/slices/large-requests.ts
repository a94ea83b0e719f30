// The largest that each operation takes, and the dearest that it refuses. What has no line of its own is asked as it is meant, for as much
// as its parameters allow.

import { parameterPrefix } from '../../src/domain/pages/form-fields.ts';
import type { Operation } from '../../test/support/api-document.ts';
import type { MeantRequest } from '../../test/support/meant-requests.ts';
import { groupSchema, patchSchema, userSchema } from '../../test/support/schema-urns.ts';
import {
  bigMeasure,
  bigProject,
  days,
  type LargeWorld,
  largeResponse,
  measureDocument,
  measureSurvey,
  projectDocument,
  projectSurvey,
} from './large-world.ts';

const kibibyte = 1024;
/** Of a body, where the operation has no other limit of its own. */
const bodyBytes = 1024 * kibibyte;
const bodyBytesOf: Readonly<Record<string, number>> = {
  ingestResponse: 256 * kibibyte,
  createInvitations: 4 * bodyBytes,
  setPassword: 4 * kibibyte,
  signInByPassword: 4 * kibibyte,
  signInByPasskey: 64 * kibibyte,
  addMyPasskey: 64 * kibibyte,
};

/** A body in place of the one that is meant, by what is large in it. */
export type Bodies = Readonly<Record<string, (number: number) => string>>;

const list = (count: number, of: (index: number) => unknown): unknown[] =>
  Array.from({ length: count }, (_, index) => of(index));
const map = (count: number, of: (index: number) => [string, unknown]): object =>
  Object.fromEntries(list(count, of) as [string, unknown][]);
const json = (value: unknown) => (): string => JSON.stringify(value);
const times = (text: string, bytes: number): string => text.repeat(Math.floor(bytes / text.length));

/** What an operation carries out, and is as large as it may be. */
export function largestBodies(operationId: string, world: LargeWorld): Bodies {
  const members = (count: number): object[] =>
    list(count, (index) => ({ value: world.memberIds[index] })) as object[];
  const emails = (count: number, mark: number): object[] =>
    list(count, (index) => ({ value: `somebody-${mark}-${index}@acme.example`, type: 'work' })) as object[];
  const user =
    (count: number, externalId?: string) =>
    (number: number): string =>
      JSON.stringify({
        schemas: [userSchema],
        name: {},
        meta: {},
        userName: `large-${number}`,
        externalId: externalId ?? `large-${number}`,
        emails: emails(count, number),
      });
  const custom = (index: number): object => ({
    parameters: map(10, (part) => [`custom_${part}`, `${index}-${'x'.repeat(20)}`]),
  });
  const all: Readonly<Record<string, Bodies>> = {
    ingestResponse: {
      'every question answered': (number) => JSON.stringify(largeResponse(measureSurvey, `new-${number}`)),
      'every question answered, a project': (number) =>
        JSON.stringify(largeResponse(projectSurvey, `new-${number}`)),
      'a long integer among many members': (number) =>
        JSON.stringify({
          ...largeResponse(measureSurvey, `long-${number}`, 60_000),
          more: list(50_000, () => 0),
          completionTimeInMs: 1,
        }).replace('"completionTimeInMs":1', '"completionTimeInMs":9007199254740993'),
    },
    createInvitations: { '1,000 of them': json({ invitations: list(1_000, custom) }) },
    revokeInvitations: {
      '1,000 of them': json({
        invitationIds: list(1_000, (index) => `01234567-89ab-4def-8123-${String(index).padStart(12, '0')}`),
      }),
    },
    inviteMeasure: {
      '50,000 lines': () => `custom_1\n${list(50_000, (index) => `value-${index}`).join('\n')}\n`,
    },
    inviteProject: {
      '50,000 lines': () => `custom_1\n${list(50_000, (index) => `value-${index}`).join('\n')}\n`,
    },
    appendExternalParameters: {
      'a line for each response': () =>
        list(600, (index) => `{"responseId":"${measureSurvey}-${index % 600}","tier":"gold-${index}"}`).join(
          '\n',
        ),
    },
    createUser: { '100 addresses': user(100) },
    scimCreateUser: { '100 addresses': user(100) },
    // The address that it is asked for by stays.
    replaceUser: { '100 addresses': user(100, 'acme-1001') },
    scimReplaceUser: { '100 addresses': user(100) },
    patchUser: {
      '1,000 operations': json({
        schemas: [patchSchema],
        operations: list(1_000, (index) => ({ op: 'replace', path: 'userName', value: `name ${index}` })),
      }),
    },
    scimPatchUser: {
      '1,000 operations': json({
        schemas: [patchSchema],
        Operations: list(1_000, (index) => ({ op: 'replace', path: 'displayName', value: `name ${index}` })),
      }),
    },
    scimCreateGroup: {
      '5,000 members': (number) =>
        JSON.stringify({ schemas: [groupSchema], displayName: `large ${number}`, members: members(5_000) }),
    },
    scimReplaceGroup: {
      '5,000 members': (number) =>
        JSON.stringify({
          schemas: [groupSchema],
          displayName: 'large',
          members: members(number % 2 === 0 ? 5_000 : 10),
        }),
    },
    scimPatchGroup: {
      '5,000 members': (number) =>
        JSON.stringify({
          schemas: [patchSchema],
          Operations: [{ op: number % 2 === 0 ? 'add' : 'remove', path: 'members', value: members(5_000) }],
        }),
      '1,000 operations': (number) =>
        JSON.stringify({
          schemas: [patchSchema],
          Operations: list(1_000, (index) => ({
            op: number % 2 === 0 ? 'add' : 'remove',
            path: 'members',
            value: [members(1_000)[index]],
          })),
        }),
    },
    scimBulk: {
      '1,000 operations': (number) =>
        JSON.stringify({
          schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
          Operations: list(1_000, (index) => ({
            method: 'POST',
            path: '/Users',
            bulkId: `b-${index}`,
            data: { schemas: [userSchema], userName: `bulk-${number}-${index}` },
          })),
        }),
    },
    createGroup: {
      'many members': (number) =>
        JSON.stringify({ displayName: `large ${number}`, members: world.memberIds.slice(0, 200) }),
    },
    changeGroup: { 'many members': json({ add: world.memberIds.slice(0, 200) }) },
    setRoleValues: {
      '50 of them': json({
        values: list(50, (index) => ({ value: `v-${index}-${'x'.repeat(200)}`, role: 'viewer' })),
      }),
    },
    planMeasure: { '500 questions': json({ document: measureDocument(9_200, 'planned'), base: null }) },
    planProject: { '500 questions': json({ document: projectDocument(9_201, 'planned'), base: null }) },
  };
  return all[operationId] ?? {};
}

/** Keys that a new survey is published under, one each time. */
export function publishedDocument(
  operationId: string,
  number: number,
): { readonly key: string; readonly body: string } | null {
  const key = 20_000 + number;
  if (operationId === 'publishMeasure')
    return {
      key: String(key),
      body: JSON.stringify({ document: measureDocument(key, `published-${key}`), base: null }),
    };
  if (operationId === 'publishProject')
    return {
      key: String(key),
      body: JSON.stringify({ document: projectDocument(key, `published-${key}`), base: null }),
    };
  return null;
}

interface Property {
  readonly type?: string;
}

/** What an operation refuses, as late as it can be made to. */
export function hostileBodies({ operationId, requestBody }: Operation): Bodies {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type === undefined || media === undefined) return {};
  const bytes = (bodyBytesOf[operationId] ?? bodyBytes) - kibibyte;
  if (type === 'text/csv')
    return { 'a line of commas': () => times(',', bytes), 'empty lines': () => `x\n${times('\n', bytes)}` };
  if (type === 'application/x-www-form-urlencoded')
    return { 'many fields': () => times('a=1&', 12 * kibibyte) };
  if (!type.endsWith('json')) return { 'many lines': () => times('{}\n', 3 * bodyBytes) };
  const { properties = {} } = media.schema as { properties?: Readonly<Record<string, Property>> };
  const names = Object.keys(properties);
  const listed = names.find((name) => properties[name]!.type === 'array') ?? names[0] ?? 'x';
  return {
    [`a list of zeros as ${listed}`]: () => `{"${listed}":[${times('0,', bytes)}0]}`,
    [`a list of objects as ${listed}`]: () => `{"${listed}":[${times('{},', bytes)}{}]}`,
    'many unknown names': () => `{${list(1_900, (index) => `"unknown${index}":[]`).join(',')}}`,
    ...(readLike.has(operationId) ? hostileTexts(bytes) : {}),
    ...(operationId === 'ingestResponse' ? hostileResponses(bytes) : {}),
    ...(operationId === 'createInvitations' ? hostileInvitations : {}),
  };
}

/** Bodies are read in one place, before anybody knows what they are for: one operation of each limit is enough. */
const readLike = new Set(['ingestResponse', 'createInvitations', 'createUser', 'scimBulk', 'planMeasure']);

function hostileTexts(bytes: number): Bodies {
  return {
    'open brackets': () => times('[', bytes),
    'nested lists': () => times('[', bytes / 2) + times(']', bytes / 2),
    'nested objects': () => `${times('{"a":', bytes * 0.8)}0${times('}', bytes * 0.15)}`,
    'short lists in lists': () => `[${times('[[[[0]]]],', bytes)}0]`,
    escapes: () => `{"x":"${times('\\u0041', bytes)}"}`,
    'a name with a backslash': () => `{"\\\\":[${times('{"a":0},', bytes)}0]}`,
    // Those above are more than any body may have (D-930).
    'as many zeros as are read': () => `{"x":[${times('0,', Math.min(bytes, 2 * 249_000))}0]}`,
    'as many objects as are read': () => `{"x":[${times('{},', Math.min(bytes, 3 * 59_000))}0]}`,
    'as many objects with a member as are read': () =>
      `{"x":[${times('{"a":0},', Math.min(bytes, 8 * 59_000))}0]}`,
    blanks: () => `${times(' ', bytes / 2)}[${times(' ', bytes / 2)}0]`,
  };
}

function hostileResponses(bytes: number): Bodies {
  const head = `{"surveyDefinitionId":"${measureSurvey}"`;
  return {
    '60,000 answers to one question': () =>
      `${head},"responses":{"Q-22":[${times('"1",', bytes - 100)}"1"]}}`,
    '60,000 texts to one question': () => `${head},"responses":{"Q-21":[${times('"1",', bytes - 100)}"1"]}}`,
    '60,000 wrong answers': () => `${head},"responses":{"Q-22":[${times('1,', bytes - 100)}1]}}`,
    '1,900 unknown questions': () =>
      `${head},"responses":${JSON.stringify(map(1_900, (index) => [`unknown${index}`, ['1']]))}}`,
    '1,900 parameters': () =>
      `${head},"cpps":{"properties":${JSON.stringify(map(1_900, (index) => [`unknown${index}`, ['1']]))}}}`,
    'a long integer among zeros': () =>
      `${head},"completionTimeInMs":9007199254740993,"more":[${times('0,', bytes - 200)}0]}`,
    'long integers alone': () =>
      `${head},"completionTimeInMs":9007199254740993,"more":[${times('9007199254740993,', bytes - 200)}0]}`,
    'a text of marks': () => `${head},"responses":{"Q-21":["${times('\u0300', bytes / 2 - 200)}"]}}`,
  };
}

const hostileInvitations: Bodies = {
  '1,000 with unknown parameters': json({
    invitations: list(1_000, (index) => ({
      parameters: map(100, (part) => [`unknown${part}`, String(index)]),
    })),
  }),
};

/** What is meant, for as much as its parameters allow and of what is large in the store. */
export function enlarged(meant: MeantRequest, operation: Operation, world: LargeWorld): MeantRequest {
  const { operationId, method, path, parameters } = operation;
  const query: Record<string, string> = { ...meant.query };
  for (const parameter of parameters) {
    if (parameter.in !== 'query') continue;
    const { name } = parameter;
    const { maximum } = (parameter as unknown as { schema: { maximum?: number } }).schema;
    if (name === 'limit' || name === 'pages') query[name] = String(maximum ?? 100);
    else if (name === 'count') query[name] = '200';
    else if (name === 'from') query[name] = days.from;
    else if (name === 'to') query[name] = days.to;
    else if (name === 'unit') query[name] = 'day';
    else if (name === 'compare') query[name] = 'previous';
    else if (name === 'figures') query[name] = 'true';
    else if (name === 'by') query[name] = 'cpp:custom_1';
    else if (
      name === 'filter' ||
      name === 'question' ||
      name === 'after' ||
      name === 'position' ||
      name === 'cursor'
    )
      delete query[name];
  }
  if (/Digest$/.test(operationId)) Object.assign(query, { from: '2025-01-01', to: '2027-09-20' });
  // Views are shared of the survey of the demo.
  const isRead = method === 'GET' && !path.startsWith('/shared/');
  const isList = operationId.startsWith('invite') || operationId === 'appendExternalParameters';
  const params: Record<string, string> = { ...meant.params };
  const key = path.includes('/projects/') ? String(bigProject) : String(bigMeasure);
  if (isRead || isList)
    for (const name of ['measurementKey', 'projectId', 'key']) if (name in params) params[name] = key;
  if (isRead && 'responseId' in params)
    params.responseId = `${path.includes('/projects/') ? projectSurvey : measureSurvey}-0`;
  if ('surveyId' in params && operationId.endsWith('Invitations')) params.surveyId = measureSurvey;
  if (isRead && path.startsWith('/s/')) params.name = projectSurvey;
  if (isRead && /Groups?\/\{id\}/i.test(path)) params.id = world.groupId;
  if (isRead && /^\/(?:scim\/v2|console\/api)\/users\/\{id\}$/i.test(path)) params.id = world.joinerId;
  if (operationId === 'scimPatchGroup' || operationId === 'scimReplaceGroup') params.id = world.groupId;
  return { ...meant, params, query };
}

export const prefilledQuery = `?${list(100, (index) => `${parameterPrefix}custom_${index}=${index}`).join('&')}`;
