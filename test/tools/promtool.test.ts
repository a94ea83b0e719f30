// What /metrics says, judged by the tool of those who read it.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { engines } from '../support/engines.ts';
import { findTool } from '../support/find-tool.ts';
import { startService } from '../support/service.ts';

for (const engine of engines) {
  it(`promtool finds nothing wrong with /metrics on ${engine.name}`, async () => {
    const store = await engine.newStore();
    const read = engine.name === 'postgres' ? { DATABASE_URL_READ: store.databaseUrl } : {};
    const service = await startService({ DATABASE_URL: store.databaseUrl, ...read });
    try {
      const text = await (await fetch(`${service.baseUrl}/metrics`)).text();
      const checking = promisify(execFile)(findTool('promtool')!, ['check', 'metrics']);
      checking.child.stdin?.end(text);
      const { stdout, stderr } = await checking;
      assert.equal(stdout + stderr, '');
    } finally {
      await service.stop();
      await store.dispose();
    }
  });
}
