// Token buckets in the process (D-28). With several replicas each allows its share, so that nothing has to be
// written for a request. All times are of a clock that only goes forward.

import { Cache } from '../../store/engine/work/cache.ts';

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

export interface Limit {
  /** Tokens a second, and how many a bucket holds. */
  readonly rate: number;
  readonly burst: number;
}

export interface Verdict {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** Until the bucket is full again; on a refusal, until the next token. */
  readonly waitSeconds: number;
}

// Some 25,000 buckets. Beyond that, the one that was not used for the longest time is dropped; a new one is full.
const bytesMax = 8 * 1024 * 1024;
const bucketBytes = 100;
const debtSecondsMax = 60;

export class Buckets {
  readonly #buckets = new Cache<string | number, Bucket>({ bytesMax, bytesOf: () => bucketBytes });

  /** Takes one token if there is one. */
  take(key: string | number, limit: Limit, nowMs: number): Verdict {
    const bucket = this.#filled(key, limit, nowMs);
    const isAllowed = bucket.tokens >= 1;
    if (isAllowed) bucket.tokens -= 1;
    return verdict(bucket, limit, isAllowed);
  }

  /**
   * Takes what a request cost beyond its one token, which is known when it was served. The bucket may go below zero: the
   * next request then waits, a minute at most. A negative number gives tokens back.
   */
  charge(key: string | number, tokens: number, limit: Limit, nowMs: number): void {
    const bucket = this.#filled(key, limit, nowMs);
    bucket.tokens = Math.max(1 - debtSecondsMax * limit.rate, bucket.tokens - tokens);
  }

  #filled(key: string | number, { rate, burst }: Limit, nowMs: number): Bucket {
    const known = this.#buckets.get(key);
    if (known === undefined) {
      const bucket = { tokens: burst, filledAtMs: nowMs };
      this.#buckets.set(key, bucket);
      return bucket;
    }
    const grownMs = Math.max(0, nowMs - known.filledAtMs);
    known.tokens = Math.min(burst, known.tokens + (grownMs * rate) / 1000);
    known.filledAtMs = nowMs;
    return known;
  }
}

function verdict(bucket: Bucket, { rate, burst }: Limit, isAllowed: boolean): Verdict {
  const missing = isAllowed ? burst - bucket.tokens : 1 - bucket.tokens;
  return {
    isAllowed,
    remaining: Math.max(0, Math.floor(bucket.tokens)),
    waitSeconds: Math.ceil(missing / rate),
  };
}

/** The limit in the words of the header RateLimit-Policy: so many in a window of so many seconds. */
export function policyOf(name: string, { rate, burst }: Limit): string {
  return `"${name}";q=${Math.floor(burst)};w=${Math.max(1, Math.ceil(burst / rate))}`;
}

/** How many replicas share a limit now. */
export interface ReplicaCount {
  readonly liveReplicas: number;
}

export function shareOf({ rate, burst }: Limit, replicas: number): Limit {
  return { rate: rate / replicas, burst: Math.max(1, burst / replicas) };
}
