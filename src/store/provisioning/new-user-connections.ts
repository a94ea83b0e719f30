// The connection that new users belong to whom a provisioning token of a connection makes (D-353).

import { insertInto, type ManyRows } from '../engine/db.ts';
import type { NewUser } from './new-users.ts';

export function userConnectionRows(
  accountId: number,
  placed: readonly { readonly id: number; readonly user: NewUser }[],
): ManyRows {
  const connected = placed.flatMap(({ id, user: { connectionId } }) =>
    connectionId === undefined ? [] : [{ id, connectionId }],
  );
  return insertInto('user_connection', connected, {
    account_id: ['integer', () => accountId],
    user_id: ['integer', ({ id }) => id],
    connection_id: ['text', ({ connectionId }) => connectionId],
  });
}
