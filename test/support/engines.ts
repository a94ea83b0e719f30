// Both engines, for tests that hold every promise on each of them.

import { randomUUID } from 'node:crypto';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { temporaryFolder } from './temporary-file.ts';

export interface TestStore {
  readonly databaseUrl: string;
  dispose(): Promise<void>;
}

export type EngineName = 'sqlite' | 'postgres';

export interface Engine {
  readonly name: EngineName;
  /** With nothing in it. */
  newStore(): Promise<TestStore>;
  /** With the schema in it, where the runner has made it (D-701): whoever is not about making it does not pay for it. */
  readyStore(): Promise<TestStore>;
}

/** What the runner has made for all files: the file of an embedded store, and the name of a database. */
const templates = {
  sqlite: process.env.TEST_TEMPLATE_FILE,
  postgres: process.env.TEST_TEMPLATE_DATABASE,
};

export const sqlite: Engine = {
  name: 'sqlite',
  async newStore() {
    const folder = temporaryFolder('store');
    return {
      databaseUrl: `sqlite:${join(folder, 'store.db')}`,
      dispose: async () => rmSync(folder, { recursive: true, force: true }),
    };
  },
  async readyStore() {
    const store = await sqlite.newStore();
    if (templates.sqlite !== undefined)
      copyFileSync(templates.sqlite, store.databaseUrl.slice('sqlite:'.length));
    return store;
  },
};

export const postgres: Engine = {
  name: 'postgres',
  newStore: () => newDatabase(),
  readyStore: () => newDatabase(templates.postgres),
};

async function newDatabase(template?: string): Promise<TestStore> {
  const server = postgresUrl();
  const database = `t_${randomUUID().replaceAll('-', '')}`;
  const all = await allMachines();
  // To copy the files takes a third of the processor time of writing everything into the log.
  for (const one of all)
    await administrate(
      one,
      `create database ${database} template ${template ?? 'template0'} strategy file_copy`,
    );
  const [, ...workers] = all;
  // A copy of a database that is spread knows the other machines already.
  if (workers.length > 0 && template === undefined) await joinWorkers(server, workers, database);
  // Each shard is a table of its own, so few of them.
  if (workers.length > 0) await administrate(server, `alter database ${database} set citus.shard_count = 2`);
  return {
    databaseUrl: inDatabase(server, database),
    async dispose() {
      for (const one of all) await administrate(one, `drop database if exists ${database} with (force)`);
    },
  };
}

/** A database without Citus, whatever DATABASE_URL_TEST names. */
export async function newPlainPostgres(): Promise<TestStore> {
  const server = postgresUrl();
  const database = `t_${randomUUID().replaceAll('-', '')}`;
  await administrate(server, `create database ${database} template template0`);
  return {
    databaseUrl: inDatabase(server, database),
    dispose: async () =>
      void (await administrate(server, `drop database if exists ${database} with (force)`)),
  };
}

const chosen: Engine[] = [sqlite, postgres];

/** Those that the file at hand runs on: both, or one of them where the plan has the other at another time (plan.ts). */
export const engines: readonly Engine[] = chosen;

/** The worker says it before it reads a file. */
export function runOnEngines(names: readonly EngineName[]): void {
  chosen.splice(0, chosen.length, ...[sqlite, postgres].filter(({ name }) => names.includes(name)));
}

/** For what is about PostgreSQL without Citus alone: its functions for many accounts, and what one server says of itself. */
export const plainPostgres: Engine = {
  name: 'postgres',
  newStore: async () => ((await isSpread()) ? newPlainPostgres() : postgres.newStore()),
  readyStore: async () => ((await isSpread()) ? newPlainPostgres() : postgres.readyStore()),
};

/** Whether PostgreSQL spreads the accounts of these tests over machines: DATABASE_URL_TEST names the coordinator of a Citus. */
export async function isSpread(): Promise<boolean> {
  return (await allMachines()).length > 1;
}

/** Of whoever waits for a lock, on any machine. */
export async function lockWaits(): Promise<string> {
  const activity = (await isSpread()) ? 'citus_stat_activity' : 'pg_stat_activity';
  return `select pid from ${activity} where datname = current_database() and wait_event_type = 'Lock'`;
}

/** The server that the runner started, or the one that DATABASE_URL_TEST names. A missing one is a failure. */
export function postgresUrl(): string {
  const url = process.env.DATABASE_URL_TEST;
  if (url === undefined)
    throw new Error(
      'There is no PostgreSQL for this test: run it through "npm test -- FILE", or name a server in DATABASE_URL_TEST.',
    );
  return url;
}

function inDatabase(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

function databaseOf(databaseUrl: string): string {
  return new URL(databaseUrl).pathname.slice('/'.length);
}

/** Nobody gets into it any more, so that it can be copied: Citus keeps a process in every database that was ever used. */
export async function closeDatabase({ databaseUrl }: Pick<TestStore, 'databaseUrl'>): Promise<void> {
  const database = databaseOf(databaseUrl);
  for (const one of await allMachines()) {
    await administrate(one, `alter database ${database} allow_connections false`);
    await administrate(
      one,
      `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${database}'`,
    );
  }
}

/** As it is now. Nobody of ours may have it open meanwhile. */
export async function copyDatabase(databaseUrl: string): Promise<TestStore> {
  const database = databaseOf(databaseUrl);
  await closeDatabase({ databaseUrl });
  try {
    return await newDatabase(database);
  } finally {
    for (const one of await allMachines())
      await administrate(one, `alter database ${database} allow_connections true`);
  }
}

let citusWorkers: Promise<readonly string[]> | null = null;

/** The server, and the workers that it has if it is the coordinator of a Citus. */
async function allMachines(): Promise<readonly string[]> {
  const server = postgresUrl();
  citusWorkers ??= findCitusWorkers(server);
  return [server, ...(await citusWorkers)];
}

/** The workers of the server, if it is the coordinator of a Citus in the database that DATABASE_URL_TEST names. */
async function findCitusWorkers(server: string): Promise<readonly string[]> {
  const [found] = await administrate(server, `select to_regclass('pg_dist_node') as name`);
  if (found?.name === null) return [];
  const nodes = await administrate(
    server,
    `select nodename, nodeport from pg_dist_node where noderole = 'primary' and groupid <> 0 order by nodeid`,
  );
  return nodes.map(({ nodename, nodeport }) => {
    const url = new URL(server);
    url.hostname = String(nodename);
    url.port = String(nodeport);
    return url.href;
  });
}

/** A database of its own on every machine. */
async function joinWorkers(server: string, workers: readonly string[], database: string): Promise<void> {
  for (const one of [server, ...workers])
    await administrate(inDatabase(one, database), 'create extension if not exists citus');
  const nodeOf = (address: string): string => {
    const { hostname, port } = new URL(address);
    return `'${hostname}', ${port || 5432}`;
  };
  const coordinator = inDatabase(server, database);
  await administrate(coordinator, `select citus_set_coordinator_host(${nodeOf(server)})`);
  for (const worker of workers) await administrate(coordinator, `select citus_add_node(${nodeOf(worker)})`);
}

async function administrate(server: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
