// A copy of a store as it is now, as an operator restores one from a backup. Nobody may have it open meanwhile.

import { randomUUID } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import pg from 'pg';
import type { TestStore } from './engines.ts';
import { temporaryFile } from './temporary-file.ts';

export async function copyStore(databaseUrl: string): Promise<TestStore> {
  if (databaseUrl.startsWith('sqlite:')) {
    const file = temporaryFile('copy.db', '');
    copyFileSync(databaseUrl.slice('sqlite:'.length), file);
    return { databaseUrl: `sqlite:${file}`, dispose: async () => {} };
  }
  const url = new URL(databaseUrl);
  const original = url.pathname.slice(1);
  const copy = `t_${randomUUID().replaceAll('-', '')}`;
  url.pathname = '/postgres';
  const administrate = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await administrate(`create database ${copy} template ${original}`);
  const copied = new URL(databaseUrl);
  copied.pathname = `/${copy}`;
  return {
    databaseUrl: copied.href,
    dispose: () => administrate(`drop database if exists ${copy} with (force)`),
  };
}
