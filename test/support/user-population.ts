// Many users at once, put into the store beside the service: for promises that only a population can break.

import { createUser, type Profile } from '../../src/domain/provisioning/user.ts';
import { schemaStatus } from '../../src/store/engine/migrate.ts';
import { openDb } from '../../src/store/open-db.ts';
import { UserCreation } from '../../src/store/provisioning/user-creation.ts';

export type { Profile } from '../../src/domain/provisioning/user.ts';

const atOnce = 500;
// A change that was made is not made again: two populations of one account are told apart by this.
let populations = 0;

/** Returns their ids, in the order of the profiles. */
export async function addUsers(
  databaseUrl: string,
  accountId: number,
  profiles: readonly Profile[],
): Promise<readonly number[]> {
  populations += 1;
  const db = await openDb(databaseUrl, { timeoutMs: 60_000, poolSize: 2 });
  try {
    // The first question tells what the server is, as when a service starts.
    await schemaStatus(db);
    const creation = new UserCreation(db);
    const ids: number[] = [];
    for (let at = 0; at < profiles.length; at += atOnce) {
      const some = profiles.slice(at, at + atOnce).map((profile, index) => {
        const nowMs = Date.UTC(2026, 0, 1) + at + index;
        const order = {
          changeId: `population-${accountId}-${populations}-${at + index}`,
          nowMs,
          actor: 'test',
        };
        return creation.create(createUser(profile, { accountId, id: 0, nowMs }), order);
      });
      ids.push(...(await Promise.all(some)).map(({ id }) => id));
    }
    return ids;
  } finally {
    await db.close();
  }
}
