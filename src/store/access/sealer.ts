// Seals secrets so that they can be kept in the store, and opens them again: JWE with A256GCM by jose, under a key that its
// header names. The header also names what the text was sealed for, and nothing opens it as anything else (D-241).

import { CompactEncrypt, calculateJwkThumbprint, compactDecrypt, decodeProtectedHeader } from 'jose';
import { readSealKeys } from '../../domain/access/seal-key.ts';
import type { Db } from '../engine/db.ts';
import { apartFromRequests, withinWaits } from '../engine/work/request-waits.ts';
import { foundSealingKey, lastingMs, noteSealed, sealingKeys } from './sealing-keys.ts';

/** The settings, store, clock and chance that are needed; a Context has all of them. */
export interface SealerContext {
  readonly config: { readonly sealKey: string };
  readonly db: Db;
  readonly now: () => number;
  readonly elapsedMs: () => number;
  readonly newId: () => string;
  readonly newSecret: () => string;
}

export interface Sealed {
  /** The key that opens it, to be kept in a column beside it. */
  readonly kid: string;
  readonly text: string;
}

/** Nothing in this process opens the text: the operator has to bring the key back. */
export class SealingKeyMissing extends Error {
  readonly kid: string;

  constructor(kid: string) {
    super(
      `What the sealing key ${kid} has sealed cannot be opened: the key is neither in SOUNDINGS_SEAL_KEY nor in the store.`,
    );
    this.name = 'SealingKeyMissing';
    this.kid = kid;
  }
}

/** A key of the settings, under the name that its own bytes give it (RFC 7638). */
export interface NamedKey {
  readonly kid: string;
  readonly bytes: Uint8Array;
}

/** The first one seals. */
export async function keysOfSettings({
  sealKey,
}: {
  readonly sealKey: string;
}): Promise<readonly NamedKey[]> {
  const keys = readSealKeys(sealKey) ?? [];
  return Promise.all(
    keys.map(async (bytes) => ({
      kid: await calculateJwkThumbprint({ kty: 'oct', k: bytes.toString('base64url') }),
      bytes,
    })),
  );
}

// Other processes may have rotated; a new key is used everywhere after this.
const lookEveryMs = 5_000;
const dayMs = 86_400_000;

interface KnownKey extends NamedKey {
  readonly isOfSettings: boolean;
}

export class Sealer {
  readonly #context: SealerContext;
  /** The one that seals first. */
  #keys: readonly KnownKey[] = [];
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  readonly #notedEnd = new Map<string, number>();
  #lookUnderWay: Promise<void> | null = null;
  #nextLook: Promise<void> | null = null;

  constructor(context: SealerContext) {
    this.#context = context;
  }

  /**
   * Seals for a purpose, such as "webhook secret 4001 wh_1": only who names the same one can open it. The key is kept until
   * `endsAtMs`; null for what has no end by itself.
   */
  async seal(purpose: string, plain: Uint8Array | string, endsAtMs: number | null): Promise<Sealed> {
    const { kid, bytes } = await this.keyUntil(endsAtMs);
    const text = await new CompactEncrypt(typeof plain === 'string' ? Buffer.from(plain) : plain)
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid, for: purpose })
      .encrypt(bytes);
    return { kid, text };
  }

  /** Fails with SealingKeyMissing where the key is gone, and with any other error where the text is not what was sealed. */
  async open(purpose: string, text: string): Promise<Buffer> {
    const { kid = '' } = decodeProtectedHeader(text) as { kid?: string };
    const key = await this.#keyNamed(kid);
    if (key === undefined) throw new SealingKeyMissing(kid);
    const { plaintext, protectedHeader } = await compactDecrypt(text, key.bytes, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    });
    if (protectedHeader.for !== purpose) throw new Error('The text was sealed for something else.');
    return Buffer.from(plaintext);
  }

  /** The key that seals now, after it was kept that it is needed so long. */
  async keyUntil(endsAtMs: number | null): Promise<NamedKey> {
    // Whole days: most things of a day need no further note.
    const endMs = endsAtMs === null ? lastingMs : Math.ceil(endsAtMs / dayMs) * dayMs;
    for (;;) {
      const { elapsedMs, db, now } = this.#context;
      if (elapsedMs() - this.#lookedAtMs > lookEveryMs) await this.#look();
      const key = this.#keys[0] ?? (await this.#firstKey());
      if ((this.#notedEnd.get(key.kid) ?? 0) >= endMs) return key;
      const { kid, isOfSettings } = key;
      if (await db.write(noteSealed, { kid, isOfSettings, endMs, nowMs: now() })) {
        this.#notedEnd.set(kid, endMs);
        return key;
      }
      // It was revoked since the last look.
      this.#lookedAtMs = Number.NEGATIVE_INFINITY;
    }
  }

  /** Every key that opens, as it was some seconds ago at most. */
  async openingKeys(): Promise<readonly NamedKey[]> {
    if (this.#context.elapsedMs() - this.#lookedAtMs > lookEveryMs) await this.#look();
    return this.#keys;
  }

  /**
   * Every key that opens, as it is now. Whoever makes up names of keys could have the store asked without end: so one question
   * is under way at a time, and all who come meanwhile share the next.
   */
  async openingKeysOfNow(): Promise<readonly NamedKey[]> {
    const look = (): Promise<void> => {
      this.#lookUnderWay = apartFromRequests(() => this.#look()).finally(() => {
        this.#lookUnderWay = null;
      });
      return this.#lookUnderWay;
    };
    if (this.#lookUnderWay === null) await withinWaits(look());
    else {
      this.#nextLook ??= this.#lookUnderWay
        .catch(() => {})
        .then(() => {
          this.#nextLook = null;
          return look();
        });
      await withinWaits(this.#nextLook);
    }
    return this.#keys;
  }

  async #keyNamed(kid: string): Promise<KnownKey | undefined> {
    const known = this.#keys.find((key) => key.kid === kid);
    if (known !== undefined && this.#context.elapsedMs() - this.#lookedAtMs <= lookEveryMs) return known;
    await this.#look();
    return this.#keys.find((key) => key.kid === kid);
  }

  async #look(): Promise<void> {
    const { config, db, elapsedMs } = this.#context;
    const lookedAtMs = elapsedMs();
    const ofSettings = (await keysOfSettings(config)).map((key) => ({ ...key, isOfSettings: true }));
    const ofStore = (await sealingKeys(db)).flatMap(({ kid, secret }) =>
      secret === null ? [] : [{ kid, bytes: Buffer.from(secret, 'base64url'), isOfSettings: false }],
    );
    this.#keys = [...ofSettings, ...ofStore];
    this.#lookedAtMs = lookedAtMs;
  }

  async #firstKey(): Promise<KnownKey> {
    const { db, now, newId, newSecret } = this.#context;
    await db.write(foundSealingKey, { kid: newId(), secret: newSecret(), nowMs: now() });
    await this.#look();
    const [first] = this.#keys;
    if (first === undefined) throw new Error('The store keeps no sealing key.');
    return first;
  }
}
