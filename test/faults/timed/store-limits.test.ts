// How long a request waits for its store: as long as the store moves, within ten times the setting. Slow work is made by a trigger that
// counts, which takes a processor and waits for nothing; how far it must count is measured first.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { raw } from 'sql-template-tag';
import { type Engine, engines, plainPostgres, type TestStore } from '../../support/engines.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import { addRoute, beat, type Mounted, startMounted } from '../../support/mounted.ts';
import { until } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';

const settingMs = 200;
const patience = { timeout: 120_000 };

const counting = {
  sqlite: [
    `create trigger counts before insert on heartbeat when new.replica like 'counts%' begin
      select count(*) from (
        with recursive number (n) as (select 1 union all select n + 1 from number where n < new.at) select n from number
      );
    end`,
  ],
  postgres: [
    `create function counts() returns trigger language plpgsql as
      'begin for n in 1..new.at loop end loop; return new; end'`,
    `create trigger counts before insert on heartbeat for each row when (new.replica like 'counts%')
      execute function counts()`,
    `create function sleeps() returns trigger language plpgsql as
      'begin perform pg_sleep(new.at / 1000.0); return new; end'`,
    `create trigger sleeps before insert on heartbeat for each row when (new.replica like 'sleeps%')
      execute function sleeps()`,
  ],
};

const numbers = (count: number): string => `
  with recursive number (n) as (select 1 union all select n + 1 from number where n < ${Math.ceil(count)})
  select count(*) as counted from number`;

/** What the shortest of some tries counts in a millisecond: no later one is much quicker, unless the machine was busy meanwhile. */
async function countedAMs({ databaseUrl }: TestStore, statement: (count: number) => string): Promise<number> {
  const counted = 2_000_000;
  const rates: number[] = [];
  // SQLite counts in this process, whose processor time no other program takes part in.
  const isHere = databaseUrl.startsWith('sqlite:');
  const nowMs = (): number => {
    const { user, system } = process.cpuUsage();
    return isHere ? (user + system) / 1_000 : performance.now();
  };
  for (let at = 0; at < 3; at += 1) {
    const startedAtMs = nowMs();
    await storeRows(databaseUrl, statement(counted));
    rates.push(counted / (nowMs() - startedAtMs));
  }
  return Math.max(...rates);
}

const [sqlite] = engines.filter(({ name }) => name === 'sqlite');
const tried: readonly Engine[] = engines.map((engine) => (engine === sqlite ? engine : plainPostgres));

for (const engine of tried) {
  describe(`how long the store may take on ${engine.name}`, patience, () => {
    let store: TestStore;
    let service: Mounted;
    let aMs = 0;
    let askedAMs = 0;
    let written = 0;

    before(async () => {
      store = await engine.newStore();
      service = await startMounted({
        databaseUrl: store.databaseUrl,
        env: { SOUNDINGS_STORE_TIMEOUT_MS: String(settingMs) },
        mount(app, { db }) {
          const write = (what: string, at: () => number): void =>
            addRoute(app, {
              method: 'POST',
              area: 'service',
              access: 'anyone',
              path: `/mounted/${what}`,
              async handle() {
                await db.write(beat, { replica: `${what}-${++written}`, nowMs: at(), forgetBeforeMs: 0 });
                return {};
              },
            });
          write('quick', () => 1);
          write('counts', () => Math.ceil(aMs * settingMs * 2));
          write('counts-a-bit', () => Math.ceil((aMs * settingMs) / 4));
          // PostgreSQL ends what takes too long; the writer of SQLite has to come to its end.
          const tooLong = engine.name === 'postgres' ? 1_000 : 20;
          write('counts-on', () => Math.min(2 ** 31 - 2, Math.ceil(aMs * settingMs * tooLong)));
          write('sleeps', () => settingMs * 4);
          addRoute(app, {
            method: 'GET',
            area: 'service',
            access: 'anyone',
            path: '/mounted/asks',
            async handle() {
              await db.read(raw(numbers(askedAMs * settingMs * 2)));
              return {};
            },
          });
        },
      });
      for (const statement of counting[engine.name]) await storeRows(store.databaseUrl, statement);
      aMs = await countedAMs(
        store,
        (count) => `insert into heartbeat (replica, at) values ('counts-${++written}', ${count})`,
      );
      askedAMs = await countedAMs(store, numbers);
    });
    after(async () => {
      await service?.stop();
      await store?.dispose();
    });

    const post = (what: string): Promise<Answer> =>
      exchange(`${service.baseUrl}/mounted/${what}`, { method: 'POST' });
    const waiting = (): number => service.context.db.figures().writesWaiting;
    const answersAgain = (): Promise<unknown> =>
      until(
        () => post('quick'),
        ({ status }) => status === 200,
      );

    it('a change that works for longer than the setting is made, and so are those behind it [D-900]', async () => {
      assert.equal((await post('quick')).status, 200);
      const slow = post('counts');
      await until(
        async () => waiting(),
        (count) => count > 0,
      );
      const behind = await Promise.all(Array.from({ length: 20 }, () => post('quick')));
      for (const { status, text } of [await slow, ...behind]) assert.equal(status, 200, text);
    });

    it('a question that works for longer than the setting is answered [D-900]', async () => {
      const { status, text } = await exchange(`${service.baseUrl}/mounted/asks`);
      assert.equal(status, 200, text);
    });

    it('nobody waits longer than ten times the setting, whatever moves [D-900]', async () => {
      service.expectErrors('STORE_TIMEOUT');
      const answer = await post('counts-on');
      assert.equal(answer.status, 502, answer.text);
      assert.equal(answer.body.errorCode, 'STORE_TIMEOUT');
      await answersAgain();
    });

    it('whoever could not outlive the queue is told so at once, and when to come back [D-900]', async () => {
      service.expectErrors('STORE_TIMEOUT', 'WRITE_QUEUE_FULL');
      const queued: Promise<void>[] = [];
      const refusals: Answer[] = [];
      const join = async (): Promise<void> => {
        const answer = await post('counts-a-bit');
        if (answer.status === 503 && waiting() > 0) refusals.push(answer);
      };
      // More come than can be worked off, however quick the machine is just now.
      await until(
        async () => {
          for (let more = 0; more < 20; more += 1) queued.push(join());
          return refusals.length;
        },
        (count) => count > 0,
      );
      const [{ body, headers } = assert.fail()] = refusals;
      assert.equal(body.errorCode, 'WRITE_QUEUE_FULL');
      assert.equal(headers['retry-after'], '1');
      await Promise.all(queued);
      await answersAgain();
    });

    if (engine.name === 'postgres')
      it('a statement that waits at the server and does not work is late by the setting [D-900]', async () => {
        service.expectErrors('STORE_TIMEOUT');
        const { status, body } = await post('sleeps');
        assert.deepEqual([status, body.errorCode], [502, 'STORE_TIMEOUT']);
        await answersAgain();
      });
  });
}
