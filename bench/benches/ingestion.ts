// What a response costs in a long log and among many surveys, by processor time.

import { statSync } from 'node:fs';
import type { Bench, Effort } from '../bench.ts';
import { feedbackCatalogue, fillLog, responseBody, surveyId } from '../feedback-data.ts';
import type { EngineName, Figure } from '../figures.ts';
import { type Generator, type PreparedService, prepareStore, startGenerator, startOn } from '../processes.ts';
import { takeTurns } from '../turns.ts';

const rowsInLog = Number(process.env.BENCH_ROWS ?? 1_000_000);
const body = JSON.stringify(responseBody(4711, null));

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

const spreadOver = 1_000;

export const ingestionSpread: Bench = {
  name: 'ingestion-spread',
  about: `processor time of responses spread over ${spreadOver.toLocaleString('en')} surveys against one survey`,
  engines: ['sqlite', 'postgres'],
  async run(engine, effort) {
    const surveyIds = Array.from({ length: spreadOver }, (_, index) => `spread-${index}`);
    const service = await startOn(await prepareStore(engine, catalogueOf(surveyIds)));
    const generator = startGenerator();
    const requests = surveyIds.map((id) => requestTo(service, id));
    const ask = (sequence: readonly string[]) => (measuredMs: number) =>
      generator.ask({
        port: service.port,
        serverPid: service.pid,
        request: sequence[0]!,
        sequence,
        isSpread: true,
        connections: 32,
        leadInMs: 300,
        measuredMs,
      });
    try {
      const what = `a response to one of ${spreadOver.toLocaleString('en')} surveys : to the same one`;
      const figure = { bench: 'ingestion-spread', engine, what, goal: { atMost: 1.2 } } as const;
      const [ours, floor] = [ask(requests), ask(requests.slice(0, 1))];
      return [await takeTurns({ figure, ours, floor, by: 'processor' }, effort)];
    } finally {
      await generator.stop();
      await service.stop();
    }
  },
};

/** A measure for each survey, all of them the one that responses are made for. */
export function catalogueOf(surveyIds: readonly string[]): object {
  const [account] = feedbackCatalogue.accounts;
  const [measure] = account!.measures;
  const [survey] = measure!.surveys;
  const measures = surveyIds.map((id, index) => ({
    ...measure,
    key: index + 1,
    name: `Measure ${id}`,
    surveys: [{ ...survey, id }],
  }));
  return { accounts: [{ ...account, measures }] };
}

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
  return requestWith(service, body);
}

/** The same response to another survey. */
export function requestTo(service: PreparedService, id: string): string {
  return requestWith(service, body.replace(surveyId, id));
}

function requestWith(service: PreparedService, sent: string): string {
  const lines = Object.entries(headersOf(service)).map(([name, value]) => `${name}: ${value}`);
  return [
    'POST /v1/surveys/ingestion HTTP/1.1',
    'host: x',
    ...lines,
    `content-length: ${sent.length}`,
    '',
    sent,
  ].join('\r\n');
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
