// The first five minutes of a stranger: `npm start` is `serve --demo`.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { writeCatalogue } from '../support/catalogue.ts';
import { engines, type TestStore } from '../support/engines.ts';
import { soundingsOk, tokenFor, until } from '../support/service.ts';
import { storeRows, wholeStore } from '../support/store-rows.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const program = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

interface Started {
  readonly stdout: string;
  stderr(): string;
  stop(): Promise<void>;
}

/** Serves and speaks prose, as it does to a person; ready when the port answers and the words are complete. */
async function serveDemo(databaseUrl: string): Promise<Started> {
  const { DATABASE_URL_TEST: _server, NODE_TEST_CONTEXT: _context, ...machine } = process.env;
  const child = spawn(process.execPath, [program, 'serve', '--demo', '--port', '0'], {
    cwd: root,
    env: { ...machine, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exited = new Promise((resolve) => child.once('close', resolve));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
  };
  try {
    await until(
      async () => (child.exitCode === null ? stdout : Promise.reject(new Error(`It ended: ${stderr}`))),
      (text) => /Ctrl-C\.\n|client create .*\n/.test(text),
      60_000,
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { stdout, stderr: () => stderr, stop };
}

async function bash(script: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: root,
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

for (const engine of engines) {
  describe(`serve --demo on ${engine.name}`, () => {
    let store: TestStore;
    let first: Started;

    before(async () => {
      store = await engine.newStore();
      first = await serveDemo(store.databaseUrl);
    });
    after(async () => {
      await first?.stop();
      await store?.dispose();
    });

    const credentials = (): { clientId: string; clientSecret: string; scopes: string[] } => ({
      clientId: /client id +(\S+)/.exec(first.stdout)?.[1] ?? '',
      clientSecret: /client secret +(\S+)/.exec(first.stdout)?.[1] ?? '',
      scopes: [],
    });
    const baseUrl = (): string => /answers on (\S+)/.exec(first.stdout)?.[1] ?? '';

    it('an empty store gets the demo account, and its client’s id and secret are printed [D-01] [D-15]', async () => {
      const { clientId, clientSecret } = credentials();
      assert.match(clientId, /^sc_/);
      assert.match(clientSecret, /^sdgs_/);
      assert.ok((await tokenFor(baseUrl(), credentials())).length > 0);
      const accounts = await storeRows(store.databaseUrl, 'select id from account');
      assert.deepEqual(
        accounts.map(({ id }) => Number(id)),
        [4001],
      );
    });

    it('three curl lines work as printed when they are pasted into a shell', async () => {
      const lines = first.stdout.split('\n').filter((line) => /^ {2}.*\bcurl /.test(line));
      assert.equal(lines.length, 3);
      // A blank line after each: curl itself ends no line.
      const output = await bash(lines.map((line) => `${line}\necho`).join('\n'));
      const answers = output.split('\n').filter((line) => line.trim() !== '');
      assert.ok(answers.length >= 2, output);
      for (const answer of answers) {
        const body = JSON.parse(answer) as Record<string, unknown>;
        assert.equal('errorCode' in body || 'error' in body, false, answer);
      }
    });

    it('the secret is on no line of the log', () => {
      assert.equal(first.stderr().includes(credentials().clientSecret), false);
    });

    it('a second start makes no second client, shows no secret, and says how to get one, in words that work', async () => {
      await first.stop();
      const { api_client: before, account } = await wholeStore(store.databaseUrl);
      const second = await serveDemo(store.databaseUrl);
      try {
        assert.doesNotMatch(second.stdout, /sdgs_/);
        const { api_client: now, account: accounts } = await wholeStore(store.databaseUrl);
        assert.deepEqual([now, accounts], [before, account]);
        const advice = /npx (soundings client create .*)$/m.exec(second.stdout)?.[1] ?? '';
        assert.ok(advice !== '', second.stdout);
        const made = JSON.parse(await bash(`npx ${advice}`, { DATABASE_URL: store.databaseUrl })) as {
          clientId: string;
          clientSecret: string;
          scopes: string[];
        };
        const url = /answers on (\S+)/.exec(second.stdout)?.[1] ?? '';
        assert.ok((await tokenFor(url, made)).length > 0);
      } finally {
        await second.stop();
      }
    });

    it('a store that has somebody’s accounts is left alone, and the advice names one of them', async () => {
      const own = await engine.newStore();
      try {
        const file = writeCatalogue({ accounts: [{ id: 77, name: 'Somebody' }] });
        await soundingsOk(['apply', file], { DATABASE_URL: own.databaseUrl });
        const service = await serveDemo(own.databaseUrl);
        await service.stop();
        assert.match(service.stdout, /client create --account 77 /);
        const { account, api_client: clients } = await wholeStore(own.databaseUrl);
        assert.deepEqual(
          account?.map(({ id }) => Number(id)),
          [77],
        );
        assert.deepEqual(clients, []);
      } finally {
        await own.dispose();
      }
    });
  });
}
