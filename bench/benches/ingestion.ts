// One response of some 1.5 KB: authenticated, judged, scored and durable, against a bare server that reads the same
// body, parses it and throws it away.

import { statSync } from 'node:fs';
import type { Bench, Effort } from '../bench.ts';
import { measureExchange } from '../exchange.ts';
import { feedbackCatalogue, fillLog, responseBody } from '../feedback-data.ts';
import type { EngineName, Figure } from '../figures.ts';
import { residentBytesOf } from '../machine.ts';
import { type Generator, type PreparedService, prepareStore, startGenerator, startOn } from '../processes.ts';
import { takeTurns } from '../turns.ts';

const rowsInLog = Number(process.env.BENCH_ROWS ?? 1_000_000);
const body = JSON.stringify(responseBody(4711, null));
const mebibyte = 2 ** 20;

export const ingestion: Bench = {
  name: 'ingestion',
  about: 'POST /v1/surveys/ingestion, durable, against a bare POST that parses the same body',
  engines: ['sqlite', 'postgres'],
  async run(engine, effort) {
    const service = await startOn(await prepareStore(engine, feedbackCatalogue));
    try {
      const figures = await measureExchange(
        {
          bench: 'ingestion',
          engine,
          what: `a response of ${body.length} bytes, durable, on one core : bare POST`,
          goal: { atLeast: engine === 'sqlite' ? 0.48 : 0.35 },
          isOnOneCore: true,
          service,
          method: 'POST',
          path: '/v1/surveys/ingestion',
          headers: headersOf(service),
          body,
          floorParses: true,
        },
        effort,
      );
      return [...figures, memoryFigure(engine, service)];
    } finally {
      await service.stop();
    }
  },
};

export const ingestionGrowth: Bench = {
  name: 'ingestion-growth',
  about: `processor time of a response with ${rowsInLog.toLocaleString('en')} in the log against an empty one, and the store's size`,
  engines: ['sqlite', 'postgres'],
  async run(engine, effort) {
    const stores = [
      await prepareStore(engine, feedbackCatalogue),
      await prepareStore(engine, feedbackCatalogue),
    ];
    await fillLog(stores[1]!.env.DATABASE_URL!, rowsInLog, 'in order');
    const size = engine === 'sqlite' ? sizeFigure(stores[1]!.env.DATABASE_URL!) : [];
    const [empty, full] = [await startOn(stores[0]!), await startOn(stores[1]!)];
    const generator = startGenerator();
    try {
      return [await growth(engine, effort, generator, empty, full), ...size];
    } finally {
      await generator.stop();
      await empty.stop();
      await full.stop();
    }
  },
};

function growth(
  engine: EngineName,
  effort: Effort,
  generator: Generator,
  empty: PreparedService,
  full: PreparedService,
): Promise<Figure> {
  const ask = (service: PreparedService) => (measuredMs: number) =>
    generator.ask({
      port: service.port,
      serverPid: service.pid,
      request: requestOf(service),
      connections: 32,
      leadInMs: 300,
      measuredMs,
    });
  const what = `a response with ${rowsInLog.toLocaleString('en')} in the log : in an empty one`;
  const figure = { bench: 'ingestion-growth', engine, what, goal: { atMost: 1.2 } } as const;
  return takeTurns({ figure, ours: ask(full), floor: ask(empty), by: 'processor' }, effort);
}

function headersOf({ token }: PreparedService): Record<string, string> {
  return { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
}

export function requestOf(service: PreparedService): string {
  const lines = Object.entries(headersOf(service)).map(([name, value]) => `${name}: ${value}`);
  return [
    'POST /v1/surveys/ingestion HTTP/1.1',
    'host: x',
    ...lines,
    `content-length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

/** Right after the load, while its buffers are still there. */
function memoryFigure(engine: EngineName, { pid }: PreparedService): Figure {
  const value = residentBytesOf(pid) / mebibyte;
  return {
    bench: 'ingestion',
    engine,
    what: 'memory of the service at full load',
    ours: `${value.toFixed(0)} MiB`,
    floor: '',
    value,
    unit: 'MiB',
    rounds: [value],
    goal: { atMost: 300 },
  };
}

/** Everything on the disk, bodies as sent included, for the mean size of those bodies. */
function sizeFigure(databaseUrl: string): readonly Figure[] {
  const path = databaseUrl.slice('sqlite:'.length);
  const bytes = ['', '-wal'].reduce(
    (sum, ending) => sum + (statSync(path + ending, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  const perResponse = bytes / rowsInLog;
  const bodyBytes = JSON.stringify(responseBody(4711, '2025-06-01T12:00:00.000Z')).length;
  const value = perResponse / bodyBytes;
  return [
    {
      bench: 'ingestion-growth',
      engine: 'sqlite',
      what: 'size on disk a response : its body',
      ours: `${perResponse.toFixed(0)} bytes`,
      floor: `${bodyBytes} bytes`,
      value,
      unit: 'times',
      rounds: [value],
      goal: { atMost: 2 },
    },
  ];
}
