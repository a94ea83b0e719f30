// How many responses measures and projects have, and when the last of them came: two numbers that are kept, whatever the size of the log.

import sql from 'sql-template-tag';
import { type Db, limitOf } from '../engine/db.ts';

export interface LogEnd {
  readonly sourceId: number;
  /** Erased ones too. */
  readonly responses: number;
  /** When the response that came last was given; null while there is none. */
  readonly lastAtMs: number | null;
}

/** Of the sources of an account, by their ids. */
export async function logEnds(
  db: Db,
  accountId: number,
  sourceIds: readonly number[],
): Promise<ReadonlyMap<number, LogEnd>> {
  if (sourceIds.length === 0) return new Map();
  const rows = await db.read<LogEnd>(sql`
    select log_counter.source_id as "sourceId", last_seq as responses, submitted_at as "lastAtMs"
    from log_counter
    left join response on response.account_id = ${accountId} and response.source_id = log_counter.source_id
      and response.seq = log_counter.last_seq
    where log_counter.account_id = ${accountId}
      and ${db.dialect.isAmong(sql`log_counter.source_id`, sourceIds, 'integer')}
    order by log_counter.source_id
    limit ${limitOf(sourceIds.length)}`);
  return new Map(rows.map((row) => [row.sourceId, row]));
}
