// API clients and tokens put straight into and made straight from the store: for tests that need many of them, where
// the command line would take half a second for each.

import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { grants } from '../../src/domain/access/account.ts';
import { hashSecret } from '../../src/domain/access/secret.ts';
import type { ApiClientCredentials } from './service.ts';
import { storeRows, storeSecrets } from './store-rows.ts';

export async function addClients(
  databaseUrl: string,
  accountIds: readonly number[],
): Promise<readonly ApiClientCredentials[]> {
  const [store] = await storeRows(databaseUrl, 'select secret_key from store');
  const clients = accountIds.map((accountId) => ({
    accountId,
    clientId: `sc_${randomUUID().replaceAll('-', '')}`,
    clientSecret: `sdgs_${randomBytes(32).toString('base64url')}`,
    scopes: grants,
  }));
  const rows = clients.map(({ accountId, clientId, clientSecret }) => {
    const hash = hashSecret(clientSecret, String(store?.secret_key));
    return `('${clientId}', ${accountId}, 'quick', '${JSON.stringify(grants)}', 0, '${hash}', ${Date.now()})`;
  });
  await storeRows(
    databaseUrl,
    `insert into api_client (id, account_id, name, grants, disabled, secret_hash, created_at) values ${rows.join(', ')}`,
  );
  return clients;
}

/** A token as the service would issue it, without a request that counts against anything. */
export async function tokenAside(
  databaseUrl: string,
  { clientId }: ApiClientCredentials,
  scope = 'r_cx_basic',
): Promise<string> {
  const { storeId, keys } = await storeSecrets(databaseUrl);
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const iat = Math.floor(Date.now() / 1000);
  const times = { iat, exp: iat + 7200, jti: randomUUID() };
  const claims = { iss: storeId, aud: storeId, sub: clientId, client_id: clientId, scope, ...times };
  const text = `${encode({ alg: 'HS256', typ: 'at+jwt', kid: keys[0]!.kid })}.${encode(claims)}`;
  const signature = createHmac('sha256', Buffer.from(keys[0]!.secret, 'base64url')).update(text);
  return `${text}.${signature.digest('base64url')}`;
}
