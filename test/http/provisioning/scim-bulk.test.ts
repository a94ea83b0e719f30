import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { bulkSchema, errorSchema, groupSchema } from '../../support/schema-urns.ts';
import { assertRefusal, make, patchOf, standardCall, standardUser } from '../../support/scim.ts';
import { type Call, type ProvisioningService, startProvisioning } from '../../support/users.ts';

interface Entry {
  readonly method: string;
  readonly bulkId?: string;
  readonly status: string;
  readonly location?: string;
  readonly version?: string;
  readonly response?: { readonly schemas: string[]; readonly scimType?: string; readonly detail: string };
}

for (const engine of engines) {
  describe(`bulk on ${engine.name}`, () => {
    let context: ProvisioningService;
    let call: Call;
    before(async () => {
      context = await startProvisioning(engine);
      call = standardCall(context);
    });
    after(() => context?.close());

    const bulk = (Operations: readonly object[], rest: object = {}) =>
      call('POST', '/Bulk', { body: { schemas: [bulkSchema], ...rest, Operations } });
    const user = (bulkId: string, userName: string, rest: object = {}) => ({
      method: 'POST',
      path: '/Users',
      bulkId,
      data: standardUser(userName, rest),
    });
    const idOf = ({ location }: Entry): string => String(location?.split('/').at(-1));

    it('carries out every kind of operation, with references forwards and back', async () => {
      const { status, body, headers } = await bulk([
        {
          method: 'POST',
          path: '/Groups',
          bulkId: 'g',
          data: {
            schemas: [groupSchema],
            displayName: 'Bulk',
            members: [{ value: 'bulkId:a' }, { value: 'bulkId:b' }],
          },
        },
        user('a', 'bulk-a'),
        user('b', 'bulk-b'),
        { method: 'PATCH', path: '/Users/bulkId:a', data: patchOf({ op: 'add', path: 'title', value: 't' }) },
        {
          method: 'PATCH',
          path: '/Groups/bulkId:g',
          data: patchOf({ op: 'remove', path: 'members[value eq "bulkId:b"]' }),
        },
        { method: 'PUT', path: '/Users/bulkId:b', data: standardUser('bulk-b', { nickName: 'n' }) },
      ]);
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), 'application/scim+json');
      const entries: Entry[] = body.Operations;
      assert.deepEqual(
        entries.map((one) => one.status),
        ['201', '201', '201', '200', '204', '200'],
      );
      const [g, a, b] = entries.slice(0, 3).map(idOf);
      const made = (await call('GET', `/Groups/${g}`)).body;
      assert.deepEqual(
        made.members.map((member: { value: string }) => member.value),
        [a],
      );
      assert.equal((await call('GET', `/Users/${a}`)).body.title, 't');
      const second = await call('GET', `/Users/${b}`);
      assert.equal(second.body.nickName, 'n');
      assert.equal(second.headers.get('etag'), entries[5]?.version);
      const gone = await bulk([
        { method: 'DELETE', path: `/Users/${a}` },
        { method: 'DELETE', path: `/Groups/${g}` },
        { method: 'DELETE', path: `/Users/${a}` },
      ]);
      assert.deepEqual(
        gone.body.Operations.map((one: Entry) => one.status),
        ['204', '204', '404'],
      );
      assert.equal((await call('GET', `/Users/${a}`)).status, 404);
    });

    it('goes on after a failure in the middle, and tells each in its place [D-142]', async () => {
      await make(call, '/Users', standardUser('bulk-taken'));
      const { body } = await bulk([
        user('x', 'bulk-x'),
        user('y', 'BULK-TAKEN'),
        { method: 'PATCH', path: '/Users/bulkId:y', data: patchOf({ op: 'add', path: 'title', value: 't' }) },
        {
          method: 'PATCH',
          path: '/Users/bulkId:x',
          data: patchOf({ op: 'add', path: 'nowhere', value: 't' }),
        },
        {
          method: 'PATCH',
          path: '/Users/bulkId:x',
          version: 'W/"9"',
          data: patchOf({ op: 'add', path: 'title', value: 't' }),
        },
        { method: 'GET', path: '/Users/1' },
        user('z', 'bulk-z'),
      ]);
      const entries: Entry[] = body.Operations;
      assert.deepEqual(
        entries.map((one) => one.status),
        ['201', '409', '400', '400', '412', '400', '201'],
      );
      assert.deepEqual(
        entries.map((one) => one.response?.scimType),
        [undefined, 'uniqueness', 'invalidValue', 'invalidPath', undefined, 'invalidSyntax', undefined],
      );
      assert.equal(entries[1]?.location, undefined);
      assert.deepEqual(entries[1]?.response?.schemas, [errorSchema]);
      assert.equal('title' in (await call('GET', `/Users/${idOf(entries[0]!)}`)).body, false);
    });

    it('failOnErrors ends the run, and what was done stays done', async () => {
      const { body } = await bulk([user('k', 'bulk-k'), user('l', 'bulk-k'), user('m', 'bulk-m')], {
        failOnErrors: 1,
      });
      assert.deepEqual(
        body.Operations.map((one: Entry) => one.status),
        ['201', '409'],
      );
      const found = await call('GET', `/Users?filter=${encodeURIComponent('userName eq "bulk-m"')}`);
      assert.equal(found.body.totalResults, 0);
    });

    it('a circle of groups is made and closed', async () => {
      const ring = (bulkId: string, other: string) => ({
        method: 'POST',
        path: '/Groups',
        bulkId,
        data: {
          schemas: [groupSchema],
          displayName: `ring ${bulkId}`,
          members: [{ value: `bulkId:${other}` }],
        },
      });
      const { body } = await bulk([ring('p', 'q'), ring('q', 'p')]);
      const entries: Entry[] = body.Operations;
      assert.deepEqual(
        entries.map((one) => one.status),
        ['201', '201'],
      );
      const [p, q] = entries.map(idOf);
      assert.deepEqual(
        (await call('GET', `/Groups/${p}`)).body.members.map((one: { value: string }) => one.value),
        [q],
      );
      assert.deepEqual(
        (await call('GET', `/Groups/${q}`)).body.members.map((one: { value: string }) => one.value),
        [p],
      );
    });

    it('bulk requests at once: each new user is kept, and of those who want one name one gets it [D-142]', async () => {
      const requests = Array.from({ length: 6 }, (_, number) =>
        Array.from({ length: 20 }, (_, at) => [
          user(`own-${at}`, `bulk-own-${number}-${at}`),
          user(`same-${at}`, `bulk-same-${at}`),
        ]).flat(),
      );
      const answers = await Promise.all(requests.map((operations) => bulk(operations)));
      const entries = answers.flatMap(({ body }) => body.Operations as Entry[]);
      assert.equal(entries.length, 6 * 40);
      const statuses = (name: string): string[] =>
        entries
          .filter(({ bulkId }) => bulkId === name)
          .map(({ status }) => status)
          .sort();
      for (let at = 0; at < 20; at += 1) {
        assert.deepEqual(statuses(`own-${at}`), Array(6).fill('201'));
        assert.deepEqual(statuses(`same-${at}`), ['201', ...Array(5).fill('409')]);
      }
      const filter = encodeURIComponent('userName sw "bulk-same-" or userName sw "bulk-own-"');
      assert.equal((await call('GET', `/Users?count=0&filter=${filter}`)).body.totalResults, 140);
    });

    it('a thousand operations are carried out, and one more is refused as too large', async () => {
      const many = Array.from({ length: 1000 }, (_, at) => ({ method: 'DELETE', path: `/Users/${at + 1}` }));
      const answer = await bulk(many);
      assert.equal(answer.body.Operations.length, 1000);
      assertRefusal(await bulk([...many, many[0]!]), 413);
      assertRefusal(await bulk([{ data: 'x'.repeat(1_048_576) }]), 413);
    });

    it('the whole is refused where it is no bulk request, and needs the grant to write [D-11]', async () => {
      assertRefusal(await call('POST', '/Bulk', { body: { schemas: [bulkSchema] } }), 400, 'invalidSyntax');
      assertRefusal(await call('POST', '/Bulk', { body: { Operations: [{}] } }), 400, 'invalidSyntax');
      assertRefusal(await bulk([user('w', 'bulk-w')], { failOnErrors: 0 }), 400, 'invalidSyntax');
      const token = await context.tokenWith(['r_cx_users']);
      assertRefusal(
        await call('POST', '/Bulk', {
          token,
          body: { schemas: [bulkSchema], Operations: [user('w', 'bulk-w')] },
        }),
        403,
      );
    });

    it('of another account nothing can be reached, and nothing of a prototype [D-10]', async () => {
      const { id } = await make(call, '/Users', standardUser('bulk-own'));
      const body = {
        schemas: [bulkSchema],
        Operations: [
          { method: 'DELETE', path: `/Users/${id}` },
          {
            method: 'PATCH',
            path: `/Users/${id}`,
            data: patchOf({ op: 'add', path: 'constructor.prototype', value: 'x' }),
          },
        ],
      };
      const { body: told } = await call('POST', '/Bulk', { token: context.foreignToken, body });
      assert.deepEqual(
        told.Operations.map((one: Entry) => one.status),
        ['404', '400'],
      );
      assert.equal((await call('GET', `/Users/${id}`)).status, 200);
    });
  });
}

for (const engine of engines) {
  describe(`what a bulk request costs on ${engine.name}`, () => {
    const operations = (count: number, prefix: string): readonly object[] =>
      Array.from({ length: count }, (_, index) => ({
        method: 'POST',
        path: '/Users',
        bulkId: `${prefix}${index}`,
        data: standardUser(`${prefix}${index}`),
      }));
    const bulkOf = (Operations: readonly object[]) => ({ body: { schemas: [bulkSchema], Operations } });

    it('every operation costs what it would cost as a request of its own, its own account alone [D-142] [D-165]', async () => {
      const context = await startProvisioning(engine, {
        SOUNDINGS_THROTTLE: 'on',
        SOUNDINGS_THROTTLE_CLIENT_RATE: '1',
        SOUNDINGS_THROTTLE_CLIENT_BURST: '100',
      });
      try {
        const call = standardCall(context);
        const remaining = async (): Promise<number> => {
          const { headers } = await call('GET', '/Users?count=0');
          return Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
        };
        const before = await remaining();
        const { status, body } = await call('POST', '/Bulk', bulkOf(operations(60, 'a')));
        assert.equal(status, 200);
        assert.equal(body.Operations.filter((one: Entry) => one.status === '201').length, 60);
        const after = await remaining();
        // Sixty and the request that looks; what has flowed back in the meantime is less than half of it.
        assert.ok(before - after > 30 && before - after <= 61, `${before} became ${after}`);
        await call('POST', '/Bulk', bulkOf(operations(300, 'b')));
        const refused = await call('GET', '/Users?count=0');
        assert.equal(refused.status, 429);
        assert.ok(Number(refused.headers.get('retry-after')) > 1);
        const other = await call('GET', '/Users?count=0', { token: context.foreignToken });
        assert.equal(other.status, 200);
      } finally {
        await context.close();
      }
    });

    it('what its time does not suffice for is refused in its place, and what was done before is told [D-165]', async () => {
      const context = await startProvisioning(engine, { SOUNDINGS_WORK_LIMIT_MS: '100' });
      try {
        const call = standardCall(context);
        // Some 600 bytes each: a fast machine needs more than its time for them, too.
        const emails = Array.from({ length: 12 }, (_, at) => ({
          value: `${at}@mail.example`,
          type: `type ${at}`,
        }));
        const large = operations(1000, 'c').map((operation) => {
          const { data } = operation as { data: object };
          return { ...operation, data: { ...data, emails } };
        });
        const { status, body } = await call('POST', '/Bulk', bulkOf(large));
        assert.equal(status, 200);
        assert.equal(body.Operations.length, 1000);
        const done = body.Operations.filter((one: Entry) => one.status === '201');
        const refused = body.Operations.slice(done.length);
        assert.ok(refused.length > 0);
        for (const { status: told, response } of refused)
          assert.deepEqual([told, response.scimType], ['400', 'tooMany']);
        assert.equal((await call('GET', '/Users?count=0')).body.totalResults, done.length);
      } finally {
        await context.close();
      }
    });
  });
}
