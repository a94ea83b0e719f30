// What verbs say to somebody at a terminal, and to a program.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { writeCatalogue } from '../support/catalogue.ts';
import { engines, type TestStore } from '../support/engines.ts';
import { commandAtTerminal, commandHere, commandHereOk } from '../support/service.ts';
import { describeAtTerminal, shownAtTerminal } from '../support/terminal-session.ts';

for (const engine of engines) {
  describe(`verbs at a terminal on ${engine.name}`, () => {
    let store: TestStore;
    let env: Record<string, string>;
    const ok = async (...args: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await commandAtTerminal(args, env);
      assert.equal(code, 0, stderr);
      return stdout;
    };
    before(async () => {
      store = await engine.newStore();
      env = { DATABASE_URL: store.databaseUrl };
      await commandHereOk(['apply', writeCatalogue({ accounts: [{ id: 1, name: 'One' }] })], env);
    });
    after(() => store?.dispose());

    const account = ['--account', '1'];
    const newOnes: readonly (readonly [string, readonly string[], RegExp, readonly string[]])[] = [
      [
        'provisioning-token create',
        ['provisioning-token', 'create', '--name', 'entra', ...account],
        /^The provisioning token of account 1 is there\.\n {2}token +sdgp_\S+\n {2}id +\S+\n {2}may +reads and changes\n {2}expires +\d{4}-/,
        ['id', 'token', 'expires', 'mayChangeAdmins'],
      ],
      [
        'webhook create',
        ['webhook', 'create', '--name', 'hook', '--url', 'https://example.com/x', ...account],
        /^The webhook hook of account 1 is there\.\n {2}secret +whsec_\S+\n {2}id +wh_\S+\n {2}url +https:\/\/example\.com\/x\n {2}events +response\.created, /,
        ['id', 'accountId', 'name', 'url', 'events', 'secret'],
      ],
      [
        'client create',
        ['client', 'create', '--name', 'site', ...account],
        /^The API client is there\.\n {2}client id +sc_\S+\n {2}client secret +sdgs_\S+\n {2}grants +r_cx_/,
        ['clientId', 'clientSecret', 'scopes', 'mayChangeAdmins'],
      ],
    ];
    for (const [name, args, words, members] of newOnes)
      it(`${name} shows what is new as lines; a program gets the JSON of before [D-890]`, async () => {
        assert.match(await ok(...args), words);
        const again = args.map((arg) => (['hook', 'entra', 'site'].includes(arg) ? `${arg}-2` : arg));
        const piped = JSON.parse(await commandHereOk(again, env));
        assert.deepEqual(Object.keys(piped), members);
        const third = args.map((arg) => (['hook', 'entra', 'site'].includes(arg) ? `${arg}-3` : arg));
        assert.deepEqual(Object.keys(JSON.parse(await ok(...third, '--json'))), members);
      });

    it('webhook rotate --finish without a rotation is refused, and says so to a program too', async () => {
      const [{ id }] = JSON.parse(await commandHereOk(['webhook', 'list', '--json'], env));
      const finish = ['webhook', 'rotate', id, '--finish', ...account];
      for (const result of [await commandHere(finish, env), await commandHere([...finish, '--json'], env)]) {
        assert.deepEqual([result.code, JSON.parse(result.stdout)], [1, { id, finished: false }]);
        assert.match(result.stderr, /has one secret: there is no rotation to finish\.$/m);
      }
      assert.match(
        await ok('webhook', 'rotate', id, ...account),
        /^The new secret of wh_\S+.*\n {2}secret +whsec_/,
      );
      assert.equal(await ok(...finish), `The old secret of ${id} has ended.\n`);
      const none = await commandAtTerminal(finish, env);
      assert.deepEqual([none.code, none.stdout], [1, '']);
    });

    it('migrate --status is a table without cursors; a program is told them as before', async () => {
      const shown = await ok('migrate', '--status');
      assert.match(shown, /^The schema is up to date \(step \d+\)\.\nSTATE +WHAT /);
      assert.doesNotMatch(shown, / at \S+,/);
      for (const line of shown.split('\n')) assert.ok(line.length <= 80, line);
      assert.match(await commandHereOk(['migrate', '--status'], env), /^In the background: [\w.-]+ \(/m);
    });

    it('a missing file is one sentence and one exit status, whichever verb was given it', async () => {
      const file = join('/nowhere', 'none.csv');
      const verbs = [
        ['apply', file],
        ['user', 'import', file, ...account],
        ['epp', file, ...account],
        ['erase', '--file', file, ...account],
        // A database server has its own tools.
        ...(engine.name === 'sqlite' ? [['restore', file]] : []),
        ['verify', file],
        ['account', 'list', '--config', file],
      ];
      for (const args of verbs) {
        const { code, stdout, stderr } = await commandHere(args, env);
        const told = stderr.replace(/^Reading .*\n/, '');
        assert.deepEqual(
          [code, stdout, told],
          [1, '', `soundings: There is no file ${file}. Name a file that exists.\n`],
          args.join(' '),
        );
      }
    });

    it('--account may be left out where there is one; with several, they are named, and with none that is said [D-892]', async () => {
      const { stdout, code } = await commandHere(['provisioning-token', 'create', '--name', 'left-out'], env);
      assert.equal(code, 0);
      const listed = JSON.parse(
        await commandHereOk(['provisioning-token', 'list', ...account, '--json'], env),
      );
      assert.ok(listed.some(({ id }: { id: string }) => id === JSON.parse(stdout).id));
      const empty = await engine.readyStore();
      try {
        const other = { DATABASE_URL: empty.databaseUrl };
        assert.match(
          (await commandHere(['user', 'list'], other)).stderr,
          /^soundings: There are no accounts yet\. /,
        );
        await commandHereOk(['account', 'create', '1', '--name', 'One'], other);
        await commandHereOk(['account', 'create', '2', '--name', 'Two\u001b[2J'], other);
        const { code: refused, stderr } = await commandHere(['user', 'list'], other);
        assert.deepEqual(
          [refused, stderr],
          [1, 'soundings: Say which account with --account ID: there are 1 (One), 2 (Two\\u001b[2J).\n'],
        );
      } finally {
        await empty.dispose();
      }
    });

    it('an account that is not there is one sentence and one exit status, whichever verb was given it', async () => {
      const verbs = [
        ['user', 'list'],
        ['user', 'show', 'ada'],
        ['group', 'list'],
        ['provisioning-token', 'list'],
        ['user', 'invite', '--user-name', 'x'],
        ['client', 'create', '--name', 'x'],
        ['provisioning-token', 'create', '--name', 'x'],
        ['webhook', 'create', '--name', 'x', '--url', 'https://example.com/'],
        ['setup-link', 'list'],
        ['role', 'values'],
        ['view', 'list'],
      ];
      for (const args of verbs) {
        const { code, stderr } = await commandHere([...args, '--account', '9'], env);
        assert.deepEqual(
          [code, stderr],
          [1, 'soundings: There is no account 9. See "soundings account list".\n'],
          args.join(' '),
        );
      }
    });
  });
}

describeAtTerminal('a verb at a real terminal', () => {
  it('knows that it is one', async () => {
    const [engine] = engines;
    const store = await engine!.readyStore();
    try {
      const env = { DATABASE_URL: store.databaseUrl };
      await commandHereOk(['account', 'create', '1', '--name', 'One'], env);
      const { code, shown } = await shownAtTerminal(
        ['provisioning-token', 'create', '--account', '1', '--name', 'entra'],
        env,
      );
      assert.equal(code, 0, shown);
      assert.match(shown, /^The provisioning token of account 1 is there\./);
    } finally {
      await store.dispose();
    }
  });
});
