// The secrets of API clients as they are kept (D-15).

import { createHmac } from 'node:crypto';

/**
 * A keyed hash, and a fast one: secrets are 256 random bits, so nobody can guess their way to one, and a slow hash
 * on the token endpoint would be a lever for anyone who wants to load us.
 */
export function hashSecret(secret: string, secretKey: string): string {
  return createHmac('sha256', Buffer.from(secretKey, 'base64url')).update(secret).digest('base64url');
}
