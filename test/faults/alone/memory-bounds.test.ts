// What a process may keep for itself of memory that is no longer in use: V8's young generation and the system's allocator are bounded when
// a service begins. How much it takes under load is measured by "npm run bench -- load-malformed" and its like.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { consoleCall } from '../../support/console.ts';
import { engines } from '../../support/engines.ts';
import { exchange } from '../../support/exchange.ts';
import { patience } from '../../support/patience.ts';
import { type ServiceProcess, startProcess } from '../../support/service.ts';

const mebibyte = 2 ** 20;
const youngMaxBytes = 16 * mebibyte;
/** After a start and some hashes it is below 100; with what four threads keep of hashes, and V8 of its young generation, some 190. */
const ownMaxBytes = 140 * mebibyte;
const hashes = 40;
const atOnce = 4;

/** What a process has of memory that is its own. */
function ownBytes({ pid }: ServiceProcess): number {
  const [, kilobytes = '0'] =
    /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

for (const engine of engines)
  describe(`memory that a service keeps for itself on ${engine.name}`, () => {
    const onService = async (
      settings: Readonly<Record<string, string>>,
      look: (service: ServiceProcess) => Promise<void>,
    ): Promise<void> => {
      const store = await engine.readyStore();
      const env = { DATABASE_URL: store.databaseUrl, ...patience, SOUNDINGS_THROTTLE: 'off', ...settings };
      const service = await startProcess(env, ['--demo']);
      try {
        await look(service);
      } finally {
        await service.stop();
        await store.dispose();
      }
    };

    const youngBytes = async ({ baseUrl }: ServiceProcess): Promise<number> => {
      const { text } = await exchange(`${baseUrl}/metrics`);
      return Number(/^nodejs_heap_space_size_total_bytes\{space="new"\} (\d+)$/m.exec(text)?.[1]);
    };

    const signIns = async ({ baseUrl }: ServiceProcess): Promise<readonly number[]> => {
      const statuses: number[] = [];
      let sent = 0;
      const lane = async (): Promise<void> => {
        while (sent < hashes) {
          sent += 1;
          const { status } = await consoleCall(baseUrl, 'POST', '/sign-in/password', {
            body: { account: 4001, name: `nobody-${sent}`, password: 'nine slow trains leave at midnight' },
            headers: { 'x-forwarded-for': `10.0.${sent}.7` },
          });
          statuses.push(status);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, lane));
      return statuses;
    };

    it('what is short-lived has 16 MiB, and what hashes of passwords took is given back [D-910]', () =>
      onService({ SOUNDINGS_TRUSTED_PROXIES: '127.0.0.1' }, async (service) => {
        assert.deepEqual(new Set(await signIns(service)), new Set([401]));
        const young = await youngBytes(service);
        assert.ok(young > 0 && young <= youngMaxBytes, `${young} bytes`);
        assert.ok(ownBytes(service) <= ownMaxBytes, `${Math.round(ownBytes(service) / mebibyte)} MiB`);
      }));

    it('whoever chooses for Node or for the allocator has what was chosen [D-910]', async () => {
      await onService({ NODE_OPTIONS: '--max-semi-space-size=2' }, async (service) =>
        assert.ok((await youngBytes(service)) <= 4 * mebibyte),
      );
      await onService({ MALLOC_ARENA_MAX: '8' }, async (service) =>
        assert.ok((await youngBytes(service)) > youngMaxBytes),
      );
    });
  });
