// What is on its way to a webhook that goes, or that never gets a secret.

import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { readConfig } from '../../../src/config.ts';
import { dayMs } from '../../../src/domain/dates.ts';
import { deadKeptMs, retryForMs, waitMaxMs } from '../../../src/domain/webhooks/webhook.ts';
import {
  claimDeliveries,
  queueAgain,
  settleDeliveries,
  stateOfWebhook,
} from '../../../src/store/webhooks/deliveries.ts';
import { deadKept, deliveryEnd, waitingKept } from '../../../src/store/webhooks/delivery-end.ts';
import { createWebhook, removeWebhook } from '../../../src/store/webhooks/webhooks.ts';
import { stepsOf } from '../../support/ended-rows.ts';
import { engines } from '../../support/engines.ts';
import { accountId, type OpenedStore, openStore } from '../../support/open-db.ts';
import { storeRows } from '../../support/store-rows.ts';
import { believeTime } from '../../support/trusted-time.ts';

const reading = readConfig({ flags: {}, env: {}, file: {}, readFile: () => '' });
assert.ok('config' in reading);
const { config } = reading;

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

    const end = (webhookId: string, atMs: number): Promise<void> =>
      stepsOf(deliveryEnd, { db: store.db, config, now: () => atMs }, { accountId, scope: webhookId });

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
        for (const webhookId of ['wh_unready', 'wh_stays']) await end(webhookId, atMs);
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
      await end('wh_claimed', nowMs);
      assert.equal(await claim(nowMs, nowMs + 1, 300), 100);
    });

    const addMessages = (webhookId: string, count: number, columns: Readonly<Record<string, string>>) =>
      storeRows(
        store.databaseUrl,
        `insert into webhook_delivery (account_id, webhook_id, id, type, body, created_at, attempts, ${Object.keys(columns).join(', ')})
         with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
         select ${accountId}, '${webhookId}', 'evt_' || substr('0000000' || n, -7), 'user.updated', '{}', 1, 0,
           ${Object.values(columns).join(', ')} from numbers`.replace(
          "substr('0000000' || n, -7)",
          engine.name === 'sqlite' ? "substr('0000000' || n, -7)" : "right('0000000' || n, 7)",
        ),
      );
    const countOf = async (webhookId: string, condition: string): Promise<number> => {
      const [row] = await storeRows(
        store.databaseUrl,
        `select count(*) as count from webhook_delivery where webhook_id = '${webhookId}' and ${condition}`,
      );
      return Number(row?.count);
    };

    it('of messages that wait for a webhook the ones that are due the longest are given up beyond a number, and counted [D-896]', async () => {
      await create('wh_many', 'x');
      await addMessages('wh_many', waitingKept + 2_500, {
        next_at: 'n',
        give_up_at: String(nowMs + retryForMs),
      });
      await end('wh_many', nowMs);
      assert.equal(await countOf('wh_many', 'next_at is not null'), waitingKept);
      assert.equal(await countOf('wh_many', "next_at is null and id <= 'evt_0002500'"), 2_500);
      const { dead, givenUp } = await stateOfWebhook(store.db, { accountId, webhookId: 'wh_many' });
      assert.deepEqual([dead, givenUp], [2_500, 2_500]);
    });

    it('messages that nobody has come to within a month of their days are given up [D-896]', async () => {
      await create('wh_slow', 'x');
      await addMessages('wh_slow', 1_200, { next_at: '1', give_up_at: String(nowMs) });
      await believeTime(store.databaseUrl, nowMs + deadKeptMs);
      await end('wh_slow', nowMs + deadKeptMs);
      assert.equal(await countOf('wh_slow', 'next_at is null'), 0);
      await believeTime(store.databaseUrl, nowMs + deadKeptMs + 1);
      await end('wh_slow', nowMs + deadKeptMs + 1);
      assert.equal(await countOf('wh_slow', 'next_at is null'), 1_200);
    });

    it('given up messages are deleted after a month and beyond a number, and how many there were is still told [D-896]', async () => {
      await believeTime(store.databaseUrl, nowMs);
      await create('wh_dead', 'x');
      await addMessages('wh_dead', deadKept + 2_500, { give_up_at: '1', dead_at: String(nowMs) });
      await end('wh_dead', nowMs);
      assert.equal(await countOf('wh_dead', "id > 'evt_0002500'"), deadKept);
      const state = () => stateOfWebhook(store.db, { accountId, webhookId: 'wh_dead' });
      assert.deepEqual([(await state()).dead, (await state()).givenUp], [deadKept, deadKept + 2_500]);
      await believeTime(store.databaseUrl, nowMs + deadKeptMs + 1);
      await end('wh_dead', nowMs + deadKeptMs + 1);
      assert.deepEqual([(await state()).dead, (await state()).givenUp], [0, deadKept + 2_500]);
      await store.db.write(removeWebhook, { ...stamp(), accountId, id: 'wh_dead' });
      assert.deepEqual(
        await storeRows(store.databaseUrl, "select name from background_task where scope = 'wh_dead'"),
        [],
      );
    });
  });
}
