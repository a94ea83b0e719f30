// Whom a provisioning token speaks for. A valid one is remembered for a few seconds; that a token is not valid is never
// remembered, so that a new one works at once (D-13).

import { expiredToken, invalidToken } from '../../acts/access/access-token.ts';
import type { CredentialCache } from '../../acts/access/credential-cache.ts';
import { CredentialEnds } from '../../acts/access/credential-ends.ts';
import type { WrongCredentials } from '../../acts/access/wrong-credentials.ts';
import type { Context } from '../../context.ts';
import type { Caller, Grant } from '../../domain/access/account.ts';
import { hashSecret, isProvisioningSecret } from '../../domain/access/secret.ts';
import { findProvisioningToken } from '../../store/access/provisioning-tokens.ts';
import { settleTokenMark } from '../../store/access/token-marks.ts';
import { Cache } from '../../store/engine/work/cache.ts';
import type { TokenUse } from './token-use.ts';

// A revoked token must stop within 5 s everywhere, so what is remembered is a little younger than that.
const tokenAgeMaxMs = 4_000;
const tokensBytesMax = 4 * 1024 * 1024;

/** What a provisioning token may do: read and change users, at both addresses. */
const provisioningGrants: ReadonlySet<Grant> = new Set(['r_cx_users', 'w_cx_users']);
const readOnlyGrants: ReadonlySet<Grant> = new Set(['r_cx_users']);

interface LiveToken {
  readonly caller: Caller;
  readonly expiresAtMs: number;
}

export class ProvisioningTokens {
  readonly #context: Context;
  readonly #credentialCache: CredentialCache;
  readonly #wrong: WrongCredentials;
  readonly #use: TokenUse;
  readonly #ends: CredentialEnds;
  readonly #live: Cache<string, LiveToken>;

  constructor(context: Context, credentialCache: CredentialCache, wrong: WrongCredentials, use: TokenUse) {
    this.#context = context;
    this.#credentialCache = credentialCache;
    this.#wrong = wrong;
    this.#use = use;
    this.#ends = new CredentialEnds(context);
    this.#live = new Cache({
      bytesMax: tokensBytesMax,
      bytesOf: () => 200,
      ageMaxMs: tokenAgeMaxMs,
      elapsedMs: context.elapsedMs,
    });
  }

  /** Whether an endpoint of this grant takes such a token; elsewhere it is an access token that is not valid. */
  isTakenFor(text: string, grant: Grant): boolean {
    return provisioningGrants.has(grant) && isProvisioningSecret(text);
  }

  /** Whom it speaks for; a promise only where the store must be asked. */
  callerOf(text: string, address: string): Caller | Promise<Caller> {
    const known = this.#live.get(text);
    if (known !== undefined && this.#context.now() < known.expiresAtMs) {
      this.#use.note(known.caller.apiClientId);
      return known.caller;
    }
    return this.#lookUp(text, address);
  }

  async #lookUp(text: string, address: string): Promise<Caller> {
    const { secretKey } = await this.#credentialCache.identity();
    const hash = hashSecret(text, secretKey);
    const askedAtMs = this.#context.elapsedMs();
    const found = await this.#wrong.lookUp(address, hash, async () => {
      const token = await findProvisioningToken(this.#context.db, hash);
      return token === null || token.revokedAtMs !== null ? null : token;
    });
    // Only a genuine token that was not revoked is told why it is refused (D-13).
    if (found === null) throw invalidToken();
    if (this.#context.now() >= found.expiresAtMs || this.#ends.hasEnded(hash, found.expiresAtMs)) {
      throw expiredToken(
        'The provisioning token has expired. Have a new one made with "soundings provisioning-token create".',
      );
    }
    // Its id stands where that of an API client does: it is throttled and audited under it (D-28).
    const { id: apiClientId, accountId, accountLimits, isReadOnly, connectionId } = found;
    const grants = isReadOnly ? readOnlyGrants : provisioningGrants;
    const mayChangeAdmins = found.mayChangeAdmins ?? (await settleTokenMark(this.#context.db, found));
    const caller = {
      apiClientId,
      accountId,
      grants,
      isReadOnly,
      mayChangeAdmins,
      accountLimits,
      ...(connectionId !== null && { connectionId }),
    };
    this.#use.note(apiClientId);
    this.#live.set(text, { caller, expiresAtMs: found.expiresAtMs }, askedAtMs);
    return caller;
  }
}
