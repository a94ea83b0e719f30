// The meter: what one request costs, in processor time of all threads of all processes of the service (and, told apart, of the
// database server), against a bare server that takes and gives the same number of bytes. All sides are up at once and are asked in
// turn, a fixed number of requests each time; what follows in the background is waited for and counted. A machine with other work
// makes a request dearer for all sides alike, and by how much the rounds differ says whether a figure can be believed.

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
  readonly floor: MeteredSide;
  readonly sides: readonly MeteredSide[];
  /** Of the database server, where there is one of our own. */
  readonly serverPid: number | null;
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

const roundsMin = 5;
const roundsMax = 25;
/** Beyond this a figure cannot be believed. */
export const spreadMax = 0.05;
const warmUpsMax = 8;
const warmEnough = 0.03;
/** Linux counts in hundredths of a second: of what a turn of the floor uses, one is a fortieth. */
const floorSeconds = 0.4;

export async function meter(metered: Metered, say: (line: string) => void): Promise<readonly MeterFigure[]> {
  const generator = startGenerator();
  const { floor, sides } = metered;
  const all = [floor, ...sides];
  try {
    const floorCount = await floorCountOf(generator, metered);
    const countOf = (side: MeteredSide): number => (side === floor ? floorCount : metered.count);
    for (const side of all) await warmUp(generator, metered, side, countOf(side));
    const rounds: (readonly TurnCost[])[] = [];
    while (rounds.length < roundsMin || (rounds.length < roundsMax && !isSteady(metered, rounds))) {
      // Who goes first changes, so that a machine that grows slower or faster favours nobody.
      const order = rotated(all, rounds.length);
      const turns = new Map<MeteredSide, TurnCost>();
      for (const side of order) turns.set(side, await takeTurn(generator, metered, side, countOf(side)));
      rounds.push(all.map((side) => turns.get(side)!));
    }
    const figures = figuresOf(metered, rounds);
    const worst = Math.max(...figures.map(({ spread }) => spread));
    if (worst > spreadMax)
      say(`  The machine is too busy to tell: ${metered.work} may be off by ${percent(worst)}.`);
    return figures;
  } finally {
    await generator.stop();
  }
}

/** So many requests that a turn of the floor is long enough to be counted: it needs a hundredth of what some works do. */
async function floorCountOf(generator: Generator, metered: Metered): Promise<number> {
  for (let count = metered.count; ; count *= 4) {
    const { untilRest } = await takeTurn(generator, metered, metered.floor, count);
    if (untilRest * count >= floorSeconds / 4) return Math.ceil(floorSeconds / untilRest);
  }
}

/** Until two turns after each other cost the same: then the compiler has done what it will do. */
async function warmUp(
  generator: Generator,
  metered: Metered,
  side: MeteredSide,
  count: number,
): Promise<void> {
  let before = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < warmUpsMax; turn += 1) {
    const { untilRest } = await takeTurn(generator, metered, side, count);
    if (Math.abs(untilRest / before - 1) < warmEnough) return;
    before = untilRest;
  }
}

async function takeTurn(
  generator: Generator,
  { floor, connections, serverPid }: Metered,
  side: MeteredSide,
  count: number,
): Promise<TurnCost> {
  const server = side === floor || serverPid === null ? [] : [serverPid];
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

function isSteady(metered: Metered, rounds: readonly (readonly TurnCost[])[]): boolean {
  return figuresOf(metered, rounds).every(({ spread }) => spread <= spreadMax);
}

function figuresOf(metered: Metered, rounds: readonly (readonly TurnCost[])[]): readonly MeterFigure[] {
  const { work, engine, count, sides } = metered;
  const floors = rounds.map(([floor]) => floor!.untilRest * 1e6);
  return sides.flatMap(({ name: side }, index) =>
    readingsOf(metered).map((reading) =>
      figureOf(
        { work, engine, side, reading },
        rounds.map((turns) => turns[index + 1]![reading] * 1e6),
        floors,
        {
          requests: count * rounds.length,
          bytes: Math.round(median(rounds.map((turns) => turns[index + 1]!.bytes))),
        },
      ),
    ),
  );
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
