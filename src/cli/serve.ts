// soundings serve: migrate, then serve, alone or with workers that share the port.

import cluster, { type Worker } from 'node:cluster';
import { Server as TcpServer } from 'node:net';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { Problem } from '../domain/problem.ts';
import { linksFault } from '../http/server/public-url.ts';
import { type Server, startServer } from '../http/server/server.ts';
import { openDb } from '../store/engine/db.ts';
import { firstAccountId } from '../store/feedback/catalogue.ts';
import type { NewApiClient } from './client.ts';
import { untilLauncherGone } from './launcher.ts';
import {
  buildHouse,
  type Flags,
  openStore,
  prepareStore,
  readSettings,
  withPatience,
} from './open-context.ts';
import { CommandError, type Terminal } from './terminal.ts';

const lookAgainMs = 500;
const tellEveryMs = 10_000;

interface ServeOptions {
  readonly isDemo: boolean;
  readonly isJson: boolean;
}

export async function serve(terminal: Terminal, flags: Flags, options: ServeOptions): Promise<void> {
  const { config } = await readSettings(terminal, flags);
  if (cluster.isWorker) return serveAsWorker(config);
  const launcherGone = untilLauncherGone();
  let isServing = false;
  // As a signal would before anybody is served: there is nothing to finish.
  void launcherGone.then(() => !isServing && process.exit(1));
  // Said before the demo is loaded: the secret of its client is shown once, to whoever can use it.
  if (options.isDemo) await tryPort(config);
  const { context, waiting } = await openWhenReady(config, terminal);
  const demo = options.isDemo ? await loadDemoInto(context, terminal) : null;
  if (config.workers > 1) {
    await (waiting?.stop() ?? context.db.close());
    const addresses = await superviseWorkers(config, terminal, launcherGone);
    isServing = true;
    await announce(terminal, options, addresses, demo);
    warnOfLinks(terminal, config);
    return;
  }
  const server = waiting ?? (await listen(context));
  await waiting?.serve();
  // Heard from before the announcement on: whoever reads it may stop us at once.
  const asked = untilAsked(launcherGone);
  isServing = true;
  await announce(terminal, options, server, demo);
  warnOfLinks(terminal, config);
  context.log.info({ baseUrl: server.baseUrl, engine: context.db.engine }, 'serving');
  await asked;
  context.log.info('draining');
  await server.stop();
}

function listen(context: Context, isStoreReady = true): Promise<Server> {
  return startServer(context, { isStoreReady }).catch((error: unknown) => {
    throw explainListen(error, context.config);
  });
}

interface Opened {
  readonly context: Context;
  /** The server that listened while the store was waited for. */
  readonly waiting: Server | null;
}

/** Opens and prepares the store. A server of PostgreSQL that is away or slow is waited for, for as long as is set (D-174). */
async function openWhenReady(config: Config, terminal: Terminal): Promise<Opened> {
  try {
    const db = await openStore(config, config.storeTimeoutMs);
    await prepareStore(config, db, terminal);
    return { context: await buildHouse(config, db), waiting: null };
  } catch (error) {
    if (config.startPatienceSeconds === 0 || !mayPass(error, config)) throw error;
    terminal.tell(messageOf(error));
  }
  const db = await openDb(config.databaseUrl, {
    timeoutMs: config.storeTimeoutMs,
    poolSize: config.poolSize,
  });
  const context = await buildHouse(config, db);
  const waiting = await listen(context, false);
  const patience = `${config.startPatienceSeconds} s (SOUNDINGS_START_PATIENCE_SECONDS)`;
  terminal.tell(`Waiting for it, at most ${patience}. ${waiting.baseUrl} is alive and not ready meanwhile.`);
  const startedAtMs = performance.now();
  let tellAtMs = startedAtMs + tellEveryMs;
  for (;;) {
    try {
      await (await openStore(config, config.storeTimeoutMs)).close();
      await prepareStore(config, db, terminal);
      return { context, waiting };
    } catch (error) {
      const waitedMs = performance.now() - startedAtMs;
      if (waitedMs > config.startPatienceSeconds * 1_000 || !mayPass(error, config)) {
        await waiting.stop();
        throw mayPass(error, config)
          ? new CommandError(`${messageOf(error)} It was waited for ${patience}.`, { cause: error })
          : error;
      }
      if (performance.now() > tellAtMs) {
        terminal.tell(`Still waiting after ${Math.round(waitedMs / 1_000)} s: ${messageOf(error)}`);
        tellAtMs += tellEveryMs;
      }
      await new Promise((resume) => setTimeout(resume, lookAgainMs));
    }
  }
}

/** Whether to wait may help: not where the server answers and does not let us in. */
function mayPass(error: unknown, { databaseUrl }: Config): boolean {
  const problem = error instanceof CommandError ? error.cause : error;
  if (databaseUrl.startsWith('sqlite:') || !(problem instanceof Problem)) return false;
  const state = (problem.cause as { code?: unknown } | undefined)?.code;
  const isRefused = typeof state === 'string' && /^(28|3D)/.test(state);
  return (problem.code === 'STORE_UNREACHABLE' || problem.code === 'STORE_TIMEOUT') && !isRefused;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

interface Demo {
  /** Null when the store had accounts already. */
  readonly client: NewApiClient | null;
  /** One that a new API client can be made for. */
  readonly accountId: number | null;
}

async function loadDemoInto(context: Context, terminal: Terminal): Promise<Demo> {
  const { loadDemo } = await import('./demo/demo.ts');
  const client = await withPatience(context.config, context.db, (db) =>
    loadDemo({ ...context, db }, terminal),
  );
  return { client, accountId: await firstAccountId(context.db) };
}

async function announce(
  terminal: Terminal,
  { isJson }: ServeOptions,
  { baseUrl, managementUrl }: Pick<Server, 'baseUrl' | 'managementUrl'>,
  demo: Demo | null,
): Promise<void> {
  const demoClient = demo?.client ?? null;
  if (isJson) {
    terminal.print(
      JSON.stringify({ baseUrl, managementUrl, pid: process.pid, ...(demoClient ? { demoClient } : {}) }),
    );
    return;
  }
  terminal.print(`Soundings answers on ${baseUrl}`);
  if (managementUrl !== null) terminal.print(`Health and metrics are on ${managementUrl}`);
  if (demo === null) return;
  if (demoClient === null) {
    terminal.print(
      `The store has accounts already. For a new API client: npx soundings client create --account ${demo.accountId} --name "my client"`,
    );
    return;
  }
  const { tryLines } = await import('./demo/demo.ts');
  terminal.print(`
A demo account is loaded. Its API client, shown this once:
  client id      ${demoClient.clientId}
  client secret  ${demoClient.clientSecret}

To try, in another terminal:
${tryLines(baseUrl, demoClient)
  .map((line) => `  ${line}`)
  .join('\n')}

The reference of all endpoints is at ${baseUrl}/docs. Stop with Ctrl-C.`);
}

function warnOfLinks(terminal: Terminal, { host, publicUrl }: Config): void {
  const fault = linksFault(host, publicUrl);
  if (fault !== null) terminal.tell(`Warning: ${fault}`);
}

// A terminal signals every process, and npm passes on what it gets: one Ctrl-C may arrive twice.
const sameSignalMs = 400;

/**
 * Resolves at the first signal to stop, or when npm has gone that started us; another signal later ends the process at
 * once.
 */
function untilAsked(launcherGone: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
    let askedAtMs: number | null = null;
    const onSignal = (): void => {
      if (askedAtMs !== null && performance.now() - askedAtMs > sameSignalMs) process.exit(1);
      askedAtMs ??= performance.now();
      resolve();
    };
    for (const signal of signals) process.on(signal, onSignal);
    // No second request: whoever signals all of us at once has npm go as well.
    void launcherGone.then(resolve);
  });
}

/** Whether the port can be had now; it is let go again. */
async function tryPort(config: Config): Promise<void> {
  const server = new TcpServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(config.port, config.host, resolve);
    });
  } catch (error) {
    throw explainListen(error, config);
  }
  await new Promise((resolve) => server.close(resolve));
}

function explainListen(error: unknown, { host, port, managementPort }: Config): unknown {
  const { code, port: failed = port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE') {
    const flag = failed === managementPort ? 'SOUNDINGS_MANAGEMENT_PORT' : '--port';
    return new CommandError(
      `Port ${failed} of ${host} is taken. Stop what listens there, or choose another with ${flag}.`,
      { cause: error },
    );
  }
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new CommandError(
      `Port ${failed} of ${host} cannot be opened (${code}). Choose others with --host and --port.`,
      { cause: error },
    );
  }
  return error;
}

// ---- Workers. The first process migrates, counts and restarts; the workers answer.

const restartPauseMs = 1_000;
const failedStartsMax = 3;
const othersPatienceMs = 1_000;

type Addresses = Pick<Server, 'baseUrl' | 'managementUrl'>;

type FromWorker =
  | { readonly listening: Addresses }
  | { readonly failed: string }
  | { readonly wantsMetrics: number }
  | { readonly isShut: true };

async function superviseWorkers(
  config: Config,
  terminal: Terminal,
  launcherGone: Promise<void>,
): Promise<Addresses> {
  const { AggregatorRegistry } = await import('prom-client');
  const aggregator = new AggregatorRegistry();
  let isStopping = false;
  let failedStarts = 0;

  const started = Promise.withResolvers<Addresses>();
  const waiting = new Set<Worker>();
  const shut = new Set<Worker>();
  /** Callers are sent away when every door is shut: sooner, they would come back through another one. */
  const letPart = (): void => {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const areReady = isStopping && workers.every((worker) => shut.has(worker));
    for (const worker of areReady ? workers : []) if (worker.isConnected()) worker.send({ mayPart: true });
  };
  const fork = (): void => {
    if (isStopping) return;
    const worker = cluster.fork();
    waiting.add(worker);
    let hasListened = false;
    worker.on('message', (message: FromWorker) => {
      if ('listening' in message) {
        hasListened = true;
        waiting.delete(worker);
        if (waiting.size === 0) started.resolve(message.listening);
      } else if ('failed' in message) {
        started.reject(new CommandError(message.failed));
      } else if ('wantsMetrics' in message) {
        const id = message.wantsMetrics;
        // A worker that hangs says nothing in time; whoever asked is told, and nobody falls over it.
        void aggregator
          .clusterMetrics()
          .catch(() => undefined)
          .then((text) => worker.isConnected() && worker.send({ metrics: id, text }));
      } else if ('isShut' in message) {
        shut.add(worker);
        // One that was stopped alone need not wait for the others: they let its callers in.
        if (isStopping) letPart();
        else worker.send({ mayPart: true });
      }
    });
    worker.on('exit', () => {
      waiting.delete(worker);
      if (isStopping) return letPart();
      failedStarts = hasListened ? 0 : failedStarts + 1;
      if (failedStarts >= failedStartsMax) {
        started.reject(
          new CommandError('The workers end as soon as they start; run with --workers 1 to see why.'),
        );
        return;
      }
      terminal.tell('A worker has ended; another takes its place.');
      setTimeout(fork, hasListened ? 0 : restartPauseMs);
    });
  };
  for (let count = 0; count < config.workers; count += 1) fork();

  const stopAll = (): void => {
    isStopping = true;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM');
  };
  void untilAsked(launcherGone).then(stopAll);
  return started.promise.catch((error: unknown) => {
    stopAll();
    throw error;
  });
}

async function serveAsWorker(config: Config): Promise<void> {
  // The first process is told to stop together with us by a terminal, and passes it on in stamp.
  process.on('SIGINT', () => {});
  process.on('SIGHUP', () => {});
  const { AggregatorRegistry } = await import('prom-client');
  const asked = Promise.withResolvers<void>();
  process.on('SIGTERM', () => asked.resolve());
  process.on('disconnect', () => asked.resolve());
  try {
    const context = await buildHouse(config, await openStore(config, config.storeTimeoutMs));
    const server = await startServer(context, { metricsText: metricsOfAll() });
    AggregatorRegistry.setRegistries([await server.services.metrics.open()]);
    new AggregatorRegistry();
    const { baseUrl, managementUrl } = server;
    process.send?.({ listening: { baseUrl, managementUrl } } satisfies FromWorker);
    await asked.promise;
    await server.stop(othersAreShut);
  } catch (error) {
    const explained = explainListen(error, config);
    if (explained instanceof CommandError) process.send?.({ failed: explained.message } satisfies FromWorker);
    else throw error;
  } finally {
    process.disconnect?.();
  }
}

/** Tells the first process that this one lets nobody in any more, and waits until none of them does. */
async function othersAreShut(): Promise<void> {
  const heard = new Promise<void>((resolve) => {
    process.on('message', (message: { mayPart?: true }) => {
      if (message.mayPart === true) resolve();
    });
    setTimeout(resolve, othersPatienceMs).unref();
  });
  process.send?.({ isShut: true } satisfies FromWorker);
  await heard;
}

/** Any worker may be asked for /metrics; the first process adds up what all of them counted. */
function metricsOfAll(): () => Promise<string> {
  const waiting = new Map<number, PromiseWithResolvers<string>>();
  let nextId = 1;
  process.on('message', (message: { metrics?: number; text?: string }) => {
    if (message.metrics === undefined) return;
    const asked = waiting.get(message.metrics);
    waiting.delete(message.metrics);
    if (message.text === undefined) asked?.reject(new Error('A worker did not tell its figures in time.'));
    else asked?.resolve(message.text);
  });
  return () => {
    const id = nextId++;
    const asked = Promise.withResolvers<string>();
    waiting.set(id, asked);
    process.send?.({ wantsMetrics: id } satisfies FromWorker);
    return asked.promise;
  };
}
