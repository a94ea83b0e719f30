// An authenticator made of software: it makes keys, and signs what the console asks as a browser and a device would together.
// What they say can be bent, to see it refused.

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

export type Algorithm = 'ES256' | 'EdDSA' | 'RS256';

export interface CreationOptions {
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
  readonly challenge: string;
}

export interface RequestOptions {
  readonly rpId: string;
  readonly challenge: string;
}

/** What is said otherwise than an honest browser or device would. */
export interface Bent {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly challenge?: string;
  readonly isPresent?: boolean;
  readonly isVerified?: boolean;
  readonly counter?: number;
  readonly id?: string;
  readonly userHandle?: string;
  /** Bytes of the attestation in place of those that were made. */
  readonly attestationObject?: Uint8Array;
  readonly format?: string;
  readonly signature?: Uint8Array;
  readonly key?: KeyObject;
}

export class Authenticator {
  readonly id = randomBytes(32).toString('base64url');
  readonly #origin: string;
  readonly #privateKey: KeyObject;
  readonly #coseKey: Uint8Array;
  /** Null for one that does not count, as those that are shared among devices. */
  counter: number | null;
  userHandle = '';

  constructor(
    origin: string,
    { algorithm = 'ES256', counts = true }: { algorithm?: Algorithm; counts?: boolean } = {},
  ) {
    this.#origin = origin;
    this.counter = counts ? 0 : null;
    const { privateKey, coseKey } = makeKey(algorithm);
    this.#privateKey = privateKey;
    this.#coseKey = coseKey;
  }

  /** As navigator.credentials.create(...).toJSON(). */
  create(options: CreationOptions, bent: Bent = {}) {
    this.userHandle = options.user.id;
    const id = bent.id ?? this.id;
    const authData = Buffer.concat([
      this.#authenticatorData(options.rp.id, bent, 0x40),
      Buffer.alloc(16),
      uint16(Buffer.from(this.id, 'base64url').length),
      Buffer.from(this.id, 'base64url'),
      this.#coseKey,
    ]);
    const attestation = cbor(
      new Map<string, unknown>([
        ['fmt', bent.format ?? 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    );
    return {
      id,
      rawId: id,
      type: 'public-key',
      response: {
        clientDataJSON: this.#clientData('webauthn.create', options.challenge, bent).toString('base64url'),
        attestationObject: Buffer.from(bent.attestationObject ?? attestation).toString('base64url'),
        transports: ['internal', 'hybrid'],
        publicKeyAlgorithm: -7,
      },
      clientExtensionResults: { credProps: { rk: true } },
      authenticatorAttachment: 'platform',
    };
  }

  /** As navigator.credentials.get(...).toJSON(). */
  get(options: RequestOptions, bent: Bent = {}) {
    const id = bent.id ?? this.id;
    const authData = this.#authenticatorData(options.rpId, bent, 0);
    const clientData = this.#clientData('webauthn.get', options.challenge, bent);
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
    const signature = bent.signature ?? signatureOf(bent.key ?? this.#privateKey, signed);
    return {
      id,
      rawId: id,
      type: 'public-key',
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: Buffer.from(signature).toString('base64url'),
        userHandle: bent.userHandle ?? this.userHandle,
      },
      clientExtensionResults: {},
      authenticatorAttachment: 'platform',
    };
  }

  #clientData(type: string, challenge: string, bent: Bent): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: bent.type ?? type,
        challenge: bent.challenge ?? challenge,
        origin: bent.origin ?? this.#origin,
        crossOrigin: false,
      }),
    );
  }

  #authenticatorData(rpId: string, bent: Bent, flags: number): Buffer {
    if (this.counter !== null) this.counter += 1;
    const present = bent.isPresent === false ? 0 : 0x01;
    const verified = bent.isVerified === false ? 0 : 0x04;
    const head = Buffer.alloc(37);
    createHash('sha256')
      .update(bent.rpId ?? rpId)
      .digest()
      .copy(head);
    head[32] = flags | present | verified;
    head.writeUInt32BE(bent.counter ?? this.counter ?? 0, 33);
    return head;
  }
}

function makeKey(algorithm: Algorithm): { privateKey: KeyObject; coseKey: Uint8Array } {
  const { privateKey, publicKey } =
    algorithm === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : algorithm === 'EdDSA'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = publicKey.export({ format: 'jwk' });
  const bytes = (text: string | undefined): Buffer => Buffer.from(text!, 'base64url');
  // RFC 9053: key type, algorithm, then what the type has.
  const members: Readonly<Record<Algorithm, () => [number, unknown][]>> = {
    ES256: () => [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(jwk.x)],
      [-3, bytes(jwk.y)],
    ],
    EdDSA: () => [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, bytes(jwk.x)],
    ],
    RS256: () => [
      [1, 3],
      [3, -257],
      [-1, bytes(jwk.n)],
      [-2, bytes(jwk.e)],
    ],
  };
  return { privateKey, coseKey: cbor(new Map(members[algorithm]())) };
}

function signatureOf(key: KeyObject, bytes: Uint8Array): Buffer {
  return sign(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', bytes, key);
}

/** The part of CBOR (RFC 8949) that authenticators write: whole numbers, bytes, texts, lists and maps. */
export function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  if (value instanceof Map)
    return Buffer.concat([
      head(5, value.size),
      ...[...value].flatMap(([name, member]) => [cbor(name), cbor(member)]),
    ]);
  throw new Error(`Authenticators write no ${typeof value}.`);
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  if (length < 65_536) return Buffer.concat([Buffer.from([(major << 5) | 25]), uint16(length)]);
  throw new Error(`Authenticators write nothing of ${length} bytes.`);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
