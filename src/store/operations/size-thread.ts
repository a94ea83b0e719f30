// Measures the tables of a large embedded store on a thread of its own, with a connection of its own, while the service goes on answering.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { startThread } from '../../installation.ts';
import { openReadingDb } from '../engine/reading-db.ts';
import { lowerThreadPriority } from '../engine/work/low-priority.ts';
import { measureTables, type TableSize } from './table-measure.ts';

type SizeOutcome = { readonly tables: readonly TableSize[] } | { readonly failure: string };

interface ThreadData {
  readonly isSizeThread: true;
  readonly address: string;
}

const threadLimits = { maxYoungGenerationSizeMb: 16 };
const timeoutMs = 5_000;

export interface SizeThread {
  /** Null while it measures. */
  readonly outcome: SizeOutcome | null;
}

export function startSizeThread(address: string): SizeThread {
  const data: ThreadData = { isSizeThread: true, address };
  const worker = startThread('size-thread', { workerData: data, resourceLimits: threadLimits });
  const thread: { outcome: SizeOutcome | null } = { outcome: null };
  const end = (outcome: SizeOutcome): void => {
    thread.outcome ??= outcome;
  };
  worker.once('message', end);
  worker.once('error', (error) => end({ failure: error instanceof Error ? error.message : String(error) }));
  worker.once('exit', () => end({ failure: 'The thread that measures the tables ended.' }));
  // A process that ends does not wait for it: it only reads.
  worker.unref();
  return thread;
}

const data = workerData as ThreadData | null;
if (parentPort !== null && data?.isSizeThread === true) await run(parentPort, data);

async function run(port: MessagePort, { address }: ThreadData): Promise<void> {
  lowerThreadPriority();
  const db = await openReadingDb(address, { timeoutMs, poolSize: 1 });
  if (db === null) return;
  try {
    port.postMessage({ tables: await measureTables(db) } satisfies SizeOutcome);
  } finally {
    await db.close();
  }
}
