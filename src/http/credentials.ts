// How an API client proves itself at the token endpoint (D-14, D-15).

import { timingSafeEqual } from 'node:crypto';
import { Problem } from '../domain/problem.ts';
import { hashSecret } from '../domain/secret.ts';
import type { House } from '../house.ts';
import type { ApiClientRecord } from '../store/clients.ts';
import type { Directory } from './directory.ts';
import type { Pulse } from './pulse.ts';
import { Buckets, type Limit, shareOf } from './throttle.ts';

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * The id and secret of an HTTP Basic header. RFC 6749 has both form-encoded before they are joined, many callers
 * send them as they are, and both are meant: so there may be two readings.
 */
export function basicCredentials(authorization: string): readonly Credentials[] {
  const [scheme = '', encoded = '', ...rest] = authorization.split(' ');
  if (scheme.toLowerCase() !== 'basic' || encoded === '' || rest.length > 0) return [];
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) return [];
  const raw = { clientId: text.slice(0, colon), clientSecret: text.slice(colon + 1) };
  const decoded = { clientId: formDecoded(raw.clientId), clientSecret: formDecoded(raw.clientSecret) };
  const isSame = raw.clientId === decoded.clientId && raw.clientSecret === decoded.clientSecret;
  return isSame ? [raw] : [raw, decoded];
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

export class SignIn {
  readonly #house: House;
  readonly #directory: Directory;
  readonly #pulse: Pulse;
  readonly #failures = new Buckets();

  constructor(house: House, directory: Directory, pulse: Pulse) {
    this.#house = house;
    this.#directory = directory;
    this.#pulse = pulse;
  }

  /** The client whose secret this is. Wrong ones are counted by address and client id, and refused unheard when too many. */
  async authenticate(readings: readonly Credentials[], address: string): Promise<ApiClientRecord> {
    const [first] = readings;
    if (first === undefined) throw invalidClient();
    const key = `${address} ${first.clientId}`;
    this.#judgeFailures(key);
    const { secretKey } = await this.#directory.identity();
    for (const { clientId, clientSecret } of readings) {
      const client = await this.#match(clientId, hashSecret(clientSecret, secretKey));
      if (client !== null) return client;
    }
    if (this.#house.config.throttle) this.#failures.take(key, this.#limit(), this.#house.now());
    throw invalidClient();
  }

  /**
   * An unknown client and a wrong secret cost the same: one hash, one question to the store, one comparison. A
   * remembered client answers a right secret at once; a wrong one is asked about again, because the secret may
   * have been rotated a moment ago.
   */
  async #match(clientId: string, hash: string): Promise<ApiClientRecord | null> {
    const remembered = this.#directory.rememberedClient(clientId);
    if (remembered !== null && hasSecret(remembered, hash)) return remembered.disabled ? null : remembered;
    const fresh = await this.#directory.freshClient(clientId);
    const isRight = hasSecret(fresh, hash);
    return fresh !== null && isRight && !fresh.disabled ? fresh : null;
  }

  #judgeFailures(key: string): void {
    if (!this.#house.config.throttle) return;
    const verdict = this.#failures.look(key, this.#limit(), this.#house.now());
    if (verdict.isAllowed) return;
    throw new Problem(
      'TOO_MANY_FAILED_SIGN_INS',
      'Too many wrong credentials. Please wait before the next try.',
      {
        headers: { 'retry-after': String(verdict.waitSeconds) },
      },
    );
  }

  #limit(): Limit {
    const perMinute = this.#house.config.throttleSigninPerMinute;
    return shareOf({ rate: perMinute / 60, burst: perMinute }, this.#pulse.liveReplicas);
  }
}

// Compared when there is no client, so that the work is the same.
const nobody = Buffer.alloc(32).toString('base64url');

function hasSecret(client: ApiClientRecord | null, hash: string): boolean {
  const presented = Buffer.from(hash);
  const known = client === null ? [nobody] : client.secretHashes;
  // Every known hash is compared, whether or not one has matched.
  const matches = known.filter((candidate) => timingSafeEqual(Buffer.from(candidate), presented));
  return client !== null && matches.length > 0;
}

export function invalidClient(): Problem {
  return new Problem('INVALID_CLIENT', 'The client credentials are not valid.', {
    headers: { 'www-authenticate': 'Basic realm="soundings", charset="UTF-8"' },
  });
}
