// What is sealed in the store, by kind. `keys list` and `keys revoke` tell by it what a key holds; whoever keeps a sealed
// text keeps the `kid` of its key in a column beside it, and is listed here.

import { connectionSecretsSealedBy } from '../access/connections.ts';
import type { Db } from '../engine/db.ts';
import { bodiesSealedBy } from '../feedback/quarantine.ts';
import { webhookSecretsSealedBy } from '../webhooks/webhooks.ts';

interface SealedThings {
  /** In the plural, such as "secrets of webhooks". */
  readonly name: string;
  /** How many of them the key has sealed. */
  readonly count: (db: Db, kid: string) => Promise<number>;
}

export const sealedThings: readonly SealedThings[] = [
  { name: 'refused responses in the quarantine', count: bodiesSealedBy },
  { name: 'secrets of webhooks', count: webhookSecretsSealedBy },
  { name: 'secrets of connections', count: connectionSecretsSealedBy },
];

/** How many things of each kind a key has sealed, without the kinds of which there are none. */
export async function sealedBy(db: Db, kid: string): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const { name, count } of sealedThings) {
    const found = await count(db, kid);
    if (found > 0) counts[name] = found;
  }
  return counts;
}
