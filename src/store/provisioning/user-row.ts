// A user as its row holds it.

import sql from 'sql-template-tag';
import type { Profile, User } from '../../domain/provisioning/user.ts';

export interface UserRow {
  readonly account_id: number;
  readonly id: number;
  readonly revision: number;
  readonly created_at: number;
  readonly modified_at: number;
  readonly profile: string;
}

export const userColumns = sql`
  account_user.account_id, account_user.id, account_user.revision,
  account_user.created_at, account_user.modified_at, account_user.profile`;

export function userOf(row: UserRow): User {
  return {
    accountId: row.account_id,
    id: row.id,
    revision: row.revision,
    createdMs: row.created_at,
    lastModifiedMs: row.modified_at,
    profile: JSON.parse(row.profile) as Profile,
    groups: [],
  };
}
