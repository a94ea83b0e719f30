// npm run bench by the meter: the works that were asked for, of this tree and of those it is held against, and what they say.

import { feedbackCatalogue } from '../feedback-data.ts';
import type { EngineName } from '../figures.ts';
import { startFloor } from '../processes.ts';
import { type MeterFigure, meter, percent, type Reading, spreadMax } from './meter.ts';
import { type Side, startSide } from './sides.ts';
import { meterMemory, meterRest, meterStart } from './still.ts';
import { ownTree, type Tree } from './trees.ts';
import { type Work, works } from './works.ts';

export const stillNames = ['start', 'rest', 'memory'] as const;
type StillName = (typeof stillNames)[number];

export const meteredNames: readonly string[] = [...works.map(({ name }) => name), ...stillNames];

export interface MeterOrder {
  readonly names: readonly string[];
  readonly engine: EngineName;
  readonly against: readonly Tree[];
  readonly serverPid: number | null;
  readonly say: (line: string) => void;
}

export async function measureByMeter(order: MeterOrder): Promise<readonly MeterFigure[]> {
  const figures: MeterFigure[] = [];
  for (const name of order.names) {
    const work = works.find((one) => one.name === name);
    order.say(`${name} on ${order.engine}: ${work?.about ?? aboutStill[name as StillName]} ...`);
    figures.push(
      ...(work === undefined ? await measureStill(order, name as StillName) : await measureWork(order, work)),
    );
  }
  return figures;
}

const aboutStill: Readonly<Record<StillName, string>> = {
  start: 'processor time up to the first answer, against an empty Fastify program',
  rest: 'processor time of a service that nobody asks',
  memory: 'memory above an empty Fastify program, after 1,000 mixed requests',
};

async function measureWork(
  { engine, against, serverPid, say }: MeterOrder,
  work: Work,
): Promise<readonly MeterFigure[]> {
  const sides: Side[] = [];
  try {
    for (const tree of [ownTree, ...against]) {
      const side = await startIfItCan(tree, engine, work, say);
      if (side !== null) sides.push(side);
    }
    const [own] = sides;
    if (own === undefined) throw new Error(`${work.name} could not be begun.`);
    const requests = work.requests(own);
    const floor = await startFloor(await bodyOf(own, requests[0]!), work.isParsed);
    try {
      return await meter(
        {
          ...{ work: work.name, engine, count: work.count, connections: work.connections, serverPid },
          floor: { name: 'floor', pid: floor.pid, port: floor.port, requests },
          sides: sides.map((side) => ({ ...side, requests: work.requests(side) })),
        },
        say,
      );
    } finally {
      await floor.stop();
    }
  } finally {
    for (const side of sides) await side.stop();
  }
}

/** What an older release lacks is left out and said. */
async function startIfItCan(
  tree: Tree,
  engine: EngineName,
  work: Work,
  say: (line: string) => void,
): Promise<Side | null> {
  let side: Side | null = null;
  try {
    side = await startSide(tree, engine, work.catalogue);
    await work.fill?.(side);
    await bodyOf(side, work.requests(side)[0]!);
    return side;
  } catch (error) {
    await side?.stop();
    if (tree === ownTree) throw error;
    say(
      `  ${tree.name} is left out: ${error instanceof Error ? error.message.split('\n', 1)[0] : String(error)}`,
    );
    return null;
  }
}

/** What the service answers to a request as it goes over the wire. */
async function bodyOf({ baseUrl, name }: Side, request: string): Promise<string> {
  const [head = '', body = ''] = request.split('\r\n\r\n');
  const [line = '', ...headerLines] = head.split('\r\n');
  const [method = 'GET', path = '/'] = line.split(' ');
  const headers = Object.fromEntries(
    headerLines
      .map((one) => one.split(': ') as [string, string])
      .filter(([header]) => header !== 'host' && header !== 'content-length'),
  );
  const answer = await fetch(`${baseUrl}${path}`, { method, headers, ...(body === '' ? {} : { body }) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${name}: ${method} ${path} was answered with ${answer.status}: ${text}`);
  return text;
}

async function measureStill(
  { engine, against }: MeterOrder,
  name: StillName,
): Promise<readonly MeterFigure[]> {
  const trees = [ownTree, ...against];
  if (name === 'start') return meterStart(trees, engine, feedbackCatalogue);
  if (name === 'memory')
    return meterMemory(
      trees,
      engine,
      feedbackCatalogue,
      works
        .filter((work) => work.fill === undefined)
        .map((work) => (side: Side) => bodyOf(side, work.requests(side)[0]!)),
    );
  const sides: Side[] = [];
  try {
    for (const tree of trees) sides.push(await startSide(tree, engine, feedbackCatalogue));
    return await meterRest(sides, engine);
  } finally {
    for (const side of sides) await side.stop();
  }
}

// ---- what is said of it

const readings: Readonly<Record<Reading, string>> = {
  service: '',
  untilRest: 'until at rest',
  withServer: 'with the database',
};

const units: Readonly<Record<StillName, string>> = { start: 'us', rest: 'us/s', memory: 'MiB' };

export function meterTable(figures: readonly MeterFigure[]): string {
  const head = ['work', 'engine', 'tree', 'ours', 'floor', 'floor : ours', 'spread', 'requests', 'bytes'];
  const rows = figures.map((figure) => {
    const unit = units[figure.work as StillName] ?? 'us';
    const shown = (value: number): string => `${value.toFixed(1)} ${unit}`;
    return [
      [figure.work, readings[figure.reading]].filter(Boolean).join(', '),
      figure.engine,
      figure.side,
      shown(figure.ours),
      shown(figure.floor),
      figure.ratio.toFixed(3),
      percent(figure.spread),
      figure.requests.toLocaleString('en'),
      figure.bytes === 0 ? '' : figure.bytes.toLocaleString('en'),
    ];
  });
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd();
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

export interface Comparison {
  readonly says: string;
  readonly isDearer: boolean;
}

/** This tree against each other one, in words. What differs by less than the rounds do is the same. */
export function comparisons(figures: readonly MeterFigure[]): readonly Comparison[] {
  return figures
    .filter(({ side }) => side === ownTree.name)
    .flatMap((own) =>
      figures
        .filter(
          (other) =>
            other.side !== own.side &&
            other.work === own.work &&
            other.engine === own.engine &&
            other.reading === own.reading,
        )
        .map((other) => compare(own, other)),
    );
}

function compare(own: MeterFigure, other: MeterFigure): Comparison {
  const what = [`${own.work} on ${own.engine}`, readings[own.reading]].filter(Boolean).join(', ');
  // Round by round: both were asked right after each other.
  const times = own.rounds.map((ratio, round) => other.rounds[round]! / ratio);
  const sorted = times.toSorted((one, next) => one - next);
  const middle = sorted[sorted.length >> 1]!;
  const spread = Math.max(own.spread, other.spread);
  if (spread > spreadMax * 2)
    return { says: `${what}: too busy to tell (${percent(spread)})`, isDearer: false };
  if (Math.abs(middle - 1) <= Math.max(spread, 0.02))
    return {
      says: `${what}: as ${other.side} (${middle.toFixed(2)} times, spread ${percent(spread)})`,
      isDearer: false,
    };
  const isDearer = middle > 1;
  return {
    says: `${what}: ${isDearer ? 'dearer' : 'cheaper'} than ${other.side}, ${middle.toFixed(2)} times (spread ${percent(spread)})`,
    isDearer,
  };
}
