// What is kept of a sign-in while the person is at the identity provider: sealed, in one cookie of ten minutes, so that any
// replica can take them back (D-352). Nothing of it is in the store.

import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ConsoleAddress } from '../../../acts/access/console-address.ts';
import { Sealer, type SealerContext } from '../../../store/access/sealer.ts';
import { addCookie, cookieOf } from './session-cookie.ts';

export const stateSeconds = 600;
const purpose = 'sign-in by an identity provider';
const cookieLengthMax = 4_000;
const secondMs = 1_000;

/** Who sees what a test sign-in brought: a session, or whoever has the set-up link. */
export type TestOwner = `session ${string}` | `setup ${string}`;

export interface ProviderState {
  readonly accountId: number;
  readonly connectionId: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** A path of the console. */
  readonly returnTo: string;
  /** They have to prove anew who they are. */
  readonly isFresh: boolean;
  /** Whose test it is; null where somebody signs in. */
  readonly testOf: TestOwner | null;
  readonly startedAtMs: number;
}

export class ProviderStates {
  readonly #context: SealerContext;
  readonly #address: ConsoleAddress;
  readonly #sealer: Sealer;

  constructor(context: SealerContext, address: ConsoleAddress) {
    this.#context = context;
    this.#address = address;
    this.#sealer = new Sealer(context);
  }

  async keep(reply: FastifyReply, state: ProviderState): Promise<void> {
    const endsAtMs = state.startedAtMs + stateSeconds * secondMs;
    const { text } = await this.#sealer.seal(purpose, JSON.stringify(state), endsAtMs);
    addCookie(reply, this.#address, this.#name, text, stateSeconds);
  }

  /** Null where the browser brings none, or one that has ended or was not sealed by us. */
  async open(request: FastifyRequest): Promise<ProviderState | null> {
    const text = cookieOf(request.headers.cookie, this.#name);
    if (text === null || text === '' || text.length > cookieLengthMax) return null;
    let state: ProviderState;
    try {
      state = JSON.parse((await this.#sealer.open(purpose, text)).toString()) as ProviderState;
    } catch {
      return null;
    }
    return this.#context.now() - state.startedAtMs <= stateSeconds * secondMs ? state : null;
  }

  drop(reply: FastifyReply): void {
    addCookie(reply, this.#address, this.#name, '', 0);
  }

  get #name(): string {
    return `${this.#address.cookieName}-provider`;
  }
}

/** Whether two texts are the same, in a time that tells nothing of where they differ. */
export function isSameText(one: string, other: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(one), hash(other));
}
