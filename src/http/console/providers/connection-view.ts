// A connection to an identity provider as people see it, and what is demanded of one.

import { connectionFaults } from '../../../domain/access/connection.ts';
import { invalidRequest, Problem } from '../../../domain/problem.ts';
import { type Connection, findConnection } from '../../../store/access/connections.ts';
import type { Db } from '../../../store/engine/db.ts';
export async function demandConnection(db: Db, accountId: number, id: string): Promise<Connection> {
  const connection = await findConnection(db, accountId, id);
  if (connection === null) throw noConnection(id);
  return connection;
}

export function noConnection(id: string): Problem {
  return new Problem('CONNECTION_NOT_FOUND', `The account has no connection ${id}.`);
}

export function shownConnection(connection: Connection) {
  const { id, name, issuer, clientId, subjectClaim, secret, isOnly, createdAtMs, testedAtMs } = connection;
  return {
    id,
    name,
    issuer,
    clientId,
    subjectClaim,
    hasSecret: secret !== null,
    only: isOnly,
    createdAt: new Date(createdAtMs).toISOString(),
    testedAt: testedAtMs === null ? null : new Date(testedAtMs).toISOString(),
  };
}

export function refuseFaults(said: Parameters<typeof connectionFaults>[0]): void {
  const faults = connectionFaults(said);
  if (faults.length > 0) throw invalidRequest(faults);
}
