// The end of every sign-in, whatever way it came: a new session, its cookie, and an entry in the audit log. Who is about to
// sign in has been found and is let in by then.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ConsoleAddress } from '../../../acts/access/console-address.ts';
import type { CredentialCache } from '../../../acts/access/credential-cache.ts';
import type { Context } from '../../../context.ts';
import { hashSecret } from '../../../domain/access/secret.ts';
import {
  actorOf,
  operatorsAccount,
  type PersonId,
  personIdOf,
  type SignInWay,
  type Visitor,
} from '../../../domain/access/visitor.ts';
import { Problem } from '../../../domain/problem.ts';
import type { ProvenPassword } from '../../../store/people/passwords.ts';
import {
  type CreateSession,
  createSession,
  enterAccount,
  raiseSession,
  renewSession,
  type SessionKey,
} from '../../../store/people/sessions.ts';
import { renewByProvider, signInByProvider } from '../../../store/people/user-connections.ts';
import { stampOf } from '../visitor-stamp.ts';
import { setSessionCookie } from './session-cookie.ts';
import type { SignedIn, Visitors } from './visitors.ts';

const browserLengthMax = 200;

/** Who signs in, and by what. */
export interface Proof extends PersonId {
  /** As the audit log names them: "user 1000000123", "operator ada". */
  readonly actor: string;
  readonly way: SignInWay;
  readonly connectionId?: string;
  readonly providerSubject?: string;
  readonly providerSession?: string;
  readonly password?: ProvenPassword;
  /** Whether admin counts for whoever signs in by this (D-400). */
  readonly admitsAdmin: boolean;
  /** When they proved it, where that was before now; what asks for a fresh sign-in goes by it. */
  readonly signedInAtMs?: number;
}

/** What somebody was refused for, or the session that they have. */
type BegunByProvider =
  | { readonly refusal: 'otherConnection' | 'connectionGone' }
  | { readonly refusal: null; readonly sessionId: string };

interface SigningInServices {
  readonly context: Context;
  readonly credentialCache: CredentialCache;
  readonly address: ConsoleAddress;
  readonly visitors: Visitors;
}

export class SigningIn {
  readonly #context: Context;
  readonly #credentialCache: CredentialCache;
  readonly #address: ConsoleAddress;
  readonly #visitors: Visitors;

  constructor({ context, credentialCache, address, visitors }: SigningInServices) {
    this.#context = context;
    this.#credentialCache = credentialCache;
    this.#address = address;
    this.#visitors = visitors;
  }

  /**
   * A new session under a new secret: one that somebody planted in the browser before opens nothing. Whoever proves
   * again who they are goes on with the session that they have, which is fresh from then on.
   */
  async begin(request: FastifyRequest, reply: FastifyReply, proof: Proof): Promise<void> {
    const current = await this.#visitors.find(request);
    if (current !== null && isSamePerson(personIdOf(current.visitor.person), proof))
      return this.#renew(request, reply, current.key, proof);
    const { input, secret } = await this.prepare(request, proof);
    await this.#context.db.write(createSession, input);
    this.finish(reply, proof.accountId, secret);
  }

  /** The same for whoever comes back from an identity provider. */
  async beginByProvider(
    request: FastifyRequest,
    reply: FastifyReply,
    proof: Proof & { readonly connectionId: string },
  ): Promise<BegunByProvider> {
    const current = await this.#visitors.find(request);
    if (current === null || !isSamePerson(personIdOf(current.visitor.person), proof)) {
      const { input, secret } = await this.prepare(request, proof);
      const { connectionId } = proof;
      const refusal = await this.#context.db.write(signInByProvider, { ...input, connectionId });
      if (refusal !== null) return { refusal };
      this.finish(reply, proof.accountId, secret);
      return { refusal, sessionId: input.sessionId };
    }
    const secret = this.#context.newSecret();
    const stamp = stampOf(this.#context, request, proof.actor);
    const outcome = await this.#context.db.write(renewByProvider, {
      ...stamp,
      ...proof,
      ...current.key,
      newTokenHash: await this.#hash(secret),
      signedInAtMs: proof.signedInAtMs ?? stamp.nowMs,
    });
    if (outcome === 'ended') throw new Problem('SIGN_IN_REQUIRED', 'This session has ended. Sign in again.');
    if (outcome !== null) return { refusal: outcome };
    this.finish(reply, proof.accountId, secret);
    return { refusal: outcome, sessionId: current.visitor.sessionId };
  }

  /** For a change that signs somebody in within its own transaction (insertSession). */
  async prepare(
    request: FastifyRequest,
    proof: Proof,
  ): Promise<{ readonly input: CreateSession; readonly secret: string }> {
    const secret = this.#context.newSecret();
    const browser = request.headers['user-agent']?.slice(0, browserLengthMax);
    const input: CreateSession = {
      ...stampOf(this.#context, request, proof.actor),
      ...proof,
      sessionId: this.#context.newId(),
      tokenHash: await this.#hash(secret),
      ...(browser === undefined ? {} : { browser }),
    };
    return { input, secret };
  }

  finish(reply: FastifyReply, accountId: number, secret: string): void {
    setSessionCookie(reply, this.#address, accountId, secret);
  }

  async #renew(
    request: FastifyRequest,
    reply: FastifyReply,
    key: SessionKey,
    { actor, personId, way, password, admitsAdmin }: Proof,
  ): Promise<void> {
    const secret = this.#context.newSecret();
    const stamp = stampOf(this.#context, request, actor);
    const isRenewed = await this.#context.db.write(renewSession, {
      ...stamp,
      ...key,
      newTokenHash: await this.#hash(secret),
      personId,
      signedInAtMs: stamp.nowMs,
      way,
      admitsAdmin,
      ...(password === undefined ? {} : { password }),
    });
    if (!isRenewed) throw new Problem('SIGN_IN_REQUIRED', 'This session has ended. Sign in again.');
    this.finish(reply, key.accountId, secret);
  }

  /** The visitor of a request whose owner has gained roles, with these and the cookie of a new secret. */
  async raise(
    request: FastifyRequest,
    reply: FastifyReply,
    { visitor, key, endsAtMs, risen }: SignedIn,
  ): Promise<Visitor> {
    if (risen === null) return visitor;
    const secret = this.#context.newSecret();
    const isRaised = await this.#context.db.write(raiseSession, {
      ...stampOf(this.#context, request, actorOf(visitor)),
      ...key,
      newTokenHash: await this.#hash(secret),
      roleBits: risen.roleBits,
      endsAtMs,
    });
    // Another request of the same browser was first, and its answer brings the new secret.
    if (!isRaised) return visitor;
    this.finish(reply, key.accountId, secret);
    return risen.visitor;
  }

  /** An operator enters an account, or with null leaves the one that was entered. */
  async enter(
    request: FastifyRequest,
    reply: FastifyReply,
    { visitor, key }: { readonly visitor: Visitor; readonly key: SessionKey },
    accountId: number | null,
  ): Promise<void> {
    const secret = this.#context.newSecret();
    const hasEntered = await this.#context.db.write(enterAccount, {
      ...stampOf(this.#context, request),
      tokenHash: key.tokenHash,
      newTokenHash: await this.#hash(secret),
      enteredAccountId: accountId,
      leftAccountId: visitor.accountId,
    });
    if (!hasEntered) throw new Problem('SIGN_IN_REQUIRED', 'This session has ended. Sign in again.');
    this.finish(reply, operatorsAccount, secret);
  }

  async #hash(secret: string): Promise<string> {
    const { secretKey } = await this.#credentialCache.identity();
    return hashSecret(secret, secretKey);
  }
}

function isSamePerson(one: PersonId, other: PersonId): boolean {
  return one.accountId === other.accountId && one.personId === other.personId;
}
