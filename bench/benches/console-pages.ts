// Pages of the console over a long log: what their figures cost against a log of 5,000 responses, how long people wait for the
// overview, and what ten of them who click cost ingestion.

import type { Browser } from 'playwright-core';
import { buildForBrowsers } from '../../test/support/browser-build.ts';
import { grantAside, sessionAside } from '../../test/support/console.ts';
import { addUsers } from '../../test/support/user-population.ts';
import type { Bench, Effort } from '../bench.ts';
import { type EngineName, type Figure, median } from '../figures.ts';
import {
  fillInsight,
  firstDay,
  insightBenchCatalogue,
  insightMeasure,
  insightProject,
  lastDay,
} from '../insight-data.ts';
import { ingestOrder, readOrder } from '../insight-load.ts';
import { untilRolledUp } from '../insight-store.ts';
import { paintMs, startBrowser } from '../paint.ts';
import {
  accountId,
  type Generator,
  type PreparedService,
  type PreparedStore,
  prepareStore,
  startGenerator,
  startOn,
  withService,
} from '../processes.ts';
import { takeTurns } from '../turns.ts';

const fewRows = 5_000;
const year = `from=${firstDay}&to=${lastDay}`;

/** Each with its first figures. */
const pages: Readonly<Record<string, string>> = {
  overview: `/console?${year}`,
  'page of a measure': `/console/measures/${insightMeasure}?${year}`,
  'page of a project': `/console/projects/${insightProject}?${year}`,
};
// Ten people who open another page every two seconds.
const clicksASecond = 5;
const viewsARound = 3;

export const consolePages: Bench = {
  name: 'console-pages',
  about:
    'pages of the console over a long log against 5,000 responses, their first paint, and ingestion beside ten analysts',
  engines: ['sqlite', 'postgres'],
  async run(engine, effort) {
    buildForBrowsers();
    const rows = Number(process.env.BENCH_ROWS ?? effort.insightLog);
    const [largeStore, small] = [await preparePages(engine, rows), await preparePages(engine, fewRows)];
    const generator = startGenerator();
    const kept = { ...largeStore, store: { ...largeStore.store, dispose: async () => {} } };
    const figures: Figure[] = [];
    try {
      const services = [await startOn(kept.store), await startOn(small.store)] as const;
      try {
        await untilRolledUp(kept.store.env.DATABASE_URL!);
        await untilRolledUp(small.store.env.DATABASE_URL!);
        const askers = [
          asker(generator, services[0], kept.cookie),
          asker(generator, services[1], small.cookie),
        ] as const;
        for (const [name, path] of Object.entries(pages)) {
          const what = `${name}, ${rows.toLocaleString('en')} responses : ${fewRows.toLocaleString('en')}`;
          const figure = { bench: 'console-pages', engine, what, goal: { atMost: 1.5 } };
          const [ours, floor] = askers.map((ask) => ask([path])) as [Ask, Ask];
          figures.push(await takeTurns({ figure, ours, floor, by: 'seconds' }, quarterOf(effort)));
        }
        if (engine === 'sqlite') figures.push(...(await paints(engine, effort, services[0], kept.cookie)));
      } finally {
        for (const service of services) await service.stop();
      }
      figures.push(await besideAnalysts(engine, effort, generator, kept));
    } finally {
      await generator.stop();
      await largeStore.store.dispose();
    }
    return figures;
  },
};

interface PreparedPages {
  readonly store: PreparedStore;
  /** Of an analyst. */
  readonly cookie: string;
}

async function preparePages(engine: EngineName, rows: number): Promise<PreparedPages> {
  const store = await prepareStore(engine, insightBenchCatalogue);
  const databaseUrl = store.env.DATABASE_URL!;
  await fillInsight(databaseUrl, rows);
  const [personId = 0] = await addUsers(databaseUrl, accountId, [{ userName: 'analyst', active: true }]);
  await grantAside(databaseUrl, accountId, { user: personId }, 'analyst');
  return { store, cookie: await sessionAside(databaseUrl, { accountId, personId }) };
}

type Ask = (measuredMs: number) => ReturnType<Generator['ask']>;

function asker(
  generator: Generator,
  service: PreparedService,
  cookie: string,
): (paths: readonly string[], requestsASecond?: number) => Ask {
  const requestOf = (path: string): string =>
    `GET ${path} HTTP/1.1\r\nhost: localhost:${service.port}\r\ncookie: ${cookie}\r\naccept: text/html\r\n\r\n`;
  return (paths, requestsASecond) => (measuredMs) =>
    generator.ask({
      ...readOrder(service, paths, measuredMs, requestOf),
      ...(requestsASecond === undefined ? {} : { requestsASecond }),
    });
}

function quarterOf(effort: Effort): Effort {
  const { warmUpMs, measuredMs } = effort;
  return { ...effort, warmUpMs: Math.ceil(warmUpMs / 4), measuredMs: Math.ceil(measuredMs / 4) };
}

/** The overview against a page of one paragraph of the same server, on this processor and on one that is four times slower. */
async function paints(
  engine: EngineName,
  { rounds }: Effort,
  service: PreparedService,
  cookie: string,
): Promise<readonly Figure[]> {
  const browser = await startBrowser();
  try {
    const figures: Figure[] = [];
    for (const [slowedTimes, atMost] of [
      [1, 3],
      [4, 4],
    ] as const) {
      const seen: { overview: number; paragraph: number }[] = [];
      // A view on a slow processor takes seconds.
      for (let round = -1; round < Math.ceil(rounds / 2); round += 1) {
        const overview = await medianPaintMs(browser, service, `/console?${year}`, { slowedTimes, cookie });
        const paragraph = await medianPaintMs(browser, service, '/s/nobody-knows-this-name', { slowedTimes });
        // The first ones fill the caches of the server.
        if (round >= 0) seen.push({ overview, paragraph });
      }
      const ratios = seen.map(({ overview, paragraph }) => overview / paragraph);
      figures.push({
        bench: 'console-pages',
        engine,
        what: `largest paint of the overview : of a page of one paragraph${slowedTimes === 1 ? '' : `, processor slowed ${slowedTimes} times`}`,
        ours: `${median(seen.map(({ overview }) => overview)).toFixed(0)} ms`,
        floor: `${median(seen.map(({ paragraph }) => paragraph)).toFixed(0)} ms`,
        value: median(ratios),
        unit: 'times',
        rounds: ratios,
        goal: { atMost },
        notes: ['Each view in a profile of its own, which has no file of the console yet.'],
      });
    }
    return figures;
  } finally {
    await browser.close();
  }
}

async function medianPaintMs(
  browser: Browser,
  { port }: PreparedService,
  path: string,
  viewing: { readonly slowedTimes: number; readonly cookie?: string },
): Promise<number> {
  const seen: number[] = [];
  for (let view = 0; view < viewsARound; view += 1)
    seen.push(await paintMs(browser, `http://localhost:${port}${path}`, { ...viewing, width: 1440 }));
  return median(seen);
}

/** How long ingestion takes at half of the full rate, with analysts beside it and without. */
async function besideAnalysts(
  engine: EngineName,
  effort: Effort,
  generator: Generator,
  { store, cookie }: PreparedPages,
): Promise<Figure> {
  const clicking = startGenerator();
  const measuredMs = effort.measuredMs * 2;
  try {
    return await withService(store, async (service) => {
      await untilRolledUp(store.env.DATABASE_URL!);
      const full = await generator.ask(ingestOrder(service, effort.warmUpMs));
      const half = full.requests / full.seconds / 2;
      const ingest = async (): Promise<number> =>
        (await generator.ask(ingestOrder(service, measuredMs, half))).latencyMs.p99;
      const click = asker(clicking, service, cookie)(Object.values(pages), clicksASecond);
      const rounds: { alone: number; beside: number }[] = [];
      for (let round = 0; round < effort.rounds; round += 1) {
        const alone = await ingest();
        const [beside] = await Promise.all([ingest(), click(measuredMs)]);
        rounds.push({ alone, beside });
      }
      const ratios = rounds.map(({ alone, beside }) => beside / alone);
      return {
        bench: 'console-pages',
        engine,
        what: `p99 of ingestion at half rate (${Math.round(half).toLocaleString('en')}/s) with ten analysts who click : without`,
        ours: `${median(rounds.map(({ beside }) => beside)).toFixed(2)} ms`,
        floor: `${median(rounds.map(({ alone }) => alone)).toFixed(2)} ms`,
        value: median(ratios),
        unit: 'times',
        rounds: ratios,
        goal: { atMost: 1.2 },
        notes: [`${clicksASecond} pages a second, each with its first figures.`],
      };
    });
  } finally {
    await clicking.stop();
  }
}
