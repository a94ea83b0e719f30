// Wrong credentials of every kind (client ids, secrets, provisioning tokens, access tokens) are counted by network, and
// so are the questions that unknown ones cost. Right ones are never refused for the sake of others behind the same
// address: what is remembered needs no question, and what was right lately is asked about in any case (D-181).

import type { Context } from '../../context.ts';
import { Problem } from '../../domain/problem.ts';
import { Cache } from '../../store/engine/cache.ts';
import { networkOf } from './network.ts';
import { Buckets, type Limit, policyOf, type ReplicaCount, shareOf } from './throttle.ts';

// Enough for all the callers behind one address to begin at once after a restart: a right one gives its place back.
const questionsLimit: Limit = { rate: 10, burst: 50 };
const rightBytesMax = 4 * 1024 * 1024;
const rightAgeMaxMs = 24 * 3_600_000;

export class WrongCredentials {
  readonly #context: Context;
  readonly #replicas: ReplicaCount;
  readonly #failures = new Buckets();
  readonly #questions = new Buckets();
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
   * Asks the store about credentials that nobody remembers, unless too many unknown ones came from this network.
   * The digest names the credentials without telling them; null where there is nothing to be known again by.
   */
  async ask<T>(address: string, digest: string | null, question: () => Promise<T | null>): Promise<T | null> {
    const wasRight = digest !== null && this.#right.get(digest) === true;
    if (!wasRight) this.#takeQuestion(address);
    const found = await question();
    if (found === null) {
      if (digest !== null) this.#right.delete(digest);
      return null;
    }
    if (digest !== null) this.#right.set(digest, true);
    if (!wasRight) this.#giveBack(address);
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

  #takeQuestion(address: string): void {
    const { config, elapsedMs } = this.#context;
    if (!config.throttle) return;
    const limit = this.#share(questionsLimit);
    const verdict = this.#questions.take(this.#networkOf(address), limit, elapsedMs());
    if (!verdict.isAllowed) throw this.#tooMany(verdict.waitSeconds);
  }

  #giveBack(address: string): void {
    const { config, elapsedMs } = this.#context;
    if (!config.throttle) return;
    this.#questions.charge(this.#networkOf(address), -1, this.#share(questionsLimit), elapsedMs());
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
        'ratelimit-policy': policyOf('signin', this.#failuresLimit()),
        ratelimit: `"signin";r=0;t=${waitSeconds}`,
      },
    });
  }
}
