// As test/faults/kill.test.ts, a thousand times. A store is left after some of its kills, because each look at what is
// left reads all of it.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../support/engines.ts';
import { KillRounds } from '../support/kill-rounds.ts';
import { createPostgresServer, type PostgresServer } from '../support/postgres-server.ts';

const killsOfService = { sqlite: 900, postgres: 80 };
const killsOfServer = 20;
const killsOfStore = 20;
const seed = Math.floor(Math.random() * 2 ** 31);

for (const engine of engines) {
  describe(`the service killed ${killsOfService[engine.name]} times on ${engine.name}, seed ${seed}`, () => {
    for (let first = 0; first < killsOfService[engine.name]; first += killsOfStore) {
      it(`kills ${first + 1} to ${first + killsOfStore}: nothing acknowledged is lost or doubled, counters and figures agree with rows, the store opens clean [D-40] [D-41] [D-475]`, async () => {
        const store = await engine.newStore();
        try {
          const rounds = new KillRounds(store.databaseUrl, seed + first);
          await rounds.prepare();
          for (let kill = 0; kill < killsOfStore; kill += 1) await rounds.killService();
          await rounds.checkFigures();
          await rounds.checkOverHttp();
          assert.ok(rounds.acknowledged > 0);
        } finally {
          await store.dispose();
        }
      });
    }
  });
}

describe(`PostgreSQL itself killed ${killsOfServer} times, seed ${seed}`, () => {
  let server: PostgresServer;

  before(async () => {
    server = await createPostgresServer();
    await server.start();
  });
  after(() => server?.dispose());

  it('nothing acknowledged is lost or doubled, counters agree with rows, and the service lives on [D-40] [D-41]', async () => {
    const rounds = new KillRounds(server.url, seed);
    await rounds.prepare();
    await rounds.killServers(server, killsOfServer);
    await rounds.checkOverHttp();
    assert.ok(rounds.acknowledged > 0);
  });
});
