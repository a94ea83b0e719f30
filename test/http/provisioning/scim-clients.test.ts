// What clients of the standard face send, and what they may rely on: patches as Microsoft's validator and its role
// mapping write them, addresses with a slash behind them, names that look alike, and patches that are made to be long.
// There are 500 users, and another account beside them.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { patience } from '../../support/patience.ts';
import { bulkSchema, enterpriseSchema, serviceSchema, userSchema } from '../../support/schema-urns.ts';
import { assertRefusal, group, make, patchOf, standardCall, standardUser } from '../../support/scim.ts';
import { commandHereOk, until } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';
import {
  type Answer,
  type Call,
  create,
  type ProvisioningService,
  patchBody,
  startProvisioning,
  userBody,
} from '../../support/users.ts';

const population = 500;

for (const engine of engines) {
  describe(`clients of the standard face on ${engine.name}`, () => {
    let context: ProvisioningService;
    let call: Call;
    let ids: string[] = [];
    before(async () => {
      context = await startProvisioning(engine, { ...patience, SOUNDINGS_BODY_LIMIT_BYTES: '1000000' });
      call = standardCall(context);
      const Operations = Array.from({ length: population }, (_, at) => ({
        method: 'POST',
        path: '/Users',
        bulkId: `u${at}`,
        data: standardUser(`someone-${at}`, { displayName: `Someone ${at}` }),
      }));
      const made = await call('POST', '/Bulk', { body: { schemas: [bulkSchema], Operations } });
      ids = made.body.Operations.map((one: { location: string }) => one.location.split('/').at(-1));
    });
    after(() => context?.close());

    let next = 0;
    /** Another one of the population each time. */
    const somebody = (): string => ids[(next++ * 7) % population]!;
    const patch = (id: string, ...operations: object[]): Promise<Answer> =>
      call('PATCH', `/Users/${id}`, { body: patchOf(...operations) });

    describe('patches', () => {
      const made: readonly (readonly [string, unknown, string, unknown])[] = [
        ['roles[primary eq "True"].value', 'admin', 'roles', [{ value: 'admin', primary: true }]],
        ['emails[primary eq true].value', 'a@x', 'emails', [{ value: 'a@x', primary: true }]],
        [
          'emails[type eq "work" and primary eq true].value',
          'b@x',
          'emails',
          [{ value: 'b@x', type: 'work', primary: true }],
        ],
        ['addresses[type eq "untyped"].country', 'DE', 'addresses', [{ country: 'DE', type: 'untyped' }]],
        ['phoneNumbers[value eq "1"].type', 'mobile', 'phoneNumbers', [{ value: '1', type: 'mobile' }]],
      ];
      for (const [path, value, attribute, expected] of made) {
        // By its value, `replace` means one that is there.
        for (const op of path.includes('[value eq') ? ['add'] : ['add', 'Replace']) {
          it(`${op} ${path} makes the element that it describes [D-160]`, async () => {
            const id = somebody();
            const answer = await patch(id, { op, path, value }, { op: 'add', path: 'title', value: 'kept' });
            assert.equal(answer.status, 200, answer.text);
            assert.deepEqual([answer.body[attribute], answer.body.title], [expected, 'kept']);
            assert.deepEqual((await call('GET', `/Users/${id}`)).body[attribute], expected);
          });
        }
      }

      it('the same on the face of the interface [D-160]', async () => {
        const user = await create(context.call, 'service-made', { externalId: 'service-made' });
        const path = 'emails[type eq "desk" and primary eq "True"].value';
        const answer = await context.call('PATCH', `/Users/${user.externalId}`, {
          body: patchBody({ op: 'add', path, value: 'd@x' }),
        });
        assert.equal(answer.status, 200, answer.text);
        assert.deepEqual(answer.body.emails, [
          { ...user.emails[0], primary: false },
          { value: 'd@x', type: 'desk', primary: true },
        ]);
      });

      it('two parts of one element are removed in one patch, and with them the element [D-160]', async () => {
        const emails = [
          { value: 'w@x', display: 'W', type: 'work' },
          { value: 'h@x', type: 'home' },
        ];
        const { id } = await make(call, '/Users', standardUser('two-parts', { emails }));
        const answer = await patch(
          id,
          { op: 'remove', path: 'emails[type eq "work"].value' },
          { op: 'remove', path: 'emails[type eq "work"].display' },
        );
        assert.equal(answer.status, 200, answer.text);
        assert.deepEqual(answer.body.emails, [emails[1]]);
      });

      it('a manager whose value is removed leaves no address behind [D-160]', async () => {
        const manager = { value: '5', $ref: '../Users/5' };
        const { id } = await make(
          call,
          '/Users',
          standardUser('managed', { [enterpriseSchema]: { department: 'd', manager } }),
        );
        const answer = await patch(id, { op: 'remove', path: `${enterpriseSchema}:manager.value` });
        assert.deepEqual(answer.body[enterpriseSchema], { department: 'd' });
      });

      it('a suspension goes through beside attributes that nobody knows, and the log names them [D-161]', async () => {
        const id = somebody();
        const value = { active: false, shoeSize: 43, 'urn:example:other:2.0:User': { a: 1 } };
        const answer = await patch(id, { op: 'replace', value });
        assert.deepEqual([answer.status, answer.body.active], [200, false], answer.text);
        const requestId = answer.headers.get('x-request-id');
        const own = (text: string) =>
          JSON.parse(text)
            .flatMap(({ requests }: { requests: object[] }) => requests)
            .find((one: { id: string }) => one.id === requestId);
        const log = await until(
          () => commandHereOk(['scim', 'log', '--account', '1', '--count', '1000', '--json'], context.env),
          (text) => own(text) !== undefined,
        );
        assert.equal(
          own(log).understood,
          'ignored: shoeSize, urn:example:other:2.0:User; replace active (false)',
        );
        assert.equal(own(log).changed, 'active (false)');
        // In a path that is written out, an unknown name is a mistake of the mapping, and nothing is changed by it.
        const written = await patch(
          id,
          { op: 'replace', path: 'active', value: true },
          { op: 'replace', path: 'shoeSize', value: 43 },
        );
        assertRefusal(written, 400, 'invalidPath');
        assert.equal((await call('GET', `/Users/${id}`)).body.active, false);
      });

      it('a refusal says its sentence once', async () => {
        const id = somebody();
        const said: readonly (readonly [Answer, string])[] = [
          [
            await patch(id, { op: 'replace', path: 'shoeSize', value: 43 }),
            'Operations[0].path: The path cannot be read at position 1: no attribute has this name.',
          ],
          [
            await patch(id, { op: 'remove', path: 'emails[type eq "castle"]' }),
            'Operations[0]: the path selects no element.',
          ],
          [
            await patch(id, { op: 'replace', path: 'active', value: 5 }),
            'Operations[0]: active must be true or false.',
          ],
          [
            await call('GET', '/Users?filter=nobody%20eq%20%22x%22'),
            'The filter cannot be read at position 1: no attribute has this name.',
          ],
          [
            await call('POST', '/Users', { body: standardUser('SOMEONE-1') }),
            'Another user of the account has this userName.',
          ],
          [
            await call('POST', '/Users', { body: { schemas: [userSchema] } }),
            'The user is not valid. userName is required.',
          ],
        ];
        for (const [answer, sentence] of said) assert.equal(answer.body.detail, sentence);
      });
    });

    describe('bodies', () => {
      it('PUT keeps the extension of this service that its schemas does not name, and clears it when it does [D-163]', async () => {
        const extension = { clientId: 77, authenticationProvider: 'idp-1' };
        const user = await create(context.call, 'extended', {
          externalId: 'extended',
          [serviceSchema]: extension,
        });
        const path = `/Users/${user.id}`;
        const put = await call('PUT', path, {
          body: standardUser('extended', { title: 't', [enterpriseSchema]: { department: 'd' } }),
        });
        assert.deepEqual([put.status, put.body[serviceSchema]], [200, extension], put.text);
        assert.deepEqual((await context.call('GET', '/Users/extended')).body[serviceSchema], extension);
        // Any other extension is cleared by silence, as every attribute is.
        const again = await call('PUT', path, { body: standardUser('extended') });
        assert.deepEqual([again.body[serviceSchema], again.body[enterpriseSchema]], [extension, undefined]);
        const said = await call('PUT', path, {
          body: standardUser('extended', { [serviceSchema]: { clientId: 78 } }),
        });
        assert.deepEqual(said.body[serviceSchema], { clientId: 78 });
        const named = await call('PUT', path, {
          body: { ...standardUser('extended'), schemas: [userSchema, serviceSchema.toUpperCase()] },
        });
        assert.deepEqual(named.body[serviceSchema], { clientId: 1 });
      });

      it('the same type and value stand in a list once, whoever sends them twice, by create, replace and patch', async () => {
        const emails = [
          { value: 'a@x', type: 'work' },
          { value: 'a@x', type: 'home' },
          { value: 'a@x', type: 'work', primary: true },
        ];
        const once = [
          { value: 'a@x', type: 'work', primary: true },
          { value: 'a@x', type: 'home' },
        ];
        const user = await make(call, '/Users', standardUser('repeated', { emails }));
        assert.deepEqual(user.emails, once);
        const put = await call('PUT', `/Users/${user.id}`, { body: standardUser('repeated', { emails }) });
        assert.deepEqual(put.body.emails, once);
        const patched = await patch(user.id, { op: 'replace', path: 'emails', value: emails });
        assert.deepEqual(patched.body.emails, once);
        const retyped = await patch(user.id, {
          op: 'replace',
          path: 'emails[type eq "home"].type',
          value: 'work',
        });
        assert.deepEqual(retyped.body.emails, [once[0]]);
        assert.deepEqual((await call('GET', `/Users/${user.id}`)).body.emails, [once[0]]);
        // Those that were kept twice before are shown once, on both faces.
        await storeRows(
          context.store.databaseUrl,
          `update account_user
           set profile = replace(profile, '"emails":[', '"emails":[{"value":"a@x","type":"work"},'),
             revision = revision + 1
           where id = ${user.id} returning id`,
        );
        assert.deepEqual((await call('GET', `/Users/${user.id}`)).body.emails, [once[0]]);
        assert.deepEqual((await context.call('GET', `/Users/${user.id}`)).body.emails, [once[0]]);
      });

      const lookalikes = [
        'ada ',
        ' ada',
        'ada\u00a0',
        'a\u200bda',
        'ada\u200d',
        '\ufeffada',
        'a\u00adda',
        'ada\u2060',
      ];
      for (const [at, userName] of lookalikes.entries()) {
        it(`${JSON.stringify(userName)} (${at}) is nobody's new name, by create, replace and patch, on both faces [D-162]`, async () => {
          const told =
            /userName must not (begin or end with white space|hold characters that cannot be seen)/;
          const refuse = (answer: Answer): void => {
            assert.equal(answer.status, 400, answer.text);
            assert.match(answer.text, told);
          };
          const id = somebody();
          refuse(await call('POST', '/Users', { body: standardUser(userName) }));
          refuse(await context.call('POST', '/Users', { body: userBody(userName) }));
          refuse(await call('PUT', `/Users/${id}`, { body: standardUser(userName) }));
          refuse(await patch(id, { op: 'replace', path: 'userName', value: userName }));
          refuse(await patch(id, { op: 'replace', value: { userName, active: false } }));
          assert.match((await call('GET', `/Users/${id}`)).body.userName, /^someone-\d+$/);
        });
      }

      it('whoever has such a name already can be read, patched, replaced and renamed, and no longer named so [D-162]', async () => {
        const { id } = await make(call, '/Users', standardUser('older'));
        await storeRows(
          context.store.databaseUrl,
          `update account_user
           set profile = replace(profile, '"older"', '"older "'), user_name_key = 'older ', revision = revision + 1
           where id = ${id} returning id`,
        );
        const path = `/Users/${id}`;
        assert.equal((await call('GET', path)).body.userName, 'older ');
        const patched = await patch(id, { op: 'add', path: 'title', value: 't' });
        assert.deepEqual([patched.status, patched.body.title], [200, 't'], patched.text);
        const same = { op: 'replace', value: { userName: 'older ', active: false } };
        assert.equal((await patch(id, same)).body.active, false);
        assert.equal((await call('PUT', path, { body: standardUser('older ') })).status, 200);
        assert.equal((await patch(id, { op: 'replace', path: 'userName', value: 'newer' })).status, 200);
        assertRefusal(
          await patch(id, { op: 'replace', path: 'userName', value: 'older ' }),
          400,
          'invalidValue',
        );
      });

      it('ServiceProviderConfig states the limit that is set, and it holds', async () => {
        const { body } = await call('GET', '/ServiceProviderConfig');
        assert.equal(body.bulk.maxPayloadSize, 1_000_000);
        const bulkOf = (bytes: number): string => {
          const start = `{"schemas":["${bulkSchema}"],"Operations":[{"method":"DELETE","path":"/Users/5"}]`;
          return `${start}${' '.repeat(bytes - start.length - 1)}}`;
        };
        assert.equal((await call('POST', '/Bulk', { body: bulkOf(1_000_000) })).status, 200);
        assertRefusal(await call('POST', '/Bulk', { body: bulkOf(1_000_001) }), 413);
      });
    });

    describe('addresses', () => {
      it('a slash behind an address means the same resource, on both faces, for every method [D-91]', async () => {
        const filter = `filter=${encodeURIComponent('userName eq "someone-3"')}`;
        const list = await call('GET', `/Users/?${filter}`);
        assert.deepEqual([list.status, list.body.totalResults], [200, 1], list.text);
        assert.equal((await call('GET', '/Users/')).body.totalResults >= population, true);
        const made = await call('POST', '/Users/', {
          body: standardUser('slashed', { externalId: 'slashed' }),
        });
        assert.equal(made.status, 201, made.text);
        const path = `/Users/${made.body.id}/`;
        assert.deepEqual((await call('GET', path)).body, made.body);
        assert.equal((await call('PUT', path, { body: standardUser('slashed') })).status, 200);
        const title = patchOf({ op: 'add', path: 'title', value: 't' });
        assert.equal((await call('PATCH', `${path}?attributes=title`, { body: title })).body.title, 't');
        assert.equal((await context.call('GET', '/Users/slashed/')).body.userName, 'slashed');
        assert.equal((await context.call('GET', `/Users/?${filter}`)).body.totalResults, 1);
        const search = { body: { filter: 'userName eq "slashed"' } };
        assert.equal((await context.call('POST', '/Users/.search/', search)).body.totalResults, 1);
        assert.equal((await call('POST', '/.search/', search)).body.totalResults, 1);
        for (const one of ['/ServiceProviderConfig/', '/ResourceTypes/', '/Schemas/', '/Groups/'])
          assert.equal((await call('GET', one)).status, 200, one);
        assert.equal((await call('DELETE', path)).status, 204);
        assert.equal((await call('GET', path)).status, 404);
        // A slash that belongs to a name is written in its own way, and is not taken for one of the address.
        await create(context.call, 'with-slash', { externalId: 'a/' });
        assert.equal((await context.call('GET', '/Users/a%2F')).status, 200);
        assert.equal((await context.call('GET', '/Users/a')).status, 404);
        assertRefusal(await call('GET', '/Nothing/'), 404);
        assert.equal((await call('DELETE', '/Users/')).status, 405);
      });
    });

    describe('patches that are made to be long', () => {
      /** How often somebody else was answered while it was under way. */
      const answeredDuring = async <T>(work: Promise<T>): Promise<readonly [T, number]> => {
        let isDone = false;
        const done = work.finally(() => {
          isDone = true;
        });
        let answered = 0;
        while (!isDone) {
          const health = await fetch(`${context.service.baseUrl}/livez`);
          await health.text();
          if (!isDone && health.status === 200) answered += 1;
        }
        return [await done, answered];
      };
      const padded = (term: string, terms: number): string =>
        Array.from({ length: terms }, (_, at) => term.replace('#', `${at}`)).join(' or ');

      it('a thousand conditions over a group of hundreds leave whom they should, and others are served all the while', async () => {
        const { id } = await make(call, '/Groups', group('Many conditions', ids));
        // Each removes one by a part of the name, and looks in vain for three others.
        const operations = Array.from({ length: 999 }, (_, at) => ({
          op: 'remove',
          path: `members[display ew "one ${at + 250}" or ${padded(`display co "no-one-${at}-#"`, 3)}]`,
        }));
        const body = patchOf(
          ...operations,
          { op: 'remove', path: 'members[display eq "SOMEONE 3"]' },
          { op: 'add', path: 'members', value: [{ value: ids[400] }] },
        );
        const patching = call('PATCH', `/Groups/${id}`, { body: { ...body, Operations: operations } });
        const [answer, answered] = await answeredDuring(patching);
        assert.equal(answer.status, 204, answer.text);
        const left = (await call('GET', `/Groups/${id}`)).body.members.map(
          (member: { value: string }) => member.value,
        );
        assert.deepEqual(left, ids.slice(0, 250));
        assert.ok(answered >= 3, `${answered}`);
        const more = patchOf(
          { op: 'remove', path: 'members[display eq "SOMEONE 3"]' },
          { op: 'add', path: 'members', value: [{ value: ids[400] }, { value: ids[401] }] },
          { op: 'remove', path: 'members[type eq "User" and display eq "someone 401"]' },
        );
        assert.equal((await call('PATCH', `/Groups/${id}`, { body: more })).status, 204);
        const then = (await call('GET', `/Groups/${id}`)).body.members;
        assert.deepEqual(
          then.map((member: { value: string }) => member.value),
          [...ids.slice(0, 250).filter((one) => one !== ids[3]), ids[400]],
        );
      });

      it('what one request may not use is refused, with nothing changed, and others are served all the while', async () => {
        const { id, meta } = await make(call, '/Groups', group('Too many conditions', ids));
        const operations = Array.from({ length: 1000 }, (_, at) => ({
          op: 'remove',
          path: `members[${padded(`display co "no-one-${at}-#"`, 20)}]`,
        }));
        const patching = call('PATCH', `/Groups/${id}`, { body: patchOf(...operations) });
        const [answer, answered] = await answeredDuring(patching);
        assertRefusal(answer, 400, 'tooMany');
        assert.ok(answered >= 3, `${answered}`);
        assert.equal((await call('GET', `/Groups/${id}`)).body.meta.version, meta.version);
        assert.equal((await call('DELETE', `/Groups/${id}`)).status, 204);
      });

      it('the same holds for the lists of a user, on both faces', async () => {
        const emails = Array.from({ length: 100 }, (_, at) => ({ value: `${at}@x`, type: 'work' }));
        const user = await make(call, '/Users', standardUser('hundred', { emails }));
        const operations = (count: number, terms: number) =>
          Array.from({ length: count }, (_, at) => ({
            op: 'replace',
            path: `emails[value eq "${at % 100}@x" or ${padded('type eq "#"', terms)}].type`,
            value: at % 2 === 0 ? 'home' : 'other',
          }));
        const [done] = await answeredDuring(patch(user.id, ...operations(1000, 3)));
        assert.equal(done.status, 200, done.text);
        assert.deepEqual(
          done.body.emails.map(({ type }: { type: string }) => type),
          emails.map((_, at) => (at % 2 === 0 ? 'home' : 'other')),
        );
        const [refused, answered] = await answeredDuring(patch(user.id, ...operations(1000, 52)));
        assertRefusal(refused, 400, 'tooMany');
        assert.ok(answered >= 3, `${answered}`);
        const there = await call('GET', `/Users/${user.id}`);
        assert.equal(there.headers.get('etag'), done.headers.get('etag'));
        const onServiceFace = await context.call('PATCH', `/Users/${user.id}`, {
          body: patchBody(...operations(1000, 52)),
        });
        assert.deepEqual([onServiceFace.status, onServiceFace.body.errorCode], [400, 'TOO_MUCH_WORK']);
      });

      it('tens of thousands of members in one body are read in pieces', async () => {
        const members = Array.from({ length: 25_000 }, (_, at) => ids[at % population]!);
        const [made, answered] = await answeredDuring(
          call('POST', '/Groups', { body: group('Repeated members', members) }),
        );
        assert.equal(made.status, 201, made.text.slice(0, 200));
        assert.deepEqual(
          made.body.members.map((member: { value: string }) => member.value),
          ids,
        );
        assert.ok(answered >= 1, `${answered}`);
        const faulty = await call('POST', '/Groups', {
          body: { ...group('Faulty'), members: Array(50_000).fill({}) },
        });
        assertRefusal(faulty, 400, 'invalidValue');
        // The first thousand faults are told, and the rest of the body is not looked at.
        assert.ok(faulty.body.detail.includes('members[999].value is required.'));
        assert.ok(!faulty.body.detail.includes('members[1000]'));
      });
    });
  });
}
