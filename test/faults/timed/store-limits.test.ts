// How long a request waits for its store: as long as the store moves, within ten times the setting. Slow work is made by a trigger that
// counts, which takes a processor and waits for nothing; how far it must count is measured first.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import sql, { raw } from 'sql-template-tag';
import type { Db, Steps } from '../../../src/store/engine/db.ts';
import { openDb } from '../../../src/store/open-db.ts';
import { type Engine, engines, plainPostgres, type TestStore } from '../../support/engines.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import { addRoute, beat, type Mounted, startMounted } from '../../support/mounted.ts';
import { until } from '../../support/service.ts';
import { type SlowWire, slowWire } from '../../support/slow-wire.ts';
import { storeRows } from '../../support/store-rows.ts';

const settingMs = 200;
/** Not much longer, because a busy machine stretches it, and ten times the setting is the end. */
const longerThanSetting = 1.3;
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
        mount(app, { db }, services) {
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
          const inPieces = (what: string, pause: () => Promise<void>): void =>
            addRoute(app, {
              method: 'POST',
              area: 'service',
              access: 'anyone',
              path: `/mounted/${what}`,
              async handle() {
                // Each takes much less than one may stand still, and all of them longer than one may take in all, however quick the machine is.
                const untilMs = performance.now() + settingMs * 15;
                while (performance.now() < untilMs) {
                  const change = { replica: `counts-${++written}`, nowMs: Math.ceil((aMs * settingMs) / 10) };
                  await services.context.db.write(beat, { ...change, forgetBeforeMs: 0 });
                  await pause();
                }
                return {};
              },
            });
          inPieces('counts-often', async () => {});
          inPieces('counts-in-slices', () => services.workQueue.nextSlice());
          write('counts', () => Math.ceil(aMs * settingMs * longerThanSetting));
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
              await db.read(raw(numbers(askedAMs * settingMs * longerThanSetting)));
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
      service.expectErrors('STORE_TIMEOUT', 'WRITE_QUEUE_FULL');
      const answer = await post('counts-on');
      assert.equal(answer.status, 502, answer.text);
      assert.equal(answer.body.errorCode, 'STORE_TIMEOUT');
      await answersAgain();
    });

    it('nor does a request that makes several changes, wherever each of them is quick enough [D-940]', async () => {
      service.expectErrors('STORE_TIMEOUT', 'WRITE_QUEUE_FULL');
      const answer = await post('counts-often');
      assert.deepEqual([answer.status, answer.body.errorCode], [502, 'STORE_TIMEOUT'], answer.text);
      await answersAgain();
    });

    it('work that goes through the store piece by piece has that time for each piece [D-940]', async () => {
      const { status, text } = await post('counts-in-slices');
      assert.equal(status, 200, text);
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

describe('a server of PostgreSQL to which connections are made slowly', patience, () => {
  const timeoutMs = 1_000;
  let store: TestStore;
  let wire: SlowWire;
  let db: Db;
  before(async () => {
    store = await plainPostgres.newStore();
    wire = await slowWire(store.databaseUrl);
    db = await openDb(wire.databaseUrl, { timeoutMs, poolSize: 2 });
  });
  after(async () => {
    await db?.close();
    await wire?.close();
    await store?.dispose();
  });

  it('is waited for longer than the setting while it answers others [D-900]', async () => {
    assert.equal((await db.read(sql`select 1`)).length, 1);
    wire.delayConnections(timeoutMs * 1.4);
    let isAnswered = false;
    let statements = 0;
    // It has the only connection that there is, and moves until the other one is made.
    const others = db.write(function* others(_input: object): Steps<void> {
      while (!isAnswered && statements < 40) {
        statements += 1;
        yield sql`select pg_sleep(0.2)`;
      }
    }, {});
    await until(
      async () => statements,
      (count) => count > 0,
    );
    assert.equal((await db.read(sql`select 1`)).length, 1);
    isAnswered = true;
    await others;
    assert.ok(statements < 40, 'it was answered on a connection of its own');
  });

  it('is late by the setting where it answers nobody [D-900]', async () => {
    const other = await openDb(wire.databaseUrl, { timeoutMs: timeoutMs / 4, poolSize: 2 });
    try {
      wire.delayConnections(600_000);
      await assert.rejects(other.read(sql`select 1`), { condition: 'downstreamError' });
    } finally {
      await other.close();
    }
  });
});
