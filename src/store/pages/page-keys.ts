// The keys of form tokens and invitations, derived from the keys that seal (D-445). What is out in the world names its key by
// a short mark instead of its whole name: a link must fit into an address.

import { createHash, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { NamedKey, Sealer } from '../access/sealer.ts';

export const keyMarkBytes = 6;

export class PageKey {
  readonly kid: string;
  /** Six bytes as base64url. */
  readonly mark: string;
  readonly #bytes: Uint8Array;
  #formKey: KeyObject | null = null;
  #workKey: KeyObject | null = null;

  constructor({ kid, bytes }: NamedKey) {
    this.kid = kid;
    this.mark = createHash('sha256').update(kid).digest().subarray(0, keyMarkBytes).toString('base64url');
    this.#bytes = bytes;
  }

  get formKey(): KeyObject {
    this.#formKey ??= createSecretKey(this.#derived('soundings form token'));
    return this.#formKey;
  }

  /** Of the challenges that a survey asks to be worked for while it runs hot. */
  get workKey(): KeyObject {
    this.#workKey ??= createSecretKey(this.#derived('soundings work'));
    return this.#workKey;
  }

  /** Each survey of each account has a key of its own: no other opens its invitations. */
  invitationKey(accountId: number, surveyId: string): Uint8Array {
    return this.#derived(`soundings invitation ${accountId} ${surveyId}`);
  }

  #derived(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#bytes, '', purpose, 32));
  }
}

export class PageKeys {
  readonly #sealer: Sealer;
  #byKid = new Map<string, PageKey>();

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  /** The key that seals now, kept until then at least. */
  async until(endsAtMs: number): Promise<PageKey> {
    const key = await this.#sealer.keyUntil(endsAtMs);
    return this.#byKid.get(key.kid) ?? this.#add(key);
  }

  /** Null where there is none, or none any more. */
  async marked(mark: string): Promise<PageKey | null> {
    const known = this.#find(await this.#sealer.openingKeys(), mark);
    // Another process may have made it a moment ago.
    return known ?? this.#find(await this.#sealer.openingKeysOfNow(), mark);
  }

  #find(keys: readonly NamedKey[], mark: string): PageKey | null {
    // What was dropped from the store is let go here too.
    if (this.#byKid.size > 2 * keys.length + 10) this.#byKid = new Map();
    for (const key of keys) {
      const own = this.#byKid.get(key.kid) ?? this.#add(key);
      if (own.mark === mark) return own;
    }
    return null;
  }

  #add(key: NamedKey): PageKey {
    const own = new PageKey(key);
    this.#byKid.set(key.kid, own);
    return own;
  }
}
