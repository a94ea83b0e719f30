// When the operator, or npm that started the service, wants it to stop.

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
