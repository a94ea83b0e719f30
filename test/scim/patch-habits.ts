// Patches as identity providers send them, and those that are particular to the service face.

import {
  add,
  core,
  ent,
  home,
  many,
  one,
  onServiceFace,
  type PatchCase,
  remove,
  replace,
  work,
} from './patch-sample.ts';

/** As the documentation of Entra ID shows it, with and without its flag for the standard's behaviour. */
const entra: readonly PatchCase[] = [
  many(
    'Entra ID updates several attributes',
    { emails: [work], name: { familyName: 'B' } },
    [
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updated@x' },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
    ],
    { emails: [{ ...work, value: 'updated@x' }], name: { familyName: 'updatedFamilyName' } },
  ),
  one(
    'Entra ID updates the userName',
    {},
    { op: 'Replace', path: 'userName', value: '5b50642d@testuser.com' },
    { userName: '5b50642d@testuser.com' },
  ),
  one(
    'Entra ID disables with a text',
    {},
    { op: 'Replace', path: 'active', value: 'False' },
    { active: false },
  ),
  one(
    'Entra ID enables with a text',
    { active: false },
    { op: 'Add', path: 'active', value: 'True' },
    { active: true },
  ),
  one(
    'Entra ID disables with its flag',
    {},
    { op: 'replace', path: 'active', value: false },
    { active: false },
  ),
  one(
    'Entra ID adds a manager',
    {},
    { op: 'Add', path: `${ent}:manager`, value: '2819c223' },
    { [ent]: { manager: { value: '2819c223' } } },
  ),
  one(
    'Entra ID clears a manager',
    { [ent]: { manager: { value: 'm' } } },
    { op: 'Replace', path: `${ent}:manager`, value: '' },
    {},
  ),
  one(
    'Entra ID removes a manager',
    { [ent]: { manager: { value: 'm' } } },
    { op: 'Remove', path: `${ent}:manager` },
    {},
  ),
  one(
    'Entra ID sends one object with dotted and URN keys',
    { displayName: 'o' },
    {
      op: 'replace',
      value: {
        displayName: 'Bjfe',
        'name.givenName': 'Kkom',
        'name.familyName': 'Unua',
        [`${ent}:employeeNumber`]: 'Aklq',
      },
    },
    {
      displayName: 'Bjfe',
      name: { givenName: 'Kkom', familyName: 'Unua' },
      [ent]: { employeeNumber: 'Aklq' },
    },
  ),
  one(
    'Entra ID adds an object with value paths as keys',
    {},
    {
      op: 'Add',
      value: { 'emails[type eq "work"].value': 'w@x', 'phoneNumbers[type eq "mobile"].value': '1' },
    },
    { emails: [work], phoneNumbers: [{ type: 'mobile', value: '1' }] },
  ),
  many(
    'Entra ID adds one by one with its flag',
    {},
    [
      add('displayName', 'Pvlo'),
      add('title', 'Gvlo'),
      add('emails[type eq "work"].value', 'w@x'),
      add('name.givenName', 'Edg'),
      add('addresses[type eq "work"].country', 'DE'),
      add(`${ent}:department`, 'D'),
    ],
    {
      displayName: 'Pvlo',
      title: 'Gvlo',
      emails: [work],
      name: { givenName: 'Edg' },
      addresses: [{ type: 'work', country: 'DE' }],
      [ent]: { department: 'D' },
    },
  ),
  one(
    'Entra ID adds app roles',
    {},
    { op: 'add', path: 'roles', value: [{ value: '{"id":"x"}', display: 'Admin', primary: false }] },
    { roles: [{ value: '{"id":"x"}', display: 'Admin', primary: false }] },
  ),
  one(
    'Entra ID removes by a value list',
    { roles: [{ value: 'a' }, { value: 'b' }] },
    { op: 'Remove', path: 'roles', value: [{ value: 'a' }] },
    { roles: [{ value: 'b' }] },
  ),
];

/** As the documentation of Okta shows it. */
const okta: readonly PatchCase[] = [
  one('Okta deactivates', {}, { op: 'replace', value: { active: false } }, { active: false }),
  one('Okta reactivates', { active: false }, { op: 'replace', value: { active: true } }, { active: true }),
  one(
    'Okta repeats the id',
    {},
    { op: 'replace', value: { id: '1000000001', active: false } },
    { active: false },
  ),
  one(
    'Okta sends schemas in the value',
    {},
    { op: 'replace', value: { schemas: [core], title: 'x' } },
    { title: 'x' },
  ),
  one(
    'Okta sends a nested object',
    { name: { familyName: 'B' } },
    {
      op: 'replace',
      value: { name: { givenName: 'A' }, [ent]: { department: 'd', manager: { value: 'm' } } },
    },
    { name: { givenName: 'A', familyName: 'B' }, [ent]: { department: 'd', manager: { value: 'm' } } },
  ),
  one(
    'Okta clears with null',
    { title: 'x', nickName: 'n' },
    { op: 'replace', value: { title: null, nickName: '' } },
    {},
  ),
  one(
    'a path that is empty counts as none',
    {},
    { op: 'replace', path: '', value: { active: false } },
    { active: false },
  ),
  one(
    'a path that is null counts as none',
    {},
    { op: 'replace', path: null, value: { active: false } },
    { active: false },
  ),
];

const serviceFaceOnly: readonly PatchCase[] = [
  one('suspend', {}, replace('active', false), { active: false }),
  one('suspend with a text', {}, replace('active', 'False'), { active: false }),
  one('a phone number added', {}, add('phoneNumbers', [{ value: '1', type: 'work' }]), {
    phoneNumbers: [{ value: '1', type: 'work' }],
  }),
  one('an e-mail by its type', { emails: [work] }, replace('emails[type eq "work"].value', 'n@x'), {
    emails: [{ ...work, value: 'n@x' }],
  }),
  one('one e-mail of two removed by value', { emails: [work, home] }, remove('emails', [{ value: 'w@x' }]), {
    emails: [home],
  }),
  one('what only the standard knows is not there', {}, replace('title', 'x'), 'INVALID_PATH'),
  one('nor a part that only the standard knows', {}, replace('name.formatted', 'x'), 'INVALID_PATH'),
  one('nor the enterprise extension', {}, replace(`${ent}:department`, 'x'), 'INVALID_PATH'),
  one(
    'what only the standard knows stays',
    { title: 'x', emails: [{ ...work, display: 'd' }] },
    replace('emails[type eq "work"].value', 'n@x'),
    { title: 'x', emails: [{ ...work, display: 'd', value: 'n@x' }] },
  ),
  one('emails are required', { emails: [work] }, remove('emails'), 'MUTABILITY'),
  one('the last e-mail is required', { emails: [work] }, remove('emails[type eq "work"]'), 'MUTABILITY'),
  one(
    'the last e-mail is required, by value',
    { emails: [work] },
    remove('emails', [{ value: 'w@x' }]),
    'MUTABILITY',
  ),
  one('no e-mails are no value', { emails: [work] }, replace('emails', []), 'INVALID_VALUE'),
  one('the name is required', { name: { givenName: 'A' } }, remove('name'), 'MUTABILITY'),
  one('an e-mail needs its value', { emails: [work] }, add('emails', [{ type: 'home' }]), 'INVALID_VALUE'),
  one('a user without e-mails can be patched', {}, replace('name.givenName', 'A'), {
    name: { givenName: 'A' },
  }),
  one(
    'its own id as a number',
    {},
    { op: 'replace', value: { id: 1_000_000_001, active: false } },
    { active: false },
  ),
];

export const habits: readonly PatchCase[] = [...entra, ...okta, ...serviceFaceOnly.map(onServiceFace)];
