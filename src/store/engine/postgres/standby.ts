// A standby of the PostgreSQL server that may be read instead of it (DATABASE_URL_READ). It is behind, may be far behind
// and may be away: whoever reads from it has made sure that it has what is asked for, and otherwise asks the writer
// (D-233). One that fails is left alone for a while, so that it costs few callers a short wait.

import sql from 'sql-template-tag';
import type { Db } from '../db.ts';
import { storeOfRequests } from '../work/request-waits.ts';

// Most of a caller's time is left for the writer.
const timeoutMaxMs = 300;
const leftAloneMs = 2_000;

interface StandbyLag {
  /** False for a server that takes changes itself. */
  readonly isStandby: boolean;
  /** What the writer has written and the standby does not show yet. */
  readonly bytes: number;
  /** How old the newest change is that the standby shows; 0 when it shows all of them. */
  readonly seconds: number;
}

export class Standby {
  readonly db: Db;
  /** Of the last look; null while it does not answer. */
  lag: StandbyLag | null = null;
  /** Pages whose rows came from the standby. */
  pages = 0;
  /** Pages that the standby did not have, or did not answer: their rows came from the writer. */
  pagesOfWriter = 0;
  #failedAtMs = Number.NEGATIVE_INFINITY;

  constructor(db: Db) {
    this.db = db;
  }

  /** Whether it is worth a question: not when it has just failed. */
  get mayAnswer(): boolean {
    return performance.now() - this.#failedAtMs >= leftAloneMs;
  }

  noteFailure(): void {
    this.#failedAtMs = performance.now();
  }

  /** Looks how far it is behind. Whoever looks regularly finds one that came back before a caller asks it. */
  async look(writer: Db): Promise<void> {
    try {
      this.lag = await lagOf(writer, this.db);
      this.#failedAtMs = Number.NEGATIVE_INFINITY;
    } catch {
      this.lag = null;
      this.noteFailure();
    }
  }

  close(): Promise<void> {
    return this.db.close();
  }
}

export async function openStandby(
  address: string,
  storeTimeoutMs: number,
  poolSize: number,
): Promise<Standby> {
  const timeoutMs = Math.min(timeoutMaxMs, storeTimeoutMs);
  const { openPostgres } = await import('./postgres.ts');
  return new Standby(storeOfRequests(await openPostgres(address, { timeoutMs, poolSize, isStandby: true })));
}

/** Fails where one of them does not answer. */
export async function lagOf(writer: Db, standby: Db): Promise<StandbyLag> {
  const [written] = await writer.read<{ lsn: string }>(sql`select pg_current_wal_lsn()::text as lsn`);
  const [seen] = await standby.read<{ is_standby: number; bytes: number | null; seconds: number | null }>(sql`
    select pg_is_in_recovery() as is_standby,
      pg_wal_lsn_diff(${written?.lsn}::pg_lsn, pg_last_wal_replay_lsn()) as bytes,
      extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) as seconds`);
  const bytes = Math.max(0, seen?.bytes ?? 0);
  return {
    isStandby: seen?.is_standby === 1,
    bytes,
    seconds: bytes === 0 ? 0 : Math.max(0, seen?.seconds ?? 0),
  };
}
