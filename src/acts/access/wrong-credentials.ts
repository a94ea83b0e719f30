// Wrong credentials of every kind (client ids, secrets, provisioning tokens, access tokens) are counted by network, and
// so are the lookups in the store that unknown ones cause. Right ones are never refused because of others behind the
// same address: what is remembered needs no lookup, and what was right lately is looked up in any case (D-181).

import type { Context } from '../../context.ts';
import { Problem } from '../../domain/problem.ts';
import { Cache } from '../../store/engine/work/cache.ts';
import { networkOf } from './network.ts';
import { Buckets, type Limit, policyOf, type ReplicaCount, shareOf } from './throttle.ts';

// Enough for all callers behind one address to begin at once after a restart: right ones give their token back.
const lookupsLimit: Limit = { rate: 10, burst: 50 };
const rightBytesMax = 4 * 1024 * 1024;
const rightAgeMaxMs = 24 * 3_600_000;

export class WrongCredentials {
  readonly #context: Context;
  readonly #replicas: ReplicaCount;
  readonly #failures = new Buckets();
  readonly #lookups = new Buckets();
  /** Digests of credentials that were right lately. */
  readonly #right: Cache<string, true>;

  constructor(context: Context, replicas: ReplicaCount) {
    this.#context = context;
    this.#replicas = replicas;
    this.#right = new Cache({
      bytesMax: rightBytesMax,
      bytesOf: () => 8,
      ageMaxMs: rightAgeMaxMs,
      elapsedMs: context.elapsedMs,
    });
  }

  /**
   * Looks up credentials that are not remembered, unless too many unknown ones came from this network. The digest
   * stands for the credentials without holding them; null where they could not be recognised later.
   */
  async lookUp<T>(address: string, digest: string | null, find: () => Promise<T | null>): Promise<T | null> {
    const wasRight = digest !== null && this.#right.get(digest) === true;
    if (!wasRight) this.#takeLookup(address);
    const found = await find();
    if (found === null) {
      if (digest !== null) this.#right.delete(digest);
      return null;
    }
    if (digest !== null) this.#right.set(digest, true);
    if (!wasRight) this.#giveLookupBack(address);
    return found;
  }

  /** What to answer to credentials that were wrong: the refusal itself, or that there were too many. */
  refusal(address: string, refused: Problem): Problem {
    const { config, elapsedMs } = this.#context;
    if (!config.throttle) return refused;
    const limit = this.#share(this.#failuresLimit());
    const verdict = this.#failures.take(this.#networkOf(address), limit, elapsedMs());
    return verdict.isAllowed ? refused : this.#tooMany(verdict.waitSeconds);
  }

  /**
   * For what costs too much to be tried without end: counted as wrong before it is looked at, unless there were too many
   * from this network. What is returned takes that back, where it was right.
   */
  begin(address: string): () => void {
    const { config, elapsedMs } = this.#context;
    if (!config.throttle) return () => {};
    const network = this.#networkOf(address);
    const limit = this.#share(this.#failuresLimit());
    const verdict = this.#failures.take(network, limit, elapsedMs());
    if (!verdict.isAllowed) throw this.#tooMany(verdict.waitSeconds);
    return () => this.#failures.charge(network, -1, limit, elapsedMs());
  }

  #takeLookup(address: string): void {
    const { config, elapsedMs } = this.#context;
    if (!config.throttle) return;
    const limit = this.#share(lookupsLimit);
    const verdict = this.#lookups.take(this.#networkOf(address), limit, elapsedMs());
    if (!verdict.isAllowed) throw this.#tooMany(verdict.waitSeconds);
  }

  #giveLookupBack(address: string): void {
    const { config, elapsedMs } = this.#context;
    if (!config.throttle) return;
    this.#lookups.charge(this.#networkOf(address), -1, this.#share(lookupsLimit), elapsedMs());
  }

  #networkOf(address: string): string {
    return networkOf(address, this.#context.config.throttleIpv6PrefixBits);
  }

  #share(limit: Limit): Limit {
    return shareOf(limit, this.#replicas.liveReplicas);
  }

  #failuresLimit(): Limit {
    const perMinute = this.#context.config.throttleSigninPerMinute;
    return { rate: perMinute / 60, burst: perMinute };
  }

  #tooMany(waitSeconds: number): Problem {
    const message = 'Too many wrong credentials. Please wait before the next try.';
    return new Problem('TOO_MANY_FAILED_SIGN_INS', message, {
      headers: {
        'retry-after': String(waitSeconds),
        'ratelimit-policy': policyOf('signin', this.#share(this.#failuresLimit())),
        ratelimit: `"signin";r=0;t=${waitSeconds}`,
      },
    });
  }
}
