// soundings serve: migrate, then serve, alone or with workers that share the port.

import cluster from 'node:cluster';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { demoSurveyId } from '../domain/pages/demo-survey.ts';
import { Problem } from '../domain/problem.ts';
import { consoleAddress } from '../http/console/console-address.ts';
import { linksFault } from '../http/server/public-url.ts';
import { type Server, startServer } from '../http/server/server.ts';
import { findInstalled } from '../installation.ts';
import type { NewApiClient } from '../store/access/new-credentials.ts';
import { openDb } from '../store/engine/db.ts';
import { findSourceOfSurvey, firstAccountId } from '../store/feedback/catalogue.ts';
import { type ConsoleLine, consoleLine, startLink } from './console-link.ts';
import { untilLauncherGone } from './launcher.ts';
import {
  buildContext,
  explainRights,
  type Flags,
  openStore,
  prepareStore,
  readSettings,
  type SettingsRead,
  warnOfEncoding,
  withPatience,
} from './open-context.ts';
import { explainListen, tryPort } from './port.ts';
import { giveBackStartMemory } from './start-memory.ts';
import { hearStopRequest, type StopRequest } from './stop-signal.ts';
import { CommandError, type Terminal } from './terminal.ts';
import { endIfStuck, withTracing } from './tracing.ts';
import { serveAsWorker, superviseWorkers } from './workers.ts';

const lookAgainMs = 500;
const tellEveryMs = 10_000;

interface ServeOptions {
  readonly isDemo: boolean;
  readonly isJson: boolean;
}

export async function serve(terminal: Terminal, flags: Flags, options: ServeOptions): Promise<void> {
  const stop = hearStopRequest();
  const reading = await readSettings(terminal, flags);
  const { config } = reading;
  if (cluster.isWorker) return serveAsWorker(reading, terminal.env, stop);
  void untilLauncherGone().then(() => stop.ask());
  const started = await stop.start(() => start(reading, terminal, options, stop));
  if (started === null) return;
  const { context, server, addresses, demo, link } = started;
  await announce(
    terminal,
    options,
    addresses,
    demo,
    consoleLine(config, addresses.baseUrl, link, demo?.accountId ?? null),
  );
  warnOfAddresses(terminal, config, addresses.baseUrl);
  await warnOfMissingPages(terminal);
  // With workers this process lives as long as they do.
  if (server === null) return;
  context.log.info({ baseUrl: server.baseUrl, engine: context.db.engine }, 'serving');
  giveBackStartMemory();
  await stop.asked;
  context.log.info('draining');
  await server.stop();
  endIfStuck(context);
}

interface Started {
  readonly context: Context;
  /** Null where workers serve. */
  readonly server: Server | null;
  readonly addresses: Pick<Server, 'baseUrl' | 'managementUrl'>;
  readonly demo: Demo | null;
  readonly link: string | null;
}

async function start(
  reading: SettingsRead,
  terminal: Terminal,
  { isDemo }: ServeOptions,
  stop: StopRequest,
): Promise<Started> {
  const { config } = reading;
  stop.throwIfAsked();
  // A taken port is told before the demo is loaded: the secret of its client is shown once, and must not be lost.
  if (isDemo) await tryPort(config);
  const { context, waiting } = await openWhenReady(reading, terminal, stop);
  const close = (): Promise<void> => waiting?.stop() ?? context.db.close();
  let demo: Demo | null = null;
  let link: string | null = null;
  try {
    stop.throwIfAsked();
    if (isDemo) demo = await loadDemoInto(context, terminal, stop);
    stop.throwIfAsked();
    if (isDemo || terminal.isInteractive) link = await linkToShow(context, terminal);
    stop.throwIfAsked();
  } catch (error) {
    await close();
    throw error;
  }
  if (config.workers > 1) {
    await close();
    const addresses = await superviseWorkers(config, terminal, stop);
    return { context, server: null, addresses, demo, link };
  }
  const server = waiting ?? (await listen(context));
  await waiting?.serve();
  return { context, server, addresses: server, demo, link };
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
async function openWhenReady(
  { config, inForce }: SettingsRead,
  terminal: Terminal,
  stop: StopRequest,
): Promise<Opened> {
  try {
    const db = await openStore(config, config.storeTimeoutMs);
    try {
      await prepareStore(config, db, terminal, stop.throwIfAsked);
    } catch (error) {
      const explained = await explainRights(config, db, error);
      await db.close();
      throw explained;
    }
    warnOfEncoding(db, terminal);
    const context = await withTracing(await buildContext(config, db, inForce), terminal.env);
    return { context, waiting: null };
  } catch (error) {
    stop.throwIfAsked();
    if (config.startPatienceSeconds === 0 || !mayPass(error, config)) throw error;
    terminal.tell(messageOf(error));
  }
  const db = await openDb(config.databaseUrl, {
    timeoutMs: config.storeTimeoutMs,
    poolSize: config.poolSize,
  });
  const context = await withTracing(await buildContext(config, db, inForce), terminal.env);
  const waiting = await listen(context, false);
  const patience = `${config.startPatienceSeconds} s (SOUNDINGS_START_PATIENCE_SECONDS)`;
  terminal.tell(`Waiting for it, at most ${patience}. ${waiting.baseUrl} is alive and not ready meanwhile.`);
  const startedAtMs = performance.now();
  let tellAtMs = startedAtMs + tellEveryMs;
  for (;;) {
    try {
      await (await openStore(config, config.storeTimeoutMs)).close();
      await prepareStore(config, db, terminal, stop.throwIfAsked);
      warnOfEncoding(db, terminal);
      return { context, waiting };
    } catch (error) {
      const waitedMs = performance.now() - startedAtMs;
      if (stop.isAsked || waitedMs > config.startPatienceSeconds * 1_000 || !mayPass(error, config)) {
        const explained = mayPass(error, config)
          ? new CommandError(`${messageOf(error)} It was waited for ${patience}.`, { cause: error })
          : await explainRights(config, db, error);
        await waiting.stop();
        throw explained;
      }
      if (performance.now() > tellAtMs) {
        terminal.tell(`Still waiting after ${Math.round(waitedMs / 1_000)} s: ${messageOf(error)}`);
        tellAtMs += tellEveryMs;
      }
      await Promise.race([stop.asked, new Promise((resume) => setTimeout(resume, lookAgainMs))]);
    }
  }
}

/** Whether to wait may help: not where the server answers and does not let us in. */
function mayPass(error: unknown, { databaseUrl }: Config): boolean {
  const problem = error instanceof CommandError ? error.cause : error;
  if (databaseUrl.startsWith('sqlite:') || !(problem instanceof Problem)) return false;
  const state = (problem.cause as { code?: unknown } | undefined)?.code;
  const isRefused = typeof state === 'string' && /^(28|3D|42501)/.test(state);
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
  /** Whether the store has the survey that newcomers are led to. */
  readonly hasSurvey: boolean;
}

async function loadDemoInto(context: Context, terminal: Terminal, stop: StopRequest): Promise<Demo> {
  const { loadDemo } = await import('./demo/demo.ts');
  const client = await withPatience(context.config, context.db, (db) =>
    loadDemo({ ...context, db }, terminal, stop.throwIfAsked),
  );
  const source = await findSourceOfSurvey(context.db, demoSurveyId);
  return { client, accountId: await firstAccountId(context.db), hasSurvey: source !== null };
}

/** Whoever has no way into the console is still served the rest. */
function linkToShow(context: Context, terminal: Terminal): Promise<string | null> {
  return startLink(context).catch((error: unknown) => {
    terminal.tell(`Warning: No link into the console could be made: ${messageOf(error)}`);
    return null;
  });
}

async function announce(
  terminal: Terminal,
  { isJson }: ServeOptions,
  { baseUrl, managementUrl }: Pick<Server, 'baseUrl' | 'managementUrl'>,
  demo: Demo | null,
  console: ConsoleLine,
): Promise<void> {
  const demoClient = demo?.client ?? null;
  if (isJson) {
    const { url } = console;
    const facts = { baseUrl, managementUrl, pid: process.pid, ...(url === null ? {} : { consoleUrl: url }) };
    terminal.print(JSON.stringify({ ...facts, ...(demoClient ? { demoClient } : {}) }));
    return;
  }
  terminal.print(`Soundings answers on ${baseUrl}`);
  if (managementUrl !== null) terminal.print(`Health and metrics are on ${managementUrl}`);
  terminal.print(console.text);
  if (demo === null) return;
  if (demo.hasSurvey) terminal.print(`Survey: ${baseUrl}/s/${demoSurveyId}`);
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

The help is at ${baseUrl}/help, the reference of all endpoints at ${baseUrl}/docs. Stop with Ctrl-C.`);
}

function warnOfAddresses(terminal: Terminal, config: Config, baseUrl: string): void {
  const links = linksFault(config.host, config.publicUrl);
  if (links !== null) terminal.tell(`Warning: ${links}`);
  const address = consoleAddress(config, baseUrl);
  if (address.isServed && address.fault !== null) terminal.tell(`Warning: ${address.fault}`);
}

/** A clone without what builds them ("npm ci --omit=dev") serves everything else. */
async function warnOfMissingPages(terminal: Terminal): Promise<void> {
  const folders = {
    console: 'the console',
    help: 'the help',
    reference: 'the reference of endpoints',
    pages: 'style and scripts of surveys',
  };
  const found = await Promise.all(
    Object.entries(folders).map(async ([folder, words]) =>
      (await findInstalled(`dist/${folder}/manifest.json`)) === null ? words : [],
    ),
  );
  const missing = found.flat();
  if (missing.length > 0)
    terminal.tell(
      `Warning: Not built here: ${missing.join(', ')}. Run "npm ci && npm run build && npm prune --omit=dev" where Soundings is installed; no restart is needed.`,
    );
}
