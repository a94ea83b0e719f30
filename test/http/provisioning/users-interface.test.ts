import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { serviceSchema, userSchema } from '../../support/schema-urns.ts';
import {
  addressPath,
  type Call,
  create,
  type ProvisioningService,
  patchBody,
  startProvisioning,
  userBody,
} from '../../support/users.ts';

const json = { accept: 'application/json' };

for (const engine of engines) {
  describe(`user provisioning on ${engine.name}`, () => {
    let context: ProvisioningService;
    let call: Call;
    before(async () => {
      context = await startProvisioning(engine);
      call = context.call;
    });
    after(() => context?.close());

    describe('discovery', () => {
      it('ServiceProviderConfig has every member of the interface, and says what is true [D-52b]', async () => {
        const { status, body } = await call('GET', '/ServiceProviderConfig', { headers: json });
        assert.equal(status, 200);
        assert.ok(Array.isArray(body.schemas));
        assert.deepEqual(
          [body.patch, body.changePassword, body.sort, body.etag].map((one) => one.supported),
          [true, false, true, true],
        );
        assert.deepEqual(body.bulk, { supported: false, maxOperations: 0, maxPayloadSize: 0 });
        assert.deepEqual(body.filter, { supported: true, maxResults: 200 });
        assert.equal(body.authenticationSchemes[0].type, 'oauthbearertoken');
        assert.equal((await fetch(body.documentationUri)).status, 200);
      });

      it('ResourceTypes is the User resource type and a list of it at once [D-52b]', async () => {
        const { body } = await call('GET', '/ResourceTypes', { headers: json });
        assert.deepEqual(
          [body.id, body.name, body.endpoint, body.schema],
          ['User', 'User', '/Users', userSchema],
        );
        assert.equal(typeof body.description, 'string');
        assert.deepEqual(body.schemaExtensions, [serviceSchema]);
        assert.equal(body.totalResults, 1);
        assert.equal(body.resources[0].id, 'User');
      });

      it('Schemas is a list that describes every field of the interface [D-52b]', async () => {
        const { body } = await call('GET', '/Schemas', { headers: json });
        assert.equal(body.totalResults, body.resources.length);
        const core = body.resources.find((one: { id: string }) => one.id === userSchema);
        const names = core.attributes.map((one: { name: string }) => one.name);
        for (const name of [
          'id',
          'userName',
          'externalId',
          'active',
          'name',
          'emails',
          'phoneNumbers',
          'meta',
        ])
          assert.ok(names.includes(name), name);
        assert.ok(body.resources.some((one: { id: string }) => one.id === serviceSchema));
      });

      for (const path of ['/ServiceProviderConfig', '/ResourceTypes', '/Schemas']) {
        it(`${path} demands Accept, a token with r_cx_users, and takes no parameters [D-11] [D-24] [D-25]`, async () => {
          const missing = await fetchWithoutAccept(
            `${context.service.baseUrl}/v1/scim${path}`,
            context.token,
          );
          assert.deepEqual([missing.status, missing.errorCode], [400, 'ACCEPT_REQUIRED']);
          assert.equal((await call('GET', path, { headers: { accept: 'text/html' } })).status, 406);
          assert.equal((await call('GET', path, { headers: json, token: 'nonsense' })).status, 401);
          const weak = await context.tokenWith(['w_cx_users']);
          const refused = await call('GET', path, { headers: json, token: weak });
          assert.equal(refused.status, 403);
          assert.match(refused.headers.get('www-authenticate') ?? '', /insufficient_scope.*r_cx_users/);
          assert.equal((await call('GET', `${path}?x=1`, { headers: json })).status, 400);
          assert.equal((await call('POST', path, { headers: json, body: {} })).status, 405);
        });
      }
    });

    describe('create', () => {
      it('answers 200 with every field of the interface, numbers as numbers [D-52]', async () => {
        const sent = {
          ...userBody('full', { externalId: 'hr-1', active: true }),
          phoneNumbers: [{ value: '+1 555', type: 'work' }],
          [serviceSchema]: { clientId: 77, authenticationProvider: 'idp-9' },
        };
        const { status, body, headers } = await call('POST', '/Users', { body: sent });
        assert.equal(status, 200);
        assert.equal(typeof body.id, 'number');
        assert.ok(body.id >= 1_000_000_001);
        assert.deepEqual(body.schemas, [userSchema, serviceSchema]);
        assert.deepEqual([body.userName, body.externalId, body.active], ['full', 'hr-1', true]);
        assert.deepEqual(body.name, { familyName: 'Lovelace', givenName: 'Ada' });
        assert.deepEqual(body.emails, [{ value: 'full@example.com', type: 'work', primary: true }]);
        assert.deepEqual(body.phoneNumbers, [{ value: '+1 555', type: 'work' }]);
        // Kept as sent, deciding nothing (D-55).
        assert.deepEqual(body[serviceSchema], { clientId: 77, authenticationProvider: 'idp-9' });
        assert.equal(body.meta.resourceType, 'User');
        assert.match(body.meta.created, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
        assert.equal(body.meta.lastModified, body.meta.created);
        assert.equal(body.meta.version, headers.get('etag'));
        assert.equal(body.meta.location, `${context.service.baseUrl}/v1/scim/Users/hr-1`);
        assert.deepEqual((await call('GET', '/Users/hr-1')).body, body);
      });

      it('fills in what may be missing: active, and the account as clientId [D-55]', async () => {
        const body = await create(call, 'plain');
        assert.equal(body.active, true);
        assert.deepEqual(body[serviceSchema], { clientId: 1 });
        assert.equal('externalId' in body, false);
        assert.equal(body.meta.location, `${context.service.baseUrl}/v1/scim/Users/${body.id}`);
      });

      it('demands schemas, userName, name, emails and meta, and says so of all at once [D-52] [D-22]', async () => {
        const { status, body } = await call('POST', '/Users', { body: {} });
        assert.deepEqual([status, body.status, body.errorCode], [400, 400, 'INVALID_REQUEST']);
        assert.deepEqual(
          body.detailedErrors.map((fault: { field: string; code: string }) => `${fault.field} ${fault.code}`),
          ['schemas MISSING', 'userName MISSING', 'name MISSING', 'emails MISSING', 'meta MISSING'],
        );
        assert.deepEqual(Object.keys(body).sort(), [
          'detailedErrors',
          'errorCode',
          'message',
          'status',
          'timestamp',
        ]);
      });

      it('names every fault by its path, coerces nothing, and keeps nothing [D-22] [D-26] [D-59]', async () => {
        const emails = [
          { value: 3, primary: true },
          { value: 'b@x', type: 4, primary: true },
          { value: 'c@x', primary: 'true' },
        ];
        const bad = userBody('faulty', { externalId: 5, active: 'true', emails, id: 'x' });
        const { status, body } = await call('POST', '/Users', { body: bad });
        assert.equal(status, 400);
        assert.deepEqual(body.detailedErrors.map((fault: { field: string }) => fault.field).sort(), [
          'active',
          'emails',
          'emails[0].value',
          'emails[1].type',
          'emails[2].primary',
          'externalId',
          'id',
        ]);
        const found = await call('GET', `/Users?filter=${encodeURIComponent('userName eq "faulty"')}`);
        assert.equal(found.body.totalResults, 0);
      });

      it('refuses two primary emails [D-59]', async () => {
        const emails = [
          { value: 'a@x', primary: true },
          { value: 'b@x', primary: true },
        ];
        const { status, body } = await call('POST', '/Users', { body: userBody('two', { emails }) });
        assert.equal(status, 400);
        assert.equal(body.detailedErrors[0].field, 'emails');
      });

      for (const name of ['', '   ', '.search', '.', '..', 'x'.repeat(256)]) {
        it(`refuses ${JSON.stringify(name.slice(0, 12))} (${name.length}) as userName and as externalId [D-51]`, async () => {
          const asName = await call('POST', '/Users', { body: userBody(name) });
          const asId = await call('POST', '/Users', { body: userBody('fine', { externalId: name }) });
          assert.deepEqual([asName.status, asId.status], [400, 400]);
          assert.equal(asName.body.detailedErrors[0].field, 'userName');
          assert.equal(asId.body.detailedErrors[0].field, 'externalId');
        });
      }

      it('ignores unknown attributes, and what is said of id, groups and meta [D-55]', async () => {
        const body = await create(call, 'extra', {
          id: 5,
          favouriteColour: 'blue',
          meta: { version: 'W/"99"', created: '2001-01-01T00:00:00Z' },
        });
        assert.notEqual(body.id, 5);
        assert.equal('favouriteColour' in body, false);
        assert.equal(body.meta.version, 'W/"1"');
        assert.ok(!body.meta.created.startsWith('2001'));
      });

      it('a userName that differs only in case is taken: 409 names it [D-51]', async () => {
        await create(call, 'Straße');
        for (const same of ['STRASSE', 'strasse', 'ſtraße']) {
          const { status, body } = await call('POST', '/Users', { body: userBody(same) });
          assert.deepEqual([status, body.errorCode], [409, 'USER_NAME_TAKEN']);
          assert.equal(body.detailedErrors[0].field, 'userName');
        }
      });

      it('an externalId is unique with regard to case [D-51]', async () => {
        await create(call, 'case-1', { externalId: 'Case' });
        await create(call, 'case-2', { externalId: 'case' });
        const { status, body } = await call('POST', '/Users', {
          body: userBody('case-1', { externalId: 'Case' }),
        });
        assert.equal(status, 409);
        assert.deepEqual(
          body.detailedErrors.map((fault: { field: string }) => fault.field),
          ['userName', 'externalId'],
        );
      });

      it('reads application/json and application/scim+json, and nothing else [D-52]', async () => {
        const as = (type: string, name: string) =>
          call('POST', '/Users', { body: userBody(name), headers: { 'content-type': type } });
        assert.equal((await as('application/scim+json', 'scim-typed')).status, 200);
        assert.equal((await as('application/json; charset=utf-8', 'json-typed')).status, 200);
        assert.equal((await as('text/plain', 'text-typed')).status, 415);
        assert.equal((await as('application/xml', 'xml-typed')).status, 415);
      });

      it('needs w_cx_users; reading needs r_cx_users [D-11]', async () => {
        const reader = await context.tokenWith(['r_cx_users']);
        const writer = await context.tokenWith(['w_cx_users']);
        const post = { body: userBody('granted') };
        assert.equal((await call('POST', '/Users', { ...post, token: reader })).status, 403);
        assert.equal((await call('POST', '/Users', { ...post, token: writer })).status, 200);
        assert.equal((await call('GET', '/Users', { token: writer })).status, 403);
        assert.equal((await call('GET', '/Users', { token: reader })).status, 200);
        assert.equal((await call('POST', '/Users/.search', { body: {}, token: reader })).status, 200);
        assert.equal((await call('POST', '/Users/.search', { body: {}, token: writer })).status, 403);
      });

      it('JSON that is not strict is a bad request [D-26]', async () => {
        for (const body of [
          '{"userName":"a\\u0000b"}',
          '{"a":"\\ud800"}',
          '{',
          '{"__proto__":{}}',
          '[]',
          '3',
        ]) {
          assert.equal((await call('POST', '/Users', { body })).status, 400, body);
        }
      });
    });

    describe('one user', () => {
      it('is answered as application/scim+json when that is asked for', async () => {
        const user = await create(call, 'typed');
        const headers = { accept: 'application/scim+json' };
        const answer = await call('GET', addressPath(user.id), { headers });
        assert.match(answer.headers.get('content-type') ?? '', /^application\/scim\+json/);
        assert.equal(
          (await call('GET', addressPath(user.id), { headers: { accept: 'text/csv' } })).status,
          406,
        );
      });

      it('HEAD answers like GET without a body [D-24b]', async () => {
        const user = await create(call, 'headed');
        const answer = await call('HEAD', addressPath(user.id));
        assert.deepEqual([answer.status, answer.text], [200, '']);
        assert.equal(answer.headers.get('etag'), user.meta.version);
        assert.equal((await call('HEAD', '/Users/nobody')).status, 404);
      });

      it('methods that are not there are 405 with Allow, before credentials [D-24b]', async () => {
        const expected: readonly (readonly [string, string, string])[] = [
          ['DELETE', '/Users/x', 'GET, HEAD, OPTIONS, PATCH, PUT'],
          ['POST', '/Users/x', 'GET, HEAD, OPTIONS, PATCH, PUT'],
          ['PUT', '/Users', 'GET, HEAD, OPTIONS, POST'],
          ['GET', '/Users/.search', 'OPTIONS, POST'],
          ['PUT', '/Users/.search', 'OPTIONS, POST'],
          ['PATCH', '/Users/.search', 'OPTIONS, POST'],
          ['DELETE', '/Schemas', 'GET, HEAD, OPTIONS'],
        ];
        for (const [method, path, allow] of expected) {
          const answer = await call(method, path, { token: 'nonsense' });
          assert.deepEqual([answer.status, answer.headers.get('allow')], [405, allow], `${method} ${path}`);
        }
        assert.equal((await call('GET', '/Groups')).status, 404);
        assert.equal((await call('OPTIONS', '/Users')).status, 204);
      });

      it('If-None-Match with the version it has is 304, with another 200 [D-58]', async () => {
        const user = await create(call, 'etagged');
        const ask = (tag: string) => call('GET', addressPath(user.id), { headers: { 'if-none-match': tag } });
        for (const tag of ['W/"1"', '"1"', '*', '"7", W/"1"']) {
          const answer = await ask(tag);
          assert.deepEqual([answer.status, answer.text, answer.headers.get('etag')], [304, '', 'W/"1"'], tag);
        }
        assert.equal((await ask('W/"2"')).status, 200);
        assert.equal((await ask('1')).status, 400);
      });

      it('parameters that it does not have are refused by name [D-24]', async () => {
        const { status, body } = await call('GET', '/Users/x?attributes=userName');
        assert.deepEqual([status, body.detailedErrors[0].field], [400, 'attributes']);
      });
    });

    describe('addresses', () => {
      it('are the externalId, and the internal id only without one; the 404 says which [D-50]', async () => {
        const user = await create(call, 'addressed', { externalId: 'ext/ä %1' });
        const byId = await call('GET', addressPath(user.id));
        assert.deepEqual([byId.status, byId.body.errorCode], [404, 'USER_NOT_FOUND']);
        assert.match(byId.body.message, /externalId "ext\/ä %1"/);
        const byExternal = await call('GET', addressPath('ext/ä %1'));
        assert.equal(byExternal.body.id, user.id);
        assert.ok(user.meta.location.endsWith('/Users/ext%2F%C3%A4%20%251'), user.meta.location);
        assert.equal((await fetch(user.meta.location, { headers: bearer(context.token) })).status, 200);
        for (const method of ['PUT', 'PATCH']) {
          const body = method === 'PUT' ? userBody('x') : patchBody({ op: 'remove', path: 'phoneNumbers' });
          assert.equal((await call(method, addressPath(user.id), { body })).status, 404);
        }
      });

      it('an externalId that equals the address of another user is a conflict [D-50]', async () => {
        const user = await create(call, 'numbered');
        const thief = { body: userBody('thief', { externalId: String(user.id) }) };
        const { status, body } = await call('POST', '/Users', thief);
        assert.deepEqual([status, body.errorCode], [409, 'EXTERNAL_ID_TAKEN']);
        const other = await create(call, 'thief-2');
        const set = patchBody({ op: 'add', path: 'externalId', value: String(user.id) });
        assert.equal((await call('PATCH', addressPath(other.id), { body: set })).status, 409);
      });

      it('new internal ids skip numbers that are external ids already [D-50]', async () => {
        const last = await create(call, 'last');
        const claimed = [1, 2, 4].map((step) => last.id + step);
        // The claimants take the numbers in between themselves, which moves the claim along.
        const claims = claimed.map((id) => id + 10);
        for (const id of claims) await create(call, `claim-${id}`, { externalId: String(id) });
        for (let at = 0; at < 15; at += 1) {
          const user = await create(call, `skipping-${at}`);
          assert.ok(!claims.includes(user.id), String(user.id));
          assert.equal((await call('GET', addressPath(user.id))).body.userName, `skipping-${at}`);
        }
        for (const id of claims)
          assert.equal((await call('GET', addressPath(id))).body.userName, `claim-${id}`);
      });

      it('a numeric externalId never reaches the record of another, in any order of creation [D-50]', async () => {
        // The victim has an externalId of its own, so its internal id is nobody's address, and may be claimed.
        const victim = await create(call, 'victim', { externalId: 'victim-ext' });
        const claimant = await create(call, 'claimant', { externalId: String(victim.id) });
        assert.equal((await call('GET', addressPath(victim.id))).body.id, claimant.id);
        const suspend = patchBody({ op: 'replace', path: 'active', value: false });
        await call('PATCH', addressPath(victim.id), { body: suspend });
        assert.equal((await call('GET', addressPath('victim-ext'))).body.active, true);
        assert.equal((await call('GET', addressPath(victim.id))).body.active, false);
        // The victim cannot lose its externalId now: its address would be the claimant's.
        const drop = patchBody({ op: 'remove', path: 'externalId' });
        const refused = await call('PATCH', addressPath('victim-ext'), { body: drop });
        assert.deepEqual([refused.status, refused.body.errorCode], [409, 'EXTERNAL_ID_TAKEN']);
      });

      it('other spellings of a number are other addresses [D-50]', async () => {
        const user = await create(call, 'spelled');
        for (const spelling of [`0${user.id}`, `${user.id}.0`, `+${user.id}`, `${user.id} `, '1e9'])
          assert.equal((await call('GET', addressPath(spelling))).status, 404, spelling);
      });
    });

    describe('replace', () => {
      it('sets the whole user: what is left out is cleared, but state, address and id stay [D-55]', async () => {
        const user = await create(call, 'whole', {
          externalId: 'whole-1',
          active: false,
          phoneNumbers: [{ value: '1' }],
          [serviceSchema]: { authenticationProvider: 'idp' },
        });
        const name = { familyName: 'Byron' };
        const answer = await call('PUT', '/Users/whole-1', { body: userBody('whole', { name }) });
        assert.equal(answer.status, 200);
        assert.deepEqual(answer.body.name, name);
        assert.equal('phoneNumbers' in answer.body, false);
        assert.deepEqual(answer.body[serviceSchema], { clientId: 1 });
        assert.deepEqual(
          [answer.body.active, answer.body.externalId, answer.body.id, answer.body.meta.created],
          [false, 'whole-1', user.id, user.meta.created],
        );
        assert.equal(answer.body.meta.version, 'W/"2"');
        assert.deepEqual((await call('GET', '/Users/whole-1')).body, answer.body);
      });

      it('moves a user to another externalId, and its userName along [D-50] [D-51]', async () => {
        await create(call, 'moving', { externalId: 'before' });
        const body = userBody('moved', { externalId: 'after' });
        assert.equal((await call('PUT', '/Users/before', { body })).status, 200);
        assert.equal((await call('GET', '/Users/before')).status, 404);
        assert.equal((await call('GET', '/Users/after')).body.userName, 'moved');
        const find = (name: string) =>
          call('GET', `/Users?filter=${encodeURIComponent(`userName eq "${name}"`)}`);
        assert.equal((await find('moving')).body.totalResults, 0);
        assert.equal((await find('moved')).body.totalResults, 1);
        await create(call, 'moving');
      });

      it('demands what create demands, and nothing is half changed [D-52]', async () => {
        const user = await create(call, 'steady');
        const { status } = await call('PUT', addressPath(user.id), { body: { userName: 'x' } });
        assert.equal(status, 400);
        assert.deepEqual((await call('GET', addressPath(user.id))).body, user);
      });

      it('a userName of another is a conflict; its own in another case is not [D-51]', async () => {
        await create(call, 'owner');
        const user = await create(call, 'renaming');
        const path = addressPath(user.id);
        assert.equal((await call('PUT', path, { body: userBody('OWNER') })).status, 409);
        const renamed = await call('PUT', path, { body: userBody('RENAMING') });
        assert.deepEqual([renamed.status, renamed.body.userName], [200, 'RENAMING']);
      });

      it('judges form before existence, existence before version, version before meaning [D-24b]', async () => {
        const stale = { 'if-match': 'W/"9"' };
        const user = await create(call, 'ordered');
        assert.equal((await call('PUT', '/Users/nobody', { body: {}, headers: stale })).status, 400);
        assert.equal(
          (await call('PUT', '/Users/nobody', { body: userBody('x'), headers: stale })).status,
          404,
        );
        const clash = { body: userBody('owner'), headers: stale };
        assert.equal((await call('PUT', addressPath(user.id), clash)).status, 412);
      });
    });

    describe('states', () => {
      it('active false suspends, active true reactivates, by patch and by replace [D-57]', async () => {
        const user = await create(call, 'stateful');
        const path = addressPath(user.id);
        const patch = async (active: boolean) => {
          const operation = { op: 'replace', path: 'active', value: active };
          return (await call('PATCH', path, { body: patchBody(operation) })).body.active;
        };
        const put = async (active?: boolean) => {
          const rest = active === undefined ? {} : { active };
          return (await call('PUT', path, { body: userBody('stateful', rest) })).body.active;
        };
        assert.deepEqual(
          [
            await patch(false),
            await put(),
            await patch(true),
            await put(false),
            await put(),
            await put(true),
          ],
          [false, false, true, false, false, true],
        );
      });
    });

    describe('isolation', () => {
      it('a user of another account is not found by any endpoint [D-10]', async () => {
        const user = await create(call, 'secret-name', {
          externalId: 'secret-ext',
          name: { givenName: 'Hidden', familyName: 'Person' },
        });
        const token = context.foreignToken;
        const patch = patchBody({ op: 'replace', path: 'active', value: false });
        const answers = await Promise.all([
          call('GET', '/Users/secret-ext', { token }),
          call('GET', addressPath(user.id), { token }),
          call('PUT', '/Users/secret-ext', { token, body: userBody('secret-name') }),
          call('PATCH', '/Users/secret-ext', { token, body: patch }),
          call('PATCH', addressPath(user.id), { token, body: patch }),
        ]);
        for (const answer of answers) {
          assert.equal(answer.status, 404);
          assert.match(answer.body.message, /^No user is addressed by/);
        }
        assert.deepEqual((await call('GET', '/Users/secret-ext')).body, user);
      });

      it('nor by list, filter, sort or search [D-10]', async () => {
        const token = context.foreignToken;
        const filters = ['userName eq "secret-name"', 'name.familyName co "erso"', 'name.givenName sw "Hid"'];
        const queries = ['', ...filters.map((filter) => `?filter=${encodeURIComponent(filter)}`)];
        for (const query of queries) {
          const { body } = await call('GET', `/Users${query}`, { token });
          assert.deepEqual([body.totalResults, body.resources], [0, []], query);
        }
        for (const sortBy of ['userName', 'name.familyName', 'emails', 'meta.created']) {
          const { body } = await call('POST', '/Users/.search', { token, body: { sortBy } });
          assert.deepEqual([body.totalResults, body.resources], [0, []], sortBy);
        }
      });

      it('names and addresses of another account are free, and no conflict tells of them [D-10]', async () => {
        const token = context.foreignToken;
        const same = userBody('secret-name', { externalId: 'secret-ext' });
        const answer = await call('POST', '/Users', { token, body: same });
        assert.equal(answer.status, 200);
        const own = await call('GET', '/Users/secret-ext', { token });
        assert.equal(own.body.id, answer.body.id);
        assert.notEqual((await call('GET', '/Users/secret-ext')).body.id, own.body.id);
      });
    });

    it('no name, address or email of a user is in the log', () => {
      assert.doesNotMatch(context.service.output(), /secret|victim|@example|Lovelace/);
    });
  });
}

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

/** fetch always sends Accept, so this one goes by node:http. */
async function fetchWithoutAccept(
  url: string,
  token: string,
): Promise<{ status: number | undefined; errorCode: string }> {
  const { get } = await import('node:http');
  return new Promise((resolve, reject) => {
    get(url, { headers: bearer(token) }, (answer) => {
      let text = '';
      answer.on('data', (part) => {
        text += part;
      });
      answer.on('end', () => resolve({ status: answer.statusCode, errorCode: JSON.parse(text).errorCode }));
    }).on('error', reject);
  });
}
