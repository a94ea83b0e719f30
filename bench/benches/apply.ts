// A catalogue of many accounts: how long soundings apply takes for it, the first time and again without changes, and in
// how much memory.

import { spawn } from 'node:child_process';
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { engines } from '../../test/support/engines.ts';
import { manyAccount, ndjsonOf, yamlOf } from '../../test/support/many-accounts.ts';
import { environment } from '../../test/support/service.ts';
import { temporaryFolder } from '../../test/support/temporary-file.ts';
import type { Bench } from '../bench.ts';
import type { EngineName, Figure } from '../figures.ts';
import { residentBytesOf } from '../machine.ts';

const accounts = Number(process.env.BENCH_ACCOUNTS ?? 20_000);
const mebibyte = 2 ** 20;
const sampleMs = 100;
const program = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const forms = { ndjson: ndjsonOf, yaml: yamlOf };
type Form = keyof typeof forms;

export const applying: Bench = {
  name: 'apply',
  about: `soundings apply of ${accounts.toLocaleString('en')} accounts with three measures each`,
  engines: ['sqlite', 'postgres'],
  async run(engine) {
    const figures: Figure[] = [];
    for (const form of Object.keys(forms) as Form[]) figures.push(...(await measure(engine, form)));
    return figures;
  },
};

async function measure(engine: EngineName, form: Form): Promise<readonly Figure[]> {
  const file = `${temporaryFolder('catalogue')}/many.${form}`;
  write(file, forms[form]);
  const store = await engines.find(({ name }) => name === engine)!.newStore();
  try {
    const env = { DATABASE_URL: store.databaseUrl };
    const runs = [
      { what: 'the first time', goalSeconds: 180, ...(await run(['apply', file], env)) },
      { what: 'again, without changes', goalSeconds: 60, ...(await run(['apply', file], env)) },
    ];
    const size = `${(statSync(file).size / 1_000_000).toFixed(0)} MB`;
    return runs.flatMap(({ what, goalSeconds, seconds, peakBytes }): Figure[] => {
      const facts = { bench: 'apply', engine, floor: size, rounds: [seconds] };
      const subject = `${accounts.toLocaleString('en')} accounts as ${form}, ${what}`;
      const peak = peakBytes / mebibyte;
      return [
        {
          ...facts,
          what: subject,
          ours: `${seconds.toFixed(1)} s`,
          value: seconds,
          unit: 's',
          goal: { atMost: goalSeconds },
        },
        {
          ...facts,
          what: `${subject}, memory`,
          ours: `${peak.toFixed(0)} MiB`,
          value: peak,
          unit: 'MiB',
          rounds: [peak],
          goal: { atMost: 500 },
        },
      ];
    });
  } finally {
    await store.dispose();
  }
}

/** Bit by bit: the file is larger than what should be in memory. */
function write(file: string, textOf: (documents: readonly object[]) => string): void {
  const descriptor = openSync(file, 'wx');
  for (let id = 1; id <= accounts; id += 1) writeSync(descriptor, textOf([manyAccount(id)]));
  closeSync(descriptor);
}

/** Runs the command and looks at its memory all the while. */
function run(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ seconds: number; peakBytes: number }> {
  const startedAtMs = performance.now();
  const child = spawn(process.execPath, [program, ...args], {
    env: environment(env),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let peakBytes = 0;
  const look = setInterval(() => {
    try {
      peakBytes = Math.max(peakBytes, residentBytesOf(child.pid!));
    } catch {
      // It has ended, and nobody has been told yet.
    }
  }, sampleMs);
  return new Promise((resolve, reject) => {
    child.once('close', (code) => {
      clearInterval(look);
      if (code === 0) resolve({ seconds: (performance.now() - startedAtMs) / 1000, peakBytes });
      else reject(new Error(`soundings ${args.join(' ')} ended with ${code}.`));
    });
  });
}
