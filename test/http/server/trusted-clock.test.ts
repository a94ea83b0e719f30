// A running service whose clock jumps: it goes on, says so, and deletes nothing for it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { visitorsAside } from '../../support/console-roles.ts';
import { engines } from '../../support/engines.ts';
import { exchange } from '../../support/exchange.ts';
import { mountedAccountId, startMounted } from '../../support/mounted.ts';
import { day, movingClock } from '../../support/moving-clock.ts';
import { setUp, until } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';

const minute = 60_000;

for (const engine of engines)
  describe(`credentials and a clock that is set back on ${engine.name}`, () => {
    it('a session and a provisioning token that have ended open nothing when the clock is set back [D-848]', async () => {
      const store = await engine.readyStore();
      const clock = movingClock({ isStill: true });
      const service = await startMounted({ databaseUrl: store.databaseUrl, ...clock });
      try {
        const people = await visitorsAside(store.databaseUrl, mountedAccountId, 'own');
        const cookie = await people.admin.newCookie();
        const { token } = JSON.parse(
          await setUp(
            ['provisioning-token', 'create', '--account', '4001', '--name', 'idp', '--days', '1', '--json'],
            { DATABASE_URL: store.databaseUrl },
          ),
        );
        const statuses = async (): Promise<readonly number[]> => [
          (await exchange(`${service.baseUrl}/console/api/session`, { headers: { cookie } })).status,
          (
            await exchange(`${service.baseUrl}/v1/scim/Users`, {
              headers: { authorization: `Bearer ${token}` },
            })
          ).status,
        ];
        assert.deepEqual(await statuses(), [200, 200]);
        clock.pass(2 * day);
        assert.deepEqual(await statuses(), [401, 401]);
        clock.set(-2 * day);
        assert.deepEqual(await statuses(), [401, 401]);
      } finally {
        await service.stop();
        await store.dispose();
      }
    });
  });

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
