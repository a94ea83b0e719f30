// The body of a response as it was sent.

import sql from 'sql-template-tag';
import type { Db } from '../engine/db.ts';
import type { SourceId } from './log-places.ts';

/** Null of a response that was erased. */
export async function bodyAsSent(
  db: Db,
  { accountId, sourceId }: SourceId,
  seq: number,
): Promise<string | null> {
  const [row] = await db.read<{ body: string }>(sql`
    select body
    from response_body
    where account_id = ${accountId} and source_id = ${sourceId} and seq = ${seq}`);
  return row?.body ?? null;
}
