import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { bulkSchema } from '../../support/schema-urns.ts';
import { assertRefusal, group, make, patchOf, standardCall, standardUser } from '../../support/scim.ts';
import { storeRows } from '../../support/store-rows.ts';
import { addUsers } from '../../support/user-population.ts';
import { type Call, type ProvisioningService, startProvisioning } from '../../support/users.ts';

for (const engine of engines) {
  describe(`groups on ${engine.name}`, () => {
    let context: ProvisioningService;
    let call: Call;
    let ids: string[] = [];
    before(async () => {
      context = await startProvisioning(engine);
      call = standardCall(context);
      const Operations = Array.from({ length: 300 }, (_, at) => ({
        method: 'POST',
        path: '/Users',
        bulkId: `u${at}`,
        data: standardUser(`member-${at}`, at % 2 === 0 ? { displayName: `Member ${at}` } : {}),
      }));
      const made = await call('POST', '/Bulk', { body: { schemas: [bulkSchema], Operations } });
      ids = made.body.Operations.map((one: { location: string }) => one.location.split('/').at(-1));
    });
    after(() => context?.close());

    const membersOf = async (id: string): Promise<string[]> =>
      (await call('GET', `/Groups/${id}`)).body.members.map((member: { value: string }) => member.value);
    const patch = (id: string, ...operations: object[]) =>
      call('PATCH', `/Groups/${id}`, { body: patchOf(...operations) });

    it('a group is created with Location, ETag and members of which value, $ref, display and type are told', async () => {
      const inner = await make(call, '/Groups', group('inner'));
      const answer = await call('POST', '/Groups', {
        body: group('Made', [ids[0]!, ids[1]!, inner.id], { externalId: 'g-made' }),
      });
      assert.equal(answer.status, 201, answer.text);
      const { body } = answer;
      const base = `${context.service.baseUrl}/scim/v2`;
      assert.equal(answer.headers.get('location'), `${base}/Groups/${body.id}`);
      assert.deepEqual([answer.headers.get('etag'), body.meta.resourceType], [body.meta.version, 'Group']);
      assert.deepEqual([body.displayName, body.externalId], ['Made', 'g-made']);
      assert.deepEqual(body.members, [
        { value: ids[0], $ref: `${base}/Users/${ids[0]}`, display: 'Member 0', type: 'User' },
        { value: ids[1], $ref: `${base}/Users/${ids[1]}`, display: 'member-1', type: 'User' },
        { value: inner.id, $ref: `${base}/Groups/${inner.id}`, display: 'inner', type: 'Group' },
      ]);
      assert.deepEqual((await call('GET', `/Groups/${body.id}`)).body, body);
      assert.equal(
        'members' in (await call('GET', `/Groups/${body.id}?excludedAttributes=members`)).body,
        false,
      );
      // The groups of a user follow, on the one and in the list, and are never written through the user.
      const expected = [
        { value: body.id, $ref: `${base}/Groups/${body.id}`, display: 'Made', type: 'direct' },
      ];
      assert.deepEqual((await call('GET', `/Users/${ids[0]}`)).body.groups, expected);
      const listed = await call('GET', `/Users?filter=${encodeURIComponent(`groups.value eq "${body.id}"`)}`);
      assert.deepEqual(
        listed.body.Resources.map((user: { id: string }) => user.id),
        [ids[0], ids[1]],
      );
      assert.deepEqual(listed.body.Resources[1].groups, expected);
    });

    it('a name that is taken is 409, on create, replace and patch [D-96]', async () => {
      const one = await make(call, '/Groups', group('Unique', [], { externalId: 'u-1' }));
      const two = await make(call, '/Groups', group('Other'));
      const refused = await call('POST', '/Groups', { body: group('UNIQUE') });
      assertRefusal(refused, 409, 'uniqueness');
      assert.equal(refused.body.detail, 'Another group of the account has this displayName.');
      assertRefusal(await call('PUT', `/Groups/${two.id}`, { body: group('unique') }), 409, 'uniqueness');
      assertRefusal(
        await patch(two.id, { op: 'replace', path: 'displayName', value: 'uniquE' }),
        409,
        'uniqueness',
      );
      assert.equal(
        (await patch(one.id, { op: 'replace', path: 'displayName', value: 'UNIQUE' })).status,
        204,
      );
      const crowd = await Promise.all(
        Array.from({ length: 8 }, () => call('POST', '/Groups', { body: group('crowd') })),
      );
      assert.deepEqual(crowd.map(({ status }) => status).toSorted(), [201, ...Array(7).fill(409)]);
    });

    it('the externalId of groups may be that of others, and a search by it finds all of them [D-96]', async () => {
      const names = ['Sales', 'Sales of the north', 'Sales of the south'];
      const made = [];
      for (const name of names)
        made.push(await make(call, '/Groups', group(name, [], { externalId: 'sales' })));
      const other = await make(call, '/Groups', group('Not sales', [], { externalId: 'SALES' }));
      assert.equal(
        (await patch(other.id, { op: 'replace', path: 'externalId', value: 'sales' })).status,
        204,
      );
      const put = { body: group('Not sales', [], { externalId: 'sales' }) };
      assert.equal((await call('PUT', `/Groups/${other.id}`, put)).status, 200);
      const found = await call('GET', `/Groups?filter=${encodeURIComponent('externalId eq "sales"')}`);
      assert.deepEqual(
        found.body.Resources.map((one: { id: string }) => one.id),
        [...made.map((one) => one.id), other.id],
      );
      const foreign = { token: context.foreignToken };
      const theirs = await call(
        'GET',
        `/Groups?filter=${encodeURIComponent('externalId eq "sales"')}`,
        foreign,
      );
      assert.equal(theirs.body.totalResults, 0);
    });

    it('members join and leave by list, by filter path and all together, and the answer needs none of them [D-98]', async () => {
      const { id } = await make(call, '/Groups', group('Changing', ids.slice(0, 3)));
      const added = await patch(id, {
        op: 'Add',
        path: 'members',
        value: [{ value: ids[3] }, { value: ids[0] }],
      });
      assert.deepEqual([added.status, added.text], [204, '']);
      assert.equal(added.headers.get('etag'), (await call('GET', `/Groups/${id}`)).body.meta.version);
      assert.deepEqual(await membersOf(id), ids.slice(0, 4));
      await patch(id, { op: 'remove', path: `members[value eq "${ids[1]}"]` });
      assert.deepEqual(await membersOf(id), [ids[0], ids[2], ids[3]]);
      await patch(id, { op: 'Remove', path: 'members', value: [{ value: ids[0] }] });
      const asked = await call('PATCH', `/Groups/${id}?attributes=members`, {
        body: patchOf({ op: 'add', path: 'members', value: [{ value: ids[7] }] }),
      });
      assert.equal(asked.status, 200, asked.text);
      assert.deepEqual(
        asked.body.members.map((member: { value: string }) => member.value),
        [ids[2], ids[3], ids[7]],
      );
      const named = await call('PATCH', `/Groups/${id}?attributes=displayName`, {
        body: patchOf({ op: 'add', path: 'members', value: [{ value: ids[7] }] }),
      });
      assert.deepEqual(
        [named.status, named.body.displayName, named.body.members],
        [200, 'Changing', undefined],
      );
      await patch(id, { op: 'remove', path: 'members[display sw "Member "]' });
      assert.deepEqual(await membersOf(id), [ids[3], ids[7]]);
      await patch(
        id,
        { op: 'add', path: 'members', value: [{ value: ids[8] }] },
        { op: 'remove', path: 'members[type eq "User" and display ew "8"]' },
      );
      assert.deepEqual(await membersOf(id), [ids[3], ids[7]]);
      await patch(id, { op: 'replace', path: 'members', value: [{ value: ids[7] }, { value: ids[9] }] });
      assert.deepEqual(await membersOf(id), [ids[7], ids[9]]);
      await patch(id, { op: 'remove', path: 'members' });
      assert.deepEqual((await call('GET', `/Groups/${id}`)).body.members, []);
      assert.equal('groups' in (await call('GET', `/Users/${ids[7]}`)).body, false);
    });

    it('a patch that changes nobody leaves the version; one that fails in the middle changes nobody [D-56]', async () => {
      const made = await make(call, '/Groups', group('Still', ids.slice(0, 2)));
      const { id } = made;
      const same = await patch(
        id,
        { op: 'add', path: 'members', value: [{ value: ids[0] }] },
        { op: 'remove', path: `members[value eq "${ids[50]}"]` },
      );
      assert.deepEqual([same.status, same.headers.get('etag')], [204, made.meta.version]);
      const foreigners = [
        { op: 'add', path: 'members', value: [{ value: ids[5] }, { value: '1999999999' }] },
        { op: 'add', path: 'members', value: [{ value: 'nobody' }] },
        { op: 'add', path: 'members', value: [{ value: ids[5], type: 'Group' }] },
        { op: 'add', path: 'members', value: [{}] },
      ];
      for (const operation of foreigners) {
        assertRefusal(
          await patch(id, { op: 'replace', path: 'displayName', value: 'Moved' }, operation),
          400,
          'invalidValue',
        );
      }
      assertRefusal(
        await patch(id, { op: 'replace', path: `members[value eq "${ids[0]}"].display`, value: 'x' }),
        400,
        'mutability',
      );
      assertRefusal(
        await patch(id, { op: 'add', path: 'members.__proto__', value: 'x' }),
        400,
        'invalidPath',
      );
      const { body } = await call('GET', `/Groups/${id}`);
      assert.deepEqual(body, made);
    });

    it('PUT sets name and members, and creates nothing; DELETE is 204 and ends the memberships', async () => {
      const { id } = await make(call, '/Groups', group('Put', ids.slice(0, 5), { externalId: 'put' }));
      const outer = await make(call, '/Groups', group('outer', [id]));
      const put = await call('PUT', `/Groups/${id}`, { body: group('Put again', ids.slice(3, 7)) });
      assert.equal(put.status, 200);
      assert.deepEqual(
        put.body.members.map((member: { value: string }) => member.value),
        ids.slice(3, 7),
      );
      assert.deepEqual([put.body.displayName, put.body.externalId], ['Put again', 'put']);
      assertRefusal(await call('PUT', '/Groups/1999999999', { body: group('x') }), 404);
      assertRefusal(await call('PUT', `/Groups/${ids[0]}`, { body: group('x') }), 404);
      assertRefusal(await call('DELETE', `/Groups/${id}`, { headers: { 'if-match': 'W/"1"' } }), 412);
      assert.equal((await call('DELETE', `/Groups/${id}`)).status, 204);
      assertRefusal(await call('GET', `/Groups/${id}`), 404);
      assert.deepEqual(await membersOf(outer.id), []);
      assert.equal('groups' in (await call('GET', `/Users/${ids[6]}`)).body, false);
      assert.equal(
        (await call('POST', '/Groups', { body: group('put again', [], { externalId: 'put' }) })).status,
        201,
      );
    });

    it('versions count members too: 304, 412, and many writers at once lose nobody [D-58] [D-99]', async () => {
      const { id, meta } = await make(call, '/Groups', group('Versions'));
      assert.equal(
        (await call('GET', `/Groups/${id}`, { headers: { 'if-none-match': meta.version } })).status,
        304,
      );
      const crowd = ids.slice(0, 20);
      const answers = await Promise.all(
        crowd.map((value) => patch(id, { op: 'add', path: 'members', value: [{ value }] })),
      );
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [204]);
      assert.deepEqual(await membersOf(id), crowd);
      assert.equal(
        (await call('GET', `/Groups/${id}`, { headers: { 'if-none-match': meta.version } })).status,
        200,
      );
      const body = patchOf({ op: 'remove', path: 'members' });
      assertRefusal(
        await call('PATCH', `/Groups/${id}`, { body, headers: { 'if-match': meta.version } }),
        412,
      );
    });

    it('two processes that change one group at once lose nobody, and show the same [D-58] [D-99]', async () => {
      const { id } = await make(call, '/Groups', group('Shared', ids.slice(0, 10)));
      const other = await context.another();
      const bases = [context.service.baseUrl, other.baseUrl];
      const change = (at: number, operation: object) =>
        call('PATCH', `/Groups/${id}`, { body: patchOf(operation), baseUrl: bases[at % 2]! });
      const answers = await Promise.all([
        ...ids
          .slice(20, 60)
          .map((value, at) => change(at, { op: 'add', path: 'members', value: [{ value }] })),
        ...ids
          .slice(0, 10)
          .map((value, at) => change(at, { op: 'remove', path: `members[value eq "${value}"]` })),
      ]);
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [204]);
      const shown = await Promise.all(bases.map((baseUrl) => call('GET', `/Groups/${id}`, { baseUrl })));
      for (const { body } of shown) {
        const members = body.members.map(({ value }: { value: string }) => value);
        assert.deepEqual(members, ids.slice(20, 60));
      }
      assert.equal(shown[0]!.body.meta.version, shown[1]!.body.meta.version);
    });

    it('one joins and leaves a group of 10,000, and every one of the others stays [D-98]', async () => {
      const crowd = await createMultitude(context, 10_000);
      const { id } = await make(call, '/Groups', group('Everybody', crowd));
      const one = ids[0]!;
      const joined = await call('PATCH', `/Groups/${id}?excludedAttributes=members`, {
        body: patchOf({ op: 'add', path: 'members', value: [{ value: one }] }),
      });
      assert.deepEqual([joined.status, joined.text], [204, '']);
      assert.deepEqual((await membersOf(id)).sort(), [...crowd, one].sort());
      assert.equal((await patch(id, { op: 'remove', path: `members[value eq "${one}"]` })).status, 204);
      const withoutTwo = crowd.filter((_, at) => at !== 17 && at !== 9_999);
      const leaving = [17, 9_999].map((at) => ({ op: 'remove', path: `members[value eq "${crowd[at]}"]` }));
      assert.equal((await patch(id, ...leaving)).status, 204);
      assert.deepEqual(await membersOf(id), withoutTwo);
      assert.equal((await call('DELETE', `/Groups/${id}`)).status, 204);
    });

    it('whoever is deleted while joining is in no group afterwards', async () => {
      const { id } = await make(call, '/Groups', group('Race'));
      for (let round = 0; round < 8; round += 1) {
        const user = await make(call, '/Users', standardUser(`racer-${round}`));
        const [joined, deleted] = await Promise.all([
          patch(id, { op: 'add', path: 'members', value: [{ value: user.id }] }),
          call('DELETE', `/Users/${user.id}`),
        ]);
        assert.ok([204, 400].includes(joined.status), joined.text);
        assert.equal(deleted.status, 204);
      }
      assert.deepEqual(await membersOf(id), []);
      const [row] = await storeRows(
        context.store.databaseUrl,
        `select members from user_group where id = ${id}`,
      );
      assert.equal(Number(row?.members), 0);
    });

    it('groups of another account do not exist, and its users cannot join [D-10] [D-140]', async () => {
      const { id } = await make(call, '/Groups', group('Own', [ids[0]!]));
      const foreign = { token: context.foreignToken };
      for (const method of ['GET', 'DELETE'])
        assertRefusal(await call(method, `/Groups/${id}`, foreign), 404);
      assertRefusal(await call('PUT', `/Groups/${id}`, { ...foreign, body: group('x') }), 404);
      assertRefusal(
        await call('PATCH', `/Groups/${id}`, {
          ...foreign,
          body: patchOf({ op: 'remove', path: 'members' }),
        }),
        404,
      );
      assertRefusal(
        await call('POST', '/Groups', { ...foreign, body: group('theirs', [ids[0]!]) }),
        400,
        'invalidValue',
      );
      assert.equal((await call('GET', '/Groups', foreign)).body.totalResults, 0);
      assert.equal((await call('POST', '/Groups', { ...foreign, body: group('Own') })).status, 201);
      const rows = await call('POST', '/.search', {
        ...foreign,
        body: { filter: `members.value eq "${ids[0]}"` },
      });
      assert.equal(rows.body.totalResults, 0);
    });

    it('joining, leaving and renaming a group is another version of a user shown with groups, and no change of the user [D-95] [D-164]', async () => {
      const user = ids[250]!;
      const path = `/Users/${user}`;
      const read = (tag: string, query = '') =>
        call('GET', `${path}${query}`, { headers: { 'if-none-match': tag } });
      const alone = await call('GET', path);
      const plain = alone.headers.get('etag')!;
      assert.match(plain, /^W\/"\d+"$/);
      assert.equal((await read(plain)).status, 304);

      const { id } = await make(call, '/Groups', group('Joined', [user]));
      const joined = await read(plain);
      const tag = joined.headers.get('etag')!;
      assert.deepEqual([joined.status, joined.body.meta.version], [200, tag]);
      assert.equal(tag.split('.')[0], plain.slice(0, -1), 'the revision stays');
      assert.deepEqual(
        joined.body.groups.map(({ value }: { value: string }) => value),
        [id],
      );
      const again = await read(tag);
      assert.deepEqual([again.status, again.headers.get('etag')], [304, tag]);
      const listed = await call('GET', `/Users?filter=${encodeURIComponent(`id eq "${user}"`)}`);
      assert.equal(listed.body.Resources[0].meta.version, tag);

      // A filter compares the revision, whatever else it asks for.
      for (const more of ['', ' and groups pr']) {
        const filter = `id eq "${user}" and meta.version eq ${JSON.stringify(plain)}${more}`;
        const found = await call('GET', `/Users?filter=${encodeURIComponent(filter)}`);
        assert.equal(found.body.totalResults, 1, filter);
      }

      // Without the groups it is what it was, on this face and on the other.
      for (const query of ['?excludedAttributes=groups', '?attributes=userName']) {
        const part = await call('GET', `${path}${query}`);
        assert.equal(part.headers.get('etag'), plain);
        assert.equal((await read(plain, query)).status, 304);
      }
      assert.equal((await context.call('GET', path)).headers.get('etag'), plain);

      await patch(id, { op: 'replace', path: 'displayName', value: 'Joined by name' });
      const renamed = await read(tag);
      assert.deepEqual([renamed.status, renamed.body.groups[0].display], [200, 'Joined by name']);

      // Whoever changes the user names the revision, however it was shown.
      for (const [at, seen] of [tag, renamed.headers.get('etag')!, plain].entries()) {
        const body = patchOf({ op: 'replace', path: 'title', value: 'Analyst' });
        const changed = await call('PATCH', path, { body, headers: { 'if-match': seen } });
        assert.equal(changed.status, at === 0 ? 200 : 412, changed.text);
        if (at === 0) assert.match(changed.headers.get('etag')!, /^W\/"\d+\.[\w-]{16}"$/);
        if (at === 0) assert.equal(changed.body.meta.version, changed.headers.get('etag'));
      }
      await patch(id, { op: 'remove', path: 'members' });
      assert.match((await call('GET', path)).headers.get('etag')!, /^W\/"\d+"$/);
    });

    it('a page of groups holds 20,000 members and no more, and the pages together hold every group [D-97]', async () => {
      const operations = Array.from({ length: 200 }, (_, number) => ({
        method: 'POST',
        path: '/Users',
        bulkId: `u${number}`,
        data: { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: `crowd-${number}` },
      }));
      const bulk = await call('POST', '/Bulk', {
        body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations: operations },
      });
      const crowd = bulk.body.Operations.map(({ location }: { location: string }) =>
        location.split('/').at(-1),
      );
      for (let number = 0; number < 101; number += 1)
        await make(call, '/Groups', group(`crowd ${number}`, crowd));
      const filter = encodeURIComponent('displayName sw "crowd "');
      const first = await call('GET', `/Groups?count=200&filter=${filter}`);
      assert.deepEqual([first.body.totalResults, first.body.itemsPerPage], [101, 100]);
      const second = await call('GET', `/Groups?count=200&startIndex=101&filter=${filter}`);
      assert.equal(second.body.itemsPerPage, 1);
    });

    it('lists are ordered, paged and projected, and the service face has no groups', async () => {
      const { body } = await call(
        'GET',
        '/Groups?count=3&startIndex=2&sortBy=displayName&excludedAttributes=members',
      );
      assert.deepEqual([body.startIndex, body.itemsPerPage], [2, 3]);
      const names = body.Resources.map((one: { displayName: string }) => one.displayName.toLowerCase());
      assert.deepEqual(names, names.toSorted());
      assert.ok(body.Resources.every((one: object) => !('members' in one)));
      assert.equal((await context.call('GET', '/Groups')).status, 404);
    });
  });
}

/** Users put into the store beside the service, because ten thousand requests take long; their ids, in the order of creation. */
async function createMultitude(context: ProvisioningService, count: number): Promise<string[]> {
  const profiles = Array.from({ length: count }, (_, at) => ({
    userName: `multitude-${at}`,
    active: true,
    name: { givenName: 'Ada', familyName: 'Lovelace' },
    emails: [{ value: `m${at}@example.com` }],
  }));
  return (await addUsers(context.store.databaseUrl, 1, profiles)).map(String);
}
