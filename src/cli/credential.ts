// Ids and secrets of what may call the service: API clients and the provisioning tokens of identity providers. A secret
// is printed once, by the command that makes it; the store keeps its hash (D-15).

import type { Context } from '../context.ts';
import { hashSecret } from '../domain/access/secret.ts';
import { findIdentity } from '../store/access/signing-keys.ts';

export interface NewSecret {
  readonly secret: string;
  readonly secretHash: string;
}

export async function newSecret(context: Context, prefix: string): Promise<NewSecret> {
  const identity = await findIdentity(context.db);
  if (identity === null) throw new Error('The store was never founded.');
  const secret = `${prefix}${context.newSecret()}`;
  return { secret, secretHash: hashSecret(secret, identity.secretKey) };
}

/** The prefix says at a glance, in lists and logs, what the id is of. */
export function newCredentialId(context: Context, prefix: 'sc_' | 'pt_'): string {
  return `${prefix}${context.newId().replaceAll('-', '')}`;
}
