import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { writeCatalogue } from '../support/catalogue.ts';
import { engines, type TestStore } from '../support/engines.ts';
import { commandHere, commandHereOk, soundings, soundingsOk } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-file.ts';

for (const engine of engines) {
  describe(`soundings user on ${engine.name}`, () => {
    let store: TestStore;
    let env: Record<string, string>;
    const folder = temporaryFolder('import');
    const write = (name: string, ...lines: readonly string[]): string => {
      const file = join(folder, name);
      writeFileSync(file, `${lines.join('\n')}\n`);
      return file;
    };
    before(async () => {
      store = await engine.newStore();
      env = { DATABASE_URL: store.databaseUrl };
      await commandHereOk(['apply', writeCatalogue({ accounts: [{ id: 1, name: 'One' }] })], env);
    });
    after(async () => {
      rmSync(folder, { recursive: true, force: true });
      await store?.dispose();
    });
    const list = async (...flags: readonly string[]) =>
      JSON.parse(await commandHereOk(['user', 'list', '--account', '1', '--json', ...flags], env));

    it('import of a faulty file lists every fault with its line, and creates nothing', async () => {
      const file = write(
        'faulty.csv',
        'userName,active,emails.work,name.familyName',
        'ada,true,ada@x,Lovelace',
        ',true,b@x,B',
        'carl,perhaps,,C',
      );
      const { code, stderr } = await commandHere(['user', 'import', file, '--account', '1'], env);
      assert.equal(code, 1);
      assert.match(stderr, /faulty\.csv:3: userName is required/);
      assert.match(stderr, /faulty\.csv:4: active must be true or false/);
      assert.match(stderr, /faulty\.csv:4: emails is required/);
      assert.match(stderr, /nothing was changed/);
      assert.equal((await list()).totalResults, 0);
    });

    it('a name that looks like another is a fault of the file, and nobody is created [D-162]', async () => {
      const line = (userName: string): string =>
        JSON.stringify({ userName, name: {}, emails: [{ value: 'a@example.com' }] });
      const file = write('lookalikes.ndjson', line('plain'), line('ada '), line('a\u200bda'));
      const { code, stderr } = await commandHere(['user', 'import', file, '--account', '1'], env);
      assert.equal(code, 1);
      assert.match(stderr, /lookalikes\.ndjson:2: userName must not begin or end with white space/);
      assert.match(stderr, /lookalikes\.ndjson:3: userName must not hold characters that cannot be seen/);
      assert.equal((await list()).totalResults, 0);
    });

    it('import refuses columns it does not know, broken files and files that are not there', async () => {
      const unknown = write('unknown.csv', 'userName,shoeSize', 'ada,39');
      const broken = write('broken.ndjson', '{"userName":', '[]');
      for (const [file, message] of [
        [unknown, /unknown\.csv:1: There is no column "shoeSize"; there are userName/],
        [broken, /broken\.ndjson:1: The line is not valid JSON/],
        [join(folder, 'none.csv'), /There is no file/],
        [write('people.txt', 'x'), /must end in \.csv or \.ndjson/],
        [write('empty.csv', 'userName'), /has no users/],
      ] as const) {
        const { code, stderr } = await commandHere(['user', 'import', file, '--account', '1'], env);
        assert.equal(code, 1, stderr);
        assert.match(stderr, message);
      }
      const file = write('fine.csv', 'userName,emails', 'x,x@x');
      const { code, stderr } = await commandHere(['user', 'import', file, '--account', '9'], env);
      assert.equal(code, 1);
      assert.match(stderr, /no account 9.*soundings account list/);
    });

    it('import of CSV creates the users, with quotes, marks and every kind of column', async () => {
      const file = write(
        'people.csv',
        '\ufeffuserName,externalId,active,name.givenName,name.familyName,emails.work,emails.home,phoneNumbers.mobile,authenticationProvider',
        'ada,hr-1,true,Ada,"Lovelace, Countess",ada@x,ada@home,+44,idp-1',
        'bob,,FALSE,Bob,"O""Neil",bob@x,,,',
      );
      const dry = await soundingsOk(['user', 'import', file, '--account', '1', '--dry-run'], env);
      assert.match(dry, /2 users would be created; nothing was changed/);
      assert.equal((await list()).totalResults, 0);
      assert.match(
        await commandHereOk(['user', 'import', file, '--account', '1'], env),
        /2 of 2 users created/,
      );
      const { resources } = await list();
      assert.deepEqual(resources[0].emails, [
        { value: 'ada@x', type: 'work', primary: true },
        { value: 'ada@home', type: 'home' },
      ]);
      assert.equal(resources[0].name.familyName, 'Lovelace, Countess');
      assert.equal(resources[0].externalId, 'hr-1');
      assert.deepEqual([resources[1].active, resources[1].name.familyName], [false, 'O"Neil']);
      assert.equal('externalId' in resources[1], false);
    });

    it('import of NDJSON passes over who is there already, lists them by line, and ends with 2', async () => {
      const line = (userName: string): string =>
        JSON.stringify({ userName, name: {}, emails: [{ value: `${userName}@x` }] });
      const file = write('more.ndjson', line('carl'), '', line('ADA'), line('dora'), line('carl'));
      const { code, stdout, stderr } = await soundings(
        ['user', 'import', file, '--account', '1', '--json'],
        env,
      );
      assert.equal(code, 2);
      assert.deepEqual(
        JSON.parse(stdout).skipped.map((one: { line: number; field: string }) => [one.line, one.field]),
        [
          [3, 'userName'],
          [5, 'userName'],
        ],
      );
      assert.match(stderr, /more\.ndjson:3: Another user of the account has this userName/);
      assert.equal((await list()).totalResults, 4);
    });

    it('list filters and pages; show shows one by its address', async () => {
      const found = await list('--filter', 'name.familyName sw "love"');
      assert.deepEqual([found.totalResults, found.resources[0].userName], [1, 'ada']);
      const second = await list('--start', '2', '--count', '1');
      assert.deepEqual([second.itemsPerPage, second.resources[0].userName], [1, 'bob']);
      const plain = await commandHereOk(['user', 'list', '--account', '1'], env);
      assert.match(plain, /ADDRESS\s+STATE\s+USER NAME/);
      assert.match(plain, /hr-1\s+active\s+ada/);
      const shown = JSON.parse(await commandHereOk(['user', 'show', 'hr-1', '--account', '1'], env));
      assert.equal(shown.userName, 'ada');
      const none = await commandHere(['user', 'show', 'nobody', '--account', '1'], env);
      assert.equal(none.code, 1);
      assert.match(none.stderr, /No user is addressed by "nobody".*soundings user list/);
      const bad = await commandHere(['user', 'list', '--account', '1', '--filter', 'active eq true'], env);
      assert.equal(bad.code, 1);
      assert.match(bad.stderr, /Supported are userName with eq/);
    });

    it('suspend and reactivate change the state once, and say when there was nothing to do [D-57]', async () => {
      const run = async (verb: string) =>
        JSON.parse(await commandHereOk(['user', verb, 'hr-1', '--account', '1', '--json'], env));
      assert.deepEqual(await run('suspend'), { address: 'hr-1', active: false, changed: true });
      assert.deepEqual(await run('suspend'), { address: 'hr-1', active: false, changed: false });
      assert.equal((await list('--count', '1')).resources[0].active, false);
      assert.match(
        await commandHereOk(['user', 'reactivate', 'hr-1', '--account', '1'], env),
        /is active now/,
      );
    });

    it('a user that clashes in two ways is one that is passed over', async () => {
      const people = (prefix: string): string[] =>
        Array.from({ length: 300 }, (_, index) => `${prefix}${index},${prefix}${index},c@x`);
      const head = 'userName,externalId,emails.work';
      const first = write('people.csv', head, ...people('clash'));
      await commandHereOk(['user', 'import', first, '--account', '1'], env);
      const again = await commandHere(['user', 'import', first, '--account', '1'], env);
      assert.equal(again.code, 2);
      assert.match(again.stderr, /300 of 300 users were passed over; nobody is created:/);
      const mixed = write('mixed.csv', head, ...people('clash').slice(0, 1), ...people('fresh').slice(0, 2));
      const { code, stdout, stderr } = await commandHere(
        ['user', 'import', mixed, '--account', '1', '--json'],
        env,
      );
      assert.equal(code, 2);
      assert.match(stderr, /1 of 3 users was passed over; the others are created:/);
      const { created, passedOver, users, skipped } = JSON.parse(stdout);
      assert.deepEqual([created, passedOver, users, skipped.length], [2, 1, 3, 2]);
    });

    it('no text of the store is obeyed by a terminal, and none makes a line of its own [D-197]', async () => {
      const userName = 'evil\u001b[2J\u001b]0;owned\u0007\n1  active  root\r\u009b31m';
      const body = { userName, externalId: `e-${userName}`, name: {}, emails: [{ value: 'e@x' }] };
      const file = write('evil.ndjson', JSON.stringify(body));
      const of = ['--account', '1'];
      const filter = ['--filter', `userName eq ${JSON.stringify(userName)}`];
      const address = body.externalId;
      await commandHereOk(['client', 'create', ...of, '--name', userName], env);
      const rows: readonly (readonly string[])[] = [
        ['user', 'import', file, ...of],
        ['user', 'import', file, ...of],
        ['user', 'list', ...of, ...filter],
        ['user', 'list', ...of, ...filter, '--json'],
        ['user', 'show', address, ...of],
        ['user', 'show', `${address}-none`, ...of],
        ['user', 'suspend', address, ...of],
        ['client', 'list', ...of],
      ];
      for (const args of rows) {
        const { stdout, stderr } = await commandHere(args, env);
        assert.doesNotMatch(stdout + stderr, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/, args.join(' '));
        assert.doesNotMatch(stdout + stderr, /^1 {2}active {2}root/m, args.join(' '));
      }
      const { resources } = await list(...filter);
      assert.equal(resources[0].userName, userName);
    });
  });
}
