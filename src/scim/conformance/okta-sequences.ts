// What Okta sends in the life of a user and of a group, as its documentation shows it. The users and groups are ours;
// the shape of every request is Okta's. Integrations of its catalogue change the state by PATCH, those that a customer
// makes with the wizard do everything by PUT.
//
// Sources, read in August 2026: the protocol reference, https://developer.okta.com/docs/reference/scim/scim-20/, and of
// the second test suite the requests that reach the service,
// https://developer.okta.com/standards/SCIM/SCIMFiles/Okta-SCIM-20-CRUD-Test.json

import { oktaSuite } from './okta-suite.ts';
import {
  absent,
  contains,
  counts,
  equals,
  errorOf,
  isNumber,
  type Json,
  listOf,
  listSchema,
  type ProviderSequence,
  patchOf,
  present,
  type SequenceStep,
  step,
} from './sequence.ts';

const user = 'urn:ietf:params:scim:schemas:core:2.0:User';
const group = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const reference = 'https://developer.okta.com/docs/reference/scim/scim-20/';
const crudSuite = 'https://developer.okta.com/standards/SCIM/SCIMFiles/Okta-SCIM-20-CRUD-Test.json';

const named = (name: string): Record<string, string> => ({ filter: `userName eq "${name}"` });

const created: Json = {
  schemas: [user],
  userName: 'flow.{{run}}@example.com',
  name: { givenName: 'Test', familyName: 'User' },
  emails: [{ primary: true, value: 'flow.{{run}}@example.com', type: 'work' }],
  displayName: 'Test User',
  locale: 'en-US',
  externalId: '00u{{run}}',
  groups: [],
  password: '1mz050nq',
  active: true,
};

/** The whole user as Okta writes it back after reading it, with what it changes. */
const writtenBack = (changes: Record<string, Json>): Json => ({
  schemas: [user],
  id: '{{userId}}',
  userName: 'flow.{{run}}@example.com',
  name: { givenName: 'Another', middleName: 'Excited', familyName: 'User' },
  emails: [
    { primary: true, value: 'flow.{{run}}@example.com', type: 'work', display: 'flow.{{run}}@example.com' },
  ],
  displayName: 'Test User',
  locale: 'en-US',
  externalId: '00u{{run}}',
  active: true,
  groups: [],
  meta: { resourceType: 'User' },
  ...changes,
});

const lookUp = (total: number): SequenceStep =>
  step(
    total === 0 ? 'the user is looked for and not there' : 'the user is looked for and found',
    {
      method: 'GET',
      path: '/Users',
      query: { ...named('flow.{{run}}@example.com'), startIndex: '1', count: '100' },
    },
    200,
    [...listOf(total), equals('startIndex', 1)],
  );

const create = step(
  'the user is created',
  { method: 'POST', path: '/Users', body: created },
  201,
  [
    present('id'),
    equals('active', true),
    equals('externalId', '00u{{run}}'),
    equals('locale', 'en-US'),
    equals('meta.resourceType', 'User'),
    // A password is taken and never shown.
    absent('password'),
  ],
  { userId: 'id' },
);

const readBack = (active: boolean): SequenceStep =>
  step(
    `the user is read and is ${active ? 'active' : 'suspended'}`,
    { method: 'GET', path: '/Users/{{userId}}' },
    200,
    [equals('id', '{{userId}}'), equals('active', active)],
  );

const update = step(
  'the profile is written back whole',
  { method: 'PUT', path: '/Users/{{userId}}', body: writtenBack({}) },
  200,
  [
    equals('id', '{{userId}}'),
    equals('name', { givenName: 'Another', middleName: 'Excited', familyName: 'User' }),
    equals('active', true),
  ],
);

const importPages: readonly SequenceStep[] = [
  step(
    'an import reads the first page',
    { method: 'GET', path: '/Users', query: { startIndex: '1', count: '100' } },
    200,
    [
      contains('schemas', listSchema),
      equals('startIndex', 1),
      isNumber('totalResults'),
      present('Resources[0].id'),
    ],
  ),
  step(
    'an import reads beyond the end',
    { method: 'GET', path: '/Users', query: { startIndex: '1000001', count: '100' } },
    200,
    [equals('startIndex', 1_000_001), equals('itemsPerPage', 0), counts('Resources', 0)],
  ),
];

const byPut = (active: boolean): SequenceStep =>
  step(
    active ? 'the user is reactivated by PUT' : 'the user is deactivated by PUT',
    { method: 'PUT', path: '/Users/{{userId}}', body: writtenBack({ active }) },
    200,
    [equals('active', active)],
  );

const byPatch = (active: boolean): SequenceStep =>
  step(
    active ? 'the user is reactivated by PATCH' : 'the user is deactivated by PATCH',
    { method: 'PATCH', path: '/Users/{{userId}}', body: patchOf({ op: 'replace', value: { active } }) },
    [200, 204],
    [equals('active', active), equals('userName', 'flow.{{run}}@example.com')],
  );

const lifeCycle = (
  id: string,
  name: string,
  change: (active: boolean) => SequenceStep,
): ProviderSequence => ({
  id,
  provider: 'Okta',
  name,
  sources: [reference, crudSuite],
  leftovers: ['/Users/{{userId}}'],
  steps: [
    lookUp(0),
    create,
    lookUp(1),
    readBack(true),
    update,
    readBack(true),
    change(false),
    readBack(false),
    // A suspended user is found like any other, so that Okta links it again instead of creating it twice.
    lookUp(1),
    change(true),
    readBack(true),
    change(false),
    readBack(false),
    ...importPages,
  ],
});

const passwordSync: ProviderSequence = {
  id: 'okta-password',
  provider: 'Okta',
  name: 'a password is synchronised, and discarded',
  sources: [reference],
  leftovers: ['/Users/{{userId}}'],
  steps: [
    create,
    step(
      'the password is patched',
      {
        method: 'PATCH',
        path: '/Users/{{userId}}',
        body: patchOf({ op: 'replace', value: { password: 't1meMa$heen' } }),
      },
      [200, 204],
      [absent('password'), equals('id', '{{userId}}')],
    ),
  ],
};

const member = (idName: string, letter: string): SequenceStep =>
  step(
    `member ${letter} is created`,
    {
      method: 'POST',
      path: '/Users',
      body: { schemas: [user], userName: `${letter}.{{run}}@example.com`, active: true },
    },
    201,
    [present('id')],
    { [idName]: 'id' },
  );

const createGroup = step(
  'the group is pushed',
  { method: 'POST', path: '/Groups', body: { schemas: [group], displayName: 'Push {{run}}', members: [] } },
  201,
  [present('id'), equals('displayName', 'Push {{run}}'), equals('meta.resourceType', 'Group')],
  { groupId: 'id' },
);

const membersAre = (name: string, ...ids: readonly string[]): SequenceStep =>
  step(name, { method: 'GET', path: '/Groups/{{groupId}}' }, 200, [
    counts('members', ids.length),
    ...ids.map((_, at) => present(`members[${at}].value`)),
  ]);

const deleteGroup: readonly SequenceStep[] = [
  step('the group is deleted', { method: 'DELETE', path: '/Groups/{{groupId}}' }, 204),
  step('the group is gone', { method: 'GET', path: '/Groups/{{groupId}}' }, 404, errorOf(404)),
];

const groupPush: ProviderSequence = {
  id: 'okta-groups-patch',
  provider: 'Okta',
  name: 'groups are pushed by PATCH',
  sources: [reference],
  leftovers: ['/Groups/{{groupId}}', '/Users/{{anna}}', '/Users/{{bert}}'],
  steps: [
    member('anna', 'anna'),
    member('bert', 'bert'),
    createGroup,
    step(
      'groups are imported',
      { method: 'GET', path: '/Groups', query: { startIndex: '1', count: '100' } },
      200,
      [contains('schemas', listSchema), isNumber('totalResults'), equals('startIndex', 1)],
    ),
    step(
      'the group is renamed, with its id in the value',
      {
        method: 'PATCH',
        path: '/Groups/{{groupId}}',
        body: patchOf({ op: 'replace', value: { id: '{{groupId}}', displayName: 'Pushed {{run}}' } }),
      },
      [200, 204],
      [equals('id', '{{groupId}}'), equals('displayName', 'Pushed {{run}}')],
    ),
    step(
      'the group gets a member',
      {
        method: 'PATCH',
        path: '/Groups/{{groupId}}',
        body: patchOf({
          op: 'add',
          path: 'members',
          value: [{ value: '{{anna}}', display: 'anna.{{run}}@example.com' }],
        }),
      },
      [200, 204],
    ),
    membersAre('the member is there', 'anna'),
    step(
      'one member leaves and another joins',
      {
        method: 'PATCH',
        path: '/Groups/{{groupId}}',
        body: patchOf(
          { op: 'remove', path: 'members[value eq "{{anna}}"]' },
          { op: 'add', path: 'members', value: [{ value: '{{bert}}', display: 'bert.{{run}}@example.com' }] },
        ),
      },
      [200, 204],
    ),
    step('only the other is there', { method: 'GET', path: '/Groups/{{groupId}}' }, 200, [
      counts('members', 1),
      equals('members[0].value', '{{bert}}'),
    ]),
    step(
      'the whole membership is replaced',
      {
        method: 'PATCH',
        path: '/Groups/{{groupId}}',
        body: patchOf({
          op: 'replace',
          path: 'members',
          value: [{ value: '{{anna}}' }, { value: '{{bert}}' }],
        }),
      },
      [200, 204],
    ),
    membersAre('both are there', 'anna', 'bert'),
    step('a user shows the group', { method: 'GET', path: '/Users/{{anna}}' }, 200, [
      counts('groups', 1),
      equals('groups[0].value', '{{groupId}}'),
      equals('groups[0].display', 'Pushed {{run}}'),
    ]),
    ...deleteGroup,
    step('the user no longer shows it', { method: 'GET', path: '/Users/{{anna}}' }, 200, [
      absent('groups[0].value'),
    ]),
  ],
};

const groupPut: ProviderSequence = {
  id: 'okta-groups-put',
  provider: 'Okta',
  name: 'groups are pushed by PUT',
  sources: [reference],
  leftovers: ['/Groups/{{groupId}}', '/Users/{{anna}}'],
  steps: [
    member('anna', 'anna'),
    createGroup,
    step(
      'name and members are written whole',
      {
        method: 'PUT',
        path: '/Groups/{{groupId}}',
        body: {
          schemas: [group],
          id: '{{groupId}}',
          displayName: 'Pushed {{run}}',
          members: [{ value: '{{anna}}', display: 'anna.{{run}}@example.com' }],
        },
      },
      200,
      [equals('displayName', 'Pushed {{run}}'), counts('members', 1)],
    ),
    step(
      'the membership is emptied',
      {
        method: 'PUT',
        path: '/Groups/{{groupId}}',
        body: { schemas: [group], id: '{{groupId}}', displayName: 'Pushed {{run}}', members: [] },
      },
      200,
      [absent('members[0].value')],
    ),
    ...deleteGroup,
  ],
};

export const oktaSequences: readonly ProviderSequence[] = [
  oktaSuite,
  lifeCycle(
    'okta-users-put',
    'a user is created, updated, deactivated, reactivated and imported by PUT',
    byPut,
  ),
  lifeCycle(
    'okta-users-patch',
    'a user is created, updated, deactivated, reactivated and imported by PATCH',
    byPatch,
  ),
  passwordSync,
  groupPush,
  groupPut,
];
