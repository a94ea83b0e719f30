// Export and external parameters with as much as a large account has in a quarter.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { engines, type TestStore } from '../support/engines.ts';
import { environment, soundingsOk } from '../support/service.ts';
import { storeRows } from '../support/store-rows.ts';
import { temporaryFolder } from '../support/temporary-file.ts';

const program = fileURLToPath(new URL('../../bin/soundings.js', import.meta.url));
const responseCount = 300_000;
const lineCount = 100_000;
const exportMemoryMaxMiB = 300;

for (const engine of engines) {
  describe(`${responseCount} responses on ${engine.name}`, () => {
    let store: TestStore;
    let folder: string;

    before(async () => {
      store = await engine.newStore();
      folder = temporaryFolder();
      const count = String(responseCount);
      await soundingsOk(['demo', '--responses', count], { DATABASE_URL: store.databaseUrl });
    });
    after(() => store?.dispose());

    const exportTo = (file: string, format: string): string[] => [
      ...['export', '--account', '4001', '--measure', '8840868', '--format', format, '--out', file],
      ...['--from', '1990-01-01', '--to', '2100-01-01'],
    ];

    /** Runs to the end, and says the most memory it was seen with. */
    const peakMiB = async (args: readonly string[]): Promise<number> => {
      const child = spawn(process.execPath, [program, ...args], {
        env: environment({ DATABASE_URL: store.databaseUrl }),
        stdio: 'ignore',
      });
      const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
      let peakKiB = 0;
      while (child.exitCode === null && child.signalCode === null) {
        const asked = promisify(execFile)('ps', ['-o', 'rss=', '-p', String(child.pid)]);
        peakKiB = Math.max(peakKiB, Number((await asked.catch(() => ({ stdout: '0' }))).stdout));
        await Promise.race([exit, new Promise((resume) => setTimeout(resume, 100))]);
      }
      assert.equal(await exit, 0);
      return peakKiB / 1024;
    };

    for (const format of ['ndjson', 'csv']) {
      it(`${format} of a large range is written in little memory, and every response is in it once`, async () => {
        const file = join(folder, `all.${format}`);
        const peak = await peakMiB(exportTo(file, format));
        assert.ok(peak > 0 && peak < exportMemoryMaxMiB, `${peak} MiB`);
        const ids = new Set<string>();
        let lines = 0;
        for await (const line of createInterface({ input: createReadStream(file) })) {
          lines += 1;
          ids.add(format === 'csv' ? line.slice(0, 36) : line.slice(7, 43));
        }
        const [row] = await storeRows(
          store.databaseUrl,
          'select last_seq from log_counter where source_id = 1',
        );
        const isHeader = format === 'csv' ? 1 : 0;
        assert.deepEqual(
          [lines - isHeader, ids.size - isHeader],
          [Number(row?.last_seq), Number(row?.last_seq)],
        );
      });
    }

    it(`a file of ${lineCount} lines of external parameters is taken whole, and again without a change [D-37]`, async () => {
      const file = join(folder, 'crm.csv');
      const output = createWriteStream(file);
      output.write('responseId,spent_last_year\n');
      const bare = await storeRows(
        store.databaseUrl,
        `select response_id from response where source_id = 1 and not exists (
          select 1 from response_external where response_external.account_id = response.account_id
            and response_external.source_id = 1 and response_external.seq = response.seq)
         order by seq limit ${lineCount}`,
      );
      for (const [index, { response_id: id }] of bare.entries()) output.write(`${id},${index}\n`);
      await new Promise<void>((resolve) => output.end(resolve));
      const epp = async (): Promise<{ changed: number; unchanged: number }> =>
        JSON.parse(
          await soundingsOk(['epp', file, '--account', '4001', '--json'], {
            DATABASE_URL: store.databaseUrl,
          }),
        );
      const first = await epp();
      assert.deepEqual([first.changed, first.unchanged], [bare.length, 0]);
      const second = await epp();
      assert.deepEqual([second.changed, second.unchanged], [0, bare.length]);
    });
  });
}
