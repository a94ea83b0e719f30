// A page of 100 full respondents against the same bytes sent from memory, and the last page of a long log against
// its first: with a year in order, and with ten years in no order at all.

import type { Bench, Effort } from '../bench.ts';
import { measureExchange } from '../exchange.ts';
import { type Arrival, feedbackCatalogue, fillLog, pagePath, pageSize, type Size } from '../feedback-data.ts';
import type { EngineName, Figure } from '../figures.ts';
import { residentBytesOf } from '../machine.ts';
import { type PreparedService, prepareStore, startGenerator, startOn } from '../processes.ts';
import { takeTurns } from '../turns.ts';

const rowsInLog = Number(process.env.BENCH_ROWS ?? 1_000_000);

export const pages: Bench = {
  name: 'pages',
  about: `a page of ${pageSize} respondents against the same bytes from memory; the last page of ${rowsInLog.toLocaleString('en')} rows against the first`,
  engines: ['sqlite', 'postgres'],
  async run(engine, effort) {
    return [...(await onLog(engine, effort, 'in order')), ...(await onLog(engine, effort, 'shuffled'))];
  },
};

async function onLog(engine: EngineName, effort: Effort, arrival: Arrival): Promise<readonly Figure[]> {
  const store = await prepareStore(engine, feedbackCatalogue);
  await fillLog(store.env.DATABASE_URL!, rowsInLog, arrival);
  const service = await startOn(store);
  try {
    const figures: Figure[] = [
      await lastToFirst(engine, effort, { bench: 'pages', rows: rowsInLog, arrival, size: 'full' }, service),
    ];
    if (arrival === 'in order') figures.unshift(...(await pageToMemory(engine, effort, service)));
    return figures;
  } finally {
    await service.stop();
  }
}

/** Far apart in the log, each on its own days. */
function somePages(): string[] {
  const pages = Math.max(1, Math.floor(rowsInLog / pageSize) - 1);
  return Array.from({ length: Math.min(997, pages) }, (_, index) =>
    pagePath('full', 'in order', (index * 613) % pages),
  );
}

async function pageToMemory(
  engine: EngineName,
  effort: Effort,
  service: PreparedService,
): Promise<readonly Figure[]> {
  const exchange = {
    bench: 'pages',
    engine,
    service,
    method: 'GET',
    path: pagePath('full', 'in order', 7),
    paths: somePages(),
    isOnOneCore: true,
  } as const;
  const headers = { authorization: `Bearer ${service.token}`, accept: 'application/json' };
  const what = `page of ${pageSize} full respondents, another at each request`;
  const goal = { atLeast: engine === 'sqlite' ? 0.22 : 0.17 };
  const figures = [
    ...(await measureExchange(
      { ...exchange, what: `${what} : the same bytes from memory`, goal, headers },
      effort,
    )),
  ];
  // There is no floor for these: what counts is the rate beside that of the release before.
  for (const encoding of ['zstd', 'gzip']) {
    const compressed = { ...headers, 'accept-encoding': encoding };
    const title = `${what}, ${encoding} : its bytes from memory as they are`;
    figures.push(...(await measureExchange({ ...exchange, what: title, headers: compressed }, effort)));
  }
  return [...figures, await memoryOfReaders(engine, service)];
}

const readers = 1_000;
const mebibyte = 2 ** 20;

/** What the process holds while many read pages at once. */
async function memoryOfReaders(engine: EngineName, service: PreparedService): Promise<Figure> {
  const generator = startGenerator();
  let mostBytes = 0;
  const look = setInterval(() => {
    mostBytes = Math.max(mostBytes, residentBytesOf(service.pid));
  }, 50);
  try {
    await generator.ask({
      port: service.port,
      serverPid: service.pid,
      request: '',
      sequence: somePages().map((path) => pageRequest(service, path)),
      isSpread: true,
      connections: readers,
      // On a slow machine some of a thousand wait longer than they may (D-176).
      mayBeTooMany: true,
      leadInMs: 1_000,
      measuredMs: 10_000,
    });
  } finally {
    clearInterval(look);
    await generator.stop();
  }
  const most = mostBytes / mebibyte;
  return {
    bench: 'pages',
    engine,
    what: `memory while ${readers.toLocaleString('en')} connections read pages`,
    ours: `${most.toFixed(0)} MiB`,
    floor: '',
    value: most,
    unit: 'MiB',
    rounds: [most],
    goal: { atMost: 400 },
  };
}

export interface FilledLog {
  readonly bench: string;
  readonly rows: number;
  readonly arrival: Arrival;
  readonly size: Size;
}

/** The last page of a log against its first, by the time that one caller waits. */
export async function lastToFirst(
  engine: EngineName,
  effort: Effort,
  { bench, rows, arrival, size }: FilledLog,
  service: PreparedService,
): Promise<Figure> {
  const generator = startGenerator();
  const ask = (page: number) => (measuredMs: number) =>
    generator.ask({
      port: service.port,
      serverPid: service.pid,
      request: pageRequest(service, pagePath(size, arrival, page)),
      connections: 1,
      leadInMs: 300,
      measuredMs,
    });
  const what = `last page : first page, ${rows.toLocaleString('en')} ${size} rows ${arrival}`;
  const figure = { bench, engine, what, goal: { atMost: arrival === 'in order' ? 1.2 : 3 } };
  try {
    return await takeTurns({ figure, ours: ask(rows / pageSize - 1), floor: ask(0), by: 'seconds' }, effort);
  } finally {
    await generator.stop();
  }
}

export function pageRequest({ token }: PreparedService, path: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\naccept: application/json\r\n\r\n`;
}
