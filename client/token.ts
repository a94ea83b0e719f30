// The access token: asked for once however many calls wait for it, renewed before its time is over.

import type { components } from './api.ts';
import { type CallOptions, exchange, insist, isPassing, readJson } from './retry.ts';

export interface Credentials {
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  /** What the token is to open, separated by blanks; `r_cx_basic`, which is all that the client was granted, unless given. */
  readonly scope?: string | undefined;
  /** Instead of id and secret: a token, or what gives one when it is asked. */
  readonly token?: string | (() => string | Promise<string>) | undefined;
}

export interface TokenSource {
  /** Null where calls go without one. */
  get(signal: AbortSignal | undefined): Promise<string | null>;
  /** The service has refused this token; whether asking again may bring another. */
  refused(token: string | null): boolean;
}

type TokenResponse = components['schemas']['TokenResponse'];

// A token is renewed when a fifth of its life is left, at most a minute.
const leftShare = 0.2;
const leftMaxMs = 60_000;

export function tokenSource(
  { clientId, clientSecret, scope = 'r_cx_basic', token }: Credentials,
  base: string,
  ask: typeof fetch,
  { signal: _signal, ...patience }: CallOptions,
): TokenSource {
  if (typeof token === 'string') return { get: async () => token, refused: () => false };
  if (typeof token === 'function')
    return new KeptToken(async () => ({ value: await token(), lifetimeMs: 0 }));
  if (clientId === undefined && clientSecret === undefined)
    return { get: async () => null, refused: () => false };
  if (clientId === undefined || clientSecret === undefined)
    throw new TypeError('clientId and clientSecret belong together.');
  const query = new URLSearchParams({ grant_type: 'client_credentials', scope });
  const request = {
    url: `${base}/v1/token?${query}`,
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${base64(`${clientId}:${clientSecret}`)}`,
    },
  };
  return new KeptToken(async () => {
    const attempt = (controller: AbortController): Promise<TokenResponse> =>
      exchange(ask, request, controller, readJson<TokenResponse>);
    const answer = await insist(attempt, { ...patience, mayRepeat: isPassing });
    return { value: answer.access_token, lifetimeMs: Number(answer.expires_in) * 1_000 };
  });
}

interface NewToken {
  readonly value: string;
  readonly lifetimeMs: number;
}

class KeptToken implements TokenSource {
  readonly #renew: () => Promise<NewToken>;
  #token: string | null = null;
  #renewAtMs = 0;
  #pending: Promise<string> | null = null;

  constructor(renew: () => Promise<NewToken>) {
    this.#renew = renew;
  }

  get(signal: AbortSignal | undefined): Promise<string> {
    if (this.#token !== null && Date.now() < this.#renewAtMs) return Promise.resolve(this.#token);
    this.#pending ??= this.#fetch().finally(() => {
      this.#pending = null;
    });
    // Others wait for the same token: whoever gives up leaves it to them.
    return unlessAborted(this.#pending, signal);
  }

  refused(token: string | null): boolean {
    // Of many calls with the same token the first to be refused drops it.
    if (this.#token === token) this.#token = null;
    return true;
  }

  async #fetch(): Promise<string> {
    const { value, lifetimeMs } = await this.#renew();
    this.#token = value;
    this.#renewAtMs = Date.now() + lifetimeMs - Math.min(leftMaxMs, lifetimeMs * leftShare);
    return value;
  }
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    if (signal.aborted) abort();
  });
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
