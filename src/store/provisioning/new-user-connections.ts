// The connection that new users belong to whom a provisioning token of a connection makes (D-353).

import type { ManyRows } from '../engine/db.ts';
import type { NewUser } from './new-users.ts';

export function userConnectionRows(
  accountId: number,
  placed: readonly { readonly id: number; readonly user: NewUser }[],
): ManyRows {
  return {
    table: 'user_connection',
    columns: [
      ['account_id', 'integer'],
      ['user_id', 'integer'],
      ['connection_id', 'text'],
    ],
    rows: placed.flatMap(({ id, user: { connectionId } }) =>
      connectionId === undefined ? [] : [[accountId, id, connectionId]],
    ),
  };
}
