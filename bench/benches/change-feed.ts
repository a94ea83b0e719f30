// Following a source from its start by pages of a thousand, held against the export of the same rows: both over HTTP, as
// NDJSON or JSON without compression, read to the end and thrown away.

import { Agent, get } from 'node:http';
import type { Bench } from '../bench.ts';
import { feedbackCatalogue, fillLog, measureKey, rangeOf } from '../feedback-data.ts';
import { median } from '../figures.ts';
import { type PreparedService, prepareStore, startOn } from '../processes.ts';

const rowsInLog = Number(process.env.BENCH_ROWS ?? 100_000);
const pageRows = 1_000;
const rounds = 5;
const tailBytes = 400;

export const changeFeed: Bench = {
  name: 'changes',
  about: `following ${rowsInLog.toLocaleString('en')} responses by pages of ${pageRows}, against exporting them`,
  engines: ['sqlite', 'postgres'],
  async run(engine) {
    const store = await prepareStore(engine, feedbackCatalogue);
    await fillLog(store.env.DATABASE_URL!, rowsInLog, 'in order');
    const service = await startOn(store);
    try {
      const rates: { readonly feed: number; readonly exported: number }[] = [];
      // The first round of each warms both up.
      for (let round = 0; round <= rounds; round += 1) {
        const feed = await rateOf(() => followAll(service));
        const exported = await rateOf(() => exportAll(service));
        if (round > 0) rates.push({ feed, exported });
      }
      const shares = rates.map(({ feed, exported }) => feed / exported);
      const rowsASecond = (values: readonly number[]): string =>
        `${Math.round(median(values)).toLocaleString('en')} rows/s`;
      return [
        {
          bench: 'changes',
          engine,
          what: `changes by pages of ${pageRows} : export as NDJSON`,
          ours: rowsASecond(rates.map(({ feed }) => feed)),
          floor: rowsASecond(rates.map(({ exported }) => exported)),
          value: median(shares),
          unit: 'times',
          rounds: shares,
          goal: { atLeast: 0.5 },
        },
      ];
    } finally {
      await service.stop();
    }
  },
};

async function rateOf(work: () => Promise<void>): Promise<number> {
  const startedAtMs = performance.now();
  await work();
  return (rowsInLog / (performance.now() - startedAtMs)) * 1000;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Reads an answer to its end; its last bytes, and how many line breaks it had. */
function drain(
  { baseUrl, token }: PreparedService,
  path: string,
): Promise<{ readonly tail: string; readonly lines: number }> {
  const headers = { authorization: `Bearer ${token}`, accept: '*/*' };
  return new Promise((resolve, reject) => {
    const outgoing = get(`${baseUrl}${path}`, { headers, agent }, (incoming) => {
      let tail = Buffer.alloc(0);
      let lines = 0;
      incoming.on('data', (piece: Buffer) => {
        for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) lines += 1;
        tail = Buffer.concat([tail, piece.subarray(-tailBytes)]).subarray(-tailBytes);
      });
      incoming.on('error', reject);
      incoming.on('end', () => {
        if (incoming.statusCode === 200) resolve({ tail: tail.toString(), lines });
        else reject(new Error(`${path} is answered ${incoming.statusCode}: ${tail}`));
      });
    });
    outgoing.on('error', reject);
  });
}

async function followAll(service: PreparedService): Promise<void> {
  let after = '';
  for (let read = 0; read < rowsInLog; read += pageRows) {
    const path = `/v1/measures/${measureKey}/changes?limit=${pageRows}${after}`;
    const { tail } = await drain(service, path);
    after = `&after=${/"next":"([^"]+)"}$/.exec(tail)![1]}`;
  }
}

async function exportAll(service: PreparedService): Promise<void> {
  const { from, to } = rangeOf['in order'];
  const path = `/v1/measures/${measureKey}/export?from=${from}&to=${to}&format=ndjson`;
  const { lines } = await drain(service, path);
  if (lines !== rowsInLog) throw new Error(`The export has ${lines} lines instead of ${rowsInLog}.`);
}
