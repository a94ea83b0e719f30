// Questions that requests ask in the same turn of the event loop, put to the store as one: to ask costs more than to
// answer, and on PostgreSQL far more. The store is asked after the last of them has come, so nobody is told less than
// was so when it asked.

import type { Db } from './db.ts';

export type Key = string | number;

interface Turn<K, Found> {
  readonly keys: Set<K>;
  readonly found: Promise<ReadonlyMap<K, Found>>;
}

export class TurnQuestions<K extends Key, Found> {
  readonly #ask: (db: Db, accountId: number, keys: readonly K[]) => Promise<ReadonlyMap<K, Found>>;
  readonly #turns = new WeakMap<Db, Map<number, Turn<K, Found>>>();

  constructor(ask: (db: Db, accountId: number, keys: readonly K[]) => Promise<ReadonlyMap<K, Found>>) {
    this.#ask = ask;
  }

  async find(db: Db, accountId: number, key: K): Promise<Found | null> {
    const turns = this.#turns.get(db) ?? new Map<number, Turn<K, Found>>();
    this.#turns.set(db, turns);
    let turn = turns.get(accountId);
    if (turn === undefined) {
      const keys = new Set<K>();
      const found = new Promise((resume) => setImmediate(resume)).then(() => {
        turns.delete(accountId);
        return this.#ask(db, accountId, [...keys]);
      });
      turn = { keys, found };
      turns.set(accountId, turn);
    }
    turn.keys.add(key);
    return (await turn.found).get(key) ?? null;
  }
}
