// Whom a verb means: by id, externalId, userName, and for those that only show by mail address.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { writeCatalogue } from '../support/catalogue.ts';
import { engines, sqlite, type TestStore } from '../support/engines.ts';
import { type CommandResult, commandAtTerminal, commandHere, commandHereOk } from '../support/service.ts';
import { temporaryFile } from '../support/temporary-file.ts';
import { atTerminal, describeAtTerminal } from '../support/terminal-session.ts';

const people = [
  {
    userName: 'ada',
    externalId: 'hr-1',
    name: { givenName: 'Ada', familyName: 'Lovelace' },
    emails: ['ada@acme.example'],
  },
  { userName: 'bob', emails: ['team@acme.example'] },
  { userName: 'carla', externalId: 'hr-3', emails: ['team@acme.example'] },
  // Named like the externalId of somebody else.
  { userName: 'hr-1', externalId: 'hr-4', emails: ['dora@acme.example'] },
];

async function fill(env: Record<string, string>, accountId: number): Promise<Map<string, number>> {
  const lines = people.map(({ emails, name = {}, ...rest }) =>
    JSON.stringify({ name, ...rest, emails: emails.map((value) => ({ value })) }),
  );
  const file = temporaryFile('people.ndjson', `${lines.join('\n')}\n`);
  await commandHereOk(['user', 'import', file, '--account', String(accountId)], env);
  const { resources } = JSON.parse(
    await commandHereOk(['user', 'list', '--account', String(accountId), '--json'], env),
  );
  return new Map(resources.map((one: { userName: string; id: number }) => [one.userName, one.id]));
}

for (const engine of engines) {
  describe(`finding a user on ${engine.name}`, () => {
    let store: TestStore;
    let env: Record<string, string>;
    let ids: Map<string, number>;
    before(async () => {
      store = await engine.readyStore();
      env = { DATABASE_URL: store.databaseUrl };
      await commandHereOk(
        [
          'apply',
          writeCatalogue({
            accounts: [
              { id: 1, name: 'One' },
              { id: 2, name: 'Two' },
            ],
          }),
        ],
        env,
      );
      ids = await fill(env, 1);
    });
    after(() => store?.dispose());

    const user = (...args: readonly string[]): Promise<CommandResult> =>
      commandHere(['user', ...args, '--account', '1'], env);
    const shownTo = async (text: string, ...flags: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await user('show', text, '--json', ...flags);
      return code === 0 ? JSON.parse(stdout).userName : stderr;
    };

    it('show finds one by id, externalId, userName in any case, and mail address [D-892]', async () => {
      for (const text of [String(ids.get('ada')), 'ada', 'ADA', 'ada@acme.example', 'Ada@Acme.Example'])
        assert.equal(await shownTo(text), 'ada', text);
      assert.equal(await shownTo(String(ids.get('bob'))), 'bob');
      assert.equal(await shownTo('hr-3'), 'carla');
    });

    it('somebody of another account is nobody [D-10]', async () => {
      for (const text of ['ada', 'hr-1', String(ids.get('ada')), 'ada@acme.example']) {
        const { code, stderr } = await commandHere(['user', 'show', text, '--account', '2'], env);
        assert.equal(code, 1);
        assert.match(stderr, /No user is addressed by/);
      }
    });

    it('an address that two people share is an ambiguity, and is told; list shows both', async () => {
      const { code, stderr } = await user('show', 'team@acme.example');
      assert.equal(code, 1);
      assert.match(stderr, /may mean 2 users: bob \(.*id \d+\) by mail; carla \(.*\) by mail\./);
      const { stdout } = await user('list', 'team@acme.example', '--json');
      const { totalResults, resources } = JSON.parse(stdout);
      assert.deepEqual(
        [totalResults, resources.map((one: { userName: string }) => one.userName)],
        [2, ['bob', 'carla']],
      );
      assert.match((await user('list', 'ada')).stdout, /^ADDRESS .*\nhr-1 +active +ada /);
      assert.equal((await user('list', 'ada', '--filter', 'userName eq "ada"')).code, 1);
    });

    it('a userName that is somebody’s externalId is refused at a terminal; a program gets whom it got before, and is told', async () => {
      const { code, stderr } = await commandAtTerminal(['user', 'show', 'hr-1', '--account', '1'], env);
      assert.equal(code, 1);
      assert.match(
        stderr,
        /"hr-1" may mean 2 users: ada \(Ada Lovelace, ada@acme\.example, id \d+\) by externalId; hr-1 \(/,
      );
      assert.equal(await shownTo('hr-1', '--by', 'userName'), 'hr-1');
      assert.equal(await shownTo('hr-1', '--by', 'externalId'), 'ada');
      const piped = await user('show', 'hr-1', '--json');
      assert.deepEqual([piped.code, JSON.parse(piped.stdout).userName], [0, 'ada']);
      assert.match(piped.stderr, /^Warning: "hr-1" may mean 2 users: .* It is taken for the externalId\.$/m);
    });

    it('what changes takes id, externalId or userName, and no mail address [D-892]', async () => {
      for (const verb of [
        ['suspend'],
        ['reactivate'],
        ['sign-out'],
        ['link'],
        ['delete'],
        ['roles'],
        ['confirm-admin'],
        ['refused'],
      ]) {
        const { code, stderr } = await user(
          ...verb,
          'ada@acme.example',
          ...(verb[0] === 'delete' ? ['--yes'] : []),
        );
        assert.equal(code, 1, verb.join());
        assert.match(stderr, /No user is addressed by "ada@acme\.example"/);
      }
      assert.match((await user('suspend', 'carla')).stdout, /^carla is suspended now\./);
      assert.match((await user('reactivate', String(ids.get('carla')))).stdout, /is active now\./);
    });

    it('a program that grants, links or deletes by userName says --yes; by externalId it needs none, as before', async () => {
      for (const args of [
        ['delete', 'carla'],
        ['link', 'carla'],
        ['roles', 'carla', '--grant', 'viewer'],
      ]) {
        const { code, stdout, stderr } = await user(...args);
        assert.deepEqual([code, stdout], [1, ''], args.join(' '));
        assert.match(stderr, /carla \(team@acme\.example, id \d+\)\. Nothing was changed: say --yes\./);
      }
      assert.equal((await user('roles', 'hr-3', '--grant', 'viewer')).code, 0);
      assert.equal((await user('roles', 'carla', '--grant', 'analyst', '--yes')).code, 0);
      assert.equal((await user('link', 'hr-3')).code, 0);
      assert.match((await user('delete', 'carla', '--yes')).stdout, /^carla is deleted\./);
      assert.match(await shownTo('carla'), /No user is addressed/);
    });

    it('an id that somebody took as externalId leads admin verbs to whoever has the id', async () => {
      const id = String(ids.get('bob'));
      const file = temporaryFile(
        'taker.ndjson',
        `${JSON.stringify({ userName: 'taker', externalId: `${id}`, name: {}, emails: [{ value: 't@x' }] })}\n`,
      );
      const { code } = await commandHere(['user', 'import', file, '--account', '1'], env);
      // An address that is in use cannot be taken at all; where it could, the id comes first.
      const piped = JSON.parse((await user('confirm-admin', id, '--json')).stdout);
      assert.equal(piped.id, ids.get('bob'));
      assert.ok([0, 2].includes(code ?? -1));
    });

    it('show at a terminal is a table of what is known; a program gets the JSON of before', async () => {
      const { stdout } = await commandAtTerminal(['user', 'show', 'ada', '--account', '1'], env);
      assert.match(stdout, /^userName +ada$/m);
      assert.match(stdout, /^name\.familyName +Lovelace$/m);
      assert.match(stdout, /^emails +ada@acme\.example$/m);
      assert.doesNotMatch(stdout, /[{}]|schemas/);
      assert.equal(JSON.parse((await user('show', 'ada')).stdout).userName, 'ada');
    });
  });
}

describeAtTerminal('a question at a terminal', () => {
  it('names the person before somebody is deleted, and anything but yes changes nothing [D-892]', async () => {
    const store = await sqlite.readyStore();
    try {
      const env = { DATABASE_URL: store.databaseUrl };
      await commandHereOk(['account', 'create', '1', '--name', 'One'], env);
      await fill(env, 1);
      for (const [typed, code, left] of [
        ['no', 1, 4],
        ['yes', 0, 3],
      ] as const) {
        const session = atTerminal(['user', 'delete', 'ada', '--account', '1'], env);
        await session.sees(
          /This deletes for good ada \(Ada Lovelace, ada@acme\.example, id \d+\)\. Type yes to go on: /,
        );
        session.type(`${typed}\r`);
        assert.equal(await session.exited, code, session.shown());
        const { totalResults } = JSON.parse(
          await commandHereOk(['user', 'list', '--account', '1', '--json'], env),
        );
        assert.equal(totalResults, left);
      }
    } finally {
      await store.dispose();
    }
  });
});
