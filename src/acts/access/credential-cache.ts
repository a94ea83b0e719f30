// What a replica remembers of API clients and signing keys, for a few seconds. That something is missing is never
// remembered: a miss asks the store, so that what was just created or rotated works at once (D-13).

import type { Context } from '../../context.ts';
import { type ApiClientRecord, findClient } from '../../store/access/clients.ts';
import {
  findIdentity,
  type SigningKey,
  type StoreIdentity,
  signingKeys,
} from '../../store/access/signing-keys.ts';
import { Cache } from '../../store/engine/work/cache.ts';
import { apartFromRequests, withinWaits } from '../../store/engine/work/request-waits.ts';
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

  /** The client if it is remembered and fresh. Nearly every request finds it here, without a promise. */
  rememberedClient(id: string): ApiClientRecord | null {
    return this.#clients.get(id) ?? null;
  }

  /**
   * The remembered client, if that allows the request. Nobody is refused from memory: the store is asked first, so that
   * what was enabled or granted a moment ago works at once. A caller who is refused again and again makes the service
   * ask a few times a second at most.
   */
  async client(id: string, isEnough: (client: ApiClientRecord) => boolean): Promise<ApiClientRecord | null> {
    const known = await this.#clients.find(id, () => findClient(this.#context.db, id));
    if (known !== null && isEnough(known)) return known;
    const mayAsk = this.#misses.take(id, missLimit, this.#context.elapsedMs()).isAllowed;
    return mayAsk ? this.freshClient(id) : known;
  }

  /** Read from the store now; a read that began before is not shared. */
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
   * The newest key whose time to sign has come: every replica has read it by then. Where the clock was set back to
   * before all of them, the newest signs, and a replica that has not read it yet asks the store (D-180).
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

  /** Asks the store for a key that may have been made a moment ago; whoever asks meanwhile shares the answer. */
  async newKey(kid: string): Promise<LoadedKey | null> {
    // The read that is under way may have begun before the key was made.
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
    this.#keysUnderWay ??= apartFromRequests(() => this.#loadKeys()).finally(() => {
      this.#keysUnderWay = null;
    });
    return withinWaits(this.#keysUnderWay);
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
