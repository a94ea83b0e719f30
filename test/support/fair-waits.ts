// How long somebody waited for a service, less what is the machine's fault.

/** Moments of one request, in milliseconds of the same clock. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface WaitSpan extends Span {
  /** What the processes that took part waited for a processor meanwhile. */
  readonly unscheduledMs: number;
}

/**
 * What each of them waited, less the time in which a server that does nothing was late as well, or in which there was no processor,
 * whichever is longer: the same standstill may show in both.
 */
export function fairWaits(waits: readonly WaitSpan[], standstills: readonly Span[]): number[] {
  return waits.map(({ fromMs, toMs, unscheduledMs }) => {
    let stoodMs = 0;
    for (const still of standstills)
      stoodMs += Math.max(0, Math.min(toMs, still.toMs) - Math.max(fromMs, still.fromMs));
    return Math.max(0, toMs - fromMs - Math.max(stoodMs, unscheduledMs));
  });
}
