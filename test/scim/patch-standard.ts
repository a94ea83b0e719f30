// Patches that only the standard face takes: the kinds that identity providers are known for and that the other tables
// do not have. Managers as texts and objects, lists emptied, values cleared, keys with a URN, capitals, and elements
// that come to be because a value path names their type.

import {
  add,
  core,
  ent,
  home,
  many,
  one,
  type PatchCase,
  remove,
  replace,
  svc,
  work,
} from './patch-sample.ts';

const managed = { [ent]: { department: 'd', manager: { value: 'm' } } };

const managers: readonly PatchCase[] = [
  one('manager as a text, replaced', managed, replace(`${ent}:manager`, 'n'), {
    [ent]: { department: 'd', manager: { value: 'n' } },
  }),
  one('manager as an object', {}, add(`${ent}:manager`, { value: 'n' }), {
    [ent]: { manager: { value: 'n' } },
  }),
  one(
    'manager as an object with its address',
    {},
    add(`${ent}:manager`, { value: 'n', $ref: '../Users/n' }),
    {
      [ent]: { manager: { value: 'n', $ref: '../Users/n' } },
    },
  ),
  one('manager as a list of one', {}, add(`${ent}:manager`, [{ $ref: 'https://x/n', value: 'n' }]), {
    [ent]: { manager: { value: 'n', $ref: 'https://x/n' } },
  }),
  one('manager with an address that is null', {}, add(`${ent}:manager`, { $ref: null, value: 'n' }), {
    [ent]: { manager: { value: 'n' } },
  }),
  one('the name of a manager is passed over', {}, add(`${ent}:manager`, { value: 'n', displayName: 'N' }), {
    [ent]: { manager: { value: 'n' } },
  }),
  one(
    'a new manager brings no old address',
    { [ent]: { manager: { value: 'm', $ref: 'x' } } },
    replace(`${ent}:manager`, 'n'),
    {
      [ent]: { manager: { value: 'n' } },
    },
  ),
  one('manager by its value', managed, replace(`${ent}:manager.value`, 'n'), {
    [ent]: { department: 'd', manager: { value: 'n' } },
  }),
  one('manager cleared by null leaves the rest', managed, replace(`${ent}:manager`, null), {
    [ent]: { department: 'd' },
  }),
  one('manager cleared by an empty text', managed, replace(`${ent}:manager`, ''), {
    [ent]: { department: 'd' },
  }),
  one('manager cleared by its value', managed, replace(`${ent}:manager.value`, ''), {
    [ent]: { department: 'd' },
  }),
  one(
    'manager as a text in an object without a path',
    {},
    { op: 'replace', value: { [`${ent}:manager`]: 'n' } },
    {
      [ent]: { manager: { value: 'n' } },
    },
  ),
  one(
    'manager as a text within its extension',
    {},
    { op: 'add', value: { [ent]: { manager: 'n' } } },
    {
      [ent]: { manager: { value: 'n' } },
    },
  ),
  one(
    'a manager whose value is removed leaves no address behind',
    { [ent]: { department: 'd', manager: { value: 'm', $ref: 'r' } } },
    remove(`${ent}:manager.value`),
    { [ent]: { department: 'd' } },
  ),
  one(
    'the same by an empty text',
    { [ent]: { manager: { value: 'm', $ref: 'r' } } },
    replace(`${ent}:manager.value`, ''),
    {},
  ),
  one(
    'the same by null within the extension',
    { [ent]: { department: 'd', manager: { value: 'm', $ref: 'r' } } },
    replace(ent, { manager: { value: null } }),
    { [ent]: { department: 'd' } },
  ),
  many(
    'a manager is taken away and another given in one patch',
    { [ent]: { manager: { value: 'm', $ref: 'r' } } },
    [remove(`${ent}:manager.value`), add(`${ent}:manager`, { $ref: 's', value: 'n' })],
    { [ent]: { manager: { value: 'n', $ref: 's' } } },
  ),
  one('manager as a number', {}, add(`${ent}:manager`, 5), 'INVALID_VALUE'),
  one(
    'manager as a list of two',
    {},
    add(`${ent}:manager`, [{ value: 'a' }, { value: 'b' }]),
    'INVALID_VALUE',
  ),
];

const cleared: readonly PatchCase[] = [
  one('roles emptied', { roles: [{ value: 'a' }, { value: 'b' }] }, replace('roles', []), {}),
  one(
    'roles emptied without a path',
    { roles: [{ value: 'a' }] },
    { op: 'replace', value: { roles: [] } },
    {},
  ),
  one('an empty list is added to nothing', {}, add('roles', []), {}),
  one('an empty list is added to something', { roles: [{ value: 'a' }] }, add('roles', []), {
    roles: [{ value: 'a' }],
  }),
  one('null clears a list', { roles: [{ value: 'a' }] }, replace('roles', null), {}),
  one('an empty text clears a list', { roles: [{ value: 'a' }] }, replace('roles', ''), {}),
  one('one role as a text', {}, add('roles', 'a'), { roles: [{ value: 'a' }] }),
  one(
    'an empty text clears a part',
    { name: { givenName: 'A', familyName: 'B' } },
    replace('name.givenName', ''),
    {
      name: { familyName: 'B' },
    },
  ),
  one('an empty text clears an attribute of an extension', managed, replace(`${ent}:department`, ''), {
    [ent]: { manager: { value: 'm' } },
  }),
  one(
    'null clears the value of an element, and the element',
    { emails: [work, home] },
    replace('emails[type eq "work"].value', null),
    {
      emails: [home],
    },
  ),
  one(
    'an empty text clears a part of an element',
    { emails: [{ ...work, display: 'W' }] },
    replace('emails[type eq "work"].display', ''),
    {
      emails: [work],
    },
  ),
  one(
    'to clear what is not there is no change',
    { emails: [home] },
    replace('emails[type eq "work"].value', ''),
    { emails: [home] },
  ),
  one('an extension cleared by null', managed, replace(ent, null), {}),
];

const keys: readonly PatchCase[] = [
  one(
    'a key with the URN of the core schema',
    {},
    { op: 'replace', value: { [`${core}:title`]: 'x' } },
    { title: 'x' },
  ),
  one(
    'a key with the URN and a part',
    {},
    { op: 'add', value: { [`${core}:name.givenName`]: 'A' } },
    { name: { givenName: 'A' } },
  ),
  one(
    'a key with the URN of the enterprise',
    {},
    { op: 'add', value: { [`${ent}:costCenter`]: 'c' } },
    { [ent]: { costCenter: 'c' } },
  ),
  one(
    'a key with the URN of the service',
    {},
    { op: 'replace', value: { [`${svc}:authenticationProvider`]: 'p' } },
    {
      [svc]: { authenticationProvider: 'p' },
    },
  ),
  one(
    'a key that is an extension',
    managed,
    { op: 'add', value: { [ent]: { department: 'e' } } },
    {
      [ent]: { department: 'e', manager: { value: 'm' } },
    },
  ),
  one(
    'keys of every kind at once',
    {},
    {
      op: 'add',
      value: {
        title: 't',
        'name.familyName': 'B',
        [`${ent}:division`]: 'v',
        'emails[type eq "work"].value': 'w@x',
        active: 'False',
      },
    },
    { title: 't', name: { familyName: 'B' }, [ent]: { division: 'v' }, emails: [work], active: false },
  ),
  one('a key that nobody knows', {}, { op: 'add', value: { shoeSize: 43 } }, {}),
  one('a URN that nobody knows', {}, { op: 'add', value: { 'urn:x:y:2.0:User:title': 'x' } }, {}),
  one(
    'a suspension goes through beside keys of every kind that nobody knows',
    { title: 't' },
    {
      op: 'replace',
      value: {
        shoeSize: 43,
        _id: 1,
        größe: 2,
        department: 'd',
        'name.shoe': 3,
        'emails[type eq "work"].shoe': 4,
        'shoes[size eq "1"].value': 5,
        'urn:x:Y': { a: 1 },
        active: false,
      },
    },
    { title: 't', active: false },
  ),
];

const capitals: readonly PatchCase[] = [
  one('everything in capitals', {}, { OP: 'REPLACE', PATH: 'NICKNAME', VALUE: 'n' }, { nickName: 'n' }),
  one('a value path in capitals', { emails: [work] }, replace('EMAILS[TYPE EQ "WORK"].VALUE', 'n@x'), {
    emails: [{ ...work, value: 'n@x' }],
  }),
  one('a URN in capitals', {}, add(`${ent.toUpperCase()}:DEPARTMENT`, 'd'), { [ent]: { department: 'd' } }),
  one('members of an element in capitals', {}, add('emails', [{ VALUE: 'w@x', Type: 'work' }]), {
    emails: [work],
  }),
  one(
    'keys in capitals without a path',
    {},
    { op: 'Add', value: { TITLE: 'x', 'Name.GivenName': 'A' } },
    {
      title: 'x',
      name: { givenName: 'A' },
    },
  ),
  one(
    'TRUE as a text',
    { active: false },
    { op: 'REPLACE', path: 'ACTIVE', value: 'TRUE' },
    { active: true },
  ),
];

const createdElements: readonly PatchCase[] = [
  one('a telephone is created', {}, replace('phoneNumbers[type eq "mobile"].value', '1'), {
    phoneNumbers: [{ type: 'mobile', value: '1' }],
  }),
  many(
    'a postal address grows part by part',
    {},
    [
      replace('addresses[type eq "work"].streetAddress', 's'),
      replace('addresses[type eq "work"].locality', 'l'),
      replace('addresses[type eq "work"].country', 'DE'),
    ],
    { addresses: [{ type: 'work', streetAddress: 's', locality: 'l', country: 'DE' }] },
  ),
  many(
    'created, changed and removed in one patch',
    { emails: [home] },
    [
      add('emails[type eq "work"].value', 'w@x'),
      replace('emails[type eq "work"].display', 'W'),
      remove('emails[type eq "home"]'),
    ],
    { emails: [{ ...work, display: 'W' }] },
  ),
  one(
    'a created element may be the primary',
    { emails: [{ ...home, primary: true }] },
    add('emails[type eq "work"]', { value: 'w@x', primary: 'True' }),
    {
      emails: [
        { ...home, primary: false },
        { ...work, primary: true },
      ],
    },
  ),
  one('a type that the table does not know', {}, add('emails[type eq "castle"].value', 'x'), {
    emails: [{ type: 'castle', value: 'x' }],
  }),
  one('a role of any type', {}, replace('roles[type eq "castle"].value', 'x'), {
    roles: [{ type: 'castle', value: 'x' }],
  }),
  one('an untyped address', {}, replace('addresses[type eq "Untyped"].country', 'DE'), {
    addresses: [{ type: 'Untyped', country: 'DE' }],
  }),
  one('a known type is written as the table has it', {}, replace('emails[type eq "WORK"].value', 'x'), {
    emails: [{ type: 'work', value: 'x' }],
  }),
  one('a role of a user without roles', {}, add('roles[primary eq "True"].value', 'admin'), {
    roles: [{ primary: true, value: 'admin' }],
  }),
  many(
    'a role part by part, as Entra ID maps it',
    {},
    [
      add('roles[primary eq "True"].display', 'Admin'),
      add('roles[primary eq "True"].value', 'admin'),
      add('roles[primary eq "True"].type', 'app'),
    ],
    { roles: [{ primary: true, value: 'admin', display: 'Admin', type: 'app' }] },
  ),
  one('the primary address', {}, replace('emails[primary eq true].value', 'w@x'), {
    emails: [{ primary: true, value: 'w@x' }],
  }),
  one(
    'an address by its type and by being primary',
    { emails: [{ ...home, primary: true }] },
    add('emails[type eq "work" and primary eq true].value', 'w@x'),
    {
      emails: [
        { ...home, primary: false },
        { ...work, primary: true },
      ],
    },
  ),
  one('a postal address without a known type', {}, add('addresses[type eq "untyped"].country', 'DE'), {
    addresses: [{ type: 'untyped', country: 'DE' }],
  }),
  one('an address by its value', { emails: [work] }, add('emails[value eq "z@x"].type', 'home'), {
    emails: [work, { value: 'z@x', type: 'home' }],
  }),
  one(
    'what is made fulfils all that is said in parentheses',
    {},
    add('phoneNumbers[(type eq "work") and (display eq "d" and primary eq false)].value', '1'),
    { phoneNumbers: [{ type: 'work', display: 'd', primary: false, value: '1' }] },
  ),
];

const settledAtTheEnd: readonly PatchCase[] = [
  many(
    'two parts of one element are removed',
    { emails: [{ ...work, display: 'd' }, home] },
    [remove('emails[type eq "work"].value'), remove('emails[type eq "work"].display')],
    { emails: [home] },
  ),
  many(
    'all parts of a postal address are removed, one by one',
    { addresses: [{ type: 'work', locality: 'l', country: 'DE' }], title: 't' },
    [remove('addresses[type eq "work"].locality'), remove('addresses[type eq "work"].country')],
    { title: 't' },
  ),
  many(
    'a value is removed and given anew',
    { emails: [{ ...work, display: 'd' }] },
    [remove('emails[type eq "work"].value'), add('emails[type eq "work"].value', 'n@x')],
    { emails: [{ ...work, value: 'n@x', display: 'd' }] },
  ),
  many(
    'all parts of an object are removed and one given anew',
    { name: { givenName: 'A', familyName: 'B' } },
    [remove('name.givenName'), remove('name.familyName'), add('name.givenName', 'C')],
    { name: { givenName: 'C' } },
  ),
  many(
    'a hundred elements give way to a hundred others',
    { roles: Array.from({ length: 100 }, (_, at) => ({ value: `a${at}` })) },
    [
      remove('roles.value'),
      add(
        'roles',
        Array.from({ length: 100 }, (_, at) => `b${at}`),
      ),
    ],
    { roles: Array.from({ length: 100 }, (_, at) => ({ value: `b${at}` })) },
  ),
  many(
    'the primary that was just set is the one that the next operation finds',
    { emails: [{ ...work, primary: true }, home] },
    [replace('emails[type eq "home"].primary', true), replace('emails[primary eq true].value', 'n@x')],
    {
      emails: [
        { ...work, primary: false },
        { ...home, value: 'n@x', primary: true },
      ],
    },
  ),
  many(
    'two primaries of one operation, of which a later one takes one back',
    {},
    [
      add('emails', [
        { ...work, primary: true },
        { ...home, primary: true },
      ]),
      replace('emails[type eq "home"].primary', false),
    ],
    {
      emails: [
        { ...work, primary: true },
        { ...home, primary: false },
      ],
    },
  ),
  many(
    'elements that become the same are one',
    {
      emails: [
        { value: 'a@x', type: 'work' },
        { value: 'a@x', type: 'home', display: 'd' },
      ],
    },
    [replace('emails[type eq "home"].type', 'work')],
    { emails: [{ value: 'a@x', type: 'work', display: 'd' }] },
  ),
  one(
    'the same element twice in one value',
    {},
    replace('emails', [work, { ...work, primary: true }, home]),
    {
      emails: [{ ...work, primary: true }, home],
    },
  ),
];

export const standardHabits: readonly PatchCase[] = [
  ...managers,
  ...cleared,
  ...keys,
  ...capitals,
  ...createdElements,
  ...settledAtTheEnd,
];
