// A running service whose clock jumps: it goes on, says so, and deletes nothing for it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { exchange } from '../../support/exchange.ts';
import { startMounted } from '../../support/mounted.ts';
import { day, movingClock } from '../../support/moving-clock.ts';
import { until } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';

const minute = 60_000;

for (const engine of engines)
  describe(`a service whose clock jumps on ${engine.name}`, () => {
    for (const [name, byMs] of [
      ['two years ahead', 730 * day],
      ['two months back', -60 * day],
    ] as const)
      it(`${name}: it is ready, metric and log say it, and no longer once the clock is right [D-846]`, async () => {
        const store = await engine.readyStore();
        const clock = movingClock({ isStill: true });
        const service = await startMounted({ databaseUrl: store.databaseUrl, ...clock });
        const jump = async (): Promise<number> =>
          Number(
            /^soundings_clock_jump_seconds (\S+)$/m.exec(
              (await exchange(`${service.baseUrl}/metrics`)).text,
            )?.[1],
          );
        const claimed = async (): Promise<unknown> =>
          (await storeRows(store.databaseUrl, 'select claimed_at as at from trusted_time'))[0]?.at;
        try {
          await until(jump, (seconds) => seconds === 0);
          clock.set(byMs);
          clock.pass(2 * minute);
          await until(claimed, (at) => at !== null);
          assert.ok(Math.abs((await jump()) - byMs / 1_000) < 300);
          assert.equal((await exchange(`${service.baseUrl}/readyz`)).status, 200);
          const lines = service.log().match(/CLOCK_JUMPED/g) ?? [];
          assert.equal(lines.length, 1);
          clock.set(-byMs);
          clock.pass(2 * minute);
          await until(claimed, (at) => at === null);
          assert.equal(await jump(), 0);
        } finally {
          await service.stop();
          await store.dispose();
        }
      });
  });
