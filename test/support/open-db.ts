// A new store with its schema and one account, opened as the service opens it.

import type { Db } from '../../src/store/engine/db.ts';
import { migrate } from '../../src/store/engine/migrate.ts';
import { openDb } from '../../src/store/open-db.ts';
import type { Engine } from './engines.ts';
import { storeRows } from './store-rows.ts';

export const accountId = 4001;
export const patient = { timeoutMs: 30_000, poolSize: 10 };

export interface OpenedStore {
  readonly db: Db;
  readonly databaseUrl: string;
  /** A second view of the same store, with limits of its own; closed together with the first. */
  open(options?: Partial<typeof patient>): Promise<Db>;
  dispose(): Promise<void>;
}

export async function openStore(engine: Engine): Promise<OpenedStore> {
  const store = await engine.readyStore();
  const opened: Db[] = [];
  const open = async (options: Partial<typeof patient> = {}): Promise<Db> => {
    const db = await openDb(store.databaseUrl, { ...patient, ...options });
    opened.push(db);
    return db;
  };
  const db = await open();
  await migrate(db, Date.now);
  await storeRows(
    store.databaseUrl,
    `insert into account (id, name, created_at) values (${accountId}, 'Acme', 1)`,
  );
  return {
    db,
    databaseUrl: store.databaseUrl,
    open,
    async dispose() {
      // A test may have closed one of them already.
      await Promise.allSettled(opened.map((one) => one.close()));
      await store.dispose();
    },
  };
}
