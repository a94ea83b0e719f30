import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { engines } from '../support/engines.ts';
import { patience } from '../support/patience.ts';
import { bulkSchema } from '../support/schema-urns.ts';
import { callStandard, group, patchOf, standardUser } from '../support/scim.ts';
import { commandHere, commandHereOk, soundingsOk, until } from '../support/service.ts';
import { storeRows } from '../support/store-rows.ts';
import { type ProvisioningService, patchBody, startProvisioning, userBody } from '../support/users.ts';

interface Logged {
  readonly id: string;
  readonly at: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly subject: string | null;
  readonly understood: string | null;
  readonly changed: string | null;
  readonly refused: string | null;
}
interface Provider {
  readonly actor: string;
  readonly name: string;
  readonly requests: readonly Logged[];
}

/** Ids of requests are in the order of their milliseconds; within one they are not. */
async function nextMillisecond(): Promise<void> {
  const nowMs = Date.now();
  while (Date.now() === nowMs) await setImmediate();
}

for (const engine of engines) {
  describe(`soundings scim log on ${engine.name}`, () => {
    let context: ProvisioningService;
    let token: string;
    let tokenId: string;
    before(async () => {
      context = await startProvisioning(engine, { ...patience });
      const make = ['provisioning-token', 'create', '--account', '1', '--name', 'Entra ID', '--json'];
      ({ id: tokenId, token } = JSON.parse(await commandHereOk(make, context.env)));
    });
    after(() => context?.close());

    const logOf = async (account: number, ...flags: readonly string[]): Promise<readonly Provider[]> =>
      JSON.parse(
        await commandHereOk(
          ['scim', 'log', '--account', String(account), '--count', '1000', '--json', ...flags],
          context.env,
        ),
      );
    /** The requests of the token, once so many of them are there. */
    const logged = async (count: number): Promise<readonly Logged[]> => {
      const own = (log: readonly Provider[]) => log.find(({ actor }) => actor === tokenId)?.requests ?? [];
      return own(
        await until(
          () => logOf(1),
          (log) => own(log).length >= count,
        ),
      );
    };

    it('shows what came, how it was understood, what changed and what was refused', async () => {
      const call = async (method: string, path: string, body?: object) => {
        await nextMillisecond();
        return context.call(method, path, body === undefined ? { token } : { token, body });
      };
      const ada = userBody('ada.lovelace@secret.example', { externalId: 'e-1', shoeSize: 'Hidden38' });
      const filter = encodeURIComponent('USERNAME EQ "ada.lovelace@secret.example"');
      const answers = [
        await call('GET', `/Users?filter=${filter}&count=1`),
        await call('POST', '/Users', ada),
        await call('POST', '/Users', ada),
        await call(
          'PATCH',
          '/Users/e-1',
          patchBody(
            { op: 'Replace', path: 'active', value: 'False' },
            { op: 'add', path: 'emails[type eq "home"].value', value: 'home@secret.example' },
            { op: 'replace', value: { 'name.givenName': 'Augusta' } },
          ),
        ),
        await call('PUT', '/Users/e-1', { ...ada, userName: 'hidden.new@secret.example' }),
        await call('PATCH', '/Users/e-1', patchBody({ op: 'add', path: 'shoeSize', value: 'Hidden38' })),
        await call('GET', '/Users?filter=password%20eq%20%22Hidden38%22'),
        await call('GET', '/Users/nobody'),
        await call('PUT', '/Users/e-1', { schemas: [], userName: 7, password: 'Hidden38' }),
      ];
      const requests = await logged(answers.length);
      const told = requests.map(({ method, route, status }) => `${method} ${route} ${status}`);
      assert.deepEqual(told, [
        'GET /v1/scim/Users 200',
        'POST /v1/scim/Users 200',
        'POST /v1/scim/Users 409',
        'PATCH /v1/scim/Users/:id 200',
        'PUT /v1/scim/Users/:id 200',
        'PATCH /v1/scim/Users/:id 400',
        'GET /v1/scim/Users 400',
        'GET /v1/scim/Users/:id 404',
        'PUT /v1/scim/Users/:id 400',
      ]);
      assert.deepEqual(
        requests.map(({ id }) => id),
        answers.map(({ headers }) => headers.get('x-request-id')),
      );
      const [found, created, clash, patched, replaced, lost, unknown, nobody, faulty] = requests;
      assert.equal(found?.understood, 'userName eq "…"; count 1');
      assert.match(
        created?.understood ?? '',
        /^userName, name.givenName, name.familyName, emails, .*ignored: shoeSize$/,
      );
      assert.equal(created?.changed, `created user ${answers[1]?.body.id}`);
      assert.match(clash?.refused ?? '', /^USER_NAME_TAKEN: Another user/);
      assert.equal(
        patched?.understood,
        'replace active (false); add emails[type eq "home"].value; replace name.givenName',
      );
      assert.equal(patched?.changed, 'active (false), emails, name.givenName');
      assert.equal(patched?.subject, 'e-1');
      assert.match(replaced?.changed ?? '', /userName/);
      assert.match(lost?.refused ?? '', /^INVALID_PATH: /);
      assert.match(unknown?.refused ?? '', /^INVALID_FILTER: /);
      assert.match(nobody?.refused ?? '', /^USER_NOT_FOUND: /);
      assert.match(faulty?.refused ?? '', /userName/);
      assert.equal(faulty?.changed, null);
    });

    it('tells groups, bulk requests and deletions of the standard face, ids and counts alone', async () => {
      const call = async (method: string, path: string, body?: object) => {
        await nextMillisecond();
        return callStandard(context.service.baseUrl, token, method, path, body === undefined ? {} : { body });
      };
      const before = (await logged(1)).length;
      const grace = (await call('POST', '/Users', standardUser('grace@secret.example'))).body;
      const crew = (await call('POST', '/Groups', group('Secret.example crew'))).body;
      const path = `/Groups/${crew.id}`;
      const join = patchOf({ op: 'Add', path: 'members', value: [{ value: grace.id }] });
      await call('PATCH', path, join);
      await call('PATCH', path, join);
      await call('GET', `/Groups?filter=${encodeURIComponent(`members.value eq "${grace.id}"`)}`);
      await call('POST', '/Bulk', {
        schemas: [bulkSchema],
        Operations: [
          { method: 'POST', path: '/Users', bulkId: 'a', data: standardUser('bulk@secret.example') },
          { method: 'DELETE', path },
        ],
      });
      await call('DELETE', `/Users/${grace.id}`);
      const [, made, joined, again, asked, bulk, gone] = (await logged(before + 7)).slice(before);
      assert.equal(made?.changed, `created group ${crew.id}`);
      assert.equal(made?.understood, 'displayName, members');
      assert.equal(joined?.understood, `add members (${grace.id})`);
      assert.equal(joined?.changed, 'members (0 to leave, 1 to join)');
      assert.deepEqual([again?.status, again?.changed], [joined?.status, null]);
      assert.equal(asked?.understood, `members.value eq "${grace.id}"`);
      assert.equal(bulk?.understood, '1 POST of users, 1 DELETE of groups');
      assert.match(bulk?.changed ?? '', new RegExp(`^created user \\d+; deleted group ${crew.id}$`));
      assert.equal(gone?.changed, `deleted user ${grace.id}`);
    });

    it('what is kept holds no name, no address, no password and no token', async () => {
      const kept = JSON.stringify(
        await storeRows(context.store.databaseUrl, 'select * from provisioning_request'),
      );
      for (const secret of ['secret.example', 'Hidden38', 'Augusta', 'Lovelace', token.slice(5)])
        assert.ok(!kept.includes(secret), `${secret} is kept in the log`);
    });

    it('for people: a heading a provider, a line a request, and below it what became of it', async () => {
      const text = await soundingsOk(
        ['scim', 'log', '--account', '1', '--refused', '--count', '2'],
        context.env,
      );
      assert.match(text, new RegExp(`^Entra ID \\(${tokenId}\\): the last 2 of \\d+ requests$`, 'm'));
      assert.match(text, /GET +\/v1\/scim\/Users\/nobody +404/);
      assert.match(text, /^ +refused: USER_NOT_FOUND/m);
      assert.ok(!text.includes('200'));
      assert.match(
        await commandHereOk(['scim', 'log', '--account', '2'], context.env),
        /No provider has asked/,
      );
      const wrong = await commandHere(['scim', 'log', '--account', '1', '--count', '0'], context.env);
      assert.equal(wrong.code, 1);
      assert.match(wrong.stderr, /--count must be/);
    });

    it('API clients stand beside tokens, refusals for want of a grant too; accounts stay apart (D-10)', async () => {
      const reader = await context.tokenWith(['r_cx_users']);
      assert.equal(
        (await context.call('POST', '/Users', { token: reader, body: userBody('x') })).status,
        403,
      );
      await context.call('GET', '/Users', { token: context.foreignToken });
      const log = await until(
        () => logOf(1),
        (providers) => providers.some(({ requests }) => requests.some(({ status }) => status === 403)),
      );
      const refused = log.flatMap(({ requests }) => requests).find(({ status }) => status === 403);
      assert.match(refused?.refused ?? '', /^INSUFFICIENT_SCOPE: .*w_cx_users/);
      const foreign = await until(
        () => logOf(2),
        (providers) => providers.length > 0,
      );
      assert.equal(foreign.flatMap(({ requests }) => requests).length, 1);
    });

    it('keeps the newest thousand of an account, for seven days', async () => {
      const older = Date.now() - 8 * 86_400_000;
      const values = (id: string, at: number): string =>
        `(2, '${id}', ${at}, 'pt_x', 'GET', '/scim/v2/Users', 200)`;
      const rows = Array.from({ length: 1200 }, (_, at) =>
        values(`00-${String(at).padStart(5, '0')}`, Date.now()),
      );
      await storeRows(
        context.store.databaseUrl,
        `insert into provisioning_request (account_id, id, at, actor, method, route, status)
         values ${[...rows, values('00-99999', older)].join(',')}`,
      );
      await context.call('GET', '/Users', { token: context.foreignToken });
      const [left] = await until(
        () =>
          storeRows(
            context.store.databaseUrl,
            'select count(*) as n, min(id) as first, min(at) as oldest from provisioning_request where account_id = 2',
          ),
        ([row]) => Number(row?.n) <= 1000,
      );
      assert.equal(Number(left?.n), 1000);
      assert.ok(Number(left?.oldest) > older);
      assert.ok(String(left?.first) > '00-00199');
    });

    it('a store that refuses the log delays and fails no request, and what waits is written at the end', async () => {
      const { databaseUrl } = context.store;
      await storeRows(databaseUrl, 'alter table provisioning_request rename to provisioning_away');
      assert.equal((await context.call('GET', '/Users', { token })).status, 200);
      await until(
        async () => context.service.output(),
        (output) => output.includes('lost some'),
      );
      assert.equal((await context.call('GET', '/Users', { token })).status, 200);
      await storeRows(databaseUrl, 'alter table provisioning_away rename to provisioning_request');
      const marked = await context.call('GET', '/Users?count=0', { token });
      await context.service.stop();
      const last = (await logOf(1)).flatMap(({ requests }) => requests);
      assert.ok(last.some(({ id }) => id === marked.headers.get('x-request-id')));
    });
  });
}
