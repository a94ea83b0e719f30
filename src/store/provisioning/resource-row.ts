// What the rows of users and groups have in common.

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
