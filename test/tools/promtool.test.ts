// What /metrics says, and the alert rules in examples/, judged by the tool of those who read them.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { it } from 'node:test';
import { promisify } from 'node:util';
import {
  firstDay,
  insightBenchCatalogue,
  insightBody,
  insightMeasure,
  lastDay,
} from '../../bench/insight-data.ts';
import { writeCatalogue } from '../support/catalogue.ts';
import { engines } from '../support/engines.ts';
import { exchange } from '../support/exchange.ts';
import { findTool } from '../support/find-tool.ts';
import { createClient, type Service, setUp, startProcess, tokenFor } from '../support/service.ts';

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

const responses = 20;

/** So that there is something to say about figures: responses that are added up, and a scan. */
async function lookThroughResponses({ baseUrl }: Service, token: string): Promise<void> {
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    'content-type': 'application/json',
  };
  for (let number = 0; number < responses; number += 1) {
    const body = JSON.stringify(insightBody('measure', number, responses));
    const posted = await exchange(`${baseUrl}/v1/surveys/ingestion`, { method: 'POST', headers, body });
    assert.equal(posted.status, 200, posted.text);
  }
  const days = `from=${firstDay}&to=${lastDay}`;
  for (const path of [
    `trend?${days}`,
    `breakdown?${days}&by=device&filter=not,device,none&within=10000`,
    'comments?q=an',
  ]) {
    const { status, text } = await exchange(`${baseUrl}/v1/measures/${insightMeasure}/${path}`, { headers });
    assert.equal(status, 200, text);
  }
}

for (const engine of engines) {
  it(`promtool finds nothing wrong with /metrics on ${engine.name}`, async () => {
    const store = await engine.newStore();
    const read = engine.name === 'postgres' ? { DATABASE_URL_READ: store.databaseUrl } : {};
    const env = { DATABASE_URL: store.databaseUrl, ...read };
    await setUp(['apply', writeCatalogue(insightBenchCatalogue)], env);
    const client = await createClient(env, insightBenchCatalogue.accounts[0]!.id);
    const service = await startProcess(env);
    try {
      await lookThroughResponses(service, await tokenFor(service.baseUrl, client));
      const text = await (await fetch(`${service.baseUrl}/metrics`)).text();
      const checking = promisify(execFile)(findTool('promtool')!, ['check', 'metrics']);
      checking.child.stdin?.end(text);
      const { stdout, stderr } = await checking;
      assert.equal(stdout + stderr, '');
      for (const line of [
        'soundings_scans_total{outcome="complete"} 1',
        `soundings_scanned_responses_total ${responses}`,
        'soundings_insight_lag_responses ',
      ])
        assert.ok(text.includes(`\n${line}`), `${line} is not in ${text}`);
    } finally {
      await service.stop();
      await store.dispose();
    }
  });
}
