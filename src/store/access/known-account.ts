// Credentials are made for an account that exists.

import sql from 'sql-template-tag';
import { Problem } from '../../domain/problem.ts';
import type { Steps } from '../engine/db.ts';

export function* requireAccount(accountId: number): Steps<void> {
  const { rows } = yield sql`select id from account where id = ${accountId} and removed_at is null`;
  if (rows.length > 0) return;
  throw new Problem('INVALID_REQUEST', `There is no account ${accountId}. See "soundings account list".`);
}
