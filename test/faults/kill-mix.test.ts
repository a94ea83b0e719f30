// Everything at once, killed at random moments: nothing that was acknowledged is lost or doubled, and every webhook event
// that the log knows arrives, however often the service died.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../support/engines.ts';
import { KillMix } from '../support/kill-mix.ts';
import { createPostgresServer, type PostgresServer } from '../support/postgres-server.ts';

const isLong = process.env.TEST_LONG !== undefined;
const killsOfService = isLong ? { sqlite: 60, postgres: 30 } : { sqlite: 2, postgres: 1 };
const killsOfServer = isLong ? 15 : 1;
const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));

for (const engine of engines)
  it(`the mix is killed ${killsOfService[engine.name]} times on ${engine.name}, seed ${seed}: nothing lost, nothing doubled, every event told`, async (test) => {
    const store = await engine.newStore();
    const mix = new KillMix(store.databaseUrl, seed);
    try {
      await mix.prepare();
      for (let kill = 0; kill < killsOfService[engine.name]; kill += 1) await mix.killService();
      await mix.finish();
      assert.ok((mix.done.ingestion ?? 0) > 0);
      test.diagnostic(JSON.stringify(mix.done));
    } finally {
      await mix.dispose();
      await store.dispose();
    }
  });

describe('the server of PostgreSQL under the mix', () => {
  let server: PostgresServer;
  before(async () => {
    server = await createPostgresServer();
    await server.start();
  });
  after(() => server?.dispose());

  it(`is killed ${killsOfServer} times, seed ${seed}: nothing lost, nothing doubled, every event told`, async (test) => {
    const mix = new KillMix(server.url, seed);
    try {
      await mix.prepare();
      await mix.killServers(server, killsOfServer);
      await mix.finish();
      assert.ok((mix.done.ingestion ?? 0) > 0);
      test.diagnostic(JSON.stringify(mix.done));
    } finally {
      await mix.dispose();
    }
  });
});
