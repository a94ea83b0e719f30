// A call is tried again while there is hope: so often, for so long, and not before the service wants to hear of it.

import { errorOf, SoundingsError } from './error.ts';

/** How long to go on with a call that fails, and who may end it. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** So often in all; 5 unless given. */
  readonly tries?: number | undefined;
  /** All tries and the pauses between them; 120,000 unless given. */
  readonly totalMs?: number | undefined;
  /** One try; 60,000 unless given. Of an export: the time without a byte. */
  readonly attemptMs?: number | undefined;
  /** The first pause; it doubles up to 10 seconds, and a part of it is chance. 250 unless given. */
  readonly backoffMs?: number | undefined;
}

interface Insistence extends CallOptions {
  readonly mayRepeat: (failure: SoundingsError) => boolean;
}

const backoffMaxMs = 10_000;

export async function insist<T>(
  attempt: (controller: AbortController) => Promise<T>,
  { tries = 5, totalMs = 120_000, attemptMs = 60_000, backoffMs, signal, mayRepeat }: Insistence,
): Promise<T> {
  const endMs = Date.now() + totalMs;
  for (let tried = 1; ; tried += 1) {
    signal?.throwIfAborted();
    try {
      return await within(Math.min(attemptMs, endMs - Date.now()), signal, attempt);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof SoundingsError) || tried >= tries || !mayRepeat(error)) throw error;
      const pauseMs = (error.retryAfterMs ?? 0) + backoff(tried, backoffMs);
      // Nobody is kept waiting for a try that would come too late.
      if (Date.now() + pauseMs >= endMs) throw error;
      await wait(pauseMs, signal);
    }
  }
}

/** Half of it is chance, so that those who failed together do not come back together. */
export function backoff(tried: number, backoffMs = 250): number {
  return Math.min(backoffMaxMs, backoffMs * 2 ** (tried - 1)) * (0.5 + Math.random() / 2);
}

/** What may pass by itself: lost connections, 429, and what the interface says to try again. */
export function isPassing({ status, code }: SoundingsError): boolean {
  return (
    (status === 0 && code !== 'REDIRECTED') ||
    code === 'BROKEN_ANSWER' ||
    [429, 500, 502, 503, 504].includes(status)
  );
}

async function within<T>(
  ms: number,
  signal: AbortSignal | undefined,
  attempt: (controller: AbortController) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort);
  const timer = setTimeout(() => controller.abort(timedOut(ms)), ms);
  try {
    return await attempt(controller);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

export function timedOut(ms: number): SoundingsError {
  return new SoundingsError({ code: 'TIMED_OUT', message: `There was no answer within ${ms} ms.` });
}

interface Listened {
  addEventListener?(name: string, act: () => void): void;
  removeEventListener?(name: string, act: () => void): void;
}

/**
 * Resolves after the time; rejects with the reason of the signal. In a page that is being left the time is over: the next try
 * is the last that it can make, and the browser carries it out.
 */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const page = globalThis as Listened;
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      page.removeEventListener?.('pagehide', end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    page.addEventListener?.('pagehide', end);
  });
}

export interface Request {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly keepalive?: boolean;
}

/** What a failure of the connection is told as; what somebody aborted keeps its reason. */
export function connectionLost(cause: unknown, { signal }: AbortController): unknown {
  if (signal.aborted) return signal.reason;
  if (cause instanceof SoundingsError) return cause;
  return new SoundingsError({ code: 'CONNECTION_LOST', message: `The connection was lost: ${cause}`, cause });
}

/** One request, and what is read of its answer if that is a success. */
export async function exchange<T>(
  ask: typeof fetch,
  { url, ...request }: Request,
  controller: AbortController,
  read: (answer: Response) => Promise<T>,
): Promise<T> {
  try {
    const answer = await ask(url, {
      ...request,
      signal: controller.signal,
      // Whoever is sent elsewhere would show credentials there.
      redirect: 'manual',
      credentials: 'omit',
    });
    if (answer.ok) return await read(answer);
    if (answer.type === 'opaqueredirect' || (answer.status >= 300 && answer.status < 400))
      throw new SoundingsError({
        status: answer.status,
        code: 'REDIRECTED',
        message: `${url} leads elsewhere: give the address of the service itself.`,
      });
    throw errorOf(answer, await answer.text());
  } catch (error) {
    throw connectionLost(error, controller);
  }
}

/** An answer that ended too early, as far as HTTP could tell, is no JSON. */
export async function readJson<T>(answer: Response): Promise<T> {
  const text = await answer.text();
  try {
    return (text === '' ? undefined : JSON.parse(text)) as T;
  } catch (cause) {
    const message = 'The answer is no JSON: it was cut, or somebody else has answered.';
    throw new SoundingsError({ status: answer.status, code: 'BROKEN_ANSWER', message, cause });
  }
}
