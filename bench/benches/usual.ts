// Against what one would write otherwise, on the same disk and in the same run.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Bench } from '../bench.ts';
import {
  feedbackCatalogue,
  fillLog,
  pagePath,
  pageSize,
  rangeOf,
  responseBody,
  type Size,
} from '../feedback-data.ts';
import type { Figure } from '../figures.ts';
import {
  type PreparedService,
  prepareStore,
  startGenerator,
  startOn,
  startPeer,
  type Target,
} from '../processes.ts';
import { type Turns, takeTurns } from '../turns.ts';
import { requestOf as ingestionRequest } from './ingestion.ts';
import { pageRequest } from './pages.ts';

const rowsInLog = 20_000;
const body = JSON.stringify(responseBody(4711, null));

export const usual: Bench = {
  name: 'usual',
  about: 'ingestion and a page against Fastify, an insert a transaction, and limit with offset',
  engines: ['sqlite'],
  async run(engine, effort) {
    const folder = mkdtempSync(join(tmpdir(), 'soundings-usual-'));
    const path = join(folder, 'usual.db');
    const store = await prepareStore(engine, feedbackCatalogue);
    await fillLog(store.env.DATABASE_URL!, rowsInLog, 'in order');
    const service = await startOn(store);
    fillUsual(path, rowsInLog, await shownBy(service, 'full'));
    const peer = await startPeer('./peers/usual.ts', [path]);
    if (peer === null) throw new Error('The usual program does not start.');
    const generator = startGenerator();
    const ask = (target: Target, request: string, connections: number) => (measuredMs: number) =>
      generator.ask({
        port: target.port,
        serverPid: target.pid,
        request,
        connections,
        leadInMs: 300,
        measuredMs,
      });
    const compare = (
      what: string,
      atLeast: number,
      ours: Turns['ours'],
      floor: Turns['floor'],
    ): Promise<Figure> =>
      takeTurns(
        { figure: { bench: 'usual', engine, what, goal: { atLeast } }, ours, floor, by: 'rate' },
        effort,
      );
    const theirPost = `POST /responses HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    const own = pageRequest(service, pagePath('full', 'in order', 0));
    try {
      return [
        await compare('first page', 2.5, ask(service, own, 8), ask(peer, usualPageRequest(0), 8)),
        await compare('ingestion', 2, ask(service, ingestionRequest(service), 32), ask(peer, theirPost, 32)),
      ];
    } finally {
      await generator.stop();
      await service.stop();
      await peer.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** The first page of ours, item by item: the other program keeps the documents that it has to answer with. */
export async function shownBy({ baseUrl, token }: PreparedService, size: Size): Promise<readonly object[]> {
  const answer = await fetch(baseUrl + pagePath(size, 'in order', 0), {
    headers: { authorization: `Bearer ${token}` },
  });
  return ((await answer.json()) as { items: object[] }).items;
}

export function usualPageRequest(page: number): string {
  const { from, to } = rangeOf['in order'];
  return `GET /data?from=${from}&to=${to}&limit=${pageSize}&offset=${page} HTTP/1.1\r\nhost: x\r\n\r\n`;
}

/** As many documents as ours, over the same days. */
export function fillUsual(path: string, count: number, shown: readonly object[]): void {
  const database = new DatabaseSync(path);
  database.exec(`pragma journal_mode = wal; pragma synchronous = off;
    create table response (id text primary key, measure integer not null, submitted_at integer not null, document text not null);
    create index response_by_time on response (measure, submitted_at, id)`);
  const insert = database.prepare(
    'insert into response (id, measure, submitted_at, document) values (?, ?, ?, ?)',
  );
  const { from, days } = rangeOf['in order'];
  const firstMs = Date.parse(from);
  const documents = shown.map((document) => JSON.stringify(document));
  database.exec('begin');
  for (let number = 0; number < count; number += 1) {
    const submittedAt = firstMs + Math.floor((number * days * 86_400_000) / count);
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
