import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { engines } from '../../support/engines.ts';
import { sampleUsers, userFilters } from '../../support/filter-arbitraries.ts';
import { bulkSchema } from '../../support/schema-urns.ts';
import { assertRefusal, group, make, standardCall } from '../../support/scim.ts';
import type { Values } from '../../support/scim-model.ts';
import {
  compareSortKeys,
  groupSchemaView,
  malformedFilters,
  matches,
  parseFilter,
  sortKeyOf,
  standardFaceSchemaView,
  wellFormedFilters,
} from '../../support/scim-model.ts';
import { type Call, type ProvisioningService, startProvisioning } from '../../support/users.ts';

const userCount = 60;
const filterCount = 300;
/** What each engine found, by the filter; names, because ids are each store's own. */
const findings = new Map<string, string[]>();

for (const engine of engines) {
  describe(`filters of the standard face on ${engine.name}`, () => {
    let context: ProvisioningService;
    let call: Call;
    let users: readonly (Values & { userName: string; id: string; meta: { created: string } })[];
    let groups: readonly Values[];
    before(async () => {
      context = await startProvisioning(engine);
      call = standardCall(context);
      const Operations = sampleUsers(userCount).map((data, at) => ({
        method: 'POST',
        path: '/Users',
        bulkId: `u${at}`,
        data,
      }));
      const made = await call('POST', '/Bulk', { body: { schemas: [bulkSchema], Operations } });
      assert.deepEqual(
        [...new Set(made.body.Operations.map((one: { status: string }) => one.status))],
        ['201'],
      );
      const ids: string[] = made.body.Operations.map((one: { location: string }) =>
        one.location.split('/').at(-1),
      );
      const staff = await make(call, '/Groups', group('Staff', ids.slice(0, 9), { externalId: 'g-1' }));
      await make(call, '/Groups', group('Straße', [...ids.slice(5, 12), staff.id]));
      await make(call, '/Groups', group('Nobody'));
      users = (await call('GET', '/Users?count=200')).body.Resources;
      groups = (await call('GET', '/Groups')).body.Resources;
      assert.equal(users.length, userCount);
    });
    after(() => context?.close());

    const search = async (path: string, filter: string) => {
      const answer = await call('POST', `${path}/.search`, { body: { filter, count: 200 } });
      assert.equal(answer.status, 200, `${filter}: ${answer.text}`);
      assert.equal(answer.body.totalResults, answer.body.Resources.length);
      return answer.body.Resources;
    };

    it('random filters of the whole grammar find exactly whom the plain evaluator says [D-53] [D-92]', async () => {
      const known = {
        ids: [...users.slice(0, 3).map(({ id }) => id), ...groups.map(({ id }) => String(id))],
        times: users.slice(0, 3).map(({ meta }) => meta.created),
      };
      const filters = fc.sample(userFilters(known), { numRuns: filterCount, seed: 7 });
      let foundSome = 0;
      for (const text of filters) {
        if (Buffer.byteLength(text) > 4000) continue;
        const filter = parseFilter(text, standardFaceSchemaView);
        const expected = users.filter((user) => matches(filter, user)).map(({ userName }) => userName);
        const found = (await search('/Users', text)).map((user: { userName: string }) => user.userName);
        assert.deepEqual(found, expected, text);
        if (expected.length > 0 && expected.length < userCount) foundSome += 1;
      }
      // A test of filters that find everybody or nobody would say nothing.
      assert.ok(foundSome > filterCount / 4, `${foundSome}`);
    });

    it('filters over users find the same on both engines', async () => {
      const known = { ids: ['nobody'], times: ['2001-01-01T00:00:00Z'] };
      for (const text of fc.sample(userFilters(known), { numRuns: 100, seed: 11 })) {
        const found = (await search('/Users', text)).map((user: { userName: string }) => user.userName);
        assert.deepEqual(found, findings.get(text) ?? found, text);
        findings.set(text, found);
      }
    });

    it('every well-formed filter is answered, and finds whom the evaluator says', async () => {
      for (const text of wellFormedFilters) {
        const filter = parseFilter(text, standardFaceSchemaView);
        const expected = users.filter((user) => matches(filter, user)).map(({ id }) => id);
        assert.deepEqual(
          (await search('/Users', text)).map((user: { id: string }) => user.id),
          expected,
          text,
        );
      }
    });

    it('a filter that cannot be read is invalidFilter, never everyone [D-53]', async () => {
      for (const filter of malformedFilters.slice(0, 60)) {
        assertRefusal(await call('POST', '/Users/.search', { body: { filter } }), 400, 'invalidFilter');
      }
      for (const filter of [
        'active gt true',
        'userName xx "a"',
        '',
        'title',
        'emails[type eq "work"',
        'x509Certificates.value gt "a"',
      ]) {
        const answer = await call('GET', `/Users?filter=${encodeURIComponent(filter)}`);
        assertRefusal(answer, 400, 'invalidFilter');
      }
    });

    it('groups are found by every attribute, members included', async () => {
      const [one] = users;
      for (const text of [
        'displayName eq "staff"',
        'displayName eq "STRASSE"',
        'displayName ne "Staff"',
        'displayName sw "S" and not (externalId pr)',
        'displayName co "o"',
        'externalId eq "g-1" or displayName ew "y"',
        'externalId eq "G-1"',
        `members.value eq "${one?.id}"`,
        `members eq "${one?.id}"`,
        `not (members.value eq "${one?.id}")`,
        'members pr',
        'not (members pr)',
        'members[type eq "Group"]',
        'members[type eq "User" and display sw "ada"]',
        `members[value eq "${one?.id}" and type eq "User"]`,
        'members.display co "a"',
        'meta.created gt "2001-01-01T00:00:00Z"',
        'meta.resourceType eq "Group"',
        `id eq "${groups[0]?.id}"`,
      ]) {
        const filter = parseFilter(text, groupSchemaView);
        const expected = groups.filter((each) => matches(filter, each)).map(({ id }) => id);
        assert.deepEqual(
          (await search('/Groups', text)).map((each: { id: string }) => each.id),
          expected,
          text,
        );
      }
    });

    it('order is that of the attribute, either way, and whoever lacks it comes last [D-54] [D-87]', async () => {
      for (const sortBy of [
        'userName',
        'displayName',
        'title',
        'emails',
        'name.familyName',
        'meta.created',
        'groups.display',
      ]) {
        const sorted = async (sortOrder: string, filter?: string) =>
          (
            await call('POST', '/Users/.search', {
              body: { sortBy, sortOrder, count: 200, ...(filter ? { filter } : {}) },
            })
          ).body.Resources.map((user: { id: string }) => user.id);
        const up = await sorted('ascending');
        const attribute = standardFaceSchemaView.resolve(sortBy)!;
        const keyed = users.map((user) => ({ id: user.id, key: sortKeyOf(user, attribute) }));
        const inOrder = (turn: 1 | -1): string[] =>
          keyed
            .toSorted((a, b) => {
              const isLacking = a.key === null || b.key === null;
              const order = compareSortKeys(a.key, b.key);
              return isLacking
                ? order || turn * (Number(a.id) - Number(b.id))
                : turn * (order || Number(a.id) - Number(b.id));
            })
            .map(({ id }) => id);
        assert.deepEqual(up, inOrder(1), sortBy);
        assert.deepEqual(await sorted('descending'), inOrder(-1), sortBy);
        assert.equal(new Set(up).size, userCount);
        const some = await sorted('ascending', 'title pr or active eq true');
        assert.deepEqual(
          some,
          up.filter((id: string) => some.includes(id)),
          sortBy,
        );
        const pages = [];
        for (let startIndex = 1; startIndex <= userCount; startIndex += 17) {
          const { body } = await call('GET', `/Users?sortBy=${sortBy}&startIndex=${startIndex}&count=17`);
          assert.equal(body.startIndex, startIndex);
          pages.push(...body.Resources.map((user: { id: string }) => user.id));
        }
        assert.deepEqual(pages, up, sortBy);
      }
    });

    it('a search at the root is about users and groups at once [D-141]', async () => {
      const all = await call('POST', '/.search', { body: { count: 200 } });
      assert.equal(all.body.totalResults, userCount + 3);
      const named = await search('', 'displayName eq "staff" or userName sw "bob"');
      const kinds = named.map((one: { meta: { resourceType: string } }) => one.meta.resourceType);
      assert.equal(kinds.at(-1), 'Group');
      assert.ok(kinds.includes('User'));
      assert.deepEqual(
        (await search('', 'members pr')).map((one: { displayName: string }) => one.displayName),
        ['Staff', 'Straße'],
      );
      const { body } = await call('POST', '/.search', {
        body: { startIndex: userCount, count: 3, sortBy: 'id' },
      });
      assert.deepEqual(
        body.Resources.map((one: { meta: { resourceType: string } }) => one.meta.resourceType),
        ['User', 'Group', 'Group'],
      );
    });
  });
}
