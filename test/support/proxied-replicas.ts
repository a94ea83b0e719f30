// Two replicas behind a proxy, each of them restarted under load: the same for every proxy.

import assert from 'node:assert/strict';
import { postgres } from './engines.ts';
import { exchange } from './exchange.ts';
import { prepareFeedback } from './feedback.ts';
import { FeedbackLoad } from './feedback-load.ts';
import { freePort } from './postgres-server.ts';
import { type Service, startProcess, tokenFor, until } from './service.ts';
import type { RunningTool } from './tools.ts';

export async function assertRollingRestart(
  startProxy: (port: number, replicas: readonly number[]) => Promise<RunningTool>,
): Promise<void> {
  const store = await postgres.readyStore();
  const ports = [await freePort(), await freePort()];
  const proxyPort = await freePort();
  const env = {
    DATABASE_URL: store.databaseUrl,
    SOUNDINGS_THROTTLE: 'off',
    SOUNDINGS_TRUSTED_PROXIES: '127.0.0.1',
  };
  const start = (port: number): Promise<Service> => startProcess(env, ['--port', String(port)]);
  let services: Service[] = [];
  let proxy: RunningTool | null = null;
  try {
    const client = await prepareFeedback(env);
    services = [await start(ports[0]!), await start(ports[1]!)];
    proxy = await startProxy(proxyPort, ports);
    const baseUrl = `http://127.0.0.1:${proxyPort}`;
    await until(
      async () => (await exchange(`${baseUrl}/readyz`).catch(() => null))?.status,
      (status) => status === 200,
    );
    const load = new FeedbackLoad(() => [baseUrl], await tokenFor(baseUrl, client));
    load.start(8, 1);
    for (const [index, port] of ports.entries()) {
      await load.untilMore(150);
      assert.equal(await services[index]!.stop(), 0);
      await load.untilMore(50);
      services[index] = await start(port);
      // Until the proxy has seen it, the other one is all that it has.
      await load.untilMore(400);
    }
    await load.end();
    assert.deepEqual((await load.walk()).toSorted(), load.acknowledged.toSorted());
    assert.equal(load.retried, 0, proxy.output());
  } finally {
    await proxy?.stop();
    await Promise.all(services.map((service) => service.stop()));
    await store.dispose();
  }
}
