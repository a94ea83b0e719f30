// The real server with routes of a test's own beside its own: for the areas of the interface that have no endpoint
// yet, and for handlers that fail on purpose. It runs in the process of the test, on a real store and a real port.

import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { describeError } from '../../src/cli/frame/log.ts';
import { buildContext, prepareStore } from '../../src/cli/frame/open-context.ts';
import { addApiClient } from '../../src/cli/keys/new-client.ts';
import { applyFile, readCatalogueFile } from '../../src/cli/surveys/catalogue-file.ts';
import { readConfig } from '../../src/config.ts';
import type { Context } from '../../src/context.ts';
import { type Grant, grants } from '../../src/domain/access/account.ts';
import { buildApp, openServices, type Services } from '../../src/http/app.ts';
import { loadCompiler } from '../../src/http/server/input.ts';
import { setMaintenance } from '../../src/store/engine/replicas.ts';
import { openDb } from '../../src/store/open-db.ts';
import { writeCatalogue } from './catalogue.ts';
import { watchErrorLines } from './error-lines.ts';
import { patience } from './patience.ts';
import { type ApiClientCredentials, until } from './service.ts';

export type { Context } from '../../src/context.ts';
export { type Area, areas } from '../../src/contract/operation.ts';
export { type Code, type Condition, codes, Problem } from '../../src/domain/problem.ts';
export { budgetOf } from '../../src/http/server/request-budget.ts';
export { callerOfRequest } from '../../src/http/server/route.ts';
export { beat } from '../../src/store/engine/replicas.ts';
export { addRoute } from './test-route.ts';

export const mountedAccountId = 4001;

export interface Mounted {
  readonly baseUrl: string;
  readonly context: Context;
  readonly services: Services;
  /** Every line of the log so far. */
  log(): string;
  /** From here on its log may hold errors with these codes; any other fails the test. */
  expectErrors(...codes: readonly string[]): void;
  /** An API client of the one account; of everything unless narrowed. */
  newClient(granted?: readonly Grant[]): Promise<ApiClientCredentials>;
  /** Switches maintenance through the store, and waits until the service has heard of it. */
  setMaintenance(on: boolean): Promise<void>;
  stop(): Promise<void>;
}

export interface MountOptions {
  readonly databaseUrl: string;
  /** Settings as the environment would give them. */
  readonly env?: Readonly<Record<string, string>>;
  /** The one account, as a catalogue says it. */
  readonly account?: object;
  /** The clock of the service; the machine's unless given. */
  readonly now?: () => number;
  /** What ages are told by; the machine's unless given. It begins above 0 and only grows. */
  readonly elapsedMs?: () => number;
  /** Called before the server listens. */
  readonly mount?: (app: FastifyInstance, context: Context, services: Services) => void;
}

export async function startMounted({
  databaseUrl,
  env = {},
  account = { id: mountedAccountId, name: 'Mounted' },
  now = Date.now,
  elapsedMs = () => performance.now(),
  mount,
}: MountOptions): Promise<Mounted> {
  const reading = readConfig({
    flags: {},
    env: { DATABASE_URL: databaseUrl, PORT: '0', SOUNDINGS_THROTTLE: 'off', ...patience, ...env },
    file: {},
    readFile: () => '',
  });
  if ('faults' in reading) throw new Error(reading.faults.join(' '));
  const { config } = reading;
  const db = await openDb(databaseUrl, { timeoutMs: config.storeTimeoutMs, poolSize: config.poolSize });
  await prepareStore(config, db, {
    env: {},
    isInteractive: false,
    isWatched: false,
    print: () => {},
    tell: () => {},
  });
  let lines = '';
  const errorLines = watchErrorLines();
  const log = pino(
    { level: config.logLevel, serializers: { err: describeError } },
    new Writable({
      write(chunk, _encoding, done) {
        lines += String(chunk);
        errorLines.note(String(chunk));
        done();
      },
    }),
  );
  const context: Context = { ...(await buildContext(config, db)), log, now, elapsedMs };
  const file = writeCatalogue({ accounts: [account] });
  await applyFile(context, await readCatalogueFile(file, 'test'), false);

  const services = openServices(context);
  const app = buildApp(services);
  try {
    mount?.(app, context, services);
  } catch (error) {
    await db.close();
    throw error;
  }
  await Promise.all([services.heartbeat.start(), loadCompiler()]);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  services.publicUrl.listeningOn('127.0.0.1', port);
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    context,
    services,
    log: () => lines,
    expectErrors: errorLines.expect,
    newClient: (granted = grants) => addApiClient(context, mountedAccountId, 'test', granted),
    async setMaintenance(on) {
      await db.write(setMaintenance, {
        on,
        nowMs: Date.now(),
        changeId: context.newId(),
        actor: 'command line',
      });
      await until(
        async () => services.heartbeat.isMaintenance,
        (isOn) => isOn === on,
      );
    },
    async stop() {
      app.server.closeAllConnections();
      await app.close();
      await services.heartbeat.stop();
      await context.standby?.close();
      await db.close();
    },
  };
}
