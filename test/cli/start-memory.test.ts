import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { sqlite } from '../support/engines.ts';
import { startProcess } from '../support/service.ts';

const mebibyte = 2 ** 20;
// Whoever asks makes work for it: seldom enough that it has a quiet second between two questions.
const askEveryMs = 2_500;
const asks = 24;

describe('memory of a service that nobody asks anything', () => {
  for (const workers of [1, 2]) {
    it(`what its start took is given back, by each of ${workers} [D-760]`, async () => {
      const store = await sqlite.readyStore();
      const service = await startProcess({ DATABASE_URL: store.databaseUrl }, ['--workers', `${workers}`]);
      /** What young objects have of memory; of several processes the sum. */
      const youngBytes = async (): Promise<number> => {
        const text = await (await fetch(`${service.baseUrl}/metrics`)).text();
        const values = text.matchAll(/^nodejs_heap_space_size_total_bytes\{[^}]*space="new"[^}]*\} (\d+)/gm);
        return [...values].reduce((sum, [, value]) => sum + Number(value), 0);
      };
      try {
        const first = await youngBytes();
        assert.ok(first > 8 * mebibyte * workers, `${first}`);
        let last = first;
        for (let asked = 0; asked < asks && last > 6 * mebibyte * workers; asked += 1) {
          await wait(askEveryMs);
          last = await youngBytes();
        }
        assert.ok(last <= 6 * mebibyte * workers, `${first}, then ${last}`);
      } finally {
        await service.stop();
        await store.dispose();
      }
    });
  }
});
