// The service within the process of the test: the same settings, store, server and work in the background as `soundings serve`
// has, without the processor second that a process of its own takes to start and to stop (D-884).

import { pid } from 'node:process';
import {
  buildContext,
  openStore,
  prepareStore,
  readSettings,
  withContext,
} from '../../src/cli/frame/open-context.ts';
import { type Terminal, withoutControls } from '../../src/cli/frame/terminal.ts';
import type { Context } from '../../src/context.ts';
import { startServer } from '../../src/http/server/server.ts';
import { watchErrorLines } from './error-lines.ts';
import { heardHere } from './heard-here.ts';
import { environment, type Service } from './service.ts';

export async function startService(env: Readonly<Record<string, string>>): Promise<Service> {
  const errorLines = watchErrorLines();
  let output = '';
  const note = (text: string): void => {
    output += text;
    errorLines.note(text);
  };
  const terminal = silentTerminal(env, (line) => note(`${withoutControls(line)}\n`));
  const server = await heardHere(note, async () => {
    const { config, inForce } = await readSettings(terminal, { settings: { port: '0' } });
    const db = await openStore(config, config.storeTimeoutMs);
    await prepareStore(config, db, terminal);
    return startServer(await buildContext(config, db, inForce));
  });
  let stopped: Promise<void> | null = null;
  return {
    baseUrl: server.baseUrl,
    managementUrl: server.managementUrl,
    pid,
    output: () => output,
    expectErrors: errorLines.expect,
    async stop() {
      stopped ??= server.close();
      await stopped;
    },
  };
}

/** What several commands would do, with the store opened once: each opening takes a thread on SQLite. */
export function withStoreHere<T>(
  env: Readonly<Record<string, string>>,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const { note } = watchErrorLines();
  return heardHere(note, () =>
    withContext(
      silentTerminal(env, () => {}),
      {},
      work,
    ),
  );
}

function silentTerminal(env: Readonly<Record<string, string>>, tell: Terminal['tell']): Terminal {
  return { env: environment(env), isInteractive: false, isWatched: false, print: () => {}, tell };
}
