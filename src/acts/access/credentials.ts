// How an API client proves itself at the token endpoint (D-14, D-15).

import { timingSafeEqual } from 'node:crypto';
import { scopesNotGranted } from '../../domain/access/account.ts';
import { hashSecret } from '../../domain/access/secret.ts';
import { Problem } from '../../domain/problem.ts';
import type { ApiClientRecord } from '../../store/access/clients.ts';
import type { CredentialCache } from './credential-cache.ts';
import type { WrongCredentials } from './wrong-credentials.ts';

// Real ones have less than a tenth of this, so that anything longer is wrong.
const credentialsLengthMax = 1024;

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * The id and secret of an HTTP Basic header. RFC 6749 wants both form-encoded before they are joined, and many callers
 * send them as they are: so there may be two readings, and either may be right.
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
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

export class SignIn {
  readonly #credentialCache: CredentialCache;
  readonly #wrong: WrongCredentials;

  constructor(credentialCache: CredentialCache, wrong: WrongCredentials) {
    this.#credentialCache = credentialCache;
    this.#wrong = wrong;
  }

  /** The client whose secret this is. Wrong ones are counted by network, and what they cost is bounded (D-181). */
  async authenticate(readings: readonly Credentials[], address: string): Promise<ApiClientRecord> {
    const isPossible = readings.every(
      ({ clientId, clientSecret }) => clientId.length + clientSecret.length <= credentialsLengthMax,
    );
    if (readings.length === 0 || !isPossible) throw this.#wrong.refusal(address, invalidClient());
    const { secretKey } = await this.#credentialCache.identity();
    for (const { clientId, clientSecret } of readings) {
      const client = await this.#match(clientId, hashSecret(clientSecret, secretKey), address);
      if (client !== null) return client;
    }
    throw this.#wrong.refusal(address, invalidClient());
  }

  /** The scopes among these that the client does not have; nobody is refused from memory (D-13). */
  async notGranted(client: ApiClientRecord, names: readonly string[]): Promise<readonly string[]> {
    const missing = (known: ApiClientRecord): readonly string[] => scopesNotGranted(names, known);
    if (missing(client).length === 0) return [];
    const current = await this.#credentialCache.client(client.id, (known) => missing(known).length === 0);
    return missing(current ?? client);
  }

  /**
   * An unknown client and a wrong secret cost the same: one hash, one question to the store, one comparison. The right
   * secret of a remembered client is taken at once; before a refusal the store is asked, because the secret may have
   * been rotated, or the client enabled, a moment ago (D-13).
   */
  async #match(clientId: string, hash: string, address: string): Promise<ApiClientRecord | null> {
    // No id holds a NUL, and PostgreSQL cannot be asked for one.
    const id = clientId.replaceAll('\0', '\ufffd');
    const remembered = this.#credentialCache.rememberedClient(id);
    if (remembered !== null && hasSecret(remembered, hash) && !remembered.disabled) return remembered;
    return this.#wrong.lookUp(address, `${hash} ${id}`, async () => {
      const fresh = await this.#credentialCache.freshClient(id);
      const isRight = hasSecret(fresh, hash);
      return fresh !== null && isRight && !fresh.disabled ? fresh : null;
    });
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
