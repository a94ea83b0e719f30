// Accounts that are entered through their identity provider alone.

import sql from 'sql-template-tag';
import { operatorsAccount } from '../../domain/access/visitor.ts';
import { Problem } from '../../domain/problem.ts';
import type { Steps } from '../engine/db.ts';

/** An account with connections that are the only way in is entered through one of those alone. */
export function* demandOpenWay(input: {
  readonly accountId: number;
  readonly connectionId?: string;
}): Steps<void> {
  const { accountId, connectionId } = input;
  if (accountId === operatorsAccount) return;
  const { rows } = yield sql`
    select id
    from connection
    where account_id = ${accountId} and is_only = 1
    limit 100`;
  if (rows.length === 0 || rows.some((row) => row.id === connectionId)) return;
  throw new Problem(
    'SIGN_IN_REFUSED',
    'This account is entered through its identity provider alone. Choose it on the sign-in page.',
  );
}
