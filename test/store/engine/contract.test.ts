// What the store promises whoever asks it (src/store/engine/db.ts), held on both engines. What only one engine can break
// stands below, engine by engine.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import { StatementSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { queryObjects } from 'node:v8';
import sql, { raw, type Sql } from 'sql-template-tag';
import { type Grant, grants } from '../../../src/domain/access/account.ts';
import type { ByteSpan } from '../../../src/domain/byte-writer.ts';
import { type Code, Problem } from '../../../src/domain/problem.ts';
import {
  type CreateClient,
  changeClientGrants,
  createClient,
  findClient,
  listClients,
} from '../../../src/store/access/clients.ts';
import { addSigningKey } from '../../../src/store/access/signing-keys.ts';
import { changes } from '../../../src/store/changes.ts';
import { type Db, type Fields, type Steps, UniqueViolation } from '../../../src/store/engine/db.ts';
import { migrate } from '../../../src/store/engine/migrate.ts';
import { beat } from '../../../src/store/engine/replicas.ts';
import { SqliteConnection } from '../../../src/store/engine/sqlite/sqlite-connection.ts';
import { openDb } from '../../../src/store/open-db.ts';
import { type CuttingProxy, cuttingProxy } from '../../support/cutting-proxy.ts';
import { engines, lockWaits, postgres, sqlite } from '../../support/engines.ts';
import { fairClock } from '../../support/fair-clock.ts';
import { accountId, type OpenedStore, openStore, patient } from '../../support/open-db.ts';
import { freePort } from '../../support/postgres-server.ts';
import { until } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';
import { holdWriteLock } from '../../support/write-lock.ts';

const greatestInteger = Number.MAX_SAFE_INTEGER;

let orders = 0;
function clientOrder(more: Partial<CreateClient> = {}): CreateClient {
  orders += 1;
  return {
    changeId: `change-${orders}`,
    nowMs: 1_700_000_000_000 + orders,
    actor: 'test',
    id: `client-${orders}`,
    accountId,
    name: `Client ${orders}`,
    mayChangeAdmins: false,
    grants: ['r_cx_measures'],
    secretHash: `hash-${orders}`,
    ...more,
  };
}

function beatOf(replica: string, nowMs = 1): { replica: string; nowMs: number; forgetBeforeMs: number } {
  return { replica, nowMs, forgetBeforeMs: 0 };
}

async function replicas(db: Db): Promise<readonly string[]> {
  const rows = await db.read<{ replica: string }>(sql`select replica from heartbeat order by replica`);
  return rows.map(({ replica }) => replica);
}

async function isAudited(db: Db, changeId: string): Promise<boolean> {
  return (await db.read(sql`select id from audit where id = ${changeId}`)).length > 0;
}

function problemOf(code: Code): (error: unknown) => boolean {
  return (error) => error instanceof Problem && error.code === code;
}

for (const engine of engines) {
  describe(`the store on ${engine.name}`, () => {
    let store: OpenedStore;
    let db: Db;

    before(async () => {
      store = await openStore(engine);
      db = store.db;
    });
    after(() => store?.dispose());

    it('gives back what was written: numbers, texts and nulls', async () => {
      const order = clientOrder({ name: 'Nightly export' });
      await db.write(createClient, order);
      const [row] = await db.read(sql`
        select account_id, name, disabled, older_secret_hash, created_at
        from api_client
        where id = ${order.id}`);
      assert.deepEqual(
        { ...row },
        {
          account_id: accountId,
          name: 'Nightly export',
          disabled: 0,
          older_secret_hash: null,
          created_at: order.nowMs,
        },
      );
    });

    it('answers no rows with an empty list', async () => {
      assert.deepEqual(await db.read(sql`select id from api_client where id = ${'nobody'}`), []);
    });

    it('keeps whole numbers up to 2^53 - 1 to the last digit', async () => {
      const times = [greatestInteger, greatestInteger - 1, 2 ** 31, 0];
      for (const atMs of times) await db.write(beat, beatOf(`number ${atMs}`, atMs));
      const rows = await db.read<{ at: number }>(sql`
        select at
        from heartbeat
        where replica like ${'number %'}
        order by at desc`);
      assert.deepEqual(
        rows.map(({ at }) => at),
        times,
      );
    });

    it('counts, sums and comparisons are numbers too', async () => {
      await db.write(beat, beatOf('sum a', 20));
      await db.write(beat, beatOf('sum b', 22));
      const [row] = await db.read(sql`
        select count(*) as count, sum(at) as sum, max(at) as max, sum(at) > 40 as comparison
        from heartbeat
        where replica like ${'sum %'}`);
      assert.deepEqual({ ...row }, { count: 2, sum: 42, max: 22, comparison: 1 });
    });

    it('keeps every text of Unicode as it came, and takes none for another', async () => {
      const texts = [
        '',
        ' blank ends ',
        'Zoë',
        'Zoe\u0308',
        'ﬁ',
        'fi',
        'STRASSE straße',
        '👩🏽‍🚀 🇪🇺 \u{10ffff}',
        'e\u0301\u0323\u0302',
        'שלום עולם \u202eabc',
        '日本語 ไทย हिन्दी',
        'line\nline\r\ttab',
        `'; drop table api_client; -- " \\ ? $1 % _`,
        '\ufeff\u200b\u00a0\u0001\u007f',
        'x'.repeat(100_000),
      ];
      for (const text of texts) await db.write(beat, beatOf(`text ${text}`));
      for (const text of texts) {
        const rows = await db.read(sql`select replica from heartbeat where replica = ${`text ${text}`}`);
        assert.deepEqual(
          rows.map(({ replica }) => replica),
          [`text ${text}`],
        );
      }
      const [row] = await db.read(
        sql`select count(*) as count from heartbeat where replica like ${'text %'}`,
      );
      assert.equal(row?.count, texts.length);
    });

    it('orders text by its bytes, whatever the language of the server', async () => {
      const words = [
        'Zebra',
        'apple',
        'Ähre',
        'ähre',
        'a-b',
        'ab',
        'a b',
        'Éclair',
        'zebra',
        '_',
        '10',
        '9',
        '\ufffd',
        '😀',
      ];
      for (const word of words) await db.write(beat, beatOf(`order ${word}`));
      const found = (await replicas(db)).filter((replica) => replica.startsWith('order '));
      const byBytes = words
        .map((word) => `order ${word}`)
        .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      assert.deepEqual(found, byBytes);
    });

    describe('a large answer', () => {
      interface LargeRow {
        readonly number: number;
        readonly text: string;
        readonly name: string | null;
        readonly wide: string;
        readonly wideOrNull: string | null;
      }
      const asText = (value: string | ByteSpan): string =>
        typeof value === 'string' ? value : value.source.toString('utf8', value.begin, value.end);
      // The texts are looked at before the answer is let go, as every reader must.
      const ask = async (query: Sql): Promise<LargeRow[]> => {
        using answer = await db.readLarge(query, (fields) => ({
          number: fields.integer(),
          text: fields.text(),
          name: fields.textOrNull(),
          wide: fields.textOrBytes(),
          wideOrNull: fields.textOrBytesOrNull(),
        }));
        return answer.rows.map(({ wideOrNull, ...row }) => ({
          ...row,
          wide: asText(row.wide),
          wideOrNull: wideOrNull === null ? null : asText(wideOrNull),
        }));
      };
      const series = (count: number): Sql => sql`
        with recursive number (n) as (
          select 1 union all select n + 1 from number where n < ${count}
        )
        select n, 'row ' || n, case when n % 3 = 0 then null else 'ß' || n end,
          replace(${raw("'                    '")}, ' ', n || ' – 漢字 👩🏽‍🚀 '),
          case when n % 2 = 0 then null else '漢' || n end
        from number
        order by n`;
      const expected = (count: number): LargeRow[] =>
        Array.from({ length: count }, (_, index) => ({
          number: index + 1,
          text: `row ${index + 1}`,
          name: (index + 1) % 3 === 0 ? null : `ß${index + 1}`,
          wide: `${index + 1} – 漢字 👩🏽‍🚀 `.repeat(20),
          wideOrNull: (index + 1) % 2 === 0 ? null : `漢${index + 1}`,
        }));

      it('has the same rows on both engines, few or many, and as many at once as there are', async () => {
        for (const count of [1, 2, 3_000]) assert.deepEqual(await ask(series(count)), expected(count));
        const counts = Array.from({ length: 40 }, (_, index) => 20 + 30 * index);
        const answers = await Promise.all(counts.map((count) => ask(series(count))));
        for (const [index, rows] of answers.entries()) assert.deepEqual(rows, expected(counts[index]!));
        assert.deepEqual(await ask(sql`${series(3)} limit 0`), []);
      });

      it('keeps whole numbers to the last digit, below nothing too, and takes lists of them', async () => {
        const numbers = [greatestInteger, -greatestInteger, 2 ** 31, -(2 ** 31), 2 ** 32 + 1, 1, 0, -1];
        for (const number of numbers) {
          const list = [-7, number, 2 ** 40];
          const among = db.dialect.isAmong(sql`cast(${number} as bigint)`, list, 'integer');
          using answer = await db.readLarge(sql`select cast(${number} as bigint) where ${among}`, (fields) =>
            fields.integer(),
          );
          assert.deepEqual(answer.rows, [number]);
        }
      });

      it('what was let go is used again, and never under those who still read', async () => {
        const span = (fields: Fields): string | ByteSpan => fields.textOrBytes();
        const words = ['first', 'second', 'third', 'fourth'];
        const held = await Promise.all(
          words.map((word) => db.readLarge(sql`select ${raw(`'${word}'`)}`, span)),
        );
        const seen = (): string[] => held.flatMap(({ rows }) => rows.map(asText));
        for (let turn = 0; turn < 20; turn += 1) await ask(series(50 + turn));
        assert.deepEqual(seen(), words);
        // Let go twice, the same memory would be given to two.
        for (const answer of held) {
          answer[Symbol.dispose]();
          answer[Symbol.dispose]();
        }
        const counts = [900, 901, 902, 903, 904, 905, 906, 907];
        const answers = await Promise.all(counts.map((count) => ask(series(count))));
        assert.deepEqual(answers, counts.map(expected));
      });

      it('a statement of ours that is wrong stays a failure of ours, and hurts no other', async () => {
        const wrong = assert.rejects(
          async () => db.readLarge(sql`select nothing from nowhere`, (fields) => fields.text()),
          (error) => !(error instanceof Problem),
        );
        assert.deepEqual(await ask(series(500)), expected(500));
        await wrong;
      });
    });

    it('a change is kept whole or not at all', async () => {
      const first = clientOrder();
      await db.write(createClient, first);
      // The last statement of this one fails, on the audit log; the client before it was written already.
      const second = clientOrder({ changeId: first.changeId });
      await assert.rejects(db.write(createClient, second), UniqueViolation);
      assert.equal(await findClient(db, second.id), null);
    });

    it('a taken key is the same failure on both engines, with its cause for the log', async () => {
      const order = clientOrder();
      await db.write(createClient, order);
      const again = { ...clientOrder(), id: order.id };
      await assert.rejects(db.write(createClient, again), (error: unknown) => {
        assert.ok(error instanceof UniqueViolation);
        assert.ok(error.cause instanceof Error);
        return true;
      });
      assert.equal(await isAudited(db, again.changeId), false);
    });

    it('a Problem thrown inside a change reaches the caller as that Problem, and nothing is kept', async () => {
      const order = clientOrder({ accountId: 999 });
      await assert.rejects(db.write(createClient, order), (error: unknown) => {
        assert.ok(error instanceof Problem);
        assert.deepEqual(
          {
            code: error.code,
            condition: error.condition,
            message: error.message,
            details: error.details,
            headers: error.headers,
          },
          {
            code: 'INVALID_REQUEST',
            condition: 'badRequest',
            message: 'There is no account 999. See "soundings account list".',
            details: [],
            headers: {},
          },
        );
        return true;
      });
      assert.equal(await isAudited(db, order.changeId), false);
    });

    it('a change that fails does not hurt those that came with it', async () => {
      const taken = clientOrder();
      await db.write(createClient, taken);
      const good = Array.from({ length: 20 }, () => clientOrder());
      const outcomes = await Promise.allSettled(
        good.flatMap((order, index) => [
          db.write(createClient, order),
          db.write(
            createClient,
            index % 2 === 0 ? clientOrder({ id: taken.id }) : clientOrder({ accountId: 999 }),
          ),
        ]),
      );
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        good.flatMap(() => ['fulfilled', 'rejected']),
      );
      for (const { id } of good) assert.notEqual(await findClient(db, id), null);
      assert.equal((await findClient(db, taken.id))?.name, taken.name);
    });

    it('many changes at once are all kept, each once', async () => {
      const many = Array.from({ length: 400 }, () => clientOrder({ name: 'one of many' }));
      await Promise.all(many.map((order) => db.write(createClient, order)));
      const kept = (await listClients(db, accountId)).filter(({ name }) => name === 'one of many');
      assert.deepEqual(kept.map(({ id }) => id).toSorted(), many.map(({ id }) => id).toSorted());
    });

    it('changes of the same row at once lose nothing of each other', async () => {
      const { id } = clientOrder();
      await db.write(createClient, clientOrder({ id, grants: [] }));
      const add = (grant: Grant): Promise<unknown> =>
        db.write(changeClientGrants, { ...clientOrder(), id, add: [grant], remove: [] });
      await Promise.all(grants.map(add));
      assert.deepEqual([...((await findClient(db, id))?.grants ?? [])].toSorted(), [...grants].toSorted());
    });

    it('what one view of the store has written, another sees at once', async () => {
      const other = await store.open();
      const order = clientOrder();
      await db.write(createClient, order);
      assert.equal((await findClient(other, order.id))?.name, order.name);
      await other.write(changeClientGrants, {
        ...clientOrder(),
        id: order.id,
        add: ['w_cx_users'],
        remove: [],
      });
      assert.deepEqual((await findClient(db, order.id))?.grants, ['r_cx_measures', 'w_cx_users']);
    });

    it('a probe says whether a change could be made, and makes none', async () => {
      const before = await storeRows(store.databaseUrl, 'select count(*) as count from audit');
      await db.probe();
      assert.deepEqual(await storeRows(store.databaseUrl, 'select count(*) as count from audit'), before);
    });

    it('closing waits for every change under way, those that wait for their turn too', async () => {
      const closing = await store.open({ poolSize: 2 });
      const many = Array.from({ length: 100 }, () => clientOrder({ name: 'before the end' }));
      const written = Promise.allSettled(many.map((order) => closing.write(createClient, order)));
      await closing.close();
      const failed = (await written).filter(({ status }) => status === 'rejected');
      assert.deepEqual(failed, []);
      const kept = (await listClients(db, accountId)).filter(({ name }) => name === 'before the end');
      assert.equal(kept.length, many.length);
    });

    it('after closing nothing is written any more', async () => {
      const closed = await store.open();
      await closed.write(beat, beatOf('before closing'));
      await closed.close();
      await assert.rejects(closed.write(beat, beatOf('after closing')), problemOf('STORE_UNREACHABLE'));
      await assert.rejects(closed.read(sql`select 1 as one`), problemOf('STORE_UNREACHABLE'));
      assert.equal((await replicas(db)).includes('after closing'), false);
    });

    it('says how much it has to do', async () => {
      const { changes: before } = db.figures();
      await db.write(beat, beatOf('figures'));
      const figures = db.figures();
      assert.equal(figures.changes, before + 1);
      assert.equal(figures.writesWaiting, 0);
      assert.ok(figures.connections >= 1);
    });

    it('a statement of ours that is wrong stays a failure of ours, never one of the store [D-23]', async () => {
      await assert.rejects(
        db.read(sql`select nothing from nowhere`),
        (error: unknown) => !(error instanceof Problem),
      );
      await db.probe();
    });
  });
}

describe('a store that cannot be reached', () => {
  for (const { name, databaseUrl } of [
    { name: 'sqlite', databaseUrl: async () => `sqlite:${fileURLToPath(import.meta.url)}/store.db` },
    {
      name: 'postgres',
      databaseUrl: async () => `postgres://nobody:canary@127.0.0.1:${await freePort()}/none`,
    },
  ]) {
    it(`is one and the same Problem, that names no place, file or password [D-20] [D-23], on ${name}`, async () => {
      const address = await databaseUrl();
      const ask = async (): Promise<unknown> => {
        const db = await openDb(address, { timeoutMs: 500, poolSize: 2 });
        try {
          return await db.read(sql`select 1 as one`);
        } finally {
          await db.close();
        }
      };
      await assert.rejects(ask(), (error: unknown) => {
        assert.ok(error instanceof Problem);
        assert.equal(error.code, 'STORE_UNREACHABLE');
        assert.equal(error.message, 'The store cannot be reached. Please retry.');
        assert.ok(error.cause instanceof Error);
        return true;
      });
    });
  }
});

describe('the list of changes', () => {
  it('has each change under the name of its function', () => {
    for (const [name, change] of Object.entries(changes)) assert.equal(change.name, name);
  });

  it('a change that is not listed is refused by name, and not silently passed over', async () => {
    const memory = await openDb('sqlite::memory:', patient);
    const unlisted = function* unlisted(): Steps<void> {};
    await assert.rejects(async () => memory.write(unlisted, {}), /The change unlisted is missing/);
    await memory.close();
  });
});

describe('the embedded store', () => {
  let store: OpenedStore;
  let db: Db;
  let path: string;

  before(async () => {
    store = await openStore(sqlite);
    db = store.db;
    path = store.databaseUrl.slice('sqlite:'.length);
  });
  after(() => store?.dispose());

  it('survives a power cut once it has answered: WAL, synchronous FULL, foreign keys, on every connection [D-40]', async () => {
    const read = async (query: Sql): Promise<unknown> => Object.values((await db.read(query))[0] ?? {})[0];
    const expected = { journal: 'wal', synchronous: 2, foreignKeys: 1 };
    const asked = {
      journal: await read(sql`pragma journal_mode`),
      synchronous: await read(sql`pragma synchronous`),
      foreignKeys: await read(sql`pragma foreign_keys`),
    };
    assert.deepEqual(asked, expected);
    // The writer thread opens its connection by the same class.
    const another = new SqliteConnection(path, 100);
    const ofWriter = {
      journal: another.pragma('journal_mode'),
      synchronous: another.pragma('synchronous'),
      foreignKeys: another.pragma('foreign_keys'),
    };
    another.close();
    assert.deepEqual(ofWriter, expected);
  });

  it('changes that arrive while a commit runs share the next one', async () => {
    const before = db.figures();
    await Promise.all(Array.from({ length: 200 }, (_, index) => db.write(beat, beatOf(`shared ${index}`))));
    const { batches, changes: made } = db.figures();
    assert.equal(made - before.changes, 200);
    assert.ok(batches - before.batches < 50, `${batches - before.batches} commits for 200 changes`);
  });

  it('another process that holds the write lock stops neither the event loop nor questions, and is waited for', async () => {
    const lock = await holdWriteLock(store.databaseUrl);
    try {
      const written = db.write(beat, beatOf('while locked'));
      let longestPauseMs = 0;
      for (let tick = 0; tick < 60; tick += 1) {
        const pausedMs = fairClock(process.pid);
        await new Promise((resume) => setTimeout(resume, 5));
        longestPauseMs = Math.max(longestPauseMs, pausedMs());
        assert.equal((await replicas(db)).includes('while locked'), false);
      }
      assert.ok(longestPauseMs < 250, `the event loop stood still for ${Math.round(longestPauseMs)} ms`);
      await lock.release();
      await written;
    } finally {
      await lock.release();
    }
    assert.equal((await replicas(db)).includes('while locked'), true);
  });

  it('a lock that is held too long is a store that did not answer in time, and passes by itself [D-20]', async () => {
    const hasty = await store.open({ timeoutMs: 150 });
    const lock = await holdWriteLock(store.databaseUrl);
    try {
      await assert.rejects(hasty.write(beat, beatOf('given up')), problemOf('STORE_TIMEOUT'));
      await assert.rejects(hasty.probe(), problemOf('STORE_TIMEOUT'));
    } finally {
      await lock.release();
    }
    await hasty.probe();
    await hasty.write(beat, beatOf('after the lock'));
    assert.deepEqual(
      (await replicas(db)).filter((replica) => ['given up', 'after the lock'].includes(replica)),
      ['after the lock'],
    );
  });

  it('what has waited for the writer thread to start, longer than a change may wait, is tried all the same [D-710]', async () => {
    const hasty = await store.open({ timeoutMs: 1 });
    await hasty.write(beat, beatOf('before the thread'));
    assert.equal((await replicas(db)).includes('before the thread'), true);
  });

  it('a writer that dies fails what waits for it, and the next change gets another, even asked at once', async () => {
    const own = await openStore(sqlite);
    const reserve = `${own.databaseUrl.slice('sqlite:'.length)}.reserve`;
    const fresh = await own.open();
    // A link to itself, over which the writer falls as it starts.
    rmSync(reserve, { force: true });
    symlinkSync(reserve, reserve);
    const again: Promise<unknown>[] = [];
    await assert.rejects(
      fresh.write(beat, beatOf('lost')).catch((error: unknown) => {
        rmSync(reserve);
        again.push(fresh.write(beat, beatOf('found')));
        throw error;
      }),
      problemOf('STORE_UNREACHABLE'),
    );
    await Promise.all(again);
    assert.equal((await replicas(fresh)).includes('found'), true);
    await own.dispose();
  });

  it('processes that open and close a store at the same moment all get in', async () => {
    const connections = fileURLToPath(
      new URL('../../../src/store/engine/sqlite/sqlite-connection.ts', import.meta.url),
    );
    const script = `
      import { SqliteConnection } from ${JSON.stringify(connections)};
      const startsAtMs = Number(process.argv[2]);
      for (let round = 0; round < 20; round += 1) {
        while (Date.now() < startsAtMs + round * 40);
        new SqliteConnection(process.argv[1] + round, 20).close();
      }`;
    const args = ['--input-type=module', '-e', script, `${path}.round`, String(Date.now() + 700)];
    const processes = Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, args));
    const outcomes = await Promise.allSettled(processes);
    assert.deepEqual(
      outcomes.filter(({ status }) => status === 'rejected'),
      [],
    );
  });

  it('keeps a bounded number of prepared statements', () => {
    const connection = new SqliteConnection(path, 100);
    const before = queryObjects(StatementSync, { format: 'count' });
    for (let index = 0; index < 2_000; index += 1) connection.run(raw(`select ${index} as number`));
    const kept = queryObjects(StatementSync, { format: 'count' }) - before;
    connection.close();
    assert.ok(kept > 0 && kept <= 256, `${kept} statements are kept`);
  });

  it('a store in memory holds the same promises for one process', async () => {
    const memory = await openDb('sqlite::memory:', patient);
    await migrate(memory, Date.now);
    await memory.write(beat, beatOf('in memory', greatestInteger));
    assert.deepEqual(await replicas(memory), ['in memory']);
    const key = {
      changeId: 'a',
      actor: 'command line',
      kid: 'k',
      keySecret: 's',
      nowMs: 1,
      signsFromMs: 1,
      retiredBeforeMs: 0,
    };
    await memory.write(addSigningKey, key);
    await assert.rejects(memory.write(addSigningKey, { ...key, changeId: 'b' }), UniqueViolation);
    assert.equal(await isAudited(memory, 'b'), false);
    await assert.rejects(memory.write(createClient, clientOrder()), problemOf('INVALID_REQUEST'));
    await memory.probe();
    await memory.close();
  });
});

describe('the store on a PostgreSQL server', () => {
  let store: OpenedStore;
  let db: Db;

  before(async () => {
    store = await openStore(postgres);
    db = store.db;
  });
  after(() => store?.dispose());

  it('a change is durable when it is answered, even where the server was told not to wait for the disk [D-40]', async () => {
    const database = new URL(store.databaseUrl).pathname.slice(1);
    await storeRows(store.databaseUrl, `alter database ${database} set synchronous_commit = off`);
    const careful = await store.open();
    const [outside] = await careful.read(sql`show synchronous_commit`);
    const inside = await careful.write(function* look(): Steps<unknown> {
      const { rows } = yield sql`show synchronous_commit`;
      return rows[0]?.synchronous_commit;
    }, {});
    await storeRows(store.databaseUrl, `alter database ${database} reset synchronous_commit`);
    assert.deepEqual([outside?.synchronous_commit, inside], ['off', 'on']);
  });

  it('every text of the schema is compared and ordered by its bytes', async () => {
    const rows = await db.read(sql`
      select table_name, column_name
      from information_schema.columns
      where table_schema = 'public' and data_type = 'text' and collation_name is distinct from 'C'
        and table_name not like 'citus\\_%'`);
    assert.deepEqual(rows, []);
  });

  for (const state of ['40001', '40P01', '57P01', '08006']) {
    it(`a change that the server ends with ${state} is made again, and kept once`, async () => {
      const order = clientOrder();
      let runs = 0;
      await db.write(function* failsFirst(input: CreateClient): Steps<void> {
        runs += 1;
        yield* createClient(input);
        if (runs === 1) yield raw(`do $$ begin raise exception 'no' using errcode = '${state}'; end $$`);
      }, order);
      assert.equal(runs, 2);
      assert.equal((await findClient(db, order.id))?.name, order.name);
    });
  }

  /** Two changes under way at once go on when both have come this far, however busy the machine is. */
  function* untilBoth(come: () => number): Steps<void> {
    for (let look = 0; come() < 2 && look < 100; look += 1) yield sql`select pg_sleep(0.01)`;
  }

  it('of two changes that contradict each other under serialisable isolation, the second is made again', async () => {
    let runs = 0;
    let counted = 0;
    const count = (replica: string) =>
      function* countAndAdd(): Steps<void> {
        runs += 1;
        yield sql`set transaction isolation level serializable`;
        const { rows } = yield sql`select count(*) as count from heartbeat where replica like ${'serial %'}`;
        counted += 1;
        yield* untilBoth(() => counted);
        yield sql`insert into heartbeat (replica, at) values (${replica}, ${rows[0]?.count})`;
      };
    await Promise.all([db.write(count('serial a'), {}), db.write(count('serial b'), {})]);
    const rows = await db.read(sql`select at from heartbeat where replica like ${'serial %'} order by at`);
    assert.deepEqual(
      rows.map(({ at }) => at),
      [0, 1],
    );
    assert.ok(runs >= 3);
  });

  it('of two changes that wait for each other, one is made again', async () => {
    await db.write(beat, beatOf('lock a', 0));
    await db.write(beat, beatOf('lock b', 0));
    let runs = 0;
    let holding = 0;
    const add = (first: string, second: string) =>
      function* addInOrder(): Steps<void> {
        runs += 1;
        yield sql`update heartbeat set at = at + 1 where replica = ${first}`;
        holding += 1;
        yield* untilBoth(() => holding);
        yield sql`update heartbeat set at = at + 1 where replica = ${second}`;
      };
    await Promise.all([db.write(add('lock a', 'lock b'), {}), db.write(add('lock b', 'lock a'), {})]);
    const rows = await db.read(sql`select at from heartbeat where replica like ${'lock %'}`);
    assert.deepEqual(
      rows.map(({ at }) => at),
      [2, 2],
    );
    assert.ok(runs >= 3);
  });

  it('a connection that the server ends during a change is replaced, and the change is made again', async () => {
    const order = clientOrder();
    let runs = 0;
    await db.write(function* killedFirst(input: CreateClient): Steps<void> {
      runs += 1;
      yield* createClient(input);
      if (runs === 1) yield sql`select pg_terminate_backend(pg_backend_pid())`;
    }, order);
    assert.equal(runs, 2);
    assert.equal((await findClient(db, order.id))?.name, order.name);
  });

  it('a connection that the server ends during a large answer is replaced, and the question is asked again', async () => {
    const single = await store.open({ poolSize: 1 });
    await single.read(sql`select 1 as one`);
    const [own] = await single.read<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    const slow = single.readLarge(sql`select ${1} from pg_sleep(${1})`, (fields) => fields.integer());
    await db.read(sql`select pg_terminate_backend(${own!.pid}::int)`);
    using answer = await slow;
    assert.deepEqual(answer.rows, [1]);
  });

  it('texts cannot stand in the question of a large answer, where they would not be parameters', async () => {
    await assert.rejects(
      async () => db.readLarge(sql`select ${'text'}`, (fields) => fields.text()),
      /Only whole numbers/,
    );
  });

  it('a first statement that fails, which goes along with the begin, leaves the connection as good as it was', async () => {
    const single = await store.open({ poolSize: 1 });
    await assert.rejects(
      single.write(function* failing(): Steps<void> {
        yield sql`select 1 / ${0}::int`;
      }, {}),
      /division by zero/,
    );
    const order = clientOrder();
    await single.write(createClient, order);
    assert.equal((await findClient(db, order.id))?.id, order.id);
  });

  it('a number in a first statement is typed by what stands around it, as in any other', async () => {
    const statement = sql`select ${2 ** 31}::bigint * ${4} as product, ${7} as text, ${-1}::bigint as below`;
    const rows = (): Promise<unknown> =>
      db.write(function* twice(): Steps<unknown> {
        const first = yield statement;
        const second = yield statement;
        return [first.rows, second.rows];
      }, {});
    const expected = { product: 2 ** 33, text: '7', below: -1 };
    assert.deepEqual(await rows(), [[expected], [expected]]);
  });

  it('a text in a question comes back as it was, whatever characters it has, and ends no statement', async () => {
    const ascii = Array.from({ length: 127 }, (_, at) => String.fromCharCode(at + 1));
    const texts = [
      ...ascii.map((character) => `a${character}b`),
      "'; drop table account; --",
      "\\'; select 1; --",
      "E'\\x41'",
      '$$x$$ $1 $tag$y$tag$',
      '/* */ -- : ? {1,2} %s',
      '{1,NULL,"3"}',
      'Straße, naïve, Ω, 你好, 👩‍🚀',
      '\u2028\u00ad\ufeff\u200b',
      'x'.repeat(5_000),
      '',
    ];
    for (const text of texts) {
      const [row] = await db.read<{ same: string; account: number; length: number }>(sql`
        select cast(${text} as text) as same, ${7}::bigint as account, length(${text}) as length`);
      assert.deepEqual(row, { same: text, account: 7, length: [...text].length });
    }
    await assert.rejects(db.read(sql`select cast(${'a\0b'} as text) as same`));
  });

  it('lists of texts keep every one of them, whatever characters they have', async () => {
    const lists = [
      ['one', 'two "quoted"', 'three\\', 'Zoë 👩🏽‍🚀', '{4}', 'null', 'line\nfeed'],
      ['with \u0001 inside', 'plain'],
      ['', 'beside an empty one'],
      [''],
      ['alone'],
    ];
    for (const [list, texts] of lists.entries()) {
      await db.write(function* many(): Steps<void> {
        yield {
          table: 'heartbeat',
          columns: [
            ['replica', 'text'],
            ['at', 'integer'],
          ],
          rows: texts.map((text) => [`${text}`, 77_000 + list]),
        };
      }, {});
      const kept = await db.read<{ replica: string }>(
        sql`select replica from heartbeat where at = ${77_000 + list}`,
      );
      assert.deepEqual(kept.map(({ replica }) => replica).sort(), texts.toSorted());
      await storeRows(store.databaseUrl, `delete from heartbeat where at = ${77_000 + list}`);
    }
  });

  it('all connections ended at once, busy and idle, hurt no one', async () => {
    const busy = await store.open({ poolSize: 4 });
    let ended = false;
    const work = Array.from({ length: 12 }, (_, index) =>
      busy.write(
        function* slow(input: CreateClient): Steps<void> {
          if (!ended) yield sql`select pg_sleep(0.3), ${index}::text`;
          yield* createClient(input);
        },
        clientOrder({ name: 'all ended' }),
      ),
    );
    const sleeping = sql`select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
    await until(
      () => db.read(sleeping),
      // One of the four connections is left to questions.
      (rows) => rows.length === 3,
    );
    ended = true;
    await storeRows(
      store.databaseUrl,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await Promise.all(work);
    const kept = (await listClients(db, accountId)).filter(({ name }) => name === 'all ended');
    assert.equal(kept.length, 12);
  });

  it('no more connections than it was given, however much is asked at once', async () => {
    const narrow = await store.open({ poolSize: 3 });
    let most = 0;
    await Promise.all(
      Array.from({ length: 30 }, async () => {
        await narrow.read(sql`select pg_sleep(0.02)`);
        most = Math.max(most, narrow.figures().connections);
      }),
    );
    assert.equal(most, 3);
  });

  it('a question or change that takes too long is given up, and its late answer reaches nobody [D-20]', async () => {
    const hasty = await store.open({ timeoutMs: 200, poolSize: 1 });
    await assert.rejects(hasty.read(sql`select pg_sleep(3600), 'late' as word`), problemOf('STORE_TIMEOUT'));
    await assert.rejects(
      async () => hasty.readLarge(sql`select 'late' from pg_sleep(${3600})`, (fields) => fields.text()),
      problemOf('STORE_TIMEOUT'),
    );
    const tooSlow = clientOrder();
    await assert.rejects(
      hasty.write(function* slow(input: CreateClient): Steps<void> {
        yield* createClient(input);
        yield sql`select pg_sleep(3600)`;
      }, tooSlow),
      problemOf('STORE_TIMEOUT'),
    );
    assert.deepEqual({ ...(await hasty.read(sql`select 'fresh' as word`))[0] }, { word: 'fresh' });
    assert.equal(await findClient(db, tooSlow.id), null);
  });

  it('statements have no names, so that nothing gathers in the server and a pooler may stand between', async () => {
    const single = await store.open({ poolSize: 1 });
    for (let index = 0; index < 50; index += 1) await single.read(raw(`select ${index} as number`));
    assert.deepEqual(await single.read(sql`select name from pg_prepared_statements`), []);
  });

  describe('when the connection breaks during a commit', () => {
    let proxy: CuttingProxy;
    let through: Db;
    let runs = 0;

    before(async () => {
      proxy = await cuttingProxy(store.databaseUrl);
      // One connection: the look-up must not wait for the one that broke.
      through = await openDb(proxy.databaseUrl, { timeoutMs: 5_000, poolSize: 1 });
    });
    after(async () => {
      await through?.close();
      await proxy?.close();
    });

    function* counted(input: CreateClient): Steps<string> {
      runs += 1;
      yield* createClient(input);
      return `made by run ${runs}`;
    }

    async function writeWith(cut: 'answer lost' | 'commit lost', order: CreateClient): Promise<string> {
      runs = 0;
      await through.read(sql`select 1 as one`);
      proxy.cutNext(cut);
      return through.write(counted, order);
    }

    it('a change that was kept is looked up by its id and not made twice', async () => {
      const order = clientOrder();
      assert.equal(await writeWith('answer lost', order), 'made by run 1');
      assert.equal(runs, 1);
      assert.equal((await findClient(db, order.id))?.name, order.name);
    });

    it('a change that was not kept is made again', async () => {
      const order = clientOrder();
      assert.equal(await writeWith('commit lost', order), 'made by run 2');
      assert.equal(runs, 2);
      assert.equal((await findClient(db, order.id))?.name, order.name);
    });

    it('a commit that the server gets late is found in the end, and its caller is told of success, not of a clash', async () => {
      const order = clientOrder();
      runs = 0;
      await through.read(sql`select 1 as one`);
      proxy.cutNext('commit late');
      const written = through.write(counted, order);
      const waiting = raw(await lockWaits());
      await until(
        () => db.read(sql`${waiting}`),
        (rows) => rows.length > 0,
      );
      proxy.deliver();
      assert.equal(await written, 'made by run 1');
      const audited = await db.read(sql`select id from audit where id = ${order.changeId}`);
      assert.equal(audited.length, 1);
    });

    it('a change that does no harm twice, and so has no id, is simply made again', async () => {
      await through.read(sql`select 1 as one`);
      proxy.cutNext('answer lost');
      const before = proxy.commits;
      await through.write(beat, beatOf('twice'));
      assert.equal(proxy.commits - before, 2);
      assert.equal((await replicas(db)).filter((replica) => replica === 'twice').length, 1);
    });
  });
});
