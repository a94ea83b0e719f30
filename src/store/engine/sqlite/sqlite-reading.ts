// The embedded engine for a thread that only reads. It waits for nobody's event loop, so what it meets it waits for on the spot.

import type { Sql } from 'sql-template-tag';
import { type Db, type DbOptions, type Fields, type LargeAnswer, type Row, storeProblem } from '../db.ts';
import { Movement } from '../work/time-limit.ts';
import { sqliteDialect } from './dialect-sqlite.ts';
import {
  isDamage,
  isSqliteFailure,
  primaryCode,
  resultCodes,
  SqliteConnection,
} from './sqlite-connection.ts';
import { partFault, refuseLostParts } from './store-check.ts';
import { identitiesOf, lostPartOf, realStorePath } from './store-file.ts';

const lookAtFilesEveryMs = 1_000;

export function openReadingSqlite(address: string, { timeoutMs, poolSize }: DbOptions): Db {
  const place = realStorePath(address);
  try {
    refuseLostParts(place);
  } catch (error) {
    throw storeProblem('STORE_MOVED', error);
  }
  const identities = identitiesOf(place);
  const connection = asked(() => new SqliteConnection(place, timeoutMs, true));
  let lookedAtMs = performance.now();
  const ask = <T>(question: () => T): T => {
    if (performance.now() - lookedAtMs > lookAtFilesEveryMs) {
      const lost = lostPartOf(place, identities);
      if (lost !== null) throw storeProblem('STORE_MOVED', partFault(place, lost));
      lookedAtMs = performance.now();
    }
    return asked(question);
  };
  const refused = (): Promise<never> => Promise.reject(new Error('This store is only read from.'));
  return {
    engine: 'sqlite',
    dialect: sqliteDialect,
    limits: { timeoutMs, poolSize },
    async read<R = Row>(query: Sql) {
      return ask(() => connection.run(query).rows as readonly R[]);
    },
    readLarge<R>(query: Sql, rowOf: (fields: Fields) => R, bytesMax?: number): LargeAnswer<R> {
      const rows = ask(() => connection.runLarge(query, rowOf, bytesMax));
      return { rows, [Symbol.dispose]: () => {} };
    },
    write: refused,
    probe: refused,
    changing: new Movement(),
    figures: () => ({
      writesWaiting: 0,
      batches: 0,
      changes: 0,
      connections: 1,
      connectionsIdle: 0,
      connectionsWaiting: 0,
    }),
    async close() {
      connection.close();
    },
  };
}

function asked<T>(question: () => T): T {
  try {
    return question();
  } catch (error) {
    if (!isSqliteFailure(error)) throw error;
    if (isDamage(error)) throw storeProblem('STORE_DAMAGED', error);
    const code = primaryCode(error);
    if (code === resultCodes.busy) throw storeProblem('STORE_TIMEOUT', error);
    const isGone = code === resultCodes.ioError || code === resultCodes.cannotOpen;
    throw isGone ? storeProblem('STORE_UNREACHABLE', error) : error;
  }
}
