import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Problem } from '../domain/problem.ts';
import { createUser, type User } from '../domain/provisioning/user.ts';
import { readSort, scimTypes, serviceFace, standardFace } from './faces.ts';
import { enterpriseSchema, serviceSchema, userSchema } from './urns.ts';

const baseUrl = 'http://127.0.0.1:8080';
const birth = { accountId: 7, id: 1_000_000_001, nowMs: Date.UTC(2026, 0, 31) };

const body = {
  schemas: [userSchema],
  userName: 'ada',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [{ value: 'ada@example.com', type: 'work', primary: true }],
  meta: {},
};

function problemOf(act: () => unknown): Problem {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    return error;
  }
  assert.fail('it was not refused');
}
const faultsOf = (act: () => unknown): readonly string[] =>
  problemOf(act).details.map((fault) => `${fault.field} ${fault.code}`);

describe('the service face reads a user', () => {
  it('as the interface shows it', () => {
    assert.deepEqual(
      { ...serviceFace.readDraft({ ...body, id: 5, externalId: 'e', active: false }) },
      {
        userName: 'ada',
        externalId: 'e',
        active: false,
        name: body.name,
        emails: body.emails,
      },
    );
  });
  it('and names everything that is missing at once [D-22] [D-52]', () => {
    assert.deepEqual(
      faultsOf(() => serviceFace.readDraft({})),
      ['schemas MISSING', 'userName MISSING', 'name MISSING', 'emails MISSING', 'meta MISSING'],
    );
  });
  const refused: readonly (readonly [string, object, readonly string[]])[] = [
    ['userName as a number', { userName: 3 }, ['userName INVALID']],
    ['userName null', { userName: null }, ['userName MISSING']],
    ['userName empty', { userName: '' }, ['userName EMPTY']],
    ['userName too long', { userName: 'a'.repeat(256) }, ['userName TOO_LONG']],
    ['externalId as a number', { externalId: 3 }, ['externalId INVALID']],
    ['externalId empty', { externalId: '' }, ['externalId EMPTY']],
    ['externalId .search', { externalId: '.search' }, ['externalId RESERVED']],
    ['active as a text', { active: 'true' }, ['active INVALID']],
    ['id as a text', { id: '5' }, ['id INVALID']],
    ['id as a fraction', { id: 1.5 }, ['id INVALID']],
    ['name as a text', { name: 'Ada' }, ['name INVALID']],
    ['name as a list', { name: [] }, ['name INVALID']],
    ['givenName as a number', { name: { givenName: 1 } }, ['name.givenName INVALID']],
    ['a long givenName', { name: { givenName: 'a'.repeat(256) } }, ['name.givenName TOO_LONG']],
    ['NUL', { name: { givenName: 'a\0' } }, ['name.givenName INVALID_TEXT']],
    ['half a surrogate pair', { name: { givenName: '\ud800' } }, ['name.givenName INVALID_TEXT']],
    ['emails empty', { emails: [] }, ['emails MISSING']],
    ['emails as an object', { emails: { value: 'x' } }, ['emails INVALID']],
    ['an e-mail as a text', { emails: ['x'] }, ['emails[0] INVALID']],
    ['an e-mail without value', { emails: [{ type: 'work' }] }, ['emails[0].value MISSING']],
    ['an e-mail of nothing', { emails: [{}] }, ['emails[0].value MISSING']],
    ['an e-mail value as a number', { emails: [{ value: 1 }] }, ['emails[0].value INVALID']],
    [
      'primary as a text [D-59]',
      { emails: [{ value: 'x', primary: 'true' }] },
      ['emails[0].primary INVALID'],
    ],
    ['type as a number [D-59]', { emails: [{ value: 'x', type: 1 }] }, ['emails[0].type INVALID']],
    [
      'two primaries [D-59]',
      {
        emails: [
          { value: 'x', primary: true },
          { value: 'y', primary: true },
        ],
      },
      ['emails SEVERAL_PRIMARIES'],
    ],
    ['101 e-mails', { emails: Array(101).fill({ value: 'x' }) }, ['emails TOO_MANY']],
    ['a phone number without value', { phoneNumbers: [{ type: 'work' }] }, ['phoneNumbers[0].value MISSING']],
    ['schemas empty', { schemas: [] }, ['schemas MISSING']],
    ['schemas as a text', { schemas: userSchema }, ['schemas INVALID']],
    ['schemas of numbers', { schemas: [1] }, ['schemas[0] INVALID']],
    ['meta as a list', { meta: [] }, ['meta INVALID']],
    ['meta.created as a number', { meta: { created: 1 } }, ['meta.created INVALID']],
    ['meta.created of no day', { meta: { created: '2026-02-30' } }, ['meta.created INVALID']],
    ['meta.version as a number', { meta: { version: 1 } }, ['meta.version INVALID']],
    ['clientId as a text', { [serviceSchema]: { clientId: '7' } }, [`${serviceSchema}:clientId INVALID`]],
    ['the extension as a text', { [serviceSchema]: 'x' }, [`${serviceSchema} INVALID`]],
  ];
  for (const [what, change, faults] of refused) {
    it(`but not with ${what} [D-52]`, () => {
      assert.deepEqual(
        faultsOf(() => serviceFace.readDraft({ ...body, ...change })),
        faults,
      );
    });
  }
  const taken: readonly (readonly [string, object])[] = [
    ['unknown attributes', { shoeSize: 43, title: 'x', [enterpriseSchema]: { department: 'x' } }],
    ['meta and id as sent', { id: 99, meta: { created: '2026-01-01', location: 'x', version: 'v' } }],
    ['null for what is optional', { active: null, phoneNumbers: null, externalId: null }],
    ['other cases of names', { NAME: body.name, Emails: body.emails }],
    [
      'names of the object machinery',
      JSON.parse('{"__proto__":{"active":false},"constructor":{"prototype":{}}}'),
    ],
  ];
  for (const [what, change] of taken) {
    it(`and takes no offence at ${what} [D-55]`, () => {
      const draft = serviceFace.readDraft({ ...body, ...change });
      assert.deepEqual(
        createUser(draft, birth).profile,
        createUser(serviceFace.readDraft(body), birth).profile,
      );
      assert.equal(({} as { active?: boolean }).active, undefined);
    });
  }
  it('only from an object', () => {
    for (const sent of [null, [], 'x', 3, undefined]) {
      assert.equal(problemOf(() => serviceFace.readDraft(sent)).code, 'INVALID_REQUEST');
    }
  });
  it('an empty name is a name [D-52]', () => {
    const user = createUser(serviceFace.readDraft({ ...body, name: {} }), birth);
    assert.deepEqual(serviceFace.show(user, baseUrl).name, {});
  });
});

describe('the service face shows a user', () => {
  const user = createUser(
    serviceFace.readDraft({
      ...body,
      externalId: 'a/b é',
      phoneNumbers: [{ value: '1', type: 'work' }],
      [serviceSchema]: { authenticationProvider: 'p' },
    }),
    birth,
  );
  it('with every field of the interface and nothing else', () => {
    assert.deepEqual(serviceFace.show(user, baseUrl), {
      schemas: [userSchema, serviceSchema],
      id: 1_000_000_001,
      externalId: 'a/b é',
      userName: 'ada',
      name: { familyName: 'Lovelace', givenName: 'Ada' },
      active: true,
      emails: [{ value: 'ada@example.com', type: 'work', primary: true }],
      phoneNumbers: [{ value: '1', type: 'work' }],
      [serviceSchema]: { clientId: 7, authenticationProvider: 'p' },
      meta: {
        resourceType: 'User',
        created: '2026-01-31T00:00:00.000Z',
        lastModified: '2026-01-31T00:00:00.000Z',
        version: 'W/"1"',
        location: `${baseUrl}/v1/scim/Users/a%2Fb%20%C3%A9`,
      },
    });
  });
  it('in lists called resources [D-52]', () => {
    assert.deepEqual(serviceFace.showList({ totalResults: 3, startIndex: 2, resources: [{ id: 1 }] }), {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 3,
      startIndex: 2,
      itemsPerPage: 1,
      resources: [{ id: 1 }],
    });
  });
});

const everything = {
  schemas: [userSchema, enterpriseSchema, serviceSchema],
  userName: 'ada',
  externalId: 'e',
  name: {
    formatted: 'Ada L',
    givenName: 'Ada',
    familyName: 'L',
    middleName: 'B',
    honorificPrefix: 'Dr',
    honorificSuffix: 'II',
  },
  displayName: 'Ada',
  nickName: 'a',
  profileUrl: 'https://x',
  title: 't',
  userType: 'u',
  preferredLanguage: 'de',
  locale: 'de-DE',
  timezone: 'Europe/Berlin',
  active: true,
  emails: [
    { value: 'a@x', display: 'A', type: 'work', primary: true },
    { value: 'b@x', display: 'B', type: 'home' },
  ],
  phoneNumbers: [{ value: '1', display: 'one', type: 'work', primary: true }],
  ims: [{ value: 'i', type: 'xmpp' }],
  photos: [{ value: 'https://p', type: 'photo' }],
  addresses: [{ streetAddress: 's', country: 'DE', type: 'work', primary: true }],
  entitlements: [{ value: 'e' }],
  roles: [{ value: 'r', primary: true }],
  x509Certificates: [{ value: 'AAAA' }],
  [enterpriseSchema]: { employeeNumber: '1', department: 'd', manager: { value: 'm', $ref: '../Users/m' } },
  [serviceSchema]: { clientId: 9, authenticationProvider: 'p' },
};

describe('the standard face', () => {
  const user = createUser(standardFace.readDraft({ ...everything, password: 'secret' }), birth);
  it('keeps and shows the whole User, and never a password', () => {
    const { meta, id, ...shown } = standardFace.show(user, baseUrl);
    assert.equal(id, '1000000001');
    assert.deepEqual(shown, everything);
    assert.ok(!JSON.stringify(user).includes('secret'));
    assert.equal((meta as { location: string }).location, `${baseUrl}/scim/v2/Users/1000000001`);
  });
  it('what the service face cannot express survives a round trip through it [D-55]', () => {
    const seen = serviceFace.show(user, baseUrl);
    const after = serviceFace.replace(user, serviceFace.readReplacement(seen), 9);
    assert.deepEqual(after.profile, user.profile);
    assert.equal(after.revision, 2);
  });
  it('and what the service face does express is replaced [D-55]', () => {
    const after = serviceFace.replace(
      user,
      serviceFace.readReplacement({ ...body, emails: [{ value: 'b@x', type: 'other' }] }),
      9,
    );
    const { phoneNumbers: _, ...rest } = everything;
    const { meta: __, id: ___, ...shown } = standardFace.show(after, baseUrl);
    assert.deepEqual(shown, {
      ...rest,
      name: { ...everything.name, givenName: 'Ada', familyName: 'Lovelace' },
      emails: [{ value: 'b@x', display: 'B', type: 'other' }],
      [serviceSchema]: { clientId: 7 },
    });
  });
  it('needs only schemas and userName [D-52]', () => {
    assert.equal(standardFace.readDraft({ schemas: [userSchema], userName: 'x' }).userName, 'x');
    assert.deepEqual(
      faultsOf(() => standardFace.readDraft({})),
      ['schemas MISSING', 'userName MISSING'],
    );
    assert.deepEqual(
      faultsOf(() => standardFace.readDraft({ schemas: ['x'], userName: 'x' })),
      ['schemas MISSING'],
    );
  });
  it('understands what identity providers send in bodies', () => {
    const sent = {
      schemas: [userSchema],
      userName: 'x',
      active: 'False',
      roles: [],
      [enterpriseSchema]: { manager: 'm' },
    };
    const draft = standardFace.readDraft(sent);
    assert.equal(draft.active, false);
    assert.deepEqual(draft[enterpriseSchema], { manager: { value: 'm' } });
    assert.equal(draft.roles, undefined);
  });
});

describe('addresses', () => {
  it('on the service face are taken as they are, on the standard face as internal ids [D-50]', () => {
    assert.deepEqual(serviceFace.readReference('1000000001'), { by: 'address', address: '1000000001' });
    assert.deepEqual(standardFace.readReference('1000000001'), { by: 'id', id: 1_000_000_001 });
    for (const id of [
      '',
      '01',
      '1e9',
      '+1',
      '-1',
      '0x1',
      'abc',
      '9'.repeat(17),
      '9999999999999999',
      ' 1',
      '1.0',
    ]) {
      assert.deepEqual(standardFace.readReference(id), { by: 'id', id: null });
    }
  });
});

describe('filters of the service face', () => {
  const allowed = [
    'userName eq "ada"',
    'USERNAME EQ "ada"',
    'name.givenName co "a"',
    'name.givenName sw "a"',
    'name.givenName ew "a"',
    'name.familyName co "a"',
    'name.familyName SW "a"',
    'Name.FamilyName ew "a"',
    'userName eq "a" and name.givenName co "b"',
    'userName eq "a" AND name.givenName co "b" And name.familyName sw "c"',
    'urn:ietf:params:scim:schemas:core:2.0:User:userName eq "a"',
  ];
  for (const text of allowed) it(`${text} is allowed [D-53]`, () => assert.ok(serviceFace.readFilter(text)));
  const refused = [
    'userName ne "a"',
    'userName co "a"',
    'userName sw "a"',
    'userName ew "a"',
    'userName gt "a"',
    'userName pr',
    'name.givenName eq "a"',
    'name.familyName eq "a"',
    'name.familyName ne "a"',
    'name.givenName pr',
    'name pr',
    'userName eq null',
    'emails.value eq "a"',
    'emails eq "a"',
    'externalId eq "a"',
    'id eq "1"',
    'active eq true',
    'title eq "x"',
    'userName eq "a" or userName eq "b"',
    'not (userName eq "a")',
    '(userName eq "a")',
    'userName eq "a" and (name.givenName co "b")',
    'userName eq "a" and title pr',
    'emails[type eq "work"]',
    'meta.created gt "2011-05-13T04:42:34Z"',
    'name.formatted co "a"',
    '',
    'nobody eq "a"',
    'userName eq',
    '__proto__ eq "a"',
  ];
  for (const text of refused) {
    it(`${JSON.stringify(text)} is refused, saying what is supported [D-53]`, () => {
      const problem = problemOf(() => serviceFace.readFilter(text));
      assert.equal(problem.code, 'INVALID_FILTER');
      assert.match(problem.message, /Supported are userName with eq/);
    });
  }
});

describe('sortBy', () => {
  it('is any attribute that the face knows [D-54]', () => {
    assert.equal(readSort('NAME.familyname', serviceFace.schemaView).path, 'name.familyName');
    assert.equal(readSort('emails', serviceFace.schemaView).path, 'emails');
    assert.equal(readSort('title', standardFace.schemaView).path, 'title');
    for (const name of [
      'title',
      'name',
      'nobody',
      '',
      '__proto__',
      'constructor',
      serviceSchema,
      'emails[type pr]',
    ]) {
      assert.equal(problemOf(() => readSort(name, serviceFace.schemaView)).code, 'INVALID_REQUEST');
    }
    assert.equal(problemOf(() => readSort('password', standardFace.schemaView)).code, 'INVALID_REQUEST');
  });
});

it('the words of the RFC are there for every refusal of a filter, path or value', () => {
  assert.equal(scimTypes.get('INVALID_FILTER'), 'invalidFilter');
  assert.equal(scimTypes.get('USER_NAME_TAKEN'), 'uniqueness');
});

it('a user of one face is a user of the other [D-03]', () => {
  const user: User = createUser(serviceFace.readDraft(body), birth);
  assert.equal(standardFace.show(user, baseUrl).userName, 'ada');
});
