// What one would write otherwise: Fastify with the same schema check, an insert in a transaction of its own for every
// response, pages by limit and offset over an index of time, each document parsed and sent again. A program of its
// own, on either engine; it prints its port. As durable as ours: WAL and synchronous = full, or PostgreSQL's own way.

import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import Fastify from 'fastify';
import pg from 'pg';
import { ResponseBody } from '../../src/http/feedback/ingestion-schema.ts';

interface UsualStore {
  insert(id: string, submittedAtMs: number, document: string): Promise<void> | void;
  page(fromMs: number, toMs: number, limit: number, offset: number): Promise<string[]> | string[];
}

const measure = 7001;
const [address = ''] = process.argv.slice(2);
const store = address.startsWith('sqlite:') ? onSqlite(address.slice('sqlite:'.length)) : onPostgres(address);

function onSqlite(path: string): UsualStore {
  const database = new DatabaseSync(path);
  database.exec('pragma journal_mode = wal; pragma synchronous = full');
  const insert = database.prepare(
    'insert into response (id, measure, submitted_at, document) values (?, ?, ?, ?)',
  );
  const select = database.prepare(
    'select document from response where measure = ? and submitted_at between ? and ? order by submitted_at, id limit ? offset ?',
  );
  return {
    insert(id, submittedAtMs, document) {
      database.exec('begin immediate');
      insert.run(id, measure, submittedAtMs, document);
      database.exec('commit');
    },
    page: (fromMs, toMs, limit, offset) =>
      select.all(measure, fromMs, toMs, limit, offset).map(({ document }) => document as string),
  };
}

function onPostgres(url: string): UsualStore {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  return {
    async insert(id, submittedAtMs, document) {
      const client = await pool.connect();
      try {
        await client.query('begin');
        await client.query(
          'insert into response (id, measure, submitted_at, document) values ($1, $2, $3, $4)',
          [id, measure, submittedAtMs, document],
        );
        await client.query('commit');
      } finally {
        client.release();
      }
    },
    async page(fromMs, toMs, limit, offset) {
      const { rows } = await pool.query(
        'select document from response where measure = $1 and submitted_at between $2 and $3 order by submitted_at, id limit $4 offset $5',
        [measure, fromMs, toMs, limit, offset],
      );
      return rows.map(({ document }) => document as string);
    },
  };
}

const app = Fastify({ logger: false });
app.post(
  '/responses',
  { schema: { body: JSON.parse(JSON.stringify({ ...ResponseBody, $id: undefined })) } },
  async (request) => {
    const id = crypto.randomUUID();
    await store.insert(id, Date.now(), JSON.stringify(request.body));
    return { message: 'The response is kept.', responseCode: 200, responseId: id, responseType: 'SUCCESS' };
  },
);
app.get('/data', async (request) => {
  const { from, to, offset, limit } = request.query as Record<string, string>;
  const documents = await store.page(
    Date.parse(from!),
    Date.parse(to!) + 86_399_999,
    Number(limit),
    Number(offset) * Number(limit),
  );
  return { items: documents.map((document) => JSON.parse(document) as unknown) };
});

await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.({ port: (app.server.address() as AddressInfo).port });
