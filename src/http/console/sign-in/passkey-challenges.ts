// The challenge that an authenticator signs. The store keeps none: it lies sealed in a cookie of the browser that asked for
// it, for five minutes, together with what it is for, so that any replica can take the answer (D-341).

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ConsoleAddress } from '../../../acts/access/console-address.ts';
import type { Context } from '../../../context.ts';
import { Problem } from '../../../domain/problem.ts';
import { Sealer } from '../../../store/access/sealer.ts';
import { Cache } from '../../../store/engine/work/cache.ts';
import { addCookie, cookieOf } from './session-cookie.ts';

const challengeForMs = 5 * 60_000;
// Sealed, a challenge has some three hundred characters.
const sealedLengthMax = 1_000;
// Some 3,500 of them; who answers twice within the time is refused by the passkey itself as well.
const usedBytesMax = 1024 * 1024;

/** What a challenge is for: signing in, or adding a passkey within the session of this id. */
type ChallengeUse = 'sign-in' | { readonly sessionId: string };

interface Challenge {
  /** 256 random bits as base64url, as the options for the browser and the answer have them. */
  readonly challenge: string;
  readonly madeAtMs: number;
}

export class PasskeyChallenges {
  readonly #context: Context;
  readonly #address: ConsoleAddress;
  readonly #sealer: Sealer;
  /** Challenges that were answered here, until they would have ended anyway. */
  readonly #used: Cache<string, true>;

  constructor(context: Context, address: ConsoleAddress) {
    this.#context = context;
    this.#address = address;
    this.#sealer = new Sealer(context);
    this.#used = new Cache<string, true>({
      bytesMax: usedBytesMax,
      bytesOf: () => 8,
      ageMaxMs: challengeForMs,
    });
  }

  /** A new one, whose seal is set as a cookie. */
  async make(reply: FastifyReply, use: ChallengeUse): Promise<string> {
    const made: Challenge = { challenge: this.#context.newSecret(), madeAtMs: this.#context.now() };
    const endsAtMs = made.madeAtMs + challengeForMs;
    const { text } = await this.#sealer.seal(purposeOf(use), JSON.stringify(made), endsAtMs);
    addCookie(reply, this.#address, this.#name, text, challengeForMs / 1_000);
    return made.challenge;
  }

  /** The one that the browser was given for this use. It is taken once; null where there is none, or it has ended. */
  async take(request: FastifyRequest, use: ChallengeUse): Promise<Challenge | null> {
    const sealed = cookieOf(request.headers.cookie, this.#name);
    if (sealed === null || sealed.length > sealedLengthMax) return null;
    const made = await this.#open(sealed, use);
    if (made === null) return null;
    const ageMs = this.#context.now() - made.madeAtMs;
    if (ageMs > challengeForMs || this.#used.get(made.challenge) === true) return null;
    this.#used.set(made.challenge, true);
    return made;
  }

  drop(reply: FastifyReply): void {
    addCookie(reply, this.#address, this.#name, '', 0);
  }

  get #name(): string {
    return this.#address.cookieNameFor('passkey');
  }

  /** Null for whatever was not sealed for this use: anybody may send any text. */
  async #open(sealed: string, use: ChallengeUse): Promise<Challenge | null> {
    try {
      return JSON.parse((await this.#sealer.open(purposeOf(use), sealed)).toString()) as Challenge;
    } catch (error) {
      // A store that does not answer is no fault of the browser's.
      if (error instanceof Problem) throw error;
      return null;
    }
  }
}

function purposeOf(use: ChallengeUse): string {
  return use === 'sign-in' ? 'passkey challenge' : `passkey challenge of session ${use.sessionId}`;
}
