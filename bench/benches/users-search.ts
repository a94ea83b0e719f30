// The same search among ten thousand users and among a million: what it finds is the same, so what it costs should
// hardly grow. Two services take turns; one connection, so that the time of an answer is the time of the search.

import { startProcess, tokenFor } from '../../test/support/service.ts';
import type { Bench, Effort } from '../bench.ts';
import { type EngineName, type Figure, type Goal, median } from '../figures.ts';
import { matchesOfNeedle, needles, populate } from '../population.ts';
import { accountId, type PreparedStore, prepareStore, startGenerator } from '../processes.ts';

const sizes = { small: 10_000, large: Number(process.env.BENCH_USERS ?? 1_000_000) };

const filterPath = (filter: string): string =>
  `/v1/scim/Users?count=100&filter=${encodeURIComponent(filter)}`;

const searches: readonly {
  readonly what: string;
  readonly goal?: Goal;
  readonly path: string;
  /** Asked of the small service instead; without it the same. */
  readonly small?: string;
  readonly total?: number;
  /** Both sides are the large service. */
  readonly isWithin?: true;
}[] = [
  {
    what: 'userName eq',
    goal: { atMost: 1.5 },
    path: filterPath('userName eq "USER.4711@example.com"'),
    total: 1,
  },
  ...(['sw', 'ew', 'co'] as const).map((operator) => ({
    what: `familyName ${operator} of four letters`,
    goal: { atMost: operator === 'co' ? 20 : 3 },
    path: filterPath(`name.familyName ${operator} "${needles[operator]}"`),
    total: matchesOfNeedle,
  })),
  {
    what: 'familyName co of one letter (all are looked at)',
    path: filterPath('name.familyName co "q"'),
    total: 0,
  },
  {
    what: `page at ${sizes.large * 0.9} : page at 1`,
    goal: { atMost: 1.5 },
    path: `/v1/scim/Users?count=100&startIndex=${sizes.large * 0.9}`,
    small: '/v1/scim/Users?count=100&startIndex=1',
    isWithin: true,
  },
  {
    what: `page at ${sizes.large * 0.9} : page at 1, on /scim/v2`,
    goal: { atMost: 1.5 },
    path: `/scim/v2/Users?count=100&startIndex=${sizes.large * 0.9}`,
    small: '/scim/v2/Users?count=100&startIndex=1',
    isWithin: true,
  },
];

interface Side {
  readonly pid: number;
  readonly port: number;
  readonly baseUrl: string;
  readonly token: string;
}

export const usersSearch: Bench = {
  name: 'users-search',
  about: `searches among ${sizes.large.toLocaleString('en')} users against the same among ${sizes.small.toLocaleString('en')}`,
  engines: ['sqlite', 'postgres'],
  async run(engine, effort) {
    const stores = await Promise.all([prepareStore(engine), prepareStore(engine)]);
    const [small, large] = stores as [PreparedStore, PreparedStore];
    try {
      await populate(small.env.DATABASE_URL!, accountId, sizes.small);
      await populate(large.env.DATABASE_URL!, accountId, sizes.large);
      const services = await Promise.all([startProcess(small.env), startProcess(large.env)]);
      try {
        const sides = await Promise.all(
          services.map(async ({ pid, baseUrl }, at) => ({
            pid,
            baseUrl,
            port: Number(new URL(baseUrl).port),
            token: await tokenFor(baseUrl, stores[at]!.client),
          })),
        );
        return await compare(engine, effort, sides[0]!, sides[1]!);
      } finally {
        await Promise.all(services.map((service) => service.stop()));
      }
    } finally {
      await Promise.all(stores.map((store) => store.dispose()));
    }
  },
};

async function compare(
  engine: EngineName,
  effort: Effort,
  small: Side,
  large: Side,
): Promise<readonly Figure[]> {
  const generator = startGenerator();
  const secondsOf = async (side: Side, path: string): Promise<number> => {
    const request = `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${side.token}\r\naccept: application/json\r\n\r\n`;
    const { requests, seconds } = await generator.ask({
      port: side.port,
      serverPid: side.pid,
      request,
      connections: 1,
      leadInMs: 300,
      measuredMs: Math.min(effort.measuredMs, 1_500),
    });
    return seconds / Math.max(1, requests);
  };
  const figures: Figure[] = [];
  try {
    for (const { what, goal, path, small: smallPath = path, total, isWithin } of searches) {
      const base = isWithin === true ? large : small;
      if (total !== undefined) for (const side of [small, large]) await expectTotal(side, path, total);
      const rounds: { ours: number; floor: number }[] = [];
      for (let number = 0; number < effort.rounds; number += 1) {
        const floor = await secondsOf(base, smallPath);
        rounds.push({ floor, ours: await secondsOf(large, path) });
      }
      const ratios = rounds.map(({ ours, floor }) => ours / floor);
      figures.push({
        bench: 'users-search',
        engine,
        what,
        ours: `${(median(rounds.map(({ ours }) => ours)) * 1000).toFixed(2)} ms`,
        floor: `${(median(rounds.map(({ floor }) => floor)) * 1000).toFixed(2)} ms`,
        value: median(ratios),
        unit: 'times',
        rounds: ratios,
        ...(goal === undefined ? {} : { goal }),
      });
    }
  } finally {
    await generator.stop();
  }
  return figures;
}

async function expectTotal({ baseUrl, token }: Side, path: string, total: number): Promise<void> {
  const answer = await fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${token}` } });
  const { totalResults } = (await answer.json()) as { totalResults?: number };
  if (totalResults !== total) throw new Error(`${path} finds ${totalResults} and should find ${total}.`);
}
