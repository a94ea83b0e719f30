// Patches that succeed: texts, objects, lists and primaries.

import { habits } from './patch-habits.ts';
import { refusals } from './patch-refusals.ts';
import {
  add,
  core,
  ent,
  home,
  many,
  one,
  type PatchCase,
  primaryWork,
  remove,
  replace,
  svc,
  work,
} from './patch-sample.ts';
import { standardHabits } from './patch-standard.ts';

const plain: readonly PatchCase[] = [
  one('add a text', {}, add('title', 'x'), { title: 'x' }),
  one('add over a text', { title: 'y' }, add('title', 'x'), { title: 'x' }),
  one('add the same text changes nothing', { title: 'x' }, add('title', 'x'), { title: 'x' }),
  one('replace a text', { title: 'y' }, replace('title', 'x'), { title: 'x' }),
  one('replace an absent text', {}, replace('title', 'x'), { title: 'x' }),
  one('remove a text', { title: 'y' }, remove('title'), {}),
  one('remove an absent text changes nothing', {}, remove('title'), {}),
  one('remove ignores the value of a text', { title: 'y' }, remove('title', 'z'), {}),
  one('null clears', { title: 'y' }, replace('title', null), {}),
  one('an empty text clears', { title: 'y' }, replace('title', ''), {}),
  one('add of null clears too', { title: 'y' }, add('title', null), {}),
  one('attribute names in any case', {}, replace('TITLE', 'x'), { title: 'x' }),
  one('attribute names with their URN', {}, replace(`${core}:title`, 'x'), { title: 'x' }),
  one('op in capitals', {}, { op: 'REPLACE', path: 'title', value: 'x' }, { title: 'x' }),
  one('op as Entra ID writes it', {}, { op: 'Add', path: 'title', value: 'x' }, { title: 'x' }),
  one('userName', {}, replace('userName', 'eve'), { userName: 'eve' }),
  one('externalId', {}, add('externalId', 'e'), { externalId: 'e' }),
  one('externalId removed', { externalId: 'e' }, remove('externalId'), {}),
  one('externalId cleared', { externalId: 'e' }, replace('externalId', null), {}),
  one('suspend', {}, replace('active', false), { active: false }),
  one('reactivate', { active: false }, replace('active', true), { active: true }),
  one('a password is taken and forgotten', {}, replace('password', 'secret'), {}),
  one('a password is removed', {}, remove('password'), {}),
  one('clientId', {}, replace(`${svc}:clientId`, 5), { [svc]: { clientId: 5 } }),
  one('clientId with a dot', {}, replace(`${svc}.clientId`, 5), { [svc]: { clientId: 5 } }),
  one('clientId removed is the account again', { [svc]: { clientId: 5 } }, remove(`${svc}:clientId`), {}),
  one('the extension removed', { [svc]: { clientId: 5, authenticationProvider: 'p' } }, remove(svc), {}),
  one('the last operation counts', {}, replace('title', 'x'), { title: 'x' }),
  many(
    'operations in order',
    {},
    [replace('title', 'x'), replace('title', 'y'), remove('title'), add('title', 'z')],
    { title: 'z' },
  ),
  many('there and back changes nothing', { title: 'x' }, [remove('title'), add('title', 'x')], {
    title: 'x',
  }),
];

const objects: readonly PatchCase[] = [
  one('a part of an object', {}, add('name.givenName', 'A'), { name: { givenName: 'A' } }),
  one('a part beside another', { name: { familyName: 'B' } }, add('name.givenName', 'A'), {
    name: { givenName: 'A', familyName: 'B' },
  }),
  one('the last part takes the object along', { name: { givenName: 'A' } }, remove('name.givenName'), {}),
  one('add an object keeps its other parts', { name: { familyName: 'B' } }, add('name', { givenName: 'A' }), {
    name: { givenName: 'A', familyName: 'B' },
  }),
  one(
    'replace an object keeps its other parts',
    { name: { familyName: 'B' } },
    replace('name', { givenName: 'A' }),
    { name: { givenName: 'A', familyName: 'B' } },
  ),
  one(
    'null inside of an object clears a part',
    { name: { givenName: 'A', familyName: 'B' } },
    replace('name', { givenName: null }),
    { name: { familyName: 'B' } },
  ),
  one(
    'an empty text inside of an object clears a part',
    { name: { givenName: 'A', familyName: 'B' } },
    replace('name', { givenName: '', familyName: 'C' }),
    { name: { familyName: 'C' } },
  ),
  one('remove an object', { name: { givenName: 'A' } }, remove('name'), {}),
  one('null clears an object', { name: { givenName: 'A' } }, replace('name', null), {}),
  one('an object of nothing changes nothing', { name: { givenName: 'A' } }, replace('name', {}), {
    name: { givenName: 'A' },
  }),
  one('unknown parts are passed over', {}, replace('name', { givenName: 'A', shoe: 1 }), {
    name: { givenName: 'A' },
  }),
  one('the enterprise extension', {}, add(ent, { department: 'd', costCenter: 'c' }), {
    [ent]: { department: 'd', costCenter: 'c' },
  }),
  one(
    'a part of the enterprise extension',
    { [ent]: { costCenter: 'c' } },
    replace(`${ent}:department`, 'd'),
    { [ent]: { department: 'd', costCenter: 'c' } },
  ),
  one('the enterprise extension removed', { [ent]: { costCenter: 'c' } }, remove(ent), {}),
  one('the last part of an extension', { [ent]: { costCenter: 'c' } }, remove(`${ent}:costCenter`), {}),
  one('manager as an object', {}, add(`${ent}:manager`, { value: 'm' }), {
    [ent]: { manager: { value: 'm' } },
  }),
  one('manager as a text', {}, add(`${ent}:manager`, 'm'), { [ent]: { manager: { value: 'm' } } }),
  one('manager as a list of one', {}, add(`${ent}:manager`, [{ value: 'm', $ref: 'r' }]), {
    [ent]: { manager: { value: 'm', $ref: 'r' } },
  }),
  one('manager by its value', {}, replace(`${ent}:manager.value`, 'm'), {
    [ent]: { manager: { value: 'm' } },
  }),
  one(
    'a new manager loses the address of the old',
    { [ent]: { manager: { value: 'm', $ref: 'r' } } },
    replace(`${ent}:manager`, 'n'),
    { [ent]: { manager: { value: 'n' } } },
  ),
  one(
    'the same by its value',
    { [ent]: { manager: { value: 'm', $ref: 'r' } } },
    replace(`${ent}:manager.value`, 'n'),
    { [ent]: { manager: { value: 'n' } } },
  ),
  one(
    'the same inside of the extension',
    { [ent]: { manager: { value: 'm', $ref: 'r' } } },
    replace(ent, { manager: { value: 'n' } }),
    { [ent]: { manager: { value: 'n' } } },
  ),
  one(
    'the same manager keeps the address',
    { [ent]: { manager: { value: 'm', $ref: 'r' } } },
    replace(`${ent}:manager`, 'm'),
    { [ent]: { manager: { value: 'm', $ref: 'r' } } },
  ),
  one(
    'manager cleared by an empty text',
    { [ent]: { manager: { value: 'm' } } },
    replace(`${ent}:manager`, ''),
    {},
  ),
  one(
    'manager cleared inside of the extension',
    { [ent]: { department: 'd', manager: { value: 'm' } } },
    replace(ent, { manager: null }),
    { [ent]: { department: 'd' } },
  ),
  one('manager removed', { [ent]: { manager: { value: 'm' } } }, remove(`${ent}:manager`), {}),
];

const lists: readonly PatchCase[] = [
  one('add an element', { emails: [work] }, add('emails', [home]), { emails: [work, home] }),
  one('add an element without a list', { emails: [work] }, add('emails', home), { emails: [work, home] }),
  one('add to nothing', {}, add('emails', [work]), { emails: [work] }),
  one('add several', {}, add('emails', [work, home]), { emails: [work, home] }),
  one('add what is there changes nothing', { emails: [work] }, add('emails', [work]), { emails: [work] }),
  one(
    'add what is there with more completes it',
    { emails: [work] },
    add('emails', [{ ...work, display: 'd' }]),
    { emails: [{ ...work, display: 'd' }] },
  ),
  one('add an empty list changes nothing', { emails: [work] }, add('emails', []), { emails: [work] }),
  one('add null to a list changes nothing', { emails: [work] }, add('emails', null), { emails: [work] }),
  one('add a bare text', {}, add('roles', 'admin'), { roles: [{ value: 'admin' }] }),
  one('add bare texts', {}, add('roles', ['a', 'b']), { roles: [{ value: 'a' }, { value: 'b' }] }),
  one('replace a list', { emails: [work] }, replace('emails', [home]), { emails: [home] }),
  one('replace a list by an empty one', { roles: [{ value: 'a' }] }, replace('roles', []), {}),
  one('replace a list by null', { emails: [work] }, replace('emails', null), {}),
  one('remove a list', { emails: [work, home] }, remove('emails'), {}),
  one('remove an absent list changes nothing', {}, remove('emails'), {}),
  one('remove by a value list', { emails: [work, home] }, remove('emails', [{ value: 'w@x' }]), {
    emails: [home],
  }),
  one('remove by one value', { emails: [work, home] }, remove('emails', { value: 'w@x' }), {
    emails: [home],
  }),
  one('remove by a bare text', { emails: [work, home] }, remove('emails', 'w@x'), { emails: [home] }),
  one(
    'remove by value without regard to case',
    { emails: [work, home] },
    remove('emails', [{ value: 'W@X' }]),
    { emails: [home] },
  ),
  one(
    'remove by a value that is not there changes nothing',
    { emails: [work] },
    remove('emails', [{ value: 'z' }]),
    { emails: [work] },
  ),
  one(
    'remove only what agrees in all that is said',
    { emails: [work] },
    remove('emails', [{ value: 'w@x', type: 'home' }]),
    { emails: [work] },
  ),
  one('remove an empty list of values changes nothing', { emails: [work] }, remove('emails', []), {
    emails: [work],
  }),
  one('a part of every element', { emails: [work, home] }, replace('emails.type', 'other'), {
    emails: [
      { ...work, type: 'other' },
      { ...home, type: 'other' },
    ],
  }),
  one('remove a part of every element', { emails: [work, home] }, remove('emails.type'), {
    emails: [{ value: 'w@x' }, { value: 'h@x' }],
  }),
  one('an element chosen by type', { emails: [work, home] }, replace('emails[type eq "work"].value', 'n@x'), {
    emails: [{ ...work, value: 'n@x' }, home],
  }),
  one('the same by add', { emails: [work, home] }, add('emails[type eq "work"].value', 'n@x'), {
    emails: [{ ...work, value: 'n@x' }, home],
  }),
  one('type without regard to case', { emails: [work] }, replace('emails[type eq "WORK"].value', 'n@x'), {
    emails: [{ ...work, value: 'n@x' }],
  }),
  one(
    'an element chosen by value',
    { emails: [work, home] },
    replace('emails[value eq "h@x"].type', 'other'),
    { emails: [work, { ...home, type: 'other' }] },
  ),
  one('several chosen', { emails: [work, home] }, replace('emails[value ew "@x"].display', 'd'), {
    emails: [
      { ...work, display: 'd' },
      { ...home, display: 'd' },
    ],
  }),
  one('chosen by not', { emails: [work, home] }, replace('emails[not (type eq "work")].display', 'd'), {
    emails: [work, { ...home, display: 'd' }],
  }),
  one(
    'chosen by and',
    { emails: [work, home] },
    replace('emails[type eq "home" and value pr].display', 'd'),
    { emails: [work, { ...home, display: 'd' }] },
  ),
  one(
    'a whole element replaced',
    { emails: [{ ...work, display: 'd' }, home] },
    replace('emails[type eq "work"]', { value: 'n@x', type: 'work' }),
    { emails: [{ value: 'n@x', type: 'work' }, home] },
  ),
  one('a whole element added to', { emails: [work] }, add('emails[type eq "work"]', { display: 'd' }), {
    emails: [{ ...work, display: 'd' }],
  }),
  one('an element removed', { emails: [work, home] }, remove('emails[type eq "work"]'), { emails: [home] }),
  one('the last element removed', { emails: [work] }, remove('emails[type eq "work"]'), {}),
  one(
    'the value removed takes the element along',
    { emails: [work, home] },
    remove('emails[type eq "work"].value'),
    { emails: [home] },
  ),
  one(
    'the value cleared takes the element along',
    { emails: [work, home] },
    replace('emails[type eq "work"].value', ''),
    { emails: [home] },
  ),
  one(
    'a display removed',
    { emails: [{ ...work, display: 'd' }] },
    remove('emails[type eq "work"].display'),
    { emails: [work] },
  ),
  one(
    'a value path that matches nothing makes the element',
    {},
    replace('emails[type eq "work"].value', 'w@x'),
    { emails: [work] },
  ),
  one('the same by add', { emails: [home] }, add('emails[type eq "work"].value', 'w@x'), {
    emails: [home, work],
  }),
  one('the same for phone numbers', {}, add('phoneNumbers[type eq "mobile"].value', '1'), {
    phoneNumbers: [{ type: 'mobile', value: '1' }],
  }),
  one('the same for addresses', {}, add('addresses[type eq "work"].locality', 'B'), {
    addresses: [{ type: 'work', locality: 'B' }],
  }),
  one('the same with a whole element', {}, add('emails[type eq "work"]', { value: 'w@x' }), {
    emails: [work],
  }),
  one('clearing what matches nothing changes nothing', {}, replace('emails[type eq "work"].value', ''), {}),
  many(
    'an address grows part by part',
    {},
    [add('addresses[type eq "work"].locality', 'B'), add('addresses[type eq "work"].country', 'DE')],
    { addresses: [{ type: 'work', locality: 'B', country: 'DE' }] },
  ),
  one(
    'an address without its last part goes',
    { addresses: [{ type: 'work', locality: 'B' }] },
    remove('addresses[type eq "work"].locality'),
    {},
  ),
];

const primaries: readonly PatchCase[] = [
  one(
    'a new primary clears the old',
    { emails: [primaryWork, home] },
    replace('emails[type eq "home"].primary', true),
    {
      emails: [
        { ...work, primary: false },
        { ...home, primary: true },
      ],
    },
  ),
  one(
    'an added primary clears the old',
    { emails: [primaryWork] },
    add('emails', [{ ...home, primary: true }]),
    {
      emails: [
        { ...work, primary: false },
        { ...home, primary: true },
      ],
    },
  ),
  one(
    'the same primary again changes nothing',
    { emails: [primaryWork, home] },
    replace('emails[type eq "work"].primary', true),
    { emails: [primaryWork, home] },
  ),
  one('primary as a text', { emails: [work] }, replace('emails[type eq "work"].primary', 'True'), {
    emails: [primaryWork],
  }),
  one(
    'primary of phone numbers too',
    { phoneNumbers: [{ value: '1', primary: true }, { value: '2' }] },
    replace('phoneNumbers[value eq "2"].primary', true),
    {
      phoneNumbers: [
        { value: '1', primary: false },
        { value: '2', primary: true },
      ],
    },
  ),
  one(
    'two primaries in one value',
    {},
    replace('emails', [primaryWork, { ...home, primary: true }]),
    'INVALID_VALUE',
  ),
  one('every element primary', { emails: [work, home] }, replace('emails.primary', true), 'INVALID_VALUE'),
  one('chosen by primary', { emails: [primaryWork, home] }, replace('emails[primary eq true].value', 'n@x'), {
    emails: [{ ...primaryWork, value: 'n@x' }, home],
  }),
  one(
    'chosen by primary as Entra ID writes it',
    { roles: [{ value: 'a', primary: true }] },
    replace('roles[primary eq "True"].value', 'b'),
    { roles: [{ value: 'b', primary: true }] },
  ),
];

/** All tables; the refusals and the habits of identity providers have files of their own. */
export const patchCases: readonly PatchCase[] = [
  ...plain,
  ...objects,
  ...lists,
  ...primaries,
  ...refusals,
  ...habits,
  ...standardHabits,
];
