// What PostgreSQL cannot answer in time is ended at the server: a lock that somebody else holds, a standby that does not
// answer, or a replica that stands still may cost answers, and never connections beyond the pool.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { keptResponses, postResponse, prepareFeedback } from '../../support/feedback.ts';
import { createPostgresServer, type PostgresServer } from '../../support/postgres-server.ts';
import { callStandard, standardUser } from '../../support/scim.ts';
import { type ServiceProcess, startProcess, tokenFor, until } from '../../support/service.ts';

const poolSize = 4;
// Beside the pool: the one that asks whether late statements are worked on [D-900].
const asking = 1;
const patience = { timeout: 90_000 };

describe('a PostgreSQL server that cannot answer in time', () => {
  let server: PostgresServer;
  let service: ServiceProcess;
  let outside: pg.Client;
  let token: string;
  let env: Record<string, string>;

  before(async () => {
    server = await createPostgresServer();
    await server.start();
    env = {
      DATABASE_URL: server.url,
      SOUNDINGS_THROTTLE: 'off',
      SOUNDINGS_POOL_SIZE: String(poolSize),
      SOUNDINGS_STORE_TIMEOUT_MS: '1000',
    };
    const client = await prepareFeedback(env);
    service = await startProcess(env);
    service.expectErrors('STORE_UNREACHABLE', 'STORE_TIMEOUT');
    token = await tokenFor(service.baseUrl, client);
    outside = new pg.Client({ connectionString: server.url });
    await outside.connect();
  });
  after(async () => {
    await service?.kill();
    await outside?.end();
    await server?.dispose();
  });

  const users = async (method: string, path: string, body?: object, from = service): Promise<number> =>
    (await callStandard(from.baseUrl, token, method, `/Users${path}`, body === undefined ? {} : { body }))
      .status;
  const measures = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    const answer = await fetch(`${service.baseUrl}/v1/measures`, { headers });
    await answer.arrayBuffer();
    return answer.status;
  };
  const readyz = async (): Promise<number> => (await fetch(`${service.baseUrl}/readyz`)).status;
  const others = "from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()";

  /** The most connections that the server had at once while something was done. */
  async function mostConnections(work: () => Promise<void>): Promise<number> {
    let most = 0;
    let isOver = false;
    const watching = (async () => {
      while (!isOver) {
        const { rows } = await outside.query(`select count(*)::int as open ${others}`);
        most = Math.max(most, rows[0].open);
        await new Promise((resume) => setTimeout(resume, 20));
      }
    })();
    try {
      await work();
    } finally {
      isOver = true;
      await watching;
    }
    return most;
  }

  it(
    'a table locked from outside costs answers, and never more connections than the pool has and one to ask on [D-170] [D-900]',
    patience,
    async () => {
      for (let at = 0; at < 200; at += 1)
        assert.equal(await users('POST', '', standardUser(`lock-${at}`)), 201);
      const locking = new pg.Client({ connectionString: server.url });
      await locking.connect();
      const most = await mostConnections(async () => {
        await locking.query('begin');
        await locking.query('lock table account_user in access exclusive mode');
        try {
          for (let round = 0; round < 4; round += 1) {
            const asked = Array.from({ length: 24 }, (_, at) => {
              if (at % 3 === 0) return users('POST', '', standardUser(`late-${round}-${at}`));
              return users('GET', at % 3 === 1 ? '?count=10' : `?filter=userName%20eq%20%22lock-${at}%22`);
            });
            assert.deepEqual([...new Set(await Promise.all(asked))], [502]);
          }
          // Nobody waits for the lock any more, though it is still held: the server has ended every statement.
          await until(
            async () => (await outside.query(`select pid ${others} and wait_event_type = 'Lock'`)).rows,
            (rows) => rows.length === 0,
          );
        } finally {
          await locking.query('rollback');
          await locking.end();
        }
      });
      // Whoever looks into the log sees what to do where many wait for few connections.
      await until(
        async () => service.output(),
        (output) => output.includes('all 4 connections were in use; raise SOUNDINGS_POOL_SIZE'),
      );
      // One of them is the one that holds the lock.
      assert.ok(most <= poolSize + asking + 1, `There were ${most} connections.`);
      await until(
        () => users('GET', '?count=10'),
        (status) => status === 200,
      );
      assert.equal(await users('POST', '', standardUser('afterwards')), 201);
    },
  );

  it(
    'a standby that hangs stops changes and not questions, it is not ready, and nothing unsafe is acknowledged [D-170] [D-171]',
    patience,
    async () => {
      const answered = new Set<string>();
      const post = async (id: string): Promise<number> => {
        const { status } = await postResponse(service.baseUrl, token, id);
        if (status === 200) answered.add(id);
        return status;
      };
      const standby = async (names: string): Promise<void> => {
        await outside.query(`alter system set synchronous_standby_names = '${names}'`);
        await outside.query('select pg_reload_conf()');
        await until(
          async () =>
            (await outside.query('show synchronous_standby_names')).rows[0].synchronous_standby_names,
          (shown) => shown === names,
        );
      };
      await standby('away');
      const most = await mostConnections(async () => {
        try {
          for (let round = 0; round < 4; round += 1) {
            const changes = Array.from({ length: 12 }, (_, at) =>
              at % 2 === 0
                ? post(`standby-${round}-${at}`)
                : users('POST', '', standardUser(`standby-${round}-${at}`)),
            );
            const questions = await Promise.all([measures(), users('GET', '?count=5'), measures()]);
            assert.deepEqual([...new Set(questions)], [200]);
            assert.deepEqual([...new Set(await Promise.all(changes))], [502]);
          }
          await until(readyz, (status) => status === 503);
        } finally {
          await standby('');
        }
      });
      assert.ok(most <= poolSize + asking, `There were ${most} connections.`);
      assert.equal(answered.size, 0);
      await until(readyz, (status) => status === 200);
      // A retry of each is kept once, whatever became of the first.
      for (let round = 0; round < 4; round += 1)
        for (let at = 0; at < 12; at += 2) assert.equal(await post(`standby-${round}-${at}`), 200);
      const kept = (await keptResponses(service.baseUrl, token)).filter((id) => id.startsWith('standby-'));
      assert.deepEqual(kept.toSorted(), [...answered].sort());
    },
  );

  it(
    'a replica that stands still in the middle of a change holds nobody up for longer than a second or two, and goes on when it wakes [D-172]',
    patience,
    async () => {
      const frozen = await startProcess(env);
      frozen.expectErrors('STORE_UNREACHABLE', 'STORE_TIMEOUT');
      const idle = "select pid from pg_stat_activity where state = 'idle in transaction'";
      const created: string[] = [];
      let isOver = false;
      const load = Array.from({ length: 4 }, async (_, lane) => {
        for (let at = 0; !isOver; at += 1) {
          const userName = `frozen-${lane}-${at}`;
          if ((await users('POST', '', standardUser(userName), frozen)) === 201) created.push(userName);
        }
      });
      try {
        // Stopped again and again, until it stands between two statements of a change.
        for (let isCaught = false; !isCaught; ) {
          process.kill(frozen.pid, 'SIGSTOP');
          isCaught = (await outside.query(idle)).rows.length > 0;
          if (!isCaught) {
            process.kill(frozen.pid, 'SIGCONT');
            await new Promise((resume) => setTimeout(resume, 3));
          }
        }
        await until(
          () => users('POST', '', standardUser(`beside-${performance.now()}`)),
          (status) => status === 201,
          5_000,
        );
      } finally {
        process.kill(frozen.pid, 'SIGCONT');
      }
      const before = created.length;
      await until(
        async () => created.length,
        (count) => count > before + 5,
      );
      isOver = true;
      await Promise.all(load);
      for (const userName of created)
        assert.equal(await users('GET', `?filter=userName%20eq%20%22${userName}%22`), 200);
      const { rows } = await outside.query(
        `select count(*)::int as kept from account_user where user_name_key like 'frozen-%'`,
      );
      assert.ok(rows[0].kept >= created.length);
      assert.equal(await frozen.stop(), 0);
    },
  );
});
