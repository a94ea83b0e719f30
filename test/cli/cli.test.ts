// Every verb as an operator uses it: its output and its exit status, and a service that follows. Each is a process at least
// once, here or in the test of its own.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { commandReference } from '../../src/cli/program.ts';
import { settings } from '../../src/config.ts';
import { grants } from '../../src/domain/access/account.ts';
import { writeCatalogue } from '../support/catalogue.ts';
import { engines, isSpread, sqlite, type TestStore } from '../support/engines.ts';
import {
  type ApiClientCredentials,
  commandHere,
  commandHereOk,
  createClient,
  requestToken,
  type ServiceProcess,
  soundings,
  soundingsOk,
  startProcess,
  tokenFor,
  until,
} from '../support/service.ts';
import { storeRows, wholeStore } from '../support/store-rows.ts';
import { temporaryFolder } from '../support/temporary-file.ts';

const secretPattern = /^sdgs_[A-Za-z0-9_-]{43}$/;

interface ListedClient {
  readonly clientId: string;
  readonly accountId: number;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly disabled: boolean;
  readonly liveSecrets: number;
  readonly created: string;
  readonly lastUsed: string | null;
}

interface Finding {
  readonly check: string;
  readonly isRight: boolean;
  readonly says: string;
}

describe('help', () => {
  const verbs = commandReference();

  it('there is every verb of the contract', () => {
    const wanted = [
      'serve',
      'apply',
      ...['create', 'list', 'rotate', 'disable', 'enable', 'grant', 'revoke'].map((verb) => `client ${verb}`),
      'token',
      'keys rotate',
      'maintenance',
      'migrate',
      'config',
      'doctor',
    ];
    const names = new Set(verbs.map(({ name }) => name));
    assert.deepEqual(
      wanted.filter((verb) => !names.has(`soundings ${verb}`)),
      [],
    );
  });

  for (const { name, help } of verbs) {
    it(`${name} --help teaches: usage, what it does, every argument and option, an example to copy`, () => {
      assert.ok(help.startsWith(`Usage: ${name}`));
      const [, , description = ''] = help.split('\n');
      assert.match(description, /\w+ \w+/);
      assert.match(help, new RegExp(`\nExamples?:\n(?:  .*\n)*?  .*${name}`));
      for (const argument of help.split('\n')[0]?.match(/<\w+/g) ?? [])
        assert.match(help, new RegExp(`\n  ${argument.slice(1)}  +\\w`), argument);
      for (const option of help.match(/^ {2}-.*$/gm) ?? [])
        assert.match(option, /^ {2}-\S.*? {2,}\w/, option);
    });
  }

  it('asking for help or the version is a success, on standard output', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    const [root, nested, number] = await Promise.all(
      [['--help'], ['client', 'rotate', '--help'], ['--version']].map((args) => soundings(args)),
    );
    assert.deepEqual([root?.code, nested?.code, number?.code], [0, 0, 0]);
    assert.deepEqual([root?.stderr, nested?.stderr, number?.stderr], ['', '', '']);
    assert.match(root?.stdout ?? '', /Start here:\n {2}soundings serve --demo/);
    assert.match(nested?.stdout ?? '', /^Usage: soundings client rotate/);
    assert.equal(number?.stdout, `${version}\n`);
  });
});

describe('config', () => {
  it('shows what is in force and where it came from, and hides the password', async () => {
    const folder = temporaryFolder('config');
    const file = join(folder, 'soundings.yaml');
    writeFileSync(file, 'PORT: 9000\nHOST: 10.0.0.1\nSOUNDINGS_THROTTLE: off\n');
    const secretFile = join(folder, 'database-url');
    writeFileSync(secretFile, 'postgres://me:canary@db/soundings\n');
    const env = { HOST: '10.0.0.2', DATABASE_URL_FILE: secretFile };
    const [prose, json] = await Promise.all([
      soundings(['config', '--config', file], env),
      commandHere(['config', '--config', file, '--json'], env),
    ]);
    assert.deepEqual([prose.code, json.code], [0, 0]);
    assert.match(prose.stdout, /^SETTING +VALUE +FROM\n/);
    assert.match(prose.stdout, /^HOST +10\.0\.0\.2 +environment$/m);
    assert.match(prose.stdout, /^PORT +9000 +file$/m);
    assert.match(prose.stdout, /^DATABASE_URL +postgres:\/\/me:\*\*\*@db\/soundings +environment$/m);
    const values = JSON.parse(json.stdout) as Record<string, string>;
    assert.deepEqual(
      Object.keys(values),
      Object.values(settings).map(({ name }) => name),
    );
    assert.deepEqual([values.HOST, values.PORT, values.SOUNDINGS_THROTTLE], ['10.0.0.2', '9000', 'off']);
    assert.doesNotMatch(`${prose.stdout}${prose.stderr}${json.stdout}${json.stderr}`, /canary/);
  });
});

describe('the command line', { concurrency: 2 }, () => {
  for (const engine of engines) {
    describe(`the command line on ${engine.name}`, { concurrency: 1 }, () => {
      let store: TestStore;
      let env: Record<string, string>;
      let service: ServiceProcess;
      let client: ApiClientCredentials;

      before(async () => {
        store = await engine.newStore();
        env = { DATABASE_URL: store.databaseUrl, SOUNDINGS_THROTTLE: 'off' };
        service = await startProcess(env);
      });
      after(async () => {
        await service?.stop();
        await store?.dispose();
      });

      const tokenStatus = async (credentials: ApiClientCredentials, scope = 'r_cx_basic'): Promise<number> =>
        (await requestToken(service.baseUrl, credentials, scope)).status;
      const measuresStatus = async (token: string): Promise<number> => {
        const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
        return (await fetch(`${service.baseUrl}/v1/measures`, { headers })).status;
      };
      const within5Seconds = (ask: () => Promise<number>, wanted: number): Promise<number> =>
        until(ask, (status) => status === wanted, 5_500);
      const listed = async (): Promise<readonly ListedClient[]> =>
        JSON.parse(await commandHereOk(['client', 'list', '--json'], env)) as ListedClient[];
      const json = async (...args: string[]): Promise<unknown> =>
        JSON.parse(await commandHereOk([...args, '--json'], env));

      describe('serve', () => {
        it('brings the schema up to date and says in one line of JSON where it answers [D-01]', async () => {
          assert.match(service.baseUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
          assert.equal(service.announcement.pid, service.pid);
          assert.equal((await fetch(`${service.baseUrl}/readyz`)).status, 200);
          assert.doesNotMatch(service.output(), /Warning/);
        });

        it('takes flags before the environment, and ends with success when it is asked to', async () => {
          const other = await startProcess({ ...env, HOST: '203.0.113.1' }, ['--host', '127.0.0.1']);
          assert.match(other.baseUrl, /^http:\/\/127\.0\.0\.1:/);
          assert.equal(await other.stop(), 0);
          await assert.rejects(fetch(`${other.baseUrl}/livez`));
        });

        // Nothing of it is asked of the store.
        const itOnce = engine === sqlite ? it : () => {};
        itOnce(
          'on every address of the machine it warns of links that lead nowhere, unless told what callers use',
          async () => {
            const warning = /^Warning: Links in answers name 127\.0\.0\.1.*SOUNDINGS_PUBLIC_URL/m;
            for (const flags of [[], ['--workers', '2']]) {
              const open = await startProcess(env, ['--host', '0.0.0.0', ...flags]);
              await until(
                async () => open.output(),
                (text) => warning.test(text),
              );
              await open.stop();
            }
            const named = { ...env, SOUNDINGS_PUBLIC_URL: 'https://feedback.example' };
            const told = await startProcess(named, ['--host', '0.0.0.0']);
            await told.stop();
            assert.doesNotMatch(told.output() + service.output(), /Warning/);
          },
        );
      });

      describe('apply', () => {
        const catalogue = {
          accounts: [
            {
              id: 4001,
              name: 'Acme Retail',
              measures: [
                { key: 11, name: 'Web browse', channel: 'WEB', active: true },
                { key: 12, name: 'Branches', channel: 'STORE', active: false },
              ],
            },
            { id: 4002, name: 'Zoë’s Läden 🛍' },
          ],
        };
        const file = writeCatalogue(catalogue);

        it('--dry-run says what would change, and changes nothing', async () => {
          const before = await storeRows(store.databaseUrl, 'select id from account');
          const prose = await commandHereOk(['apply', file, '--dry-run'], env);
          for (const word of ['4001', '11', '12', '4002', 'nothing was changed'])
            assert.ok(prose.includes(word), word);
          const facts = (await json('apply', file, '--dry-run')) as { applied: boolean; changes: unknown[] };
          assert.equal(facts.applied, false);
          assert.equal(facts.changes.length, 4);
          assert.deepEqual(await storeRows(store.databaseUrl, 'select id from account'), before);
        });

        it('makes the store agree with the file and says what changed', async () => {
          const prose = await soundingsOk(['apply', file], env);
          assert.match(prose, /4 changed\.\n$/);
          const accounts = await storeRows(store.databaseUrl, 'select name from account order by id');
          assert.deepEqual(
            accounts.map(({ name }) => name),
            ['Acme Retail', 'Zoë’s Läden 🛍'],
          );
          const entries = await storeRows(
            store.databaseUrl,
            'select actor, action from audit where account_id = 4001',
          );
          assert.deepEqual(
            entries.map((entry) => ({ ...entry })),
            [{ actor: 'command line', action: 'catalogue.apply' }],
          );
        });

        it('applying twice changes nothing and says so', async () => {
          const before = await wholeStore(store.databaseUrl);
          const [prose, facts] = [await commandHereOk(['apply', file], env), await json('apply', file)];
          assert.equal(prose, 'The store agrees with the file already: nothing to change.\n');
          assert.deepEqual(facts, { applied: true, changes: [] });
          const { heartbeat: _before, ...kept } = before;
          const { heartbeat: _after, ...now } = await wholeStore(store.databaseUrl);
          assert.deepEqual(now, kept);
        });

        it('what the file does not name stays as it is; what it names follows it [D-47]', async () => {
          const partial = `
  accounts:
    - id: 4001
      name: Acme Retail
      measures:
        - {key: 12, name: Branches and kiosks, channel: STORE, active: true}
  `;
          const { changes } = (await json('apply', writeCatalogue(partial))) as {
            changes: readonly string[];
          };
          assert.equal(changes.length, 1);
          assert.match(changes[0] ?? '', /measure 12 .*name, active/);
          client = await createClient(env, 4001);
          const token = await tokenFor(service.baseUrl, client);
          const answer = await fetch(`${service.baseUrl}/v1/measures`, {
            headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
          });
          const { items } = (await answer.json()) as {
            items: { id: number; name: string; active: boolean }[];
          };
          assert.deepEqual(
            items.map(({ id, name, active }) => [id, name, active]),
            [
              [11, 'Web browse', true],
              [12, 'Branches and kiosks', true],
            ],
          );
        });

        it('one fault, and nothing is changed: all faults are listed with their lines', async () => {
          const faulty = writeCatalogue(`accounts:
    - id: 4003
      name: Good
    - id: four
      name: Bad
      measures:
        - key: 3000000000
          name: ""
          channel: TELEGRAPH
          active: maybe
          colour: red
        - name: No key
  `);
          const { code, stdout, stderr } = await soundings(['apply', faulty], env);
          assert.equal(code, 1);
          assert.equal(stdout, '');
          assert.match(stderr, /^soundings: The catalogue has faults, and nothing was changed:\n/);
          const lines = [...stderr.matchAll(/catalogue\.yaml:(\d+)/g)].map((match) => Number(match[1]));
          assert.deepEqual(lines, [4, 7, 8, 9, 10, 11, 12]);
          assert.deepEqual(await storeRows(store.databaseUrl, 'select id from account where id = 4003'), []);
        });

        it('text that an engine could not keep is a fault in the file, alike on both', async () => {
          const names = ['"a\\0b"', '"lone \\ud800 surrogate"', '""', '1.5'];
          const text = names.map((name, index) => `  - id: ${5000 + index}\n    name: ${name}\n`).join('');
          const { code, stderr } = await commandHere(['apply', writeCatalogue(`accounts:\n${text}`)], env);
          assert.equal(code, 1);
          const lines = [...stderr.matchAll(/catalogue\.yaml:(\d+)/g)].map((match) => Number(match[1]));
          assert.deepEqual(lines, [3, 5, 7, 9]);
        });

        it('a file that is no YAML says in which line', async () => {
          const { code, stderr } = await commandHere(
            ['apply', writeCatalogue('accounts:\n  - id: [1\n')],
            env,
          );
          assert.equal(code, 1);
          assert.match(stderr, /catalogue\.yaml:\d+/);
          assert.doesNotMatch(stderr, /\n\s+at /);
        });
      });

      // Most of this is waiting for what a replica may still remember.
      describe('client', { concurrency: 3 }, () => {
        it('create prints id, secret and grants on one line of JSON, once; without --grant all five [D-11] [D-15]', async () => {
          const { code, stdout, stderr } = await soundings(
            ['client', 'create', '--account', '4001', '--name', 'Nightly export'],
            env,
          );
          assert.equal(code, 0);
          assert.match(stdout, /^\{.*\}\n$/);
          const made = JSON.parse(stdout) as ApiClientCredentials;
          assert.deepEqual(Object.keys(made), ['clientId', 'clientSecret', 'scopes', 'mayChangeAdmins']);
          assert.match(made.clientSecret, secretPattern);
          assert.deepEqual(made.scopes, grants);
          assert.match(stderr, /not shown again/);
          assert.equal(await tokenStatus(made), 200);
          const everything = JSON.stringify(await wholeStore(store.databaseUrl));
          assert.ok(everything.includes(made.clientId));
          assert.equal(everything.includes(made.clientSecret), false);
          assert.equal(everything.includes(made.clientSecret.slice('sdgs_'.length)), false);
        });

        it('create --grant gives those grants and no other [D-11]', async () => {
          const narrow = await createClient(env, 4002, ['r_cx_users', 'w_cx_users', 'r_cx_users']);
          assert.deepEqual(narrow.scopes, ['r_cx_users', 'w_cx_users']);
          assert.equal(await tokenStatus(narrow, 'r_cx_measures'), 403);
          assert.equal(await tokenStatus(narrow, 'w_cx_users'), 200);
        });

        it('list shows the clients of all accounts or of one, and never a secret [D-15]', async () => {
          const [all, ofOne, prose] = await Promise.all([
            listed(),
            commandHereOk(['client', 'list', '--account', '4002', '--json'], env),
            soundingsOk(['client', 'list'], env),
          ]);
          const mine = all.find(({ clientId }) => clientId === client.clientId);
          assert.deepEqual(Object.keys(mine ?? {}), [
            'clientId',
            'accountId',
            'name',
            'scopes',
            'disabled',
            'liveSecrets',
            'created',
            'lastUsed',
            'mayChangeAdmins',
          ]);
          assert.deepEqual(
            [mine?.accountId, mine?.name, mine?.disabled, mine?.liveSecrets],
            [4001, 'test', false, 1],
          );
          assert.deepEqual(
            (JSON.parse(ofOne) as ListedClient[]).filter(({ accountId }) => accountId !== 4002),
            [],
          );
          assert.match(prose, /^CLIENT +ACCOUNT +STATE +SECRETS +LAST USE +NAME +GRANTS\n/);
          assert.match(
            prose,
            new RegExp(`^${client.clientId} +4001 +enabled +1 secret +\\S.* +test +r_cx_measures`, 'm'),
          );
          assert.doesNotMatch(`${prose}${JSON.stringify(all)}`, /sdgs_/);
        });

        it('rotate gives a second secret that works at once beside the first; --finish ends the first within 5 seconds [D-13] [D-15]', async () => {
          const made = await createClient(env, 4001);
          const { clientId, clientSecret } = (await json(
            'client',
            'rotate',
            made.clientId,
          )) as ApiClientCredentials;
          assert.equal(clientId, made.clientId);
          assert.match(clientSecret, secretPattern);
          const rotated = { ...made, clientSecret };
          assert.equal(await tokenStatus(rotated), 200);
          assert.equal(await tokenStatus(made), 200);
          const again = await commandHere(['client', 'rotate', made.clientId], env);
          assert.equal(again.code, 1);
          assert.match(again.stderr, /--finish/);
          assert.deepEqual(await json('client', 'rotate', made.clientId, '--finish'), {
            clientId,
            liveSecrets: 1,
          });
          await within5Seconds(() => tokenStatus(made), 401);
          assert.equal(await tokenStatus(rotated), 200);
        });

        it('disable stops credentials and tokens within 5 seconds, enable brings them back at once [D-13]', async () => {
          const made = await createClient(env, 4001);
          const token = await tokenFor(service.baseUrl, made);
          assert.equal(await measuresStatus(token), 200);
          assert.deepEqual(await json('client', 'disable', made.clientId), {
            clientId: made.clientId,
            disabled: true,
          });
          await within5Seconds(() => measuresStatus(token), 401);
          await within5Seconds(() => tokenStatus(made), 401);
          assert.equal((await listed()).find(({ clientId }) => clientId === made.clientId)?.disabled, true);
          assert.match(await commandHereOk(['client', 'enable', made.clientId], env), /is enabled\.\n$/);
          assert.equal(await tokenStatus(made), 200);
          assert.equal(await measuresStatus(token), 200);
        });

        it('grant opens more at once, revoke less within 5 seconds [D-11] [D-13]', async () => {
          const made = await createClient(env, 4001, ['r_cx_users']);
          const token = await tokenFor(service.baseUrl, made);
          assert.equal(await measuresStatus(token), 403);
          const { clientId } = made;
          assert.deepEqual(await json('client', 'grant', clientId, 'r_cx_measures', 'r_cx_users'), {
            clientId,
            scopes: ['r_cx_users', 'r_cx_measures'],
          });
          assert.equal(await measuresStatus(token), 200);
          const prose = await commandHereOk(
            ['client', 'revoke', clientId, 'r_cx_measures', 'r_cx_users'],
            env,
          );
          assert.equal(prose, `${clientId} now has: no grants\n`);
          await within5Seconds(() => measuresStatus(token), 403);
        });
      });

      describe('token', () => {
        it('prints a token that the service takes, from a secret in the environment or in a file [D-13]', async () => {
          const secretFile = join(temporaryFolder('secret'), 'secret');
          writeFileSync(secretFile, `${client.clientSecret}\n`);
          const args = ['token', '--client', client.clientId];
          const [plain, asJson] = await Promise.all([
            soundingsOk(args, { ...env, SOUNDINGS_CLIENT_SECRET: client.clientSecret }),
            commandHereOk([...args, '--scope', 'r_cx_measures', '--json'], {
              ...env,
              SOUNDINGS_CLIENT_SECRET_FILE: secretFile,
            }),
          ]);
          assert.match(plain, /^[\w-]+\.[\w-]+\.[\w-]+\n$/);
          assert.equal(await measuresStatus(plain.trim()), 200);
          const { access_token: token, ...rest } = JSON.parse(asJson) as { access_token: string };
          assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 7200, scope: 'r_cx_measures' });
          assert.equal(await measuresStatus(token), 200);
        });

        it('is as strict as the endpoint: wrong secret, unknown scope, scope that was not granted [D-11] [D-15]', async () => {
          const narrow = await createClient(env, 4001, ['r_cx_users']);
          const args = ['token', '--client', narrow.clientId];
          const right = { ...env, SOUNDINGS_CLIENT_SECRET: narrow.clientSecret };
          const outcomes = await Promise.all([
            soundings(args, { ...env, SOUNDINGS_CLIENT_SECRET: 'wrong' }),
            commandHere([...args, '--scope', 'everything'], right),
            commandHere([...args, '--scope', 'r_cx_users w_cx_users'], right),
          ]);
          for (const { code, stdout } of outcomes) assert.deepEqual([code, stdout], [1, '']);
          assert.match(outcomes[1]?.stderr ?? '', /--scope must be/);
          assert.match(outcomes[2]?.stderr ?? '', /was not granted w_cx_users/);
          assert.doesNotMatch(outcomes.map(({ stderr }) => stderr).join(), /sdgs_/);
        });
      });

      describe('keys rotate', () => {
        it('adds a key that signs 10 seconds later; tokens of the old one live on [D-13]', async () => {
          const token = await tokenFor(service.baseUrl, client);
          const startedAtMs = Date.now();
          const { kid, signsFrom } = (await json('keys', 'rotate')) as { kid: string; signsFrom: string };
          const [least, most] = [startedAtMs, Date.now()].map((atMs) =>
            new Date(atMs + 10_000).toISOString(),
          );
          assert.ok(signsFrom >= least! && signsFrom <= most!, `${least} ${signsFrom} ${most}`);
          const keys = await storeRows(store.databaseUrl, 'select kid from signing_key order by signs_from');
          assert.equal(keys.length, 2);
          assert.equal(keys[1]?.kid, kid);
          assert.equal(await measuresStatus(token), 200);
          assert.equal(await measuresStatus(await tokenFor(service.baseUrl, client)), 200);
        });
      });

      describe('maintenance', () => {
        it('on: every endpoint of the interface is unavailable within 5 seconds, the operators’ are not; off: as before', async () => {
          const token = await tokenFor(service.baseUrl, client);
          assert.deepEqual(await json('maintenance', 'on'), { maintenance: true, changed: true });
          assert.deepEqual(await json('maintenance', 'on'), { maintenance: true, changed: false });
          await within5Seconds(() => measuresStatus(token), 503);
          assert.equal(await tokenStatus(client), 503);
          const operators = await Promise.all(
            ['/livez', '/readyz', '/metrics'].map(
              async (path) => (await fetch(`${service.baseUrl}${path}`)).status,
            ),
          );
          assert.deepEqual(operators, [200, 200, 200]);
          assert.equal(await soundingsOk(['maintenance', 'off'], env), 'Maintenance is off.\n');
          assert.equal(await commandHereOk(['maintenance', 'off'], env), 'Maintenance is already off.\n');
          await within5Seconds(() => measuresStatus(token), 200);
        });
      });

      describe('doctor', () => {
        it('finds a healthy store right in every respect', async () => {
          const findings = (await json('doctor')) as Finding[];
          const isFile = engine.name === 'sqlite';
          const ofWorkers = !isFile && (await isSpread()) ? ['workers', 'durability', 'tables'] : [];
          const inStore = [
            'schema',
            ...ofWorkers,
            'changes',
            'keys',
            'accounts',
            'sealing',
            'background',
            'sizes',
            'erasures',
            'insight',
            'clock',
            'trusted time',
            'backup',
          ];
          const checks = isFile
            ? ['settings', 'store', 'damage', ...inStore, 'disk', 'console']
            : ['settings', 'store', ...inStore, 'connections', 'console'];
          assert.deepEqual(
            findings.map(({ check, isRight }) => [check, isRight]),
            checks.map((check) => [check, true]),
          );
          assert.match(await soundingsOk(['doctor'], env), /^right +settings +valid\n/);
        });

        it('warns of links that lead nowhere, and does not fail for them', async () => {
          for (const HOST of ['0.0.0.0', '::']) {
            const prose = await commandHereOk(['doctor'], { ...env, HOST });
            assert.match(prose, /^warning +links +.*SOUNDINGS_PUBLIC_URL/m);
          }
          for (const more of [
            { HOST: '127.0.0.1' },
            { HOST: '0.0.0.0', SOUNDINGS_PUBLIC_URL: 'https://a.example' },
          ])
            assert.doesNotMatch(await commandHereOk(['doctor'], { ...env, ...more }), /links/);
        });

        it('says what is wrong and what to do, and fails', async () => {
          const fresh = await engine.newStore();
          try {
            const { code, stdout, stderr } = await soundings(['doctor'], { DATABASE_URL: fresh.databaseUrl });
            assert.equal(code, 1);
            assert.match(stdout, /^WRONG +schema .*run "soundings migrate"\.$/m);
            assert.match(stderr, /^soundings: 1 of \d checks failed: schema\.\n$/);
          } finally {
            await fresh.dispose();
          }
        });

        it('a store without a key that signs is wrong, and the advice mends it', async () => {
          const keyless = await engine.newStore();
          const own = { DATABASE_URL: keyless.databaseUrl };
          try {
            await soundingsOk(['migrate'], own);
            await storeRows(keyless.databaseUrl, 'delete from signing_key');
            const { code, stdout } = await commandHere(['doctor', '--json'], own);
            assert.equal(code, 1);
            const wrong = (JSON.parse(stdout) as Finding[]).filter(({ isRight }) => !isRight);
            assert.deepEqual(
              wrong.map(({ check }) => check),
              ['keys'],
            );
            assert.match(wrong[0]?.says ?? '', /run "soundings keys rotate"/);
            await soundingsOk(['keys', 'rotate'], own);
            assert.equal((await storeRows(keyless.databaseUrl, 'select kid from signing_key')).length, 1);
          } finally {
            await keyless.dispose();
          }
        });
      });
    });
  }
});
