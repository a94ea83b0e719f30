import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { writeCatalogue } from '../support/catalogue.ts';
import { engines, type TestStore } from '../support/engines.ts';
import { commandHereOk, type Service, soundingsOk, until } from '../support/service.ts';
import { startService } from '../support/service-here.ts';
import { storeRows } from '../support/store-rows.ts';

const dayMs = 86_400_000;
/** A change id as the service makes them: a UUID that begins with its time. */
const idAt = (ms: number, number: number): string => {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${number.toString(16).padStart(12, '0')}`;
};

for (const engine of engines) {
  describe(`the end of the audit log on ${engine.name}`, () => {
    let store: TestStore;
    let env: Record<string, string>;
    const services: Service[] = [];
    before(async () => {
      store = await engine.newStore();
      env = { DATABASE_URL: store.databaseUrl };
      const accounts = [7, 3, 5].map((id) => ({ id, name: `Account ${id}` }));
      await commandHereOk(['apply', writeCatalogue({ accounts })], env);
      const nowMs = Date.now();
      const rows: string[] = [];
      // Account 9 is gone, and its entries end like those of others; account 5 has none to forget.
      const old = new Map([
        [0, 3],
        [3, 2_500],
        [7, 1],
        [9, 1_001],
      ]);
      const add = (account: number, atMs: number, number: number, action: string): void => {
        const id = idAt(atMs, number);
        rows.push(`(${account}, '${id}', ${atMs}, 'command line', '${action}', 'account ${account}')`);
      };
      for (const [account, count] of old)
        for (let at = 0; at < count; at += 1) add(account, nowMs - 400 * dayMs - 60_000 - at, at, 'old');
      for (const account of [0, 3, 5, 7, 9])
        for (let at = 0; at < 50; at += 1) add(account, nowMs - 400 * dayMs + 3_600_000 + at, at, 'young');
      for (let at = 0; at < rows.length; at += 500)
        await storeRows(
          store.databaseUrl,
          `insert into audit (account_id, id, at, actor, action, subject) values ${rows.slice(at, at + 500).join(', ')}`,
        );
      services.push(...(await Promise.all([startService(env), startService(env)])));
    });
    after(async () => {
      await Promise.all(services.map((one) => one.stop()));
      await store?.dispose();
    });

    const counts = async (): Promise<Record<string, number>> => {
      const rows = await storeRows(
        store.databaseUrl,
        `select action, count(*) as entries from audit where action in ('old', 'young') group by action`,
      );
      return Object.fromEntries(rows.map(({ action, entries }) => [String(action), Number(entries)]));
    };

    it('what is older than 400 days goes by itself, in every account, and nothing that is younger [D-280]', async () => {
      const left = await until(counts, ({ old = 0 }) => old === 0, 30_000);
      assert.deepEqual(left, { young: 250 });
      const listed = await commandHereOk(['audit', '--account', '9', '--json', '--limit', '100'], env);
      assert.equal(listed.trim().split('\n').length, 50);
    });

    it('migrate --status names the task, which follows and does not fail', async () => {
      const status = JSON.parse(await soundingsOk(['migrate', '--status', '--json'], env));
      const task = status.tasks.find(({ name }: { name: string }) => name === 'audit-end');
      assert.deepEqual([task.state, task.failures], ['follows', 0]);
    });
  });
}
