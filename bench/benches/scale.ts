// What happens when there is more of everything: many ranges of days asked for at once, and a second process over the
// same PostgreSQL.

import type { Bench, Effort } from '../bench.ts';
import { feedbackCatalogue, fillLog, pagePath } from '../feedback-data.ts';
import type { EngineName, Figure } from '../figures.ts';
import type { LoadResult } from '../load.ts';
import { type PreparedService, prepareStore, startGenerator, startOn } from '../processes.ts';
import { takeTurns } from '../turns.ts';
import { catalogueOf, requestTo } from './ingestion.ts';
import { pageRequest } from './pages.ts';

const rangesInUse = 500;
const rowsInLog = Number(process.env.BENCH_ROWS ?? 1_000_000);
const load = { connections: 32, leadInMs: 300 } as const;

export const scale: Bench = {
  name: 'scale',
  about: 'many ranges in use at once, and two processes over one PostgreSQL',
  engines: ['sqlite', 'postgres'],
  async run(engine, effort) {
    const figures = [await manyRanges(engine, effort)];
    return engine === 'sqlite' ? figures : [...figures, await twoProcesses(effort)];
  },
};

/** Pages of as many different ranges as stand in the title, each time another one, against pages of one range. */
async function manyRanges(engine: EngineName, effort: Effort): Promise<Figure> {
  const store = await prepareStore(engine, feedbackCatalogue);
  await fillLog(store.env.DATABASE_URL!, rowsInLog, 'in order', 'short');
  const service = await startOn(store);
  const generator = startGenerator();
  const ask = (sequence: readonly string[]) => (measuredMs: number) =>
    generator.ask({
      ...load,
      port: service.port,
      serverPid: service.pid,
      request: sequence[0]!,
      sequence,
      isSpread: true,
      measuredMs,
    });
  try {
    const what = `a page with ${rangesInUse} ranges in use : with one, ${rowsInLog.toLocaleString('en')} rows`;
    const [ours, floor] = [ask(pagesOf(service, rangesInUse)), ask(pagesOf(service, 1))];
    return await takeTurns(
      { figure: { bench: 'scale', engine, what, goal: { atMost: 1.5 } }, ours, floor, by: 'processor' },
      effort,
    );
  } finally {
    await generator.stop();
    await service.stop();
  }
}

/** Pages of ranges that all end with the year and begin on different days, at different depths. */
function pagesOf(service: PreparedService, ranges: number): readonly string[] {
  const dayMs = 86_400_000;
  return Array.from({ length: rangesInUse }, (_, index) => {
    const range = index % ranges;
    const from = new Date(Date.parse('2024-01-01') + range * dayMs).toISOString().slice(0, 10);
    const path = pagePath('short', 'in order', (index * 37) % 1_000).replace(/from=[^&]+/, `from=${from}`);
    return pageRequest(service, path);
  });
}

/** Two processes, each with the responses of its own survey, against one process with those of both. */
async function twoProcesses(effort: Effort): Promise<Figure> {
  const surveyIds = ['scale-1', 'scale-2'];
  const store = await prepareStore('postgres', catalogueOf(surveyIds));
  const first = await startOn(store);
  const second = await startOn({ ...store, dispose: async () => {} });
  const generators = [startGenerator(), startGenerator()];
  const ask = (index: number, service: PreparedService, measuredMs: number): Promise<LoadResult> =>
    generators[index]!.ask({
      ...load,
      connections: load.connections / 2,
      port: service.port,
      serverPid: service.pid,
      request: requestTo(service, surveyIds[index]!),
      measuredMs,
    });
  const both = (services: readonly PreparedService[]) => async (measuredMs: number) => {
    const results = await Promise.all(services.map((service, index) => ask(index, service, measuredMs)));
    return { ...results[0]!, requests: results.reduce((sum, { requests }) => sum + requests, 0) };
  };
  try {
    const what = 'responses a second, two processes on their own surveys : one process';
    const [ours, floor] = [both([first, second]), both([first, first])];
    return await takeTurns(
      {
        figure: { bench: 'scale', engine: 'postgres', what, goal: { atLeast: 1.7 } },
        ours,
        floor,
        by: 'rate',
      },
      effort,
    );
  } finally {
    for (const generator of generators) await generator.stop();
    await second.stop();
    await first.stop();
  }
}
