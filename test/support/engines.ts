// Both engines, for tests that hold every promise on each of them.

import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { temporaryFolder } from './temporary-file.ts';

export interface TestStore {
  readonly databaseUrl: string;
  dispose(): Promise<void>;
}

export interface Engine {
  readonly name: 'sqlite' | 'postgres';
  newStore(): Promise<TestStore>;
}

const sqlite: Engine = {
  name: 'sqlite',
  async newStore() {
    const folder = temporaryFolder('store');
    return {
      databaseUrl: `sqlite:${join(folder, 'store.db')}`,
      dispose: async () => rmSync(folder, { recursive: true, force: true }),
    };
  },
};

const postgres: Engine = {
  name: 'postgres',
  async newStore() {
    const server = postgresUrl();
    const database = `t_${randomUUID().replaceAll('-', '')}`;
    await administrate(server, `create database ${database}`);
    const url = new URL(server);
    url.pathname = `/${database}`;
    return {
      databaseUrl: url.href,
      dispose: () => administrate(server, `drop database if exists ${database} with (force)`),
    };
  },
};

export const engines: readonly Engine[] = [sqlite, postgres];

/** The server that the runner started, or the one that DATABASE_URL_TEST names. A missing one is a failure. */
export function postgresUrl(): string {
  const url = process.env.DATABASE_URL_TEST;
  if (url === undefined)
    throw new Error(
      'There is no PostgreSQL for this test: run it through "npm test -- FILE", or name a server in DATABASE_URL_TEST.',
    );
  return url;
}

async function administrate(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
