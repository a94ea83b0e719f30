// Ingestion while a sixth of a log is at the end of its time, against the same ingestion before: how long others wait.

import { soundingsOk } from '../../test/support/service.ts';
import { storeRows } from '../../test/support/store-rows.ts';
import { temporaryFile } from '../../test/support/temporary-file.ts';
import type { Bench } from '../bench.ts';
import { feedbackCatalogue, fillLog, rangeOf } from '../feedback-data.ts';
import { type PreparedStore, prepareStore, startGenerator, startOn } from '../processes.ts';
import { requestOf } from './ingestion.ts';

const rowsInLog = Number(process.env.BENCH_ROWS ?? 3_000_000);
const emptiedShare = 6;
const dayMs = 86_400_000;

export const retaining: Bench = {
  name: 'retention',
  about: `ingestion while a sixth of ${rowsInLog.toLocaleString('en')} rows is emptied, against ingestion alone`,
  engines: ['sqlite', 'postgres'],
  async run(engine, effort) {
    const store = await prepareStore(engine, feedbackCatalogue);
    const generator = startGenerator();
    /** A process of its own for each side: a new one looks at once whether there is something to empty. */
    const measure = async () => {
      const service = await startOn({ ...store, dispose: async () => {} });
      try {
        return await generator.ask({
          port: service.port,
          serverPid: service.pid,
          request: requestOf(service),
          connections: 16,
          leadInMs: 1_500,
          measuredMs: 3 * effort.measuredMs,
        });
      } finally {
        await service.stop();
      }
    };
    try {
      await fillLog(store.env.DATABASE_URL!, rowsInLog, 'in order');
      const alone = await measure();
      await keepFiveSixths(store);
      const during = await measure();
      const emptied = await emptiedRows(store);
      const value = during.latencyMs.p99 / alone.latencyMs.p99;
      const rate = (requests: number, seconds: number): string =>
        `${Math.round(requests / seconds)} a second`;
      return [
        {
          bench: 'retention',
          engine,
          what: 'p99 of ingestion while rows are emptied : alone',
          ours: `${during.latencyMs.p99.toFixed(1)} ms, ${rate(during.requests, during.seconds)}`,
          floor: `${alone.latencyMs.p99.toFixed(1)} ms, ${rate(alone.requests, alone.seconds)}`,
          value,
          unit: 'times',
          rounds: [value],
          goal: { atMost: 2 },
          notes: [`${emptied.toLocaleString('en')} rows were emptied in that time.`],
        },
      ];
    } finally {
      await generator.stop();
      await store.dispose();
    }
  },
};

/** The catalogue with as many days as keep all but the oldest sixth of the log. */
async function keepFiveSixths({ env }: PreparedStore): Promise<void> {
  const { from, to } = rangeOf['in order'];
  const firstMs = Date.parse(from);
  const keptFromMs = firstMs + Math.ceil((Date.parse(to) - firstMs + dayMs) / emptiedShare / dayMs) * dayMs;
  const retainDays = Math.floor(Date.now() / dayMs) - keptFromMs / dayMs;
  const accounts = feedbackCatalogue.accounts.map((account) => ({ ...account, retainDays }));
  await soundingsOk(['apply', temporaryFile('keep.json', JSON.stringify({ accounts }))], env);
}

async function emptiedRows({ env }: PreparedStore): Promise<number> {
  const [row] = await storeRows(
    env.DATABASE_URL!,
    'select count(*) as n from response where hash is not null',
  );
  return Number(row?.n);
}
