// Who changed what, when. Written in the transaction of the change itself.

import sql, { type Sql } from 'sql-template-tag';
import { type Db, limitOf } from './db.ts';

/** What every change carries: its own id, when it is made, and by whom. */
export interface ChangeStamp {
  /** How a commit whose answer was lost is found again. */
  readonly changeId: string;
  readonly nowMs: number;
  /** The API client, or the command line. */
  readonly actor: string;
}

/** Who acts when an operator types a command. */
export const commandLine = 'command line';

export interface AuditEntry {
  /** Null for what concerns the whole store. */
  readonly accountId: number | null;
  /** The change's own id. */
  readonly id: string;
  readonly atMs: number;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
}

// A key may not hold a null, so the store itself is account 0, which no account can be.
const wholeStore = 0;

export function auditStatement(
  { changeId, nowMs, actor }: ChangeStamp,
  { accountId, action, subject }: Pick<AuditEntry, 'accountId' | 'action' | 'subject'>,
): Sql {
  return sql`
    insert into audit (account_id, id, at, actor, action, subject)
    values (${accountId ?? wholeStore}, ${changeId}, ${nowMs}, ${actor}, ${action}, ${subject})`;
}

export async function auditOf(
  db: Db,
  accountId: number | null,
  take: number,
): Promise<readonly AuditEntry[]> {
  const rows = await db.read<Omit<AuditEntry, 'accountId'>>(sql`
    select id, at as "atMs", actor, action, subject
    from audit
    where account_id = ${accountId ?? wholeStore}
    order by at desc, id desc
    limit ${limitOf(take)}`);
  return rows.map((row) => ({ accountId, ...row }));
}
