import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import sql, { raw } from 'sql-template-tag';
import { commandLineRights } from '../../src/domain/access/role-rules.ts';
import type { Problem } from '../../src/domain/problem.ts';
import { createUser, reactivate, suspend, type User } from '../../src/domain/provisioning/user.ts';
import type { Value } from '../../src/domain/provisioning/value.ts';
import { matches } from '../../src/scim/evaluate.ts';
import { serviceFace } from '../../src/scim/faces.ts';
import { resourceOf } from '../../src/scim/resource.ts';
import type { Db, Whole } from '../../src/store/engine/db.ts';
import { patientWork } from '../../src/store/engine/work/scan-slots.ts';
import { openDb } from '../../src/store/open-db.ts';
import { usersWithPart } from '../../src/store/provisioning/name-parts.ts';
import { createUsers } from '../../src/store/provisioning/new-users.ts';
import { createUsersQuickly } from '../../src/store/provisioning/quick-creation.ts';
import { UserCreation } from '../../src/store/provisioning/user-creation.ts';
import { deleteUser } from '../../src/store/provisioning/user-deletion.ts';
import { findUserById } from '../../src/store/provisioning/user-lookup.ts';
import { recordOf } from '../../src/store/provisioning/user-record.ts';
import { saveUser } from '../../src/store/provisioning/user-saving.ts';
import { searchUsers } from '../../src/store/provisioning/users-search.ts';
import { auditOf } from '../support/audit-of.ts';
import { writeCatalogue } from '../support/catalogue.ts';
import { type CuttingProxy, cuttingProxy } from '../support/cutting-proxy.ts';
import { engines, isSpread, plainPostgres, type TestStore } from '../support/engines.ts';
import { setUp, until } from '../support/service.ts';
import { storeRows } from '../support/store-rows.ts';

const nowMs = Date.UTC(2026, 0, 31);
const order = () => ({ changeId: randomUUID(), nowMs, actor: 'tester', rights: commandLineRights });
const draft = (accountId: number, userName: string, rest: Readonly<Record<string, Value>> = {}): User =>
  createUser({ userName, ...rest }, { accountId, id: 0, nowMs });

for (const engine of engines) {
  describe(`users in the store on ${engine.name}`, () => {
    let store: TestStore;
    let db: Db;
    let creation: UserCreation;
    before(async () => {
      store = await engine.readyStore();
      // The command line founds the store and its accounts.
      const accounts = [1, 2, 3, 4, 5, 6].map((id) => ({ id, name: `Account ${id}` }));
      await setUp(['apply', writeCatalogue({ accounts })], { DATABASE_URL: store.databaseUrl });
      db = await openDb(store.databaseUrl, { timeoutMs: 20_000, poolSize: 4 });
      creation = new UserCreation(db);
    });
    after(async () => {
      await db?.close();
      await store?.dispose();
    });

    const page = (accountId: number, skip: number, take: number, filter?: string) =>
      searchUsers(
        db,
        accountId,
        {
          filter: filter === undefined ? null : serviceFace.readFilter(filter),
          sort: null,
          window: { skip, take },
        },
        patientWork(),
      );

    /** What is counted of the users is what is there. */
    const assertCounted = async (): Promise<void> => {
      const counted = (table: string, column: string) =>
        storeRows(
          store.databaseUrl,
          `select account_id, cast(sum(${column}) as bigint) as users from ${table} group by account_id order by account_id`,
        );
      const users = await counted('account_user', '1');
      assert.deepEqual(await counted('user_counter', 'total'), users);
      assert.deepEqual(await counted('user_block', 'users'), users);
    };

    it('ids are unique in the store, from 1,000,000,001 up, in the order of commit within an account [D-50]', async () => {
      const made = await Promise.all(
        Array.from({ length: 60 }, (_, at) => creation.create(draft((at % 2) + 1, `u${at}`), order())),
      );
      const ids = made.map(({ id }) => id);
      assert.equal(new Set(ids).size, 60);
      assert.ok(ids.every((id) => id >= 1_000_000_001));
      for (const accountId of [1, 2]) {
        const own = made.filter((user) => user.accountId === accountId).map(({ id }) => id);
        assert.deepEqual(
          own,
          own.toSorted((a, b) => a - b),
        );
      }
    });

    it('an account that uses up its range goes on in another, and every page is where it belongs', async () => {
      const names = Array.from({ length: 2_500 }, (_, at) => `w${String(at).padStart(4, '0')}`);
      const half = names.slice(0, 1_250);
      await Promise.all(half.map((name) => creation.create(draft(3, name), order())));
      // Another account takes a range in between, so that the ids of account 3 have a gap.
      await Promise.all(half.map((name) => creation.create(draft(4, name), order())));
      await Promise.all(names.slice(1_250).map((name) => creation.create(draft(3, name), order())));
      for (const skip of [0, 1, 99, 1_023, 1_024, 1_025, 2_047, 2_048, 2_399, 2_499, 2_500]) {
        const { total, users } = await page(3, skip, 100);
        assert.equal(total, 2_500);
        assert.deepEqual(
          users.map((user) => user.profile.userName),
          names.slice(skip, skip + 100),
        );
      }
    });

    it('a page far down a long list is where it belongs, with gaps before it', async () => {
      const count = 36_000;
      const atOnce = 4_000;
      for (let first = 0; first < count; first += atOnce) {
        const users = Array.from({ length: atOnce }, (_, at) => ({
          ...recordOf(draft(6, `far${String(first + at).padStart(5, '0')}`)),
          ...order(),
        }));
        await db.write(createUsers, { accounts: [{ accountId: 6, users }] });
      }
      // Whole blocks are passed by their sum, so some of them are left with fewer users than others.
      const { users: all } = await page(6, 0, count);
      const isGone = (at: number): boolean => (at >= 1_000 && at < 1_100) || at % 500 === 7;
      for (const { id, revision: revisionBefore } of all.filter((_, at) => isGone(at)))
        await db.write(deleteUser, { ...order(), accountId: 6, id, revisionBefore });
      const left = all.filter((_, at) => !isGone(at)).map((user) => user.profile.userName);
      for (const skip of [
        0,
        999,
        1_000,
        1_001,
        30_000,
        32_767,
        32_768,
        33_000,
        left.length - 1,
        left.length,
      ]) {
        const { total, users } = await page(6, skip, 50);
        assert.equal(total, left.length);
        assert.deepEqual(
          users.map((user) => user.profile.userName),
          left.slice(skip, skip + 50),
        );
      }
    });

    it('a create and every change of state are in the audit log with caller and time [D-57]', async () => {
      const user = await creation.create(draft(5, 'audited', { externalId: 'x' }), order());
      const suspended = suspend(user, nowMs + 1);
      const at = (later: number) => ({ ...order(), nowMs: nowMs + later });
      assert.equal(await saveUser(db, user, suspended, at(1)), true);
      const back = reactivate(suspended, nowMs + 2);
      assert.equal(await saveUser(db, suspended, back, at(2)), true);
      const entries = await auditOf(db, 5, 10);
      assert.deepEqual(
        entries
          .filter(({ action }) => action.startsWith('user.'))
          .map(({ action, actor, atMs, subject }) => [action, actor, atMs - nowMs, subject]),
        [
          ['user.reactivate', 'tester', 2, `user ${user.id}`],
          ['user.suspend', 'tester', 1, `user ${user.id}`],
          ['user.create', 'tester', 0, `user ${user.id}`],
        ],
      );
    });

    it('a save at a revision that is gone changes nothing and is told [D-58]', async () => {
      const user = await creation.create(draft(5, 'revised'), order());
      const first = suspend(user, nowMs);
      assert.equal(await saveUser(db, user, first, order()), true);
      assert.equal(await saveUser(db, user, { ...first, lastModifiedMs: 5 }, order()), false);
      assert.deepEqual(await findUserById(db, 5, user.id), first);
    });

    it('one refused create does not take its batch along', async () => {
      await creation.create(draft(5, 'there'), order());
      const outcomes = await Promise.allSettled(
        ['new-1', 'THERE', 'new-2', 'new-1'].map((name) => creation.create(draft(5, name), order())),
      );
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
      );
    });

    it('of users of many accounts at once each hears of its own, whoever else clashes [D-189]', async () => {
      const accounts = [1, 2, 4, 5];
      const before = await Promise.all(
        accounts.map((accountId) =>
          creation.create(draft(accountId, 'Mixed', { externalId: 'mixed' }), order()),
        ),
      );
      // The next ids of account 1 are the addresses of others: one in the store, one in the same batch.
      const nextOf = (at: number): string => String(before[0]!.id + at);
      await creation.create(draft(1, 'numbered', { externalId: nextOf(4) }), order());
      const outcomes = await Promise.allSettled(
        Array.from({ length: 120 }, (_, at) => {
          const accountId = accounts[at % accounts.length]!;
          const isClash = accountId === 2 && at % 5 === 0;
          const isNumbered = at === 8;
          const externalId = isClash ? 'mixed' : isNumbered ? nextOf(9) : `mixed-${at}`;
          return creation.create(
            draft(accountId, isClash ? 'MIXED' : `mixed-${at}`, { externalId }),
            order(),
          );
        }),
      );
      for (const [at, outcome] of outcomes.entries()) {
        if (accounts[at % accounts.length] === 2 && at % 5 === 0) {
          assert.equal(outcome.status, 'rejected');
          const { details } = (outcome as PromiseRejectedResult).reason as Problem;
          assert.deepEqual(
            details?.map(({ field }) => field),
            ['userName', 'externalId'],
          );
        } else assert.equal(outcome.status, 'fulfilled', String(at));
      }
      const ids = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.id] : []));
      assert.equal(new Set(ids).size, ids.length);
      assert.ok(!ids.includes(Number(nextOf(4))) && !ids.includes(Number(nextOf(9))));
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') continue;
        const { accountId, id, profile } = outcome.value;
        assert.deepEqual((await findUserById(db, accountId, id))?.profile, profile);
      }
      await assertCounted();
    });

    it('two processes that create the same users at once make each of them once [D-189]', async () => {
      const other = await openDb(store.databaseUrl, { timeoutMs: 20_000, poolSize: 4 });
      try {
        const creations = [creation, new UserCreation(other)];
        const names = Array.from({ length: 300 }, (_, at) => `twice-${at}`);
        const made = await Promise.all(
          creations.flatMap((one) =>
            names.map((name, at) =>
              one.create(draft((at % 2) + 4, name), order()).then(
                () => 1,
                (error: Problem) => {
                  assert.equal(error.code, 'USER_NAME_TAKEN');
                  return 0;
                },
              ),
            ),
          ),
        );
        for (const at of names.keys()) assert.equal(made[at]! + made[at + names.length]!, 1, names[at]!);
        await assertCounted();
      } finally {
        await other.close();
      }
    });

    describe('search agrees with the plain meaning of filters', () => {
      const letters = ['a', 'b', 'é', 'E\u0301', 'ß', 'S', '%', '_', '\\', '🦊', 'ש', '"', "'", ' ', 'İ'];
      const name = fc.array(fc.constantFrom(...letters), { maxLength: 6 }).map((all) => all.join(''));
      const term = fc.record({
        attribute: fc.constantFrom('name.givenName', 'name.familyName'),
        operator: fc.constantFrom('co', 'sw', 'ew'),
        value: name.map((text) => text.slice(0, 4).toWellFormed()),
      });
      let users: User[];
      before(async () => {
        const names = fc.sample(fc.tuple(name, name), { numRuns: 150, seed: 7 });
        users = await Promise.all(
          names.map(([givenName, familyName], at) =>
            creation.create(
              draft(2, `random-${at}`, {
                name: { ...(givenName && { givenName }), ...(familyName && { familyName }) },
              }),
              order(),
            ),
          ),
        );
      });
      const hold = async (runs: number): Promise<void> => {
        await fc.assert(
          fc.asyncProperty(fc.array(term, { minLength: 1, maxLength: 3 }), async (terms) => {
            const text = terms
              .map(({ attribute, operator, value }) => `${attribute} ${operator} ${JSON.stringify(value)}`)
              .join(' and ');
            const filter = serviceFace.readFilter(text);
            const expected = users.filter((user) => matches(filter, resourceOf(user))).map(({ id }) => id);
            const found = await page(2, 0, 200, text);
            assert.deepEqual(
              [found.total, found.users.map(({ id }) => id)],
              [expected.length, expected],
              text,
            );
          }),
          { numRuns: runs, seed: 11 },
        );
      };

      it('for random names and filters', () => hold(300));
    });

    it('the index of parts of names leads to users of the account alone, however many others have the name [D-166]', async () => {
      const named = (accountId: number, count: number, familyName: string) =>
        Promise.all(
          Array.from({ length: count }, (_, at) => {
            const user = draft(accountId, `${familyName}${at}`);
            const profile = { ...user.profile, name: { familyName } };
            return creation.create({ ...user, profile }, order());
          }),
        );
      await named(5, 2_500, 'Wolkenstein');
      const own = await named(6, 3, 'Wolkenbruch');
      const candidates = async (accountId: number, needle: string): Promise<readonly number[]> => {
        const query = usersWithPart(db.dialect, accountId, 'name.familyName', needle);
        return (await db.read<{ id: number }>(query)).map(({ id }) => id).sort((a, b) => a - b);
      };
      assert.equal((await candidates(5, 'wolken')).length, 2_500);
      assert.deepEqual(
        await candidates(6, 'wolken'),
        own.map(({ id }) => id),
      );
      assert.deepEqual(await candidates(6, 'olkenstein'), []);
      // Also whom the search then looks at is told by the index, not by a walk through those of all accounts.
      await db.read(sql`${raw(engine.name === 'sqlite' ? 'select 1' : 'analyze user_name_part')}`);
      const words = raw(engine.name === 'sqlite' ? 'explain query plan ' : 'explain ');
      const plan = await db.read(sql`${words}${usersWithPart(db.dialect, 6, 'name.familyName', 'wolken')}`);
      // With Citus one worker is asked, and whether it needs an index for the few rows of its shard is its own matter.
      assert.match(
        JSON.stringify(plan),
        engine.name === 'postgres' && (await isSpread())
          ? /Task Count: 1"/
          : /VIRTUAL TABLE INDEX 0:M1|Index Scan on user_name_part_by_part/,
      );
    });

    for (const filter of ['sw "abcd"', 'ew "abcd"', 'co "abcd"']) {
      it(`name.familyName ${filter} does not read the table through`, async () => {
        const plans: string[] = [];
        const spy = new Proxy(db, {
          get: (target, member) =>
            member === 'read' ? explaining(target, plans) : Reflect.get(target, member, target),
        });
        // The server may have counted rows at a moment at which the parts of many names were to be refreshed.
        if (engine.name === 'postgres') await db.read(sql`analyze account_user`);
        const query = {
          filter: serviceFace.readFilter(`name.familyName ${filter}`),
          sort: null,
          window: { skip: 0, take: 100 },
        };
        await searchUsers(spy, 3, query, patientWork());
        const plan = plans.join('\n');
        assert.match(plan, /account_user/);
        if (engine.name === 'postgres' && (await isSpread())) {
          for (const [asked] of plan.matchAll(/Task Count: \d+/g)) assert.equal(asked, 'Task Count: 1');
          return;
        }
        assert.doesNotMatch(plan, /SCAN account_user|Seq Scan on account_user/, plan);
        if (filter.startsWith('co')) assert.match(plan, /account_user_parts_stale/, plan);
        // To read all users of the account through an index is to read the table through; that of rows to refresh is empty.
        assert.doesNotMatch(plan, /SEARCH account_user (?!.*parts_stale).*\(account_id=\?\)/, plan);
      });
    }
  });
}

describe('new users on postgres', () => {
  let store: TestStore;
  let proxy: CuttingProxy;
  let db: Db;
  before(async () => {
    store = await plainPostgres.readyStore();
    const accounts = [1, 2].map((id) => ({ id, name: `Account ${id}` }));
    await setUp(['apply', writeCatalogue({ accounts })], { DATABASE_URL: store.databaseUrl });
    proxy = await cuttingProxy(store.databaseUrl);
    db = await openDb(proxy.databaseUrl, { timeoutMs: 20_000, poolSize: 4 });
    for (const id of [1, 2]) await new UserCreation(db).create(draft(id, 'first'), order());
  });
  after(async () => {
    await db?.close();
    await proxy?.close();
    await store?.dispose();
  });

  it('are one statement for all of a batch, as long as nothing clashes and their ranges last [D-189]', async () => {
    const changes: string[] = [];
    const spy = new Proxy(db, {
      get: (target, member) =>
        member === 'write'
          ? (...[change, input, withinMs]: Parameters<Db['write']>) => {
              changes.push(change.name);
              return target.write(change, input, withinMs);
            }
          : Reflect.get(target, member, target),
    });
    const creation = new UserCreation(spy);
    for (const round of [1, 2, 3]) {
      await Promise.all(
        Array.from({ length: 200 }, (_, at) =>
          creation.create(draft((at % 2) + 1, `together-${round}-${at}`), order()),
        ),
      );
    }
    assert.deepEqual(changes, ['createUsersQuickly', 'createUsersQuickly', 'createUsersQuickly']);
  });

  it('look at no more rows once there are many, in a session that planned it while there were none [D-189]', async () => {
    const empty = await plainPostgres.newStore();
    await setUp(['apply', writeCatalogue({ accounts: [{ id: 1, name: 'Account 1' }] })], {
      DATABASE_URL: empty.databaseUrl,
    });
    await storeRows(
      empty.databaseUrl,
      'insert into user_counter (account_id, next_id, end_id, total) values (1, 1000000001, 1000100000, 0)',
    );
    const session = new pg.Client({ connectionString: empty.databaseUrl });
    await session.connect();
    const create = async (round: number): Promise<void> => {
      const users = Array.from({ length: 20 }, (_, at) => ({
        ...recordOf(draft(1, `user-${round}-${at}`, { externalId: `e-${round}-${at}` })),
        ...order(),
      }));
      const statement = createUsersQuickly({ accounts: [{ accountId: 1, users }] }).next().value as Whole;
      const { rows } = await session.query(statement.whole.text, [...statement.whole.values]);
      assert.ok(Number(rows[0].firstIds[0]) > 0);
    };
    const rowsRead = async (): Promise<number> => {
      await session.query('select pg_stat_force_next_flush()');
      const { rows } = await session.query(`
        select (sum(seq_tup_read) + sum(idx_tup_fetch))::integer as read
        from pg_stat_user_tables
        where relname in ('account_user', 'user_counter', 'user_block', 'user_email')`);
      return rows[0].read;
    };
    try {
      for (const table of ['account_user', 'user_counter', 'user_block', 'user_email'])
        await session.query(`vacuum analyze ${table}`);
      for (let round = 0; round < 20; round += 1) await create(round);
      const before = await rowsRead();
      for (let round = 20; round < 40; round += 1) await create(round);
      // A name, an address and an id for each, and the few rows of the account.
      const read = (await rowsRead()) - before;
      assert.ok(read < 20 * (3 * 20 + 10), `${read} rows`);
    } finally {
      await session.end();
      await empty.dispose();
    }
  });

  const cuts = ['answer lost', 'commit lost', 'commit late'] as const;
  for (const [way, cut] of cuts.flatMap((one) => [
    ['in one statement', one] as const,
    ['the long way', one] as const,
  ])) {
    it(`whose commit is in doubt are made once, ${way}: ${cut} [D-189]`, async () => {
      const creation = new UserCreation(db);
      const drafts = Array.from({ length: 12 }, (_, at) => draft((at % 2) + 1, `${way} ${cut} ${at}`));
      // Two of one name are settled the long way.
      const sent = way === 'the long way' ? [...drafts, drafts[0]!, drafts[1]!] : drafts;
      const before = proxy.commits;
      proxy.cutNext(cut);
      const creating = Promise.allSettled(sent.map((user) => creation.create(user, order())));
      await until(
        async () => proxy.commits,
        (commits) => commits > before,
      );
      if (cut === 'commit late' && way === 'the long way') {
        // The next attempt waits for the counters that the first one still holds.
        await until(
          () => storeRows(store.databaseUrl, `select 1 from pg_stat_activity where wait_event_type = 'Lock'`),
          (waiting) => waiting.length > 0,
        );
        await proxy.deliver();
      }
      const outcomes = await creating;
      // What commits by itself holds nothing before it is there: it comes when all is done already.
      await proxy.deliver();
      for (const [at, outcome] of outcomes.entries()) {
        if (at >= drafts.length) {
          assert.equal(outcome.status, 'rejected');
          continue;
        }
        assert.ok(outcome.status === 'fulfilled', String((outcome as PromiseRejectedResult).reason));
        const { accountId, id, profile } = outcome.value;
        assert.deepEqual((await findUserById(db, accountId, id))?.profile, profile);
      }
      const rows = await storeRows(
        store.databaseUrl,
        `select (select count(*) from account_user) as users, (select sum(total) from user_counter) as total,
          (select sum(users) from user_block) as blocks, (select count(*) from audit where action = 'user.create') as audit`,
      );
      const [{ users, ...others }] = rows as [Record<string, unknown>];
      assert.deepEqual(others, { total: users, blocks: users, audit: users });
    });
  }
});

/** Asks for the plan of every question instead of its answer. */
function explaining(db: Db, plans: string[]): Db['read'] {
  return (async (query: Parameters<Db['read']>[0]) => {
    if (!/(from|join) account_user/.test(query.sql)) return db.read(query);
    const words = db.engine === 'sqlite' ? 'explain query plan ' : 'explain ';
    const rows = await db.read(sql`${raw(words)}${query}`);
    plans.push(...rows.map((row) => JSON.stringify(row)));
    return [];
  }) as Db['read'];
}
