// Finds who a request of the console comes from. Each request is held against the store. When a session was last used is
// written at most once a minute.

import type { FastifyRequest } from 'fastify';
import type { ConsoleAddress } from '../../../acts/access/console-address.ts';
import type { CredentialCache } from '../../../acts/access/credential-cache.ts';
import { CredentialEnds } from '../../../acts/access/credential-ends.ts';
import type { Context } from '../../../context.ts';
import { heldToPasskey } from '../../../domain/access/passkey-demand.ts';
import type { Visitor } from '../../../domain/access/visitor.ts';
import { Problem } from '../../../domain/problem.ts';
import { findSession, type RisenRights } from '../../../store/people/session-lookup.ts';
import {
  noteSessionUse,
  type SessionKey,
  type SessionUse,
  sessionIdleMs,
} from '../../../store/people/sessions.ts';
import { GatheredWrites } from '../../server/gathered-writes.ts';
import { sessionKeyOf } from './session-cookie.ts';

const writtenEveryMs = 60_000;
const gatherMs = 1_000;
const waitingMax = 10_000;
// So many rows are locked at once at most.
const batchMax = 500;

export interface SignedIn {
  readonly visitor: Visitor;
  readonly key: SessionKey;
  readonly endsAtMs: number;
  readonly risen: RisenRights | null;
}

export class Visitors {
  readonly #context: Context;
  readonly #credentialCache: CredentialCache;
  readonly #address: ConsoleAddress;
  readonly #ends: CredentialEnds;
  readonly #uses = new Map<string, SessionUse>();
  readonly #writes = new GatheredWrites(
    gatherMs,
    () => this.#uses.size > 0,
    () => this.#write(),
  );

  constructor(context: Context, credentialCache: CredentialCache, address: ConsoleAddress) {
    this.#context = context;
    this.#credentialCache = credentialCache;
    this.#address = address;
    this.#ends = new CredentialEnds(context);
  }

  /** The session of a request, or null where it has none that is live. */
  async find(request: FastifyRequest): Promise<SignedIn | null> {
    const { secretKey } = await this.#credentialCache.identity();
    const key = sessionKeyOf(request, this.#address, secretKey);
    if (key === null) return null;
    const found = await findSession(this.#context.db, key, this.#context.now());
    if (found === null || this.#ends.hasEnded(key.tokenHash, found.endsAtMs, sessionIdleMs)) return null;
    this.#noteUse(key, found.usedAtMs);
    const { endsAtMs, risen } = found;
    const { requirePasskey } = this.#context.config;
    const visitor = heldToPasskey(found.visitor, requirePasskey);
    const held = risen && { ...risen, visitor: heldToPasskey(risen.visitor, requirePasskey) };
    return { visitor, key, endsAtMs, risen: held };
  }

  async demand(request: FastifyRequest): Promise<SignedIn> {
    const found = await this.find(request);
    if (found !== null) return found;
    throw new Problem('SIGN_IN_REQUIRED', 'Sign in first: this session has ended, or there was none.');
  }

  /** Writes what is waiting. */
  async stop(): Promise<void> {
    await this.#writes.now();
  }

  #noteUse(key: SessionKey, usedAtMs: number): void {
    const nowMs = this.#context.now();
    if (nowMs - usedAtMs < writtenEveryMs || this.#uses.size >= waitingMax) return;
    this.#uses.set(key.tokenHash, { ...key, usedAtMs: nowMs });
    this.#writes.soon();
  }

  async #write(): Promise<void> {
    const uses = [...this.#uses.values()];
    this.#uses.clear();
    const { db, log } = this.#context;
    let lost = 0;
    let failure: unknown = null;
    for (const batch of batchesOf(uses, db.dialect.isSpread)) {
      // When the store is away the next batch would only wait for it as long, unless it lies on another machine.
      if (!(failure instanceof Problem) || db.dialect.isSpread)
        try {
          await db.write(noteSessionUse, { uses: batch });
          continue;
        } catch (error) {
          failure = error;
        }
      lost += batch.length;
    }
    // Sessions that are used all the time are noted a minute later.
    if (lost > 0)
      log.warn({ err: failure, sessions: lost }, 'The last use of some sessions could not be noted.');
  }
}

/** Where accounts lie on several machines, each batch is of one account: one machine, one transaction. */
function batchesOf(uses: readonly SessionUse[], isOfOneAccount: boolean): readonly (readonly SessionUse[])[] {
  const groups = isOfOneAccount ? [...Map.groupBy(uses, ({ accountId }) => accountId).values()] : [uses];
  return groups.flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / batchMax) }, (_, index) =>
      group.slice(index * batchMax, (index + 1) * batchMax),
    ),
  );
}
