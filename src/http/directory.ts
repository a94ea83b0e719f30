// What a replica remembers of API clients and signing keys. It may hold what is for a few seconds, and never what
// is not: a miss asks the store, so that what was just created or rotated works at once (D-13).

import type { House } from '../house.ts';
import { type ApiClientRecord, findClient } from '../store/clients.ts';
import { findIdentity, type SigningKey, type StoreIdentity, signingKeys } from '../store/keys.ts';
import { Buckets } from './throttle.ts';

// A disabled client must stop within 5 s everywhere, so what is remembered is a little younger than that.
const clientAgeMaxMs = 4_000;
const keysAgeMaxMs = 4_000;
const clientsMax = 10_000;
const missLimit = { rate: 5, burst: 10 };

export interface LoadedKey extends SigningKey {
  readonly cryptoKey: CryptoKey;
}

interface Remembered {
  readonly client: ApiClientRecord;
  readonly readAtMs: number;
}

export class Directory {
  readonly #house: House;
  readonly #clients = new Map<string, Remembered>();
  readonly #misses = new Buckets();
  #identity: StoreIdentity | null = null;
  #keys: readonly LoadedKey[] = [];
  #keysReadAtMs = Number.NEGATIVE_INFINITY;

  constructor(house: House) {
    this.#house = house;
  }

  /** The client if it is remembered and fresh: the way of nearly every request, without a promise. */
  rememberedClient(id: string): ApiClientRecord | null {
    const remembered = this.#clients.get(id);
    if (remembered === undefined) return null;
    return this.#house.now() - remembered.readAtMs < clientAgeMaxMs ? remembered.client : null;
  }

  /**
   * The client, remembered where that suffices for a yes. A no is the store's: what was enabled or granted a moment
   * ago works at once, and a caller who is refused over and over makes few questions a second.
   */
  async client(id: string, suffices: (client: ApiClientRecord) => boolean): Promise<ApiClientRecord | null> {
    const remembered = this.rememberedClient(id);
    if (remembered === null) return this.freshClient(id);
    const mayAsk = (): boolean => this.#misses.take(id, missLimit, this.#house.now()).isAllowed;
    return suffices(remembered) || !mayAsk() ? remembered : this.freshClient(id);
  }

  async freshClient(id: string): Promise<ApiClientRecord | null> {
    const readAtMs = this.#house.now();
    const client = await findClient(this.#house.db, id);
    if (client === null) {
      this.#clients.delete(id);
      return null;
    }
    if (this.#clients.size >= clientsMax) this.#clients.clear();
    this.#clients.set(id, { client, readAtMs });
    return client;
  }

  async identity(): Promise<StoreIdentity> {
    this.#identity ??= await findIdentity(this.#house.db);
    if (this.#identity === null) throw new Error('The store has no identity: it was never founded.');
    return this.#identity;
  }

  /** The newest key whose time has come: every replica knows it by then. */
  async signingKey(): Promise<LoadedKey> {
    const keys = await this.#freshKeys();
    const nowMs = this.#house.now();
    const key = keys.find(({ signsFromMs }) => signsFromMs <= nowMs);
    if (key === undefined) throw new Error('The store has no signing key.');
    return key;
  }

  async verificationKey(kid: string): Promise<LoadedKey | null> {
    const known = (await this.#freshKeys()).find((key) => key.kid === kid);
    if (known !== undefined) return known;
    // Anyone can make up a key id, so questions about unknown ones are few a second.
    if (!this.#misses.take('kid', missLimit, this.#house.now()).isAllowed) return null;
    await this.#readKeys();
    return this.#keys.find((key) => key.kid === kid) ?? null;
  }

  async #freshKeys(): Promise<readonly LoadedKey[]> {
    if (this.#house.now() - this.#keysReadAtMs >= keysAgeMaxMs) await this.#readKeys();
    return this.#keys;
  }

  async #readKeys(): Promise<void> {
    const readAtMs = this.#house.now();
    const rows = await signingKeys(this.#house.db);
    const loaded = new Map(this.#keys.map((key) => [key.kid, key]));
    this.#keys = await Promise.all(
      rows.map(async (row) => loaded.get(row.kid) ?? { ...row, cryptoKey: await importKey(row) }),
    );
    this.#keysReadAtMs = readAtMs;
  }
}

async function importKey({ secret }: SigningKey): Promise<CryptoKey> {
  const bytes = Buffer.from(secret, 'base64url');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}
