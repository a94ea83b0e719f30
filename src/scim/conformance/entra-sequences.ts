// What Entra ID sends, as its documentation shows it, in both of its manners: as it does by default, and as it does
// when the flag `aadOptscim062020` stands in the address of the service. The users and groups are ours; the shape of
// every request is Entra ID's.
//
// Sources, read in August 2026:
// - requests and answers, the test of the connection, what is asked before a reference is changed:
//   https://learn.microsoft.com/en-us/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups
// - what the flag changes:
//   https://learn.microsoft.com/en-us/entra/identity/app-provisioning/application-provisioning-config-problem-scim-compatibility

import {
  absent,
  contains,
  counts,
  equals,
  errorOf,
  type Json,
  listOf,
  listSchema,
  type ProviderSequence,
  patchOf,
  present,
  type SequenceRequest,
  type SequenceStep,
  step,
} from './sequence.ts';

const user = 'urn:ietf:params:scim:schemas:core:2.0:User';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const group = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const tutorial =
  'https://learn.microsoft.com/en-us/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups';
const compatibility =
  'https://learn.microsoft.com/en-us/entra/identity/app-provisioning/application-provisioning-config-problem-scim-compatibility';

/** The two manners: what an operation is called, how false is written, and how requests differ that the flag changes. */
interface Manner {
  readonly id: 'default' | 'flag';
  readonly name: string;
  readonly op: (name: 'add' | 'replace' | 'remove') => string;
  readonly state: (active: boolean) => Json;
  readonly query: Readonly<Record<string, string>>;
  readonly replaceSeveral: readonly Json[];
  readonly removeMember: Json;
}

const byDefault: Manner = {
  id: 'default',
  name: 'by default',
  op: (name) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
  state: (active) => (active ? 'True' : 'False'),
  query: {},
  replaceSeveral: [
    { op: 'Replace', path: 'displayName', value: 'Pvlo' },
    { op: 'Replace', path: 'emails[type eq "work"].value', value: 'new.{{run}}@example.com' },
    { op: 'Replace', path: 'name.givenName', value: 'Gtfd' },
    { op: 'Replace', path: 'name.familyName', value: 'Pkqf' },
    { op: 'Replace', path: 'externalId', value: 'Eqpj{{run}}' },
    { op: 'Replace', path: `${enterprise}:employeeNumber`, value: 'Eqpj' },
  ],
  removeMember: { op: 'Remove', path: 'members', value: [{ $ref: null, value: '{{userId}}' }] },
};

const withFlag: Manner = {
  id: 'flag',
  name: 'with aadOptscim062020',
  op: (name) => name,
  state: (active) => active,
  // The flag is part of the address that the administrator enters, and arrives with every request.
  query: { aadOptscim062020: '' },
  replaceSeveral: [
    { op: 'replace', path: 'emails[type eq "work"].value', value: 'new.{{run}}@example.com' },
    {
      op: 'replace',
      value: {
        displayName: 'Pvlo',
        'name.givenName': 'Gtfd',
        'name.familyName': 'Pkqf',
        [`${enterprise}:employeeNumber`]: 'Eqpj',
      },
    },
  ],
  removeMember: { op: 'remove', path: 'members[value eq "{{userId}}"]' },
};

type Ask = (
  method: SequenceRequest['method'],
  path: string,
  query?: Readonly<Record<string, string>>,
) => SequenceRequest;
type Send = (method: 'POST' | 'PATCH', path: string, body: Json) => SequenceRequest;

const askIn =
  (manner: Manner): Ask =>
  (method, path, query = {}) => ({ method, path, query: { ...manner.query, ...query } });
const sendIn =
  (manner: Manner): Send =>
  (method, path, body) => ({ method, path, query: manner.query, body });

const newUser: Json = {
  schemas: [user, enterprise],
  externalId: '0a21{{run}}',
  userName: 'Test_User_{{run}}',
  active: true,
  emails: [{ primary: true, type: 'work', value: 'test.{{run}}@example.com' }],
  meta: { resourceType: 'User' },
  name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
  roles: [],
};

const createUser = (send: Send): SequenceStep =>
  step(
    'the user is created',
    send('POST', '/Users', newUser),
    201,
    [
      present('id'),
      contains('schemas', user),
      equals('externalId', '0a21{{run}}'),
      equals('userName', 'Test_User_{{run}}'),
      equals('active', true),
      equals('name.formatted', 'givenName familyName'),
      present('meta.created'),
      present('meta.lastModified'),
    ],
    { userId: 'id' },
  );

function userLifeCycle(manner: Manner): ProviderSequence {
  const ask = askIn(manner);
  const send = sendIn(manner);
  const { op } = manner;
  const one = '/Users/{{userId}}';
  return {
    id: `entra-users-${manner.id}`,
    provider: 'Entra ID',
    name: `the life of a user, ${manner.name}`,
    sources: [tutorial, compatibility],
    leftovers: [one],
    steps: [
      step(
        'the connection is tested by a name that nobody has',
        ask('GET', '/Users', { filter: 'userName eq "8c5d8f1a-{{run}}"' }),
        200,
        listOf(0),
      ),
      step('the schemas are discovered', ask('GET', '/Schemas'), 200, [
        contains('schemas', listSchema),
        present('Resources[0].attributes'),
      ]),
      step(
        'the user is looked for by its external id',
        ask('GET', '/Users', { filter: 'externalId eq "0a21{{run}}"' }),
        200,
        listOf(0),
      ),
      createUser(send),
      step('the user is read', ask('GET', one), 200, [
        equals('id', '{{userId}}'),
        equals('emails[0].value', 'test.{{run}}@example.com'),
        equals('emails[0].primary', true),
      ]),
      step('an id that nobody has', ask('GET', '/Users/5171a35d82074e068ce2'), 404, errorOf(404)),
      step(
        'the user is found by its name',
        ask('GET', '/Users', { filter: 'userName eq "Test_User_{{run}}"' }),
        200,
        [...listOf(1), equals('Resources[0].id', '{{userId}}')],
      ),
      step(
        'the user is found by its address at work',
        ask('GET', '/Users', { filter: 'emails[type eq "work"].value eq "test.{{run}}@example.com"' }),
        200,
        [...listOf(1), equals('Resources[0].id', '{{userId}}')],
      ),
      step('creating the user again is a conflict', send('POST', '/Users', newUser), 409, errorOf(409)),
      step(
        'an address and a part of the name are changed',
        send(
          'PATCH',
          one,
          patchOf(
            {
              op: op('replace'),
              path: 'emails[type eq "work"].value',
              value: 'updated.{{run}}@example.com',
            },
            { op: op('replace'), path: 'name.familyName', value: 'updatedFamilyName' },
          ),
        ),
        200,
        [
          equals('emails[0].value', 'updated.{{run}}@example.com'),
          equals('emails[0].primary', true),
          equals('name.familyName', 'updatedFamilyName'),
          equals('name.givenName', 'givenName'),
        ],
      ),
      step(
        'the name is changed',
        send(
          'PATCH',
          one,
          patchOf({ op: op('replace'), path: 'userName', value: '5b50.{{run}}@example.com' }),
        ),
        200,
        [equals('userName', '5b50.{{run}}@example.com')],
      ),
      step(
        'a text is added',
        send('PATCH', one, patchOf({ op: op('add'), path: 'nickName', value: 'Babs' })),
        200,
        [equals('nickName', 'Babs')],
      ),
      step(
        'a role is given, part by part, to a user without roles',
        send(
          'PATCH',
          one,
          patchOf(
            { op: op('add'), path: 'roles[primary eq "True"].display', value: 'Readers' },
            { op: op('add'), path: 'roles[primary eq "True"].value', value: 'reader' },
            { op: op('add'), path: 'roles[primary eq "True"].type', value: 'app' },
          ),
        ),
        200,
        [
          equals('roles[0].value', 'reader'),
          equals('roles[0].display', 'Readers'),
          equals('roles[0].type', 'app'),
          equals('roles[0].primary', true),
        ],
      ),
      step('several attributes are replaced', send('PATCH', one, patchOf(...manner.replaceSeveral)), 200, [
        equals('displayName', 'Pvlo'),
        equals('emails[0].value', 'new.{{run}}@example.com'),
        equals('name.givenName', 'Gtfd'),
        equals('name.familyName', 'Pkqf'),
        equals(`["${enterprise}"].employeeNumber`, 'Eqpj'),
      ]),
      step(
        'the manager is asked for before it is set',
        ask('GET', '/Users', {
          filter: `id eq "{{userId}}" and ${enterprise}:manager eq "{{userId}}"`,
          attributes: 'id',
        }),
        200,
        listOf(0),
      ),
      step(
        'the manager is set',
        send(
          'PATCH',
          one,
          patchOf({
            op: op('add'),
            path: `${enterprise}:manager`,
            value: [{ $ref: 'https://example.com/scim/Users/{{userId}}', value: '{{userId}}' }],
          }),
        ),
        200,
        [equals(`["${enterprise}"].manager.value`, '{{userId}}')],
      ),
      step(
        'the manager is as it was set',
        ask('GET', '/Users', {
          filter: `id eq "{{userId}}" and ${enterprise}:manager eq "{{userId}}"`,
          attributes: 'id',
        }),
        200,
        [...listOf(1), equals('Resources[0].id', '{{userId}}'), absent('Resources[0].userName')],
      ),
      step(
        'the user is disabled',
        send('PATCH', one, patchOf({ op: op('replace'), path: 'active', value: manner.state(false) })),
        200,
        [equals('active', false)],
      ),
      step(
        'the disabled user is still found',
        ask('GET', '/Users', { filter: 'userName eq "5b50.{{run}}@example.com"' }),
        200,
        [...listOf(1), equals('Resources[0].active', false)],
      ),
      step(
        'the user is enabled again',
        send('PATCH', one, patchOf({ op: op('replace'), path: 'active', value: manner.state(true) })),
        200,
        [equals('active', true)],
      ),
      step('the user is deleted', ask('DELETE', one), 204),
      step('the user is gone', ask('GET', one), 404, errorOf(404)),
      step('deleting it again finds nobody', ask('DELETE', one), 404, errorOf(404)),
    ],
  };
}

const newGroup: Json = {
  // The second schema is Microsoft's own and is sent with every group.
  schemas: [group, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
  externalId: '8aa1{{run}}',
  displayName: 'Group {{run}}',
  meta: { resourceType: 'Group' },
};

function groupLifeCycle(manner: Manner): ProviderSequence {
  const ask = askIn(manner);
  const send = sendIn(manner);
  const { op } = manner;
  const one = '/Groups/{{groupId}}';
  const isMember = (name: string, total: number): SequenceStep =>
    step(
      name,
      ask('GET', '/Groups', {
        filter: 'id eq "{{groupId}}" and members eq "{{userId}}"',
        attributes: 'id',
      }),
      200,
      listOf(total),
    );
  return {
    id: `entra-groups-${manner.id}`,
    provider: 'Entra ID',
    name: `the life of a group, ${manner.name}`,
    sources: [tutorial, compatibility],
    leftovers: [one, '/Users/{{userId}}'],
    steps: [
      createUser(send),
      step(
        'the group is looked for and not there',
        ask('GET', '/Groups', { excludedAttributes: 'members', filter: 'displayName eq "Group {{run}}"' }),
        200,
        listOf(0),
      ),
      step(
        'the group is created',
        send('POST', '/Groups', newGroup),
        201,
        [
          present('id'),
          equals('displayName', 'Group {{run}}'),
          equals('externalId', '8aa1{{run}}'),
          equals('meta.resourceType', 'Group'),
        ],
        { groupId: 'id' },
      ),
      step('the group is read without its members', ask('GET', one, { excludedAttributes: 'members' }), 200, [
        equals('displayName', 'Group {{run}}'),
        absent('members'),
      ]),
      step(
        'the group is found by its name',
        ask('GET', '/Groups', { excludedAttributes: 'members', filter: 'displayName eq "Group {{run}}"' }),
        200,
        [...listOf(1), equals('Resources[0].id', '{{groupId}}'), absent('Resources[0].members')],
      ),
      step('creating the group again is a conflict', send('POST', '/Groups', newGroup), 409, errorOf(409)),
      step(
        'the group is renamed',
        send('PATCH', one, patchOf({ op: op('replace'), path: 'displayName', value: 'Renamed {{run}}' })),
        [200, 204],
        [equals('displayName', 'Renamed {{run}}')],
      ),
      isMember('the user is not a member', 0),
      step(
        'the user joins',
        send(
          'PATCH',
          one,
          patchOf({ op: op('add'), path: 'members', value: [{ $ref: null, value: '{{userId}}' }] }),
        ),
        [200, 204],
      ),
      isMember('the user is a member', 1),
      step('the user shows the group', ask('GET', '/Users/{{userId}}'), 200, [
        counts('groups', 1),
        equals('groups[0].value', '{{groupId}}'),
      ]),
      step('the user leaves', send('PATCH', one, patchOf(manner.removeMember)), [200, 204]),
      isMember('the user is no longer a member', 0),
      step(
        'the user leaves again, which changes nothing',
        send('PATCH', one, patchOf(manner.removeMember)),
        [200, 204],
      ),
      step('the group is deleted', ask('DELETE', one), 204),
      step('the group is gone', ask('GET', one, { excludedAttributes: 'members' }), 404, errorOf(404)),
    ],
  };
}

export const entraSequences: readonly ProviderSequence[] = [byDefault, withFlag].flatMap((manner) => [
  userLifeCycle(manner),
  groupLifeCycle(manner),
]);
