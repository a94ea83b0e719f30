import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { patience } from '../../support/patience.ts';
import { soundingsOk, until } from '../../support/service.ts';
import { storeRows, wholeStore } from '../../support/store-rows.ts';
import { type Answer, type ProvisioningService, startProvisioning, userBody } from '../../support/users.ts';

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

    const make = async (account = 1): Promise<Made> =>
      JSON.parse(
        await soundingsOk(
          ['provisioning-token', 'create', '--account', String(account), '--name', 'Entra ID', '--json'],
          context.env,
        ),
      );
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
      await soundingsOk(['provisioning-token', 'revoke', id, '--account', '1'], context.env);
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
      await soundingsOk(['provisioning-token', 'revoke', id, '--account', '1'], context.env);
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
      await soundingsOk(['provisioning-token', 'revoke', id, '--account', '1'], context.env);
      assert.equal((await users(token)).body.errorCode, 'INVALID_TOKEN');
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
        const { token } = JSON.parse(await soundingsOk(make, context.env)) as Made;
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
