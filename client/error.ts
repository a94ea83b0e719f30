// The one class of what goes wrong: what the service refused, and what kept it from answering.

/** One thing that is wrong with a request. */
export interface Fault {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

interface ErrorFacts {
  readonly code: string;
  readonly message: string;
  readonly status?: number;
  readonly faults?: readonly Fault[];
  readonly requestId?: string | null;
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
}

export class SoundingsError extends Error {
  override readonly name = 'SoundingsError';
  /** Of HTTP; 0 where there was no answer. */
  readonly status: number;
  /**
   * The word of the service (`RESPONSE_CONFLICT`, see docs/errors.md), or the word of SCIM, or `HTTP_404` where the body has
   * none. Of the client itself: `CONNECTION_LOST`, `TIMED_OUT`, `BROKEN_ANSWER`, `REDIRECTED` and `EXPORT_CHANGED`.
   */
  readonly code: string;
  /** Every fault of the request that the service named. */
  readonly faults: readonly Fault[];
  /** By which operators find the request in the log. */
  readonly requestId: string | null;
  /** How long the service asked to wait. */
  readonly retryAfterMs: number | null;

  constructor({
    code,
    message,
    status = 0,
    faults = [],
    requestId = null,
    retryAfterMs = null,
    cause,
  }: ErrorFacts) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
    this.faults = faults;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

interface AnswerHead {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
}

/** Of an answer that is no success, in whichever of the bodies of the service, or in the page of a proxy. */
export function errorOf({ status, headers }: AnswerHead, text: string): SoundingsError {
  const body = objectIn(text);
  const { errorCode, scimType, message, detail, detailedErrors } = body;
  return new SoundingsError({
    status,
    code: String(errorCode ?? scimType ?? `HTTP_${status}`),
    message: String(message ?? detail ?? `The answer was ${status}.`),
    faults: Array.isArray(detailedErrors) ? detailedErrors : [],
    requestId: headers.get('x-request-id'),
    retryAfterMs: retryAfterMs(headers),
  });
}

function objectIn(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Seconds, or a date, which is compared with the clock of whoever wrote it. */
function retryAfterMs(headers: AnswerHead['headers']): number | null {
  const value = headers.get('retry-after');
  if (value === null) return null;
  const ms = /^\d+$/.test(value)
    ? Number(value) * 1_000
    : Date.parse(value) - (Date.parse(headers.get('date') ?? '') || Date.now());
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
