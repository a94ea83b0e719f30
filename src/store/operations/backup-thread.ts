// A backup on a thread of its own, for a service that goes on answering. It is told to stop by a number that both threads
// see, because the thread looks into its messages only when the copy is done.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { startThread } from '../../installation.ts';
import { StoreFault } from '../engine/store-fault.ts';
import { backupPriority, lowerThreadPriority } from '../engine/work/low-priority.ts';
import { type BackupRequest, BackupUnderWay, type MadeBackup, makeBackup } from './backup.ts';

export type ThreadOutcome =
  | { readonly made: MadeBackup }
  /** Another process makes one just now. */
  | { readonly isUnderWay: true }
  | { readonly failure: string };

interface ThreadData {
  readonly isBackupThread: true;
  readonly request: BackupRequest;
  readonly stop: Int32Array;
}

const threadLimits = { maxYoungGenerationSizeMb: 16 };

export interface BackupThread {
  /** Never fails: a failure is an outcome. */
  readonly outcome: Promise<ThreadOutcome>;
  /** Ends it between two of its steps. */
  stop(): void;
}

export function startBackupThread(request: BackupRequest): BackupThread {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const data: ThreadData = { isBackupThread: true, request, stop };
  const worker = startThread('backup-thread', { workerData: data, resourceLimits: threadLimits });
  const outcome = new Promise<ThreadOutcome>((resolve) => {
    worker.once('message', resolve);
    worker.once('error', (error) =>
      resolve({ failure: error instanceof Error ? error.message : String(error) }),
    );
    worker.once('exit', () => resolve({ failure: 'The thread of the backup ended.' }));
  });
  return { outcome, stop: () => void Atomics.store(stop, 0, 1) };
}

const data = workerData as ThreadData | null;
if (parentPort !== null && data?.isBackupThread === true) await run(parentPort, data);

async function run(port: MessagePort, { request, stop }: ThreadData): Promise<void> {
  try {
    const made = await makeBackup(request, {
      isStopped: () => Atomics.load(stop, 0) === 1,
      onCheck: () => lowerThreadPriority(backupPriority),
    });
    port.postMessage({ made } satisfies ThreadOutcome);
  } catch (error) {
    if (error instanceof BackupUnderWay) port.postMessage({ isUnderWay: true } satisfies ThreadOutcome);
    else port.postMessage({ failure: reasonOf(error) } satisfies ThreadOutcome);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof StoreFault) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
