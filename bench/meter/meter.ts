// The meter: what one request costs, in processor time of all threads of all processes of the service (and, told apart, of the
// database server), against a bare server that takes and gives the same number of bytes. All sides are up at once and are asked in
// turn, a fixed number of requests each time; what follows in the background is waited for and counted. Two processes of the same
// program differ by a sixth for as long as they live, so each round has new ones. A machine with other work makes a request dearer for
// all sides alike, and by how much the rounds differ says whether a figure can be believed.

import type { EngineName } from '../../test/support/engines.ts';
import { type Generator, startGenerator } from '../processes.ts';
import { comeToRest, processorSecondsOf } from './processor-time.ts';

/** Who is asked, and with what. */
export interface MeteredSide {
  readonly name: string;
  readonly pid: number;
  readonly port: number;
  /** Of a turn: whole requests as they go over the wire, asked in turn; nine zeros are another number every time. */
  requests(): Promise<readonly string[]>;
}

export interface Metered {
  readonly work: string;
  readonly engine: EngineName;
  /** Requests of one turn. */
  readonly count: number;
  readonly connections: number;
  /** Of the database server, where there is one of our own. */
  readonly serverPid: number | null;
  /** Starts everybody anew; the same sides each time. */
  open(): Promise<OpenedSides>;
}

export interface OpenedSides {
  readonly floor: MeteredSide;
  readonly sides: readonly MeteredSide[];
  close(): Promise<void>;
}

/** Of one turn, in seconds of processor time a request. */
interface TurnCost {
  /** While it comes. */
  readonly service: number;
  /** With everything that follows, until the service is at rest. */
  readonly untilRest: number;
  /** The same with the database server. */
  readonly withServer: number;
  readonly bytes: number;
}

export type Reading = 'service' | 'untilRest' | 'withServer';

export interface MeterFigure {
  readonly work: string;
  readonly engine: EngineName;
  readonly side: string;
  readonly reading: Reading;
  /** Instead of the one of its work. */
  readonly unit?: string;
  /** Microseconds a request, of the side and of the floor. */
  readonly ours: number;
  readonly floor: number;
  /** Floor : ours; more is better. */
  readonly ratio: number;
  /** How far the ratio may be off, as a part of it. */
  readonly spread: number;
  readonly rounds: readonly number[];
  readonly requests: number;
  readonly bytes: number;
  /** What the ratio is to be at least. */
  readonly goal?: number;
}

export const floorName = 'floor';
const roundsMin = 5;
const roundsMax = 12;
/** Of each side in a round, once it is warm. */
const turnsARound = 3;
/** Beyond this a figure cannot be believed. */
export const spreadMax = 0.05;
const warmUpsMax = 8;
const warmEnough = 0.03;
/** Linux counts in hundredths of a second: of what a turn of the floor uses, one is a fortieth. */
const floorSeconds = 0.4;

export async function meter(metered: Metered): Promise<readonly MeterFigure[]> {
  const generator = startGenerator();
  try {
    const rounds: Round[] = [];
    while (rounds.length < roundsMin || (rounds.length < roundsMax && !isSteady(metered, rounds)))
      rounds.push(await takeRound(generator, metered, rounds.length));
    return figuresOf(metered, rounds);
  } finally {
    await generator.stop();
  }
}

/** What each side cost, by its name; the floor's is called so. */
type Round = ReadonlyMap<string, TurnCost>;

async function takeRound(generator: Generator, metered: Metered, number: number): Promise<Round> {
  const { floor, sides, close } = await metered.open();
  try {
    // Who goes first changes, so that a machine that grows slower or faster favours nobody.
    const all = rotated([floor, ...sides], number);
    const floorCount = await floorCountOf(generator, metered, floor);
    const turnOf = (side: MeteredSide): Promise<TurnCost> =>
      takeTurn(generator, metered, side, side === floor ? { isFloor: true, count: floorCount } : metered);
    for (const side of all) await warmUp(() => turnOf(side));
    const turns = new Map(all.map(({ name }): [string, TurnCost[]] => [name, []]));
    for (let turn = 0; turn < turnsARound; turn += 1)
      for (const side of all) turns.get(side.name)!.push(await turnOf(side));
    return new Map([...turns].map(([name, costs]) => [name, medianCost(costs)]));
  } finally {
    await close();
  }
}

function medianCost(costs: readonly TurnCost[]): TurnCost {
  const of = (key: keyof TurnCost): number => median(costs.map((cost) => cost[key]));
  return {
    service: of('service'),
    untilRest: of('untilRest'),
    withServer: of('withServer'),
    bytes: of('bytes'),
  };
}

/** So many requests that a turn of the floor is long enough to be counted: it needs a hundredth of what some works do. */
async function floorCountOf(generator: Generator, metered: Metered, floor: MeteredSide): Promise<number> {
  for (let count = metered.count; ; count *= 4) {
    const { untilRest } = await takeTurn(generator, metered, floor, { isFloor: true, count });
    if (untilRest * count >= floorSeconds / 4) return Math.ceil(floorSeconds / untilRest);
  }
}

/** Until two turns after each other cost the same: then the compiler has done what it will do. */
async function warmUp(takeOne: () => Promise<TurnCost>): Promise<void> {
  let before = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < warmUpsMax; turn += 1) {
    const { untilRest } = await takeOne();
    if (Math.abs(untilRest / before - 1) < warmEnough) return;
    before = untilRest;
  }
}

async function takeTurn(
  generator: Generator,
  { connections, serverPid }: Metered,
  side: MeteredSide,
  { isFloor = false, count }: { readonly isFloor?: boolean; readonly count: number },
): Promise<TurnCost> {
  const server = isFloor || serverPid === null ? [] : [serverPid];
  const requests = await side.requests();
  await comeToRest([side.pid, ...server]);
  const seconds = (pids: readonly number[]): number =>
    pids.reduce((sum, pid) => sum + processorSecondsOf(pid), 0);
  const before = { own: seconds([side.pid]), server: seconds(server) };
  const { bytes } = await generator.ask({ port: side.port, requests, connections, count });
  const service = seconds([side.pid]) - before.own;
  await comeToRest([side.pid, ...server]);
  const untilRest = seconds([side.pid]) - before.own;
  return {
    service: service / count,
    untilRest: untilRest / count,
    withServer: (untilRest + seconds(server) - before.server) / count,
    bytes: bytes / count,
  };
}

function readingsOf({ serverPid }: Metered): readonly Reading[] {
  return serverPid === null ? ['service', 'untilRest'] : ['service', 'untilRest', 'withServer'];
}

function isSteady(metered: Metered, rounds: readonly Round[]): boolean {
  return figuresOf(metered, rounds).every(({ spread }) => spread <= spreadMax);
}

function figuresOf(metered: Metered, rounds: readonly Round[]): readonly MeterFigure[] {
  const { work, engine, count } = metered;
  const floors = rounds.map((round) => round.get(floorName)!.untilRest * 1e6);
  // The first round begins with the floor, and the sides in their order.
  const names = [...rounds[0]!.keys()].filter((name) => name !== floorName);
  return names.flatMap((side) => {
    const costs = rounds.map((round) => round.get(side)!);
    return readingsOf(metered).map((reading) =>
      figureOf(
        { work, engine, side, reading },
        costs.map((cost) => cost[reading] * 1e6),
        floors,
        {
          requests: count * turnsARound * rounds.length,
          bytes: Math.round(median(costs.map(({ bytes }) => bytes))),
        },
      ),
    );
  });
}

/** Of the rounds of a side and those of its floor. */
export function figureOf(
  subject: Pick<MeterFigure, 'work' | 'engine' | 'side' | 'reading'>,
  ours: readonly number[],
  floors: readonly number[],
  { requests = ours.length, bytes = 0 } = {},
): MeterFigure {
  const ratios = ours.map((value, round) => floors[round]! / value);
  return {
    ...subject,
    ours: median(ours),
    floor: median(floors),
    ratio: median(ratios),
    spread: spreadOf(ratios),
    rounds: ratios,
    requests,
    bytes,
  };
}

/**
 * How far the median may be from the one of endless rounds, as a part of it: the notch of a box plot (McGill, Tukey and Larsen 1978),
 * which holds in some 95 of 100 cases. More rounds make it smaller, where the middle half of them differs as much as ever.
 */
export function spreadOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))]!;
  return (1.57 * (at(0.75) - at(0.25))) / Math.sqrt(values.length) / median(values);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function rotated<T>(values: readonly T[], by: number): readonly T[] {
  const first = by % values.length;
  return [...values.slice(first), ...values.slice(0, first)];
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
