// What an operator gets wrong, and what the program says: one sentence and the next step on standard error, nothing
// on standard output, a status that is not 0, and never a stack trace.

import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { writeCatalogue } from '../support/catalogue.ts';
import { engines, postgres, postgresUrl, type TestStore } from '../support/engines.ts';
import { freePort } from '../support/postgres-server.ts';
import { type CommandResult, commandHere, commandHereOk, soundings } from '../support/service.ts';
import { storeRows, storeTables } from '../support/store-rows.ts';
import { temporaryFolder } from '../support/temporary-file.ts';

interface Failure {
  readonly title: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What is wrong, in the one sentence. */
  readonly says: RegExp;
  /** What to do next. */
  readonly next: RegExp;
}

const folder = temporaryFolder('failures');
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const regularFile = file('regular', 'not a folder');
const noDatabase = file(
  'no-database.db',
  'this is no database, and long enough to be seen as something else\n'.repeat(99),
);

function assertExplained(
  { code, stdout, stderr }: CommandResult,
  { says, next }: Pick<Failure, 'says' | 'next'>,
): void {
  assert.ok(code !== null && code > 0, `it ended with ${code}`);
  assert.equal(stdout, '');
  assert.match(stderr, /^soundings: .*\.\n$/s);
  assert.match(stderr, says);
  assert.match(stderr, next);
  assert.doesNotMatch(stderr, /\n\s+at |node:internal|"stack"|should not have happened/);
  assert.doesNotMatch(stderr, /canary/);
}

/** A service takes the process that it runs in for its own. */
function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CommandResult> {
  return (args[0] === 'serve' ? soundings : commandHere)(args, env);
}

function assertOneLine({ stderr }: CommandResult): void {
  assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
}

describe('failures of the command line', { concurrency: 2 }, () => {
  after(() => rmSync(folder, { recursive: true, force: true }));

  const memory = { DATABASE_URL: 'sqlite::memory:' };
  const failures: Failure[] = [
    {
      title: 'a wrong verb',
      args: ['frobnicate'],
      says: /unknown command 'frobnicate'/,
      next: /See "soundings --help"/,
    },
    {
      title: 'a verb with a slip of the pen',
      args: ['serv'],
      says: /unknown command 'serv'/,
      next: /did you mean serve\?/,
    },
    {
      title: 'a wrong verb of clients',
      args: ['client', 'kill'],
      says: /unknown command 'kill'/,
      next: /See "soundings client --help"/,
    },
    {
      title: 'an unknown option',
      args: ['serve', '--frob'],
      says: /unknown option '--frob'/,
      next: /See "soundings serve --help"/,
    },
    {
      title: 'a missing argument',
      args: ['apply'],
      says: /missing required argument 'file'/,
      next: /See "soundings apply --help"/,
    },
    {
      title: 'a missing option',
      args: ['client', 'create', '--account', '1'],
      says: /'--name <name>' not specified/,
      next: /See "soundings client create --help"/,
    },
    {
      title: 'an argument too many',
      args: ['migrate', 'now'],
      says: /too many arguments/,
      next: /See "soundings migrate --help"/,
    },
    {
      title: 'a missing catalogue',
      args: ['apply', `${folder}/none.yaml`],
      says: /There is no file .*none\.yaml/,
      next: /Name a file that exists/,
    },
    {
      title: 'a folder as catalogue',
      args: ['apply', folder],
      says: /cannot be read: EISDIR/,
      next: /Name a file that can be read/,
    },
    {
      title: 'a missing settings file',
      args: ['config', '--config', `${folder}/none.yaml`],
      says: /There is no file .*none\.yaml/,
      next: /Name a file that exists/,
    },
    {
      title: 'a settings file that is no map',
      args: ['config', '--config', file('list.yaml', '- PORT\n')],
      says: /must be a map/,
      next: /such as "PORT: 8080"/,
    },
    {
      title: 'a settings file that is no YAML',
      args: ['config', '--config', file('broken.yaml', 'PORT: [1\n')],
      says: /broken\.yaml cannot be read/,
      next: /Name a file that can be read/,
    },
    {
      title: 'a folder that is not there [D-839]',
      args: ['migrate'],
      env: { DATABASE_URL: `sqlite:${folder}/typo/store.db` },
      says: /The folder .*\/typo is not there/,
      next: /mend DATABASE_URL, or say --create to make it/,
    },
    {
      title: 'a folder that cannot be made, below a file',
      args: ['migrate', '--create'],
      env: { DATABASE_URL: `sqlite:${regularFile}/data/store.db` },
      says: /The folder .*\/regular\/data cannot be made: ENOTDIR/,
      next: /Name another place in DATABASE_URL/,
    },
    {
      title: 'a folder that nobody can make',
      args: ['serve', '--port', '0', '--create'],
      env: { DATABASE_URL: 'sqlite:/proc/soundings/store.db' },
      says: /The folder \/proc\/soundings cannot be made/,
      next: /Name another place in DATABASE_URL/,
    },
    {
      title: 'a file that is no database',
      args: ['client', 'list'],
      env: { DATABASE_URL: `sqlite:${noDatabase}` },
      says: /is damaged: file is not a database/,
      next: /DATABASE_URL/,
    },
    {
      title: 'a folder as database',
      args: ['migrate', '--status'],
      env: { DATABASE_URL: `sqlite:${folder}` },
      says: /cannot be opened/,
      next: /DATABASE_URL/,
    },
    {
      title: 'an address that is not of this machine',
      args: ['serve', '--host', '203.0.113.7', '--port', '0'],
      env: memory,
      says: /Port 0 of 203\.0\.113\.7 cannot be opened \(EADDRNOTAVAIL\)/,
      next: /Choose others with --host and --port/,
    },
    {
      title: 'a host that does not exist',
      args: ['serve', '--host', 'no-such-host.invalid', '--port', '0'],
      env: memory,
      says: /no-such-host\.invalid cannot be opened/,
      next: /--host/,
    },
    {
      title: 'a state that maintenance has not',
      args: ['maintenance', 'perhaps'],
      env: memory,
      says: /"on" or "off"/,
      next: /not "perhaps"/,
    },
    {
      title: 'an account that is no number',
      args: ['client', 'create', '--account', 'acme', '--name', 'x'],
      env: memory,
      says: /--account must be the number of an account/,
      next: /not "acme"/,
    },
    {
      title: 'an account that does not exist',
      args: ['client', 'create', '--account', '7', '--name', 'x'],
      env: memory,
      says: /There is no account 7/,
      next: /"soundings account list"/,
    },
    {
      title: 'a name of blanks',
      args: ['client', 'create', '--account', '7', '--name', '  '],
      env: memory,
      says: /--name must have/,
      next: /1 to 255 characters/,
    },
    {
      title: 'a grant that does not exist',
      args: ['client', 'create', '--account', '7', '--name', 'x', '--grant', 'all'],
      env: memory,
      says: /There is no grant "all"/,
      next: /there are r_cx_measures/,
    },
    {
      title: 'a grant that does not exist, for a client that does',
      args: ['client', 'grant', 'sc_1', 'r_cx_basic'],
      env: memory,
      says: /There is no grant "r_cx_basic"/,
      next: /there are r_cx_measures/,
    },
    {
      title: 'a client that does not exist',
      args: ['client', 'rotate', 'sc_1'],
      env: memory,
      says: /There is no API client sc_1/,
      next: /"soundings client list"/,
    },
    {
      title: 'a token without a secret',
      args: ['token', '--client', 'sc_1'],
      env: memory,
      says: /The secret is missing/,
      next: /SOUNDINGS_CLIENT_SECRET/,
    },
    {
      title: 'a secret file that is not there',
      args: ['token', '--client', 'sc_1'],
      env: { ...memory, SOUNDINGS_CLIENT_SECRET_FILE: `${folder}/none` },
      says: /SOUNDINGS_CLIENT_SECRET_FILE cannot be read/,
      next: /ENOENT/,
    },
  ];
  for (const failure of failures) {
    it(`${failure.title}: one sentence, and the next step`, async () => {
      const result = await run(failure.args, failure.env ?? {});
      // A new store in memory says first that it is being prepared.
      const stderr = result.stderr.replace(/^Bringing the schema .*\n/, '');
      assertExplained({ ...result, stderr }, failure);
      assertOneLine({ ...result, stderr });
    });
  }

  it('no verb at all shows the verbs, and fails', async () => {
    for (const args of [[], ['client'], ['keys']]) {
      const { code, stdout, stderr } = await soundings(args);
      assert.equal(code, 1);
      assert.equal(stdout, '');
      assert.match(stderr, /^Usage: soundings .*\n[\s\S]*(Start|Commands):\n/);
      assert.doesNotMatch(stderr, /outputHelp/);
    }
  });

  it('bad settings stop every verb, all faults at once, and nothing is made', async () => {
    const path = join(folder, 'never-made');
    const env = {
      DATABASE_URL: `sqlite:${path}/store.db`,
      SOUNDINGS_TROTTLE: 'off',
      SOUNDINGS_LOG_LEVEL: 'loud',
      SOUNDINGS_POOL_SIZE: '0',
    };
    for (const args of [['serve', '--port', '99999'], ['migrate'], ['doctor'], ['config']]) {
      const result = await run(args, env);
      assertExplained(result, { says: /The settings are not valid:\n/, next: /docs\/settings\.md/ });
      const named = [
        'SOUNDINGS_TROTTLE',
        'SOUNDINGS_LOG_LEVEL',
        'SOUNDINGS_POOL_SIZE',
        ...(args[0] === 'serve' ? ['PORT'] : []),
      ];
      for (const name of named) assert.match(result.stderr, new RegExp(`^ {2}${name}: `, 'm'));
    }
    assert.throws(() => rmSync(path), { code: 'ENOENT' });
  });

  it('a reader who has seen enough is no failure, and no stack trace', async () => {
    const { execFile } = await import('node:child_process');
    const { promisify } = await import('node:util');
    const root = new URL('../../', import.meta.url);
    const command = `"${process.execPath}" bin/soundings.js config | true; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', command], { cwd: root });
    assert.deepEqual([stdout, stderr], ['0\n', '']);
  });

  describe('a database that cannot be reached', () => {
    let port: number;
    before(async () => {
      port = await freePort();
    });

    for (const args of [
      ['serve', '--port', '0'],
      ['migrate'],
      ['client', 'list'],
      ['apply', writeCatalogue('accounts: []')],
    ]) {
      it(`${args[0]} names database and server, not the password, and what to do`, async () => {
        const result = await run(args, {
          DATABASE_URL: `postgres://me:canary@127.0.0.1:${port}/feedback`,
          SOUNDINGS_START_PATIENCE_SECONDS: '0',
        });
        assertExplained(result, {
          says: new RegExp(
            `The database feedback on 127\\.0\\.0\\.1:${port} cannot be reached: .*ECONNREFUSED`,
          ),
          next: /Start it, or mend DATABASE_URL\./,
        });
        assertOneLine(result);
      });
    }

    it('doctor names it as one of its findings', async () => {
      const { code, stdout, stderr } = await commandHere(['doctor', '--json'], {
        DATABASE_URL: `postgres://me:canary@127.0.0.1:${port}/feedback`,
      });
      assert.equal(code, 1);
      const findings = JSON.parse(stdout) as { check: string; isRight: boolean; says: string }[];
      const store = findings.find(({ check }) => check === 'store');
      assert.equal(store?.isRight, false);
      assert.match(store?.says ?? '', /cannot be reached/);
      assert.match(stderr, /^soundings: 1 of 3 checks failed: store\.\n$/);
      assert.doesNotMatch(stdout + stderr, /canary/);
    });

    it('a server that only speaks like PostgreSQL is named at the start, and nothing is made there', async () => {
      const store = await postgres.newStore();
      try {
        const database = new URL(store.databaseUrl).pathname.slice(1);
        await storeRows(store.databaseUrl, 'create schema other');
        await storeRows(
          store.databaseUrl,
          `create function other.version() returns text language sql as $$
            select 'CockroachDB CCL v24.1.0 (x86_64-pc-linux-gnu, built 2024/05/15)' $$`,
        );
        await storeRows(
          store.databaseUrl,
          `alter database ${database} set search_path = other, pg_catalog, public`,
        );
        for (const args of [['migrate'], ['serve'], ['client', 'list']]) {
          const result = await run(args, { DATABASE_URL: store.databaseUrl });
          assertExplained(result, {
            says: /The server is CockroachDB CCL v24\.1\.0: Soundings runs on PostgreSQL/,
            next: /Name such a server in DATABASE_URL\./,
          });
          assertOneLine(result);
        }
        assert.deepEqual(await storeTables(store.databaseUrl), []);
      } finally {
        await store.dispose();
      }
    });

    it('a database that the server does not have, and a server that speaks another language', async () => {
      const missing = new URL(postgresUrl());
      missing.pathname = '/no_such_database';
      const result = await commandHere(['migrate'], { DATABASE_URL: missing.href });
      assertExplained(result, { says: /no_such_database.*does not exist/, next: /mend DATABASE_URL/ });
      assertOneLine(result);
      const deaf = createServer((socket) => {
        socket.on('error', () => {});
        socket.resume().end('HTTP/1.1 400 Bad Request\r\n\r\n');
      });
      await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve));
      const { port: deafPort } = deaf.address() as { port: number };
      const other = await commandHere(['migrate'], { DATABASE_URL: `postgres://127.0.0.1:${deafPort}/x` });
      deaf.close();
      assertExplained(other, { says: /cannot be reached/, next: /mend DATABASE_URL/ });
    });
  });

  for (const engine of engines) {
    describe(`a port that is taken, on ${engine.name}`, { concurrency: 1 }, () => {
      let store: TestStore;
      let taken: Server;
      let port: number;

      before(async () => {
        store = await engine.newStore();
        taken = createServer();
        await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
        port = (taken.address() as { port: number }).port;
      });
      after(async () => {
        taken?.close();
        await store?.dispose();
      });

      for (const { title, args, flag } of [
        { title: 'the main port', args: ['--port'], flag: '--port' },
        { title: 'the main port with workers', args: ['--workers', '2', '--port'], flag: '--port' },
      ]) {
        it(`${title}: says which, and how to choose another`, async () => {
          const result = await run(['serve', ...args, String(port)], {
            DATABASE_URL: store.databaseUrl,
          });
          const stderr = result.stderr.replace(/^Bringing the schema .*\n/, '');
          assertExplained(
            { ...result, stderr },
            {
              says: new RegExp(`Port ${port} of 127\\.0\\.0\\.1 is taken\\.`),
              next: new RegExp(`Stop what listens there, or choose another with ${flag}\\.`),
            },
          );
          assertOneLine({ ...result, stderr });
        });
      }

      it('with the demo: it is not loaded, because the secret of its client could not be shown', async () => {
        const result = await run(['serve', '--demo', '--port', String(port)], {
          DATABASE_URL: store.databaseUrl,
        });
        assertExplained(result, { says: new RegExp(`Port ${port} .* is taken`), next: /--port/ });
        assert.deepEqual(await storeRows(store.databaseUrl, 'select id from account'), []);
      });

      it('the management port: says which setting', async () => {
        const env = { DATABASE_URL: store.databaseUrl, SOUNDINGS_MANAGEMENT_PORT: String(port) };
        const result = await run(['serve', '--port', '0'], env);
        assertExplained(result, {
          says: new RegExp(`Port ${port} .* is taken`),
          next: /SOUNDINGS_MANAGEMENT_PORT/,
        });
      });

      it('whoever could not start is not counted among the living [D-28]', async () => {
        assert.deepEqual(await storeRows(store.databaseUrl, 'select replica from heartbeat'), []);
      });
    });

    it(`a rotation that was never begun and a client that is not there are refused, on ${engine.name}`, async () => {
      const store = await engine.newStore();
      const env = { DATABASE_URL: store.databaseUrl };
      try {
        await commandHereOk(['apply', writeCatalogue({ accounts: [{ id: 1, name: 'One' }] })], env);
        const made = await commandHereOk(['client', 'create', '--account', '1', '--name', 'x'], env);
        const { clientId } = JSON.parse(made) as { clientId: string };
        assertExplained(await commandHere(['client', 'rotate', clientId, '--finish'], env), {
          says: /has one secret/,
          next: /there is no rotation to finish/,
        });
        assertExplained(await commandHere(['client', 'disable', 'nobody'], env), {
          says: /There is no API client nobody/,
          next: /"soundings client list"/,
        });
      } finally {
        await store.dispose();
      }
    });

    it(`a dry run and a look at the status leave a new store empty, on ${engine.name}`, async () => {
      const store = await engine.newStore();
      const env = { DATABASE_URL: store.databaseUrl };
      try {
        await commandHere(['migrate', '--status'], env);
        await commandHere(['doctor'], env);
        assert.deepEqual(await storeTables(store.databaseUrl), []);
      } finally {
        await store.dispose();
      }
    });
  }
});
