// Whether anything moved in an account: counters alone, each of which only ever grows.

import sql from 'sql-template-tag';
import type { Db } from '../engine/db.ts';

interface AccountMovement {
  readonly sources: number;
  readonly responses: number;
  readonly changes: number;
  readonly revisions: number;
  /** Refused today. */
  readonly refused: number;
  /** The newest entry of the audit log, and of what identity providers asked. */
  readonly audited: string | null;
  readonly provisioned: string | null;
}

export async function accountMovement(db: Db, accountId: number, today: number): Promise<AccountMovement> {
  const [row] = await db.read<AccountMovement>(sql`
    select count(*) as sources, coalesce(sum(last_seq), 0) as responses,
      coalesce(sum(change_no), 0) as changes, coalesce(sum(revision), 0) as revisions,
      (select coalesce(sum(refused), 0) from refused_count
        where account_id = ${accountId} and day = ${today}) as refused,
      (select max(id) from audit where account_id = ${accountId}) as audited,
      (select max(id) from provisioning_request where account_id = ${accountId}) as provisioned
    from log_counter
    where account_id = ${accountId}`);
  return row!;
}
