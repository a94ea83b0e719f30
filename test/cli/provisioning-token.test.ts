import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { writeCatalogue } from '../support/catalogue.ts';
import { engines, type TestStore } from '../support/engines.ts';
import { commandHere, commandHereOk, soundings } from '../support/service.ts';

const dayMs = 86_400_000;

for (const engine of engines) {
  describe(`soundings provisioning-token on ${engine.name}`, () => {
    let store: TestStore;
    let env: Record<string, string>;
    before(async () => {
      store = await engine.newStore();
      env = { DATABASE_URL: store.databaseUrl };
      const accounts = [
        { id: 1, name: 'One' },
        { id: 2, name: 'Two' },
      ];
      await commandHereOk(['apply', writeCatalogue({ accounts })], env);
    });
    after(() => store?.dispose());
    const run = (...args: readonly string[]) => commandHere(['provisioning-token', ...args], env);
    const ok = (...args: readonly string[]) => commandHereOk(['provisioning-token', ...args], env);

    it('create prints one line with the token, once, and list never shows it again [D-15]', async () => {
      const before = Date.now();
      const { code, stdout, stderr } = await soundings(
        ['provisioning-token', 'create', '--account', '1', '--name', 'Entra ID'],
        env,
      );
      assert.equal(code, 0, stderr);
      assert.match(stderr, /not shown again/);
      const { id, token, expires } = JSON.parse(stdout);
      assert.match(id, /^pt_[0-9a-f]{32}$/);
      // A prefix that scanners can look for, and 256 random bits.
      assert.match(token, /^sdgp_[\w-]{43}$/);
      const days = (Date.parse(expires) - before) / dayMs;
      assert.ok(days >= 365 && days < 365.01, `${days} days`);
      const [listed, ...others] = JSON.parse(await ok('list', '--account', '1', '--json'));
      assert.deepEqual([listed.id, listed.name, listed.state, others], [id, 'Entra ID', 'live', []]);
      const plain = await ok('list', '--account', '1');
      assert.match(plain, /live .*Entra ID/);
      assert.ok(!plain.includes(token) && !JSON.stringify(listed).includes(token));
      assert.match(await ok('list', '--account', '2'), /has no provisioning tokens/);
    });

    it('revoke ends a token of the account, is repeatable, and knows no foreign one (D-10)', async () => {
      const { id, expires } = JSON.parse(
        await ok('create', '--account', '1', '--name', 'Okta', '--days', '7', '--json'),
      );
      assert.ok(Date.parse(expires) - Date.now() < 7 * dayMs + 60_000);
      const foreign = await run('revoke', id, '--account', '2');
      assert.equal(foreign.code, 1);
      assert.match(foreign.stderr, /has no provisioning token/);
      assert.match(await ok('revoke', id, '--account', '1'), /within 5 seconds/);
      assert.match(await ok('revoke', id, '--account', '1'), /revoked already/);
      const listed = JSON.parse(await ok('list', '--account', '1', '--json'));
      assert.equal(listed.find((one: { id: string }) => one.id === id).state, 'revoked');
    });

    it('list and doctor warn of a token that ends within 30 days, and of no other [D-278]', async () => {
      const days = ['400', '12', '31', '1'];
      const made: { id: string }[] = [];
      for (const count of days)
        made.push(JSON.parse(await ok('create', '--account', '2', '--name', `of ${count}`, '--days', count)));
      const [, soon, , sooner] = made;
      const { stdout, stderr } = await run('list', '--account', '2');
      assert.match(
        stdout,
        /^TOKEN +STATE +MAY +EXPIRES +LAST USE +NAME\npt_\w+ +live +reads and changes +\S+ +never/,
      );
      const warned = stderr.trim().split('\n');
      assert.equal(warned.length, 2, stderr);
      assert.match(
        stderr,
        new RegExp(`${soon?.id} of account 2 \\(of 12\\) ends in 11 days: make another one`),
      );
      assert.match(stderr, new RegExp(`${sooner?.id} of account 2 \\(of 1\\) ends within a day`));
      await ok('revoke', sooner!.id, '--account', '2');
      const findings: { check: string; isWarning?: boolean; says: string }[] = JSON.parse(
        await commandHereOk(['doctor', '--json'], env),
      );
      const ofTokens = findings.filter(({ check }) => check === 'tokens');
      const named = ofTokens.filter(({ says }) => says.includes('account 2'));
      assert.deepEqual(
        named.map(({ isWarning, says }) => [isWarning, says.split(' ')[0]]),
        [[true, soon?.id]],
      );
    });

    it('refuses what makes no sense in one sentence, and makes nothing', async () => {
      const named = ['create', '--account', '1', '--name'];
      const cases: [readonly string[], RegExp][] = [
        [['create', '--account', '9', '--name', 'x'], /no account 9.*soundings account list/],
        [['create', '--account', 'x', '--name', 'x'], /--account must be the number/],
        [[...named, ' '], /--name must have/],
        [[...named, 'x', '--days', '0'], /--days must be a whole number/],
        [[...named, 'x', '--days', '1.5'], /--days must be a whole number/],
        [[...named, 'x', '--days', '4000'], /--days must be a whole number/],
        [['list'], /--account/],
        [['revoke', 'pt_x', '--account', '1'], /provisioning-token list/],
      ];
      const before = await ok('list', '--account', '1', '--json');
      for (const [args, message] of cases) {
        const { code, stderr } = await run(...args);
        assert.equal(code, 1, args.join(' '));
        assert.match(stderr, message);
        assert.equal(stderr.trim().split('\n').length, 1);
      }
      assert.equal(await ok('list', '--account', '1', '--json'), before);
    });
  });
}
