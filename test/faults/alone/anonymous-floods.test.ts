// What anybody may ask for without credentials, and is never throttled: a flood of it must cost next to nothing.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines, type TestStore } from '../../support/engines.ts';
import { exchange } from '../../support/exchange.ts';
import { patience } from '../../support/patience.ts';
import { type Service, startProcess, until } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';

const floodCount = 400;
// What may be made at once and in a second, and one for what begins with the first question.
const burst = 20;
const perSecond = 20;
const mayBeMade = (sinceMs: number): number =>
  burst + 1 + Math.ceil(((performance.now() - sinceMs) / 1_000) * perSecond);

const refusing = {
  sqlite: [
    `create trigger refuse before insert on heartbeat begin select raise(abort, 'refused by the test'); end`,
  ],
  postgres: [
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused by the test'; end $$`,
    'create trigger refuse before insert on heartbeat for each row execute function refuse()',
  ],
};
const allowing = { sqlite: 'drop trigger refuse', postgres: 'drop trigger refuse on heartbeat' };

for (const engine of engines) {
  describe(`floods without credentials on ${engine.name}`, { concurrency: 1 }, () => {
    let store: TestStore;
    let service: Service;

    before(async () => {
      store = await engine.readyStore();
      service = await startProcess({ DATABASE_URL: store.databaseUrl, ...patience });
    });
    after(async () => {
      await service?.stop();
      await store?.dispose();
    });

    const ask = async (
      path: string,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<{ status: number; text: string }> => exchange(service.baseUrl + path, { headers });
    const cpuSeconds = async (): Promise<number> => {
      const { text } = await ask('/metrics');
      return Number(/^process_cpu_seconds_total ([\d.e-]+)$/m.exec(text)?.[1]);
    };
    /** What the process uses for so many of them, in seconds; the first one, which may load something, not counted. */
    const costOf = async (
      path: string,
      status: number,
      count: number,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<number> => {
      assert.equal((await ask(path, headers)).status, status);
      const before = await cpuSeconds();
      for (let times = 0; times < count; times += 1) await ask(path, headers);
      return (await cpuSeconds()) - before;
    };

    it('/readyz tries the store some times a second, however often it is asked [D-184]', async () => {
      for (const statement of refusing[engine.name]) await storeRows(store.databaseUrl, statement);
      try {
        await until(
          () => ask('/readyz'),
          ({ status }) => status === 503,
        );
        const tries = (): number => service.output().split('The heartbeat could not be written.').length - 1;
        const before = tries();
        const sinceMs = performance.now();
        for (let times = 0; times < floodCount; times += 1) assert.equal((await ask('/readyz')).status, 503);
        const made = tries() - before;
        // The heartbeat beats by itself too.
        assert.ok(made <= mayBeMade(sinceMs) + 5, `${made} tries in ${performance.now() - sinceMs} ms`);
      } finally {
        await storeRows(store.databaseUrl, allowing[engine.name]);
      }
      await until(
        () => ask('/readyz'),
        ({ status }) => status === 200,
      );
    });

    it('/metrics is made some times a second, however often it is asked, and is fresh for whoever asks now and then [D-184]', async () => {
      const sinceMs = performance.now();
      const texts = new Set<string>();
      for (let times = 0; times < floodCount; times += 1) texts.add((await ask('/metrics')).text);
      assert.ok(texts.size <= mayBeMade(sinceMs), `${texts.size} texts in ${performance.now() - sinceMs} ms`);
      await until(
        async () => texts.has((await ask('/metrics')).text),
        (isKnown) => !isKnown,
      );
    });

    // Small answers are asked for more often, so that what the process does beside them does not count.
    for (const [path, encoding, count] of [
      ['/docs/scalar.js', 'gzip', 20],
      ['/docs/scalar.js', 'br', 20],
      ['/docs/scalar.js', 'zstd', 20],
      ['/openapi.json', 'br', 200],
    ] as const) {
      it(`${path} is compressed once by ${encoding}, and not for each who asks [D-184]`, async () => {
        const least = async (headers: Readonly<Record<string, string>>): Promise<number> => {
          const costs: number[] = [];
          for (let round = 0; round < 3; round += 1) costs.push(await costOf(path, 200, count, headers));
          return Math.min(...costs);
        };
        // What the process does beside them, such as adding up figures, is not in every round.
        const plain = await least({});
        const packed = await least({ 'accept-encoding': encoding });
        // Compressed each time it is between four and fifty times as much; remembered it is less.
        assert.ok(packed <= 2 * plain + 0.02, `${packed} s of CPU compressed, ${plain} s as it is`);
      });
    }

    it('a long address that is none costs about what a short one costs [D-184]', async () => {
      const short = await costOf('/a/a', 404, floodCount);
      const long = await costOf(`/${'a/'.repeat(3_000)}`, 404, floodCount);
      assert.ok(long <= 4 * short, `${long} s of CPU for long ones, ${short} s for short ones`);
    });
  });
}
