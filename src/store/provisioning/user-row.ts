// A user as its row holds it.

import sql from 'sql-template-tag';
import type { Profile, User } from '../../domain/provisioning/user.ts';
import { type ResourceRow, resourceFields } from './resource-row.ts';

export type UserRow = ResourceRow;

export const userColumns = sql`
  account_user.account_id, account_user.id, account_user.revision,
  account_user.created_at, account_user.modified_at, account_user.profile`;

export function userOf(row: UserRow): User {
  return { ...resourceFields<Profile>(row), groups: [] };
}
