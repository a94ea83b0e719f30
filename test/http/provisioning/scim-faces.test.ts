import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { exchange } from '../../support/exchange.ts';
import { enterpriseSchema } from '../../support/schema-urns.ts';
import { assertRefusal, group, make, patchOf, standardCall, standardUser } from '../../support/scim.ts';
import { storeRows } from '../../support/store-rows.ts';
import {
  type Call,
  create,
  type ProvisioningService,
  patchBody,
  startProvisioning,
  userBody,
} from '../../support/users.ts';

const rich = {
  externalId: 'rich-1',
  displayName: 'Rich',
  title: 'Dr.',
  nickName: 'r',
  timezone: 'Europe/Berlin',
  name: { givenName: 'Ri', familyName: 'Ch', middleName: 'M', honorificPrefix: 'Dr.' },
  emails: [{ value: 'rich@example.com', type: 'work', primary: true, display: 'shown' }],
  phoneNumbers: [{ value: '+49', type: 'work', display: 'desk' }],
  addresses: [{ country: 'DE', type: 'work' }],
  roles: [{ value: 'admin' }],
  [enterpriseSchema]: { department: 'd', manager: { value: 'm' } },
};

interface Named {
  readonly id: string;
  readonly meta: { readonly location: string };
}

for (const engine of engines) {
  describe(`both faces at once on ${engine.name} [D-03]`, () => {
    let context: ProvisioningService;
    let standardFace: Call;
    let serviceFace: Call;
    before(async () => {
      context = await startProvisioning(engine);
      standardFace = standardCall(context);
      serviceFace = context.call;
    });
    after(() => context?.close());

    it('a user made on one face is the same user on the other', async () => {
      const made = await create(serviceFace, 'from-service', { externalId: 'fd-1' });
      const seen = await standardFace('GET', `/Users/${made.id}`);
      assert.deepEqual(
        [seen.body.id, seen.body.userName, seen.body.externalId],
        [String(made.id), 'from-service', 'fd-1'],
      );
      assert.equal(seen.headers.get('etag'), made.meta.version);
      const other = await make(standardFace, '/Users', standardUser('from-standard'));
      const back = await serviceFace('GET', `/Users/${other.id}`);
      assert.deepEqual([back.body.id, back.body.userName], [Number(other.id), 'from-standard']);
      for (const filter of [
        'emails.value eq "fromservice@example.com"',
        'externalId eq "fd-1"',
        'active eq true and userName eq "from-service"',
      ]) {
        const found = await standardFace('GET', `/Users?filter=${encodeURIComponent(filter)}`);
        assert.deepEqual(
          found.body.Resources.map((user: { userName: string }) => user.userName),
          ['from-service'],
          filter,
        );
      }
    });

    it('what the weaker face cannot say survives its replace and its patch, and nothing is lost on the way', async () => {
      const made = await make(standardFace, '/Users', standardUser('rich', rich));
      await make(standardFace, '/Groups', group('The rich', [made.id]));
      const before = (await standardFace('GET', `/Users/${made.id}`)).body;
      const { body: weak } = await serviceFace('GET', '/Users/rich-1');
      const replaced = await serviceFace('PUT', '/Users/rich-1', { body: weak });
      assert.equal(replaced.status, 200, replaced.text);
      const after = (await standardFace('GET', `/Users/${made.id}`)).body;
      const unversioned = ({ meta: _meta, ...rest }: Record<string, unknown>) => rest;
      assert.deepEqual(unversioned(after), unversioned(before));
      const patched = await serviceFace('PATCH', '/Users/rich-1', {
        body: patchBody({ op: 'replace', path: 'active', value: false }),
      });
      assert.equal(patched.status, 200);
      const suspended = (await standardFace('GET', `/Users/${made.id}`)).body;
      assert.deepEqual(unversioned(suspended), { ...unversioned(before), active: false });
      const put = await standardFace('PUT', `/Users/${made.id}`, { body: suspended });
      assert.deepEqual(unversioned(put.body), unversioned(suspended));
    });

    it('a list that the weaker face sets as it shows it loses nothing, and is no change [D-55] [D-56]', async () => {
      const made = await make(
        standardFace,
        '/Users',
        standardUser('shown', { ...rich, externalId: 'shown-1' }),
      );
      const before = (await standardFace('GET', `/Users/${made.id}`)).body;
      const { body: weak } = await serviceFace('GET', '/Users/shown-1');
      const { emails, phoneNumbers } = weak;
      for (const operation of [
        { op: 'replace', path: 'phoneNumbers', value: phoneNumbers },
        { op: 'replace', path: 'emails', value: emails },
        { op: 'replace', value: { emails, phoneNumbers } },
      ]) {
        const patched = await serviceFace('PATCH', '/Users/shown-1', { body: patchBody(operation) });
        assert.equal(patched.status, 200, patched.text);
        assert.deepEqual((await standardFace('GET', `/Users/${made.id}`)).body, before);
      }
      const dropped = patchBody({
        op: 'replace',
        path: 'phoneNumbers',
        value: [{ value: '+1', type: 'work' }],
      });
      await serviceFace('PATCH', '/Users/shown-1', { body: dropped });
      const after = (await standardFace('GET', `/Users/${made.id}`)).body;
      assert.deepEqual(after.phoneNumbers, [{ value: '+1', type: 'work' }]);
    });

    it('an empty externalId takes no address away, on either face; null does [D-84]', async () => {
      const made = await create(serviceFace, 'addressed', { externalId: 'addressed-1' });
      const ops = [
        { op: 'replace', path: 'externalId', value: '' },
        { op: 'add', path: 'externalId', value: '' },
        { op: 'replace', value: { externalId: '', active: false } },
      ];
      for (const operation of ops) {
        const weak = await serviceFace('PATCH', '/Users/addressed-1', { body: patchBody(operation) });
        assert.deepEqual([weak.status, weak.body.errorCode], [400, 'INVALID_VALUE'], weak.text);
        const body = patchOf(operation);
        assertRefusal(await standardFace('PATCH', `/Users/${made.id}`, { body }), 400, 'invalidValue');
      }
      const { body: kept } = await serviceFace('GET', '/Users/addressed-1');
      assert.deepEqual([kept.meta.version, kept.active], ['W/"1"', true]);
      const cleared = patchBody({ op: 'replace', path: 'externalId', value: null });
      assert.equal((await serviceFace('PATCH', '/Users/addressed-1', { body: cleared })).status, 200);
      assert.equal((await serviceFace('GET', '/Users/addressed-1')).status, 404);
      assert.equal((await serviceFace('GET', `/Users/${made.id}`)).status, 200);
    });

    it('schemas of a patch that are no list of texts are refused, and what they name is not looked at [D-52]', async () => {
      const made = await create(serviceFace, 'patched', { externalId: 'patched-1' });
      const operations = [{ op: 'replace', path: 'active', value: false }];
      for (const [face, path, member] of [
        [serviceFace, '/Users/patched-1', 'operations'],
        [standardFace, `/Users/${made.id}`, 'Operations'],
      ] as const) {
        for (const schemas of [5, 'x', {}, [5], true]) {
          const refused = await face('PATCH', path, { body: { schemas, [member]: operations } });
          assert.equal(refused.status, 400, JSON.stringify(schemas));
          assert.match(refused.text, /schemas must be an array of strings/);
        }
        assert.equal((await face('GET', path)).body.active, true);
      }
      for (const schemas of [undefined, null, ['urn:x']]) {
        const body = { schemas, operations };
        assert.equal((await serviceFace('PATCH', '/Users/patched-1', { body })).status, 200);
      }
    });

    it('documents of discovery name addresses at which they are found [D-52b]', async () => {
      for (const [face, base] of [
        [serviceFace, '/v1/scim'],
        [standardFace, '/scim/v2'],
      ] as const) {
        for (const list of ['/ResourceTypes', '/Schemas']) {
          const { body } = await face('GET', list);
          for (const { id, meta } of (body.resources ?? body.Resources) as readonly Named[]) {
            const path = new URL(meta.location).pathname.slice(base.length);
            const found = await face('GET', path);
            assert.equal(found.status, 200, meta.location);
            assert.ok(found.text.includes(JSON.stringify(id)), meta.location);
          }
        }
      }
    });

    it('windows of any size are brought into bounds, in the address and in the body [D-54] [D-800]', async () => {
      for (const count of ['-9007199254740992', '-9223372036854775808']) {
        const { status, body } = await serviceFace('GET', `/Users?count=${count}`);
        assert.deepEqual([status, body.resources.length], [200, 0], count);
      }
      assert.equal((await serviceFace('GET', '/Users?count=1e3')).status, 400);
    });

    it('startIndex is repeated digit for digit up to 2^63 - 1, and beyond int64 it and count are refused [D-886]', async () => {
      const search = (base: string, path: string, startIndex: string, count: string) =>
        exchange(`${context.service.baseUrl}${base}${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${context.token}`, 'content-type': 'application/json' },
          body: `{"schemas":[],"startIndex":${startIndex},"count":${count}}`,
        });
      const repeated = ({ text }: { readonly text: string }) => /"startIndex":(-?\d+)/.exec(text)?.[1];
      for (const [face, base] of [
        [serviceFace, '/v1/scim'],
        [standardFace, '/scim/v2'],
      ] as const) {
        const searches =
          base === '/scim/v2' ? ['/Users/.search', '/Groups/.search', '/.search'] : ['/Users/.search'];
        for (const [digits, shown = digits] of [
          ['9223372036854775807'],
          ['9007199254740993'],
          ['9007199254740991'],
          ['-9223372036854775808', '1'],
          ['0', '1'],
        ] as const) {
          const asked = await face('GET', `/Users?startIndex=${digits}&count=${digits}`);
          assert.deepEqual([asked.status, repeated(asked)], [200, shown], digits);
          for (const path of searches) {
            const searched = await search(base, path, digits, digits);
            assert.deepEqual([searched.status, repeated(searched)], [200, shown], `${path} ${digits}`);
          }
        }
        for (const digits of ['9223372036854775808', '-9223372036854775809', '1e300']) {
          for (const name of ['startIndex', 'count'])
            assert.equal((await face('GET', `/Users?${name}=${digits}`)).status, 400, digits);
          for (const path of searches)
            for (const [start, count] of [
              [digits, '1'],
              ['1', digits],
            ] as const)
              assert.equal((await search(base, path, start, count)).status, 400, `${path} ${digits}`);
        }
      }
    });

    it('names clash across the faces, and deleted on one is gone from both', async () => {
      await create(serviceFace, 'clash', { externalId: 'clash-1' });
      assertRefusal(await standardFace('POST', '/Users', { body: standardUser('CLASH') }), 409, 'uniqueness');
      const made = await make(standardFace, '/Users', standardUser('clash-2', { externalId: 'clash-2' }));
      assert.equal(
        (await serviceFace('POST', '/Users', { body: userBody('x', { externalId: 'clash-2' }) })).status,
        409,
      );
      assert.equal((await serviceFace('DELETE', '/Users/clash-2')).status, 405);
      assert.equal((await standardFace('DELETE', `/Users/${made.id}`)).status, 204);
      assert.equal((await serviceFace('GET', '/Users/clash-2')).status, 404);
      assert.equal((await serviceFace('GET', `/Users/${made.id}`)).status, 404);
      await create(serviceFace, 'clash-2', { externalId: 'clash-2' });
    });

    it('a version read on one face is honoured on the other [D-58]', async () => {
      const made = await make(standardFace, '/Users', standardUser('versioned', { externalId: 'v-1' }));
      const headers = { 'if-match': made.meta.version };
      const body = patchBody({ op: 'replace', path: 'active', value: false });
      assert.equal((await serviceFace('PATCH', '/Users/v-1', { headers, body })).status, 200);
      const stale = await standardFace('PATCH', `/Users/${made.id}`, {
        headers,
        body: patchOf({ op: 'replace', path: 'active', value: true }),
      });
      assertRefusal(stale, 412);
    });

    it('users of before the keys of the standard face are found by them all the same [D-93]', async () => {
      const made = await make(
        standardFace,
        '/Users',
        standardUser('older', {
          externalId: 'old-1',
          displayName: 'Older',
          emails: [{ value: 'older@example.com', type: 'work' }],
        }),
      );
      const changed = await make(
        standardFace,
        '/Users',
        standardUser('other', { displayName: 'Before', emails: [{ value: 'before@example.com' }] }),
      );
      const { databaseUrl } = context.store;
      // What a store of the version before looks like, and what older code leaves behind when it changes a user.
      await storeRows(
        databaseUrl,
        `update account_user set keys_revision = null, external_id = null, active = null, display_name_key = null where id = ${made.id}`,
      );
      await storeRows(databaseUrl, `delete from user_email where user_id = ${made.id}`);
      await storeRows(
        databaseUrl,
        `update account_user set revision = revision + 1, profile = replace(replace(profile, 'before@', 'after@'), 'Before', 'After') where id = ${changed.id}`,
      );
      const found = async (filter: string): Promise<string[]> =>
        (await standardFace('GET', `/Users?filter=${encodeURIComponent(filter)}`)).body.Resources.map(
          (user: { id: string }) => user.id,
        );
      for (const filter of [
        'emails[type eq "work"].value eq "OLDER@example.com"',
        'externalId eq "old-1"',
        'displayName eq "older" and active eq true',
      ])
        assert.deepEqual(await found(filter), [made.id], filter);
      assert.deepEqual(await found('emails.value eq "after@example.com"'), [changed.id]);
      assert.deepEqual(await found('emails.value eq "before@example.com"'), []);
      assert.deepEqual(await found('displayName eq "after"'), [changed.id]);
    });
  });
}
