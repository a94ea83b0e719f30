// How large the tables are: as metrics, on the operations page and in doctor.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { consoleCall, operatorAside } from '../../support/console.ts';
import { engines } from '../../support/engines.ts';
import { measureSizes } from '../../support/measured-sizes.ts';
import { commandHere, until } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';
import { type ProvisioningService, startProvisioning } from '../../support/users.ts';

interface Tables {
  readonly measured: string;
  readonly sizes: readonly { readonly name: string; readonly bytes: number }[];
}

for (const engine of engines)
  describe(`sizes of tables on ${engine.name}`, { concurrency: 1 }, () => {
    let context: ProvisioningService;
    let cookie: string;
    before(async () => {
      context = await startProvisioning(engine, {});
      cookie = await operatorAside(context.store.databaseUrl);
    });
    after(() => context?.close());

    const shown = async (): Promise<Tables | null> => {
      const { status, text, body } = await consoleCall(context.service.baseUrl, 'GET', '/operations', {
        cookie,
      });
      assert.equal(status, 200, text);
      return body.tables as Tables | null;
    };
    const metrics = async (): Promise<Readonly<Record<string, number>>> => {
      const text = await (await fetch(`${context.service.baseUrl}/metrics`)).text();
      const lines = text.matchAll(/^soundings_table_bytes\{table="(\w+)"\} (\d+)$/gm);
      return Object.fromEntries([...lines].map(([, name, bytes]) => [name, Number(bytes)]));
    };

    const doctorLine = async (): Promise<string> => {
      const { stdout } = await commandHere(['doctor'], { DATABASE_URL: context.store.databaseUrl });
      return /^right +sizes +(.*)$/m.exec(stdout)?.[1] ?? stdout;
    };

    it('nothing is told before they were measured', async () => {
      assert.equal(await shown(), null);
      assert.deepEqual(await metrics(), {});
    });

    it('each table of the store is told with its size, the largest first, and the same in the metrics [D-897]', async () => {
      const { databaseUrl } = context.store;
      const rows = Array.from(
        { length: 2_000 },
        (_, at) => `(1, 'evt_${at}', 'x', '${'y'.repeat(400)}', 1, 1, 0, 1)`,
      );
      await storeRows(
        databaseUrl,
        `insert into webhook_delivery (account_id, id, webhook_id, body, created_at, next_at, attempts, give_up_at, type)
         values ${rows.map((row) => row.replace(/\)$/, ", 't')")).join(', ')}`,
      );
      await measureSizes(databaseUrl);
      const tables = await shown();
      assert.ok(tables !== null);
      const bytes = tables.sizes.map((table) => table.bytes);
      assert.deepEqual(
        bytes,
        bytes.toSorted((one, other) => other - one),
      );
      assert.equal(tables.sizes[0]?.name, 'webhook_delivery');
      assert.ok(bytes[0]! > 2_000 * 400 && bytes[0]! < 2_000 * 2_000, String(bytes[0]));
      assert.equal(tables.sizes.filter(({ name }) => name === 'response').length, 1);
      const told = await until(metrics, (values) => Object.keys(values).length > 0, 30_000);
      assert.deepEqual(told, Object.fromEntries(tables.sizes.map((table) => [table.name, table.bytes])));
    });

    it('they are measured once an hour [D-897]', async () => {
      const { databaseUrl } = context.store;
      const first = await shown();
      await measureSizes(databaseUrl, Date.parse(first!.measured) + 3_500_000, false);
      assert.deepEqual(await shown(), first);
      await measureSizes(databaseUrl, Date.parse(first!.measured) + 3_600_000);
      assert.equal(Date.parse((await shown())!.measured), Date.parse(first!.measured) + 3_600_000);
    });

    it('doctor has a line with the largest [D-897]', async () => {
      assert.match(
        await doctorLine(),
        /^\d+ tables of \d+\.\d MB; the largest: webhook_delivery \d\.\d MB, /,
      );
    });

    if (engine.name === 'sqlite')
      it('a large embedded store is measured on a thread, once a day [D-897]', async () => {
        const { databaseUrl } = context.store;
        await storeRows(
          databaseUrl,
          `insert into audit (account_id, id, at, actor, action, subject)
           with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 20)
           select 1, 'large-' || n, 1, 'a', 'test', hex(zeroblob(500000)) from numbers`,
        );
        const before = Date.parse((await shown())!.measured);
        const hourLater = await measureSizes(databaseUrl, before + 3_600_000, false);
        assert.equal(hourLater.atMs, before);
        assert.match(await doctorLine(), /largest: webhook_delivery \d\.\d MB/, 'as it was measured last');
        const { tables, atMs } = await measureSizes(databaseUrl, before + 86_400_000);
        assert.equal(atMs, before + 86_400_000);
        assert.equal(tables[0]?.name, 'audit');
        assert.ok(tables[0].bytes > 20_000_000, String(tables[0].bytes));
        assert.match(await doctorLine(), /largest: audit 20\.\d MB/);
        await storeRows(databaseUrl, `delete from background_task where name = 'table-sizes'`);
        assert.match(await doctorLine(), /not measured yet/);
      });
  });
