// soundings serve: migrate, then serve, alone or with workers that share the port.

import cluster from 'node:cluster';
import { consoleAddress } from '../../acts/access/console-address.ts';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { addressForPeople, linksFault, urlOf } from '../../domain/operations/public-url.ts';
import { demoSurveyId } from '../../domain/pages/demo-survey.ts';
import { buildServer, type Server } from '../../http/server/server.ts';
import { findInstalled } from '../../installation.ts';
import type { NewApiClient } from '../../store/access/new-credentials.ts';
import type { Db } from '../../store/engine/db.ts';
import { findSourceOfSurvey, firstAccountId } from '../../store/feedback/catalogue.ts';
import {
  buildContext,
  checkStore,
  explainRights,
  type Flags,
  openStoreOfStart,
  prepareStore,
  readSettings,
  type SettingsRead,
  warnOfEncoding,
  withPatience,
} from '../frame/open-context.ts';
import { messageOf, StartPatience, type Step } from '../frame/start-patience.ts';
import { hearStopRequest, type StopRequest } from '../frame/stop-signal.ts';
import type { Terminal } from '../frame/terminal.ts';
import { type ConsoleLine, consoleLine, startLink } from '../people/console-link.ts';
import { untilLauncherGone } from './launcher.ts';
import { explainListen, tryPort } from './port.ts';
import { startLines } from './start-lines.ts';
import { giveBackStartMemory } from './start-memory.ts';
import { endIfStuck, withTracing } from './tracing.ts';
import { serveAsWorker, superviseWorkers } from './workers.ts';

interface ServeOptions {
  readonly isDemo: boolean;
  readonly isJson: boolean;
}

export async function serve(terminal: Terminal, flags: Flags, options: ServeOptions): Promise<void> {
  const stop = hearStopRequest();
  const reading = await readSettings(terminal, flags);
  const { config } = reading;
  if (cluster.isWorker) return serveAsWorker(reading, terminal, stop);
  void untilLauncherGone().then(() => stop.ask());
  const started = await stop.start(() => start(reading, terminal, options, stop));
  if (started === null) return;
  const { context, server, addresses, demo, link } = started;
  const console = consoleLine(config, addresses.baseUrl, link, demo?.accountId ?? null);
  if (terminal.isInteractive && !options.isJson) welcome(terminal, config, addresses, demo, console);
  else await announce(terminal, config, options, addresses, demo, console);
  warnOfAddresses(terminal, config, addresses.baseUrl);
  await warnOfMissingPages(terminal);
  // With workers this process lives as long as they do.
  if (server === null) return;
  // Whoever sees the log beside the lines above has been told.
  const isTold = terminal.isInteractive && terminal.isWatched;
  context.log[isTold ? 'debug' : 'info']({ baseUrl: server.baseUrl, engine: context.db.engine }, 'serving');
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
  const { config, inForce } = reading;
  stop.throwIfAsked();
  // A taken port is told before the demo is loaded: the secret of its client is shown once, and must not be lost.
  if (isDemo) await tryPort(config);
  const db = await openStoreOfStart(config);
  const context = await withTracing(await buildContext(config, db, inForce), terminal.env);
  let server: Server | null = null;
  const listening = async (): Promise<Server> => {
    server ??= buildServer(context);
    await listen(server, config);
    return server;
  };
  const { step, stepped } = new StartPatience(config, {
    stop,
    tell: terminal.tell,
    listen: async () => (await listening()).baseUrl,
  });
  let demo: Demo | null = null;
  let link: string | null = null;
  try {
    await step(() => checkStore(config, db));
    await step(() => prepareStore(config, db, terminal, stepped));
    warnOfEncoding(db, terminal);
    if (isDemo) demo = await loadDemoInto(context, terminal, step);
    if (isDemo || terminal.isInteractive) link = await linkToShow(context, terminal, { step, stepped });
    if (config.workers === 1) {
      server ??= buildServer(context);
      await step(server.serve);
      return { context, server: await listening(), addresses: server, demo, link };
    }
  } catch (error) {
    const explained = await explainRights(config, db, error);
    await closeStart(context, server);
    throw explained;
  }
  await closeStart(context, server);
  const addresses = await superviseWorkers(config, terminal, stop);
  return { context, server: null, addresses, demo, link };
}

/** A server that has been built closes the store with everything else. */
function closeStart({ db }: Context, server: Server | null): Promise<void> {
  return server === null ? db.close() : server.stop();
}

async function listen(server: Server, config: Config): Promise<void> {
  await server.listen().catch((error: unknown) => {
    throw explainListen(error, config);
  });
}

interface Demo {
  /** Null when the store had accounts already. */
  readonly client: NewApiClient | null;
  /** One that a new API client can be made for. */
  readonly accountId: number | null;
  /** Whether the store has the survey that newcomers are led to. */
  readonly hasSurvey: boolean;
}

async function loadDemoInto(context: Context, terminal: Terminal, step: Step): Promise<Demo> {
  const { loadDemo } = await import('../demo/demo.ts');
  const load = (db: Db) => loadDemo({ ...context, db }, terminal, step);
  const client = await withPatience(context.config, context.db, load, step);
  const source = await step(() => findSourceOfSurvey(context.db, demoSurveyId));
  const accountId = await step(() => firstAccountId(context.db));
  return { client, accountId, hasSurvey: source !== null };
}

/** Whoever has no way into the console is still served the rest. */
function linkToShow(
  context: Context,
  terminal: Terminal,
  { step, stepped }: Pick<StartPatience, 'step' | 'stepped'>,
): Promise<string | null> {
  return step(() => startLink(context)).catch((error: unknown) => {
    stepped();
    terminal.tell(`Warning: No link into the console could be made: ${messageOf(error)}`);
    return null;
  });
}

/** At a terminal: six lines, and above them what is shown once. */
function welcome(
  terminal: Terminal,
  config: Config,
  { baseUrl, managementUrl }: Pick<Server, 'baseUrl' | 'managementUrl'>,
  demo: Demo | null,
  console: ConsoleLine,
): void {
  const address = addressForPeople(config.publicUrl === '' ? baseUrl : config.publicUrl);
  if (demo?.client)
    terminal.print(
      `The demo's API client, shown this once:\n  client id      ${demo.client.clientId}\n  client secret  ${demo.client.clientSecret}\n`,
    );
  const lines = startLines({
    address,
    console: console.shortText,
    survey: demo?.hasSurvey === true ? `${pagesOf(config, address)}/s/${demoSurveyId}` : null,
    databaseUrl: config.databaseUrl,
    managementUrl,
  });
  for (const line of lines) terminal.print(line);
}

/** Where a phone opens a survey, with --lan. */
function pagesOf({ publicUrl, lanHost }: Config, address: string): string {
  if (publicUrl !== '' || lanHost === '') return address;
  return urlOf(lanHost, Number(new URL(address).port));
}

async function announce(
  terminal: Terminal,
  config: Config,
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
  terminal.print(`Console: ${console.text}`);
  if (demo === null) return;
  if (demo.hasSurvey) terminal.print(`Survey: ${pagesOf(config, baseUrl)}/s/${demoSurveyId}`);
  if (demoClient === null) {
    terminal.print(
      `The store has accounts already. For a new API client: npx soundings client create --account ${demo.accountId} --name "my client"`,
    );
    return;
  }
  const { tryLines } = await import('../demo/demo.ts');
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
  const links = linksFault(config.host, config.publicUrl, config.lanHost);
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
