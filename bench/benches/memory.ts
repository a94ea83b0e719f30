// Resident memory of an idle service, over that of an idle bare server. Both have answered one request: nobody runs
// a server that never answers.

import type { Bench, Effort } from '../bench.ts';
import { type EngineName, type Figure, median } from '../figures.ts';
import { residentBytesOf } from '../machine.ts';
import { startFloor, startPreparedService, type Target } from '../processes.ts';

const mebibyte = 2 ** 20;
const lookEveryMs = 500;
// It has settled when so many looks in a row differ by no more than this, or when patience ends.
const looksAlike = 8;
const settledBytes = mebibyte / 2;
const patienceMs = 20_000;

export const memory: Bench = {
  name: 'memory',
  about: 'resident memory of the idle service, over an idle bare server',
  engines: ['sqlite', 'postgres'],
  run,
};

async function run(engine: EngineName, { rounds }: Effort): Promise<readonly Figure[]> {
  const taken: { readonly ours: number; readonly floor: number }[] = [];
  for (let number = 0; number < Math.min(rounds, 3); number += 1) {
    const floor = await startFloor('{}');
    const service = await startPreparedService(engine);
    try {
      await fetch(`http://127.0.0.1:${floor.port}/`);
      const [floorBytes, ourBytes] = await Promise.all([settled(floor), settled(service)]);
      taken.push({ floor: floorBytes / mebibyte, ours: ourBytes / mebibyte });
    } finally {
      await service.stop();
      await floor.stop();
    }
  }
  const differences = taken.map(({ ours, floor }) => ours - floor);
  return [
    {
      bench: 'memory',
      engine,
      what: 'idle memory over bare',
      ours: `${median(taken.map(({ ours }) => ours)).toFixed(1)} MiB`,
      floor: `${median(taken.map(({ floor }) => floor)).toFixed(1)} MiB`,
      value: median(differences),
      unit: 'MiB',
      rounds: differences,
      goal: { atMost: 80 },
      facts: { rounds: taken },
    },
  ];
}

async function settled({ pid }: Target): Promise<number> {
  const deadlineMs = performance.now() + patienceMs;
  const looks: number[] = [];
  for (;;) {
    looks.push(residentBytesOf(pid));
    const last = looks.slice(-looksAlike);
    const isSettled = last.length === looksAlike && Math.max(...last) - Math.min(...last) <= settledBytes;
    if (isSettled || performance.now() > deadlineMs) return median(last);
    await new Promise((resume) => setTimeout(resume, lookEveryMs));
  }
}
