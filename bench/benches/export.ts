// Exporting a long log: it must run in the same memory whatever the length.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { environment } from '../../test/support/service.ts';
import type { Bench } from '../bench.ts';
import { feedbackCatalogue, fillLog, measureKey, rangeOf } from '../feedback-data.ts';
import { residentBytesOf } from '../machine.ts';
import { accountId, prepareStore } from '../processes.ts';

const rowsInLog = Number(process.env.BENCH_ROWS ?? 1_000_000);
const mebibyte = 2 ** 20;
const sampleMs = 100;
const program = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export const exporting: Bench = {
  name: 'export',
  about: `the memory that soundings export takes for ${rowsInLog.toLocaleString('en')} rows`,
  engines: ['sqlite', 'postgres'],
  async run(engine) {
    const store = await prepareStore(engine, feedbackCatalogue);
    try {
      await fillLog(store.env.DATABASE_URL!, rowsInLog, 'in order');
      const startedAtMs = performance.now();
      const { peakBytes, lines } = await exportAll(store.env);
      if (lines !== rowsInLog) throw new Error(`The export has ${lines} rows instead of ${rowsInLog}.`);
      const value = peakBytes / mebibyte;
      const rate = (lines / (performance.now() - startedAtMs)) * 1000;
      return [
        {
          bench: 'export',
          engine,
          what: `memory while exporting ${rowsInLog.toLocaleString('en')} rows`,
          ours: `${value.toFixed(0)} MiB`,
          floor: `${Math.round(rate).toLocaleString('en')} rows/s`,
          value,
          unit: 'MiB',
          rounds: [value],
          goal: { atMost: 300 },
        },
      ];
    } finally {
      await store.dispose();
    }
  },
};

/** Runs the command, counts its lines, and looks at its memory all the while. */
function exportAll(env: Readonly<Record<string, string>>): Promise<{ peakBytes: number; lines: number }> {
  const { from, to } = rangeOf['in order'];
  const of = ['--account', String(accountId), '--measure', String(measureKey), '--format', 'ndjson'];
  const child = spawn(process.execPath, [program, 'export', ...of, '--from', from, '--to', to], {
    env: environment(env),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let peakBytes = 0;
  let lines = 0;
  const look = setInterval(() => {
    if (child.exitCode === null) peakBytes = Math.max(peakBytes, residentBytesOf(child.pid!));
  }, sampleMs);
  child.stdout.on('data', (bytes: Buffer) => {
    for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines += 1;
  });
  return new Promise((resolve, reject) => {
    child.once('close', (code) => {
      clearInterval(look);
      if (code === 0) resolve({ peakBytes, lines });
      else reject(new Error(`The export ended with ${code}.`));
    });
  });
}
