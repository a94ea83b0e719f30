// A long log of short responses: its last page against its first, and against the last page of the program that one
// would write otherwise, which has to pass over everything before it.

import type { Bench, Effort } from '../bench.ts';
import { type Arrival, feedbackCatalogue, fillLog, pagePath, pageSize } from '../feedback-data.ts';
import type { EngineName, Figure } from '../figures.ts';
import { type PreparedService, prepareStore, startGenerator, startOn, type Target } from '../processes.ts';
import { takeTurns } from '../turns.ts';
import { shownBy, startUsual, usualPageRequest } from '../usual-program.ts';
import { lastToFirst, pageRequest } from './pages.ts';

export const longLog: Bench = {
  name: 'long-log',
  about: 'pages of a million rows of 300 bytes, of ten million with --full; BENCH_ROWS sets another number',
  engines: ['sqlite', 'postgres'],
  run: (engine, effort) => onLog(longLog.name, engine, effort, 'in order'),
};

export const longLogShuffled: Bench = {
  name: 'long-log-shuffled',
  about: 'the same after a backfill of ten years in no order at all',
  engines: ['sqlite', 'postgres'],
  run: (engine, effort) => onLog(longLogShuffled.name, engine, effort, 'shuffled'),
};

async function onLog(
  bench: string,
  engine: EngineName,
  effort: Effort,
  arrival: Arrival,
): Promise<readonly Figure[]> {
  const rows = Number(process.env.BENCH_ROWS ?? effort.longLog);
  const store = await prepareStore(engine, feedbackCatalogue);
  await fillLog(store.env.DATABASE_URL!, rows, arrival, 'short');
  const service = await startOn(store);
  try {
    const figures = [await lastToFirst(engine, effort, { bench, rows, arrival, size: 'short' }, service)];
    // The other program is not filled in another order: it would pass over as many rows.
    if (arrival === 'in order') figures.push(await againstUsual(engine, effort, rows, service));
    return figures;
  } finally {
    await service.stop();
  }
}

async function againstUsual(
  engine: EngineName,
  effort: Effort,
  rows: number,
  service: PreparedService,
): Promise<Figure> {
  const peer = await startUsual(engine, rows, await shownBy(service, 'short'));
  const generator = startGenerator();
  const ask = (target: Target, request: string) => (measuredMs: number) =>
    generator.ask({
      port: target.port,
      serverPid: target.pid,
      request,
      connections: 1,
      leadInMs: 300,
      measuredMs,
    });
  const last = rows / pageSize - 1;
  const what = `last page of ${rows.toLocaleString('en')} short rows : that of the usual program`;
  const goal = { atLeast: rows >= 10_000_000 ? 1_000 : 200 };
  try {
    return await takeTurns(
      {
        figure: { bench: longLog.name, engine, what, goal },
        ours: ask(service, pageRequest(service, pagePath('short', 'in order', last))),
        floor: ask(peer, usualPageRequest(last)),
        by: 'rate of one',
      },
      effort,
    );
  } finally {
    await generator.stop();
    await peer.stop();
  }
}
