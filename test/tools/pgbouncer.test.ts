// Over pgbouncer in transaction mode, with the lines of docs/scaling.md.

import assert from 'node:assert/strict';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { postgres } from '../support/engines.ts';
import { prepareFeedback } from '../support/feedback.ts';
import { FeedbackLoad } from '../support/feedback-load.ts';
import { freePort } from '../support/postgres-server.ts';
import { type Service, soundings, startProcess, tokenFor, until } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-file.ts';
import { documentedLines, startTool } from '../support/tools.ts';

it('two replicas with more connections than the server has share them through pgbouncer: none is refused, lost or doubled', async () => {
  const folder = temporaryFolder('pgbouncer');
  const store = await postgres.newStore();
  const { hostname, port: serverPort, pathname, username } = new URL(store.databaseUrl);
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'users.txt'), `"${username}" ""\n`);
  writeFileSync(
    file,
    documentedLines('ini', {
      'host=10.0.0.2 port=5432 dbname=soundings': `host=${hostname} port=${serverPort} dbname=${pathname.slice(1)} user=${username}`,
      'listen_port = 6432': `listen_port = ${port}`,
      'listen_addr = *': 'listen_addr = 127.0.0.1',
      'auth_type = scram-sha-256': 'auth_type = any\nunix_socket_dir =',
      '/etc/pgbouncer/users.txt': join(folder, 'users.txt'),
      'default_pool_size = 40': 'default_pool_size = 4',
    }),
  );
  const pgbouncer = startTool('pgbouncer', [file], false);
  const env = {
    DATABASE_URL: `postgres://${username}@127.0.0.1:${port}/soundings`,
    SOUNDINGS_THROTTLE: 'off',
    SOUNDINGS_POOL_SIZE: '20',
  };
  const services: Service[] = [];
  try {
    await until(
      async () => (await soundings(['migrate'], env)).code,
      (code) => code === 0,
    ).catch((error) => assert.fail(`${error} ${pgbouncer.output()}`));
    const client = await prepareFeedback(env);
    services.push(await startProcess(env), await startProcess(env));
    const token = await tokenFor(services[0]!.baseUrl, client);
    const load = new FeedbackLoad(() => services.map(({ baseUrl }) => baseUrl), token);
    load.start(40, 4);
    await load.untilMore(1_000);
    await load.end();
    assert.deepEqual((await load.walk()).toSorted(), load.acknowledged.toSorted());
    assert.equal(load.retried, 0);
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    await pgbouncer.stop();
    await store.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
});
