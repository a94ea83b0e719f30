// The service as npm starts it: npm, a shell or none, then the service. Whoever of them is told to stop, or killed, the
// service hears of it and ends in order; nobody is left behind.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sqlite, type TestStore } from '../support/engines.ts';
import { basic, exchange } from '../support/exchange.ts';
import { rawRequest } from '../support/raw-http.ts';
import {
  type ApiClientCredentials,
  createClient,
  environment,
  soundingsOk,
  until,
} from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-file.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const patienceMs = 60_000;

const ways = {
  'npm start': ['npm', 'start', '--', '--port', '0', '--json'],
  'npx soundings serve': ['npx', '--offline', '--yes', 'soundings', 'serve', '--port', '0', '--json'],
} as const;

interface Launched {
  readonly npm: ChildProcess;
  readonly pid: number;
  readonly baseUrl: string;
  output(): string;
}

describe('a service that npm started', () => {
  const cache = temporaryFolder('npm');
  const launched: Launched[] = [];
  let store: TestStore;
  let env: Readonly<Record<string, string>>;
  let client: ApiClientCredentials;

  before(async () => {
    store = await sqlite.newStore();
    env = { DATABASE_URL: store.databaseUrl };
    await soundingsOk(['demo', '--responses', '1'], env);
    client = await createClient(env, 4001);
  });
  after(async () => {
    // Only what a failed test has left.
    for (const { pid } of launched) if (isThere(pid)) process.kill(pid, 'SIGKILL');
    await store?.dispose();
  });

  async function launch(way: keyof typeof ways): Promise<Launched> {
    const [command, ...args] = ways[way];
    const npm = spawn(command, args, {
      cwd: root,
      // A group of its own, as a terminal makes one for each command.
      detached: true,
      env: { ...environment(env), npm_config_cache: cache, npm_config_update_notifier: 'false' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    npm.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const announcement = await new Promise<{ pid: number; baseUrl: string }>((resolve, reject) => {
      createInterface({ input: npm.stdout }).on('line', (line) => {
        output += `${line}\n`;
        if (line.startsWith('{"baseUrl"')) resolve(JSON.parse(line));
      });
      npm.once('exit', (code) => reject(new Error(`${way} ended with ${code}: ${output}`)));
    });
    const service = { npm, ...announcement, output: () => output };
    launched.push(service);
    return service;
  }

  function isThere(pid: number): boolean {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  }

  const untilGone = (pid: number): Promise<boolean> =>
    until(
      async () => isThere(pid),
      (isLeft) => !isLeft,
      patienceMs,
    );

  // A shell that gets SIGINT alone waits for its command and says nothing, so that no more can be promised of npx.
  for (const [way, signals] of [
    ['npm start', ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL']],
    ['npx soundings serve', ['SIGTERM', 'SIGHUP', 'SIGKILL']],
  ] as const) {
    for (const signal of signals) {
      it(`${way}: a ${signal} to npm alone ends the service in order [D-196]`, async () => {
        const service = await launch(way);
        assert.notEqual(service.npm.pid, service.pid);
        service.npm.kill(signal);
        await untilGone(service.pid);
        await until(
          async () => service.output(),
          (output) => output.includes('"draining"'),
        );
        await assert.rejects(exchange(`${service.baseUrl}/livez`));
      });
    }

    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      it(`${way}: a ${signal} to all at once is one, and what is under way is answered [D-196]`, async () => {
        const service = await launch(way);
        const { hostname, port } = new URL(service.baseUrl);
        const form = 'grant_type=client_credentials&scope=r_cx_basic';
        const socket = connect(Number(port), hostname);
        let text = '';
        socket.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        const closed = new Promise((resolve) => socket.once('close', resolve));
        const headers = [
          `Authorization: ${basic(client.clientId, client.clientSecret)}`,
          'Content-Type: application/x-www-form-urlencoded',
          `Content-Length: ${form.length}`,
        ];
        socket.write(rawRequest('POST /v1/token HTTP/1.1', headers, form.slice(0, 10)));
        // The service has the first half when it has answered somebody who came later.
        await exchange(`${service.baseUrl}/livez`);
        process.kill(-service.npm.pid!, signal);
        await until(
          () =>
            exchange(`${service.baseUrl}/livez`).then(
              () => true,
              () => false,
            ),
          (isListening) => !isListening,
          patienceMs,
        );
        socket.write(form.slice(10));
        await closed;
        assert.match(text, /^HTTP\/1\.1 200 /);
        await untilGone(service.pid);
      });
    }
  }
});
