// The program that one would write otherwise (peers/usual.ts), with as many documents as our log has, over the same days.

import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { engines } from '../test/support/engines.ts';
import { pagePath, pageSize, rangeOf, type Size } from './feedback-data.ts';
import type { EngineName } from './figures.ts';
import { type PreparedService, startPeer, type Target } from './processes.ts';

const table =
  'create table response (id text primary key, measure integer not null, submitted_at bigint not null, document text not null)';
const index = 'create index response_by_time on response (measure, submitted_at, id)';
const firstMs = Date.parse(rangeOf['in order'].from);
const rangeMs = rangeOf['in order'].days * 86_400_000;

/** Starts it on a store of its own, which goes with it. */
export async function startUsual(
  engineName: EngineName,
  count: number,
  documents: readonly string[],
): Promise<Target> {
  const engine = engines.find(({ name }) => name === engineName);
  const store = await engine!.newStore();
  if (engineName === 'sqlite') fillSqlite(store.databaseUrl.slice('sqlite:'.length), count, documents);
  else await fillPostgres(store.databaseUrl, count, documents);
  const peer = await startPeer('./peers/usual.ts', [store.databaseUrl]);
  if (peer === null) throw new Error('The usual program does not start.');
  return {
    ...peer,
    async stop() {
      await peer.stop();
      await store.dispose();
    },
  };
}

export function usualPageRequest(page: number): string {
  const { from, to } = rangeOf['in order'];
  return `GET /data?from=${from}&to=${to}&limit=${pageSize}&offset=${page} HTTP/1.1\r\nhost: x\r\n\r\n`;
}

/** The first page of ours, item by item: the other program keeps the documents that it has to answer with. */
export async function shownBy({ baseUrl, token }: PreparedService, size: Size): Promise<readonly string[]> {
  const answer = await fetch(baseUrl + pagePath(size, 'in order', 0), {
    headers: { authorization: `Bearer ${token}` },
  });
  const { items } = (await answer.json()) as { items: object[] };
  return items.map((item) => JSON.stringify(item));
}

function fillSqlite(path: string, count: number, documents: readonly string[]): void {
  const database = new DatabaseSync(path);
  database.exec(`pragma journal_mode = wal; pragma synchronous = off; ${table}; ${index}`);
  const insert = database.prepare(
    'insert into response (id, measure, submitted_at, document) values (?, ?, ?, ?)',
  );
  database.exec('begin');
  for (let number = 0; number < count; number += 1) {
    const submittedAt = firstMs + Math.floor((number * rangeMs) / count);
    insert.run(
      `r-${String(number).padStart(9, '0')}`,
      7001,
      submittedAt,
      documents[number % documents.length]!,
    );
  }
  database.exec('commit');
  database.close();
}

async function fillPostgres(url: string, count: number, documents: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`set synchronous_commit = off; ${table}`);
    await client.query(
      `insert into response (id, measure, submitted_at, document)
       select 'r-' || lpad(number::text, 9, '0'), 7001, $2::bigint + number::bigint * $3::bigint / $1::bigint,
         ($4::text[])[1 + number % $5::int]
       from generate_series(0, $1::int - 1) as number`,
      [count, firstMs, rangeMs, documents, documents.length],
    );
    await client.query(`${index}; analyze response`);
  } finally {
    await client.end();
  }
}
