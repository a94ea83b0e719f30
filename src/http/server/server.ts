// One serving process: it listens, sends its heartbeat, and stops without failing a request.

import { type AddressInfo, Server as TcpServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { urlOf } from '../../domain/operations/public-url.ts';
import { buildApp, buildManagementApp, openServices, type Services } from '../app.ts';
import { loadCompiler } from './input.ts';

// Long enough for a load balancer to see /readyz and send nobody new.
const noticeMs = 500;
// Long enough for callers with open connections to ask once more, and be told to close them.
const closingMs = 250;
const closingStepMs = 10;
const quietPatienceMs = 250;
// What is still under way after this is cut off: a shutdown must end.
const patienceMs = 10_000;
// Connections that may wait while the event loop is busy; the default drops them under a burst.
const backlog = 1024;

export interface Server {
  readonly services: Services;
  readonly app: FastifyInstance;
  /** Known when it listens. */
  readonly baseUrl: string;
  readonly managementUrl: string | null;
  /** Opens the port; until it serves, it is alive and not ready, and refuses everything else. Once more does nothing. */
  listen(): Promise<void>;
  /** Reads from the store what requests need to know. Where that fails it can be tried again. */
  serve(): Promise<void>;
  /**
   * Stops without failing a request. With several processes on one port, `othersAreShut` waits until none of them accepts
   * connections: a caller that is told to close its connection would open one to another process.
   */
  stop(othersAreShut?: () => Promise<void>): Promise<void>;
  /** Ends at once: requests that are under way are cut off. */
  close(): Promise<void>;
}

/** Serves, then listens: whoever comes first is answered. */
export async function startServer(context: Context): Promise<Server> {
  const server = buildServer(context);
  try {
    await server.serve();
    await server.listen();
  } catch (error) {
    // Half a start would keep the process alive without serving anybody.
    await server.close();
    throw error;
  }
  return server;
}

/** Neither listening nor serving yet. The text of /metrics is given where several processes are counted together. */
export function buildServer(context: Context, metricsText?: () => Promise<string>): Server {
  const services = openServices(context, metricsText);
  services.heartbeat.isStarting = true;
  const app = buildApp(services);
  const { host, port, managementPort } = context.config;
  const management = managementPort === null ? null : buildManagementApp(services);
  let isListening = false;

  // Both take a tenth of a second in one piece: loaded while serving, they would hold everybody up, /livez too.
  const load = (): Promise<unknown> => Promise.all([loadCompiler(), services.metrics.open()]);

  async function listen(): Promise<void> {
    if (isListening) return;
    await load();
    await app.listen({ host, port, backlog });
    services.publicUrl.listeningOn(host, portOf(app));
    if (management !== null) await management.listen({ host, port: managementPort as number, backlog });
    isListening = true;
    startBackground();
  }

  async function serve(): Promise<void> {
    await Promise.all([services.heartbeat.start(), load()]);
    services.heartbeat.isStarting = false;
    startBackground();
  }

  function startBackground(): void {
    if (!isListening || services.heartbeat.isStarting) return;
    services.backups.start();
    services.background.start();
    services.webhooks.start();
  }

  async function close(): Promise<void> {
    await closeApp(app);
    if (management !== null) await closeApp(management);
    await Promise.all([services.background.stop(), services.webhooks.stop()]);
    await services.provisioningLog.stop();
    await services.refusedLog.stop();
    await services.tokenUse.stop();
    await services.console.visitors.stop();
    await services.console.sharedViewVisits.stop();
    await services.storeLook.stop();
    await services.backups.stop();
    await services.scanner.stop();
    await Promise.all([services.doctorRuns.stop(), services.accountRemovals.stop()]);
    services.replicaSelf.stop();
    await services.heartbeat.stop();
    await context.standby?.close();
    await context.db.close();
    await context.tracing?.stop();
  }

  function cutOffAll(): void {
    app.server.closeAllConnections();
    management?.server.closeAllConnections();
  }

  /**
   * The order of the steps is why no request fails. First the load balancer sees that we are not ready. Then the port is
   * closed, at a moment without new connections; open connections stay in use. Only then are callers told to close
   * theirs: told before, they would come back on new ones, some of them at the very moment in which the port closes.
   */
  async function stop(othersAreShut = async () => {}): Promise<void> {
    if (!isListening) return close();
    services.heartbeat.isDraining = true;
    await pause(noticeMs);
    await untilNoNewConnections(app);
    // The close of node:http would also cut idle connections, on which the next request may be on its way.
    TcpServer.prototype.close.call(app.server);
    await othersAreShut();
    services.heartbeat.isClosingConnections = true;
    // Whoever waits for changes is answered now, and told to close its connection.
    services.changeWaits.end();
    // Whoever waits for a scan is told what it has found by now.
    services.scanner.end();
    for (let leftMs = closingMs; leftMs > 0 && (await hasConnections(app)); leftMs -= closingStepMs)
      await pause(closingStepMs);
    const cutOff = setTimeout(cutOffAll, patienceMs);
    await close();
    clearTimeout(cutOff);
  }

  return {
    services,
    app,
    get baseUrl() {
      return urlOf(host, portOf(app));
    },
    get managementUrl() {
      return management === null ? null : urlOf(host, portOf(management));
    },
    listen,
    serve,
    stop,
    async close() {
      services.changeWaits.end();
      services.scanner.end();
      cutOffAll();
      await close();
    },
  };
}

/** Fastify fails where the port was closed before; here that is no failure. */
async function closeApp(app: FastifyInstance): Promise<void> {
  try {
    await app.close();
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SERVER_NOT_RUNNING') throw error;
  }
}

/**
 * Waits, a quarter of a second at most, for a turn of the event loop without a new connection: connections that still
 * wait in the queue of the system when the port closes are reset.
 */
async function untilNoNewConnections(app: FastifyInstance): Promise<void> {
  let arrived = 0;
  const count = (): void => {
    arrived += 1;
  };
  app.server.on('connection', count);
  const deadlineMs = performance.now() + quietPatienceMs;
  do {
    arrived = 0;
    await new Promise((resume) => setImmediate(resume));
  } while (arrived > 0 && performance.now() < deadlineMs);
  app.server.off('connection', count);
}

function hasConnections(app: FastifyInstance): Promise<boolean> {
  return new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count > 0)));
}

function pause(ms: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, ms));
}

function portOf(app: FastifyInstance): number {
  return (app.server.address() as AddressInfo).port;
}
