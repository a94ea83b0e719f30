// A look of doctor on a thread of its own: it reads the whole file of an embedded store, in one piece, and a service goes on
// answering meanwhile. Every finding is told when it is made.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { findingsOf } from '../../acts/operations/doctor.ts';
import type { Finding } from '../../acts/operations/finding.ts';
import type { Config } from '../../config.ts';
import { startThread } from '../../installation.ts';
import { lowerThreadPriority } from '../../store/engine/work/low-priority.ts';

interface ThreadData {
  readonly isDoctorThread: true;
  readonly config: Config;
}

export type DoctorMessage = { readonly finding: Finding } | { readonly failure: string };

const threadLimits = { maxYoungGenerationSizeMb: 16 };

export interface DoctorThread {
  /** When the thread is gone; a failure of it as a whole is told as text. */
  readonly ended: Promise<string | null>;
  stop(): void;
}

export function startDoctorThread(config: Config, onFinding: (finding: Finding) => void): DoctorThread {
  const data: ThreadData = { isDoctorThread: true, config };
  const worker = startThread('doctor-thread', { workerData: data, resourceLimits: threadLimits });
  let failure: string | null = null;
  worker.on('message', (message: DoctorMessage) => {
    if ('finding' in message) onFinding(message.finding);
    else failure = message.failure;
  });
  worker.on('error', (error) => {
    failure = error instanceof Error ? error.message : String(error);
  });
  const ended = new Promise<string | null>((resolve) => worker.once('exit', () => resolve(failure)));
  return { ended, stop: () => void worker.terminate() };
}

const data = workerData as ThreadData | null;
if (parentPort !== null && data?.isDoctorThread === true) await run(parentPort, data);

async function run(port: MessagePort, { config }: ThreadData): Promise<void> {
  lowerThreadPriority();
  try {
    for await (const finding of findingsOf(config)) port.postMessage({ finding } satisfies DoctorMessage);
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    port.postMessage({ failure } satisfies DoctorMessage);
  }
}
