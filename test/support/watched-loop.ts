// A service whose event loop is watched (loop-watch.ts): how long one request holds it, in processor time.

import { createConnection, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type LoopCommand, type LoopReport, socketVariable } from './loop-watch.ts';
import { type ServiceProcess, startedProgram, startProcess } from './service.ts';
import { temporaryFolder } from './temporary-file.ts';

const preload = new URL('./loop-watch.ts', import.meta.url).href;
const root = fileURLToPath(new URL('../../', import.meta.url));

export interface WatchedService extends ServiceProcess {
  /** What the event loop did while this was asked and answered. */
  held(ask: () => Promise<unknown>): Promise<LoopReport>;
  /** The same under the profiler, which makes it longer: only to know by which function. */
  heldBy(ask: () => Promise<unknown>): Promise<string>;
}

export async function startWatched(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  program = startedProgram,
): Promise<WatchedService> {
  const socket = `${temporaryFolder()}/loop`;
  const service = await startProcess({ ...env, [socketVariable]: socket }, args, {
    command: [process.execPath, '--import', preload, program],
    folder: root,
  });
  const connection = createConnection(socket);
  // Nobody waits for it when the service is gone.
  connection.on('error', () => {}).unref();
  const commander = new Commander(connection);
  const watched = async (command: LoopCommand, ask: () => Promise<unknown>): Promise<LoopReport> => {
    await commander.send(command);
    try {
      await ask();
    } catch (error) {
      await commander.send('report');
      throw error;
    }
    return (await commander.send('report')) as LoopReport;
  };
  return {
    ...service,
    held: (ask) => watched('watch', ask),
    heldBy: async (ask) => (await watched('name', ask)).culprit ?? '',
  };
}

class Commander {
  readonly #connection: Socket;
  readonly #waiting: ((answer: unknown) => void)[] = [];

  constructor(connection: Socket) {
    this.#connection = connection;
    createInterface({ input: connection }).on('line', (line) => this.#waiting.shift()?.(JSON.parse(line)));
  }

  send(command: LoopCommand): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.#waiting.push(resolve);
    this.#connection.ref().write(command);
    return promise.finally(() => this.#connection.unref());
  }
}
