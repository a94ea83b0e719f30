import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createGroup } from '../domain/provisioning/group.ts';
import { createUser } from '../domain/provisioning/user.ts';
import { matches } from './evaluate.ts';
import { parseFilter, printFilter } from './filter.ts';
import { planFilter, plannedGroupColumns, plannedUserColumns } from './filter-plan.ts';
import { groupResourceOf } from './groups.ts';
import { resourceOf } from './resource.ts';
import { groupSchemaView, rootSchemaViews, type SchemaView, standardFaceSchemaView } from './schema-view.ts';
import { enterpriseSchema, groupSchema, userSchema } from './urns.ts';

const [ofUsers, ofGroups] = rootSchemaViews([standardFaceSchemaView, groupSchemaView]) as [
  SchemaView,
  SchemaView,
];
const birth = { accountId: 7, id: 1_000_000_001, nowMs: 0 };
const ada = resourceOf(
  createUser({ userName: 'ada', displayName: 'Same', [enterpriseSchema]: { department: 'D' } }, birth),
);
const staff = groupResourceOf(
  createGroup({ displayName: 'Same' }, { ...birth, id: 9 }),
  [{ id: 1_000_000_001, type: 'User', display: 'ada' }],
  'https://x',
);

describe('a schema view', () => {
  it('knows each type by its own names', () => {
    assert.equal(standardFaceSchemaView.resolve('members'), null);
    assert.equal(groupSchemaView.resolve('userName'), null);
    assert.equal(groupSchemaView.resolve(`${groupSchema}:DisplayName`)?.name, 'displayName');
    assert.equal(groupSchemaView.resolve(`${userSchema}:displayName`), null);
  });
});

describe('a filter over users and groups at once', () => {
  // The filter, whether the user fulfils it, whether the group does.
  const cases: readonly (readonly [string, boolean, boolean])[] = [
    ['displayName eq "same"', true, true],
    ['userName eq "ada"', true, false],
    ['userName pr', true, false],
    ['userName ne "ada"', false, true],
    ['not (userName pr)', false, true],
    ['members.value eq "1000000001"', false, true],
    ['members[type eq "User" and value eq "1000000001"]', false, true],
    ['members[type eq "User"].value pr', false, true],
    ['userName eq "ada" or members pr', true, true],
    [`${groupSchema}:displayName eq "same"`, false, true],
    [`${userSchema}:displayName eq "same"`, true, false],
    [`${enterpriseSchema}:department eq "d"`, true, false],
    [`${enterpriseSchema}:manager.value pr`, false, false],
    [`${enterpriseSchema} pr`, true, false],
    ['name.givenName eq null', true, true],
    ['emails[type eq "work"].value eq "x"', false, false],
    ['meta.resourceType eq "User"', true, false],
    ['meta.resourceType eq "Group" or id eq "1000000001"', true, true],
    ['schemas pr', true, true],
  ];
  for (const [text, ofUser, ofGroup] of cases) {
    it(`${text}: what a type does not have has no value [D-53]`, () => {
      for (const [view, resource, columns, expected] of [
        [ofUsers, ada, plannedUserColumns, ofUser],
        [ofGroups, staff, plannedGroupColumns, ofGroup],
      ] as const) {
        const filter = parseFilter(text, view);
        assert.equal(matches(filter, resource), expected);
        // The columns of a type are never asked about what belongs to the other.
        const { condition, residual } = planFilter(filter, columns);
        if (condition.kind !== 'none')
          assert.ok(residual === null || matches(residual, resource) === expected);
        assert.equal(printFilter(parseFilter(printFilter(filter), view)), printFilter(filter));
      }
    });
  }
  it('still refuses what neither has', () => {
    for (const view of [ofUsers, ofGroups]) {
      assert.throws(() => parseFilter('shoeSize eq 43', view), /no attribute/);
      assert.throws(() => parseFilter('members[shoe eq "x"]', view), /no such part/);
    }
  });
});
