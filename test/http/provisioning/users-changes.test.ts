import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { serviceSchema } from '../../support/schema-urns.ts';
import type { Service } from '../../support/service.ts';
import {
  addressPath,
  type Call,
  create,
  type ProvisioningService,
  patchBody,
  startProvisioning,
  userBody,
} from '../../support/users.ts';

const work = { value: 'w@x', type: 'work' };
const home = { value: 'h@x', type: 'home' };

for (const engine of engines) {
  describe(`changing users on ${engine.name}`, () => {
    let context: ProvisioningService;
    let call: Call;
    before(async () => {
      context = await startProvisioning(engine);
      call = context.call;
    });
    after(() => context?.close());

    let count = 0;
    const fresh = (rest: object = {}) => create(call, `fresh-${++count}`, rest);
    const patch = (id: number | string, ...operations: readonly object[]) =>
      call('PATCH', addressPath(id), { body: patchBody(...operations) });

    describe('patch', () => {
      const cases: readonly {
        readonly title: string;
        readonly from: object;
        readonly operations: readonly object[];
        readonly to: object;
      }[] = [
        {
          title: 'replace of active suspends, written as Entra ID writes it',
          from: {},
          operations: [{ op: 'Replace', path: 'active', value: 'False' }],
          to: { active: false },
        },
        {
          title: 'a value object without path, as Okta writes it',
          from: {},
          operations: [{ op: 'replace', value: { active: false } }],
          to: { active: false },
        },
        {
          title: 'dotted and URN keys in a value object',
          from: {},
          operations: [
            {
              op: 'add',
              value: { 'name.familyName': 'Byron', [`${serviceSchema}:authenticationProvider`]: 'idp' },
            },
          ],
          to: {
            name: { familyName: 'Byron', givenName: 'Ada' },
            [serviceSchema]: { clientId: 1, authenticationProvider: 'idp' },
          },
        },
        {
          title: 'add appends to a list, and merges what is there already',
          from: { emails: [work] },
          operations: [{ op: 'add', path: 'emails', value: [home, work] }],
          to: { emails: [work, home] },
        },
        {
          title: 'a value path changes one element',
          from: { emails: [work, home] },
          operations: [{ op: 'replace', path: 'emails[type eq "home"].value', value: 'new@x' }],
          to: { emails: [work, { value: 'new@x', type: 'home' }] },
        },
        {
          title: 'a value path on a known type that matches nothing creates the element',
          from: { emails: [work] },
          operations: [{ op: 'replace', path: 'emails[type eq "home"].value', value: 'h@x' }],
          to: { emails: [work, home] },
        },
        {
          title: 'remove with a value path removes the element',
          from: { emails: [work, home] },
          operations: [{ op: 'remove', path: 'emails[type eq "home"]' }],
          to: { emails: [work] },
        },
        {
          title: 'a primary that is set clears the other [D-59]',
          from: { emails: [{ ...work, primary: true }, home] },
          operations: [{ op: 'replace', path: 'emails[type eq "home"].primary', value: true }],
          to: {
            emails: [
              { ...work, primary: false },
              { ...home, primary: true },
            ],
          },
        },
        {
          title: 'replace makes an element of any type, or by its value, that is not there',
          from: { phoneNumbers: [{ value: '1' }] },
          operations: [
            { op: 'replace', path: 'phoneNumbers[type eq "castle"].value', value: '2' },
            { op: 'replace', path: 'phoneNumbers[value eq "3"].type', value: 'home' },
          ],
          to: {
            phoneNumbers: [{ value: '1' }, { value: '2', type: 'castle' }, { value: '3', type: 'home' }],
          },
        },
        {
          title: 'several operations are applied in their order',
          from: { phoneNumbers: [{ value: '1' }] },
          operations: [
            { op: 'remove', path: 'phoneNumbers' },
            { op: 'add', path: 'phoneNumbers', value: [{ value: '2', type: 'work' }] },
            { op: 'REPLACE', path: 'phoneNumbers[value eq "2"].type', value: 'mobile' },
          ],
          to: { phoneNumbers: [{ value: '2', type: 'mobile' }] },
        },
      ];
      for (const { title, from, operations, to } of cases) {
        it(`${title} [D-56]`, async () => {
          const user = await fresh(from);
          const answer = await patch(user.id, ...operations);
          assert.equal(answer.status, 200, answer.text);
          assert.equal(answer.body.meta.version, 'W/"2"');
          assert.equal(answer.headers.get('etag'), 'W/"2"');
          const wanted = { ...user, ...to, meta: answer.body.meta };
          assert.deepEqual(answer.body, wanted);
          assert.deepEqual((await call('GET', addressPath(user.id))).body, wanted);
        });
      }

      const refusals: readonly (readonly [string, object, string])[] = [
        ['a path that leads nowhere', { op: 'replace', path: 'nosuch', value: 1 }, 'INVALID_PATH'],
        ['a path that cannot be read', { op: 'replace', path: 'emails[', value: 1 }, 'INVALID_PATH'],
        ['__proto__', { op: 'add', path: '__proto__.polluted', value: 1 }, 'INVALID_PATH'],
        [
          'constructor.prototype',
          { op: 'add', path: 'constructor.prototype.polluted', value: 1 },
          'INVALID_PATH',
        ],
        ['a read-only target', { op: 'replace', path: 'id', value: 5 }, 'MUTABILITY'],
        ['meta', { op: 'replace', path: 'meta.created', value: '2001-01-01T00:00:00Z' }, 'MUTABILITY'],
        ['removing what is required', { op: 'remove', path: 'userName' }, 'MUTABILITY'],
        ['removing nothing by name', { op: 'remove' }, 'NO_TARGET'],
        [
          'a value path without a match',
          { op: 'replace', path: 'emails[value sw "z"].type', value: 'x' },
          'NO_TARGET',
        ],
        ['removing active', { op: 'remove', path: 'active' }, 'INVALID_VALUE'],
        ['a missing value', { op: 'add', path: 'active' }, 'INVALID_VALUE'],
        ['a value of another type', { op: 'add', path: 'active', value: 'maybe' }, 'INVALID_VALUE'],
        ['an unknown op', { op: 'move', path: 'active', value: true }, 'INVALID_PATCH'],
      ];
      for (const [title, operation, code] of refusals) {
        it(`${title}: ${code}, and nothing is half changed [D-56]`, async () => {
          const user = await fresh();
          const answer = await patch(user.id, { op: 'replace', path: 'active', value: false }, operation);
          assert.deepEqual([answer.status, answer.body.errorCode], [400, code], answer.text);
          assert.match(answer.body.detailedErrors[0].field, /^(operations\[1\]|active$)/);
          assert.deepEqual((await call('GET', addressPath(user.id))).body, user);
          assert.equal(({} as { polluted?: unknown }).polluted, undefined);
        });
      }

      it('__proto__ and constructor as members are not even read, and the service stays as it was [D-26]', async () => {
        const user = await fresh();
        for (const name of ['__proto__', 'constructor']) {
          const body = `{"schemas":[],"operations":[{"op":"add","value":{"${name}":{"polluted":1}}}]}`;
          const answer = await call('PATCH', addressPath(user.id), { body });
          assert.deepEqual([answer.status, answer.body.errorCode], [400, 'MALFORMED_JSON']);
        }
        assert.equal('polluted' in (await fresh()), false);
      });

      it('every fault of form is told at once, each with its place [D-22]', async () => {
        const user = await fresh();
        const answer = await patch(user.id, { op: 'x' }, { op: 'add', path: 'nosuch', value: 1 }, 3 as never);
        assert.equal(answer.status, 400);
        const fields = answer.body.detailedErrors.map((fault: { field: string }) => fault.field);
        for (const field of ['operations[0].op', 'operations[1].path', 'operations[2]'])
          assert.ok(fields.includes(field), fields.join(' '));
      });

      it('Operations is read as well, for mercy; no operations are a bad request [D-52]', async () => {
        const user = await fresh();
        const operations = [{ op: 'replace', path: 'active', value: false }];
        const body = { schemas: [], Operations: operations };
        assert.equal((await call('PATCH', addressPath(user.id), { body })).body.active, false);
        for (const bad of [{}, { operations: [] }, { operations: {} }, []])
          assert.equal((await call('PATCH', addressPath(user.id), { body: bad })).status, 400);
        assert.equal((await call('PATCH', addressPath(user.id))).status, 400);
      });

      it('a patch that changes nothing leaves version and lastModified [D-56]', async () => {
        const user = await fresh();
        const answer = await patch(user.id, { op: 'replace', path: 'active', value: true });
        assert.deepEqual([answer.status, answer.body], [200, user]);
      });

      it('a name that is patched is found by its new parts and no longer by the old', async () => {
        const user = await fresh({ name: { givenName: 'Before', familyName: 'Oldname' } });
        await patch(user.id, { op: 'replace', path: 'name.familyName', value: 'Newborn' });
        const found = async (filter: string) =>
          (await call('GET', `/Users?filter=${encodeURIComponent(filter)}`)).body.totalResults;
        assert.deepEqual(
          await Promise.all(
            ['co "newb"', 'sw "new"', 'ew "born"', 'co "oldn"', 'sw "old"', 'ew "name"'].map((rest) =>
              found(`name.familyName ${rest} and name.givenName sw "before"`),
            ),
          ),
          [1, 1, 1, 0, 0, 0],
        );
      });
    });

    describe('versions', () => {
      it('If-Match is compared weakly; another version is 412 and changes nothing [D-58]', async () => {
        const user = await fresh();
        const set = (active: boolean, tag: string) =>
          call('PATCH', addressPath(user.id), {
            body: patchBody({ op: 'replace', path: 'active', value: active }),
            headers: { 'if-match': tag },
          });
        const stale = await set(false, 'W/"2"');
        assert.deepEqual([stale.status, stale.body.errorCode], [412, 'PRECONDITION_FAILED']);
        assert.equal((await set(false, '"1"')).status, 200);
        assert.equal((await set(true, '*')).status, 200);
        assert.equal((await set(false, '"1", W/"3"')).status, 200);
        assert.equal((await set(true, 'W/"3"')).status, 412);
        assert.equal((await set(true, 'nonsense')).status, 400);
        assert.equal((await call('GET', addressPath(user.id))).body.meta.version, 'W/"4"');
      });
    });

    describe('at once', () => {
      const race = (services: readonly string[]) => {
        const via = (at: number) => ({ baseUrl: services[at % services.length]! });
        const tally = (answers: readonly { status: number }[]) =>
          [...Map.groupBy(answers, ({ status }) => status)]
            .map(([status, all]) => [status, all.length])
            .sort();
        const range = Array.from({ length: 20 }, (_, at) => at);
        return {
          async creates(userName: string) {
            const answers = await Promise.all(
              range.map((at) => call('POST', '/Users', { ...via(at), body: userBody(userName) })),
            );
            assert.deepEqual(tally(answers), [
              [200, 1],
              [409, 19],
            ]);
          },
          async replaces() {
            const user = await fresh();
            const answers = await Promise.all(
              range.map((at) =>
                call('PUT', addressPath(user.id), {
                  ...via(at),
                  body: userBody(user.userName, { name: { familyName: `F${at}` } }),
                  headers: { 'if-match': user.meta.version },
                }),
              ),
            );
            assert.deepEqual(tally(answers), [
              [200, 1],
              [412, 19],
            ]);
            const winner = answers.find(({ status }) => status === 200)!;
            // Where it is depends on who is asked.
            const { meta, ...kept } = (await call('GET', addressPath(user.id))).body;
            const { meta: won, ...said } = winner.body;
            assert.deepEqual([kept, meta.version], [said, won.version]);
          },
          async patches() {
            const user = await fresh();
            const answers = await Promise.all(
              range.map((at) =>
                call('PATCH', addressPath(user.id), {
                  ...via(at),
                  body: patchBody({ op: 'add', path: 'phoneNumbers', value: [{ value: `+${at}` }] }),
                }),
              ),
            );
            assert.deepEqual(tally(answers), [[200, 20]]);
            const { body } = await call('GET', addressPath(user.id));
            const numbers = body.phoneNumbers.map((one: { value: string }) => one.value).sort();
            assert.deepEqual(numbers, range.map((at) => `+${at}`).sort());
            assert.equal(body.meta.version, 'W/"21"');
          },
          async ids() {
            const answers = await Promise.all(
              range.map((at) => call('POST', '/Users', { ...via(at), body: userBody(`many-${++count}`) })),
            );
            const ids = answers.map(({ body }) => body.id);
            assert.equal(new Set(ids).size, 20);
            const { body } = await call('GET', '/Users?count=0');
            const last = await call('GET', `/Users?startIndex=${body.totalResults - 19}`);
            assert.deepEqual(
              last.body.resources.map((one: { id: number }) => one.id),
              ids.toSorted((a, b) => a - b),
            );
          },
        };
      };

      it('of 20 creates with one userName one wins, and 19 are conflicts [D-51]', async () => {
        await race([context.service.baseUrl]).creates('contested');
      });
      it('of 20 replaces with one If-Match one wins [D-58] [D-82]', async () => {
        await race([context.service.baseUrl]).replaces();
      });
      it('20 patches that add different phone numbers are all kept [D-58]', async () => {
        await race([context.service.baseUrl]).patches();
      });
      it('20 creates get 20 ids and stand at the end of the list [D-50]', async () => {
        await race([context.service.baseUrl]).ids();
      });

      if (engine.name === 'postgres') {
        describe('through two processes on one PostgreSQL', () => {
          let services: readonly string[];
          let other: Service;
          before(async () => {
            other = await context.another();
            services = [context.service.baseUrl, other.baseUrl];
          });
          it('of 20 creates with one userName one wins, and 19 are conflicts [D-51]', async () => {
            await race(services).creates('contested-by-two');
          });
          it('of 20 replaces with one If-Match one wins [D-58]', async () => {
            await race(services).replaces();
          });
          it('20 patches that add different phone numbers are all kept [D-58]', async () => {
            await race(services).patches();
          });
          it('20 creates get 20 ids and stand at the end of the list [D-50]', async () => {
            await race(services).ids();
          });
        });
      }
    });
  });
}
