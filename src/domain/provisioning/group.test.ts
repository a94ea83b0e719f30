import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Problem } from '../problem.ts';
import { changeGroup, createGroup, groupKeysOf, groupNotFound, replaceGroup, touchGroup } from './group.ts';
import { revisionTagOf } from './resource.ts';

const birth = { accountId: 7, id: 1_000_000_001, nowMs: 1_000 };
const staff = createGroup({ displayName: 'Staff', externalId: 'g-1' }, birth);

describe('a group', () => {
  it('begins at revision 1', () => {
    assert.equal(revisionTagOf(staff), 'W/"1"');
    assert.equal(staff.createdMs, 1_000);
    assert.equal(staff.lastModifiedMs, 1_000);
  });
  it('is found by its name without regard to case [D-51]', () => {
    const keys = groupKeysOf(createGroup({ displayName: 'STRASSE' }, birth));
    assert.deepEqual(keys, { displayNameKey: 'strasse', externalId: null });
    assert.equal(groupKeysOf(createGroup({ displayName: 'Straße' }, birth)).displayNameKey, 'strasse');
  });
  it('keeps its externalId when a replace does not say one, and is a new revision in any case [D-55]', () => {
    const after = replaceGroup(staff, { displayName: 'Staff' }, 2_000);
    assert.deepEqual(after.profile, staff.profile);
    assert.equal(after.revision, 2);
    assert.equal(after.lastModifiedMs, 2_000);
  });
  it('is the very same when a change says nothing new [D-56]', () => {
    assert.equal(changeGroup(staff, { externalId: 'g-1', displayName: 'Staff' }, 2_000), staff);
    const after = changeGroup(staff, { displayName: 'Crew', externalId: undefined }, 2_000);
    assert.deepEqual(after.profile, { displayName: 'Crew' });
    assert.equal(after.revision, 2);
  });
  it('is a new revision when its membership changed [D-58]', () => {
    assert.deepEqual(touchGroup(staff, 2_000), { ...staff, revision: 2, lastModifiedMs: 2_000 });
  });
  it('has a name that is neither empty nor endless, and every fault is told at once [D-22]', () => {
    for (const displayName of ['', ' ', 'a'.repeat(256), 'ﷺ'.repeat(200)]) {
      assert.throws(
        () => createGroup({ displayName, externalId: '' }, birth),
        (error) => {
          assert.ok(error instanceof Problem);
          assert.equal(error.code, 'INVALID_REQUEST');
          return error.details.map((fault) => fault.field).join() === 'displayName,externalId';
        },
      );
    }
  });
  it('that does not exist is said to be not found', () => {
    assert.equal(groupNotFound('5').code, 'GROUP_NOT_FOUND');
  });
});
