// When the operator, or npm that started the service, wants it to stop.

import type { Terminal } from './terminal.ts';

// A terminal signals every process, and npm passes on what it gets: one Ctrl-C may arrive twice.
const sameSignalMs = 400;

/** Resolves at the first signal, or when npm that started us has ended; a second signal ends the process at once. */
export function untilAskedToStop(launcherGone: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
    let askedAtMs: number | null = null;
    const onSignal = (): void => {
      if (askedAtMs !== null && performance.now() - askedAtMs > sameSignalMs) process.exit(1);
      askedAtMs ??= performance.now();
      resolve();
    };
    for (const signal of signals) process.on(signal, onSignal);
    // This is never the second request: a signal to the whole process group ends npm as well.
    void launcherGone.then(resolve);
  });
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
