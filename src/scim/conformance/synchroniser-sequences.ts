// What three free programs send that keep a directory and a SCIM service in step: pocket-id, ssosync and authentik. All
// three take everybody over at once, so that each sequence has 230 users: more than a page holds, and more than one
// request names. The users and groups are ours; the shape and the order of the requests are theirs.
//
// Sources, read in November 2026:
// - pocket-id lists everything in pages of 1,000 and goes on behind `itemsPerPage`; it matches by externalId, creates by
//   POST and changes users and groups whole, by PUT, members included (backend/internal/scimsync). It would also delete
//   every user that it does not know; that is not played, because those are somebody's.
// - ssosync looks for each user by userName and for each group by displayName before it writes; users are replaced by
//   PUT with their id in the body, groups are patched, members in lists of at most 100 (internal/aws, internal/sync.go).
// - authentik asks for the ServiceProviderConfig first, creates without looking and looks by a filter after a 409; a
//   group is made without members, who follow as one operation each, as many in a request as bulk.maxOperations allows;
//   what a group says of itself is one replace without a path (authentik/providers/scim/clients).

import {
  contains,
  counts,
  equals,
  isNumber,
  type Json,
  listOf,
  type ProviderSequence,
  patchOf,
  present,
  type SequenceStep,
  step,
} from './sequence.ts';

const userCount = 230;
const renamedCount = 23;
const leavingCount = 30;
const membersInOneRequest = 100;

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';

const numbers = (count: number, after = 0): readonly number[] =>
  Array.from({ length: count }, (_, index) => after + index + 1);
const everybody = numbers(userCount);
const idOf = (number: number): string => `{{userId${number}}}`;
const users = everybody.map((number) => `/Users/${idOf(number)}`);
const group = '/Groups/{{groupId}}';
const membersOf = (which: readonly number[]): readonly Json[] =>
  which.map((number) => ({ value: idOf(number) }));
const staying = numbers(userCount - leavingCount, leavingCount);
const leaving = numbers(leavingCount);

/** The same for each of several users; steps of one name are told as one. */
const forEach = (which: readonly number[], make: (number: number) => SequenceStep): SequenceStep[] =>
  which.map(make);

const listed = [isNumber('totalResults'), isNumber('startIndex'), isNumber('itemsPerPage')];
const created = [present('id'), present('meta.created'), present('meta.lastModified')];

const deleteEverybody = forEach(everybody, (number) =>
  step('each user is deleted', { method: 'DELETE', path: `/Users/${idOf(number)}` }, 204),
);
const deleteGroup = step('the group is deleted', { method: 'DELETE', path: group }, 204);

// ---- pocket-id

const pocketIdUser = (number: number, familyName: string): Json => ({
  externalId: `pocket-{{run}}-${number}`,
  schemas: [userSchema],
  userName: `pocket.{{run}}.${number}`,
  name: { givenName: 'Tim', familyName },
  displayName: `Tim ${familyName}`,
  active: true,
  emails: [{ value: `pocket.{{run}}.${number}@example.com`, primary: true }],
});
const pocketIdGroup = (displayName: string, which: readonly number[]): Json => ({
  externalId: 'pocket-{{run}}-group',
  schemas: [groupSchema],
  displayName,
  members: membersOf(which),
});
const pocketIdLists = (when: string): readonly SequenceStep[] =>
  ['/Users', '/Groups'].map((path) =>
    step(
      `${path.slice(1).toLowerCase()} are listed ${when}`,
      { method: 'GET', path, query: { startIndex: '1', count: '1000' } },
      200,
      listed,
    ),
  );

const pocketId: ProviderSequence = {
  id: 'pocket-id-sync',
  provider: 'pocket-id',
  name: `${userCount} users and a group are kept in step`,
  sources: ['https://github.com/pocket-id/pocket-id/tree/main/backend/internal/scimsync'],
  leftovers: [group, ...users],
  steps: [
    ...pocketIdLists('before the first run'),
    ...forEach(everybody, (number) =>
      step(
        'each user is created',
        { method: 'POST', path: '/Users', body: pocketIdUser(number, 'Cook') },
        201,
        [...created, equals('externalId', `pocket-{{run}}-${number}`)],
        { [`userId${number}`]: 'id' },
      ),
    ),
    step(
      'the group is created with everybody in it',
      { method: 'POST', path: '/Groups', body: pocketIdGroup('Pocket {{run}}', everybody) },
      201,
      [...created, counts('members', userCount)],
      { groupId: 'id' },
    ),
    ...pocketIdLists('before the next run'),
    step(
      'the second page of users is listed',
      { method: 'GET', path: '/Users', query: { startIndex: '201', count: '1000' } },
      200,
      [...listed, equals('startIndex', 201), present('Resources[0].externalId')],
    ),
    ...forEach(numbers(renamedCount), (number) =>
      step(
        'some users are renamed, whole',
        { method: 'PUT', path: `/Users/${idOf(number)}`, body: pocketIdUser(number, 'Baker') },
        200,
        [equals('name.familyName', 'Baker'), equals('id', idOf(number))],
      ),
    ),
    step(
      'the group is renamed and loses members, whole',
      { method: 'PUT', path: group, body: pocketIdGroup('Pocket {{run}} renamed', staying) },
      200,
      [equals('displayName', 'Pocket {{run}} renamed'), counts('members', staying.length)],
    ),
    ...deleteEverybody,
    deleteGroup,
    step(
      'nobody of them is there any more',
      { method: 'GET', path: '/Users', query: { filter: 'externalId sw "pocket-{{run}}-"' } },
      200,
      listOf(0),
    ),
  ],
};

// ---- ssosync

const ssosyncName = (number: number): string => `ssosync.{{run}}.${number}@example.com`;
const ssosyncUser = (number: number, familyName: string): Readonly<Record<string, Json>> => ({
  schemas: [userSchema],
  externalId: `google-{{run}}-${number}`,
  userName: ssosyncName(number),
  name: { familyName, givenName: 'Ana' },
  displayName: `Ana ${familyName}`,
  active: true,
  emails: [{ value: ssosyncName(number), type: 'work', primary: true }],
  addresses: [{ type: 'work' }],
});
const ssosyncFind = (name: string, number: number, total: number): SequenceStep =>
  step(
    name,
    { method: 'GET', path: '/Users', query: { filter: `userName eq "${ssosyncName(number)}"` } },
    200,
    total === 0 ? listOf(0) : [...listOf(1), equals('Resources[0].id', idOf(number))],
  );
const ssosyncMembers = (name: string, op: 'add' | 'remove', which: readonly number[]): SequenceStep[] =>
  numbers(Math.ceil(which.length / membersInOneRequest)).map((part) => {
    const some = which.slice((part - 1) * membersInOneRequest, part * membersInOneRequest);
    return step(
      name,
      { method: 'PATCH', path: group, body: patchOf({ op, path: 'members', value: membersOf(some) }) },
      [200, 204],
    );
  });
const countMembers = (name: string, count: number): SequenceStep =>
  step(name, { method: 'GET', path: group }, 200, [counts('members', count)]);

const ssosync: ProviderSequence = {
  id: 'ssosync-sync',
  provider: 'ssosync',
  name: `${userCount} users and a group are kept in step`,
  sources: ['https://github.com/awslabs/ssosync/tree/master/internal'],
  leftovers: [group, ...users],
  steps: [
    ...forEach(everybody, (number) => ssosyncFind('each user is looked for by its userName', number, 0)),
    ...forEach(everybody, (number) =>
      step(
        'each user is created',
        { method: 'POST', path: '/Users', body: ssosyncUser(number, 'Silva') },
        201,
        [present('id'), equals('userName', ssosyncName(number))],
        { [`userId${number}`]: 'id' },
      ),
    ),
    step(
      'the group is looked for by its displayName',
      { method: 'GET', path: '/Groups', query: { filter: 'displayName eq "ssosync-{{run}}"' } },
      200,
      listOf(0),
    ),
    step(
      'the group is created without members',
      {
        method: 'POST',
        path: '/Groups',
        body: {
          schemas: [groupSchema],
          displayName: 'ssosync-{{run}}',
          externalId: 'google-{{run}}-group',
          members: [],
        },
      },
      201,
      [present('id')],
      { groupId: 'id' },
    ),
    ...ssosyncMembers('everybody joins, a hundred at a time', 'add', everybody),
    countMembers('everybody is in the group', userCount),
    ...forEach(numbers(renamedCount), (number) =>
      step(
        'some users are renamed and suspended, whole',
        {
          method: 'PUT',
          path: `/Users/${idOf(number)}`,
          body: { id: idOf(number), ...ssosyncUser(number, 'Souza'), active: false },
        },
        200,
        [equals('name.familyName', 'Souza'), equals('active', false)],
      ),
    ),
    step(
      'the group is renamed',
      {
        method: 'PATCH',
        path: group,
        body: patchOf(
          { op: 'replace', path: 'displayName', value: 'ssosync-{{run}}-renamed' },
          { op: 'replace', path: 'externalId', value: 'google-{{run}}-group' },
        ),
      },
      [200, 204],
    ),
    ...ssosyncMembers('some leave', 'remove', leaving),
    countMembers('the others are still in the group', staying.length),
    ...forEach(everybody, (number) => ssosyncFind('each user is found before it goes', number, 1)),
    ...deleteEverybody,
    countMembers('nobody is in the group any more', 0),
    deleteGroup,
  ],
};

// ---- authentik

const authentikUser = (number: number, familyName: string): Readonly<Record<string, Json>> => ({
  schemas: [userSchema],
  externalId: `authentik-{{run}}-${number}`,
  userName: `authentik.{{run}}.${number}`,
  name: { formatted: `Ida ${familyName}`, givenName: 'Ida', familyName },
  displayName: `Ida ${familyName}`,
  active: true,
  emails: [{ value: `authentik.{{run}}.${number}@example.com`, type: 'other', primary: true }],
});
const authentikMembers = (op: 'add' | 'remove', which: readonly number[]): Json =>
  patchOf(...which.map((number): Json => ({ op, path: 'members', value: [{ value: idOf(number) }] })));

const authentik: ProviderSequence = {
  id: 'authentik-sync',
  provider: 'authentik',
  name: `${userCount} users and a group are kept in step`,
  sources: ['https://github.com/goauthentik/authentik/tree/main/authentik/providers/scim/clients'],
  leftovers: [group, ...users],
  steps: [
    step('it asks what the service can do', { method: 'GET', path: '/ServiceProviderConfig' }, 200, [
      equals('patch.supported', true),
      isNumber('bulk.maxOperations'),
      equals('filter.supported', true),
    ]),
    step('it lists whom there is', { method: 'GET', path: '/Users' }, 200, listed),
    step('it lists which groups there are', { method: 'GET', path: '/Groups' }, 200, listed),
    ...forEach(everybody, (number) =>
      step(
        'each user is created',
        { method: 'POST', path: '/Users', body: authentikUser(number, 'Rhodes') },
        201,
        [present('id'), equals('name.formatted', 'Ida Rhodes')],
        { [`userId${number}`]: 'id' },
      ),
    ),
    step(
      'a user who is there already is refused',
      { method: 'POST', path: '/Users', body: authentikUser(1, 'Rhodes') },
      409,
      [equals('status', '409')],
    ),
    step(
      'and found by its userName',
      { method: 'GET', path: '/Users', query: { filter: 'userName eq "authentik.{{run}}.1"' } },
      200,
      [...listOf(1), equals('Resources[0].id', idOf(1))],
    ),
    step(
      'the group is created without members',
      {
        method: 'POST',
        path: '/Groups',
        body: {
          schemas: [groupSchema],
          externalId: 'authentik-{{run}}-group',
          displayName: 'authentik {{run}}',
        },
      },
      201,
      [present('id'), contains('schemas', groupSchema)],
      { groupId: 'id' },
    ),
    step(
      'everybody joins in one request, an operation each',
      { method: 'PATCH', path: group, body: authentikMembers('add', everybody) },
      [200, 204],
    ),
    countMembers('everybody is in the group', userCount),
    ...forEach(numbers(renamedCount), (number) =>
      step(
        'some users are renamed, whole',
        {
          method: 'PUT',
          path: `/Users/${idOf(number)}`,
          body: { id: idOf(number), ...authentikUser(number, 'Noether') },
        },
        200,
        [equals('name.familyName', 'Noether')],
      ),
    ),
    step(
      'the group is renamed without a path',
      {
        method: 'PATCH',
        path: group,
        body: patchOf({
          op: 'replace',
          value: {
            id: '{{groupId}}',
            schemas: [groupSchema],
            externalId: 'authentik-{{run}}-group',
            displayName: 'authentik {{run}} renamed',
          },
        }),
      },
      [200, 204],
    ),
    step(
      'some leave, an operation each',
      { method: 'PATCH', path: group, body: authentikMembers('remove', leaving) },
      [200, 204],
    ),
    step('the others are still in the group', { method: 'GET', path: group }, 200, [
      equals('displayName', 'authentik {{run}} renamed'),
      counts('members', staying.length),
    ]),
    ...deleteEverybody,
    deleteGroup,
  ],
};

export const synchroniserSequences: readonly ProviderSequence[] = [pocketId, ssosync, authentik];
