// The most memory that one process of the service takes while it is asked for more than it should give. Each load of the tests is put on a
// process that has just started; what counts is resident memory at its highest, which Linux keeps count of. The process is to be there
// afterwards, and to answer (D-910).

import { readFileSync } from 'node:fs';
import { type Analysts, prepareAnalysts } from '../../test/support/analysts.ts';
import { type Engine, type EngineName, engines } from '../../test/support/engines.ts';
import { exchange } from '../../test/support/exchange.ts';
import { floodOfHostilePosts } from '../../test/support/hostile-posts.ts';
import { untilRolledUp } from '../../test/support/long-log.ts';
import { floodOfMalformed } from '../../test/support/malformed-requests.ts';
import { memoryMaxMiB, peakMemoryMiB, type Watch } from '../../test/support/neighbour.ts';
import { type NoisyAccount, noises, prepareNoise } from '../../test/support/noises.ts';
import { floodOfWrongPasswords } from '../../test/support/password-flood.ts';
import { firstDay, insightMeasure, lastDay } from '../insight-data.ts';
import type { MeterFigure } from './meter.ts';
import { proportionalBytesOf } from './processor-time.ts';
import { ownTree } from './trees.ts';
import { rowsOr } from './works.ts';

/** Takes the name of what is put on a service, and says how it is looked at meanwhile. */
type Watching = (part: string) => Watch;

export interface Load {
  readonly name: string;
  readonly about: string;
  /** One process for each part. */
  put(engine: Engine, watching: Watching): Promise<void>;
}

const malformedCount = 57_000;
const malformedSeed = 2026;
const floodCount = 4_000;
const users = 10_000;
const rows = rowsOr(1_000_000);
const text = (count: number): string => count.toLocaleString('en');

export const loads: readonly Load[] = [
  {
    name: 'load-malformed',
    about: `${text(malformedCount)} malformed requests over six connections`,
    put: async (engine, watching) =>
      void (await floodOfMalformed(engine, malformedCount, malformedSeed, watching(''))),
  },
  {
    name: 'load-sign-ins',
    about: `${text(floodCount)} wrong passwords, eighty at once`,
    put: (engine, watching) => floodOfWrongPasswords(engine, floodCount, watching('')),
  },
  {
    name: 'load-hostile-posts',
    about: `${text(floodCount)} hostile posts to the page of a survey, forty at once`,
    put: (engine, watching) => floodOfHostilePosts(engine, floodCount, watching('')),
  },
  {
    name: 'load-account',
    about: `the worst that an account of ${text(users)} users can do, of each kind`,
    async put(engine, watching) {
      let noisy: NoisyAccount = await prepareNoise(engine, users);
      try {
        for (const { name, make } of noises) {
          noisy = await noisy.startedAnew();
          await watching(name)(noisy.service, () => make(noisy, 1));
        }
      } finally {
        await noisy.close();
      }
    },
  },
  {
    name: 'load-log',
    about: `a log of ${text(rows)} responses, looked through by filters and exported`,
    async put(engine, watching) {
      const log = { responses: rows, commentLength: null, times: 1, withinMs: 10_000 };
      let analysts: Analysts = await prepareAnalysts(engine, log);
      try {
        const all = (): Promise<void> =>
          analysts.ask(12, [...analysts.groups(), ...analysts.views(), ...analysts.letters()]);
        await watching('scans, nothing added up')(analysts.service, async () => {
          await all();
          await untilRolledUp(analysts.store.databaseUrl);
        });
        analysts = await analysts.startedAnew();
        await watching('scans')(analysts.service, all);
        analysts = await analysts.startedAnew();
        await watching('exports')(analysts.service, () => exportAll(analysts));
      } finally {
        await analysts.close();
      }
    },
  },
];

/** The whole log in every format, two files at a time; nothing is kept of them. */
async function exportAll({ service, loudToken }: Analysts): Promise<void> {
  const left = ['ndjson', 'csv', 'parquet'];
  const lane = async (): Promise<void> => {
    for (let format = left.pop(); format !== undefined; format = left.pop()) {
      const query = `from=${firstDay}&to=${lastDay}&format=${format}`;
      const answer = await fetch(`${service.baseUrl}/v1/measures/${insightMeasure}/export?${query}`, {
        headers: { authorization: `Bearer ${loudToken}`, accept: '*/*' },
      });
      if (!answer.ok || answer.body === null)
        throw new Error(`An export as ${format} was answered with ${answer.status}.`);
      for await (const _part of answer.body);
    }
  };
  await Promise.all([lane(), lane()]);
}

interface LoadOrder {
  readonly engine: EngineName;
  readonly say: (line: string) => void;
}

/** Of this tree: what the tests put on a service is made for the tree that they stand in. */
export async function meterLoad(
  { name, put }: Load,
  { engine, say }: LoadOrder,
): Promise<readonly MeterFigure[]> {
  const figures: MeterFigure[] = [];
  const watching: Watching = (part) => async (service, work) => {
    const highest = watchParts(service.pid);
    try {
      await work();
    } finally {
      highest.stop();
    }
    const statuses = await answeredBy(service.baseUrl);
    const peak = peakMemoryMiB(service.pid);
    const proportional = proportionalBytesOf(service.pid) / mebibyte;
    const title = [name, part].filter(Boolean).join(', ');
    say(
      `  ${title}: ${peak.toFixed(0)} MiB at most (of its own ${highest.own.toFixed(0)}, of files ${highest.files.toFixed(0)}), ` +
        `${proportional.toFixed(0)} MiB proportional at the end; answers: ${said(statuses)}`,
    );
    figures.push(figureOfPeak(title, engine, peak, sum(statuses)));
  };
  await put(engines.find((one) => one.name === engine)!, watching);
  return figures;
}

/** The floor is what a process may have, so that one which has more misses its goal of 1. */
function figureOfPeak(work: string, engine: EngineName, peak: number, requests: number): MeterFigure {
  const ratio = memoryMaxMiB / peak;
  return {
    work,
    engine,
    side: ownTree.name,
    reading: 'service',
    unit: 'MiB',
    ours: peak,
    floor: memoryMaxMiB,
    ratio,
    spread: 0,
    rounds: [ratio],
    requests,
    bytes: 0,
    goal: 1,
  };
}

const mebibyte = 2 ** 20;
const lookMs = 100;

/** Of resident memory: what is the process's own, and what is mapped from files, such as the program of Node, which others share. */
function watchParts(pid: number): { own: number; files: number; stop(): void } {
  const highest = { own: 0, files: 0, stop: () => clearInterval(timer) };
  const look = (): void => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const of = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) / 1024;
    highest.own = Math.max(highest.own, of('RssAnon'));
    highest.files = Math.max(highest.files, of('RssFile') + of('RssShmem'));
  };
  const timer = setInterval(look, lookMs);
  look();
  return highest;
}

type Statuses = ReadonlyMap<string, number>;

/** How many answers of each status the process has given, as it counts them itself: so it is there, and answers. */
async function answeredBy(baseUrl: string): Promise<Statuses> {
  const { status, text: metrics } = await exchange(`${baseUrl}/metrics`);
  if (status !== 200) throw new Error(`After the load the service answered with ${status}.`);
  const statuses = new Map<string, number>();
  const line = /^soundings_http_request_duration_seconds_count\{.*status="(\d+)".*\} (\d+)$/gm;
  for (const [, code = '', count] of metrics.matchAll(line))
    statuses.set(code, (statuses.get(code) ?? 0) + Number(count));
  return statuses;
}

function said(statuses: Statuses): string {
  return [...statuses]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([code, count]) => `${code} ${text(count)}`)
    .join(', ');
}

function sum(statuses: Statuses): number {
  return [...statuses.values()].reduce((all, count) => all + count, 0);
}
