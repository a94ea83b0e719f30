// PostgreSQL is away or slow when the service starts, as it is when both are started together.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { postgres, type TestStore } from '../support/engines.ts';
import { keptResponses, postResponse, prepareFeedback } from '../support/feedback.ts';
import { createPostgresServer, freePort, type PostgresServer } from '../support/postgres-server.ts';
import {
  type Service,
  type ServiceProcess,
  soundings,
  startProcess,
  tokenFor,
  until,
} from '../support/service.ts';
import { type SlowWire, slowWire } from '../support/slow-wire.ts';

describe('a service that starts before its PostgreSQL server', () => {
  let server: PostgresServer;
  let env: Record<string, string>;
  before(async () => {
    server = await createPostgresServer();
    env = { DATABASE_URL: server.url, SOUNDINGS_THROTTLE: 'off', SOUNDINGS_LOG_LEVEL: 'silent' };
  });
  after(() => server?.dispose());

  const statusOf = async (url: string): Promise<number> => {
    const answer = await fetch(url, { headers: { accept: 'application/json' } }).catch(() => null);
    await answer?.arrayBuffer();
    return answer?.status ?? 0;
  };

  async function waitsAndServes(workers: string): Promise<void> {
    const port = await freePort();
    const base = `http://127.0.0.1:${port}`;
    const starting = startProcess({ ...env, SOUNDINGS_WORKERS: workers }, ['--port', String(port)]);
    starting.catch(() => {});
    await until(
      () => statusOf(`${base}/livez`),
      (status) => status === 200,
    );
    const asked = ['/readyz', '/v1/measures', '/scim/v2/Users', '/docs', '/livez'];
    assert.deepEqual(
      await Promise.all(asked.map((path) => statusOf(`${base}${path}`))),
      [503, 502, 502, 502, 200],
    );
    const reasons = ((await (await fetch(`${base}/readyz`)).json()) as { reasons: string[] }).reasons;
    assert.deepEqual(reasons, ['The store has not been reached yet.']);
    await server.start();
    let service: Service | null = null;
    try {
      service = await starting;
      assert.equal(service.baseUrl, base);
      const { output } = service;
      await until(
        async () => output(),
        (text) => /cannot be reached.*\nWaiting for it, at most 60 s/.test(text),
      );
      assert.equal(await statusOf(`${base}/readyz`), 200);
      const token = await tokenFor(base, await prepareFeedback(env));
      assert.equal((await postResponse(base, token, `first-${workers}`)).status, 200);
      assert.ok((await keptResponses(base, token)).includes(`first-${workers}`));
    } finally {
      assert.equal(await service?.stop(), 0);
    }
  }

  it('waits and says so, is alive and not ready, and serves when the database is there [D-174]', () =>
    waitsAndServes('1'));

  it('the same with workers [D-174]', async () => {
    await server.stop('fast');
    await waitsAndServes('2');
  });

  it('ends with a clear message when the time that was set is over [D-174]', async () => {
    await server.stop('fast');
    const { code, stderr } = await soundings(['serve', '--port', '0'], {
      ...env,
      SOUNDINGS_START_PATIENCE_SECONDS: '1',
    });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /cannot be reached: .*It was waited for 1 s \(SOUNDINGS_START_PATIENCE_SECONDS\)\.\n$/,
    );
  });

  it('does not wait for a database that the server does not have: that must be mended [D-174]', async () => {
    await server.start();
    const missing = new URL(server.url);
    missing.pathname = '/no_such_database';
    const { code, stderr } = await soundings(['serve', '--port', '0'], {
      ...env,
      DATABASE_URL: missing.href,
    });
    assert.equal(code, 1);
    assert.match(stderr, /no_such_database.*does not exist/);
    assert.doesNotMatch(stderr, /Waiting/);
  });
});

describe('a service whose PostgreSQL server is slow while it starts', () => {
  const env = { SOUNDINGS_THROTTLE: 'off', SOUNDINGS_LOG_LEVEL: 'silent' };
  const delaysMs = [50, 500, 5_000];

  async function startOver(wire: SlowWire, args: readonly string[]): Promise<Service> {
    const limits = { SOUNDINGS_STORE_TIMEOUT_MS: '200', SOUNDINGS_START_PATIENCE_SECONDS: '60' };
    return startProcess({ ...env, ...limits, DATABASE_URL: wire.databaseUrl }, args);
  }

  /** Whichever message of the start is late: it serves, and has said what it waited for if it waited. */
  async function startsWhateverIsLate(
    newStore: () => Promise<TestStore>,
    args: readonly string[],
    points: (messages: number) => readonly number[],
  ): Promise<void> {
    const startWithLate = async (number: number, ms: number): Promise<number> => {
      const store = await newStore();
      const wire = await slowWire(store.databaseUrl);
      try {
        wire.delay(number, ms);
        const service = await startOver(wire, args);
        const messages = wire.sent;
        const ready = await until(
          async () => (await fetch(`${service.baseUrl}/readyz`)).status,
          (status) => status === 200,
        );
        assert.equal(ready, 200, service.output());
        if (args.includes('--demo')) assert.ok('demoClient' in (service as ServiceProcess).announcement);
        assert.equal(await service.stop(), 0, service.output());
        return messages;
      } catch (error) {
        throw new Error(`Message ${number}, late by ${ms} ms`, { cause: error });
      } finally {
        await wire.close();
        await store.dispose();
      }
    };
    const messages = await startWithLate(0, 0);
    for (const [index, number] of points(messages).entries())
      await startWithLate(number, delaysMs[index % delaysMs.length]!);
  }

  const all = (messages: number): readonly number[] => Array.from({ length: messages }, (_, at) => at + 1);
  const some = (messages: number): readonly number[] =>
    Array.from({ length: 6 }, (_, at) => 1 + Math.floor((messages * at) / 6));

  it('serves, whichever statement of the start is late [D-174]', () =>
    startsWhateverIsLate(postgres.readyStore, [], all));

  it('the same with workers [D-174]', () =>
    startsWhateverIsLate(postgres.readyStore, ['--workers', '2'], some));

  it('makes its schema and loads its demo once, whichever statement is late [D-174]', () =>
    startsWhateverIsLate(postgres.newStore, ['--demo'], some));
});
