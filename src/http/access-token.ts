// Access tokens: signed JWTs with the claims of RFC 9068 (D-13). Signing and checking are jose's; ours is the rule
// that every refusal looks the same, except that a genuine token may say that it has expired.

import { CompactSign, errors, jwtVerify } from 'jose';
import type { ApiClient } from '../domain/account.ts';
import { Problem } from '../domain/problem.ts';
import type { House } from '../house.ts';
import type { Directory } from './directory.ts';

const algorithm = 'HS256';
const tokenType = 'at+jwt';
const clockToleranceSeconds = 30;
const verifiedMax = 10_000;
const tokenLengthMax = 4096;
const utf8 = new TextEncoder();

export interface AccessToken {
  readonly apiClientId: string;
  readonly scopes: readonly string[];
  readonly expiresAtMs: number;
}

export class AccessTokens {
  readonly #house: House;
  readonly #directory: Directory;
  // A signature is checked once: what was found genuine is remembered by its text, and only its time is looked at.
  readonly #verified = new Map<string, AccessToken>();

  constructor(house: House, directory: Directory) {
    this.#house = house;
    this.#directory = directory;
  }

  async issue(client: ApiClient, scope: string): Promise<string> {
    const { storeId } = await this.#directory.identity();
    const key = await this.#directory.signingKey();
    const issuedAt = Math.floor(this.#house.now() / 1000);
    // Written out here: jose's builder of claims copies and checks each of them, for a quarter of the whole cost.
    const claims = {
      iss: storeId,
      aud: storeId,
      sub: client.id,
      client_id: client.id,
      scope,
      iat: issuedAt,
      exp: issuedAt + this.#house.config.tokenLifetimeSeconds,
      jti: this.#house.newId(),
    };
    return new CompactSign(utf8.encode(JSON.stringify(claims)))
      .setProtectedHeader({ alg: algorithm, typ: tokenType, kid: key.kid })
      .sign(key.cryptoKey);
  }

  /** The token if it was verified before and has time left. */
  remembered(text: string): AccessToken | null {
    const token = this.#verified.get(text);
    return token !== undefined && this.#house.now() < token.expiresAtMs ? token : null;
  }

  async verify(text: string): Promise<AccessToken> {
    const remembered = this.remembered(text);
    if (remembered !== null) return remembered;
    const token = await this.#check(text);
    if (this.#verified.size >= verifiedMax) this.#forgetOldest();
    this.#verified.set(text, token);
    return token;
  }

  async #check(text: string): Promise<AccessToken> {
    if (text.length > tokenLengthMax || !isCanonical(text)) throw invalidToken();
    const { storeId } = await this.#directory.identity();
    const nowMs = this.#house.now();
    let isStoreFailure: unknown = null;
    try {
      const { payload } = await jwtVerify(
        text,
        async ({ kid }) => {
          try {
            const key = typeof kid === 'string' ? await this.#directory.verificationKey(kid) : null;
            if (key !== null) return key.cryptoKey;
          } catch (error) {
            isStoreFailure = error;
          }
          throw new errors.JWKSNoMatchingKey();
        },
        {
          algorithms: [algorithm],
          typ: tokenType,
          issuer: storeId,
          audience: storeId,
          requiredClaims: ['exp', 'iat', 'jti', 'sub', 'client_id', 'scope'],
          clockTolerance: clockToleranceSeconds,
          currentDate: new Date(nowMs),
        },
      );
      const { client_id: apiClientId, scope, iat = 0, exp = 0 } = payload;
      const isFromTheFuture = iat * 1000 > nowMs + clockToleranceSeconds * 1000;
      if (typeof apiClientId !== 'string' || typeof scope !== 'string' || isFromTheFuture)
        throw invalidToken();
      return { apiClientId, scopes: scope.split(' '), expiresAtMs: (exp + clockToleranceSeconds) * 1000 };
    } catch (error) {
      // A store that cannot be asked for the key is our failure and not the caller's (D-23).
      if (isStoreFailure !== null) throw isStoreFailure;
      // jose looks at the times after the signature, issuer and audience, so this token is genuine.
      if (error instanceof errors.JWTExpired) throw expiredToken();
      throw invalidToken();
    }
  }

  #forgetOldest(): void {
    let left = verifiedMax / 10;
    for (const text of this.#verified.keys()) {
      if (left-- <= 0) return;
      this.#verified.delete(text);
    }
  }
}

/** Several spellings of base64url decode to the same bytes; only the one that encoding gives is a token. */
function isCanonical(text: string): boolean {
  const parts = text.split('.');
  return (
    parts.length === 3 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
  );
}

export function invalidToken(): Problem {
  return new Problem('INVALID_TOKEN', 'The access token is not valid.', {
    headers: { 'www-authenticate': 'Bearer realm="soundings", error="invalid_token"' },
  });
}

function expiredToken(): Problem {
  return new Problem('TOKEN_EXPIRED', 'The access token has expired. Get a new one from /v1/token.', {
    headers: {
      'www-authenticate': 'Bearer realm="soundings", error="invalid_token", error_description="expired"',
    },
  });
}
