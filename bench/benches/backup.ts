// Ingestion while one backup after the other is made of the store, against ingestion alone.

import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environment } from '../../test/support/service.ts';
import { temporaryFolder } from '../../test/support/temporary-file.ts';
import type { Bench } from '../bench.ts';
import { feedbackCatalogue, fillLog } from '../feedback-data.ts';
import { prepareStore, startGenerator, startOn } from '../processes.ts';
import { takeTurns } from '../turns.ts';
import { requestOf } from './ingestion.ts';

const rowsInLog = Number(process.env.BENCH_ROWS ?? 300_000);
const program = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export const backingUp: Bench = {
  name: 'backup',
  about: `ingestion while a store of ${rowsInLog.toLocaleString('en')} rows is backed up, against ingestion alone`,
  engines: ['sqlite'],
  async run(engine, effort) {
    const store = await prepareStore(engine, feedbackCatalogue);
    await fillLog(store.env.DATABASE_URL!, rowsInLog, 'in order');
    const service = await startOn(store);
    const generator = startGenerator();
    const ask = (measuredMs: number) =>
      generator.ask({
        port: service.port,
        serverPid: service.pid,
        request: requestOf(service),
        connections: 32,
        leadInMs: 300,
        measuredMs,
      });
    const backups = new Backups(store.env);
    try {
      const what = 'responses a second while a backup runs : without';
      const figure = { bench: 'backup', engine, what, goal: { atLeast: 0.7 } } as const;
      const ours = async (measuredMs: number): ReturnType<typeof ask> => {
        const stop = await backups.start();
        const result = await ask(measuredMs);
        await stop();
        return result;
      };
      // Long enough for most of a backup: the copy, the checks and the sum.
      const longer = { ...effort, measuredMs: 3 * effort.measuredMs };
      const measured = await takeTurns({ figure, ours, floor: ask, by: 'rate' }, longer);
      return [{ ...measured, notes: [`${backups.whole} backups were whole in that time.`] }];
    } finally {
      await generator.stop();
      await service.stop();
    }
  },
};

/** One backup after the other, for as long as is measured. */
class Backups {
  whole = 0;
  readonly #env: Readonly<Record<string, string>>;
  readonly #folder = temporaryFolder('backups');
  #child: ChildProcess | null = null;

  constructor(env: Readonly<Record<string, string>>) {
    this.#env = env;
  }

  /** Returns when the first one is being copied. */
  async start(): Promise<() => Promise<void>> {
    let isOver = false;
    const copying = new Promise<void>((resolve) => {
      const watcher = watch(this.#folder, () => {
        watcher.close();
        resolve();
      });
    });
    const loop = (async () => {
      while (!isOver) if ((await this.#make()) === 0) this.whole += 1;
    })();
    await copying;
    return async () => {
      isOver = true;
      this.#child?.kill('SIGKILL');
      await loop;
    };
  }

  async #make(): Promise<number | null> {
    const file = join(this.#folder, 'backup.db');
    const child = spawn(process.execPath, [program, 'backup', file], {
      env: environment(this.#env),
      stdio: 'ignore',
    });
    this.#child = child;
    const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
    for (const end of ['', '.json']) rmSync(`${file}${end}`, { force: true });
    return code;
  }
}
