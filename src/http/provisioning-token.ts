// Provisioning tokens as the gate meets them: who a token speaks for, remembered for a few seconds while it is live,
// and never remembered when it is not, so that a new one works at once (D-13).

import type { Caller, Grant } from '../domain/account.ts';
import { Problem } from '../domain/problem.ts';
import { hashSecret, isProvisioningSecret } from '../domain/secret.ts';
import type { House } from '../house.ts';
import { findProvisioningToken } from '../store/provisioning.ts';
import { invalidToken } from './access-token.ts';
import type { Directory } from './directory.ts';

// A revoked token must stop within 5 s everywhere, so what is remembered is a little younger than that.
const tokenAgeMaxMs = 4_000;
const tokensMax = 10_000;

/** All that a provisioning token opens: users, on both faces. */
const provisioningGrants: ReadonlySet<Grant> = new Set(['r_cx_users', 'w_cx_users']);

interface Remembered {
  readonly caller: Caller;
  readonly readAtMs: number;
  readonly expiresAtMs: number;
}

export class ProvisioningTokens {
  readonly #house: House;
  readonly #directory: Directory;
  readonly #live = new Map<string, Remembered>();

  constructor(house: House, directory: Directory) {
    this.#house = house;
    this.#directory = directory;
  }

  /** Whether an endpoint of this grant takes such a token; elsewhere it is a text like any other, and not valid. */
  mayOpen(text: string, grant: Grant): boolean {
    return provisioningGrants.has(grant) && isProvisioningSecret(text);
  }

  /** Whom it speaks for; a promise only where the store must be asked. */
  callerOf(text: string): Caller | Promise<Caller> {
    const remembered = this.#live.get(text);
    const nowMs = this.#house.now();
    if (remembered !== undefined) {
      const isFresh = nowMs - remembered.readAtMs < tokenAgeMaxMs && nowMs < remembered.expiresAtMs;
      if (isFresh) return remembered.caller;
    }
    return this.#lookUp(text, nowMs);
  }

  async #lookUp(text: string, nowMs: number): Promise<Caller> {
    const { secretKey } = await this.#directory.identity();
    const token = await findProvisioningToken(this.#house.db, hashSecret(text, secretKey));
    const isLive = token !== null && token.revokedAtMs === null && nowMs < token.expiresAtMs;
    if (!isLive) {
      this.#live.delete(text);
      // Only a genuine token that nobody has revoked may say why it is refused (D-13).
      throw token === null || token.revokedAtMs !== null ? invalidToken() : expiredProvisioningToken();
    }
    if (this.#live.size >= tokensMax) this.#live.clear();
    // Its id stands where that of an API client does: it is throttled and audited under it (D-28).
    const caller = { apiClientId: token.id, accountId: token.accountId, grants: provisioningGrants };
    this.#live.set(text, { caller, readAtMs: nowMs, expiresAtMs: token.expiresAtMs });
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
