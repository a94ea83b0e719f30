import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { deviceSchema, mountDevices, understood } from '../../support/device-type.ts';
import { engines, type TestStore } from '../../support/engines.ts';
import { type Mounted, startMounted } from '../../support/mounted.ts';
import { bulkSchema, patchSchema, userSchema } from '../../support/schema-urns.ts';
import { tokenFor } from '../../support/service.ts';

for (const engine of engines) {
  describe(`a third type of resources on ${engine.name}`, () => {
    let store: TestStore;
    let service: Mounted;
    let token: string;
    before(async () => {
      store = await engine.readyStore();
      service = await startMounted({ databaseUrl: store.databaseUrl, mount: mountDevices });
      token = await tokenFor(service.baseUrl, await service.newClient(), 'r_cx_users w_cx_users');
    });
    after(async () => {
      await service.stop();
      await store.dispose();
    });

    const call = async (method: string, path: string, body?: object, headers: object = {}) => {
      const answer = await fetch(`${service.baseUrl}/scim/devices${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return {
        status: answer.status,
        etag: answer.headers.get('etag'),
        // biome-ignore lint/suspicious/noExplicitAny: a resource as JSON.
        body: (text === '' ? null : JSON.parse(text)) as any,
      };
    };
    const device = (displayName: string, sockets: number) => ({
      schemas: [deviceSchema],
      displayName,
      sockets,
    });

    it('has every endpoint that users and groups have', async () => {
      const made = await call('POST', '/Devices', device('Printer', 4));
      assert.equal(made.status, 201);
      const at = `/Devices/${made.body.id}`;
      const patch = { schemas: [patchSchema], Operations: [{ op: 'replace', path: 'sockets', value: 6 }] };
      const patched = await call('PATCH', at, patch, { 'if-match': made.etag! });
      assert.deepEqual([patched.status, patched.body.sockets, patched.etag], [200, 6, 'W/"2"']);
      assert.equal((await call('PATCH', at, patch, { 'if-match': made.etag! })).status, 412);
      assert.equal((await call('PUT', at, device('Printer', 5))).body.sockets, 5);
      assert.equal((await call('GET', `${at}?attributes=sockets`)).body.displayName, undefined);
      assert.equal((await call('GET', at, undefined, { 'if-none-match': 'W/"3"' })).status, 304);
      assert.equal((await call('DELETE', at)).status, 204);
      assert.equal((await call('GET', at)).status, 404);
    });

    it('is found by its list, by its search and by the search over all types, behind the users', async () => {
      const users = Array.from({ length: 120 }, (_, at) => `member-${at}`);
      for (const userName of users) await call('POST', '/Users', { schemas: [userSchema], userName });
      for (let sockets = 1; sockets <= 130; sockets += 1)
        await call('POST', '/Devices', device(`Terminal ${sockets}`, sockets));
      const large = await call('GET', `/Devices?filter=${encodeURIComponent('sockets gt 100')}&count=5`);
      assert.deepEqual([large.body.totalResults, large.body.Resources.length], [30, 5]);
      const searched = await call('POST', '/Devices/.search', { filter: 'displayName eq "terminal 7"' });
      assert.equal(searched.body.Resources[0].sockets, 7);
      const all = await call('POST', '/.search', { startIndex: 101, count: 50 });
      const types = all.body.Resources.map(
        (one: { meta: { resourceType: string } }) => one.meta.resourceType,
      );
      assert.equal(all.body.totalResults, 250);
      assert.deepEqual([types.filter((type: string) => type === 'User').length, types.length], [20, 50]);
    });

    it('stands in discovery, in bulk requests and in the log of provisioning requests', async () => {
      const named = await call('GET', '/ResourceTypes/Device');
      assert.equal(named.body.endpoint, '/Devices');
      assert.equal((await call('GET', `/Schemas/${deviceSchema}`)).body.attributes.length, 2);
      const bulk = await call('POST', '/Bulk', {
        schemas: [bulkSchema],
        Operations: [{ method: 'POST', path: '/Devices', bulkId: 'scanner', data: device('Scanner', 2) }],
      });
      assert.equal(bulk.body.Operations[0].status, '201');
      const words = await understood(service);
      for (const expected of [
        '1 POST of devices',
        'replace sockets',
        'displayName, sockets',
        'sockets gt 100; count 5',
      ])
        assert.ok(words.includes(expected), `${expected} is not among ${words.join('; ')}`);
    });
  });
}
