// One exchange, ours against the floor's: the same request bytes to both, the same body back from both, turn by turn
// in one run, so that whatever else the machine does meets both alike. Every round gives a ratio; the figure is
// their median.

import type { Effort } from './bench.ts';
import { type EngineName, type Figure, type Goal, median } from './figures.ts';
import type { LoadResult } from './load.ts';
import { keepOnCore } from './machine.ts';
import { type Generator, startFloor, startGenerator, type Target } from './processes.ts';

export interface Exchange {
  readonly bench: string;
  readonly engine: EngineName;
  readonly what: string;
  readonly goal?: Goal;
  readonly service: Target;
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  /** Another one at each request, instead of that one; a path that is asked over and over flatters whatever remembers. */
  readonly paths?: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** Nine zeros in it are another number in every request. */
  readonly body?: string;
  /** Whether the goal is held by requests a second, or by processor time a request. */
  readonly goalOf?: 'rate' | 'processor';
  /** The floor parses the body, as whoever wants to use it must. */
  readonly floorParses?: boolean;
  /**
   * All threads of the service on one core, and the floor there too when it is its turn; the generator on the other.
   * What a request costs then shows in the rate, however many threads share the work.
   */
  readonly isOnOneCore?: boolean;
}

const connections = 32;
const serverCore = 0;
const generatorCore = 1;
const leadInMs = 300;
// A core that is used more than this has nothing left to give.
const saturated = 0.95;
// Below this share of a core the service was waiting for requests, and its speed was not what was measured.
const busy = 0.85;
const foreignCoresMax = 0.1;

interface Round {
  readonly ours: LoadResult;
  readonly floor: LoadResult;
}

export async function measureExchange(exchange: Exchange, effort: Effort): Promise<readonly Figure[]> {
  const { service } = exchange;
  const floor = await startFloor(await bodyOf(exchange), exchange.floorParses);
  const generator = startGenerator();
  if (exchange.isOnOneCore === true) {
    keepOnCore(service.pid, serverCore);
    keepOnCore(floor.pid, serverCore);
    keepOnCore(generator.pid, generatorCore);
  }
  try {
    const sequence = exchange.paths?.map((path) => requestOf({ ...exchange, path }));
    const rounds = await takeTurns(generator, service, floor, requestOf(exchange), sequence, effort);
    return figuresOf(exchange, rounds);
  } finally {
    await generator.stop();
    await floor.stop();
  }
}

async function takeTurns(
  generator: Generator,
  service: Target,
  floor: Target,
  request: string,
  sequence: readonly string[] | undefined,
  effort: Effort,
): Promise<readonly Round[]> {
  const ask = (target: Target, measuredMs: number): Promise<LoadResult> =>
    generator.ask({
      port: target.port,
      serverPid: target.pid,
      request,
      ...(sequence === undefined ? {} : { sequence, isSpread: true }),
      connections,
      leadInMs,
      measuredMs,
    });
  await ask(floor, effort.warmUpMs);
  await ask(service, effort.warmUpMs);
  const rounds: Round[] = [];
  for (let number = 0; number < effort.rounds; number += 1) {
    // Who goes first changes, so that a machine that grows slower or faster favours neither.
    if (number % 2 === 0) {
      const floorResult = await ask(floor, effort.measuredMs);
      rounds.push({ floor: floorResult, ours: await ask(service, effort.measuredMs) });
    } else {
      const ours = await ask(service, effort.measuredMs);
      rounds.push({ ours, floor: await ask(floor, effort.measuredMs) });
    }
  }
  return rounds;
}

function requestOf({ method, path, headers, body = '' }: Exchange): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const length = method === 'GET' ? [] : [`content-length: ${Buffer.byteLength(body)}`];
  return [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', ...lines, ...length, '', body].join('\r\n');
}

/** What the service answers: the floor gives the same bytes back. */
async function bodyOf({ service, method, path, headers, body: sent }: Exchange): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, {
    method,
    headers,
    ...(sent === undefined ? {} : { body: sent }),
  });
  const body = await answer.text();
  if (answer.status !== 200) throw new Error(`${method} ${path} is answered with ${answer.status}: ${body}`);
  return body;
}

function figuresOf(exchange: Exchange, rounds: readonly Round[]): readonly Figure[] {
  const { bench, engine, what, goalOf = 'rate' } = exchange;
  const goal = exchange.goal === undefined ? {} : { goal: exchange.goal };
  const both = rounds.flatMap(({ ours, floor }) => [ours, floor]);
  const notes = doubtsOf(exchange, rounds);
  const ratios = rounds.map(({ ours, floor }) => rateOf(ours) / rateOf(floor));
  const throughput: Figure = {
    bench,
    engine,
    what: `${what}, requests a second`,
    ours: `${Math.round(median(rounds.map(({ ours }) => rateOf(ours)))).toLocaleString('en')}/s`,
    floor: `${Math.round(median(rounds.map(({ floor }) => rateOf(floor)))).toLocaleString('en')}/s`,
    value: median(ratios),
    unit: 'times',
    rounds: ratios,
    ...(goalOf === 'rate' ? goal : {}),
    notes,
    facts: { connections, rounds },
  };
  if (both.some(({ serverCpuSeconds }) => serverCpuSeconds === null)) return [throughput];
  const cpuRatios = rounds.map(({ ours, floor }) => cpuMicroseconds(floor) / cpuMicroseconds(ours));
  return [
    throughput,
    {
      bench,
      engine,
      what: `${what}, processor time a request`,
      ours: `${median(rounds.map(({ ours }) => cpuMicroseconds(ours))).toFixed(1)} us`,
      floor: `${median(rounds.map(({ floor }) => cpuMicroseconds(floor))).toFixed(1)} us`,
      value: median(cpuRatios),
      unit: 'times',
      rounds: cpuRatios,
      ...(goalOf === 'processor' ? goal : {}),
    },
  ];
}

function rateOf({ requests, seconds }: LoadResult): number {
  return requests / seconds;
}

function cpuMicroseconds({ serverCpuSeconds, requests }: LoadResult): number {
  return ((serverCpuSeconds ?? 0) / requests) * 1e6;
}

/** Whether the generator held anyone back, whether the servers were busy, and whether others used the machine. */
function doubtsOf({ bench, engine }: Exchange, rounds: readonly Round[]): readonly string[] {
  const coresOf = (read: (result: LoadResult) => number | null, side: 'ours' | 'floor'): number | null => {
    const values = rounds.map((round) => {
      const seconds = read(round[side]);
      return seconds === null ? null : seconds / round[side].seconds;
    });
    return values.includes(null) ? null : median(values as number[]);
  };
  const notes: string[] = [];
  for (const side of ['floor', 'ours'] as const) {
    const generator = coresOf((result) => result.generatorCpuSeconds, side) ?? 0;
    const server = coresOf((result) => result.serverCpuSeconds, side);
    const name = side === 'ours' ? 'the service' : 'the floor';
    const uses = server === null ? '' : `${name} used ${percent(server)} of a core, `;
    const verdict =
      generator > saturated
        ? ': the generator SATURATES its core and the figure is not to be trusted.'
        : server !== null && server < busy
          ? `: ${name} was NOT BUSY, so something else held it back.`
          : '.';
    notes.push(`${bench}, ${engine}: ${uses}the generator ${percent(generator)}${verdict}`);
  }
  const foreign = rounds.flatMap(({ ours, floor }) => [ours.foreignCores ?? 0, floor.foreignCores ?? 0]);
  const stolen = rounds.flatMap(({ ours, floor }) => [ours.stolenCores ?? 0, floor.stolenCores ?? 0]);
  if (median(foreign) > foreignCoresMax || Math.max(...foreign) > 3 * foreignCoresMax) {
    notes.push(
      `${bench}, ${engine}: other programs used ${percent(median(foreign))} of a core (at most ${percent(Math.max(...foreign))}); run it again on a quiet machine.`,
    );
  }
  if (median(stolen) > foreignCoresMax)
    notes.push(
      `${bench}, ${engine}: the host of this machine kept back ${percent(median(stolen))} of a core.`,
    );
  return notes;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
