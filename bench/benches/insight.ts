// Figures over a year of a long log against those of 5,000 responses, the roll-up against ingestion, a filtered scan against plain
// JSON.parse, and the usual ways to the same figures: all pages fetched and summed by a client, and a select over the bodies.

import type { Bench, Effort } from '../bench.ts';
import { type EngineName, type Figure, type Goal, median } from '../figures.ts';
import {
  daysOfYear,
  fillInsight,
  firstDay,
  insightBenchCatalogue,
  insightBody,
  insightMeasure,
  insightProject,
  lastDay,
  rareWord,
} from '../insight-data.ts';
import { ingestOrder, readLeadInMs, readOrder } from '../insight-load.ts';
import { selectByDay } from '../insight-select.ts';
import { rollUpOf, sizesOf, untilRolledUp } from '../insight-store.ts';
import type { LoadResult } from '../load.ts';
import { cpuSecondsOf, keepOnCore } from '../machine.ts';
import {
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
const measurePath = `/v1/measures/${insightMeasure}`;
const projectPath = `/v1/projects/${insightProject}`;
const trendPath = `${measurePath}/trend?${year}`;

/** Every endpoint without a filter, breakdown aside; responses that both stores have. */
const endpoints: Readonly<Record<string, string>> = {
  'trend by day': trendPath,
  'trend by week, compared': `${measurePath}/trend?${year}&unit=week&compare=previous`,
  distribution: `${measurePath}/distribution?${year}`,
  drivers: `${measurePath}/drivers?${year}`,
  'newest comments': `${measurePath}/comments?${year}`,
  'comments with a rare word': `${measurePath}/comments?${year}&q=${rareWord}`,
  response: `${measurePath}/responses/measure-000002000`,
  trace: `${measurePath}/responses/measure-000002000/trace`,
  cost: `${measurePath}/cost?${year}`,
  'trend of ratings': `${projectPath}/trend?${year}`,
  'distribution of a project': `${projectPath}/distribution?${year}`,
  topics: `${projectPath}/topics?${year}`,
  'newest comments of a project': `${projectPath}/comments?${year}`,
  'entry of a project': `${projectPath}/responses/project-000000500`,
  'cost of a project': `${projectPath}/cost?${year}`,
};

export const insight: Bench = {
  name: 'insight',
  about:
    'figures of a long log against those of 5,000 responses, the roll-up, scans, and the usual ways to the same figures',
  engines: ['sqlite', 'postgres'],
  async run(engine, effort) {
    const rows = Number(process.env.BENCH_ROWS ?? effort.insightLog);
    const run = new InsightRun(engine, effort, rows);
    return run.measure();
  },
};

class InsightRun {
  readonly #engine: EngineName;
  readonly #effort: Effort;
  readonly #rows: number;

  constructor(engine: EngineName, effort: Effort, rows: number) {
    this.#engine = engine;
    this.#effort = effort;
    this.#rows = rows;
  }

  async measure(): Promise<readonly Figure[]> {
    const largeStore = await prepareStore(this.#engine, insightBenchCatalogue);
    const smallStore = await prepareStore(this.#engine, insightBenchCatalogue);
    await fillInsight(largeStore.env.DATABASE_URL!, this.#rows);
    await fillInsight(smallStore.env.DATABASE_URL!, fewRows);
    const figures: Figure[] = [];
    const generator = startGenerator();
    const kept = { ...largeStore, dispose: async () => {} };
    try {
      const rollUp = await rollUpRate(kept);
      figures.push(...(await this.#sizes(kept)));
      const [large, small] = [await startOn(kept), await startOn(smallStore)];
      try {
        await untilRolledUp(smallStore.env.DATABASE_URL!);
        figures.push(...(await this.#endpoints(generator, large, small)));
        figures.push(await this.#scan(large));
        figures.push(...(await this.#usualWays(largeStore, large)));
        figures.push(await this.#underLoad(generator, large, small));
      } finally {
        await large.stop();
        await small.stop();
      }
      figures.push(await this.#rollUpToIngestion(generator, rollUp));
      figures.push(...(await this.#ingestion(generator, kept)));
    } finally {
      await generator.stop();
      await largeStore.dispose();
    }
    return figures;
  }

  #figure(what: string, goal: Goal | null, rest: Omit<Figure, 'bench' | 'engine' | 'what' | 'goal'>): Figure {
    return { bench: 'insight', engine: this.#engine, what, ...(goal === null ? {} : { goal }), ...rest };
  }

  /** What one caller waits for each answer, on both stores in turn. */
  async #endpoints(
    generator: Generator,
    large: PreparedService,
    small: PreparedService,
  ): Promise<readonly Figure[]> {
    const effort = {
      ...this.#effort,
      warmUpMs: Math.ceil(this.#effort.warmUpMs / 4),
      measuredMs: Math.ceil(this.#effort.measuredMs / 4),
    };
    const figures: Figure[] = [];
    for (const [name, path] of Object.entries(endpoints)) {
      const ask = (service: PreparedService) => (measuredMs: number) =>
        generator.ask(readOrder(service, [path], measuredMs));
      process.stdout.write(`  ${name} ...\n`);
      const what = `${name}, ${this.#rows.toLocaleString('en')} responses : ${fewRows.toLocaleString('en')}`;
      const figure = { bench: 'insight', engine: this.#engine, what, goal: { atMost: 1.5 } };
      figures.push(await takeTurns({ figure, ours: ask(large), floor: ask(small), by: 'seconds' }, effort));
    }
    return figures;
  }

  /** All of them one after the other, while another measure takes responses at half of the full rate. */
  async #underLoad(generator: Generator, large: PreparedService, small: PreparedService): Promise<Figure> {
    const loading = startGenerator();
    try {
      const full = await loading.ask(ingestOrder(large, this.#effort.measuredMs));
      const half = full.requests / full.seconds / 2;
      const ask =
        (service: PreparedService) =>
        async (measuredMs: number): Promise<LoadResult> => {
          const load = loading.ask(ingestOrder(service, measuredMs + readLeadInMs, half));
          const result = await generator.ask(readOrder(service, Object.values(endpoints), measuredMs));
          await load;
          return result;
        };
      const what = `all of these in turn beside ${Math.round(half).toLocaleString('en')} responses a second, ${this.#rows.toLocaleString('en')} responses : ${fewRows.toLocaleString('en')}`;
      const figure = { bench: 'insight', engine: this.#engine, what, goal: { atMost: 1.5 } };
      return await takeTurns({ figure, ours: ask(large), floor: ask(small), by: 'seconds' }, this.#effort);
    } finally {
      await loading.stop();
    }
  }

  async #sizes(store: PreparedStore): Promise<readonly Figure[]> {
    const sizes = await sizesOf(store.env.DATABASE_URL!);
    const figure = (what: string, ours: number, floor: number, atMost: number | null): Figure =>
      this.#figure(what, atMost === null ? null : { atMost }, {
        ours: megabytes(ours),
        floor: megabytes(floor),
        value: ours / floor,
        unit: 'times',
        rounds: [ours / floor],
      });
    return [
      figure('size of the roll-up : bodies', sizes.rollUp, sizes.bodies, 0.1),
      figure('size of the index of comments : their text', sizes.commentIndex, sizes.commentText, 4),
      figure(
        'size of comments with their index : bodies',
        sizes.comments + sizes.commentIndex,
        sizes.bodies,
        null,
      ),
    ];
  }

  /** Rows a second of a filtered breakdown, over some days that are scanned to their end, against JSON.parse of as many bodies. */
  async #scan(service: PreparedService): Promise<Figure> {
    const days = Math.max(1, Math.min(daysOfYear, Math.floor((scannedRows / this.#rows) * daysOfYear)));
    const from = new Date(Date.parse(lastDay) - (days - 1) * 86_400_000).toISOString().slice(0, 10);
    // Another filter each time: groups that were asked for last are remembered (D-632).
    const pathOf = (round: number): string =>
      `${measurePath}/breakdown?by=device&filter=${encodeURIComponent(`gt,latent:L-SATISFACTION,${40 + round}`)}&from=${from}&to=${lastDay}&within=10000`;
    const bodies = Array.from({ length: 5_000 }, (_, number) =>
      JSON.stringify(insightBody('measure', number, this.#rows)),
    );
    const rounds: { ours: number; floor: number }[] = [];
    for (let round = -2; round < this.#effort.rounds; round += 1) {
      const startedAtMs = performance.now();
      const answer = await read(service, pathOf(round));
      const seconds = (performance.now() - startedAtMs) / 1000;
      if (answer.complete !== true) throw new Error('The scan did not come to its end; ask for fewer days.');
      const ours = rowsWithin(this.#rows, days) / seconds;
      const parsedAtMs = performance.now();
      for (let time = 0; time < 4; time += 1) for (const body of bodies) JSON.parse(body);
      const floor = (4 * bodies.length) / ((performance.now() - parsedAtMs) / 1000);
      // The first ones are there to warm up both.
      if (round >= 0) rounds.push({ ours, floor });
    }
    const ratios = rounds.map(({ ours, floor }) => ours / floor);
    return this.#figure(
      `filtered breakdown of ${Math.round(rowsWithin(this.#rows, days)).toLocaleString('en')} rows, rows a second : JSON.parse of their bodies`,
      { atLeast: 3 },
      {
        ours: aSecond(median(rounds.map(({ ours }) => ours))),
        floor: aSecond(median(rounds.map(({ floor }) => floor))),
        value: median(ratios),
        unit: 'times',
        rounds: ratios,
      },
    );
  }

  /** How long one gets to the same figures without them. */
  async #usualWays(store: PreparedStore, service: PreparedService): Promise<readonly Figure[]> {
    const trend = await secondsOf(9, () => read(service, trendPath));
    const pages = Math.ceil(this.#rows / pageRows);
    const looked = Math.min(pages, walkedPages);
    const walk = await secondsOf(1, () => walkPages(service, looked));
    const walkAll = (walk / looked) * pages;
    const select = await secondsOf(1, () => selectByDay(store.env.DATABASE_URL!, insightMeasure));
    const figure = (what: string, seconds: number, atLeast: number, notes: readonly string[]): Figure =>
      this.#figure(
        what,
        { atLeast },
        {
          ours: `${(trend * 1000).toFixed(2)} ms`,
          floor: `${seconds.toFixed(1)} s`,
          value: seconds / trend,
          unit: 'times',
          rounds: [seconds / trend],
          notes,
        },
      );
    const size = `${this.#rows.toLocaleString('en')} responses`;
    return [
      figure(`all pages of ${size} fetched and summed by a client : trend`, walkAll, 1_000, [
        looked === pages
          ? 'Every page was fetched.'
          : `${looked.toLocaleString('en')} pages were fetched, and the time of ${pages.toLocaleString('en')} is worked out from it.`,
      ]),
      figure(`select over the bodies of ${size}, one latent by day : trend`, select, 100, []),
    ];
  }

  async #rollUpToIngestion(generator: Generator, rollUp: Rate): Promise<Figure> {
    const store = await prepareStore(this.#engine, insightBenchCatalogue);
    const service = await startOn({ ...store, env: { ...store.env, ...withoutRollUp } });
    keepOnCore(service.pid, 0);
    try {
      await generator.ask(ingestOrder(service, this.#effort.warmUpMs));
      const rounds: number[] = [];
      for (let round = 0; round < this.#effort.rounds; round += 1) {
        const { requests, seconds, serverCpuSeconds } = await generator.ask(
          ingestOrder(service, this.#effort.measuredMs),
        );
        rounds.push(requests / (serverCpuSeconds ?? seconds));
      }
      const ratios = rounds.map((rate) => rollUp.rowsASecond / rate);
      return this.#figure(
        'roll-up, responses a second of one core : ingestion',
        { atLeast: 5 },
        {
          ours: aSecond(rollUp.rowsASecond),
          floor: aSecond(median(rounds)),
          value: median(ratios),
          unit: 'times',
          rounds: ratios,
          notes: [
            `The roll-up of ${Math.round(rollUp.rows).toLocaleString('en')} rows took ${rollUp.seconds.toFixed(1)} s, and ${rollUp.cpuSeconds.toFixed(1)} s of processor time. Ingestion is measured without a roll-up beside it.`,
          ],
        },
      );
    } finally {
      await service.stop();
    }
  }

  /**
   * How long ingestion takes at half of the full rate into the long measure's account, with roll-up and readers beside it and without
   * either; and how far the roll-up is behind meanwhile.
   */
  async #ingestion(generator: Generator, store: PreparedStore): Promise<readonly Figure[]> {
    const plainStore = { ...store, env: { ...store.env, ...withoutRollUp } };
    const databaseUrl = store.env.DATABASE_URL!;
    const measuredMs = this.#effort.measuredMs * 2;
    const reader = startGenerator();
    try {
      const full = await withService(plainStore, (plain) =>
        generator.ask(ingestOrder(plain, this.#effort.warmUpMs, undefined, 'measure')),
      );
      const half = full.requests / full.seconds / 2;
      const rounds: { plain: number; ours: number; lag: number }[] = [];
      for (let round = 0; round < this.#effort.rounds; round += 1) {
        const alone = await withService(plainStore, (plain) =>
          generator.ask(ingestOrder(plain, measuredMs, half, 'measure')),
        );
        const beside = await withService(store, async (service) => {
          // What was taken in without the roll-up is not what is measured.
          await untilRolledUp(databaseUrl);
          const watch = watchLag(databaseUrl);
          const [result] = await Promise.all([
            generator.ask(ingestOrder(service, measuredMs, half, 'measure')),
            reader.ask({
              ...readOrder(service, Object.values(endpoints), measuredMs),
              requestsASecond: readsASecond,
            }),
          ]);
          return { result, lag: await watch.end() };
        });
        rounds.push({ plain: alone.latencyMs.p99, ours: beside.result.latencyMs.p99, lag: beside.lag });
      }
      const ratios = rounds.map(({ plain: one, ours }) => ours / one);
      const lags = rounds.map(({ lag }) => lag);
      const beside = `${readsASecond} figures a second`;
      return [
        this.#figure(
          `p99 of ingestion at half rate (${Math.round(half).toLocaleString('en')}/s) with roll-up and ${beside} : without`,
          { atMost: 1.2 },
          {
            ours: `${median(rounds.map(({ ours }) => ours)).toFixed(2)} ms`,
            floor: `${median(rounds.map(({ plain: one }) => one)).toFixed(2)} ms`,
            value: median(ratios),
            unit: 'times',
            rounds: ratios,
          },
        ),
        this.#figure(
          'most that the roll-up was behind meanwhile',
          { atMost: 2 },
          {
            ours: `${Math.max(...lags).toFixed(1)} s`,
            floor: '',
            value: Math.max(...lags),
            unit: 's',
            rounds: lags,
          },
        ),
      ];
    } finally {
      await reader.stop();
    }
  }
}

const withoutRollUp = {
  NODE_OPTIONS: `--import ${new URL('../without-roll-up.ts', import.meta.url).href}`,
};
const scannedRows = 100_000;
const pageRows = 100;
const walkedPages = 1_000;
const readsASecond = 20;

interface Rate {
  readonly rows: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Of one core. */
  readonly rowsASecond: number;
}

/** A service that finds a log which nobody has rolled up yet, all of its threads on one core. */
async function rollUpRate(store: PreparedStore): Promise<Rate> {
  const service = await startOn(store);
  keepOnCore(service.pid, 0);
  try {
    const before = await rollUpOf(store.env.DATABASE_URL!);
    const beforeCpu = cpuSecondsOf(service.pid);
    const startedAtMs = performance.now();
    const after = await untilRolledUp(store.env.DATABASE_URL!);
    const seconds = (performance.now() - startedAtMs) / 1000;
    const afterCpu = cpuSecondsOf(service.pid);
    const rows = after.rolledSeq - before.rolledSeq;
    const cpuSeconds = beforeCpu === null || afterCpu === null ? seconds : afterCpu - beforeCpu;
    return { rows, seconds, cpuSeconds, rowsASecond: rows / Math.max(0.01, cpuSeconds) };
  } finally {
    await service.stop();
  }
}

/** Looks at the store again and again: since when there has been a response that the roll-up does not have. */
function watchLag(databaseUrl: string): { end(): Promise<number> } {
  const seen: { atMs: number; lastSeq: number }[] = [];
  let most = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const { lastSeq, rolledSeq } = await rollUpOf(databaseUrl);
      const atMs = performance.now();
      seen.push({ atMs, lastSeq });
      const covered = seen.findLast((one) => one.lastSeq <= rolledSeq);
      if (covered !== undefined) most = Math.max(most, (atMs - covered.atMs) / 1000);
      await new Promise((resume) => setTimeout(resume, 100));
    }
  })();
  return {
    async end() {
      isOver = true;
      await watching;
      return most;
    },
  };
}

async function read({ baseUrl, token }: PreparedService, path: string): Promise<Record<string, unknown>> {
  const answer = await fetch(baseUrl + path, {
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path} is answered ${answer.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text) as Record<string, unknown>;
}

/** Mean of the scores of each day, from the respondents of so many pages. */
async function walkPages(service: PreparedService, pages: number): Promise<void> {
  const sums = new Map<string, { count: number; sum: number }>();
  for (let page = 0; page < pages; page += 1) {
    const { items } = await read(service, `${measurePath}/data?${year}&limit=${pageRows}&offset=${page}`);
    for (const { experienceDate, latentScores } of items as Respondent[])
      for (const { id, score } of latentScores) {
        const key = `${experienceDate} ${id}`;
        const { count, sum } = sums.get(key) ?? { count: 0, sum: 0 };
        sums.set(key, { count: count + 1, sum: sum + score });
      }
  }
  if (sums.size === 0) throw new Error('The pages have no scores.');
}

interface Respondent {
  readonly experienceDate: string;
  readonly latentScores: readonly { readonly id: string; readonly score: number }[];
}

/** The median of some times, the first of which is not counted where there are several. */
async function secondsOf(times: number, work: () => Promise<unknown>): Promise<number> {
  const seconds: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const startedAtMs = performance.now();
    await work();
    seconds.push((performance.now() - startedAtMs) / 1000);
  }
  return median(times > 1 ? seconds.slice(1) : seconds);
}

function rowsWithin(rows: number, days: number): number {
  return (rows * days) / daysOfYear;
}

function aSecond(rate: number): string {
  return `${Math.round(rate).toLocaleString('en')}/s`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
