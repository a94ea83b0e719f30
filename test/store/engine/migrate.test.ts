import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { createMigrationTables, migrate, schemaStatus } from '../../../src/store/engine/migrate.ts';
import { steps } from '../../../src/store/engine/migrations/steps.ts';
import { openDb } from '../../../src/store/open-db.ts';
import { writeCatalogue } from '../../support/catalogue.ts';
import { engines, type TestStore } from '../../support/engines.ts';
import { patient } from '../../support/open-db.ts';
import { createClient, setUp, soundings, soundingsOk, tokenFor } from '../../support/service.ts';
import { startService } from '../../support/service-here.ts';
import { storeRows, storeTables, wholeStore } from '../../support/store-rows.ts';
import { type HeldLock, holdWriteLock } from '../../support/write-lock.ts';

const allSteps = steps.map(({ number, name }) => `${number} ${name}`);
const lastStep = steps.at(-1)!.number;

interface Migrated {
  readonly made: readonly string[];
  readonly current: number;
  readonly wanted: number;
  readonly pending: readonly string[];
  readonly tasks: readonly { readonly state: string }[];
}

describe('the steps of the schema', () => {
  it('have numbers that go up, so that the last one says where a store stands', () => {
    const numbers = steps.map(({ number }) => number);
    assert.deepEqual(
      numbers,
      [...new Set(numbers)].sort((one, other) => one - other),
    );
  });
});

for (const engine of engines) {
  describe(`migrating on ${engine.name}`, () => {
    let store: TestStore;
    let env: { DATABASE_URL: string };

    before(async () => {
      store = await engine.newStore();
      env = { DATABASE_URL: store.databaseUrl };
    });
    after(() => store?.dispose());

    it('--status tells of a new store that it lacks every step, fails, and changes nothing', async () => {
      const { code, stdout, stderr } = await soundings(['migrate', '--status'], env);
      assert.equal(code, 1);
      assert.equal(stdout, '');
      for (const step of allSteps) assert.ok(stderr.includes(step));
      assert.match(stderr, /Run "soundings migrate"\.\n$/);
      const asJson = await soundings(['migrate', '--status', '--json'], env);
      assert.equal(asJson.code, 1);
      const { tasks, ...status } = JSON.parse(asJson.stdout) as Migrated;
      assert.deepEqual(status, { current: 0, wanted: lastStep, pending: allSteps });
      assert.ok(tasks.every(({ state }) => state === 'waits' || state === 'follows'));
      assert.deepEqual(await storeTables(store.databaseUrl), []);
    });

    it('many processes started at once on a new store make every step once, and all of them go on', async () => {
      const services = [startService(env), startService(env)];
      const commands = Array.from({ length: 4 }, () => soundings(['migrate', '--json'], env));
      const results = await Promise.all(commands);
      const replicas = await Promise.allSettled(services);
      const started = replicas.flatMap((replica) => (replica.status === 'fulfilled' ? [replica.value] : []));
      try {
        assert.deepEqual(
          results.map(({ code, stderr }) => [code, code === 0 ? '' : stderr]),
          results.map(() => [0, '']),
        );
        assert.equal(started.length, services.length, JSON.stringify(replicas));
        for (const { baseUrl } of started) assert.equal((await fetch(`${baseUrl}/readyz`)).status, 200);
        const reports = results.map(({ stdout }) => JSON.parse(stdout) as Migrated);
        const made = reports.flatMap((report) => report.made);
        assert.deepEqual(made, [...new Set(made)], 'a step was made twice');
        assert.ok(reports.every(({ current, pending }) => current === lastStep && pending.length === 0));
        const kept = await storeRows(
          store.databaseUrl,
          'select number, name from schema_step order by number',
        );
        assert.deepEqual(
          kept.map(({ number, name }) => `${number} ${name}`),
          allSteps,
        );
      } finally {
        await Promise.all(started.map((service) => service.stop()));
      }
    });

    it('they agree on one identity and one signing key [D-13]', async () => {
      const { store: identities, signing_key: keys } = await wholeStore(store.databaseUrl);
      assert.deepEqual([identities?.length, keys?.length], [1, 1]);
    });

    it('migrating a store that is up to date says so and changes nothing', async () => {
      const before = await wholeStore(store.databaseUrl);
      assert.match(await soundingsOk(['migrate'], env), /^The schema is up to date \(step \d+\)\.\n$/);
      const { tasks: _tasks, ...again } = JSON.parse(
        await soundingsOk(['migrate', '--json'], env),
      ) as Migrated;
      assert.deepEqual(again, { made: [], current: lastStep, wanted: lastStep, pending: [] });
      assert.match(await soundingsOk(['migrate', '--status'], env), /up to date/);
      assert.deepEqual(await wholeStore(store.databaseUrl), before);
    });

    it('a store with newer steps than the code keeps serving, while a newer release rolls out', async () => {
      await storeRows(
        store.databaseUrl,
        `insert into schema_step (number, name, applied_at) values (${lastStep + 7}, 'of the next release', 1)`,
      );
      const { tasks: _tasks, ...status } = JSON.parse(
        await soundingsOk(['migrate', '--status', '--json'], env),
      ) as Migrated;
      assert.deepEqual(status, { current: lastStep + 7, wanted: lastStep, pending: [] });
      const service = await startService(env);
      try {
        assert.equal((await fetch(`${service.baseUrl}/readyz`)).status, 200);
        const file = writeCatalogue({
          accounts: [{ id: 1, name: 'One', measures: [{ key: 7, name: 'Seven' }] }],
        });
        await setUp(['apply', file], env);
        const token = await tokenFor(service.baseUrl, await createClient(env, 1));
        const answer = await fetch(`${service.baseUrl}/v1/measures`, {
          headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
        });
        assert.equal(answer.status, 200);
      } finally {
        await service.stop();
      }
      const kept = await storeRows(store.databaseUrl, 'select max(number) as last from schema_step');
      assert.equal(Number(kept[0]?.last), lastStep + 7);
    });

    it('waits while another process is at a step, and goes on when that one has died', async () => {
      const shared = await engine.newStore();
      const other = await openDb(shared.databaseUrl, patient);
      const db = await openDb(shared.databaseUrl, { timeoutMs: 300, poolSize: 2 });
      try {
        await other.write(createMigrationTables, {});
        const atStep = await holdStep(shared.databaseUrl);
        let isOver = false;
        const migrated = migrate(db, Date.now).finally(() => {
          isOver = true;
        });
        // Several of its attempts have been given up by now, and it is still there.
        await new Promise((resume) => setTimeout(resume, 1_000));
        assert.deepEqual([isOver, (await schemaStatus(other)).current], [false, 0]);
        await atStep.release();
        assert.deepEqual((await migrated).slice(0, allSteps.length), allSteps);
      } finally {
        await other.close();
        await db.close();
        await shared.dispose();
      }
    });

    it('waits for another process as long as that one makes steps, and two minutes for one step [D-900]', async () => {
      const shared = await engine.newStore();
      const db = await openDb(shared.databaseUrl, { timeoutMs: 100, poolSize: 2 });
      await db.write(createMigrationTables, {});
      const other = await stepsOfAnother(shared.databaseUrl);
      let elapsedMs = 0;
      let attempts = 0;
      const stepsOfOther = 5;
      try {
        const migrated = migrate(db, Date.now, {
          elapsedMs: () => elapsedMs,
          async beforeStep() {
            elapsedMs += 100_000;
            if (attempts < stepsOfOther) await other.step(attempts + 1);
            attempts += 1;
          },
        });
        await assert.rejects(migrated, { code: 'STORE_TIMEOUT', message: /at one step/ });
        assert.equal(attempts, stepsOfOther + 2);
        assert.equal((await schemaStatus(db)).current, stepsOfOther);
      } finally {
        await other.release();
        await db.close();
        await shared.dispose();
      }
    });

    it('a lease that an earlier release left behind, whatever its time, stops nobody', async () => {
      const abandoned = await engine.newStore();
      const db = await openDb(abandoned.databaseUrl, patient);
      try {
        await db.write(createMigrationTables, {});
        await storeRows(
          abandoned.databaseUrl,
          `insert into lease (name, holder, until) values ('migration', 'dead', 9000000000000000)`,
        );
        assert.deepEqual((await migrate(db, Date.now)).slice(0, allSteps.length), allSteps);
        const [lease] = await storeRows(abandoned.databaseUrl, 'select until from lease');
        assert.equal(Number(lease?.until), 0);
      } finally {
        await db.close();
        await abandoned.dispose();
      }
    });
  });
}

/** A process that makes one step after the other, and is always at the next. */
async function stepsOfAnother(
  databaseUrl: string,
): Promise<HeldLock & { step(number: number): Promise<unknown> }> {
  const insert = (number: number): string =>
    `insert into schema_step (number, name, applied_at) values (${number}, 'of another', 1)`;
  if (!databaseUrl.startsWith('sqlite:')) {
    const held = await holdStep(databaseUrl);
    return { ...held, step: (number) => storeRows(databaseUrl, insert(number)) };
  }
  const connection = new DatabaseSync(databaseUrl.slice('sqlite:'.length));
  connection.exec('begin immediate');
  return {
    async step(number) {
      // Between two attempts of the one that waits, nobody else takes the lock.
      connection.exec(insert(number));
      connection.exec('commit');
      connection.exec('begin immediate');
    },
    async release() {
      connection.close();
    },
  };
}

/** Stands where another process stands while it makes a step: with the row of the lease in its transaction. */
async function holdStep(databaseUrl: string): Promise<HeldLock> {
  if (databaseUrl.startsWith('sqlite:')) return holdWriteLock(databaseUrl);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query(`insert into lease (name, holder, until) values ('migration', 'another', 0)`);
  return { release: () => client.end() };
}
