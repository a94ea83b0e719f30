// What one would write otherwise: Fastify with the same schema check, an insert in a transaction of its own for every
// response, pages by limit and offset over an index of time, each document parsed and sent again. A program of its
// own; it prints its port. As durable as ours: WAL and synchronous = full.

import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import Fastify from 'fastify';
import { ResponseBody } from '../../src/http/ingestion-schema.ts';

const [path = ''] = process.argv.slice(2);
const database = new DatabaseSync(path);
database.exec(`pragma journal_mode = wal; pragma synchronous = full;
  create table if not exists response (id text primary key, measure integer not null, submitted_at integer not null, document text not null);
  create index if not exists response_by_time on response (measure, submitted_at, id)`);
const insert = database.prepare(
  'insert into response (id, measure, submitted_at, document) values (?, ?, ?, ?)',
);
const select = database.prepare(
  'select document from response where measure = ? and submitted_at between ? and ? order by submitted_at, id limit ? offset ?',
);

const app = Fastify({ logger: false });
app.post(
  '/responses',
  { schema: { body: JSON.parse(JSON.stringify({ ...ResponseBody, $id: undefined })) } },
  async (request) => {
    const id = crypto.randomUUID();
    database.exec('begin immediate');
    insert.run(id, 7001, Date.now(), JSON.stringify(request.body));
    database.exec('commit');
    return { message: 'The response is kept.', responseCode: 200, responseId: id, responseType: 'SUCCESS' };
  },
);
app.get('/data', async (request) => {
  const { from, to, offset, limit } = request.query as Record<string, string>;
  const rows = select.all(
    7001,
    Date.parse(from!),
    Date.parse(to!) + 86_399_999,
    Number(limit),
    Number(offset) * Number(limit),
  );
  return { items: rows.map(({ document }) => JSON.parse(document as string) as unknown) };
});

await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.({ port: (app.server.address() as AddressInfo).port });
