import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { exchange } from '../../support/exchange.ts';
import { enterpriseSchema, errorSchema, listSchema, userSchema } from '../../support/schema-urns.ts';
import {
  assertRefusal,
  callStandard,
  group,
  make,
  patchOf,
  standardCall,
  standardUser,
} from '../../support/scim.ts';
import { storeRows } from '../../support/store-rows.ts';
import { type Call, type ProvisioningService, startProvisioning } from '../../support/users.ts';

const full = {
  externalId: 'hr-9',
  name: {
    formatted: 'Dr. Ada L.',
    familyName: 'Lovelace',
    givenName: 'Ada',
    middleName: 'K',
    honorificPrefix: 'Dr.',
    honorificSuffix: 'III',
  },
  displayName: 'Ada',
  nickName: 'A',
  profileUrl: 'https://example.com/ada',
  title: 'Analyst',
  userType: 'Employee',
  preferredLanguage: 'en',
  locale: 'en-GB',
  timezone: 'Europe/London',
  active: true,
  emails: [{ value: 'ada@example.com', display: 'ada', type: 'work', primary: true }],
  phoneNumbers: [{ value: '+44 1', type: 'mobile' }],
  ims: [{ value: 'ada', type: 'xmpp' }],
  photos: [{ value: 'https://example.com/ada.jpg', type: 'photo' }],
  addresses: [
    {
      formatted: 'x',
      streetAddress: 's',
      locality: 'l',
      region: 'r',
      postalCode: 'p',
      country: 'GB',
      type: 'work',
    },
  ],
  entitlements: [{ value: 'e' }],
  roles: [{ value: 'admin', primary: true }],
  x509Certificates: [{ value: 'TUlJ' }],
  [enterpriseSchema]: {
    employeeNumber: '7',
    costCenter: 'c',
    organization: 'o',
    division: 'v',
    department: 'd',
    manager: { value: '26118915', $ref: '../Users/26118915' },
  },
};

for (const engine of engines) {
  describe(`users of the standard face on ${engine.name}`, () => {
    let context: ProvisioningService;
    let call: Call;
    before(async () => {
      context = await startProvisioning(engine);
      call = standardCall(context);
    });
    after(() => context?.close());

    describe('create and read', () => {
      it('answers 201 with Location, ETag and every attribute as it was sent, the password aside [D-52]', async () => {
        const body = {
          ...standardUser('full'),
          ...full,
          password: 'secret',
          id: 'mine',
          groups: [{ value: '1' }],
          meta: { version: 'x' },
        };
        const answer = await call('POST', '/Users', { body });
        assert.equal(answer.status, 201, answer.text);
        assert.equal(answer.headers.get('content-type'), 'application/scim+json');
        const { id, meta, schemas, ...rest } = answer.body;
        assert.match(id, /^1\d{9}$/);
        assert.equal(answer.headers.get('location'), `${context.service.baseUrl}/scim/v2/Users/${id}`);
        assert.equal(meta.location, answer.headers.get('location'));
        assert.equal(meta.version, answer.headers.get('etag'));
        assert.equal(meta.resourceType, 'User');
        assert.ok(schemas.includes(userSchema) && schemas.includes(enterpriseSchema));
        for (const [name, value] of Object.entries({ userName: 'full', ...full }))
          assert.deepEqual(rest[name], value, name);
        assert.equal(answer.text.includes('secret'), false);
        assert.deepEqual((await call('GET', `/Users/${id}`)).body, answer.body);
        const rows = await storeRows(
          context.store.databaseUrl,
          `select profile from account_user where id = ${id}`,
        );
        assert.equal(JSON.stringify(rows).includes('secret'), false);
      });

      it('a name or externalId that is taken is 409 with uniqueness, and says which [D-51]', async () => {
        await make(call, '/Users', standardUser('Taken', { externalId: 'taken-1' }));
        assertRefusal(await call('POST', '/Users', { body: standardUser('TAKEN') }), 409, 'uniqueness');
        const both = await call('POST', '/Users', { body: standardUser('taken', { externalId: 'taken-1' }) });
        assertRefusal(both, 409, 'uniqueness');
        assert.match(both.body.detail, /userName.*externalId/);
      });

      it('only schemas and userName are required, and faults are told all at once [D-22]', async () => {
        assert.equal((await call('POST', '/Users', { body: standardUser('bare') })).status, 201);
        const refused = await call('POST', '/Users', { body: { emails: 'x', active: 7 } });
        assertRefusal(refused, 400, 'invalidValue');
        for (const name of ['schemas', 'userName', 'active'])
          assert.ok(refused.body.detail.includes(name), name);
        assertRefusal(await call('POST', '/Users', { body: '{"userName":' }), 400, 'invalidSyntax');
        assertRefusal(await call('POST', '/Users', { body: '{"__proto__":{"x":1}}' }), 400, 'invalidSyntax');
      });

      it('a path takes the internal id and nothing else, of this account alone [D-10] [D-52]', async () => {
        const { id } = await make(call, '/Users', standardUser('addressed', { externalId: 'ext-addressed' }));
        for (const path of [
          'ext-addressed',
          `0${id}`,
          `+${id}`,
          '1e9',
          'addressed',
          '999',
          '%2e%2e',
          'constructor',
        ])
          assertRefusal(await call('GET', `/Users/${path}`), 404);
        const foreign = { token: context.foreignToken };
        assertRefusal(await call('GET', `/Users/${id}`, foreign), 404);
        assertRefusal(
          await call('PATCH', `/Users/${id}`, {
            ...foreign,
            body: patchOf({ op: 'add', path: 'title', value: 'x' }),
          }),
          404,
        );
        assertRefusal(await call('PUT', `/Users/${id}`, { ...foreign, body: standardUser('x') }), 404);
        assertRefusal(await call('DELETE', `/Users/${id}`, foreign), 404);
        const list = await call('GET', `/Users?filter=${encodeURIComponent(`id eq "${id}"`)}`, foreign);
        assert.equal(list.body.totalResults, 0);
        assert.equal((await call('GET', `/Users/${id}`)).status, 200);
      });
    });

    describe('attributes and excludedAttributes', () => {
      it('choose what is shown, of one user, of lists, of searches and of changes', async () => {
        const { id } = await make(
          call,
          '/Users',
          standardUser('chosen', { title: 't', name: { givenName: 'g', familyName: 'f' } }),
        );
        const filter = encodeURIComponent('userName eq "chosen"');
        const only = {
          schemas: [userSchema, 'urn:ietf:params:scim:schemas:extension:service:1.0:User'],
          id,
          title: 't',
          name: { givenName: 'g' },
        };
        const wanted = 'attributes=title,name.givenName,unknown';
        const { body: one } = await call('GET', `/Users/${id}?${wanted}`);
        assert.deepEqual(one, only);
        assert.deepEqual((await call('GET', `/Users?filter=${filter}&${wanted}`)).body.Resources, [only]);
        const search = { filter: 'userName eq "chosen"', attributes: ['title', 'NAME.givenName'] };
        assert.deepEqual((await call('POST', '/Users/.search', { body: search })).body.Resources, [only]);
        const patch = patchOf({ op: 'replace', path: 'nickName', value: 'n' });
        assert.deepEqual((await call('PATCH', `/Users/${id}?${wanted}`, { body: patch })).body, only);
        const without = (await call('GET', `/Users/${id}?excludedAttributes=title,id,meta`)).body;
        assert.deepEqual([without.id, 'title' in without, 'meta' in without], [id, false, false]);
        assertRefusal(
          await call('GET', `/Users/${id}?attributes=a&excludedAttributes=b`),
          400,
          'invalidValue',
        );
        const created = await call('POST', '/Users?attributes=userName', {
          body: standardUser('chosen-2', { title: 't' }),
        });
        assert.deepEqual(
          [created.status, created.body.userName, 'title' in created.body],
          [201, 'chosen-2', false],
        );
      });
    });

    describe('replace and patch', () => {
      it('PUT sets the whole user, keeps state and externalId by silence, and creates nothing [D-55]', async () => {
        const { id } = await make(call, '/Users', {
          ...standardUser('put'),
          ...full,
          externalId: 'put-1',
          active: false,
        });
        const { status, body } = await call('PUT', `/Users/${id}`, {
          body: standardUser('put', { title: 'only' }),
        });
        assert.equal(status, 200);
        assert.deepEqual(
          [body.title, body.active, body.externalId, body.emails, body.nickName],
          ['only', false, 'put-1', undefined, undefined],
        );
        assertRefusal(await call('PUT', '/Users/1999999999', { body: standardUser('none') }), 404);
      });

      it('PATCH is all or nothing, answers 200 with the user, and no change leaves the version [D-56]', async () => {
        const { id } = await make(call, '/Users', standardUser('patched', { title: 'before' }));
        const half = patchOf(
          { op: 'replace', path: 'title', value: 'after' },
          { op: 'replace', path: 'nowhere', value: 1 },
        );
        assertRefusal(await call('PATCH', `/Users/${id}`, { body: half }), 400, 'invalidPath');
        const { body: same, headers } = await call('GET', `/Users/${id}`);
        assert.equal(same.title, 'before');
        const none = await call('PATCH', `/Users/${id}`, {
          body: patchOf({ op: 'Replace', path: 'title', value: 'before' }),
        });
        assert.equal(none.headers.get('etag'), headers.get('etag'));
        assert.deepEqual(none.body, same);
        const table = [
          [{ op: 'remove' }, 'noTarget'],
          [{ op: 'replace', path: 'id', value: 'x' }, 'mutability'],
          [{ op: 'remove', path: 'userName' }, 'mutability'],
          [{ op: 'add', path: 'title' }, 'invalidValue'],
          [{ op: 'replace', path: 'groups', value: [] }, 'mutability'],
          [{ op: 'replace', path: 'emails[value sw "x"].display', value: 'x' }, 'noTarget'],
          [{ op: 'x', path: 'title', value: 'x' }, 'invalidSyntax'],
          [{ op: 'add', path: '__proto__.polluted', value: 'x' }, 'invalidPath'],
        ] as const;
        for (const [operation, scimType] of table)
          assertRefusal(await call('PATCH', `/Users/${id}`, { body: patchOf(operation) }), 400, scimType);
      });

      it('replace finds its element or is noTarget, where the type is none of the attribute or the value is not there [D-160]', async () => {
        const { id } = await make(call, '/Users', {
          ...standardUser('targets'),
          emails: [{ value: 'w@example.com', type: 'work' }],
        });
        const before = await call('GET', `/Users/${id}`);
        const refused: readonly (readonly [path: string, value: unknown])[] = [
          ['emails[type eq "nonexistent"].value', 'x@example.com'],
          ['emails[type eq "nonexistent"]', { value: 'x@example.com' }],
          ['phoneNumbers[type eq "landline" and primary eq true].value', '1'],
          ['addresses[type eq "castle"].country', 'DE'],
          ['emails[value eq "z@example.com"].type', 'home'],
          ['emails[type eq "work" and value eq "z@example.com"].display', 'x'],
        ];
        for (const [path, value] of refused)
          for (const operation of [
            { op: 'replace', path, value },
            { op: 'Replace', value: { [path]: value } },
          ])
            assertRefusal(await call('PATCH', `/Users/${id}`, { body: patchOf(operation) }), 400, 'noTarget');
        assert.deepEqual((await call('GET', `/Users/${id}`)).body, before.body);

        const patched = await call('PATCH', `/Users/${id}`, {
          body: patchOf(
            { op: 'replace', path: 'emails[type eq "HOME"].value', value: 'my.home@example.com' },
            { op: 'replace', path: 'addresses[type eq "untyped"].country', value: 'DE' },
            { op: 'replace', path: 'phoneNumbers[primary eq true].value', value: '1' },
            { op: 'replace', path: 'roles[type eq "castle"].value', value: 'guard' },
            { op: 'replace', path: 'entitlements[value eq "e"].display', value: 'E' },
            { op: 'add', path: 'emails[type eq "castle"].value', value: 'c@example.com' },
            { op: 'add', path: 'emails[value eq "v@example.com"].type', value: 'other' },
          ),
        });
        assert.equal(patched.status, 200, patched.text);
        const { emails, addresses, phoneNumbers, roles, entitlements } = patched.body;
        assert.deepEqual(
          { emails, addresses, phoneNumbers, roles, entitlements },
          {
            emails: [
              { value: 'w@example.com', type: 'work' },
              { value: 'my.home@example.com', type: 'home' },
              { value: 'c@example.com', type: 'castle' },
              { value: 'v@example.com', type: 'other' },
            ],
            addresses: [{ type: 'untyped', country: 'DE' }],
            phoneNumbers: [{ primary: true, value: '1' }],
            roles: [{ type: 'castle', value: 'guard' }],
            entitlements: [{ value: 'e', display: 'E' }],
          },
        );
        // What is there is found whatever its type is.
        const found = await call('PATCH', `/Users/${id}`, {
          body: patchOf({ op: 'replace', path: 'emails[type eq "castle"].value', value: 'd@example.com' }),
        });
        assert.equal(found.status, 200, found.text);
      });

      it('to remove active, or to set it to nothing, never changes whether a user is active [D-889]', async () => {
        for (const active of [true, false]) {
          const { id } = await make(call, '/Users', { ...standardUser(`active-${active}`), active });
          const table = [
            [{ op: 'remove', path: 'active' }, 'mutability'],
            [{ op: 'Remove', path: `${userSchema}:active` }, 'mutability'],
            [{ op: 'remove', path: 'active', value: true }, 'mutability'],
            [{ op: 'replace', path: 'active', value: null }, 'invalidValue'],
            [{ op: 'replace', path: 'active', value: '' }, 'invalidValue'],
            [{ op: 'add', path: 'active', value: null }, 'invalidValue'],
            [{ op: 'replace', value: { active: null, title: 'x' } }, 'invalidValue'],
          ] as const;
          for (const [operation, scimType] of table)
            assertRefusal(await call('PATCH', `/Users/${id}`, { body: patchOf(operation) }), 400, scimType);
          for (const more of [{ active: null }, {}]) {
            const put = await call('PUT', `/Users/${id}`, {
              body: { ...standardUser(`active-${active}`), ...more },
            });
            assert.deepEqual([put.status, put.body.active], [200, active], JSON.stringify(more));
          }
          const { body } = await call('GET', `/Users/${id}`);
          assert.deepEqual([body.active, body.title], [active, undefined]);
          await call('DELETE', `/Users/${id}`);
        }
      });

      it('the habits of identity providers are understood [D-56] [D-84]', async () => {
        const { id } = await make(call, '/Users', {
          ...standardUser('habits'),
          ...full,
          externalId: 'habits',
        });
        const patched = await call('PATCH', `/Users/${id}?aadOptscim062020`, {
          body: patchOf(
            { op: 'REPLACE', path: 'active', value: 'False' },
            {
              op: 'Add',
              value: { 'name.givenName': 'G', [`${enterpriseSchema}:department`]: 'D', title: '' },
            },
            { op: 'replace', path: `${enterpriseSchema}:manager`, value: '5' },
            { op: 'replace', path: 'nickName', value: null },
            { op: 'replace', path: 'roles', value: [] },
            { op: 'replace', path: 'emails[type eq "home"].value', value: 'h@example.com' },
          ),
        });
        assert.equal(patched.status, 200, patched.text);
        const { body } = patched;
        assert.equal(body.active, false);
        assert.deepEqual([body.name.givenName, body[enterpriseSchema].department], ['G', 'D']);
        assert.deepEqual(body[enterpriseSchema].manager, { value: '5' });
        for (const gone of ['title', 'nickName', 'roles']) assert.equal(gone in body, false, gone);
        assert.ok(
          body.emails.some(
            (email: { type: string; value: string }) =>
              email.type === 'home' && email.value === 'h@example.com',
          ),
        );
        // Suspended, it is found like anyone else, and can come back.
        const found = await call(
          'GET',
          `/Users?filter=${encodeURIComponent('emails[type eq "home"].value eq "H@example.com"')}`,
        );
        assert.deepEqual([found.body.totalResults, found.body.Resources[0].active], [1, false]);
        const back = await call('PATCH', `/Users/${id}`, {
          body: patchOf({ op: 'replace', value: { active: true } }),
        });
        assert.equal(back.body.active, true);
      });

      it('versions are honoured: 304, 412, and of many writers none is lost [D-58]', async () => {
        const made = await make(call, '/Users', standardUser('versions'));
        const path = `/Users/${made.id}`;
        const { version } = made.meta;
        assert.equal((await call('GET', path, { headers: { 'if-none-match': version } })).status, 304);
        const body = patchOf({ op: 'add', path: 'title', value: 't' });
        assert.equal((await call('PATCH', path, { body, headers: { 'if-match': version } })).status, 200);
        assertRefusal(await call('PATCH', path, { body, headers: { 'if-match': version } }), 412);
        assertRefusal(
          await call('PUT', path, { body: standardUser('versions'), headers: { 'if-match': version } }),
          412,
        );
        assertRefusal(await call('DELETE', path, { headers: { 'if-match': version } }), 412);
        const many = await Promise.all(
          Array.from({ length: 12 }, (_, at) =>
            call('PATCH', path, {
              body: patchOf({ op: 'add', path: 'roles', value: [{ value: `r${at}` }] }),
            }),
          ),
        );
        assert.deepEqual([...new Set(many.map(({ status }) => status))], [200]);
        assert.equal((await call('GET', path)).body.roles.length, 12);
      });
    });

    describe('delete', () => {
      it('is 204, and from then on the user is on no face, in no list and in no group [D-94]', async () => {
        const { id } = await make(
          call,
          '/Users',
          standardUser('Goner', {
            externalId: 'goner-1',
            displayName: 'Goner Smith',
            emails: [{ value: 'goner@example.com' }],
          }),
        );
        const { id: groupId, meta } = await make(call, '/Groups', group('of the goner', [id]));
        const before = (await call('GET', '/Users?count=0')).body.totalResults;
        const answer = await call('DELETE', `/Users/${id}`);
        assert.deepEqual([answer.status, answer.text], [204, '']);
        for (const method of ['GET', 'DELETE']) assertRefusal(await call(method, `/Users/${id}`), 404);
        assertRefusal(await call('PUT', `/Users/${id}`, { body: standardUser('Goner') }), 404);
        assert.equal((await context.call('GET', '/Users/goner-1')).status, 404);
        assert.equal((await call('GET', '/Users?count=0')).body.totalResults, before - 1);
        for (const filter of [
          'userName eq "goner"',
          'emails.value eq "goner@example.com"',
          'displayName sw "Goner"',
          `id eq "${id}"`,
          'externalId eq "goner-1"',
        ]) {
          const found = await call('GET', `/Users?filter=${encodeURIComponent(filter)}`);
          assert.deepEqual(
            [found.status, found.body.totalResults, found.body.Resources],
            [200, 0, []],
            filter,
          );
        }
        const left = await call('GET', `/Groups/${groupId}`);
        assert.deepEqual(left.body.members, []);
        assert.notEqual(left.body.meta.version, meta.version);
        // Its names are free, and whoever takes them is somebody else.
        const next = await make(call, '/Users', standardUser('goner', { externalId: 'goner-1' }));
        assert.notEqual(next.id, id);
      });

      it('leaves nothing personal behind but the entry that it happened, and when [D-57]', async () => {
        const secret = 'Zxqwvu';
        const { id } = await make(
          call,
          '/Users',
          standardUser(`${secret}-user`, {
            displayName: secret,
            name: { givenName: secret },
            emails: [{ value: `${secret}@example.com` }],
          }),
        );
        await call('DELETE', `/Users/${id}`);
        const { databaseUrl } = context.store;
        for (const table of ['account_user', 'user_email', 'group_member', 'audit']) {
          const rows = JSON.stringify(await storeRows(databaseUrl, `select * from ${table}`));
          assert.equal(rows.toLowerCase().includes(secret.toLowerCase()), false, table);
        }
        const entries = await storeRows(
          databaseUrl,
          `select action, at from audit where subject = 'user ${id}' order by at, action`,
        );
        assert.deepEqual(
          entries.map(({ action }) => action),
          ['user.create', 'user.delete'],
        );
        assert.ok(entries.every(({ at }) => Number(at) > 0));
      });

      it('one of two deletes at once is told that there is nobody, and pages stay whole', async () => {
        const made = await Promise.all(
          Array.from({ length: 6 }, (_, at) => make(call, '/Users', standardUser(`twice-${at}`))),
        );
        const answers = await Promise.all(
          made.flatMap(({ id }) => [call('DELETE', `/Users/${id}`), call('DELETE', `/Users/${id}`)]),
        );
        assert.deepEqual(answers.map(({ status }) => status).toSorted(), [
          ...Array(6).fill(204),
          ...Array(6).fill(404),
        ]);
        const { body } = await call('GET', '/Users?count=200');
        assert.equal(body.totalResults, body.Resources.length);
        const second = await call('GET', `/Users?startIndex=3&count=2`);
        assert.deepEqual(second.body.Resources, body.Resources.slice(2, 4));
      });
    });

    describe('lists', () => {
      it('have the shape of RFC 7644, and count and startIndex are brought into bounds [D-54]', async () => {
        const { body } = await call('GET', '/Users?startIndex=-3&count=-1&utm=x&unknown=1');
        assert.deepEqual(
          [body.schemas, body.startIndex, body.itemsPerPage, body.Resources],
          [[listSchema], 1, 0, []],
        );
        assert.ok(body.totalResults > 0);
        const beyond = await call('GET', '/Users?startIndex=100000&count=5');
        assert.deepEqual([beyond.body.startIndex, beyond.body.Resources], [100000, []]);
        assertRefusal(await call('GET', '/Users?count=x'), 400, 'invalidValue');
        assertRefusal(await call('GET', '/Users?sortBy=nowhere'), 400, 'invalidValue');
        const huge = await call('GET', '/Users?count=100000');
        assert.ok(huge.body.itemsPerPage <= 200);
      });
    });

    describe('discovery', () => {
      it('is read without a token, each document under its own address, and complete', async () => {
        const base = `${context.service.baseUrl}/scim/v2`;
        const config = await exchange(`${base}/ServiceProviderConfig?x=1`);
        assert.equal(config.status, 200);
        assert.equal(config.headers['content-type'], 'application/scim+json');
        assert.deepEqual(config.body.bulk, {
          supported: true,
          maxOperations: 1000,
          maxPayloadSize: 1_048_576,
        });
        for (const path of ['/ResourceTypes', '/Schemas']) {
          const list = await exchange(`${base}${path}`);
          const resources = list.body.Resources as { id: string; meta: { location: string } }[];
          assert.equal(list.body.totalResults, resources.length);
          for (const one of resources) {
            // Messages have schemas of their own, which are not among those of resources (RFC 7644 3.1).
            assert.equal(one.id.startsWith('urn:ietf:params:scim:api:'), false);
            const alone = await exchange(one.meta.location);
            assert.deepEqual(alone.body, one);
          }
          assert.equal((await exchange(`${base}${path}?filter=id%20eq%20%22x%22`)).status, 403);
          const missing = await exchange(`${base}${path}/nothing`);
          assert.deepEqual([missing.status, missing.body.schemas], [404, [errorSchema]]);
        }
      });
    });

    describe('refusals have the body of RFC 7644', () => {
      it('401, 403, 404, 405, 406, 413, 415 and 501 [D-143]', async () => {
        const bare = (path: string, options: object = {}) =>
          callStandard(context.service.baseUrl, context.token, 'GET', path, options);
        assertRefusal(await bare('/Users', { token: 'nonsense' }), 401);
        const readOnly = await context.tokenWith(['r_cx_users']);
        assertRefusal(await call('POST', '/Users', { token: readOnly, body: standardUser('x') }), 403);
        assertRefusal(await call('DELETE', '/Users/1', { token: readOnly }), 403);
        assertRefusal(await bare('/Nothing'), 404);
        // Another version than ours is nowhere (RFC 7644 3.13).
        assert.equal((await fetch(`${context.service.baseUrl}/scim/v1/Users`)).status, 404);
        assertRefusal(await bare('/Users/1/2'), 404);
        assertRefusal(await call('DELETE', '/Users'), 405);
        assertRefusal(
          await call('POST', '/Users', {
            body: standardUser('x'),
            headers: { 'content-type': 'text/plain' },
          }),
          415,
        );
        assertRefusal(await bare('/Users', { headers: { accept: 'text/html' } }), 406);
        for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) assertRefusal(await call(method, '/Me'), 501);
        const large = await call('POST', '/Users', {
          body: standardUser('x', { title: 'x'.repeat(1_100_000) }),
        });
        assertRefusal(large, 413);
        assertRefusal(
          await call('POST', '/Users', { body: standardUser('x', { title: 'x'.repeat(2_000) }) }),
          400,
          'invalidValue',
        );
      });

      it('429, with Retry-After [D-28]', async () => {
        const tight = await startProvisioning(engine, {
          SOUNDINGS_THROTTLE: 'on',
          SOUNDINGS_THROTTLE_CLIENT_RATE: '1',
          SOUNDINGS_THROTTLE_CLIENT_BURST: '2',
        });
        try {
          const answers = await Promise.all(
            Array.from({ length: 8 }, () => standardCall(tight)('GET', '/Users')),
          );
          const refused = answers.find(({ status }) => status === 429);
          assert.ok(refused !== undefined);
          assertRefusal(refused, 429);
          assert.ok(Number(refused.headers.get('retry-after')) >= 1);
        } finally {
          await tight.close();
        }
      });

      it('JSON is UTF-8, in and out: other bytes and other charsets are refused [D-26]', async () => {
        const displayName = 'Ада שלום 👩‍💻 Ω';
        const post = (body: Uint8Array, type = 'application/scim+json') =>
          exchange(`${context.service.baseUrl}/scim/v2/Users`, {
            method: 'POST',
            headers: { authorization: `Bearer ${context.token}`, 'content-type': type },
            body,
          });
        const bytes = Buffer.from(JSON.stringify(standardUser('utf-8', { displayName })));
        const made = await post(bytes, 'application/scim+json; charset=utf-8');
        assert.equal(made.status, 201, made.text);
        assert.equal(made.headers['content-type'], 'application/scim+json');
        assert.equal(made.body.displayName, displayName);
        assert.equal(Number(made.headers['content-length']), Buffer.byteLength(made.text));
        const latin = Buffer.from(JSON.stringify(standardUser('latin', { displayName: 'Zoë' })), 'latin1');
        const refused = await post(latin);
        assert.deepEqual([refused.status, refused.body.scimType], [400, 'invalidSyntax']);
        assert.equal((await post(bytes, 'application/scim+json; charset=iso-8859-1')).status, 415);
      });

      it('application/json is spoken to whoever asks for it, and nobody needs a User-Agent', async () => {
        const answer = await exchange(`${context.service.baseUrl}/scim/v2/Users?count=1`, {
          headers: { authorization: `Bearer ${context.token}`, accept: 'application/json' },
        });
        assert.equal(answer.status, 200);
        assert.match(String(answer.headers['content-type']), /^application\/json/);
      });
    });
  });
}
