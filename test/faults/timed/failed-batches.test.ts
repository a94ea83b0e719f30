// A batch that fails is written again in parts, and only who is at fault is told. The operator hears of it all the same.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { writeCatalogue } from '../../support/catalogue.ts';
import { engines, lockWaits, type TestStore } from '../../support/engines.ts';
import { exchange } from '../../support/exchange.ts';
import { patience } from '../../support/patience.ts';
import { createClient, type Service, setUp, startProcess, tokenFor, until } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';

const refusing = {
  sqlite: [
    `create trigger refuse before insert on response when new.response_id like 'refused-%' begin select raise(abort, 'refused by the test'); end`,
  ],
  postgres: [
    `alter table response add constraint refused_by_the_test check (response_id not like 'refused-%')`,
  ],
};
const together = 60;
const line = 'A batch could not be written and is tried again in parts.';

for (const engine of engines) {
  describe(`batches that fail on ${engine.name}`, () => {
    let store: TestStore;
    let service: Service;
    let tokens: readonly string[];
    let rounds = 0;

    before(async () => {
      store = await engine.readyStore();
      const env = { DATABASE_URL: store.databaseUrl, SOUNDINGS_THROTTLE: 'off', ...patience };
      const accounts = [1, 2].map((id) => ({
        id,
        name: `Account ${id}`,
        measures: [
          {
            key: 1,
            name: 'One',
            surveys: [
              {
                id: `survey-${id}`,
                modelInstanceId: 'M',
                questions: [{ id: 'Q', name: 'Why?', responseType: 'TEXT' }],
              },
            ],
          },
        ],
      }));
      await setUp(['apply', writeCatalogue({ accounts })], env);
      const clients = [await createClient(env, 1), await createClient(env, 2)];
      service = await startProcess(env);
      service.expectErrors('INTERNAL_ERROR');
      tokens = await Promise.all(clients.map((client) => tokenFor(service.baseUrl, client)));
    });
    after(async () => {
      await service?.stop();
      await store?.dispose();
    });

    const post = async (accountId: number, responseId: string): Promise<number> => {
      const { status } = await exchange(`${service.baseUrl}/v1/surveys/ingestion`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tokens[accountId - 1]}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          surveyDefinitionId: `survey-${accountId}`,
          responseId,
          responses: { Q: ['Why not?'] },
        }),
      });
      return status;
    };
    /** One that cannot be kept, among many of both accounts. */
    const round = async (): Promise<void> => {
      rounds += 1;
      const ids = Array.from({ length: together }, (_, index) =>
        index === together / 2 ? `refused-${rounds}` : `r-${rounds}-${index}`,
      );
      const statuses = await Promise.all(ids.map((id, index) => post(1 + (index % 2), id)));
      assert.deepEqual(
        statuses,
        ids.map((id) => (id.startsWith('refused-') ? 500 : 200)),
      );
    };
    const failed = async (): Promise<number> => {
      const { text } = await exchange(`${service.baseUrl}/metrics`);
      return Number(/^soundings_store_batches_failed_total (\d+)$/m.exec(text)?.[1]);
    };

    it('one that spoils its batch is told alone, the batch is counted, and the log says so without a word of it and not each time [D-186]', async () => {
      assert.equal(await failed(), 0);
      for (const statement of refusing[engine.name]) await storeRows(store.databaseUrl, statement);
      const sinceMs = performance.now();
      // Whether it shares a batch is a matter of how they arrive.
      await until(
        async () => {
          await round();
          return failed();
        },
        (count) => count >= 3,
      );
      // Whole lines: the log is read through a pipe, which may be behind the answers.
      const lines = await until(
        async () =>
          service
            .output()
            .split('\n')
            .slice(0, -1)
            .filter((text) => text.includes(line)),
        (found) => found.length > 0,
      );
      const periods = Math.ceil((performance.now() - sinceMs) / 10_000);
      assert.ok(lines.length <= periods, `${lines.length} lines`);
      for (const text of lines) {
        assert.match(text, /"level":40/);
        assert.doesNotMatch(text, /refused-|Why not/);
      }
    });

    if (engine.name === 'postgres')
      it('one that spoils a batch which waited for its account is told alone, and the batch is counted once [D-790]', async () => {
        const before = await failed();
        const waits = await lockWaits();
        const holder = new pg.Client({ connectionString: store.databaseUrl });
        await holder.connect();
        try {
          await holder.query('begin');
          await holder.query('select 1 from log_counter where account_id = 1 for update');
          const first = post(1, 'held');
          await until(
            () => storeRows(store.databaseUrl, waits),
            (rows) => rows.length > 0,
          );
          const ids = Array.from({ length: together }, (_, index) =>
            index === together / 2 ? 'refused-behind' : `behind-${index}`,
          );
          const behind = ids.map((id) => post(1, id));
          // What was sent before these questions has come when they are answered; what has not still finds the lane.
          for (let asked = 0; asked < 10; asked += 1) assert.equal(await failed(), before);
          await holder.query('rollback');
          assert.equal(await first, 200);
          assert.deepEqual(
            await Promise.all(behind),
            ids.map((id) => (id.startsWith('refused-') ? 500 : 200)),
          );
        } finally {
          await holder.end();
        }
        assert.equal((await failed()) - before, 1);
      });
  });
}
