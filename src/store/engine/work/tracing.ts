// What the code knows of traces: that a request may be followed, and work within it named. What follows them is loaded only
// where an operator has named a receiver (http/server/otel-tracing.ts); everywhere else there is nothing to call.

export type TraceFacts = Readonly<Record<string, string | number>>;

/** A request that is followed. */
export interface RequestTrace {
  /** Carries out a piece of the request: what it asks of the store belongs to it. */
  run(work: () => void): void;
  /** The answer has gone out, or the connection is gone. */
  end(status: number, errorCode: string | null, facts: TraceFacts): void;
}

export interface Tracing {
  /** A new request; the headers may say of which trace it is part. */
  begin(
    request: { readonly method: string; readonly route: string },
    headers: { readonly traceparent?: unknown; readonly tracestate?: unknown },
  ): RequestTrace;
  /** Whether a request that is recorded is under way here. */
  readonly isRecording: boolean;
  /** Work for that request, as a part of its own. */
  within<T>(name: string, facts: TraceFacts, work: () => T): T;
  /** Sends what is left, if the receiver takes it soon. */
  stop(): Promise<void>;
  /** Whether something was left that the receiver did not take: it is given up, and nobody should wait for it. */
  readonly isStuck: boolean;
}
