// API clients and provisioning tokens as people see them in lists, on the command line and in the console.

import type { tokenStates } from '../../domain/access/credential-bounds.ts';
import type { ListedClient } from './clients.ts';
import type { ListedToken, ProvisioningToken } from './provisioning-tokens.ts';

export function shownClient({
  id,
  accountId,
  name,
  grants,
  disabled,
  secretHashes,
  createdAtMs,
  usedAtMs,
  mayChangeAdmins,
}: ListedClient) {
  return {
    clientId: id,
    accountId,
    name,
    scopes: grants,
    disabled,
    liveSecrets: secretHashes.length,
    created: new Date(createdAtMs).toISOString(),
    lastUsed: usedAtMs === null ? null : new Date(usedAtMs).toISOString(),
    mayChangeAdmins,
  };
}

export function shownToken(token: ListedToken, nowMs: number) {
  return {
    id: token.id,
    accountId: token.accountId,
    name: token.name,
    state: tokenState(token, nowMs),
    readOnly: token.isReadOnly,
    connection: token.connectionId,
    created: new Date(token.createdAtMs).toISOString(),
    expires: new Date(token.expiresAtMs).toISOString(),
    revoked: token.revokedAtMs === null ? null : new Date(token.revokedAtMs).toISOString(),
    lastUsed: token.usedAtMs === null ? null : new Date(token.usedAtMs).toISOString(),
    mayChangeAdmins: token.mayChangeAdmins ?? false,
  };
}

export function tokenState(token: ProvisioningToken, nowMs: number): (typeof tokenStates)[number] {
  if (token.revokedAtMs !== null) return 'revoked';
  return nowMs < token.expiresAtMs ? 'live' : 'expired';
}
