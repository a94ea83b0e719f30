// The secrets of API clients and identity providers: how they look, and how they are kept (D-15).

import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/**
 * A keyed hash, and a fast one: secrets are 256 random bits, so nobody can guess their way to one, and a slow hash
 * on the token endpoint would be a lever for anyone who wants to load us.
 */
export function hashSecret(secret: string, secretKey: string): string {
  if (lastKey?.text !== secretKey)
    lastKey = { text: secretKey, key: createSecretKey(Buffer.from(secretKey, 'base64url')) };
  return createHmac('sha256', lastKey.key).update(secret).digest('base64url');
}

/** A process has one store, and a store one key: it is decoded once. */
let lastKey: { readonly text: string; readonly key: KeyObject } | null = null;

/** Prefixes that scanners of leaked secrets can look for. */
export const clientSecretPrefix = 'sdgs_';
export const provisioningSecretPrefix = 'sdgp_';

// 256 bits are 43 characters of base64url, and the last of them has two bits that encoding leaves at zero.
const provisioningSecret = /^sdgp_[\w-]{42}[AEIMQUYcgkosw048]$/;

/** Whether a text has the form of a provisioning token; whether it is one, only the store can say. */
export function isProvisioningSecret(text: string): boolean {
  return provisioningSecret.test(text);
}
