// From the start of the program to its first answer, on a store that exists: as after a deployment or a crash. To be
// alive is one thing; an answer for which a token was verified and the store was asked is another, so both are held
// to the goal.

import { fileURLToPath } from 'node:url';
import { startService, tokenFor } from '../../test/support/service.ts';
import type { Bench, Effort } from '../bench.ts';
import { type EngineName, type Figure, median } from '../figures.ts';
import { prepareStore, type Started, startAndAsk } from '../processes.ts';

const emptyProgram = [fileURLToPath(new URL('../empty-fastify.ts', import.meta.url))];
const service = [
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

type Side = 'empty' | 'alive' | 'authenticated';
type Round = Readonly<Record<Side, Started>>;

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
        empty: await startOnce(emptyProgram, {}, '/livez'),
        alive: await startOnce(service, store.env, '/livez'),
        authenticated: await startOnce(service, store.env, '/v1/measures', headers),
      });
    }
    return [
      ...figuresOf(engine, 'start to first answer', rounds, 'alive'),
      ...figuresOf(engine, 'start to first authenticated answer', rounds, 'authenticated'),
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
  side: Side,
): readonly Figure[] {
  const compare = (title: string, read: (started: Started) => number): Figure => {
    const ratios = rounds.map((round) => read(round[side]) / read(round.empty));
    return {
      bench: 'start',
      engine,
      what: title,
      ours: `${Math.round(median(rounds.map((round) => read(round[side]))))} ms`,
      floor: `${Math.round(median(rounds.map((round) => read(round.empty))))} ms`,
      value: median(ratios),
      unit: 'times',
      rounds: ratios,
    };
  };
  const elapsed = { ...compare(what, ({ firstAnswerMs }) => firstAnswerMs), goal, facts: { rounds } };
  if (rounds.some(({ empty }) => empty.cpuMs === null)) return [elapsed];
  return [elapsed, compare(`${what}, processor time`, ({ cpuMs }) => cpuMs ?? 0)];
}
