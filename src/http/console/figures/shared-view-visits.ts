// Whoever comes by the link of a shared view. Its code comes in a header that the page takes from the fragment of its address: so it
// is in no log, in no referrer, and no other site can have a browser send it. No cookie is looked at.

import type { FastifyRequest } from 'fastify';
import type { CredentialCache } from '../../../acts/access/credential-cache.ts';
import { CredentialEnds } from '../../../acts/access/credential-ends.ts';
import type { WrongCredentials } from '../../../acts/access/wrong-credentials.ts';
import type { Context } from '../../../context.ts';
import { readLinkCode } from '../../../domain/access/one-time-link.ts';
import { hashSecret } from '../../../domain/access/secret.ts';
import type { SharedViewEnd } from '../../../domain/access/shared-view.ts';
import { Problem } from '../../../domain/problem.ts';
import {
  type FoundSharedView,
  findSharedView,
  noteSharedViewUse,
} from '../../../store/access/shared-views.ts';
import { GatheredWrites } from '../../server/gathered-writes.ts';

const sharedViewHeader = 'soundings-view';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the link of the request shows, on routes of shared views. */
    sharedView: FoundSharedView | null;
  }
}

const writtenEveryMs = 60_000;
const gatherMs = 1_000;
const waitingMax = 1_000;

export class SharedViewVisits {
  readonly #context: Context;
  readonly #credentialCache: CredentialCache;
  readonly #wrong: WrongCredentials;
  readonly #ends: CredentialEnds;
  readonly #uses = new Map<string, { accountId: number; id: string; usedAtMs: number }>();
  readonly #writes = new GatheredWrites(
    gatherMs,
    () => this.#uses.size > 0,
    () => this.#write(),
  );

  constructor(context: Context, credentialCache: CredentialCache, wrong: WrongCredentials) {
    this.#context = context;
    this.#credentialCache = credentialCache;
    this.#wrong = wrong;
    this.#ends = new CredentialEnds(context);
  }

  async demand(request: FastifyRequest): Promise<FoundSharedView> {
    const { db, now } = this.#context;
    const header = request.headers[sharedViewHeader];
    const code = typeof header === 'string' ? readLinkCode(header) : null;
    if (code === null) throw this.#wrong.refusal(request.ip, unknownLink());
    const { secretKey } = await this.#credentialCache.identity();
    const codeHash = hashSecret(code.secret, secretKey);
    const key = { accountId: code.accountId, codeHash };
    const found = await this.#wrong.lookUp(request.ip, codeHash, () => findSharedView(db, key, now()));
    if (found === null) throw this.#wrong.refusal(request.ip, unknownLink());
    const end = found.end ?? (this.#ends.hasEnded(codeHash, found.expiresAtMs) ? 'ended' : null);
    if (end !== null) throw new Problem('SHARED_VIEW_ENDED', endSentences[end]);
    this.#noteUse(found);
    return found;
  }

  /** Writes what is waiting. */
  async stop(): Promise<void> {
    await this.#writes.now();
  }

  #noteUse({ accountId, id, usedAtMs }: FoundSharedView): void {
    const nowMs = this.#context.now();
    if (nowMs - (usedAtMs ?? 0) < writtenEveryMs || this.#uses.size >= waitingMax) return;
    this.#uses.set(`${accountId} ${id}`, { accountId, id, usedAtMs: nowMs });
    this.#writes.soon();
  }

  async #write(): Promise<void> {
    const uses = [...this.#uses.values()];
    this.#uses.clear();
    const { db, log } = this.#context;
    for (const use of uses)
      try {
        await db.write(noteSharedViewUse, use);
      } catch (error) {
        // The next look at any of them is noted again.
        log.warn({ err: error, views: uses.length }, 'The last use of some shared views could not be noted.');
        return;
      }
  }
}

function unknownLink(): Problem {
  return new Problem(
    'SHARED_VIEW_NOT_FOUND',
    'This link leads to no shared view. Check that all of it was copied, or ask whoever sent it for a new one.',
  );
}

const endSentences: Readonly<Record<SharedViewEnd, string>> = {
  revoked: 'This shared view was taken back. Ask whoever sent you the link for a new one.',
  ended: 'The time of this shared view is over. Ask whoever sent you the link for a new one.',
  makerGone:
    'Whoever made this shared view is no longer here, and it has ended with that. Ask their team for a new link.',
};

/** What the link shows, on a route of shared views: the gate has put it there. */
export function sharedViewOf(request: FastifyRequest): FoundSharedView {
  if (request.sharedView === null) throw new Error('The route shows no shared view.');
  return request.sharedView;
}
