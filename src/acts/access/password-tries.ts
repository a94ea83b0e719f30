// Wrong passwords are counted by name and by network before they are looked at, and taken back where they were right.
// Whoever comes from a network that the same person has signed in from lately is counted apart: however many others try a
// name from elsewhere, its owner gets in (D-335).

import type { Context } from '../../context.ts';
import { Problem } from '../../domain/problem.ts';
import { Cache } from '../../store/engine/work/cache.ts';
import { sessionLongestMs } from '../../store/people/sessions.ts';
import { networkOf } from './network.ts';
import { Buckets, type Limit, policyOf, type ReplicaCount, shareOf } from './throttle.ts';
import type { WrongCredentials } from './wrong-credentials.ts';

const windowSeconds = 15 * 60;
/** Of one name, from all networks that it is not known from. */
const nameLimit: Limit = { rate: 10 / windowSeconds, burst: 10 };
/** Of one name, from one network that it is known from. */
const knownLimit: Limit = { rate: 30 / windowSeconds, burst: 30 };
const rightBytesMax = 4 * 1024 * 1024;

/** A try that was counted. */
export interface PasswordTry {
  wasRight(): void;
  /** The password was not looked at after all. */
  wasNotMade(): void;
}

export class PasswordTries {
  readonly #context: Context;
  readonly #wrong: WrongCredentials;
  readonly #replicas: ReplicaCount;
  readonly #names = new Buckets();
  readonly #known = new Buckets();
  /** Names and networks that belonged together lately. */
  readonly #right: Cache<string, true>;

  constructor(context: Context, wrong: WrongCredentials, replicas: ReplicaCount) {
    this.#context = context;
    this.#wrong = wrong;
    this.#replicas = replicas;
    this.#right = new Cache({
      bytesMax: rightBytesMax,
      bytesOf: () => 8,
      ageMaxMs: sessionLongestMs,
      elapsedMs: context.elapsedMs,
    });
  }

  /** Whether the name was right from there lately: here, or by a session that was begun there on any replica. */
  isKnown(name: string, address: string, origins: readonly string[]): boolean {
    const network = this.#networkOf(address);
    return (
      this.#right.get(pairOf(name, network)) === true ||
      origins.some((origin) => this.#networkOf(origin) === network)
    );
  }

  begin(name: string, address: string, isKnown: boolean): PasswordTry {
    const pair = pairOf(name, this.#networkOf(address));
    const takeBack = isKnown ? this.#take(this.#known, pair, knownLimit) : this.#takeOfBoth(name, address);
    return {
      wasRight: () => {
        takeBack();
        this.#right.set(pair, true);
      },
      wasNotMade: takeBack,
    };
  }

  #takeOfBoth(name: string, address: string): () => void {
    const takeBackOfNetwork = this.#wrong.begin(address);
    try {
      const takeBackOfName = this.#take(this.#names, name, nameLimit);
      return () => {
        takeBackOfNetwork();
        takeBackOfName();
      };
    } catch (error) {
      takeBackOfNetwork();
      throw error;
    }
  }

  #take(buckets: Buckets, key: string, whole: Limit): () => void {
    const { config, elapsedMs } = this.#context;
    if (!config.throttle) return () => {};
    const limit = shareOf(whole, this.#replicas.liveReplicas);
    const { isAllowed, waitSeconds } = buckets.take(key, limit, elapsedMs());
    if (!isAllowed) throw tooMany(waitSeconds, limit);
    return () => buckets.charge(key, -1, limit, elapsedMs());
  }

  #networkOf(address: string): string {
    return networkOf(address, this.#context.config.throttleIpv6PrefixBits);
  }
}

// No network has a blank.
function pairOf(name: string, network: string): string {
  return `${network} ${name}`;
}

function tooMany(waitSeconds: number, limit: Limit): Problem {
  return new Problem(
    'TOO_MANY_FAILED_SIGN_INS',
    'Too many wrong passwords for this name. Wait, come from where you have signed in before, or sign in by another way.',
    {
      headers: {
        'retry-after': String(waitSeconds),
        'ratelimit-policy': policyOf('password', limit),
        ratelimit: `"password";r=0;t=${waitSeconds}`,
      },
    },
  );
}
