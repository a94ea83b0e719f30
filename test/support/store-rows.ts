// A look into the store behind the service's back, for tests that forge what it signs or prove what it does not keep.

import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

export type StoreRow = Readonly<Record<string, unknown>>;

type Ask = (query: string) => Promise<readonly StoreRow[]>;

async function withStore<T>(databaseUrl: string, work: (ask: Ask) => Promise<T>): Promise<T> {
  if (databaseUrl.startsWith('sqlite:')) {
    const db = new DatabaseSync(databaseUrl.slice('sqlite:'.length), { timeout: 10_000 });
    try {
      return await work(async (query) => db.prepare(query).all() as StoreRow[]);
    } finally {
      db.close();
    }
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(async (query) => (await client.query<StoreRow>(query)).rows);
  } finally {
    await client.end();
  }
}

export function storeRows(databaseUrl: string, query: string): Promise<readonly StoreRow[]> {
  return withStore(databaseUrl, (ask) => ask(query));
}

export function storeTables(databaseUrl: string): Promise<readonly string[]> {
  return withStore(databaseUrl, (ask) => tablesOf(databaseUrl, ask));
}

async function tablesOf(databaseUrl: string, ask: Ask): Promise<readonly string[]> {
  const rows = await ask(
    databaseUrl.startsWith('sqlite:')
      ? `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name`
      : `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`,
  );
  return rows.map(({ name }) => String(name));
}

/** Every table with every row, as one text to look for something in. */
export function wholeStore(databaseUrl: string): Promise<Readonly<Record<string, readonly StoreRow[]>>> {
  return withStore(databaseUrl, async (ask) => {
    const tables: Record<string, readonly StoreRow[]> = {};
    for (const table of await tablesOf(databaseUrl, ask)) tables[table] = await ask(`select * from ${table}`);
    return tables;
  });
}

export interface StoreSecrets {
  readonly storeId: string;
  readonly keys: readonly { readonly kid: string; readonly secret: string }[];
}

/** What tokens are made of: issuer and audience, and the keys, newest first. */
export async function storeSecrets(databaseUrl: string): Promise<StoreSecrets> {
  const [store] = await storeRows(databaseUrl, 'select store_id from store');
  const keys = await storeRows(databaseUrl, 'select kid, secret from signing_key order by signs_from desc');
  return {
    storeId: String(store?.store_id),
    keys: keys.map(({ kid, secret }) => ({ kid: String(kid), secret: String(secret) })),
  };
}

/** Without what a service writes down by itself: that it lives, and who was there. */
export async function storeWithoutNotes(
  databaseUrl: string,
): Promise<Awaited<ReturnType<typeof wholeStore>>> {
  const { heartbeat: _heartbeat, provisioning_token_use: _uses, ...rest } = await wholeStore(databaseUrl);
  return rest;
}
