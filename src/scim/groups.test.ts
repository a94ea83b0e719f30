import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inOneGo } from '../domain/interruptible.ts';
import { Problem } from '../domain/problem.ts';
import { createGroup, type Group, type KnownMember } from '../domain/provisioning/group.ts';
import { matches } from './evaluate.ts';
import { parseFilter } from './filter.ts';
import { groupElement, groupResourceOf, patchGroup, readGroupDraft, showGroup } from './groups.ts';
import { readPatch } from './operations.ts';
import { groupSchemaView } from './schema-view.ts';
import { groupSchema } from './urns.ts';

const birth = { accountId: 7, id: 1_000_000_009, nowMs: Date.UTC(2026, 0, 31) };
const staff = createGroup({ displayName: 'Staff', externalId: 'g-1' }, birth);
const [ada, eve] = ['1000000001', '1000000002'];
const base = 'https://x';

const patch = (operations: unknown, group: Group = staff) =>
  inOneGo(
    patchGroup(
      group,
      inOneGo(readPatch({ Operations: operations }, groupSchemaView)).operations,
      2_000,
      () => {},
    ),
  );

function problemOf(act: () => unknown): Problem {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    return error;
  }
  assert.fail('it was not refused');
}

describe('the body of a group', () => {
  const draftOf = (rest: object) =>
    inOneGo(readGroupDraft({ schemas: [groupSchema], displayName: 'Staff', ...rest }));
  it('says its name and its members', () => {
    const body = {
      externalId: 'g-1',
      members: [
        { value: ada, display: 'Ada', type: 'user' },
        { value: eve, $ref: null },
      ],
      meta: { resourceType: 'Group' },
      shoeSize: 43,
    };
    assert.deepEqual(draftOf(body), {
      profile: { displayName: 'Staff', externalId: 'g-1' },
      members: [
        { id: 1_000_000_001, type: 'User' },
        { id: 1_000_000_002, type: null },
      ],
    });
  });
  it('has no members where it is silent about them, says null or an empty list', () => {
    for (const rest of [{}, { members: null }, { members: [] }]) assert.deepEqual(draftOf(rest).members, []);
  });
  it('has no externalId where it is an empty text: it is not what the group is known by [D-84]', () => {
    assert.deepEqual(draftOf({ externalId: '' }).profile, { displayName: 'Staff' });
  });
  it('with a hundred thousand faults names the first thousand', () => {
    const { details } = problemOf(() => draftOf({ members: Array(50_000).fill({}) }));
    assert.equal(details.length, 1_000);
  });
  it('may have other schemas beside its own, as Entra ID sends them', () => {
    const urn = 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group';
    assert.equal(draftOf({ schemas: [groupSchema, urn] }).profile.displayName, 'Staff');
  });
  it('may have ten thousand members', () => {
    const members = Array.from({ length: 10_000 }, (_, at) => ({ value: String(1_000_000_001 + at) }));
    assert.equal(draftOf({ members }).members.length, 10_000);
  });
  const refusals: readonly (readonly [string, unknown, string])[] = [
    ['no object', [], ''],
    ['no schemas', { displayName: 'x' }, 'schemas'],
    [
      'the schemas of a user',
      { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], displayName: 'x' },
      'schemas',
    ],
    ['no name', { schemas: [groupSchema] }, 'displayName'],
    ['an empty name', { schemas: [groupSchema], displayName: ' ' }, 'displayName'],
    ['a name that is a number', { schemas: [groupSchema], displayName: 5 }, 'displayName'],
    ['an id that is a number', { schemas: [groupSchema], displayName: 'x', id: 5 }, 'id'],
    ['a blank externalId', { schemas: [groupSchema], displayName: 'x', externalId: ' ' }, 'externalId'],
    [
      'a member without a value',
      { schemas: [groupSchema], displayName: 'x', members: [{ display: 'y' }] },
      'members[0].value',
    ],
    [
      'a member who cannot be',
      { schemas: [groupSchema], displayName: 'x', members: [{ value: 'y' }] },
      'members[0].value',
    ],
    [
      'a member of another type',
      { schemas: [groupSchema], displayName: 'x', members: [{ value: ada, type: 'Cat' }] },
      'members[0].type',
    ],
    ['members that are a number', { schemas: [groupSchema], displayName: 'x', members: 5 }, 'members[0]'],
    ['several faults', { displayName: '', members: [5] }, 'schemas,members[0],displayName'],
  ];
  for (const [what, body, fields] of refusals) {
    it(`${what}: refused, and every fault is named [D-22]`, () => {
      const problem = problemOf(() => inOneGo(readGroupDraft(body)));
      assert.equal(problem.code, 'INVALID_REQUEST');
      assert.equal(problem.details.map((fault) => fault.field).join(), fields);
    });
  }
});

describe('a patch of the group itself', () => {
  it('renames and touches no member', () => {
    const { group, members } = patch([{ op: 'Replace', path: 'displayName', value: 'Crew' }]);
    assert.deepEqual(group.profile, { displayName: 'Crew', externalId: 'g-1' });
    assert.equal(group.revision, 2);
    assert.deepEqual(members, []);
  });
  it('understands how Okta renames, with the id in the value', () => {
    const { group } = patch([{ op: 'replace', value: { id: String(staff.id), displayName: 'Crew' } }]);
    assert.equal(group.profile.displayName, 'Crew');
  });
  it('that says what is there is no change [D-56]', () => {
    assert.equal(patch([{ op: 'replace', path: 'displayName', value: 'Staff' }]).group, staff);
  });
  it('clears the externalId by remove, null and ""', () => {
    for (const operation of [
      { op: 'remove', path: 'externalId' },
      { op: 'replace', path: 'externalId', value: null },
      { op: 'replace', path: 'externalId', value: '' },
    ]) {
      assert.deepEqual(patch([operation]).group.profile, { displayName: 'Staff' });
    }
  });
  const refusals: readonly (readonly [object, string])[] = [
    [{ op: 'remove', path: 'displayName' }, 'MUTABILITY'],
    [{ op: 'replace', path: 'displayName', value: '' }, 'INVALID_VALUE'],
    [{ op: 'replace', path: 'displayName', value: ' ' }, 'INVALID_VALUE'],
    [{ op: 'replace', path: 'displayName', value: 5 }, 'INVALID_VALUE'],
    [{ op: 'replace', path: 'displayName', value: 'a'.repeat(256) }, 'INVALID_VALUE'],
    [{ op: 'replace', path: 'externalId', value: 5 }, 'INVALID_VALUE'],
    [{ op: 'replace', path: 'id', value: '5' }, 'MUTABILITY'],
    [{ op: 'replace', value: { id: '5', displayName: 'x' } }, 'MUTABILITY'],
    [{ op: 'replace', path: 'meta.version', value: 'x' }, 'MUTABILITY'],
    [{ op: 'add', path: 'schemas', value: ['x'] }, 'MUTABILITY'],
    [{ op: 'replace', path: 'userName', value: 'x' }, 'INVALID_PATH'],
    [{ op: 'replace', path: 'members.shoe', value: 'x' }, 'INVALID_PATH'],
    [{ op: 'remove', path: 'members[value eq "x"' }, 'INVALID_PATH'],
    [{ op: 'add', path: '__proto__', value: 'x' }, 'INVALID_PATH'],
    [{ op: 'remove' }, 'NO_TARGET'],
    [{ op: 'move', path: 'displayName', value: 'x' }, 'INVALID_PATCH'],
    [{ op: 'add', path: 'members' }, 'INVALID_VALUE'],
    [{ op: 'add', path: 'members', value: [{ display: 'x' }] }, 'INVALID_VALUE'],
    [{ op: 'add', path: 'members', value: [{ value: 'nobody' }] }, 'INVALID_VALUE'],
    [{ op: 'add', path: 'members', value: [{ value: 5 }] }, 'INVALID_VALUE'],
    [{ op: 'add', path: 'members', value: [{ value: ada, type: 'Cat' }] }, 'INVALID_VALUE'],
    [{ op: 'remove', path: 'members', value: [{ display: 'x' }] }, 'INVALID_VALUE'],
    [{ op: 'replace', path: `members[value eq "${ada}"].display`, value: 'x' }, 'MUTABILITY'],
    [{ op: 'replace', path: `members[value eq "${ada}"]`, value: { value: eve } }, 'MUTABILITY'],
    [{ op: 'add', path: 'members.value', value: ada }, 'MUTABILITY'],
    [{ op: 'remove', path: `members[value eq "${ada}"].display` }, 'MUTABILITY'],
  ];
  for (const [operation, code] of refusals) {
    it(`${JSON.stringify(operation).slice(0, 90)} is ${code} [D-56]`, () => {
      const rename = { op: 'replace', path: 'displayName', value: 'Crew' };
      assert.equal(problemOf(() => patch([rename, operation])).code, code);
      assert.equal(staff.profile.displayName, 'Staff');
    });
  }
});

describe('a group as it is shown', () => {
  const members: readonly KnownMember[] = [
    { id: 1_000_000_001, type: 'User', display: 'Ada' },
    { id: 1_000_000_008, type: 'Group', display: null },
  ];
  it('has every attribute of the table, in its order', () => {
    const shown = showGroup(staff, members, base);
    assert.deepEqual(shown, {
      schemas: [groupSchema],
      id: '1000000009',
      externalId: 'g-1',
      displayName: 'Staff',
      members: [
        { value: '1000000001', $ref: 'https://x/scim/v2/Users/1000000001', display: 'Ada', type: 'User' },
        { value: '1000000008', $ref: 'https://x/scim/v2/Groups/1000000008', type: 'Group' },
      ],
      meta: {
        resourceType: 'Group',
        created: '2026-01-31T00:00:00.000Z',
        lastModified: '2026-01-31T00:00:00.000Z',
        version: 'W/"1"',
        location: 'https://x/scim/v2/Groups/1000000009',
      },
    });
    assert.deepEqual(Object.keys(shown), ['schemas', 'id', 'externalId', 'displayName', 'members', 'meta']);
  });
  it('shows that it has no members, and says nothing where they were not read', () => {
    assert.deepEqual(showGroup(staff, [], base).members, []);
    assert.equal('members' in showGroup(staff, null, base), false);
  });
  it('stands among the groups of a user as a direct one', () => {
    assert.deepEqual(groupElement(staff, base), {
      value: '1000000009',
      $ref: 'https://x/scim/v2/Groups/1000000009',
      display: 'Staff',
      type: 'direct',
    });
  });
  const filters: readonly (readonly [string, boolean])[] = [
    ['displayName eq "STAFF"', true],
    ['displayName sw "st"', true],
    ['displayName eq "crew"', false],
    [`${groupSchema}:displayName co "taf"`, true],
    ['externalId eq "G-1"', false],
    ['externalId eq "g-1"', true],
    ['members.value eq "1000000001"', true],
    ['members eq "1000000001"', true],
    ['members.value eq "1000000002"', false],
    ['members[type eq "User" and value eq "1000000008"]', false],
    ['members[type eq "group"].value eq "1000000008"', true],
    ['members.display sw "a"', true],
    ['id eq "1000000009" and members.value eq "1000000001"', true],
    ['meta.resourceType eq "Group"', true],
    ['not (members pr)', false],
  ];
  for (const [text, expected] of filters) {
    it(`${text} is ${expected} of it [D-53]`, () => {
      const filter = parseFilter(text, groupSchemaView);
      assert.equal(matches(filter, groupResourceOf(staff, members, base)), expected);
    });
  }
  it('an attribute of users is none of groups', () => {
    assert.equal(problemOf(() => parseFilter('userName eq "x"', groupSchemaView)).code, 'INVALID_FILTER');
  });
});
