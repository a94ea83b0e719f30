// Access tokens: signed JWTs with the claims of RFC 9068 (D-13). Signing and checking are jose's; ours is the rule
// that every refusal looks the same, except that a genuine token may say that it has expired.

import { CompactSign, errors, type JWTPayload, jwtVerify } from 'jose';
import { settings } from '../../config.ts';
import type { Context } from '../../context.ts';
import type { ApiClient, Grant } from '../../domain/access/account.ts';
import { personOfSubject, personTokenSeconds, subjectOf } from '../../domain/access/person-token.ts';
import type { PersonId } from '../../domain/access/visitor.ts';
import { Problem } from '../../domain/problem.ts';
import { Cache } from '../../store/engine/work/cache.ts';
import type { CredentialCache, LoadedKey } from './credential-cache.ts';
import type { WrongCredentials } from './wrong-credentials.ts';

const algorithm = 'HS256';
const tokenType = 'at+jwt';
const clockToleranceSeconds = 30;
const lifetimeMaxSeconds = settings.tokenLifetimeSeconds.max;
// Some 10,000 tokens. Each expires by itself, so that the cache needs no age.
const verifiedBytesMax = 16 * 1024 * 1024;
const tokenLengthMax = 4096;
const utf8 = new TextEncoder();

// Clocks of replicas differ, and nothing is lost by keeping a key for some minutes more.
const retiredSlackMs = 600_000;

/** When the successor of a key began to sign before this moment, every token that the key signed has expired. */
export function retiredBeforeMs(nowMs: number): number {
  return nowMs - lifetimeMaxSeconds * 1000 - retiredSlackMs;
}

export interface AccessToken {
  readonly apiClientId: string;
  /** Whom it speaks for, where a person got it for themselves: `apiClientId` is then the subject. */
  readonly person: SpokenFor | null;
  readonly scopes: readonly string[];
  /** The key that signed it: it must still be there. */
  readonly kid: string;
  /** By the wall clock, and by the clock that nobody can set back: it has expired when either says so. */
  readonly expiresAtMs: number;
  readonly expiresAtElapsedMs: number;
}

/** A person, in an account, by a session that must still be there. */
export interface SpokenFor {
  readonly id: PersonId;
  readonly accountId: number;
  readonly sessionId: string;
}

/** The client of tokens that people get for themselves; ids of API clients have another form. */
const consoleClient = 'console';

export class AccessTokens {
  readonly #context: Context;
  readonly #credentialCache: CredentialCache;
  readonly #wrong: WrongCredentials;
  // A signature is checked once: what was found genuine is remembered by its text, and only its time is looked at.
  readonly #verified = new Cache<string, AccessToken>({
    bytesMax: verifiedBytesMax,
    bytesOf: ({ scopes }) => 300 + 50 * scopes.length,
  });

  constructor(context: Context, credentialCache: CredentialCache, wrong: WrongCredentials) {
    this.#context = context;
    this.#credentialCache = credentialCache;
    this.#wrong = wrong;
  }

  issue(client: ApiClient, scope: string): Promise<string> {
    const seconds = this.#context.config.tokenLifetimeSeconds;
    return this.#sign({ sub: client.id, client_id: client.id, scope }, seconds);
  }

  /** For somebody who tries the interface by hand. */
  issueToPerson({ id, accountId, sessionId }: SpokenFor, grants: readonly Grant[]): Promise<string> {
    const claims = {
      sub: subjectOf(id),
      client_id: consoleClient,
      account: accountId,
      sid: sessionId,
      scope: grants.join(' '),
    };
    return this.#sign(claims, personTokenSeconds);
  }

  async #sign(subject: Readonly<Record<string, string | number>>, seconds: number): Promise<string> {
    const { storeId } = await this.#credentialCache.identity();
    const key = await this.#credentialCache.signingKey();
    const issuedAt = Math.floor(this.#context.now() / 1000);
    // Written out here: jose's builder of claims copies and checks each of them, for a quarter of the whole cost.
    const claims = {
      iss: storeId,
      aud: storeId,
      ...subject,
      iat: issuedAt,
      exp: issuedAt + seconds,
      jti: this.#context.newId(),
    };
    return new CompactSign(utf8.encode(JSON.stringify(claims)))
      .setProtectedHeader({ alg: algorithm, typ: tokenType, kid: key.kid })
      .sign(key.cryptoKey);
  }

  /** The token if it was verified before, has time left, and its key is known to be there still. */
  remembered(text: string): AccessToken | null {
    const token = this.#verified.get(text);
    if (token === undefined || this.#hasExpired(token)) return null;
    return this.#credentialCache.remembersKey(token.kid) ? token : null;
  }

  async verify(text: string, address: string): Promise<AccessToken> {
    const known = this.#verified.get(text);
    if (known !== undefined && (await this.#credentialCache.verificationKey(known.kid)) !== null) {
      if (!this.#hasExpired(known)) return known;
      throw expired();
    }
    this.#verified.delete(text);
    const token = await this.#check(text, address);
    this.#verified.set(text, token);
    return token;
  }

  #hasExpired({ expiresAtMs, expiresAtElapsedMs }: AccessToken): boolean {
    return this.#context.now() >= expiresAtMs || this.#context.elapsedMs() >= expiresAtElapsedMs;
  }

  async #check(text: string, address: string): Promise<AccessToken> {
    if (text.length > tokenLengthMax || !isCanonical(text)) throw invalidToken();
    const { storeId } = await this.#credentialCache.identity();
    const nowMs = this.#context.now();
    let key: LoadedKey | null = null;
    let failure: unknown = null;
    try {
      const { payload } = await jwtVerify(
        text,
        async ({ kid }) => {
          try {
            key = typeof kid === 'string' ? await this.#keyOf(kid, address) : null;
            if (key !== null) return key.cryptoKey;
          } catch (error) {
            failure = error;
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
      return this.#tokenOf(payload, key!, nowMs);
    } catch (error) {
      // A store that cannot be asked for the key is our failure and not the caller's (D-23).
      if (failure !== null) throw failure;
      // jose looks at the times after the signature, issuer and audience, so this token is genuine.
      if (error instanceof errors.JWTExpired) throw expired();
      throw invalidToken();
    }
  }

  /** Anyone can make up a key id, so looking up unknown ones is limited like other wrong credentials. */
  async #keyOf(kid: string, address: string): Promise<LoadedKey | null> {
    const known = await this.#credentialCache.verificationKey(kid);
    return known ?? this.#wrong.lookUp(address, null, () => this.#credentialCache.newKey(kid));
  }

  #tokenOf(payload: JWTPayload, { kid, signsUntilMs }: LoadedKey, nowMs: number): AccessToken {
    const { client_id: clientId, sub, account, sid, scope, iat = 0, exp = 0 } = payload;
    const toleranceMs = clockToleranceSeconds * 1000;
    const isFromTheFuture = iat * 1000 > nowMs + toleranceMs;
    // Replicas choose their key by their own clocks, so one whose clock is behind signs with the old key a little longer.
    const isAfterTheKey = signsUntilMs !== null && iat * 1000 > signsUntilMs + toleranceMs;
    const isTooLong = exp - iat > lifetimeMaxSeconds;
    if (isFromTheFuture || isAfterTheKey || isTooLong) throw invalidToken();
    if (typeof clientId !== 'string' || typeof sub !== 'string' || typeof scope !== 'string')
      throw invalidToken();
    const person = clientId === consoleClient ? spokenFor(sub, account, sid) : null;
    const expiresAtMs = exp * 1000 + toleranceMs;
    const expiresAtElapsedMs = this.#context.elapsedMs() + expiresAtMs - nowMs;
    return {
      apiClientId: person === null ? clientId : sub,
      person,
      ...{ scopes: scope.split(' '), kid, expiresAtMs, expiresAtElapsedMs },
    };
  }
}

/** A token of a person that names no session, as releases before 0.2.1 made them, is none (D-820). */
function spokenFor(subject: string, accountId: unknown, sessionId: unknown): SpokenFor {
  if (typeof accountId !== 'number' || typeof sessionId !== 'string') throw invalidToken();
  const id = personOfSubject(subject, accountId);
  if (id === null) throw invalidToken();
  return { id, accountId, sessionId };
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

function expired(): Problem {
  return expiredToken('The access token has expired. Get a new one from /v1/token.');
}

/** The sentence says where a token of this kind comes from. */
export function expiredToken(message: string): Problem {
  return new Problem('TOKEN_EXPIRED', message, {
    headers: {
      'www-authenticate': 'Bearer realm="soundings", error="invalid_token", error_description="expired"',
    },
  });
}
