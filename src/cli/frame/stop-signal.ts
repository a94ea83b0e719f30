// When the operator, or npm that started the service, wants it to stop.

import cluster from 'node:cluster';
import type { Terminal } from './terminal.ts';

// A terminal signals every process, and npm passes on what it gets: one Ctrl-C may arrive twice.
const sameSignalMs = 400;
// Shorter than any supervisor's patience: a start that hangs on its store, or on one long step of the schema, ends by itself. What is cut
// off is a transaction, which the store takes back (D-855).
const startEndsWithinMs = 5_000;

/** Thrown between two steps of a start that was asked to stop. */
class StartStopped extends Error {}

/** The request that a service stop: heard from the first line of the program on, so that a start can end in order as well (D-855). */
export class StopRequest {
  /** Resolves at the first signal, or when npm that started us has ended; a second signal ends the process at once. */
  readonly asked: Promise<void>;
  readonly #resolve: () => void;
  isAsked = false;
  #signalledAtMs: number | null = null;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.asked = promise;
    this.#resolve = resolve;
    // A terminal signals the workers and the first process at once; the workers wait for the first one's SIGTERM, so that all
    // of them stop in order. Only the first process decides that it takes too long.
    process.on('SIGTERM', () => (cluster.isWorker ? this.ask() : this.#onSignal()));
    for (const signal of ['SIGINT', 'SIGHUP'])
      process.on(signal, () => (cluster.isWorker ? undefined : this.#onSignal()));
  }

  /** Without a signal. This is never the second request: a signal to the whole process group ends npm as well. */
  ask(): void {
    this.isAsked = true;
    this.#resolve();
  }

  #onSignal(): void {
    if (this.#signalledAtMs !== null && performance.now() - this.#signalledAtMs > sameSignalMs)
      process.exit(1);
    this.#signalledAtMs ??= performance.now();
    this.ask();
  }

  /** Stands between two steps of a start, where nothing is half done. */
  readonly throwIfAsked = (): void => {
    if (this.isAsked) throw new StartStopped('The service was asked to stop before it served.');
  };

  /** The steps of a start. Null where they ended because they were asked to, in time or not: the process then ends with status 0. */
  async start<T>(steps: () => Promise<T>): Promise<T | null> {
    let isOver = false;
    let cutOff: NodeJS.Timeout | undefined;
    void this.asked.then(() => {
      // It keeps the process alive: whatever the start waits for may not.
      if (!isOver) cutOff = setTimeout(() => process.exit(0), startEndsWithinMs);
    });
    try {
      const started = await steps();
      clearTimeout(cutOff);
      return started;
    } catch (error) {
      // A start that fails while it is being stopped is stopped.
      if (!this.isAsked) throw error;
      // What is left open, such as an attempt to connect, may not keep the process either.
      cutOff?.unref();
      return null;
    } finally {
      isOver = true;
    }
  }
}

let stopRequest: StopRequest | null = null;

/** The one of this process; signals are heard from the first call on. */
export function hearStopRequest(): StopRequest {
  stopRequest ??= new StopRequest();
  return stopRequest;
}

const stopCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** For a command that works in steps: the first signal ends the work when what is under way is done, the second one at once. */
export class StopSignals implements Disposable {
  exitCode: number | null = null;
  readonly #handlers: readonly (readonly [NodeJS.Signals, () => void])[];

  constructor(terminal: Terminal) {
    this.#handlers = Object.entries(stopCodes).map(([signal, code]) => [
      signal as NodeJS.Signals,
      () => {
        if (this.exitCode !== null) process.exit(code);
        this.exitCode = code;
        terminal.tell('Stopping when what is under way is done; once more stops at once.');
      },
    ]);
    for (const [signal, handler] of this.#handlers) process.on(signal, handler);
  }

  [Symbol.dispose](): void {
    for (const [signal, handler] of this.#handlers) process.off(signal, handler);
  }
}
