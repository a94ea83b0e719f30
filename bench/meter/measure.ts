// npm run bench by the meter: the works that were asked for, of this tree and of those it is held against, and what they say.

import type { EngineName } from '../../test/support/engines.ts';
import { feedbackCatalogue } from '../feedback-data.ts';
import { startFloor } from '../processes.ts';
import { type Command, commands, meterCommand } from './commands.ts';
import { type Load, loads, meterLoad } from './loads.ts';
import {
  floorName,
  type MeterFigure,
  median,
  meter,
  type OpenedSides,
  percent,
  type Reading,
  spreadMax,
  spreadOf,
} from './meter.ts';
import { prepareStore, type Side, type StoreContent, startSide, type TreeStore } from './sides.ts';
import { meterMemory, meterRest, meterStart } from './still.ts';
import { leaveOut, ownTree, type Tree } from './trees.ts';
import { ask } from './wire.ts';
import type { Work } from './works.ts';
import { feedbackWorks, ingestion } from './works-feedback.ts';
import { insightWorks } from './works-insight.ts';
import { surveyWorks } from './works-survey.ts';
import { measures, scimCreate, token, userWorks } from './works-users.ts';

/** What is measured of a service that nobody asks. */
interface Still {
  readonly name: 'start' | 'rest' | 'memory';
  readonly about: string;
  readonly unit: string;
  readonly content: StoreContent;
  /** Floor : ours is at least this. */
  readonly goal?: number;
}

const still: StoreContent = { catalogue: feedbackCatalogue };
const stills: readonly Still[] = [
  {
    name: 'start',
    about: 'processor time up to the first answer, against an empty Fastify program',
    unit: 'us',
    content: still,
    goal: 0.4,
  },
  { name: 'rest', about: 'processor time of a service that nobody asks', unit: 'us/s', content: still },
  {
    name: 'memory',
    about: 'memory above an empty Fastify program, after 1,000 mixed requests',
    unit: 'MiB',
    content: { catalogue: feedbackCatalogue },
  },
];
const mixedWorks: readonly Work[] = [ingestion, measures, token, scimCreate];

const works: readonly Work[] = [...feedbackWorks, ...insightWorks, ...surveyWorks, ...userWorks];

/** All that can be measured, in an order in which those that share a store stand together. */
export const subjects: readonly (Work | Command | Still | Load)[] = [
  ...works,
  ...commands,
  ...stills,
  ...loads,
];

export interface MeterOrder {
  readonly names: readonly string[];
  readonly engine: EngineName;
  readonly against: readonly Tree[];
  readonly serverPid: number | null;
  readonly say: (line: string) => void;
}

export async function measureByMeter(order: MeterOrder): Promise<readonly MeterFigure[]> {
  const { engine, say } = order;
  const figures: MeterFigure[] = [];
  let stores: readonly TreeStore[] = [];
  let content: StoreContent | null = null;
  try {
    for (const subject of subjects.filter(({ name }) => order.names.includes(name))) {
      if ('engines' in subject && !subject.engines.includes(engine)) {
        say(`${subject.name} is not measured on ${engine}.`);
        continue;
      }
      say(`${subject.name} on ${engine}: ${subject.about} ...`);
      if ('put' in subject) {
        figures.push(...(await meterLoad(subject, order)));
        continue;
      }
      if (content !== subject.content) {
        for (const store of stores) await store.dispose();
        stores = await prepareStores(order, subject.content);
        content = subject.content;
      }
      const measured = await measureSubject(order, subject, stores);
      const worst = Math.max(...measured.map(({ spread }) => spread));
      if (worst > spreadMax)
        say(`  The machine is too busy to tell: ${subject.name} may be off by ${percent(worst)}.`);
      figures.push(...measured);
    }
    return figures;
  } finally {
    for (const store of stores) await store.dispose();
  }
}

function measureSubject(
  order: MeterOrder,
  subject: Work | Command | Still,
  stores: readonly TreeStore[],
): Promise<readonly MeterFigure[]> {
  if ('requests' in subject) return measureWork(order, subject, stores);
  return 'prepare' in subject ? meterCommand(subject, stores, order) : measureStill(order, subject, stores);
}

async function prepareStores(
  { engine, against, say }: MeterOrder,
  content: StoreContent,
): Promise<readonly TreeStore[]> {
  const stores: TreeStore[] = [];
  for (const tree of [ownTree, ...against])
    await prepareStore(tree, engine, content).then(
      (store) => stores.push(store),
      (error: unknown) => leaveOut(tree, error, say),
    );
  return stores;
}

async function measureWork(
  { engine, serverPid, say }: MeterOrder,
  work: Work,
  stores: readonly TreeStore[],
): Promise<readonly MeterFigure[]> {
  const { name, count, connections } = work;
  const able: TreeStore[] = [];
  for (const store of stores)
    await openSides(work, [store]).then(
      async ({ close }) => {
        able.push(store);
        await close();
      },
      (error: unknown) => leaveOut(store.tree, error, say),
    );
  const open = (): Promise<OpenedSides> => openSides(work, able);
  const figures = await meter({ work: name, engine, count, connections, serverPid, open });
  return work.goal === undefined ? figures : withGoal(figures, work.goal[engine]);
}

/** A service of each tree that has just started, and a bare server that answers as the first of them. */
async function openSides(work: Work, stores: readonly TreeStore[]): Promise<OpenedSides> {
  const started: { stop(): Promise<unknown> }[] = [];
  const close = async (): Promise<void> => {
    for (const one of started) await one.stop();
  };
  try {
    const asked: { readonly side: Side; readonly requests: readonly string[]; readonly body: Buffer }[] = [];
    for (const store of stores) {
      const side = await startSide(store);
      started.push(side);
      const requests = await work.requests(side);
      asked.push({ side, requests, body: (await ask(side, requests[0]!)).body });
    }
    const [own] = asked;
    const floor = await startFloor(own!.body, work.isParsed);
    started.push(floor);
    return {
      floor: { name: floorName, pid: floor.pid, port: floor.port, requests: async () => own!.requests },
      sides: asked.map(({ side, requests }) => ({
        ...side,
        requests: async () => (work.isOnce ? work.requests(side) : requests),
      })),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What a goal is for is the service while it answers. */
function withGoal(figures: readonly MeterFigure[], goal: number): readonly MeterFigure[] {
  return figures.map((figure) => (figure.reading === 'service' ? { ...figure, goal } : figure));
}

async function measureStill(
  { engine }: MeterOrder,
  { name, goal }: Still,
  stores: readonly TreeStore[],
): Promise<readonly MeterFigure[]> {
  if (name === 'start') return withGoal(await meterStart(stores, engine), goal!);
  if (name === 'memory')
    return meterMemory(
      stores,
      engine,
      mixedWorks.map((work) => async (side) => ask(side, (await work.requests(side))[0]!)),
    );
  const sides: Side[] = [];
  try {
    for (const store of stores) sides.push(await startSide(store));
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

export function meterTable(figures: readonly MeterFigure[]): string {
  const head = [
    'work',
    'engine',
    'tree',
    'ours',
    'floor',
    'floor : ours',
    'spread',
    'requests',
    'bytes',
    'goal',
  ];
  const rows = figures.map((figure) => {
    const unit = figure.unit ?? stills.find(({ name }) => name === figure.work)?.unit ?? 'us';
    const shown = (value: number): string => `${value.toFixed(1)} ${unit}`;
    return [
      [figure.work, readings[figure.reading]].filter(Boolean).join(', '),
      figure.engine,
      figure.side,
      shown(figure.ours),
      shown(figure.floor),
      figure.ratio.toPrecision(3),
      percent(figure.spread),
      figure.requests.toLocaleString('en'),
      figure.bytes === 0 ? '' : figure.bytes.toLocaleString('en'),
      figure.goal === undefined ? '' : `${figure.goal.toFixed(2)}${isMissed(figure) ? ' MISSED' : ''}`,
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

export function isMissed({ side, ratio, goal }: MeterFigure): boolean {
  return side === ownTree.name && goal !== undefined && ratio < goal;
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
  const middle = median(times);
  const spread = spreadOf(times);
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
