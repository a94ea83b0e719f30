// PostgreSQL is away or slow when the service starts, as it is when both are started together.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { keptResponses, postResponse, prepareFeedback } from '../support/feedback.ts';
import { createPostgresServer, freePort, type PostgresServer } from '../support/postgres-server.ts';
import { type Service, soundings, startProcess, tokenFor, until } from '../support/service.ts';

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
