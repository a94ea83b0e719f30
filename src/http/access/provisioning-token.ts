// Provisioning tokens as the gate meets them: who a token speaks for, remembered for a few seconds while it is live,
// and never remembered when it is not, so that a new one works at once (D-13).

import type { Context } from '../../context.ts';
import type { Caller, Grant } from '../../domain/access/account.ts';
import { hashSecret, isProvisioningSecret } from '../../domain/access/secret.ts';
import { Problem } from '../../domain/problem.ts';
import { findProvisioningToken } from '../../store/access/provisioning-tokens.ts';
import { Cache } from '../../store/engine/cache.ts';
import { invalidToken } from './access-token.ts';
import type { CredentialCache } from './credential-cache.ts';
import type { WrongCredentials } from './wrong-credentials.ts';

// A revoked token must stop within 5 s everywhere, so what is remembered is a little younger than that.
const tokenAgeMaxMs = 4_000;
const tokensBytesMax = 4 * 1024 * 1024;

/** All that a provisioning token opens: users, on both faces. */
const provisioningGrants: ReadonlySet<Grant> = new Set(['r_cx_users', 'w_cx_users']);

interface LiveToken {
  readonly caller: Caller;
  readonly expiresAtMs: number;
}

export class ProvisioningTokens {
  readonly #context: Context;
  readonly #credentialCache: CredentialCache;
  readonly #wrong: WrongCredentials;
  readonly #live: Cache<string, LiveToken>;

  constructor(context: Context, credentialCache: CredentialCache, wrong: WrongCredentials) {
    this.#context = context;
    this.#credentialCache = credentialCache;
    this.#wrong = wrong;
    this.#live = new Cache({
      bytesMax: tokensBytesMax,
      bytesOf: () => 200,
      ageMaxMs: tokenAgeMaxMs,
      elapsedMs: context.elapsedMs,
    });
  }

  /** Whether an endpoint of this grant takes such a token; elsewhere it is a text like any other, and not valid. */
  mayOpen(text: string, grant: Grant): boolean {
    return provisioningGrants.has(grant) && isProvisioningSecret(text);
  }

  /** Whom it speaks for; a promise only where the store must be asked. */
  callerOf(text: string, address: string): Caller | Promise<Caller> {
    const known = this.#live.get(text);
    if (known !== undefined && this.#context.now() < known.expiresAtMs) return known.caller;
    return this.#lookUp(text, address);
  }

  async #lookUp(text: string, address: string): Promise<Caller> {
    const { secretKey } = await this.#credentialCache.identity();
    const hash = hashSecret(text, secretKey);
    const askedAtMs = this.#context.elapsedMs();
    const found = await this.#wrong.ask(address, hash, async () => {
      const token = await findProvisioningToken(this.#context.db, hash);
      return token === null || token.revokedAtMs !== null ? null : token;
    });
    // Only a genuine token that nobody has revoked may say why it is refused (D-13).
    if (found === null) throw invalidToken();
    if (this.#context.now() >= found.expiresAtMs) throw expiredProvisioningToken();
    // Its id stands where that of an API client does: it is throttled and audited under it (D-28).
    const caller = { apiClientId: found.id, accountId: found.accountId, grants: provisioningGrants };
    this.#live.set(text, { caller, expiresAtMs: found.expiresAtMs }, askedAtMs);
    return caller;
  }
}

function expiredProvisioningToken(): Problem {
  const message =
    'The provisioning token has expired. Have a new one made with "soundings provisioning-token create".';
  return new Problem('TOKEN_EXPIRED', message, {
    headers: {
      'www-authenticate': 'Bearer realm="soundings", error="invalid_token", error_description="expired"',
    },
  });
}
