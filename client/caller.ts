// One call of the service: with its token, tried again where that does no harm.

import { SoundingsError } from './error.ts';
import { type CallOptions, exchange, insist, isPassing, readJson } from './retry.ts';
import type { TokenSource } from './token.ts';

export type QueryValue = string | number | boolean | null | undefined;

export interface Call {
  readonly method?: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** Begins with a slash; what comes from elsewhere is encoded already. */
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue>>;
  /** A text as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it does no harm to send it twice; so it is of GET, PUT and DELETE unless this says otherwise. */
  readonly isRepeatable?: boolean;
}

export class Caller {
  readonly #base: string;
  readonly #ask: typeof fetch;
  readonly #tokens: TokenSource;
  readonly #defaults: CallOptions;

  constructor(base: string, ask: typeof fetch, tokens: TokenSource, defaults: CallOptions) {
    this.#base = base;
    this.#ask = ask;
    this.#tokens = tokens;
    this.#defaults = defaults;
  }

  /** The body of the answer; undefined where it has none. */
  json<T>(call: Call, options?: CallOptions): Promise<T> {
    return this.answer(call, options, readJson<T>);
  }

  /** What `read` makes of the answer; it may go on reading when the call is over, and end it by the controller. */
  async answer<T>(
    { method = 'GET', path, query = {}, body, headers = {}, isRepeatable }: Call,
    options: CallOptions | undefined,
    read: (answer: Response, controller: AbortController) => Promise<T>,
  ): Promise<T> {
    const patience = this.patience(options);
    const request = {
      url: `${this.#base}${path}${queryText(query)}`,
      method,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    };
    const isSafe = isRepeatable ?? ['GET', 'PUT', 'DELETE'].includes(method);
    let isLost = false;
    const mayRepeat = (failure: SoundingsError): boolean => {
      if (!isPassing(failure)) return false;
      // What is throttled was refused before anything was done with it (D-662).
      if (failure.status === 429) return true;
      isLost = true;
      return isSafe;
    };
    for (let isRenewed = false; ; isRenewed = true) {
      const token = await this.#tokens.get(patience.signal);
      const attempt = (controller: AbortController): Promise<T> =>
        exchange(this.#ask, { ...request, headers: headersOf(headers, token, body) }, controller, (answer) =>
          read(answer, controller),
        );
      try {
        return await insist(attempt, { ...patience, mayRepeat });
      } catch (error) {
        const status = error instanceof SoundingsError ? error.status : 0;
        // A try whose answer was lost has deleted it.
        if (method === 'DELETE' && status === 404 && isLost) return undefined as T;
        if (status !== 401 || isRenewed || !this.#tokens.refused(token)) throw error;
      }
    }
  }

  /** What was said for this call, else what was said for all. */
  patience(options: CallOptions = {}): CallOptions {
    const given = Object.entries(options).filter(([, value]) => value !== undefined);
    return { ...this.#defaults, ...Object.fromEntries(given) };
  }
}

function headersOf(
  headers: Readonly<Record<string, string>>,
  token: string | null,
  body: unknown,
): Record<string, string> {
  return {
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...headers,
  };
}

function queryText(query: Readonly<Record<string, QueryValue>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}
