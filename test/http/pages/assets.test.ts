// The files that the pages of surveys load: headers, caches, sizes.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { builtFiles } from '../../support/browser-build.ts';
import { sqlite, type TestStore } from '../../support/engines.ts';
import type { Service } from '../../support/service.ts';
import { startService } from '../../support/service-here.ts';

const surveyScriptBytes = 8_000;

describe('the files of the pages of surveys', () => {
  let store: TestStore;
  let service: Service;

  before(async () => {
    store = await sqlite.readyStore();
    service = await startService({ DATABASE_URL: store.databaseUrl });
  });
  after(async () => {
    await service?.stop();
    await store?.dispose();
  });

  const get = (name: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${service.baseUrl}/assets/${name}`, { headers });

  it('each is kept for a year under a name that changes with it, compressed, known again, and open to pages of other sites [D-440]', async () => {
    const files = builtFiles('pages');
    assert.ok(files.has('survey.js') && files.has('survey.css'));
    const types = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' };
    for (const { name, bytes } of files.values()) {
      const answer = await get(name, { 'accept-encoding': 'gzip' });
      assert.equal(answer.status, 200, name);
      const expected = {
        'cache-control': 'public, max-age=31536000, immutable',
        'cross-origin-resource-policy': 'cross-origin',
        'access-control-allow-origin': '*',
        'x-content-type-options': 'nosniff',
        'content-type': types[name.slice(name.lastIndexOf('.') + 1) as keyof typeof types],
        'content-encoding': bytes.length < 1024 ? null : 'gzip',
      };
      const seen = Object.keys(expected).map((header) => [header, answer.headers.get(header)]);
      assert.deepEqual(Object.fromEntries(seen), expected, name);
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes);
      const again = await get(name, { 'if-none-match': answer.headers.get('etag')! });
      assert.deepEqual(
        [again.status, again.headers.get('cross-origin-resource-policy')],
        [304, 'cross-origin'],
      );
    }
  });

  it('nothing but those files is read from the disk', async () => {
    for (const name of [
      'manifest.json',
      '..%2Fmanifest.json',
      '..%2f..%2f..%2Fpackage.json',
      'survey.js',
      '%2e%2e%2f%2e%2e',
    ])
      assert.equal((await get(name)).status, 404, name);
  });

  it('the script of a survey is 8 kB compressed at most, with everything that it imports, and names no module of Node [D-440]', () => {
    const { bytes } = builtFiles('pages').get('survey.js')!;
    const compressed = gzipSync(bytes, { level: 9 }).length;
    assert.ok(compressed <= surveyScriptBytes, `${compressed} bytes`);
    assert.doesNotMatch(bytes.toString(), /["'`]node:|\bBuffer\b|\bimport\b(?!\.meta)/);
  });
});
