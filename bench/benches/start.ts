// From the start of the program to its first answer, on a store that exists: as after a deployment or a crash. To be
// alive is one thing; an answer for which a token was verified and the store was asked is another, so both are held
// to the goal.

import { fileURLToPath } from 'node:url';
import { bundleProgram } from '../../scripts/bundle-program.ts';
import { startService, tokenFor } from '../../test/support/service.ts';
import type { Bench, Effort } from '../bench.ts';
import { type EngineName, type Figure, median } from '../figures.ts';
import { prepareStore, type Started, startAndAsk } from '../processes.ts';

const emptyProgram = [fileURLToPath(new URL('../empty-fastify.ts', import.meta.url))];
const words = ['serve', '--port', '0', '--json'];
const service = [fileURLToPath(new URL('../../src/main.ts', import.meta.url)), ...words];
/** Where npm pack has it made. */
const bundle = fileURLToPath(new URL('../../dist/program/', import.meta.url));
const packaged = [`${bundle}main.mjs`, ...words];
const startGoal = { atMost: 2.5 };
const packageGoal = { atMost: 0.6 };

export const start: Bench = {
  name: 'start',
  about:
    'node src/main.ts serve to its first answer, against an empty Fastify program in TypeScript; the package against the clone',
  engines: ['sqlite'],
  run,
};

type Side = 'empty' | 'alive' | 'authenticated' | 'packaged';
type Round = Readonly<Record<Side, Started>>;

async function run(engine: EngineName, { starts }: Effort): Promise<readonly Figure[]> {
  const store = await prepareStore(engine);
  try {
    await bundleProgram(bundle);
    // The service has run before, as it has wherever it is started again; a token outlives the process.
    const before = await startService(store.env);
    const token = await tokenFor(before.baseUrl, store.client);
    await before.stop();

    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    const rounds: Round[] = [];
    for (let number = 0; number < starts; number += 1) {
      rounds.push({
        empty: await startOnce(emptyProgram, {}, '/livez'),
        alive: await startOnce(service, store.env, '/livez'),
        authenticated: await startOnce(service, store.env, '/v1/measures', headers),
        packaged: await startOnce(packaged, store.env, '/livez'),
      });
    }
    return [
      ...figuresOf(engine, 'start to first answer', rounds, ['alive', 'empty'], startGoal),
      ...figuresOf(
        engine,
        'start to first authenticated answer',
        rounds,
        ['authenticated', 'empty'],
        startGoal,
      ),
      ...figuresOf(
        engine,
        'start from the package : from the clone',
        rounds,
        ['packaged', 'alive'],
        packageGoal,
      ),
    ];
  } finally {
    await store.dispose();
  }
}

async function startOnce(...program: Parameters<typeof startAndAsk>): Promise<Started> {
  const started = await startAndAsk(...program);
  await started.stop();
  return started;
}

function figuresOf(
  engine: EngineName,
  what: string,
  rounds: readonly Round[],
  [side, floor]: readonly [Side, Side],
  goal: { readonly atMost: number },
): readonly Figure[] {
  const compare = (title: string, read: (started: Started) => number): Figure => {
    const ratios = rounds.map((round) => read(round[side]) / read(round[floor]));
    return {
      bench: 'start',
      engine,
      what: title,
      ours: `${Math.round(median(rounds.map((round) => read(round[side]))))} ms`,
      floor: `${Math.round(median(rounds.map((round) => read(round[floor]))))} ms`,
      value: median(ratios),
      unit: 'times',
      rounds: ratios,
    };
  };
  const elapsed = { ...compare(what, ({ firstAnswerMs }) => firstAnswerMs), goal, facts: { rounds } };
  if (rounds.some(({ empty }) => empty.cpuMs === null)) return [elapsed];
  return [elapsed, compare(`${what}, processor time`, ({ cpuMs }) => cpuMs ?? 0)];
}
