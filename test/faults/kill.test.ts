// Kill -9 at random moments under load. A kill alone cannot tell whether a commit reached the disk: that answers wait
// for commits that are made to last is in durable-answers.test.ts.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines, type TestStore } from '../support/engines.ts';
import { KillRounds } from '../support/kill-rounds.ts';
import { createPostgresServer, type PostgresServer } from '../support/postgres-server.ts';

// Each run of the tests has another seed, and test/long kills a thousand times.
const killsOfService = { sqlite: 3, postgres: 2 };
const killsOfServer = 2;
const seed = Math.floor(Math.random() * 2 ** 31);

for (const engine of engines) {
  describe(`the service killed ${killsOfService[engine.name]} times on ${engine.name}, seed ${seed}`, () => {
    let store: TestStore;

    before(async () => {
      store = await engine.readyStore();
    });
    after(() => store?.dispose());

    it('no acknowledged response is lost, none is doubled by a retry, counters and figures agree with rows, the store opens clean [D-40] [D-41] [D-475]', async () => {
      const rounds = new KillRounds(store.databaseUrl, seed);
      await rounds.prepare();
      for (let kill = 0; kill < killsOfService[engine.name]; kill += 1) await rounds.killService();
      await rounds.checkFigures();
      await rounds.checkOverHttp();
      assert.ok(rounds.acknowledged > 0);
    });
  });
}

describe(`PostgreSQL itself killed ${killsOfServer} times, seed ${seed}`, () => {
  let server: PostgresServer;

  before(async () => {
    server = await createPostgresServer();
    await server.start();
  });
  after(() => server?.dispose());

  it('no acknowledged response is lost, none is doubled by a retry, counters agree with rows, and the service lives on [D-40] [D-41]', async () => {
    const rounds = new KillRounds(server.url, seed);
    await rounds.prepare();
    await rounds.killServers(server, killsOfServer);
    await rounds.checkOverHttp();
    assert.ok(rounds.acknowledged > 0);
  });
});
