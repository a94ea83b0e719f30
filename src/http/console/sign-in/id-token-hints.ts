// The ID token of a sign-in, for whoever signs out at the provider later: many providers end a session without a question
// only for whoever brings it (id_token_hint). It is sealed in a cookie that is sent to that one endpoint, so that the
// store keeps nothing of it, and opens for the session and connection of that sign-in alone (D-398).

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ConsoleAddress } from '../../../acts/access/console-address.ts';
import { Sealer, type SealerContext } from '../../../store/access/sealer.ts';
import { sessionLongestMs } from '../../../store/people/sessions.ts';
import { addCookie, cookieOf } from './session-cookie.ts';

const endAtProviderPath = '/console/api/session/end-at-provider';
// Browsers keep cookies of 4,096 bytes, with their name and attributes. Of a larger token there is no hint.
const sealedLengthMax = 3_800;

/** Whose sign-in a token belongs to. */
interface HintOwner {
  readonly accountId: number;
  readonly connectionId: string;
  readonly sessionId: string;
}

export class IdTokenHints {
  readonly #context: SealerContext;
  readonly #address: ConsoleAddress;
  readonly #sealer: Sealer;

  constructor(context: SealerContext, address: ConsoleAddress) {
    this.#context = context;
    this.#address = address;
    this.#sealer = new Sealer(context);
  }

  async keep(reply: FastifyReply, owner: HintOwner, idToken: string): Promise<void> {
    // Sealing makes it longer, and something much longer need not be sealed first.
    if (idToken.length > sealedLengthMax) return this.drop(reply);
    const endsAtMs = this.#context.now() + sessionLongestMs;
    const { text } = await this.#sealer.seal(purposeOf(owner), idToken, endsAtMs);
    if (text.length > sealedLengthMax) return this.drop(reply);
    this.#set(reply, text, sessionLongestMs / 1_000);
  }

  /** Null where the browser brings none, or that of another sign-in: whoever signs out does so without. */
  async open(request: FastifyRequest, owner: HintOwner): Promise<string | null> {
    const text = cookieOf(request.headers.cookie, this.#name);
    if (text === null || text === '' || text.length > sealedLengthMax) return null;
    return this.#sealer.open(purposeOf(owner), text).then(
      (plain) => plain.toString(),
      () => null,
    );
  }

  drop(reply: FastifyReply): void {
    this.#set(reply, '', 0);
  }

  #set(reply: FastifyReply, value: string, seconds: number): void {
    addCookie(reply, this.#address, this.#name, value, seconds, endAtProviderPath);
  }

  /** A name with __Host- would be sent to every path. Nobody else can seal one, so that a planted one is none. */
  get #name(): string {
    return this.#address.isSecure ? '__Secure-soundings-hint' : 'soundings-hint';
  }
}

function purposeOf({ accountId, connectionId, sessionId }: HintOwner): string {
  return `ID token of session ${sessionId} through connection ${connectionId} of account ${accountId}`;
}
