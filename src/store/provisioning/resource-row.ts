// What the rows of users and groups have in common.

import sql, { type Sql } from 'sql-template-tag';

export interface ResourceRow {
  readonly account_id: number;
  readonly id: number;
  readonly revision: number;
  readonly created_at: number;
  readonly modified_at: number;
  readonly profile: string;
}

export function resourceFields<Profile>(row: ResourceRow) {
  return {
    accountId: row.account_id,
    id: row.id,
    revision: row.revision,
    createdMs: row.created_at,
    lastModifiedMs: row.modified_at,
    profile: JSON.parse(row.profile) as Profile,
  };
}

/** As `laterOf` of the domain: a change is never before the change that it follows, whatever the clock says (D-180). */
export function laterSql(nowMs: number): Sql {
  return sql`case when modified_at > ${nowMs} then modified_at else ${nowMs} end`;
}
