// From the start of the program to its first answer, on a store that exists: as after a deployment or a crash. Being
// alive is one thing; an answer for which a token was verified and the store was asked is another, so both are held
// to the goal.

import { fileURLToPath } from 'node:url';
import { startService, tokenFor } from '../../test/support/service.ts';
import type { Bench, Effort } from '../bench.ts';
import { type EngineName, type Figure, median } from '../figures.ts';
import { prepareStore, startAndAsk } from '../processes.ts';

const emptyProgram = [fileURLToPath(new URL('../empty-fastify.ts', import.meta.url))];
const ourProgram = [
  fileURLToPath(new URL('../../src/main.ts', import.meta.url)),
  'serve',
  '--port',
  '0',
  '--json',
];
const goal = { atMost: 2.5 };

export const start: Bench = {
  name: 'start',
  about: 'node src/main.ts serve to its first answer, against an empty Fastify program in TypeScript',
  engines: ['sqlite'],
  run,
};

interface Round {
  readonly empty: number;
  readonly alive: number;
  readonly authenticated: number;
}

async function run(engine: EngineName, { starts }: Effort): Promise<readonly Figure[]> {
  const store = await prepareStore(engine);
  try {
    // The service has run before, as it has wherever it is started again; a token outlives the process.
    const before = await startService(store.env);
    const token = await tokenFor(before.baseUrl, store.client);
    await before.stop();

    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    const rounds: Round[] = [];
    for (let number = 0; number < starts; number += 1) {
      rounds.push({
        empty: await firstAnswerMs(emptyProgram, {}, '/livez'),
        alive: await firstAnswerMs(ourProgram, store.env, '/livez'),
        authenticated: await firstAnswerMs(ourProgram, store.env, '/v1/measures', headers),
      });
    }
    return [
      figureOf(engine, 'start to first answer', rounds, 'alive'),
      figureOf(engine, 'start to first authenticated answer', rounds, 'authenticated'),
    ];
  } finally {
    await store.dispose();
  }
}

async function firstAnswerMs(...program: Parameters<typeof startAndAsk>): Promise<number> {
  const started = await startAndAsk(...program);
  await started.stop();
  return started.firstAnswerMs;
}

function figureOf(
  engine: EngineName,
  what: string,
  rounds: readonly Round[],
  side: 'alive' | 'authenticated',
): Figure {
  const ratios = rounds.map((round) => round[side] / round.empty);
  return {
    bench: 'start',
    engine,
    what,
    ours: `${Math.round(median(rounds.map((round) => round[side])))} ms`,
    floor: `${Math.round(median(rounds.map(({ empty }) => empty)))} ms`,
    value: median(ratios),
    unit: 'times',
    rounds: ratios,
    goal,
    facts: { rounds },
  };
}
