// What /metrics says, and the alert rules in examples/, judged by the tool of those who read them.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { engines } from '../support/engines.ts';
import { findTool } from '../support/find-tool.ts';
import { startService } from '../support/service.ts';

const promtool = async (...args: readonly string[]): Promise<string> => {
  const { stdout, stderr } = await promisify(execFile)(findTool('promtool')!, args);
  return stdout + stderr;
};

it('promtool finds nothing wrong with the alert rules, and they tell what they should', async () => {
  const checked = await promtool(
    'check',
    'rules',
    '--lint=all',
    '--lint-fatal',
    'examples/prometheus-alerts.yaml',
  );
  assert.match(checked, /SUCCESS: \d+ rules found/);
  assert.match(await promtool('test', 'rules', 'test/tools/prometheus-alerts.test.yaml'), /SUCCESS/);
});

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
