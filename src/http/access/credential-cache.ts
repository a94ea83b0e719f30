// What a replica remembers of API clients and signing keys. It may hold what is for a few seconds, and never what
// is not: a miss asks the store, so that what was just created or rotated works at once (D-13).

import type { Context } from '../../context.ts';
import { type ApiClientRecord, findClient } from '../../store/access/clients.ts';
import {
  findIdentity,
  type SigningKey,
  type StoreIdentity,
  signingKeys,
} from '../../store/access/signing-keys.ts';
import { Cache } from '../../store/engine/cache.ts';
import { Buckets } from './throttle.ts';

// A disabled client and a revoked key must stop within 5 s everywhere, so what is remembered is a little younger.
const ageMaxMs = 4_000;
const clientsBytesMax = 8 * 1024 * 1024;
const missLimit = { rate: 5, burst: 10 };

export interface LoadedKey extends SigningKey {
  readonly cryptoKey: CryptoKey;
  /** When its successor begins to sign; null for the newest. */
  readonly signsUntilMs: number | null;
}

export class CredentialCache {
  readonly #context: Context;
  readonly #clients: Cache<string, ApiClientRecord>;
  readonly #misses = new Buckets();
  #identity: StoreIdentity | null = null;
  /** Newest first, and by their ids. */
  #keys: readonly LoadedKey[] = [];
  #keysById: ReadonlyMap<string, LoadedKey> = new Map();
  #keysReadAtMs = Number.NEGATIVE_INFINITY;
  #keysUnderWay: Promise<void> | null = null;

  constructor(context: Context) {
    this.#context = context;
    this.#clients = new Cache({
      bytesMax: clientsBytesMax,
      bytesOf: ({ name }) => 800 + 2 * name.length,
      ageMaxMs,
      elapsedMs: context.elapsedMs,
    });
  }

  /** The client if it is remembered and fresh: the way of nearly every request, without a promise. */
  rememberedClient(id: string): ApiClientRecord | null {
    return this.#clients.get(id) ?? null;
  }

  /**
   * The client, remembered where that suffices for a yes. A no is the store's: what was enabled or granted a moment
   * ago works at once, and a caller who is refused over and over makes few questions a second.
   */
  async client(id: string, suffices: (client: ApiClientRecord) => boolean): Promise<ApiClientRecord | null> {
    const known = await this.#clients.find(id, () => findClient(this.#context.db, id));
    if (known !== null && suffices(known)) return known;
    const mayAsk = this.#misses.take(id, missLimit, this.#context.elapsedMs()).isAllowed;
    return mayAsk ? this.freshClient(id) : known;
  }

  /** Asked for now, and not shared with a question that somebody else asked before. */
  async freshClient(id: string): Promise<ApiClientRecord | null> {
    const askedAtMs = this.#context.elapsedMs();
    const client = await findClient(this.#context.db, id);
    if (client === null) this.#clients.delete(id);
    else this.#clients.set(id, client, askedAtMs);
    return client;
  }

  async identity(): Promise<StoreIdentity> {
    this.#identity ??= await findIdentity(this.#context.db);
    if (this.#identity === null) throw new Error('The store has no identity: it was never founded.');
    return this.#identity;
  }

  /**
   * The newest key whose time has come: every replica knows it by then. Where the clock was set back before the time
   * of all of them, the newest signs: a replica that does not know it yet asks (D-180).
   */
  async signingKey(): Promise<LoadedKey> {
    const keys = await this.#freshKeys();
    const nowMs = this.#context.now();
    const key = keys.find(({ signsFromMs }) => signsFromMs <= nowMs) ?? keys[0];
    if (key === undefined) throw new Error('The store has no signing key.');
    return key;
  }

  /** Whether this key is known, from memory that is fresh: false may also mean that the store must be asked. */
  remembersKey(kid: string): boolean {
    return this.#areKeysFresh() && this.#keysById.has(kid);
  }

  async verificationKey(kid: string): Promise<LoadedKey | null> {
    await this.#freshKeys();
    return this.#keysById.get(kid) ?? null;
  }

  /** A key that was made a moment ago, or nothing: asks the store in any case, once for all who ask meanwhile. */
  async newKey(kid: string): Promise<LoadedKey | null> {
    // What is under way may have been asked before the key was made.
    await this.#keysUnderWay;
    if (!this.#keysById.has(kid)) await this.#readKeys();
    return this.#keysById.get(kid) ?? null;
  }

  #areKeysFresh(): boolean {
    return this.#context.elapsedMs() - this.#keysReadAtMs < ageMaxMs;
  }

  async #freshKeys(): Promise<readonly LoadedKey[]> {
    if (!this.#areKeysFresh()) await this.#readKeys();
    return this.#keys;
  }

  #readKeys(): Promise<void> {
    this.#keysUnderWay ??= this.#loadKeys().finally(() => {
      this.#keysUnderWay = null;
    });
    return this.#keysUnderWay;
  }

  async #loadKeys(): Promise<void> {
    const askedAtMs = this.#context.elapsedMs();
    const rows = await signingKeys(this.#context.db);
    this.#keys = await Promise.all(
      rows.map(async (row, index) => ({
        ...row,
        cryptoKey: this.#keysById.get(row.kid)?.cryptoKey ?? (await importKey(row)),
        signsUntilMs: rows[index - 1]?.signsFromMs ?? null,
      })),
    );
    this.#keysById = new Map(this.#keys.map((key) => [key.kid, key]));
    this.#keysReadAtMs = askedAtMs;
  }
}

async function importKey({ secret }: SigningKey): Promise<CryptoKey> {
  const bytes = Buffer.from(secret, 'base64url');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}
