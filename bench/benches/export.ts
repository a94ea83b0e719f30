// Exporting a long log: it must run in the same memory whatever the length, and Parquet must not be much slower than
// NDJSON. Both are written by turns, so that a busy machine hinders one as much as the other.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { environment } from '../../test/support/service.ts';
import type { Bench } from '../bench.ts';
import { feedbackCatalogue, fillLog, measureKey, rangeOf } from '../feedback-data.ts';
import { type EngineName, type Figure, median } from '../figures.ts';
import { residentBytesOf } from '../machine.ts';
import { accountId, prepareStore } from '../processes.ts';

const rowsInLog = Number(process.env.BENCH_ROWS ?? 1_000_000);
const mebibyte = 2 ** 20;
const sampleMs = 100;
const roundsMax = 3;
const program = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const formats = ['ndjson', 'parquet'] as const;
type Format = (typeof formats)[number];

interface Exported {
  readonly peakMiB: number;
  /** Rows a second, from the start of the command to its end. */
  readonly rate: number;
}

export const exporting: Bench = {
  name: 'export',
  about: `the memory that soundings export takes for ${rowsInLog.toLocaleString('en')} rows, and Parquet beside NDJSON`,
  engines: ['sqlite', 'postgres'],
  async run(engine, { rounds }) {
    const store = await prepareStore(engine, feedbackCatalogue);
    try {
      await fillLog(store.env.DATABASE_URL!, rowsInLog, 'in order');
      const found: Record<Format, Exported[]> = { ndjson: [], parquet: [] };
      for (let round = 0; round < Math.min(rounds, roundsMax); round += 1)
        for (const format of formats) found[format].push(await exportAll(store.env, format));
      return [...formats.map((format) => memoryOf(engine, format, found[format])), ratioOf(engine, found)];
    } finally {
      await store.dispose();
    }
  },
};

function memoryOf(engine: EngineName, format: Format, found: readonly Exported[]): Figure {
  const rounds = found.map(({ peakMiB }) => peakMiB);
  const value = Math.max(...rounds);
  return {
    bench: 'export',
    engine,
    what: `memory while exporting ${rowsInLog.toLocaleString('en')} rows as ${format}`,
    ours: `${value.toFixed(0)} MiB`,
    floor: `${rateText(found)} rows/s`,
    value,
    unit: 'MiB',
    rounds,
    goal: { atMost: 300 },
  };
}

function ratioOf(engine: EngineName, { ndjson, parquet }: Record<Format, readonly Exported[]>): Figure {
  const rounds = parquet.map(({ rate }, round) => rate / ndjson[round]!.rate);
  return {
    bench: 'export',
    engine,
    what: 'Parquet : NDJSON, rows a second',
    ours: `${rateText(parquet)} rows/s`,
    floor: `${rateText(ndjson)} rows/s`,
    value: median(rounds),
    unit: 'times',
    rounds,
    goal: { atLeast: 0.4 },
  };
}

function rateText(found: readonly Exported[]): string {
  return Math.round(median(found.map(({ rate }) => rate))).toLocaleString('en');
}

/** Runs the command, counts what it says it wrote, and looks at its memory all the while. */
function exportAll(env: Readonly<Record<string, string>>, format: Format): Promise<Exported> {
  const { from, to } = rangeOf['in order'];
  const of = ['--account', String(accountId), '--measure', String(measureKey), '--format', format, '--json'];
  const startedAtMs = performance.now();
  const child = spawn(process.execPath, [program, 'export', ...of, '--from', from, '--to', to], {
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let peakBytes = 0;
  let said = '';
  const look = setInterval(() => {
    try {
      peakBytes = Math.max(peakBytes, residentBytesOf(child.pid!));
    } catch {
      // It has ended a moment ago, and we are about to be told.
      clearInterval(look);
    }
  }, sampleMs);
  child.stdout.resume();
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  return new Promise((resolve, reject) => {
    child.once('close', (code) => {
      clearInterval(look);
      if (code !== 0) return reject(new Error(`The export ended with ${code}: ${said}`));
      const { rows } = JSON.parse(said.trimEnd().split('\n').at(-1)!) as { rows: number };
      if (rows !== rowsInLog)
        return reject(new Error(`The export has ${rows} rows instead of ${rowsInLog}.`));
      const rate = (rows / (performance.now() - startedAtMs)) * 1000;
      resolve({ peakMiB: peakBytes / mebibyte, rate });
    });
  });
}
