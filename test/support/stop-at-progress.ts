// Loaded in front of a service that starts: sends it SIGTERM at a given point of its progress, counted in the promises, timers, sockets and
// threads that it has made since it first listened for that signal. So the moment does not depend on how fast the machine is.
// With STOP_FROM=told it is counted from the first line on standard error. STOP_IN says who counts, the first process or its workers; STOP_AT which point it is; STOP_BY which signal, where it is another one. Whoever
// counts writes how far it came into the folder STOP_NOTES.

import { createHook } from 'node:async_hooks';
import cluster from 'node:cluster';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

const {
  STOP_IN: counting,
  STOP_AT: point,
  STOP_NOTES: notes,
  STOP_BY: signal = 'SIGTERM',
  STOP_FROM: from,
} = process.env;
const role = cluster.isWorker ? 'worker' : 'first';
if (isMainThread && notes !== undefined && counting === role) countProgress(notes, Number(point));

function countProgress(folder: string, stopAt: number): void {
  let progress = 0;
  const counter = createHook({
    init() {
      progress += 1;
      if (progress === stopAt && isFirstThere(folder))
        process.kill(cluster.isWorker ? process.ppid : process.pid, signal);
    },
  });
  if (from === 'told') {
    const { stderr } = process;
    const write = stderr.write;
    stderr.write = ((...args: Parameters<typeof write>) => {
      counter.enable();
      return write.apply(stderr, args);
    }) as typeof write;
  } else
    process.on('newListener', (event) => {
      if (event === 'SIGTERM' && progress === 0) counter.enable();
    });
  process.on('exit', () => writeFileSync(join(folder, String(process.pid)), String(progress)));
}

/** A second signal would end the service at once: of several workers the first one sends it. */
function isFirstThere(folder: string): boolean {
  try {
    mkdirSync(join(folder, 'sent'));
    return true;
  } catch {
    return false;
  }
}
