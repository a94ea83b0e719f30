// Up to the first answer, on a store that exists, as after a deployment: the package against the clone, by processor time.

import { fileURLToPath } from 'node:url';
import { bundleProgram } from '../../scripts/bundle-program.ts';
import type { Bench, Effort } from '../bench.ts';
import { type EngineName, type Figure, median } from '../figures.ts';
import { prepareStore, startAndAsk } from '../processes.ts';

const words = ['serve', '--port', '0', '--json'];
const clone = [process.execPath, fileURLToPath(new URL('../../src/main.ts', import.meta.url)), ...words];
/** Where npm pack has it made. */
const bundle = fileURLToPath(new URL('../../dist/program/', import.meta.url));
const packaged = [process.execPath, `${bundle}main.mjs`, ...words];

export const startOfPackage: Bench = {
  name: 'start-package',
  about: 'processor time up to the first answer, of the package against the clone',
  engines: ['sqlite'],
  run,
};

async function run(engine: EngineName, { starts }: Effort): Promise<readonly Figure[]> {
  const store = await prepareStore(engine);
  try {
    await bundleProgram(bundle);
    const rounds: { readonly ours: number; readonly floor: number }[] = [];
    for (let number = 0; number < starts; number += 1)
      rounds.push({ floor: await startOnce(clone, store.env), ours: await startOnce(packaged, store.env) });
    const ratios = rounds.map(({ ours, floor }) => ours / floor);
    return [
      {
        bench: 'start-package',
        engine,
        what: 'start from the package : from the clone',
        ours: `${Math.round(median(rounds.map(({ ours }) => ours)))} ms`,
        floor: `${Math.round(median(rounds.map(({ floor }) => floor)))} ms`,
        value: median(ratios),
        unit: 'times',
        rounds: ratios,
        goal: { atMost: 0.6 },
      },
    ];
  } finally {
    await store.dispose();
  }
}

/** Milliseconds of processor time. */
async function startOnce(program: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const started = await startAndAsk(program, env, '/livez');
  await started.stop();
  return started.cpuMs ?? Number.NaN;
}
