// Two things that take turns, so that whatever else the machine does meets both alike; the figure is the median of
// the rounds' ratios.

import type { Effort } from './bench.ts';
import { type Figure, median } from './figures.ts';
import type { LoadResult } from './load.ts';

export interface Turns {
  readonly figure: Pick<Figure, 'bench' | 'engine' | 'what' | 'goal'>;
  readonly ours: (measuredMs: number) => Promise<LoadResult>;
  readonly floor: (measuredMs: number) => Promise<LoadResult>;
  /** What is divided: requests a second, of many callers or of one who waits; seconds or processor time a request. */
  readonly by: 'rate' | 'rate of one' | 'seconds' | 'processor';
}

const read: Readonly<Record<Turns['by'], (result: LoadResult) => number>> = {
  rate: ({ requests, seconds }) => requests / seconds,
  // Exact however few answers there were: whole waits are summed, not what fits into the time that was measured.
  'rate of one': ({ latencyMs }) => 1000 / latencyMs.mean,
  seconds: ({ latencyMs }) => latencyMs.mean / 1000,
  processor: ({ requests, serverCpuSeconds }) => (serverCpuSeconds ?? Number.NaN) / Math.max(1, requests),
};

const shown: Readonly<Record<Turns['by'], (value: number) => string>> = {
  rate: (value) => `${Math.round(value).toLocaleString('en')}/s`,
  'rate of one': (value) => `${(1000 / value).toFixed(2)} ms`,
  seconds: (value) => `${(value * 1000).toFixed(2)} ms`,
  processor: (value) => `${(value * 1e6).toFixed(1)} us`,
};

export async function takeTurns({ figure, ours, floor, by }: Turns, effort: Effort): Promise<Figure> {
  await floor(effort.warmUpMs);
  await ours(effort.warmUpMs);
  const rounds: { ours: number; floor: number }[] = [];
  for (let number = 0; number < effort.rounds; number += 1) {
    const first = await floor(effort.measuredMs);
    rounds.push({ floor: read[by](first), ours: read[by](await ours(effort.measuredMs)) });
  }
  const ratios = rounds.map((round) => round.ours / round.floor);
  return {
    ...figure,
    ours: shown[by](median(rounds.map((round) => round.ours))),
    floor: shown[by](median(rounds.map((round) => round.floor))),
    value: median(ratios),
    unit: 'times',
    rounds: ratios,
  };
}
