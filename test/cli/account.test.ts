import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { writeCatalogue } from '../support/catalogue.ts';
import { engines, type TestStore } from '../support/engines.ts';
import { commandHere, commandHereOk, soundings, soundingsOk } from '../support/service.ts';
import { addUsers } from '../support/user-population.ts';

for (const engine of engines) {
  describe(`the verbs of operators on ${engine.name}`, () => {
    let store: TestStore;
    let env: Record<string, string>;
    before(async () => {
      store = await engine.newStore();
      env = { DATABASE_URL: store.databaseUrl };
    });
    after(() => store?.dispose());
    const json = async (...args: readonly string[]) =>
      JSON.parse(await commandHereOk([...args, '--json'], env));

    it('account create makes an account that credentials and catalogues are taken for, and only once', async () => {
      assert.match(await soundingsOk(['account', 'list'], env), /no accounts yet/);
      const made = await json('account', 'create', '4002', '--name', 'Acme');
      assert.deepEqual([made.id, made.name], [4002, 'Acme']);
      const again = await commandHere(['account', 'create', '4002', '--name', 'Other'], env);
      assert.deepEqual([again.code, again.stderr.trim().split('\n').length], [1, 1]);
      assert.match(again.stderr, /There is an account 4002 already/);
      await commandHereOk(['client', 'create', '--account', '4002', '--name', 'export'], env);
      await commandHereOk(['provisioning-token', 'create', '--account', '4002', '--name', 'Okta'], env);
      for (const [args, message] of [
        [['x', '--name', 'Acme'], /The id must be the number of an account/],
        [['4003', '--name', ' '], /--name must have/],
      ] as const) {
        const refused = await commandHere(['account', 'create', ...args], env);
        assert.equal(refused.code, 1);
        assert.match(refused.stderr, message);
      }
      const changed = await commandHereOk(
        ['apply', writeCatalogue({ accounts: [{ id: 4002, name: 'Acme Limited' }] })],
        env,
      );
      assert.match(changed, /4002/);
    });

    it('account list names every account, with its API clients and provisioning tokens', async () => {
      const accounts = Array.from({ length: 1_100 }, (_, at) => ({
        id: 10_000 + ((at * 7) % 1_100),
        name: `Account ${(at * 7) % 1_100}`,
      }));
      await commandHereOk(['apply', writeCatalogue({ accounts })], env);
      const listed = await json('account', 'list');
      assert.deepEqual(
        listed.map(({ id }: { id: number }) => id),
        [4002, ...Array.from({ length: 1_100 }, (_, at) => 10_000 + at)],
      );
      const { created, ...first } = listed[0];
      assert.deepEqual(first, { id: 4002, name: 'Acme Limited', apiClients: 1, provisioningTokens: 1 });
      assert.ok(Date.parse(created) > Date.now() - 600_000);
      assert.match(await commandHereOk(['account', 'list'], env), /^ACCOUNT .*\n4002 .*1 +1 +Acme Limited$/m);
    });

    it('user delete takes one user of the account for good, and no other', async () => {
      const profile = (userName: string, externalId: string) => ({
        userName,
        externalId,
        active: true,
        name: {},
        emails: [{ value: `${userName}@example.com` }],
      });
      const profiles = Array.from({ length: 300 }, (_, at) => profile(`user-${at}`, `e-${(at * 7) % 300}`));
      await addUsers(store.databaseUrl, 4002, profiles);
      await addUsers(store.databaseUrl, 10_001, [profile('other', 'e-21')]);
      assert.equal((await json('user', 'delete', 'e-21', '--account', '4002')).deleted, true);
      const gone = await commandHere(['user', 'delete', 'e-21', '--account', '4002'], env);
      assert.equal(gone.code, 1);
      assert.match(gone.stderr, /user list --account 4002/);
      assert.equal((await json('user', 'list', '--account', '4002')).totalResults, 299);
      assert.equal((await json('user', 'list', '--account', '10001')).totalResults, 1);
      assert.match(
        await commandHereOk(['user', 'delete', 'e-22', '--account', '4002'], env),
        /e-22 is deleted/,
      );
    });

    it('maintenance status says whether it is on, and since when', async () => {
      assert.deepEqual(await json('maintenance', 'status'), { maintenance: false, since: null });
      await commandHereOk(['maintenance', 'on'], env);
      const { maintenance, since } = await json('maintenance', 'status');
      assert.equal(maintenance, true);
      assert.ok(Math.abs(Date.now() - Date.parse(since)) < 600_000);
      assert.match(await commandHereOk(['maintenance', 'status'], env), /Maintenance is on since 2/);
      await commandHereOk(['maintenance', 'off'], env);
      assert.match(await commandHereOk(['maintenance', 'status'], env), /Maintenance is off/);
      assert.match((await soundings(['maintenance', 'perhaps'], env)).stderr, /"on" or "off"/);
    });
  });
}
