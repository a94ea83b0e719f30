// Questions that requests ask in the same turn of the event loop, put to the store as one: to ask costs more than to
// answer, and on PostgreSQL far more. The store is asked after the last of them has come, so nobody is told less than
// was so when it asked.

import type { Db } from '../db.ts';
import { apartFromRequests, withinWaits } from './request-waits.ts';

export type Key = string | number;

interface Batch<K, Found> {
  readonly keys: Set<K>;
  readonly found: Promise<ReadonlyMap<K, Found>>;
}

export class BatchLoader<K extends Key, Found> {
  readonly #ask: (db: Db, accountId: number, keys: readonly K[]) => Promise<ReadonlyMap<K, Found>>;
  readonly #batches = new WeakMap<Db, Map<number, Batch<K, Found>>>();

  constructor(ask: (db: Db, accountId: number, keys: readonly K[]) => Promise<ReadonlyMap<K, Found>>) {
    this.#ask = ask;
  }

  async find(db: Db, accountId: number, key: K): Promise<Found | null> {
    const batches = this.#batches.get(db) ?? new Map<number, Batch<K, Found>>();
    this.#batches.set(db, batches);
    let batch = batches.get(accountId);
    if (batch === undefined) {
      const keys = new Set<K>();
      const found = apartFromRequests(async () => {
        await new Promise((resume) => setImmediate(resume));
        batches.delete(accountId);
        return this.#ask(db, accountId, [...keys]);
      });
      batch = { keys, found };
      batches.set(accountId, batch);
    }
    batch.keys.add(key);
    return (await withinWaits(batch.found)).get(key) ?? null;
  }
}
