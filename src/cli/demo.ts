// The demo account: it goes only into a store without accounts, so that it never mixes with somebody's data.

import { grants } from '../domain/account.ts';
import type { House } from '../house.ts';
import { hasAccounts } from '../store/catalogue.ts';
import { applyFile, readCatalogueFile } from './apply.ts';
import { addApiClient, type NewApiClient } from './client.ts';

const catalogueFile = new URL('../../examples/demo.yaml', import.meta.url);

/** The demo's API client, or null when the store had accounts already. */
export async function loadDemo(house: House): Promise<NewApiClient | null> {
  if (await hasAccounts(house.db)) return null;
  const file = await readCatalogueFile(catalogueFile, 'examples/demo.yaml');
  await applyFile(house, file, false);
  const [account] = file.catalogue.accounts;
  if (account === undefined) throw new Error('The demo catalogue has no account.');
  return addApiClient(house, account.id, 'demo', grants);
}

/** Three lines that work when they are pasted into a shell. */
export function tryLines(baseUrl: string, { clientId, clientSecret }: NewApiClient): readonly string[] {
  const tokenUrl = `${baseUrl}/v1/token?grant_type=client_credentials&scope=r_cx_basic`;
  const form = "-H 'Content-Type: application/x-www-form-urlencoded'";
  return [
    `curl -s -X POST -u '${clientId}:${clientSecret}' ${form} '${tokenUrl}'`,
    `TOKEN=$(curl -s -X POST -u '${clientId}:${clientSecret}' ${form} '${tokenUrl}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `curl -s -H "Authorization: Bearer $TOKEN" -H 'Accept: application/json' '${baseUrl}/v1/measures'`,
  ];
}
