// The log of provisioning requests while its table cannot be written to: what waits for it has an end, in number.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { engines } from '../../support/engines.ts';
import { exchange } from '../../support/exchange.ts';
import { patience } from '../../support/patience.ts';
import { until } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';
import { type ProvisioningService, startProvisioning } from '../../support/users.ts';
import { holdWriteLock } from '../../support/write-lock.ts';

const keptOfAccount = 1_000;
// One round that is being written, and twice as many as are kept of one account.
const waitingMax = 4 * keptOfAccount;
const requests = 6_000;

for (const engine of engines) {
  describe(`notes of provisioning requests on ${engine.name}`, () => {
    let context: ProvisioningService;
    before(async () => {
      context = await startProvisioning(engine, { ...patience, SOUNDINGS_THROTTLE: 'off' });
    });
    after(() => context?.close());

    /** Nobody can write to the log until it is let go. */
    const hold = async (): Promise<() => Promise<unknown>> => {
      const databaseUrl = context.env.DATABASE_URL!;
      if (engine.name === 'sqlite') {
        const lock = await holdWriteLock(databaseUrl);
        return () => lock.release();
      }
      const session = new pg.Client({ connectionString: databaseUrl });
      await session.connect();
      await session.query('begin; lock table provisioning_request in exclusive mode');
      return () => session.end();
    };
    const waiting = async (): Promise<number> => {
      const { text } = await exchange(`${context.service.baseUrl}/metrics`);
      return Number(/^soundings_provisioning_notes_waiting (\d+)$/m.exec(text)?.[1]);
    };

    it('however long the store is slow, one account has some thousand notes in memory, and the newest are kept [D-184]', async () => {
      const letGo = await hold();
      let most = 0;
      try {
        // In rounds, between which the last one begins to be written.
        for (let sent = 0; sent < requests; sent += 1_500) {
          for (let portion = 0; portion < 1_500; portion += 50)
            await Promise.all(Array.from({ length: 50 }, () => context.call('GET', '/Users/nobody')));
          const before = performance.now();
          await until(
            async () => {
              most = Math.max(most, await waiting());
              return performance.now() - before;
            },
            (ms) => ms > 1_100,
          );
        }
      } finally {
        await letGo();
      }
      assert.ok(most > 0 && most <= waitingMax, `${most} notes`);
      await until(waiting, (count) => count === 0);
      const [row] = await storeRows(
        context.env.DATABASE_URL!,
        'select count(*) as kept from provisioning_request where account_id = 1',
      );
      assert.equal(Number(row?.kept), keptOfAccount);
    });
  });
}
