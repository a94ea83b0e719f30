// The processes of a bench: floors, the load generator, and the service as an operator runs it.

import { type ChildProcess, fork, spawn } from 'node:child_process';
import { get } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { writeCatalogue } from '../test/support/catalogue.ts';
import { engines, type TestStore } from '../test/support/engines.ts';
import {
  type ApiClientCredentials,
  createClient,
  environment,
  type Service,
  soundingsOk,
  startProcess,
  tokenFor,
} from '../test/support/service.ts';
import type { EngineName } from './figures.ts';
import type { LoadOrder, LoadReport, LoadResult } from './load.ts';
import { cpuSecondsOf } from './machine.ts';

// Whatever ends this process, the ones it started end with it.
const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

function keepTrackOf<C extends ChildProcess>(child: C): C {
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

function forkFile(name: string): ChildProcess {
  return keepTrackOf(fork(fileURLToPath(new URL(name, import.meta.url)), { stdio: 'inherit' }));
}

function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void =>
      reject(new Error(`A process of the bench ended with ${code}.`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message as T);
    });
  });
}

/** A process that answers, and how to be rid of it. */
export interface Target {
  readonly pid: number;
  readonly port: number;
  stop(): Promise<void>;
}

/** A bare server that answers everything with this body, or a POST with another, and may parse what it was sent. */
export async function startFloor(body: string, parses = false, postBody = body): Promise<Target> {
  const child = forkFile('./floor.js');
  child.send({ body, parses, postBody });
  const { port } = await nextMessage<{ port: number }>(child);
  return { pid: child.pid ?? 0, port, stop: () => ended(child) };
}

/** Another product as a program of its own; null where it is not installed. */
export async function startPeer(file: string, args: readonly string[] = []): Promise<Target | null> {
  const child = keepTrackOf(
    fork(fileURLToPath(new URL(file, import.meta.url)), [...args], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    }),
  );
  try {
    const { port } = await nextMessage<{ port: number }>(child);
    return { pid: child.pid ?? 0, port, stop: () => ended(child) };
  } catch {
    return null;
  }
}

export interface Generator {
  readonly pid: number;
  ask(order: LoadOrder): Promise<LoadResult>;
  stop(): Promise<void>;
}

export function startGenerator(): Generator {
  const child = forkFile('./load.ts');
  return {
    pid: child.pid ?? 0,
    async ask(order) {
      child.send(order);
      const report = await nextMessage<LoadReport>(child);
      if ('failure' in report) throw new Error(`The load failed: ${report.failure}`);
      return report.result;
    },
    stop: () => ended(child),
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exited;
}

// ---- The service, on a store that holds an account with a measure or two and an API client.

/** As shipped, but for the throttle: a bench asks more often than any caller may. */
export const serviceSettings = { SOUNDINGS_THROTTLE: 'off' };

export const accountId = 4001;
const catalogue = {
  accounts: [
    {
      id: accountId,
      name: 'Acme Retail',
      measures: [
        { key: 8840868, name: 'Acme web browse', channel: 'WEB', active: true },
        { key: 8840869, name: 'Acme stores', channel: 'STORE', active: true },
      ],
    },
  ],
};

export interface PreparedStore {
  readonly env: Readonly<Record<string, string>>;
  readonly client: ApiClientCredentials;
  dispose(): Promise<void>;
}

export async function prepareStore(
  engineName: EngineName,
  wanted: object = catalogue,
): Promise<PreparedStore> {
  const engine = engines.find(({ name }) => name === engineName);
  if (engine === undefined) throw new Error(`There is no engine ${engineName}.`);
  const store: TestStore = await engine.newStore();
  const env = { ...serviceSettings, DATABASE_URL: store.databaseUrl };
  await soundingsOk(['apply', writeCatalogue(wanted)], env);
  return { env, client: await createClient(env, accountId), dispose: () => store.dispose() };
}

export interface PreparedService extends Target {
  readonly baseUrl: string;
  readonly client: ApiClientCredentials;
  readonly token: string;
}

export async function startPreparedService(engineName: EngineName): Promise<PreparedService> {
  return startOn(await prepareStore(engineName));
}

/** The service on this store, which goes with it. */
export async function withService<T>(
  store: PreparedStore,
  work: (service: PreparedService) => Promise<T>,
): Promise<T> {
  const service = await startOn(store);
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}

export async function startOn(store: PreparedStore): Promise<PreparedService> {
  const service: Service = await startProcess(store.env);
  const endWithUs = (): boolean => process.kill(service.pid, 'SIGKILL');
  process.on('exit', endWithUs);
  return {
    pid: service.pid,
    port: Number(new URL(service.baseUrl).port),
    baseUrl: service.baseUrl,
    client: store.client,
    token: await tokenFor(service.baseUrl, store.client),
    async stop() {
      process.off('exit', endWithUs);
      await service.stop();
      await store.dispose();
    },
  };
}

// ---- A program from its start to its first answer.

export interface Started {
  readonly pid: number;
  readonly firstAnswerMs: number;
  /** Processor time up to then, of all threads; null where nobody says. */
  readonly cpuMs: number | null;
  stop(): Promise<void>;
}

/** Runs a program that prints {"baseUrl"} on a line once it listens, and asks it at once. */
export async function startAndAsk(
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  folder: string = fileURLToPath(new URL('../', import.meta.url)),
): Promise<Started> {
  const startedAtMs = performance.now();
  const child = keepTrackOf(
    spawn(program, args, {
      cwd: folder,
      env: environment(env),
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout! }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`${program} ${args.join(' ')} ended with ${code}.`)));
  });
  const { baseUrl } = JSON.parse(line) as { baseUrl: string };
  await answerOf(`${baseUrl}${path}`, headers);
  const firstAnswerMs = performance.now() - startedAtMs;
  const cpuSeconds = cpuSecondsOf(child.pid ?? 0);
  return {
    pid: child.pid ?? 0,
    firstAnswerMs,
    cpuMs: cpuSeconds === null ? null : cpuSeconds * 1000,
    async stop() {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await exited;
    },
  };
}

function answerOf(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  return new Promise((resolve, reject) => {
    const asking = get(url, { headers, agent: false }, (answer) => {
      answer.resume();
      answer.once('end', () =>
        answer.statusCode === 200
          ? resolve()
          : reject(new Error(`The first answer of ${url} was ${answer.statusCode}.`)),
      );
    });
    asking.once('error', reject);
  });
}
