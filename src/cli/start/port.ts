// The port that the service listens on: whether it is free, and why not.

import { Server as TcpServer } from 'node:net';
import type { Config } from '../../config.ts';
import { CommandError } from '../frame/terminal.ts';

/** Whether the port can be had now; it is let go again. */
export async function tryPort(config: Config): Promise<void> {
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

export function explainListen(error: unknown, { host, port, managementPort }: Config): unknown {
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
