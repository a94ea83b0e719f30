import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { patience } from '../../support/patience.ts';
import { assertRefusal, group, patchOf, standardCall } from '../../support/scim.ts';
import { commandHereOk, setUp, until } from '../../support/service.ts';
import { storeRows, wholeStore } from '../../support/store-rows.ts';
import { addUsers } from '../../support/user-population.ts';
import {
  type Answer,
  type ProvisioningService,
  patchBody,
  startProvisioning,
  userBody,
} from '../../support/users.ts';

interface Made {
  readonly id: string;
  readonly token: string;
}

for (const engine of engines) {
  describe(`provisioning tokens on ${engine.name}`, () => {
    let context: ProvisioningService;
    before(async () => {
      context = await startProvisioning(engine, { ...patience });
    });
    after(() => context?.close());

    const make = async (account = 1, ...flags: readonly string[]): Promise<Made> => {
      const named = ['--account', String(account), '--name', 'Entra ID', '--json', ...flags];
      return JSON.parse(await setUp(['provisioning-token', 'create', ...named], context.env));
    };
    const ask = async (path: string, token: string): Promise<{ status: number; said: string }> => {
      const answer = await fetch(`${context.service.baseUrl}${path}`, {
        headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      });
      const { timestamp: _, ...body } = (await answer.json()) as Record<string, unknown>;
      const challenge = answer.headers.get('www-authenticate');
      return { status: answer.status, said: JSON.stringify([body, challenge]) };
    };
    const users = (token: string): Promise<Answer> => context.call('GET', '/Users', { token });

    it('a token reads and writes users of its account as soon as it exists, and no other account (D-10) [D-13]', async () => {
      const { token } = await make();
      const created = await context.call('POST', '/Users', { token, body: userBody('ada') });
      assert.equal(created.status, 200, created.text);
      assert.equal((await users(token)).body.totalResults, 1);
      assert.equal((await context.call('GET', '/ServiceProviderConfig', { token })).status, 200);
      const { token: foreign } = await make(2);
      assert.equal((await users(foreign)).body.totalResults, 0);
      assert.equal((await context.call('GET', `/Users/${created.body.id}`, { token: foreign })).status, 404);
    });

    it('outside of user provisioning it is a token like any that is not valid', async () => {
      const { token } = await make();
      for (const path of ['/v1/measures', '/v1/projects']) {
        const refusal = await ask(path, token);
        assert.equal(refusal.status, 401);
        assert.deepEqual(refusal, await ask(path, 'nonsense'));
      }
    });

    it('everything that is not valid gets one and the same 401, whether unknown, revoked or misspelt [D-13]', async () => {
      const { id, token } = await make();
      await setUp(['provisioning-token', 'revoke', id, '--account', '1'], context.env);
      const refusal = await ask('/v1/scim/Users', 'nonsense');
      assert.equal(refusal.status, 401);
      assert.match(refusal.said, /INVALID_TOKEN/);
      const other = token.slice(0, -1) + (token.endsWith('A') ? 'E' : 'A');
      for (const text of [
        token,
        other,
        `${token}A`,
        token.toUpperCase(),
        token.slice(5),
        'sdgp_',
        `${token} `,
      ])
        assert.deepEqual(await ask('/v1/scim/Users', text), refusal, text);
    });

    it('a revoked token that was in use stops within 5 seconds', async () => {
      const { id, token } = await make();
      assert.equal((await users(token)).status, 200);
      await setUp(['provisioning-token', 'revoke', id, '--account', '1'], context.env);
      const refused = await until(
        () => users(token),
        ({ status }) => status === 401,
        5_000,
      );
      assert.equal(refused.body.errorCode, 'INVALID_TOKEN');
    });

    it('a genuine token that has expired says so; expired and revoked it does not [D-13]', async () => {
      const { id, token } = await make();
      const expire = `update provisioning_token set expires_at = 1000 where id = '${id}'`;
      await storeRows(context.store.databaseUrl, expire);
      const refused = await users(token);
      assert.deepEqual([refused.status, refused.body.errorCode], [401, 'TOKEN_EXPIRED']);
      assert.match(refused.headers.get('www-authenticate') ?? '', /error="invalid_token"/);
      await setUp(['provisioning-token', 'revoke', id, '--account', '1'], context.env);
      assert.equal((await users(token)).body.errorCode, 'INVALID_TOKEN');
    });

    it('a token that only reads reads and searches on both faces, and every change is 403 with a sentence [D-278]', async () => {
      const profiles = Array.from({ length: 300 }, (_, at) => ({
        userName: `kept-${(at * 7) % 300}`,
        externalId: `kept-${(at * 7) % 300}`,
        active: true,
        name: {},
        emails: [{ value: 'kept@example.com' }],
      }));
      await addUsers(context.store.databaseUrl, 1, profiles);
      const { id, token } = await make(1, '--read-only');
      const standard = standardCall(context);
      const before = (await users(token)).body.totalResults;
      assert.ok(before >= 300);
      const address = '/Users/kept-7';
      const [own] = (await standard('GET', '/Users?filter=userName%20eq%20%22kept-7%22', { token })).body
        .Resources;
      const search = { schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'], count: 1 };
      for (const [answer, status] of [
        [await context.call('GET', address, { token }), 200],
        [await context.call('POST', '/Users/.search', { token, body: search }), 200],
        [await standard('GET', `/Users/${own.id}`, { token }), 200],
        [await standard('POST', '/.search', { token, body: search }), 200],
        [await standard('GET', '/Groups', { token }), 200],
      ] as const)
        assert.equal(answer.status, status, answer.text);

      const patch = patchOf({ op: 'replace', path: 'active', value: false });
      const bulk = {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
        Operations: [{ method: 'DELETE', path: `/Users/${own.id}` }],
      };
      const onService = [
        await context.call('POST', '/Users', { token, body: userBody('new') }),
        await context.call('PUT', address, { token, body: userBody('kept-7') }),
        await context.call('PATCH', address, {
          token,
          body: patchBody({ op: 'remove', path: 'displayName' }),
        }),
      ];
      const onStandard = [
        await standard('POST', '/Users', { token, body: userBody('new') }),
        await standard('PUT', `/Users/${own.id}`, { token, body: userBody('kept-7') }),
        await standard('PATCH', `/Users/${own.id}`, { token, body: patch }),
        await standard('DELETE', `/Users/${own.id}`, { token }),
        await standard('POST', '/Groups', { token, body: group('new') }),
        await standard('POST', '/Bulk', { token, body: bulk }),
      ];
      for (const answer of onService) {
        assert.deepEqual([answer.status, answer.body.errorCode], [403, 'INSUFFICIENT_SCOPE'], answer.text);
        assert.match(answer.body.message, /This provisioning token only reads\./);
      }
      for (const answer of onStandard) {
        assertRefusal(answer, 403);
        assert.match(answer.body.detail, /This provisioning token only reads\./);
      }
      assert.equal((await users(token)).body.totalResults, before);
      assert.deepEqual((await standard('GET', `/Users/${own.id}`, { token })).body.meta, own.meta);
      // A release that knows no such tokens looks for the bare hash, and must not find one that opens everything.
      const kept = await storeRows(
        context.store.databaseUrl,
        `select secret_hash from provisioning_token where id = '${id}'`,
      );
      assert.match(String(kept[0]?.secret_hash), /^read-only:/);
    });

    it('list says when a token was used last, written once a minute and not with every request [D-278]', async () => {
      const { id, token } = await make();
      const lastUsed = async (): Promise<string | null> => {
        const flags = ['provisioning-token', 'list', '--account', '1', '--json'];
        const listed = JSON.parse(await commandHereOk(flags, context.env));
        return listed.find((one: { id: string }) => one.id === id).lastUsed;
      };
      assert.equal(await lastUsed(), null);
      const startedAtMs = Date.now();
      await users(token);
      const noted = await until(lastUsed, (at) => at !== null);
      assert.ok(Date.parse(noted!) >= startedAtMs - 1_000 && Date.parse(noted!) <= Date.now());
      await Promise.all(Array.from({ length: 100 }, () => users(token)));
      assert.equal(await lastUsed(), noted);
      await context.call('GET', '/Users', { token: 'sdgp_nobody' });
      const rows = await storeRows(context.store.databaseUrl, 'select token_id from provisioning_token_use');
      assert.ok(rows.every(({ token_id }) => /^(pt|sc)_/.test(String(token_id))));
    });

    it('the store, the log and the audit never hold the token; the audit names it by its id [D-15]', async () => {
      const { id, token } = await make();
      const { body } = await context.call('POST', '/Users', { token, body: userBody('grace') });
      await context.call('PATCH', `/Users/${body.id}`, {
        token,
        body: { operations: [{ op: 'replace', path: 'active', value: false }] },
      });
      const store = await wholeStore(context.store.databaseUrl);
      const text = JSON.stringify(store) + context.service.output();
      assert.ok(!text.includes(token) && !text.includes(token.slice(5)));
      const actions = store.audit?.filter(({ actor, subject }) => actor === id || subject === id);
      const names = actions?.map(({ action }) => action);
      assert.ok(names?.includes('provisioning-token.create'), String(names));
      assert.ok(
        actions?.some(({ actor }) => actor === id),
        'what was done with the token is audited under it',
      );
    });
  });

  describe(`provisioning tokens and limits on ${engine.name}`, () => {
    it('a token is throttled like an API client [D-28]', async () => {
      const context = await startProvisioning(engine, {
        ...patience,
        SOUNDINGS_THROTTLE: 'on',
        SOUNDINGS_THROTTLE_CLIENT_RATE: '1',
        SOUNDINGS_THROTTLE_CLIENT_BURST: '3',
      });
      try {
        const make = ['provisioning-token', 'create', '--account', '1', '--name', 'x', '--json'];
        const { token } = JSON.parse(await commandHereOk(make, context.env)) as Made;
        const statuses: number[] = [];
        for (let at = 0; at < 6; at += 1)
          statuses.push((await context.call('GET', '/Users', { token })).status);
        assert.deepEqual(statuses.slice(0, 3), [200, 200, 200]);
        assert.ok(statuses.includes(429));
      } finally {
        await context.close();
      }
    });
  });
}
