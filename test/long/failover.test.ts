// As test/faults/timed/failover.test.ts, over and over: no request fails, no response is lost or kept twice, and walks are whole.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { prepareFeedback } from '../support/feedback.ts';
import { FeedbackLoad } from '../support/feedback-load.ts';
import { ServerPair } from '../support/server-pair.ts';
import { type Service, startProcess, tokenFor } from '../support/service.ts';

const failovers = 30;
const restarts = 100;

describe('two replicas over a server and its standby', { concurrency: 1 }, () => {
  let pair: ServerPair;
  let env: Record<string, string>;
  let services: Service[] = [];
  let load: FeedbackLoad;

  before(async () => {
    pair = await ServerPair.start();
    // Longer than a promotion takes on a busy machine.
    env = { DATABASE_URL: pair.url, SOUNDINGS_THROTTLE: 'off', SOUNDINGS_STORE_TIMEOUT_MS: '15000' };
    const client = await prepareFeedback(env);
    services = await Promise.all([startProcess(env), startProcess(env)]);
    const token = await tokenFor(services[0]!.baseUrl, client);
    load = new FeedbackLoad(() => services.map(({ baseUrl }) => baseUrl), token);
  });
  after(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await pair?.dispose();
  });

  it(`${failovers} failovers under load: 0 failed, 0 lost, 0 doubled [D-230] [D-231]`, async () => {
    await pair.setSynchronous(true);
    load.start(8, 1);
    for (let round = 0; round < failovers; round += 1) {
      await load.untilMore(100);
      await pair.failOver();
      await load.untilMore(20);
      await pair.rejoin();
      await pair.setSynchronous(true);
    }
    await load.end();
    assert.deepEqual((await load.walk()).toSorted(), load.acknowledged.toSorted());
    assert.equal(load.retried, 0);
  });

  it(`${restarts} rolling restarts under load: 0 failed, 0 lost, 0 doubled [D-127]`, async () => {
    load.start(8, 1);
    for (let round = 0; round < restarts; round += 1) {
      const [oldest] = services;
      services = [...services.slice(1), await startProcess(env)];
      // Whoever sends has stopped to choose the old one, as a proxy does that asks /readyz.
      await load.untilMore(20);
      assert.equal(await oldest!.stop(), 0);
    }
    await load.end();
    assert.deepEqual((await load.walk()).toSorted(), load.acknowledged.toSorted());
    assert.equal(load.retried, 0);
  });
});
