// Several processes that share a port. The first one migrates, counts and restarts; the workers answer.

import cluster, { type Worker } from 'node:cluster';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { buildServer, type Server } from '../../http/server/server.ts';
import { forkSettings } from '../../installation.ts';
import { buildContext, checkStore, openStoreOfStart, type SettingsRead } from '../frame/open-context.ts';
import { StartPatience } from '../frame/start-patience.ts';
import type { StopRequest } from '../frame/stop-signal.ts';
import { CommandError, type Terminal } from '../frame/terminal.ts';
import { explainListen } from './port.ts';
import { giveBackStartMemory } from './start-memory.ts';
import { endIfStuck, withTracing } from './tracing.ts';

const restartPauseMs = 1_000;
const failedStartsMax = 3;
const othersPatienceMs = 1_000;

type Addresses = Pick<Server, 'baseUrl' | 'managementUrl'>;

type FromWorker =
  | { readonly listening: Addresses }
  | { readonly failed: string }
  | { readonly wantsMetrics: number }
  | { readonly hasStoppedListening: true };

/** What a worker is told that has stopped listening. */
const mayClose = { mayCloseConnections: true } as const;

export async function superviseWorkers(
  config: Config,
  terminal: Terminal,
  stop: StopRequest,
): Promise<Addresses> {
  const { AggregatorRegistry } = await import('prom-client');
  stop.throwIfAsked();
  const aggregator = new AggregatorRegistry();
  cluster.setupPrimary(forkSettings(process.argv));
  let isStopping = false;
  let failedStarts = 0;

  const started = Promise.withResolvers<Addresses>();
  const waiting = new Set<Worker>();
  const notListening = new Set<Worker>();
  // Connections are closed only when no worker listens any more: a caller whose connection is closed sooner would
  // connect again, to a worker that is about to stop as well.
  const letAllClose = (): void => {
    const workers = workersAlive();
    // Asked to stop before all of them listened, it has started nothing.
    if (isStopping && workers.length === 0) started.reject(new CommandError('The workers have ended.'));
    if (!isStopping || !workers.every((worker) => notListening.has(worker))) return;
    for (const worker of workers) if (worker.isConnected()) worker.send(mayClose);
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
        // Where a worker hangs there are no figures of all of them: the worker that asked is told, and nothing fails here.
        void aggregator
          .clusterMetrics()
          .catch(() => undefined)
          .then((text) => worker.isConnected() && worker.send({ metrics: id, text }));
      } else if ('hasStoppedListening' in message) {
        notListening.add(worker);
        // One that was stopped alone need not wait for the others: its callers can connect to them.
        if (isStopping) letAllClose();
        else worker.send(mayClose);
      }
    });
    worker.on('exit', () => {
      waiting.delete(worker);
      if (isStopping) return letAllClose();
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
    for (const worker of workersAlive()) worker.process.kill('SIGTERM');
    // None may be there, between the end of one and the start of the next.
    letAllClose();
  };
  void stop.asked.then(stopAll);
  return started.promise.catch((error: unknown) => {
    stopAll();
    throw error;
  });
}

function workersAlive(): readonly Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}

export async function serveAsWorker(
  reading: SettingsRead,
  terminal: Terminal,
  stop: StopRequest,
): Promise<void> {
  const { config } = reading;
  process.on('disconnect', () => stop.ask());
  try {
    const started = await stop.start(() => startWorker(reading, terminal, stop));
    if (started === null) return;
    const { context, server } = started;
    const { baseUrl, managementUrl } = server;
    process.send?.({ listening: { baseUrl, managementUrl } } satisfies FromWorker);
    giveBackStartMemory();
    await stop.asked;
    await server.stop(untilNobodyListens);
    endIfStuck(context);
  } catch (error) {
    const explained = explainListen(error, config);
    if (explained instanceof CommandError) process.send?.({ failed: explained.message } satisfies FromWorker);
    else throw error;
  } finally {
    process.disconnect?.();
  }
}

async function startWorker(
  { config, inForce }: SettingsRead,
  { env, tell }: Terminal,
  stop: StopRequest,
): Promise<{ readonly context: Context; readonly server: Server }> {
  const { AggregatorRegistry } = await import('prom-client');
  stop.throwIfAsked();
  const db = await openStoreOfStart(config);
  const context = await withTracing(await buildContext(config, db, inForce), env);
  const server = buildServer(context, metricsOfAll());
  const listen = async (): Promise<string> => {
    await server.listen();
    return server.baseUrl;
  };
  const { step } = new StartPatience(config, { stop, tell, listen });
  try {
    stop.throwIfAsked();
    await step(() => checkStore(config, db));
    await step(server.serve);
    await listen();
  } catch (error) {
    await server.stop();
    throw error;
  }
  AggregatorRegistry.setRegistries([await server.services.metrics.open()]);
  new AggregatorRegistry();
  return { context, server };
}

/** Tells the first process that this worker has stopped listening, and waits until all of them have. */
async function untilNobodyListens(): Promise<void> {
  const heard = new Promise<void>((resolve) => {
    process.on('message', (message: Partial<typeof mayClose>) => {
      if (message.mayCloseConnections === true) resolve();
    });
    setTimeout(resolve, othersPatienceMs).unref();
  });
  process.send?.({ hasStoppedListening: true } satisfies FromWorker);
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
