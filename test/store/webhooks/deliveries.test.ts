// What is on its way to a webhook that goes, or that never gets a secret.

import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { dayMs } from '../../../src/domain/dates.ts';
import { retryForMs, waitMaxMs } from '../../../src/domain/webhooks/webhook.ts';
import {
  claimDeliveries,
  queueAgain,
  settleDeliveries,
  tidyDeliveries,
} from '../../../src/store/webhooks/deliveries.ts';
import { createWebhook, removeWebhook } from '../../../src/store/webhooks/webhooks.ts';
import { engines } from '../../support/engines.ts';
import { accountId, type OpenedStore, openStore } from '../../support/open-db.ts';
import { believeTime } from '../../support/trusted-time.ts';

for (const engine of engines) {
  describe(`deliveries on ${engine.name}`, () => {
    let store: OpenedStore;
    before(async () => {
      store = await openStore(engine);
    });
    after(() => store?.dispose());

    const nowMs = Date.now();
    const stamp = () => ({ changeId: randomUUIDv7(), nowMs, actor: 'test' });
    const create = (id: string, secret: string | null): Promise<unknown> =>
      store.db.write(createWebhook, {
        ...stamp(),
        accountId,
        id,
        name: id,
        url: 'https://receiver.example/',
        events: ['response.created'],
        secret: secret === null ? null : { kid: 'kid', text: secret },
      });
    const queue = (webhookId: string, count: number): Promise<unknown> =>
      store.db.write(queueAgain, {
        accountId,
        nowMs,
        deliveries: Array.from({ length: count }, (_, index) => ({
          webhookId,
          id: `evt_${index}`,
          type: 'response.created',
          data: '{}',
        })),
      });
    const rowsOf = async (webhookId: string): Promise<readonly (number | null)[]> => {
      const rows = await store.db.read<{ deadAt: number | null }>(sql`
        select dead_at as "deadAt" from webhook_delivery where account_id = ${accountId} and webhook_id = ${webhookId}
        order by id limit 1000`);
      return rows.map(({ deadAt }) => deadAt);
    };

    it('a webhook that is removed while messages are under way leaves nothing behind, and its neighbour is as it was', async () => {
      await create('wh_gone', 'x');
      await create('wh_stays', 'x');
      await queue('wh_gone', 300);
      await queue('wh_stays', 300);
      const ofWebhook = { accountId, webhookId: 'wh_gone' };
      const claim = { ...ofWebhook, nowMs, untilMs: nowMs + 60_000, take: 100 };
      const claimed = await store.db.write(claimDeliveries, claim);
      assert.equal(claimed.length, 100);
      await store.db.write(removeWebhook, { ...stamp(), accountId, id: 'wh_gone' });
      const [first, second, ...others] = claimed.map(({ id }) => id);
      await store.db.write(settleDeliveries, {
        ...ofWebhook,
        delivered: others,
        failed: [{ id: first!, attempts: 1, nextAtMs: nowMs + 5_000, status: 500, failure: 'answered 500' }],
        released: [second!],
        nowMs,
      });
      await queue('wh_gone', 200);
      assert.deepEqual(await rowsOf('wh_gone'), []);
      assert.equal((await rowsOf('wh_stays')).length, 300);
      const states = await store.db.read(
        sql`select webhook_id from webhook_state where account_id = ${accountId} limit 10`,
      );
      assert.deepEqual(states, []);
    });

    it('what waits for a secret is given up after three days, and holds no place of its account any more; what was never tried otherwise is not', async () => {
      await create('wh_unready', null);
      await queue('wh_unready', 300);
      const tidy = async (atMs: number): Promise<void> => {
        await believeTime(store.databaseUrl, atMs);
        for (const webhookId of ['wh_unready', 'wh_stays'])
          await store.db.write(tidyDeliveries, { accountId, webhookId, nowMs: atMs });
      };
      await tidy(nowMs + retryForMs - 1);
      assert.ok((await rowsOf('wh_unready')).every((deadAt) => deadAt === null));
      await tidy(nowMs + retryForMs);
      const dead = await rowsOf('wh_unready');
      assert.equal(dead.length, 300);
      assert.ok(dead.every((deadAt) => deadAt !== null));
      assert.ok((await rowsOf('wh_stays')).every((deadAt) => deadAt === null));
    });

    it('what was claimed while the clock was two years ahead is due again soon after it is right; what waits as usual goes on waiting [D-845]', async () => {
      await create('wh_claimed', 'x');
      await queue('wh_claimed', 300);
      const claim = async (atMs: number, untilMs: number, take: number): Promise<number> =>
        (
          await store.db.write(claimDeliveries, {
            accountId,
            webhookId: 'wh_claimed',
            nowMs: atMs,
            untilMs,
            take,
          })
        ).length;
      assert.equal(await claim(nowMs + 730 * dayMs, nowMs + 730 * dayMs + 60_000, 100), 100);
      assert.equal(await claim(nowMs, nowMs + waitMaxMs, 200), 200);
      assert.equal(await claim(nowMs, nowMs, 300), 0);
      await store.db.write(tidyDeliveries, { accountId, webhookId: 'wh_claimed', nowMs });
      assert.equal(await claim(nowMs, nowMs + 1, 300), 100);
    });
  });
}
